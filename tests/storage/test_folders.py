"""A folder of text files: one document a file; what else lies there is a fault that tells a place, never a name."""

import os
import re
from pathlib import Path

import pytest

from unname.errors import InputError
from unname.storage import opening as opening_module
from unname.storage.dialects import Dialect
from unname.storage.documents import Columns, iter_documents, read_documents
from unname.storage.faults import Faults
from unname.storage.manifest import file_hash
from unname.types import Document

CANARY = "Canarybird"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    (made / "b.txt").write_bytes("\ufeffZoë\r\nsaw \U0001f600".encode())
    (made / "a.v2.txt").write_bytes(b"")
    (made / "Z.TXT").write_bytes(b"\xef\xbb\xbf")
    (made / ".hidden").write_bytes(b"\xff")
    return made


def bad(folder: Path) -> list[tuple[int, str, str]]:
    faults = Faults(folder)
    list(iter_documents(folder, faults=faults))
    with pytest.raises(InputError) as caught:
        faults.raise_any()
    assert CANARY.casefold() not in str(caught.value).casefold()
    for number, _, _ in faults.bad_records:
        own, also = rf"{folder.name}: file {number} \(in name order\)", rf"\(also ([\d, ]+, )?{number}[,) ]"
        assert re.search(f"{own}|{also}", str(caught.value))
    return faults.bad_records


@pytest.mark.parametrize("columns", [None, Columns(id="nr", text=("note",))])
def test_each_file_is_a_document_in_name_order(folder: Path, columns: Columns | None) -> None:
    wanted = [Document("Z", ""), Document("a.v2", ""), Document("b", "Zoë\r\nsaw \U0001f600")]
    assert read_documents(folder, columns) == wanted


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no \.txt files"):
        read_documents(tmp_path)


def test_what_is_not_a_plain_text_file_is_told_by_its_place(folder: Path, tmp_path: Path) -> None:
    (folder / f"{CANARY}.ann").write_bytes(b"")
    (folder / f"{CANARY}.txt").mkdir()
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "device.txt").symlink_to("/dev/zero")
    (tmp_path / "outside.txt").write_text(CANARY)
    (folder / "out.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "in.txt").symlink_to("b.txt")
    (folder / "gone.txt").symlink_to("none.txt")
    names = sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208
    told = {names[number - 1]: problem for number, _, problem in bad(folder)}
    brat = "not a .txt file; an annotated corpus of this kind is read with --format brat"
    leads_out = "a link that leads out of the folder"
    assert told == {
        f"{CANARY}.ann": brat, f"{CANARY}.txt": "not a plain file", "pipe.txt": "not a plain file",
        "loop.txt": "cannot be read", "device.txt": leads_out, "out.txt": leads_out, "gone.txt": "cannot be read",
    }  # fmt: skip
    faults = Faults(folder)
    assert [d.id for _, d in iter_documents(folder, faults=faults)] == ["Z", "a.v2", "b", "in"]


def test_a_pipe_that_a_link_within_points_at_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / ".pipe")
    (folder / "c.txt").symlink_to(".pipe")
    assert bad(folder) == [(4, "", "not a plain file")]


def test_texts_that_cannot_be_used_are_told_by_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_module, "LONGEST_RECORD", 100)
    (folder / "c.txt").write_bytes(b"Canarybird \xff")
    (folder / "d.txt").write_bytes("Canarybirdé".encode() + b"\xe9")
    (folder / "e.txt").write_bytes(b"Canarybird\0")
    (folder / "f.txt").write_bytes(b"x" * 100)
    (folder / "g.txt").write_bytes(b"x" * 101)
    assert bad(folder) == [
        (4, "text", "not UTF-8"), (5, "text", "not UTF-8"), (6, "text", "holds a NUL character"),
        (8, "", "longer than 64 MiB"),
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_texts_as_windows_and_others_write_them_are_read(folder: Path, encoding: str) -> None:
    text = "Größe: 1,80 m. El niño vivía en Cádiz – “allí”, 5 €."
    (folder / "c.txt").write_bytes(text.encode(encoding))
    read = {d.id: d.text for d in read_documents(folder)}
    assert read["c"] == text


def test_an_encoding_that_is_said_is_held_to(folder: Path) -> None:
    (folder / "c.txt").write_bytes("año".encode("cp1252"))
    with pytest.raises(InputError, match="not utf-8"):
        read_documents(folder, Columns(dialect=Dialect("utf-8")))


def test_two_files_of_one_stem_and_a_name_that_is_no_text(folder: Path) -> None:
    (folder / "Z.txt").write_bytes(b"x")
    Path(os.fsdecode(os.fsencode(folder) + b"/c\xff.txt")).write_bytes(b"x")
    assert bad(folder) == [
        (2, "id", "the same id occurs in an earlier record"),
        (5, "id", "holds half a surrogate pair, which is no character"),
    ]


def test_the_hash_of_a_folder_knows_names_and_contents(folder: Path) -> None:
    first = file_hash(folder)
    assert first == file_hash(folder)
    os.mkfifo(folder / "pipe.txt")
    (folder / ".hidden").write_bytes(b"other")
    assert file_hash(folder) == first
    (folder / "b.txt").rename(folder / "c.txt")
    second = file_hash(folder)
    (folder / "c.txt").write_bytes(b"other")
    assert len({first, second, file_hash(folder)}) == 3


def test_the_hash_of_a_folder_knows_folders_in_it_and_enters_no_link(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "x.txt").write_bytes(b"x")
    first = file_hash(folder)
    (folder / "deep" / "loop").symlink_to(folder)
    assert file_hash(folder) == first
    (folder / "deep" / "x.txt").write_bytes(b"y")
    assert file_hash(folder) != first
