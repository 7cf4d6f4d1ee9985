"""Rounds of masking against whoever learned from the release: nothing that was hidden comes back, every crowd stands."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from unname.job import Deidentification, Runtime, make_job
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.other_jobs import make_audit_job
from unname.protecting.result import Deidentified
from unname.run import adaptive
from unname.run.audit_files import audit_files
from unname.run.deidentify import deidentify
from unname.run.deidentify_files import deidentify_files, estimate_files
from unname.run.demo import write_town
from unname.types import Document
from unname.verifying.recount import Recount

KEY = b"k" * 32
SETTINGS = Deidentification(k=10, method="adaptive", rounds=2)
pytestmark = pytest.mark.usefixtures("short_training")


@pytest.fixture(scope="module")
def notes(small_town: Town) -> list[Document]:
    """Notes of the first sixty townspeople, some of whom have several."""
    first = {p.id for p in small_town.profiles[:60]}
    return [d for d in small_town.documents if d.person in first]


@pytest.fixture
def never_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rounds are gone through."""
    monkeypatch.setattr(adaptive, "_enough", lambda *given: False)


def masked(notes: list[Document], people: Population, **more) -> Deidentified:
    return deidentify(notes, people, settings=replace(SETTINGS, **more), key=KEY)


def test_what_was_hidden_stays_hidden_and_every_crowd_stands(
    notes: list[Document], townspeople: Population, never_enough: None
) -> None:
    plain, made = masked(notes, townspeople, method="composed"), masked(notes, townspeople)
    assert not plain.rounds and len(made.rounds) == 3
    shares = [one.masked for one in made.rounds]
    assert shares == sorted(shares) and shares[0] < shares[-1]
    hidden, words = (sum(getattr(o, name) for o in plain.outcomes()) for name in ("hidden_words", "words"))
    assert shares[0] == pytest.approx(hidden / words)
    more = 0
    for before, after, text in zip(plain.outcomes(), made.outcomes(), made.texts(), strict=True):
        assert all(after.mask.covers(span.start, span.end) for span in before.mask.spans)
        more += after.hidden_words - before.hidden_words
        assert text is not None and min(after.crowds.values()) >= 10
    assert more > 0
    recount = Recount("bm25.v1", townspeople.profiles)
    for document, text, crowds in zip(notes, made.texts(), made.crowds, strict=True):
        assert recount.crowd([str(text)], townspeople.rows[str(document.person)]) == crowds["bm25.v1"]
    assert {span.method for o in made.outcomes() for span in o.mask.spans} >= {"greedy.v1"}


def test_fewer_are_found_after_a_round(notes: list[Document], townspeople: Population, never_enough: None) -> None:
    """By the adversary whom the round faced, on the very documents: that is what the round did."""
    facing, faced = [], []

    class Watched(adaptive._Team):
        def retrained(self, made: Deidentified, number: int):
            facing.append(super().retrained(made, number))
            faced.append(made)
            return facing[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(adaptive, "_Team", Watched)
        masked(notes, townspeople, rounds=1)
    (adversary, _), _ = facing
    places = []
    for made in faced:
        ranks = []
        for document, text in zip(notes, made.texts(), strict=True):
            scores = adversary.facing(str(document.person)).scores(str(text))
            ranks.append(int((scores > scores[townspeople.rows[str(document.person)]]).sum()))
        places.append(sum(rank < 3 for rank in ranks))
    assert places[1] < places[0]


def test_several_processes_do_the_same(notes: list[Document], townspeople: Population) -> None:
    two = deidentify(notes, townspeople, settings=SETTINGS, key=KEY, runtime=Runtime(workers=2))
    one = masked(notes, townspeople)
    assert two.texts() == one.texts() and two.rounds == one.rounds


def test_it_ends_when_few_are_found(
    notes: list[Document], townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two in k + 1, here everybody; or where a round cost more than it brought."""
    easy = masked(notes, townspeople, k=1, rounds=3)
    assert len(easy.rounds) == 1
    monkeypatch.setattr(adaptive, "_PRICE", 1e9)
    monkeypatch.setattr(adaptive, "_FOUND", 0.0)
    dear = masked(notes, townspeople, rounds=3)
    assert len(dear.rounds) == 2


def test_too_few_documents_teach_nobody(notes: list[Document], townspeople: Population) -> None:
    few = masked(notes[:20], townspeople)
    assert not few.rounds
    assert few.texts() == masked(notes[:20], townspeople, method="composed").texts()


def test_words_that_must_stay_stay(notes: list[Document], townspeople: Population, never_enough: None) -> None:
    made = masked(notes, townspeople, never=("the", "and"), rounds=1, budget=0.4)
    for outcome in made.outcomes():
        assert outcome.release is None or outcome.hidden_words <= 0.4 * outcome.words
        assert outcome.release is None or not any(
            document.text[span.start : span.end].lower() == "the"
            for document in notes
            if document.id == outcome.mask.document
            for span in outcome.mask.spans
        )


def test_the_report_says_what_rounds_did_and_who_served(small_town: Town, tmp_path: Path) -> None:
    """In the page, in report.json, and again where somebody audits the release by its manifest."""
    documents, people = write_town(tmp_path / "town", small_town)
    out = tmp_path / "out"
    job = make_job(documents, people, out, k=10, method="adaptive", rounds=1, accept_risk="nobody is real", seed=2)
    released = deidentify_files(job)
    report = json.loads((out / "report.json").read_text())
    assert len(report["rounds"]) == 2 and report["rounds"][0]["masked"] < report["rounds"][1]["masked"]
    assert report["masked"]["rate"] == pytest.approx(report["rounds"][1]["masked"], abs=1e-6)
    used = {one["name"]: one["used"] for one in report["attackers"]}
    assert used["pairs.v1"] and used["translation.v1@release"] and used["bm25.v1"]
    assert not used["passages.v1"] and not used["infilling.v1@release"]
    page = (out / "report.html").read_text()
    assert "What the rounds of masking did" in page and "0 (before them)" in page
    asked = {"private": released.private, "attackers": ("bm25", "pairs", "passages")}
    again = audit_files(make_audit_job(out, documents, people, tmp_path / "audit", **asked))
    served = {one.name: one.used for one in again.attackers}
    assert served["pairs.v1"] and not served["passages.v1"]


def test_the_dry_run_reckons_with_rounds(small_town: Town, tmp_path: Path) -> None:
    documents, people = write_town(tmp_path / "town", small_town)
    asked = {"k": 10, "audit": "quick"}
    with_rounds = estimate_files(make_job(documents, people, tmp_path / "out", method="adaptive", **asked))
    without = estimate_files(make_job(documents, people, tmp_path / "out", **asked))
    assert with_rounds.rounds_s > with_rounds.mask_s > 0 and without.rounds_s == 0
