"""I1: a document is fully processed, or withheld and listed with a reason; the counts add up; nothing is skipped."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, Files, json_rows

from unname.errors import UnsafeReleaseError
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.knowledge.population import make_population
from unname.masking.search import Greedy
from unname.protecting.result import Deidentified
from unname.text import folded_words
from unname.transforms.base import Context
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Release
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.writing import release as writing

pytestmark = pytest.mark.usefixtures("short_audit")

KEY = b"k" * 32
SETTINGS = Deidentification(k=3, reidentifiers=("bm25",))
REASONS = {"crowd-below-k", "person-crowd-below-k", "direct-identifier", "failed"}


def require_all_accounted_for(documents: Sequence[Document], result: Deidentified) -> None:
    """Each document, in order, has a mask and either a released text with its crowds or a reason, never both."""
    assert [d.id for d in result.documents] == [d.id for d in documents], "a document is missing from the result"
    sizes = {len(result.masks), len(result.releases), len(result.crowds), len(result.targets), len(documents)}
    assert len(sizes) == 1, "the parts of the result do not belong together"
    for document, mask, release, crowds in zip(documents, result.masks, result.releases, result.crowds, strict=True):
        assert mask.document == document.id, "a mask belongs to another document"
        if document.id in result.withheld:
            assert result.withheld[document.id] in REASONS, "a document is withheld without a known reason"
            assert release is None and not crowds, "a withheld document has a released text"
        else:
            assert release is not None, "a document is neither released nor withheld"
            assert release.document == document.id, "a released text belongs to another document"
            assert crowds and min(crowds.values()) >= result.settings.k, "a released crowd is below k"
    assert set(result.withheld) <= {d.id for d in documents}


def require_files_add_up(documents: Sequence[str], out: Path, private: Path) -> None:
    """Released + failed = given, in the files and in the report."""
    masks = json_rows(private / "masks.jsonl")
    released = [row["id"] for row in json_rows(out / "documents.jsonl")]
    failures = {row["id"]: row["reason"] for row in json_rows(private / "failures.jsonl")}
    public = {row["id"]: row["release_id"] for row in masks}
    assert [row["id"] for row in masks] == list(documents), "a document has no mask"
    assert len(released) == len(set(released))
    assert sorted(released) == sorted(public[d] for d in documents if d not in failures), "the counts do not add up"
    assert all(failures.values()), "a failure has no reason"
    risks = json_rows(private / "documents.jsonl")
    assert {row["id"] for row in risks if row["withheld"]} == set(failures)


def never_of(town: Town, place: int) -> list[str]:
    """Every word of one document's text, as words that must never be hidden."""
    return sorted(set(folded_words(town.documents[place].text)))


def test_every_document_is_released_or_withheld_with_a_reason(town: Town) -> None:
    result = deidentify(
        town.documents,
        make_population(town.profiles),
        settings=dataclasses.replace(SETTINGS, never=never_of(town, 4)),
        key=KEY,
    )
    require_all_accounted_for(town.documents, result)
    assert town.documents[4].id in result.withheld and len(result.withheld) < len(town.documents)


def test_the_files_of_a_release_add_up(town: Town, town_files: Files, tmp_path: Path) -> None:
    never = tmp_path / "never.txt"
    never.write_text("\n".join(never_of(town, 4)), encoding="utf-8")
    done = deidentify_files(
        make_job(
            town_files.documents,
            town_files.people,
            tmp_path / "out",
            accept_risk="a test",
            masking=SETTINGS,
            attackers=FAST,
            never=never,
        )
    )
    withheld = done.report.as_dict()["withheld"]
    require_files_add_up([d.id for d in town.documents], done.folder, done.private)
    assert withheld["documents"] == len(done.result.withheld) == sum(withheld["reasons"].values()) > 0
    assert done.report.as_dict()["documents"] == len(town.documents)
    rows = json_rows(done.private / "failures.jsonl")
    (done.private / "failures.jsonl").write_text("", encoding="utf-8")
    assert rows
    with pytest.raises(AssertionError, match="add up"):
        require_files_add_up([d.id for d in town.documents], done.folder, done.private)


class _TroubleError(RuntimeError):
    """What a part may raise that is no error of ours."""


def _outcome(town: Town) -> Deidentified:
    """The result of a run with a planted fault: everything accounted for, and those without the fault as without it."""
    result = deidentify(town.documents, make_population(town.profiles), settings=SETTINGS, key=KEY)
    require_all_accounted_for(town.documents, result)
    return result


def _require_only_its_person_failed(town: Town, result: Deidentified, whole: Deidentified) -> None:
    """Every document of the troubled one's person is withheld as failed, and no other is touched by it."""
    person = town.documents[7].person
    for document, found, expected in zip(town.documents, result.outcomes(), whole.outcomes(), strict=True):
        if document.person == person:
            assert (found.release, found.reason) == (None, "failed")
            assert found.hidden_words == found.words > 0, "a withheld document counts as hidden whole"
        else:
            assert found == expected, "trouble with one person must not touch another"


@pytest.fixture(scope="module")
def whole(town: Town) -> Deidentified:
    """The same run without a fault."""
    return _outcome(town)


def _troubled(town: Town, document: Document) -> bool:
    return document.id == town.documents[7].id


def test_an_error_in_method_or_transform_for_one_document_is_never_silent(
    town: Town, whole: Deidentified, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_mask, real_release = Greedy.mask, Redact.release

    def failing_mask(self: Greedy, case: Any) -> list[Mask]:
        if any(_troubled(town, d) for d in case.documents):
            raise _TroubleError("planted")
        return real_mask(self, case)

    def failing_release(self: Redact, document: Document, mask: Mask, context: Context) -> Release:
        if _troubled(town, document):
            raise _TroubleError("planted")
        return real_release(self, document, mask, context)

    for owner, name, planted in ((Greedy, "mask", failing_mask), (Redact, "release", failing_release)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, planted)
            _require_only_its_person_failed(town, _outcome(town), whole)


BAD_SPANS = {
    "out of range": lambda d: (MaskSpan(0, len(d.text) + 1, "planted"),),
    "out of order": lambda d: (MaskSpan(5, 9, "planted"), MaskSpan(0, 4, "planted")),
    "overlapping": lambda d: (MaskSpan(0, 5, "planted"), MaskSpan(3, 9, "planted")),
    "empty": lambda d: (MaskSpan(3, 3, "planted"),),
    "negative": lambda d: (MaskSpan(-4, 3, "planted"),),
    "nothing at all": lambda d: (),
}


@pytest.mark.parametrize("fault", BAD_SPANS)
def test_a_bad_mask_for_one_document_never_leaves_the_house(
    fault: str, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Greedy.mask

    def planted(self: Greedy, case: Any) -> list[Mask]:
        masks = real(self, case)
        bad = [_troubled(town, d) for d in case.documents]
        return [
            Mask(m.document, BAD_SPANS[fault](d)) if b else m
            for d, m, b in zip(case.documents, masks, bad, strict=True)
        ]

    monkeypatch.setattr(Greedy, "mask", planted)
    result = _outcome(town)
    assert town.documents[7].id in result.withheld, "a document with a bad mask was released"


def test_a_method_that_forgets_a_document_releases_nothing_of_its_person(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Greedy.mask
    monkeypatch.setattr(Greedy, "mask", lambda self, case: real(self, case)[:-1])
    result = _outcome(town)
    assert set(result.withheld.values()) == {"failed"} and len(result.withheld) == len(town.documents)


def test_the_check_notices_a_document_that_was_skipped(town: Town) -> None:
    result = deidentify(town.documents[:-1], make_population(town.profiles), settings=SETTINGS, key=KEY)
    with pytest.raises(AssertionError, match="missing"):
        require_all_accounted_for(town.documents, result)


def test_a_written_file_that_lacks_a_document_withholds_the_release(
    town_files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.write_table

    def planted(path: Path, rows: Any, **named: Any) -> None:
        real(path, list(rows)[:-1] if path.name == "documents.jsonl" else rows, **named)

    monkeypatch.setattr(writing, "write_table", planted)
    with pytest.raises(UnsafeReleaseError, match="exactly"):
        deidentify_files(
            make_job(
                town_files.documents,
                town_files.people,
                tmp_path / "out",
                accept_risk="a test",
                masking=SETTINGS,
                attackers=FAST,
                limit=10,
            )
        )
    assert not list(tmp_path.iterdir())
