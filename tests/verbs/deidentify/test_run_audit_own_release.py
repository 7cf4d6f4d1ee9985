"""The audit of a run: attackers on a sample of people, and counts over every document."""

import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_settings import by_rules

from unname.auditing.page import in_short
from unname.auditing.report import Report
from unname.inputs.files import Inputs
from unname.job import AuditPlan
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.protecting.result import Deidentified
from unname.runtime import Runtime
from unname.types import Document, Profile
from unname.verbs.audit.in_memory import Knowledge
from unname.verbs.deidentify import own_audit as module
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.own_audit import audit_own_release, with_counts
from unname.verifying.recount import Recount

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

K, MOST = 4, 25
SETTINGS = by_rules(k=K, reidentifiers=("bm25",), unknown_person="floor-only", method="idf")
KEY = b"a" * 32


@pytest.fixture(scope="module")
def documents(small_town: Town) -> list[Document]:
    """Ninety notes, two about people whom nobody knows, one without a word, and one that cannot be released."""
    made = list(small_town.documents[:90])
    made[11] = replace(made[11], person=None)
    made[40] = replace(made[40], person="stranger")
    made[70] = replace(made[70], text="… — …")
    made[20] = replace(made[20], text=f"{made[20].text} {' '.join(small_town.profiles[1].fields.values())}")
    return made


@pytest.fixture(scope="module")
def result(documents: list[Document], townspeople: Population) -> Deidentified:
    """A budget so small that some documents must be withheld."""
    return deidentify(documents, townspeople, settings=replace(SETTINGS, budget=0.3), key=KEY)


class Figures:
    """A report: its figures as the file has them, and the risk of each document."""

    def __init__(self, report: Report) -> None:
        self.whole, self.report, self.documents = report, report.as_dict(), [{"id": row.id} for row in report.risks]


def assessed(result: Deidentified, sample: int) -> Figures:
    inputs = Inputs(result.documents, (), result.population, bad_records=((3, "text", "missing"),))
    plan = AuditPlan(attackers=("bm25", "facts"), sample=sample)
    report = audit_own_release(inputs, result, plan, Knowledge(), Runtime())
    return Figures(with_counts(report, inputs, result, plan))


@pytest.fixture(scope="module")
def figures(result: Deidentified) -> Figures:
    return assessed(result, MOST)


def test_attackers_are_tried_on_all_documents_of_a_person_or_none(result: Deidentified, figures: Figures) -> None:
    audited = {row["id"] for row in figures.documents}
    assert 15 < len(audited) == figures.report["audited"] <= MOST
    by_person = defaultdict(set)
    for document in result.documents:
        if document.person in result.population.rows:
            by_person[document.person].add(document.id)
    assert all(ids <= audited or not ids & audited for ids in by_person.values())
    assert audited <= set.union(*by_person.values()), "whom nobody knows cannot be attacked by name"
    assert all(a["after"]["n"] == len(audited) for a in figures.report["attackers"])
    assert figures.report["persons"] == sum(ids <= audited for ids in by_person.values())


def test_the_check_notices_a_sample_of_documents_instead_of_people(
    result: Deidentified, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [i for i, d in enumerate(result.documents) if d.person in result.population.rows]
    monkeypatch.setattr(module, "drawn_places", lambda result, most: known[1 : most + 1])
    with pytest.raises(AssertionError):
        test_attackers_are_tried_on_all_documents_of_a_person_or_none(result, assessed(result, MOST))


def test_the_sample_is_the_same_in_whatever_order_documents_come(
    result: Deidentified, documents: list[Document], townspeople: Population, figures: Figures
) -> None:
    back = deidentify(documents[::-1], townspeople, settings=replace(SETTINGS, budget=0.3), key=KEY)
    other = assessed(back, MOST)
    assert {row["id"] for row in other.documents} == {row["id"] for row in figures.documents}
    for part in ("attackers", "any_unused", "any_used", "withheld", "crowds", "not_measured", "audited"):
        assert other.report[part] == figures.report[part], f"{part} depends on the order"
    assert other.report["masked"]["rate"] == figures.report["masked"]["rate"]


def test_another_seed_draws_other_people(result: Deidentified, figures: Figures) -> None:
    other = module.drawn_places(replace(result, settings=replace(result.settings, seed=5)), MOST)
    assert {result.documents[i].id for i in other} != {row["id"] for row in figures.documents}


def test_a_sample_of_one_takes_one_person_whole(result: Deidentified) -> None:
    places = module.drawn_places(result, 1)
    person = {result.documents[i].person for i in places}
    assert len(person) == 1
    assert len(places) == sum(d.person in person for d in result.documents)


def test_a_sample_as_large_as_the_corpus_is_everybody_whom_somebody_knows(result: Deidentified) -> None:
    known = [i for i, d in enumerate(result.documents) if d.person in result.population.rows]
    assert module.drawn_places(result, 88) == module.drawn_places(result, 10**6) == known and len(known) == 88


def test_words_hidden_documents_withheld_and_crowds_are_counted_over_all_documents(
    result: Deidentified, figures: Figures
) -> None:
    hidden, total, shares, crowds = 0, 0, [], []
    reasons: Counter[str] = Counter()
    recount = Recount("bm25.v1", result.population.profiles)
    for document, mask, text in zip(result.documents, result.masks, result.texts(), strict=True):
        found = [m.span() for m in re.finditer(r"\w+", document.text)]
        gone = [any(s.start < b and a < s.end for s in mask.spans) or text is None for a, b in found]
        hidden, total = hidden + sum(gone), total + len(gone)
        shares += [sum(gone) / len(gone)] if gone else []
        if text is None:
            reasons[result.withheld[document.id]] += 1
        elif document.person in result.population.rows:
            crowds.append(recount.crowd([text], result.population.rows[document.person]))
    report = figures.report
    assert report["documents"] == 90 and report["bad_records"] == 1 and report["not_measured"] == 2
    assert report["masked"]["rate"] == pytest.approx(hidden / total) and report["masked"]["words"] == total
    assert report["masked"]["per_document_mean"] == pytest.approx(np.mean(shares))
    assert 2 < sum(reasons.values()) < 80, "the case must have both"
    assert report["withheld"] == {
        "documents": sum(reasons.values()), "share": sum(reasons.values()) / 90, "reasons": dict(reasons), "reread": 0
    }  # fmt: skip
    assert sum(report["crowds"]["counts"]) == len(crowds) == 90 - sum(reasons.values()) - 2
    assert report["crowds"]["median"] == np.median(crowds) and report["crowds"]["below_k"] == 0
    edges = [*report["crowds"]["edges"], 10**9]
    assert report["crowds"]["counts"] == [
        sum(a <= n < b for n in crowds) for a, b in zip(edges, edges[1:], strict=False)
    ]
    sizes = [
        len(zlib.compress(" ".join(t or "" for t in texts).encode(), 9))
        for texts in ([d.text for d in result.documents], result.texts())
    ]
    assert report["information_loss"] == pytest.approx(1 - sizes[1] / sizes[0], abs=0.01)


def test_counts_do_not_depend_on_the_sample(result: Deidentified, figures: Figures) -> None:
    whole = assessed(result, 10**6).report
    for part in ("documents", "masked", "withheld", "crowds", "not_measured", "bad_records", "information_loss"):
        assert whole[part] == figures.report[part]
    assert whole["audited"] == 88 > figures.report["audited"]


def test_the_page_says_on_how_many_documents_attackers_were_tried(result: Deidentified, figures: Figures) -> None:
    from unname.auditing.page import render

    audited = figures.report["audited"]
    page = render(figures.whole)
    assert f"Attackers were tried on {audited} documents" in page and f"measured on {audited} documents" in page
    assert "Attackers were tried on" not in render(assessed(result, 10**6).whole)


def test_a_figure_of_everybody_is_that_of_an_audit_of_everybody(small_town: Town, townspeople: Population) -> None:
    """Counted from outcomes one by one, or from masks all at once: the same."""
    from unname.verbs.audit.in_memory import audit, prepare

    documents = small_town.documents[:20]
    done = deidentify(documents, townspeople, settings=SETTINGS, key=KEY)
    mine = assessed(done, 10**6).report
    prepared = prepare(
        documents, townspeople, plan=AuditPlan(attackers=("facts",)), knowledge=Knowledge(used=("bm25",), k=K)
    )
    other = audit(prepared, done.texts(), masks=done.masks).report.as_dict()
    for part in ("masked", "crowds", "information_loss"):
        assert mine[part] == other[part]


@pytest.mark.parametrize("person", [None, "stranger"])
def test_where_nobody_is_known_nothing_is_measured_and_everything_counted(
    small_town: Town, townspeople: Population, person: str | None, tmp_path: Path
) -> None:
    documents = [replace(d, person=person) for d in small_town.documents[:6]]
    done = deidentify(documents, townspeople, settings=SETTINGS, key=KEY)
    found = assessed(done, 10)
    report = found.report
    assert (report["documents"], report["not_measured"], report["audited"], found.documents) == (6, 6, 0, [])
    assert report["attackers"] == [] and all(
        report.get(n) is None for n in ("any_unused", "any_used", "fused", "strongest", "crowd_sizes")
    )
    assert report["crowds"] == {} and 0 < report["masked"]["rate"] < 1
    json.dumps(report, allow_nan=False)


def test_everything_withheld_and_nobody_known_is_still_a_report(small_town: Town, townspeople: Population) -> None:
    from unname.auditing.page import render

    documents = [replace(d, person=None) for d in small_town.documents[:3]]
    done = deidentify(documents, townspeople, settings=replace(SETTINGS, unknown_person="withhold"), key=KEY)
    found = assessed(done, 10)
    report = found.report
    assert report["withheld"]["documents"] == 3 and report["not_measured"] == 0 and report["masked"]["rate"] == 1.0
    assert "Not measured" in render(found.whole)


def test_a_quick_audit_of_a_run_leaves_the_changing_population_out(result: Deidentified, figures: Figures) -> None:
    inputs = Inputs(result.documents, (), result.population)
    quick = audit_own_release(inputs, result, AuditPlan(audit="quick"), Knowledge(), Runtime())
    assert quick.population_change is None and quick.curve is None and len(quick.attackers) > 2
    assert figures.whole.population_change is not None, "one that is asked for by name does not"


def test_a_smaller_sample_leaves_everybody_else_to_learn_from(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[set[str]] = []
    real = module.prepare

    def watched(originals: Sequence[Document], *rest: Any, knowledge: Knowledge, **more: Any) -> Any:
        training = knowledge.training
        taught.append({d.id for d in training})
        assert not {d.person for d in training} & {d.person for d in originals}
        assert {d.id for d in training} | {d.id for d in originals} == {d.id for d in small_town.documents}
        return real(originals, *rest, knowledge=knowledge, **more)

    monkeypatch.setattr(module, "prepare", watched)
    made = deidentify(small_town.documents, townspeople, settings=by_rules(k=3), key=b"k" * 32)
    inputs = Inputs(small_town.documents, (), townspeople)
    plan = AuditPlan(attackers=("bm25", "translation"), sample=40)
    audit_own_release(inputs, made, plan, Knowledge(), Runtime())
    assert len(taught[0]) > 100


def test_names_hidden_where_they_stand_without_a_capital_are_counted(small_town: Town) -> None:
    profiles = (Profile("w1", {"given name": "May", "family name": "Will"}), *small_town.profiles[:30])
    text = "May saw that she may or may not come; Mrs Will will."
    documents = [Document("d1", text, "w1"), *small_town.documents[:6]]
    made = deidentify(documents, Population(profiles), settings=replace(SETTINGS, k=2, method="none"), key=KEY)
    report = with_counts(module._unmeasured(made), Inputs(documents, (), made.population), made, AuditPlan())
    assert report.masked.small == 3
    assert any("3 words without a capital are hidden only because" in line for line in in_short(report))
    plain = deidentify(documents[1:], Population(profiles), settings=replace(SETTINGS, k=2, method="none"), key=KEY)
    without = with_counts(module._unmeasured(plain), Inputs(documents[1:], (), plain.population), plain, AuditPlan())
    assert without.masked.small is None and "small" not in without.as_dict()["masked"]
