"""An audit with the private folder: originals, masks and release must be of one run, or nothing is counted."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_settings import by_rules

from unname.apps import cli
from unname.errors import InputError, StateError, UnnameError
from unname.job import make_job
from unname.knowledge.fictional import fictional_town
from unname.storage.manifest import file_hash
from unname.transforms.redact import Collapse, Delete, Redact
from unname.types import Document, Mask, MaskSpan
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.options import make_audit_job
from unname.verbs.deidentify.files import deidentify_files
from unname.verifying.same_run import _follows, _maps

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

CANARY = "Canarybird"
Rows = list[dict[str, Any]]


def rows_of(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_rows(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a town, and three releases of its first twenty documents; two keep the ids."""
    home, town = tmp_path_factory.mktemp("home"), fictional_town(people=50, seed=4)
    write_rows(home / "people.jsonl", [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles])
    write_rows(home / "notes.jsonl", [{"id": d.id, "person": d.person, "text": d.text} for d in town.documents[:24]])
    for name, k, ids, budget in (("out", 4, "keyed", 0.06), ("kept", 2, "keep", 1.0), ("strong", 8, "keep", 1.0)):
        deidentify_files(
            make_job(
                home / "notes.jsonl",
                home / "people.jsonl",
                home / name,
                attackers=("bm25",),
                limit=20,
                accept_risk="a test",
                masking=by_rules(k=k, budget=budget, reidentifiers=("bm25",), ids=ids, keyed_target=False),
            )
        )
    assert 0 < len(rows_of(home / "out" / "documents.jsonl")) < 20, "some are withheld"
    return home


@pytest.fixture
def copy(home: Path, tmp_path: Path) -> Path:
    """The same, to be spoilt."""
    return Path(shutil.copytree(home, tmp_path / "copy", ignore=shutil.ignore_patterns("audit")))


def audit(home: Path, name: str = "out", **more: Any) -> dict[str, Any]:
    given = {"released": home / name, "original": home / "notes.jsonl", "private": home / f"{name}.private", **more}
    given = {"out": home / "audit", "replace": True, **given}
    return audit_files(make_audit_job(people=home / "people.jsonl", attackers=("bm25",), **given)).as_dict()


def refused(home: Path, problem: str, *, kind: type[UnnameError] = StateError, **more: Any) -> None:
    with pytest.raises(kind, match=problem) as error:
        audit(home, out=home / "refused", **more)
    assert CANARY not in str(error.value) and not (home / "refused").exists()


def change(path: Path, how: Callable[[Rows], object]) -> None:
    rows = rows_of(path)
    how(rows)
    write_rows(path, rows)


def put(rows: Rows, place: int, **more: Any) -> None:
    rows[place] |= more


# What fits


@pytest.mark.parametrize("name", ["out", "kept", "strong"])
def test_a_release_fits_its_own_originals_and_masks_whatever_else_was_given(home: Path, name: str) -> None:
    """Four originals were never masked (--limit), some documents are withheld, and the table may be named itself."""
    found = audit(home, name)
    assert found["documents"] == 24 and found["withheld"]["documents"] >= 4
    assert audit(home, name, released=home / name / "documents.jsonl") == found


def test_originals_may_come_with_other_columns_and_in_another_order(copy: Path) -> None:
    before = audit(copy)["masked"]
    change(copy / "notes.jsonl", lambda rows: (rows.reverse(), [row.update(ward=3) for row in rows]))
    assert audit(copy)["masked"] == before


def test_a_table_of_the_release_without_its_manifest_or_offsets_is_held_against_the_masks(copy: Path) -> None:
    table = shutil.copy(copy / "out" / "documents.jsonl", copy / "other.jsonl")
    found = audit(copy)
    (copy / "out.private" / "offsets.jsonl").unlink()
    assert audit(copy, released=Path(table), k=4, used=("bm25",)) == found
    change(copy / "notes.jsonl", lambda rows: [row.update(text=f"XX {row['text']}") for row in rows])
    refused(copy, "is not what these masks leave", released=Path(table))


def test_without_the_private_folder_nothing_is_asked(copy: Path) -> None:
    change(copy / "kept" / "documents.jsonl", lambda rows: put(rows, 0, text=f"{CANARY} was here"))
    change(copy / "notes.jsonl", lambda rows: put(rows, 1, text=CANARY))
    assert audit(copy, "kept", private=None)["documents"] == 24


# What does not


def test_originals_that_were_changed_do_not_fit(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(copy / "notes.jsonl", lambda rows: [row.update(text=f"{CANARY} {row['text']}") for row in rows])
    refused(
        copy, r"masks\.jsonl: record \d+: what was released is not what these masks leave of the original \(\d+ such"
    )
    words = ["audit", copy / "out", "--original", copy / "notes.jsonl", "--people", copy / "people.jsonl", "--out",
             copy / "audit", "--private", copy / "out.private"]  # fmt: skip
    assert cli.run([str(word) for word in words]) == 5
    assert "masks.jsonl" in (told := capsys.readouterr().err) and CANARY not in told


def test_an_original_that_became_shorter_than_its_masks_does_not_fit(copy: Path) -> None:
    place = next(i for i, row in enumerate(rows_of(copy / "out.private" / "masks.jsonl")) if row["spans"])
    change(copy / "notes.jsonl", lambda rows: put(rows, place, text="X"))
    refused(copy, rf"record {place + 1}: a mask lies outside of its original")


def test_a_release_that_was_edited_is_told_by_its_manifest_and_else_by_its_masks(copy: Path) -> None:
    table = copy / "out" / "documents.jsonl"
    change(table, lambda rows: put(rows, 3, text=rows[3]["text"].replace("[MASK]", CANARY, 1)))
    refused(copy, r"documents\.jsonl is not the file that manifest\.json beside it describes")
    refused(copy, "manifest", released=table)
    change(table, lambda rows: put(rows, 3, text=rows[3]["text"] + "."))
    made = json.loads((copy / "out" / "manifest.json").read_text(encoding="utf-8"))
    made["files"]["documents.jsonl"] = file_hash(table)
    (copy / "out" / "manifest.json").write_text(json.dumps(made), encoding="utf-8")
    refused(copy, r"is not what these masks leave of the original \(1 such")


@pytest.mark.parametrize("private", ["kept", "strong"])
def test_the_private_folder_of_another_run_does_not_fit(home: Path, private: str) -> None:
    """Also where the ids are the same, and also one that hides more than the release does."""
    other = {"kept": "strong", "strong": "kept"}[private]
    refused(home, "is not what these masks leave", released=home / other, private=home / f"{private}.private")


def test_masks_that_were_changed_do_not_fit(copy: Path) -> None:
    masks = copy / "kept.private" / "masks.jsonl"
    kept = masks.read_bytes()
    place, row = next((i, row) for i, row in enumerate(rows_of(masks)) if row["spans"])
    text = rows_of(copy / "notes.jsonl")[place]["text"]
    whole = {"start": 0, "end": len(text), "method": "x"}
    bad: list[tuple[Any, str, type[UnnameError]]] = [
        (row["spans"][:-1], "is not what these masks leave", StateError),
        ([*row["spans"], whole], "a mask lies outside", StateError),
        ([{**whole, "end": len(text) + 1}], "a mask lies outside", StateError),
        ([{**whole, "end": 0}], "a mask lies outside", StateError),
        ([{**whole, "start": "0"}], "not a mask of a release", InputError),
        ([{**whole, "start": None}], "not a mask of a release", InputError),
    ]
    for spans, problem, kind in bad:
        masks.write_bytes(kept)
        change(masks, lambda rows, spans=spans: put(rows, place, spans=spans))
        refused(copy, rf"masks\.jsonl: record {place + 1}: .*{problem}", kind=kind, name="kept")
    masks.write_bytes(kept)
    change(masks, lambda rows: rows.pop(place))
    refused(copy, r"masks\.jsonl: 1 released documents have no record", name="kept")


@pytest.mark.parametrize("pieces", [None, 3, [3], [[0, 1, 0]], [[0, 1, 0, "1"]]])
def test_pieces_that_are_none_are_an_error(copy: Path, pieces: Any) -> None:
    change(copy / "kept.private" / "offsets.jsonl", lambda rows: put(rows, 1, pieces=pieces))
    refused(copy, r"offsets\.jsonl: record 2: not the pieces of a release", kind=InputError, name="kept")


# Any text, any masks


@st.composite
def masked(draw: st.DrawFn) -> tuple[Document, Mask]:
    text = draw(st.text(st.sampled_from("ab .,"), max_size=24))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    return Document("x", text), Mask("x", tuple(MaskSpan(a, b, "rule") for a, b in pairs))


@given(masked(), st.sampled_from([Redact(), Collapse(), Delete()]))
def test_whatever_a_transform_makes_fits(made: tuple[Document, Mask], transform: Redact) -> None:
    document, mask = made
    release = transform.release(document, mask)
    assert _maps(document.text, release.text, mask.spans, release.pieces)
    assert _follows(document.text, release.text, mask.spans)


@given(masked(), st.data())
def test_a_letter_changed_outside_of_masks_never_fits(made: tuple[Document, Mask], data: st.DataObject) -> None:
    document, mask = made
    release = Redact().release(document, mask)
    kept = [a + i for a, b, c, d in release.pieces if not mask.covers(c, d) for i in range(b - a)]
    if not kept:
        return
    place = data.draw(st.sampled_from(kept))
    for edited in (
        release.text[:place] + "X" + release.text[place + 1 :],
        release.text[:place] + release.text[place + 1 :],
    ):
        assert not _maps(document.text, edited, mask.spans, release.pieces)
    more = release.text[:place] + "X" + release.text[place:]
    assert not _maps(document.text, more, mask.spans, release.pieces)
