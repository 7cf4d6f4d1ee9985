"""The choice of a format, the names of files, and the rule that a corpus is written whole or not at all."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError, SettingsError, StateError
from unname.storage.documents import Columns, read_corpus, read_documents
from unname.storage.formats import FORMATS, WRITTEN, write_corpus
from unname.storage.formats.names import DistinctNames
from unname.storage.tables import write_jsonl
from unname.types import Document, Span

ONE = [Document("a", "Ada saw York", spans=(Span(0, 3, "NAME", "direct"), Span(8, 12, "CITY", "quasi")))]


@pytest.mark.parametrize("format", WRITTEN)
def test_the_format_is_told_from_the_names_of_files(format: str, tmp_path: Path) -> None:
    name = {"conll": "c.conll", "tab": "c.json"}.get(format, "corpus")
    write_corpus(tmp_path / name, ONE, format=format)
    (document,) = read_corpus(tmp_path / name)
    assert document == read_corpus(tmp_path / name, format)[0]
    assert [(s.start, s.end, s.label) for s in document.spans] == [(0, 3, "NAME"), (8, 12, "CITY")]


def test_what_is_in_no_format_of_others_is_read_as_ours(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_bytes(b"x")
    assert read_corpus(tmp_path / "texts") == [Document("a", "x")]
    write_jsonl(tmp_path / "d.jsonl", [{"id": "a", "text": "x"}])
    assert read_corpus(tmp_path / "d.jsonl") == read_corpus(tmp_path / "texts")
    for format in FORMATS:  # our own tables are known by their endings
        assert read_documents(tmp_path / "d.jsonl", Columns(format=format)) == [Document("a", "x")]
    with pytest.raises(InputError, match="unknown kind of file"):
        read_corpus(tmp_path / "texts" / "a.txt")


def test_a_format_that_is_none_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="known: i2b2"):
        read_corpus(tmp_path, "word")
    with pytest.raises(SettingsError, match="known: i2b2"):
        write_corpus(tmp_path / "x", ONE, format="wikibio")


def test_a_folder_without_files_of_the_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    for format in FORMATS:
        with pytest.raises(InputError, match="holds no "):
            read_corpus(tmp_path, format)
        with pytest.raises(InputError, match="no such file"):
            read_corpus(tmp_path / "none", format)


IDS = st.text(st.sampled_from("aA._-/\\ :0é\n") | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(st.lists(IDS, unique=True, max_size=12))
def test_names_are_harmless_and_no_two_the_same_even_without_capitals(ids: list[str]) -> None:
    names = DistinctNames()
    made = [names.of(identifier) for identifier in ids]
    assert len({name.casefold() for name in made}) == len(ids)
    for place, (identifier, name) in enumerate(zip(ids, made, strict=True), start=1):
        assert name in (identifier, f"_{place:06}")
        assert name.isascii() and name[0] not in ".-" and set(name) <= {*map(chr, range(45, 123))} - {*"/:;<=>?@[\\]^`"}


def test_harmless_ids_are_names_and_devices_are_not() -> None:
    names = DistinctNames()
    ids = ["S0004-06142006000500012-1", "a.v2", "A.V2", "nul.txt", "COM1", "com10", "..", "a.", "x" * 101, "_000001"]
    wanted = ["S0004-06142006000500012-1", "a.v2", "_000003", "_000004", "_000005", "com10", "_000007", "_000008",
              "_000009", "_000010"]  # fmt: skip
    assert [names.of(identifier) for identifier in ids] == wanted


@pytest.mark.parametrize("format", WRITTEN)
def test_a_corpus_is_written_whole_or_not_at_all_and_for_its_owner_alone(format: str, tmp_path: Path) -> None:
    def breaks() -> Iterator[Document]:
        yield ONE[0]
        raise KeyError

    path = tmp_path / "corpus"
    with pytest.raises(KeyError):
        write_corpus(path, breaks(), format=format)
    with pytest.raises(InputError, match="document 2: the same id occurs in an earlier document"):
        write_corpus(path, ONE * 2, format=format)
    assert not os.listdir(tmp_path)  # noqa: PTH208
    write_corpus(path, ONE, format=format)
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    with pytest.raises(StateError, match="already exists"):
        write_corpus(path, ONE, format=format)
    write_corpus(path, [*ONE, Document("b", "x")], format=format, replace=True)
    assert [d.id for d in read_corpus(path, format)] == ["a", "b"]


@pytest.mark.parametrize("format", ["i2b2", "brat"])
def test_a_folder_that_holds_anything_else_is_never_replaced(format: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus"
    write_corpus(path, ONE, format=format)
    for name in ("thesis.docx", "notes.txt"):
        (path / name).touch()
        with pytest.raises(StateError, match="holds more than such a corpus"):
            write_corpus(path, ONE, format=format, replace=True)
        (path / name).unlink()
    write_corpus(path, ONE, format=format, replace=True)
