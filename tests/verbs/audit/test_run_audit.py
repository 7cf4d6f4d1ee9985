"""An audit in memory: the same for any number of processes, and what shadow releases teach."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from made_settings import by_rules

from unname.attacking import attack
from unname.attacking.texts import Version
from unname.auditing.page import in_short
from unname.auditing.report import shown
from unname.auditing.report_file import report_from
from unname.inputs.files import Inputs
from unname.job import AuditPlan
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.parallel.workers import WorkerPool
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.learned.training_examples import text_digest
from unname.runtime import Runtime
from unname.types import Document, Profile
from unname.verbs.audit import in_memory as run_audit
from unname.verbs.audit.in_memory import FEWEST_SHADOW, Knowledge, audit, documents_read, prepare
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.own_audit import audit_own_release


@pytest.mark.slow
def test_an_audit_by_several_is_the_audit_by_one() -> None:
    town = fictional_town(people=40, seed=6)
    people = Population(tuple(town.profiles))
    texts = [d.text[:200] for d in town.documents]
    reports = []
    for workers in (1, 3):
        with WorkerPool(workers) as pool:
            prepared = prepare(
                town.documents, people, knowledge=Knowledge(used=("bm25", "ngrams"), k=3), runtime=Runtime(pool=pool)
            )
            found = audit(prepared, texts)
            reports.append((found.report.as_dict(), found.report.risks, found.attack))
    assert reports[0] == reports[1]
    assert {a["name"] for a in reports[0][0]["attackers"]} >= {"latent.v1", "translation.v1@release"}


# --- shadow releases


PLAN = AuditPlan(attackers=("bm25", "facts"), simulate=False)


def cut(documents: Sequence[Document]) -> list[str | None]:
    """A way to mask that anybody can repeat."""
    return [None if i % 10 == 3 else d.text[:90] for i, d in enumerate(documents)]


def test_shadow_documents_teach_who_combines_and_are_neither_judged_nor_learned_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    town = fictional_town(people=160, seed=6)
    people, own, others = Population(town.profiles), town.documents[:20], town.documents[20:]
    others = [d for d in others if d.person not in {o.person for o in own}]
    taught: set[str] = set()
    real = Version.units

    def units(self: Version, fold: int, most: int) -> list[tuple[int, ...]]:
        found = real(self, fold, most)
        taught.update(self.ids[i] for unit in found for i in unit if " " not in self.ids[i])  # passages have two
        return found

    monkeypatch.setattr(Version, "units", units)
    reports = []
    for masking in (None, cut):
        taught.clear()
        known = Knowledge(used=("bm25",), k=3, training=others, masking=masking)
        ready = prepare(own, people, plan=PLAN, knowledge=known)
        found = audit(ready, cut(own))
        shadow = {d.id for d in ready.shadow}
        assert (found.report.shadow or 0) == len(shadow) and len(found.attack.sure) == len(
            own
        ) == found.report.documents
        assert shadow <= {d.id for d in others} and shadow.isdisjoint({d.id for d in ready.knowledge.training})
        assert taught - {d.id for d in own} <= shadow and bool(taught & shadow) == bool(masking)
        reports.append(found.report)
    assert reports[0].shadow is None and (reports[1].shadow or 0) >= FEWEST_SHADOW
    assert reports[1].attackers == reports[0].attackers, "single attackers do what they did"


def test_of_too_few_other_people_there_is_no_shadow_release() -> None:
    town = fictional_town(people=60, seed=6)
    own, others = town.documents[:20], town.documents[20:50]
    known = Knowledge(used=("bm25",), k=3, training=others, masking=cut)
    ready = prepare(own, Population(town.profiles), plan=PLAN, knowledge=known)
    assert ready.shadow == () and ready.knowledge.training == list(others)
    strangers = [replace(d, person=f"x{d.person}") for d in fictional_town(people=160, seed=7).documents]
    ready = prepare(own, Population(town.profiles), plan=PLAN, knowledge=replace(known, training=strangers))
    assert ready.shadow == ()


@pytest.mark.usefixtures("no_rounds")
def test_a_run_masks_other_peoples_documents_as_it_masked_its_own() -> None:
    town = fictional_town(people=160, seed=6)
    people, own = Population(town.profiles), town.documents[:30]
    others = [d for d in town.documents if d.person not in {o.person for o in own}]
    made = deidentify(own, people, settings=by_rules(k=3), key=b"k" * 32, training=others)
    report = audit_own_release(Inputs(own, others, people), made, PLAN, Knowledge(), Runtime())
    assert (report.shadow or 0) >= FEWEST_SHADOW and report.strongest is not None and report.strongest.n == 30
    again = audit_own_release(Inputs(own, others, people), made, PLAN, Knowledge(), Runtime())
    assert again.as_dict() == report.as_dict(), "an adversary's own masking is repeated, too"
    assert audit_own_release(Inputs(own, (), people), made, PLAN, Knowledge(), Runtime()).shadow is None


@pytest.mark.usefixtures("no_rounds")
def test_the_curve_over_k_tries_who_combines_with_what_the_release_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    town = fictional_town(people=80, seed=6)
    made = deidentify(town.documents, Population(town.profiles), settings=by_rules(k=3), key=b"k" * 32)
    inputs = Inputs(town.documents, (), Population(town.profiles))
    learned: list[int] = []
    real = attack.learn
    monkeypatch.setattr(attack, "learn", lambda *given: (learned.append(1), real(*given))[1])
    report = audit_own_release(inputs, made, PLAN, Knowledge(), Runtime())
    assert report.curve is not None and len(learned) <= 3, "originals, release and whoever is named beside, and no k"
    points = report.curve.points
    assert [p.k for p in points] == [1, 3, 10, 30]
    rates = [(p.strongest.rate, p.fused.rate) for p in points if p.strongest is not None and p.fused is not None]
    assert len(rates) == 4 and all(one is not None and other is not None for one, other in rates)
    assert [p.worst().rate for p in points] == [max(pair, key=lambda rate: rate or 0) for pair in rates]
    assert rates[0] > rates[-1], "a larger crowd hides better"


# --- what attackers could read of other people


class Taught:
    """A model that was used in masking, and says what taught it."""

    def __init__(self, *taught: str) -> None:
        self.trained_on_ = frozenset(map(text_digest, taught))


def ensemble(**fitted: tuple[Any, ...]) -> Ensemble:
    return Ensemble((), {}, fitted)


def test_documents_read_are_those_about_known_people_whom_nobody_attacks() -> None:
    people = Population(tuple(Profile(name, {"job": "x"}) for name in ("attacked", "known", "other")))
    rows = [Document(f"{i}", f"text {i}", person) for i, person in enumerate((None, "attacked", "known", "stranger"))]
    (read,) = documents_read(Knowledge(training=rows), {"attacked"}, people)
    assert read.person == "known"
    assert documents_read(Knowledge(), {"attacked"}, people) == []


def test_what_any_model_used_in_masking_learned_from_is_not_read() -> None:
    people = Population(tuple(Profile(name, {"job": "x"}) for name in ("a", "b", "c", "d")))
    rows = [Document(f"{i}", f"text {i}", person) for i, person in enumerate("aabcd")]
    folds = (Taught("a"), Taught("text 2"))  # of the one who taught one fold every document, of the other the same text
    known = Knowledge(training=rows, ensemble=ensemble(bm25=(object(),), additive=folds, biencoder=(Taught("c"),)))
    assert [document.person for document in documents_read(known, set(), people)] == ["d"]
    assert len(documents_read(replace(known, ensemble=None), set(), people)) == 5


def test_a_report_says_how_many_documents_were_read_shadow_releases_among_them() -> None:
    town = fictional_town(people=160, seed=6)
    people, own = Population(town.profiles), town.documents[:20]
    others = [d for d in town.documents[20:] if d.person not in {o.person for o in own}]
    plan = replace(PLAN, others_private="a test")
    for masking in (None, cut):
        known = Knowledge(used=("bm25",), k=3, training=[*others, replace(others[0], person=None)], masking=masking)
        ready = prepare(own, people, plan=plan, knowledge=known)
        report = audit(ready, cut(own)).report
        assert bool(ready.shadow) == bool(masking) and report.read == len(others)
        assert report.others_private == report.as_dict()["others_private"] == "a test"


def test_who_has_read_fewer_documents_is_tried_too_where_that_is_asked_for(
    few_steps: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = fictional_town(people=700, seed=6)
    people, own = Population(town.profiles), town.documents[:60]
    others = [d for d in town.documents[60:] if d.person not in {o.person for o in own}]
    plan = replace(PLAN, attackers=("bm25", "static"), read_curve=True)
    taught: list[int] = []
    real = run_audit.fit_attackers
    monkeypatch.setattr(
        run_audit,
        "fit_attackers",
        lambda *given, **more: (taught.append(len(given[2].training)), real(*given, **more))[1],
    )
    report = audit(prepare(own, people, plan=plan, knowledge=Knowledge(training=others)), cut(own)).report
    rows = report.read_curve or ()
    assert [row.read for row in rows][:3] == [0, 250, len(others)] and len(others) > 500
    assert taught[-2:] == [0, 250] and len(others) in taught
    assert all(row.found is not None and row.found.n == 60 for row in rows[:3])
    assert report.strongest is not None and rows[2].found is not None
    assert (rows[2].found.rate, rows[2].found.ci) == (report.strongest.rate, report.strongest.ci)
    assert [row.extrapolated is not None for row in rows] == [False] * 3 + [True] * (len(others) >= 1000)
    assert report_from(report.as_dict()).read_curve == rows
    (said,) = [line for line in in_short(report) if "how many documents about other people" in line]
    assert f"0: {shown(rows[0].found)}" in said


def test_of_an_audit_without_attackers_nothing_is_said_to_be_read() -> None:
    town = fictional_town(people=60, seed=6)
    own, people = town.documents[:10], Population(town.profiles)
    ready = prepare(own, people, plan=AuditPlan(audit="none"), knowledge=Knowledge(training=town.documents[10:]))
    assert audit(ready, cut(own)).report.read is None


def test_copies_of_a_document_are_read_once(small_town: Town) -> None:
    people, about = Population(tuple(small_town.profiles)), {small_town.profiles[0].id}
    mine = [d for d in small_town.documents if d.person in about]
    (other,) = [d for d in small_town.documents if d.person not in about][:1]
    copies = [replace(other, id=f"copy {number}") for number in range(600)]
    made = prepare(
        mine, people, plan=AuditPlan(attackers=("bm25",), strongest=False), knowledge=Knowledge(training=copies)
    )
    assert audit(made, [d.text for d in mine]).report.read == 1
