"""Rounds of masking against whoever learned from the release: nothing that was hidden comes back, every crowd stands."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_settings import by_rules

from unname import registry
from unname.attacking.attackers import fit_attackers
from unname.attacking.combined import Adversary, Halves, half_of
from unname.auditing.report import Found, Round
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.masking.search import Traced
from unname.protecting import until_safe
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.runtime import Runtime
from unname.types import Document, Mask, MaskSpan, Release
from unname.verbs.audit import files as audit_job
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.options import make_audit_job
from unname.verbs.deidentify import adaptive
from unname.verbs.deidentify.files import deidentify_files, estimate_files
from unname.verbs.deidentify.in_memory import _after, deidentify
from unname.verbs.demo.run import write_town
from unname.verifying.recount import Recount

KEY = b"k" * 32
SETTINGS = by_rules(k=10, method="adaptive", rounds=1)


@pytest.fixture(scope="module")
def notes(small_town: Town) -> list[Document]:
    """Notes of the first forty townspeople, some of whom have several."""
    first = {p.id for p in small_town.profiles[:40]}
    return [d for d in small_town.documents if d.person in first]


@pytest.fixture
def never_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rounds are gone through."""
    monkeypatch.setattr(adaptive, "_enough", lambda *given: False)
    monkeypatch.setattr(adaptive, "_paid", lambda *given: True)


@pytest.fixture
def few_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what becomes of documents, not of how well they are hidden."""
    for asking in (adaptive, audit_job):
        monkeypatch.setattr(asking, "serving", lambda reidentifiers: ("bm25", "ngrams", "pairs", "latent"))


@dataclass
class Watched:
    """A masking in one round, and before and after it: who faced it, and what was released then."""

    made: Deidentified
    adversary: Adversary
    shown: list[list[str | None]]


@pytest.fixture(scope="module")
def watched(notes: list[Document], townspeople: Population) -> Watched:
    """One run that several tests look at."""
    faced, shown = [], []

    class Watching(adaptive._Team):
        def retrained(self, made: Deidentified, number: int):
            retrained = super().retrained(made, number)
            faced.append(retrained)
            shown.append(made.texts())
            return retrained

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(adaptive, "_Team", Watching)
        patched.setattr(adaptive, "_enough", lambda *given: False)
        patched.setattr(adaptive, "_paid", lambda *given: True)
        made = masked(notes, townspeople)
    return Watched(made, faced[0].adversary(), shown)


def masked(notes: list[Document], people: Population, **more) -> Deidentified:
    return deidentify(notes, people, settings=replace(SETTINGS, **more), key=KEY)


def test_what_was_hidden_stays_hidden_and_every_crowd_stands(
    notes: list[Document], townspeople: Population, watched: Watched
) -> None:
    plain, made = masked(notes, townspeople, method="composed"), watched.made
    assert not plain.rounds and len(made.rounds) == 2
    shares = [one.masked for one in made.rounds]
    assert shares[0] < shares[1]
    hidden, words = (sum(getattr(o, name) for o in plain.outcomes()) for name in ("hidden_words", "words"))
    assert shares[0] == pytest.approx(hidden / words)
    for before, after, text in zip(plain.outcomes(), made.outcomes(), made.texts(), strict=True):
        assert all(after.mask.covers(span.start, span.end) for span in before.mask.spans)
        assert text is not None and min(after.crowds.values()) >= 10
    recount = Recount("bm25.v1", townspeople.profiles)
    for document, text, crowds in zip(notes, made.texts(), made.crowds, strict=True):
        assert recount.crowd([str(text)], townspeople.rows[str(document.person)]) == crowds["bm25.v1"]


@pytest.mark.usefixtures("never_enough", "few_serve")
@pytest.mark.parametrize("transform", ["redact", "generalise"])
def test_a_round_reads_no_text_again_and_masks_as_if_it_did(
    notes: list[Document], townspeople: Population, monkeypatch: pytest.MonkeyPatch, transform: str
) -> None:
    read: list[str] = []
    spans_of, subject_of = MandatoryMask.spans_of, until_safe.subject_of

    def counting(self: MandatoryMask, document: Document, *rest: Any) -> list[MaskSpan]:
        read.append(document.id)
        return spans_of(self, document, *rest)

    monkeypatch.setattr(MandatoryMask, "spans_of", counting)
    made = masked(notes, townspeople, transform=transform)
    assert len(made.rounds) == 2 and sorted(read) == sorted(document.id for document in notes)
    monkeypatch.setattr(until_safe, "subject_of", lambda masker, person: subject_of(masker, replace(person, read=())))
    again = masked(notes, townspeople, transform=transform)
    assert len(read) == 3 * len(notes), "both maskings of this run read every text"
    assert list(again.outcomes()) == list(made.outcomes())


def test_fewer_are_found_after_a_round(notes: list[Document], townspeople: Population, watched: Watched) -> None:
    """By the adversary whom the round faced: that is what the round did."""
    first = []
    for texts in watched.shown:
        found = 0
        for document, text in zip(notes, texts, strict=True):
            scores = watched.adversary.facing(str(document.person)).scores(str(text))
            found += int((scores > scores[townspeople.rows[str(document.person)]]).sum()) < 3
        first.append(found)
    assert first[1] < first[0]


@pytest.mark.slow
def test_several_processes_do_the_same(
    notes: list[Document], townspeople: Population, watched: Watched, never_enough: None
) -> None:
    two = deidentify(notes, townspeople, settings=SETTINGS, key=KEY, runtime=Runtime(workers=2))
    assert two.texts() == watched.made.texts() and two.rounds == watched.made.rounds


def test_it_ends_when_few_are_found_or_a_round_does_not_pay() -> None:
    def after(rate: float, masked: float) -> Round:
        return Round(masked, Found(rate, None, 100, 100, "bounded"))

    assert adaptive._enough(after(0.10, 0.2), 9) and not adaptive._enough(after(0.11, 0.2), 9)
    assert adaptive._paid(after(0.4, 0.2), after(0.3, 0.3))
    assert not adaptive._paid(after(0.4, 0.2), after(0.38, 0.3)) and not adaptive._paid(
        after(0.4, 0.2), after(0.5, 0.21)
    )


def test_a_round_that_does_not_pay_is_not_kept(
    notes: list[Document], townspeople: Population, few_serve: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive, "_enough", lambda *given: False)
    monkeypatch.setattr(adaptive, "_paid", lambda *given: False)
    made = masked(notes, townspeople, rounds=2)
    assert [one.kept for one in made.rounds] == [True, False] and made.rounds[0].masked < made.rounds[1].masked
    assert made.texts() == masked(notes, townspeople, method="composed").texts()
    assert made.rounds_kept == 0 and adaptive.served(made) == ()


def test_no_round_is_the_default(notes: list[Document], townspeople: Population) -> None:
    none = masked(notes, townspeople, rounds=0)
    assert not none.rounds and none.texts() == masked(notes, townspeople, method="composed").texts()
    assert isinstance(registry.create(registry.METHODS, "adaptive"), Traced)  # so that a curve over k is drawn


def test_too_few_documents_teach_nobody(notes: list[Document], townspeople: Population) -> None:
    few = masked(notes[:20], townspeople)
    assert not few.rounds
    assert few.texts() == masked(notes[:20], townspeople, method="composed").texts()


@pytest.mark.parametrize(
    "more", [{"unit": "occurrence"}, {"protect": "everyone-known"}, {"unknown_person": "floor-only"}]
)
def test_rounds_go_with_everything_else(
    notes: list[Document], townspeople: Population, few_serve: None, never_enough: None, more: dict[str, str]
) -> None:
    strangers = [Document("s1", "A stranger came to Ward 3.", "nobody")] if "unknown_person" in more else []
    asked = [*notes, *strangers]
    plain, made = masked(asked, townspeople, method="composed", **more), masked(asked, townspeople, **more)
    assert len(made.rounds) == 2 and made.rounds[0].masked < made.rounds[1].masked
    for before, after in zip(plain.outcomes(), made.outcomes(), strict=True):
        assert (before.release is None) == (after.release is None)
        assert all(after.mask.covers(span.start, span.end) for span in before.mask.spans)
        assert not after.crowds or min(after.crowds.values()) >= 10


def test_a_round_loses_no_document() -> None:
    def outcome(text: str | None) -> Outcome:
        return Outcome(Mask("d"), None if text is None else Release("d", text, ()), "" if text else "failed")

    then, now = [outcome("a"), outcome(None)], [outcome("b"), outcome(None)]
    assert _after(now, then) == now
    assert _after([outcome(None), outcome("b")], then) == then


def test_nobody_is_faced_by_what_their_own_documents_taught(
    notes: list[Document], townspeople: Population, few_serve: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where more documents are masked than teach, and somebody else's come with documents to learn from."""
    seen = []
    monkeypatch.setattr(adaptive, "AUDIT_SAMPLE", 40)
    monkeypatch.setattr(
        adaptive, "fit_attackers", lambda *given, **more: seen.append(given) or fit_attackers(*given, **more)
    )
    monkeypatch.setattr(adaptive, "teaches_masking", lambda person, seed: True)
    stranger = townspeople.profiles[-1].id
    training = [replace(notes[0], id="t1"), replace(notes[-1], id="t2"), replace(notes[0], id="t3", person=stranger)]
    made = deidentify(notes, townspeople, settings=SETTINGS, key=KEY, training=training)
    taught = [{d.person for d in t.training} for given in seen for t in given[2:]]
    assert made.rounds and all(stranger in people for people in taught)
    # Those whom nobody is tried on teach two teams, half of them each, and face the other.
    first, second = taught[0] - {stranger}, taught[1] - {stranger}
    tried = {d.person for given in seen for t in given[2:] for d in t.originals}
    assert first and second and not first & second and not (first | second) & tried
    assert first | second | tried == {d.person for d in notes}
    assert all(half_of(person, 0) == 0 for person in first) and all(half_of(person, 0) == 1 for person in second)


def test_everybody_faces_the_half_that_they_did_not_teach(watched: Watched) -> None:
    other = replace(watched.adversary, looks=watched.adversary.looks[::-1])
    both = Halves((watched.adversary, other), 0)
    bare, indexes = both.apart()
    again = bare.together(indexes)
    for person in ("p1", "p2", "p3", "p4"):
        wanted = (other, watched.adversary)[half_of(person, 0)].facing(person)
        for one in (both, again):
            assert np.array_equal(one.facing(person).scores("A miller of York."), wanted.scores("A miller of York."))


def test_words_that_must_stay_stay(notes: list[Document], townspeople: Population, never_enough: None) -> None:
    made = masked(notes, townspeople, never=("the", "and"), budget=0.4)
    assert len(made.rounds) == 2 and made.rounds[0].masked < made.rounds[1].masked
    assert sum(outcome.release is not None for outcome in made.outcomes()) > len(notes) / 2
    for document, outcome in zip(notes, made.outcomes(), strict=True):
        assert outcome.release is None or outcome.hidden_words <= 0.4 * outcome.words
        hidden = [document.text[span.start : span.end].lower() for span in outcome.mask.spans]
        assert outcome.release is None or not {"the", "and"} & set(hidden)


def test_the_report_says_what_rounds_did_and_who_served(tmp_path: Path, few_serve: None, never_enough: None) -> None:
    """In the page, in report.json, and again where somebody audits the release by its manifest."""
    documents, people = write_town(tmp_path / "town", fictional_town(people=60))
    out = tmp_path / "out"
    attackers = ("bm25", "pairs", "passages", "facts")
    job = make_job(
        documents, people, out, k=10, method="adaptive", rounds=1, accept_risk="nobody is real", attackers=attackers
    )
    released = deidentify_files(job)
    report = json.loads((out / "report.json").read_text())
    assert len(report["rounds"]) == 2 and report["rounds"][0]["masked"] < report["rounds"][1]["masked"]
    assert report["masked"]["rate"] == pytest.approx(report["rounds"][1]["masked"], abs=1e-6)
    used = {one["name"]: one["used"] for one in report["attackers"]}
    assert used["pairs.v1"] and used["bm25.v1"] and not used["passages.v1"] and not used["facts.v1"]
    page = (out / "report.html").read_text()
    assert "What the rounds of masking did" in page and "0 (before them)" in page
    asked = {"private": released.private, "attackers": attackers}
    again = audit_files(make_audit_job(out, documents, people, tmp_path / "audit", **asked))
    served = {one.name: one.used for one in again.attackers}
    assert served["pairs.v1"] and not served["passages.v1"]


def test_the_dry_run_reckons_with_rounds(small_town: Town, tmp_path: Path) -> None:
    documents, people = write_town(tmp_path / "town", small_town)
    asked = {"k": 10, "audit": "quick"}
    with_rounds, _ = estimate_files(make_job(documents, people, tmp_path / "out", method="adaptive", **asked))
    without, _ = estimate_files(make_job(documents, people, tmp_path / "out", method="composed", **asked))
    costs = with_rounds.costs
    assert with_rounds.rounds == 3 and costs.rounds_s(3) > costs.mask_s > 0 and without.rounds == 0
