"""The record that a private folder keeps of what was published, and its reading by the next run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from made_files import write_town
from made_settings import by_rules

from unname.errors import InputError, StateError, UnnameError
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.writing.held import release_held
from unname.writing.versions import key_of, published, read_earlier

SETTINGS = by_rules(method="composed", reidentifiers=("bm25",), k=3)


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=24, seed=2)


def run(files: tuple[Path, Path], out: Path, *, held: bool = False, **more: Any) -> Released:
    reason = "" if held else "a test"
    return deidentify_files(make_job(*files, out, masking=SETTINGS, audit="none", accept_risk=reason, **more))


@pytest.fixture(scope="module")
def made(town: Town, tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[Path, Path], Released]:
    folder = tmp_path_factory.mktemp("versions")
    files = write_town(town, folder)
    return files, run(files, folder / "out")


def test_the_next_run_reads_what_was_published(made: tuple[Any, Released], town: Town) -> None:
    _, released = made
    population = Population(town.profiles)
    found, key = read_earlier(released.private, population), key_of(released.private)
    memory = published(released.result, key)
    assert [found.of(d.id) for d in town.documents] == [memory.of(d.id) for d in town.documents]
    texts = [row.texts for row in found.rows]
    assert texts == [(text,) for text in released.result.texts() if text is not None]


def test_versions_add_up_from_release_to_release(made: tuple[Any, Released], town: Town, tmp_path: Path) -> None:
    files, first = made
    changed = write_rows(tmp_path, town, lambda n, text: f"{text} So it was." if n % 3 else text, leave=5)
    second = run((changed, files[1]), tmp_path / "second", after=first.private)
    third = run(files, tmp_path / "third", after=second.private)
    found = read_earlier(third.private, Population(town.profiles))
    for place, document in enumerate(town.documents):
        row, texts = found.of(document.id), [first.result.texts()[place]]
        assert row is not None
        if place >= 5:
            texts.append(second.result.texts()[place - 5])
        assert set(row.texts) == {text for text in (*texts, third.result.texts()[place]) if text is not None}


def test_of_a_held_release_nothing_was_published(made: tuple[Any, Released], town: Town, tmp_path: Path) -> None:
    files, first = made
    population = Population(town.profiles)
    held = run(files, tmp_path / "held", held=True)
    assert held.held and not len(read_earlier(held.private, population).rows)
    assert run(files, tmp_path / "next", after=held.private).result.texts() == held.result.texts(), (
        "the key is the same"
    )
    later = run(files, tmp_path / "later", held=True, after=first.private)
    assert [row.texts for row in read_earlier(later.private, population).rows] == [
        row.texts for row in read_earlier(first.private, population).rows
    ], "but what it continues was"
    release_held(held.private, "a test")
    assert len(read_earlier(held.private, population).rows) == len(town.documents) - len(held.result.withheld)


def test_a_release_can_be_continued_in_its_own_place(made: tuple[Any, Released], town: Town, tmp_path: Path) -> None:
    files, _ = made
    first = run(files, tmp_path / "out")
    texts, key = first.result.texts(), key_of(first.private)
    second = run(files, tmp_path / "out", after=first.private, replace=True)
    assert second.result.texts() == texts and key_of(second.private) == key


def write_rows(folder: Path, town: Town, change: Any, *, leave: int = 0) -> Path:
    path = folder / "changed.jsonl"
    rows = [{"id": d.id, "person": d.person, "text": change(n, d.text)} for n, d in enumerate(town.documents)][leave:]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def damaged(made: Released, folder: Path, change: Any) -> Path:
    """A private folder in which one record of versions.jsonl is another."""
    shutil.copytree(made.private, folder)
    path = folder / "versions.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_a_folder_that_lacks_something_is_refused_and_the_error_names_no_text(
    made: tuple[Any, Released], town: Town, tmp_path: Path
) -> None:
    files, released = made

    def refused(name: str, change: Any, error: type[UnnameError], message: str) -> None:
        private = damaged(released, tmp_path / name, change)
        with pytest.raises(error, match=message) as caught:
            run(files, tmp_path / "none", after=private)
        assert town.documents[0].text[:20] not in str(caught.value) and not (tmp_path / "none").exists()

    refused("no-text", lambda rows: rows[1].pop("text"), StateError, "record 2")
    refused("no-list", lambda rows: rows[1].update(earlier=7), StateError, "record 2")
    refused("no-words", lambda rows: rows[1].update(hidden=[7]), StateError, "record 2")
    refused("another", lambda rows: rows[1].update(id="zz"), StateError, "record 2: .*masks.jsonl lacks")
    refused("text", lambda rows: rows[0].update(text="Something else."), StateError, "record 1: what was published")
    (tmp_path / "text" / "versions.jsonl").unlink()
    with pytest.raises(StateError, match="audit --previous"):
        run(files, tmp_path / "none", after=tmp_path / "text")
    (tmp_path / "text" / "key").unlink()
    with pytest.raises(InputError, match="key"):
        run(files, tmp_path / "none", after=tmp_path / "text")


def test_other_documents_are_refused(made: tuple[Any, Released], town: Town, tmp_path: Path) -> None:
    files, released = made
    path = tmp_path / "others.jsonl"
    rows = [{"id": f"x{d.id}", "person": d.person, "text": d.text} for d in town.documents]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="published none of these documents"):
        run((path, files[1]), tmp_path / "none", after=released.private)
