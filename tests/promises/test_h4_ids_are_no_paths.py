"""H4: ids are never used as paths: whatever they spell, nothing is made or read outside the output folders."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from matplotlib import font_manager
from promise_support import (
    FAST,
    PRIVATE_FILES,
    RELEASE_FILES,
    files_under,
    json_rows,
    watching,
    write_documents,
    write_people,
    written_names,
)

from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.storage.documents import read_corpus
from unname.storage.files import MARKER
from unname.storage.formats import WRITTEN, write_corpus
from unname.types import Document, Profile, Span
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.options import make_audit_job
from unname.verbs.deidentify import files as release_module
from unname.verbs.deidentify.files import deidentify_files

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

HOSTILE = (
    "../../etc/passwd", "..", ".", "/etc/passwd", "a/b", "a\\b", "..\\..\\x", "CON", "nul.txt", "~", "~root", "-rf",
    "x" * 5000, "é\u0301\U0001f600", "\u202egnp.exe", "line\nbreak", "tab\t", "%2e%2e%2f", "$HOME", "`id`", "*", " ",
    "key", "documents.jsonl", "manifest.json", "C:\\x", "file:///x", "a\x01b", "\\\\host\\share", "'; drop",
)  # fmt: skip


def hostile_town(town: Town) -> tuple[list[Document], list[Profile]]:
    """The town with hostile ids for documents and people."""
    # Told apart from the documents by a suffix: an id that is kept must not name its person (C2).
    people = {p.id: f"{HOSTILE[i % len(HOSTILE)]}~person{i}" for i, p in enumerate(town.profiles)}
    profiles = [dataclasses.replace(p, id=people[p.id]) for p in town.profiles]
    return [
        dataclasses.replace(d, id=name, person=people[str(d.person)])
        for name, d in zip(HOSTILE, town.documents, strict=False)
    ], profiles


def require_inside(written: Iterable[str], home: Path, parts: Iterable[str]) -> None:
    """Every path that was written lies in the home folder, and no part of it comes from an id."""
    allowed = {MARKER} | RELEASE_FILES | PRIVATE_FILES | set(parts)
    for name in written:
        path = Path(name)
        if str(path) in ("/dev/null", "/dev/tty"):
            continue
        assert path.resolve().is_relative_to(home.resolve()), "something was written outside of the output folders"
        for part in path.resolve().relative_to(home.resolve()).parts:
            aside = part.startswith(".") and part.endswith(".partial") and len(part) == 25
            assert part in allowed or aside, "a file's name comes from the input"


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    """Known before anything is watched: the first to ask for them writes a cache, which is the library's own."""
    assert font_manager.get_font_names()


def _run(town: Town, home: Path, ids: str) -> tuple[list[str], Path]:
    documents, profiles = hostile_town(town)
    source = home.parent / "input"
    source.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    files = write_documents(source / "d.jsonl", documents), write_people(source / "p.jsonl", profiles)
    written: list[str] = []

    def watcher(event: str, args: tuple[Any, ...]) -> None:
        written.extend(written_names(event, args, removed=True))

    with watching(watcher):
        done = deidentify_files(
            make_job(
                *files,
                home / "out",
                accept_risk="a test",
                masking=Deidentification(k=2, reidentifiers=("bm25",), ids=ids),
                attackers=FAST,
            )
        )
        audit_files(make_audit_job(done.folder, *files, home / "audit", private=done.private, attackers=FAST))
    return written, source


@pytest.mark.parametrize("ids", ["keyed", "keep"])
def test_hostile_ids_make_no_file(ids: str, town: Town, tmp_path: Path) -> None:
    home = tmp_path / "home"
    written, source = _run(town, home, ids)
    assert len(written) > 20, "the watch must see the writing"
    require_inside(written, home, ("out", "out.private", "audit"))
    assert {path.name for path in tmp_path.iterdir()} == {"home", "input"}
    assert {path.name for path in source.iterdir()} == {"d.jsonl", "p.jsonl"}
    assert {path.name for path in home.iterdir()} == {"out", "out.private", "audit"}
    assert len(files_under(home)) == len(RELEASE_FILES) + len(PRIVATE_FILES) + 3
    ids_kept = {row["id"] for row in json_rows(home / "out.private" / "masks.jsonl")}
    assert ids_kept == set(HOSTILE), "hostile ids must come through as they are"
    if ids == "keep":
        failed = {row["id"] for row in json_rows(home / "out.private" / "failures.jsonl")}
        assert {row["id"] for row in json_rows(home / "out" / "documents.jsonl")} == set(HOSTILE) - failed != set()


@pytest.mark.parametrize("format", WRITTEN)
def test_hostile_ids_name_no_file_of_a_corpus(format: str, tmp_path: Path) -> None:
    span = Span(0, 1, "X", "direct")
    fitting = [name for name in HOSTILE if format not in ("i2b2", "meddocan") or "\x01" not in name]
    fitting = [name for name in fitting if format != "conll" or not set(name) & set("\t\n")]
    home = tmp_path / "home"
    home.mkdir()
    written: list[str] = []

    def watcher(event: str, args: tuple[Any, ...]) -> None:
        written.extend(written_names(event, args, removed=True))

    with watching(watcher):
        write_corpus(home / "corpus", [Document(name, "text", spans=(span,)) for name in fitting], format=format)
    harmless = ("key", "documents.jsonl", "manifest.json")
    stems = [*harmless, *(f"_{place:06}" for place in range(1, len(HOSTILE) + 1))]
    require_inside(written, home, ["corpus", *(stem + end for stem in stems for end in (".xml", ".txt", ".ann"))])
    assert {d.id for d in read_corpus(home / "corpus", format)} == set(fitting), "hostile ids must come through"


@pytest.mark.parametrize("hostile", ["a_name", "../../stray", "absolute"])
def test_the_check_notices_a_file_named_by_an_id(
    hostile: str, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = release_module.write_private
    hostile = str(tmp_path / "stray") if hostile == "absolute" else hostile

    def planted(folder: Path, *args: Any) -> None:
        real(folder, *args)
        try:
            (folder / hostile).write_text("x", encoding="utf-8")
        finally:
            (folder / hostile).unlink(missing_ok=True)

    monkeypatch.setattr(release_module, "write_private", planted)
    written, _ = _run(town, tmp_path / "home", "keyed")
    with pytest.raises(AssertionError, match=r"outside|comes from the input"):
        require_inside(written, tmp_path / "home", ("out", "out.private", "audit"))
