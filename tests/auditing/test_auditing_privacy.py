"""From tallies to figures: crowds, links between documents, inference, and what a planted leak does to the rates."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

from tests.reidentifiers.test_trained import planted
from unname.attacking.attack import CROWD_LEARNED, CROWD_SMALLEST, FUSED, Attack, AttackResults
from unname.attacking.attackers import Attacker, Tally
from unname.attacking.fieldvalues import field_values
from unname.attacking.learning import material_of
from unname.auditing import privacy
from unname.job import AuditPlan
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.reidentifiers.terms.bm25 import Bm25
from unname.types import Document, Profile
from unname.verbs.audit.in_memory import Knowledge, audit, prepare


def plain(function: Any) -> Any:
    """A function whose figures come as the report's file has them."""
    return lambda *given, **more: to_builtins(function(*given, **more))


attack_figures = plain(privacy.attack_figures)
crowd_histogram = plain(lambda results, k, people: privacy.histogram_of(privacy.smallest_crowds(results), k, people))


def inference(population: Population, documents: list[Document], guesses: list[int]) -> Any:
    """Inference where the whole chance lies on one person, by column; −1 for a withheld document."""
    values = field_values(population.profiles, population.field_names())
    nothing = (-1,) * len(values.fields)
    said = [nothing if g < 0 else values.likeliest(np.array([g]), np.ones(1)) for g in guesses]
    return to_builtins(privacy.inference(values, population, documents, said))


linkability = plain(privacy.linkability)
document_risks = plain(privacy.document_risks)
person_figures = plain(privacy.person_figures)


def examined(crowds: dict[str, list[int]], withheld: tuple[int, ...] = ()) -> AttackResults:
    """An examination of which only crowds matter."""
    found = AttackResults(crowds=crowds)
    for name, row in crowds.items():
        tally = Tally()
        for i in range(len(row)):
            tally.miss() if i in withheld else tally.add(np.array([0.0, 1.0]), 0)
        found.documents[name] = tally
    return found


# --- crowds


def test_the_histogram_counts_every_released_document_once_by_its_smallest_crowd() -> None:
    rng = np.random.default_rng(1)
    one, other = (rng.integers(0, 2500, 300).tolist() for _ in range(2))
    one[:2], other[:2] = [10, 7], [3000, 3000]
    found = crowd_histogram(examined({"a": one, "b": other}), 7, 2600)
    smallest = [min(a, b) for a, b in zip(one, other, strict=True)]
    edges = found["edges"]
    ends = [*edges[1:], 10**9]
    assert 7 in edges and list(edges) == sorted(set(edges))
    assert list(found["counts"]) == [sum(a <= s < b for s in smallest) for a, b in zip(edges, ends, strict=True)]
    assert sum(found["counts"]) == 300
    assert found["below_k"] == sum(s < 7 for s in smallest)
    assert found["below_k"] == sum(c for e, c in zip(edges, found["counts"], strict=True) if e < 7)
    assert found["median"] == float(np.median(smallest))


def test_withheld_documents_have_no_crowd_and_are_not_in_the_histogram() -> None:
    found = crowd_histogram(examined({"a": [3, 99, 12, 99]}, withheld=(1, 3)), 10, 100)
    assert sum(found["counts"]) == 2 and found["below_k"] == 1 and found["median"] == 7.5
    assert crowd_histogram(examined({"a": [99]}, withheld=(0,)), 10, 100) is None
    assert crowd_histogram(AttackResults(), 10, 100) is None


# --- linkability


def test_planted_pairs_of_documents_are_linked() -> None:
    documents = [Document(f"{i}{part}", "", f"p{i}") for i in range(20) for part in "ab"]
    texts = [f"secret{d.person} common words here {d.id}" for d in documents]
    found = linkability(documents, texts)
    assert found is not None
    assert found["rate"] == 1 and found["n"] == 40 and found["people"] == 20
    assert found["chance"] == pytest.approx(1 / 39)


def test_unrelated_documents_are_linked_about_as_often_as_chance_has_it() -> None:
    rng = np.random.default_rng(3)
    documents = [Document(f"{i}{j}", "", f"p{i}") for i in range(60) for j in range(4)]
    texts = [" ".join(f"w{w}" for w in rng.integers(0, 60, 15)) for _ in documents]
    found = linkability(documents, texts)
    assert found is not None
    assert found["chance"] == pytest.approx(3 / 239)
    assert found["rate"] < found["chance"] + 3 * (found["chance"] / 240) ** 0.5


def test_placeholders_link_nothing() -> None:
    """Documents by the same person are masked to the same degree; that alone is no link, and ties count by lot."""
    documents = [Document(f"{i}{part}", "", f"p{i}") for i in range(10) for part in "ab"]
    texts = [" ".join(["[MASK]"] * (1 + int(d.person[1:]))) + " word" for d in documents]
    found = linkability(documents, texts)
    assert found is not None and found["rate"] == pytest.approx(1 / 19, abs=1e-6)


def test_linkability_asks_only_about_people_with_two_released_documents() -> None:
    documents = [Document("a", "", "p"), Document("b", "", "p"), Document("c", "", "q")]
    assert linkability(documents, ["x", None, "x"]) is None
    found = linkability(documents, ["x y", "x y", "z"])
    assert found is not None and found["n"] == 2 and found["rate"] == 1


# --- inference


def guesses(*columns: int) -> list[int]:
    """First guesses."""
    return list(columns)


def test_inference_measures_right_values_beside_the_commonest_one() -> None:
    population = Population(tuple(Profile(f"p{i}", {"sex": "fm"[i % 2], "job": f"j{min(i, 3)}"}) for i in range(8)))
    documents = [Document(str(i), "", f"p{i}") for i in range(8)]
    found = {row["field"]: row for row in inference(population, documents, guesses(0, 1, 2, 3, 5, 4, -1, 7))}
    sexes = ["fm"[i % 2] for i in range(8)]
    assert found["sex"]["rate"] == 5 / 8 and found["sex"]["commonest"] == 0.5
    assert found["job"]["commonest"] == Counter(min(i, 3) for i in range(8)).most_common(1)[0][1] / 8
    assert found["job"]["rate"] == 7 / 8, "a wrong person with the right value counts; a withheld document does not"
    assert len(sexes) == found["sex"]["n"] == 8


def test_fields_that_gain_most_stand_first_and_every_field_is_measured() -> None:
    fields = [{"name": f"n{i}", "sure": "ab"[i % 2], "even": "x" if i else "y"} for i in range(60)]
    population = Population(tuple(Profile(f"p{i}", f) for i, f in enumerate(fields)))
    documents = [Document(str(i), "", f"p{i}") for i in range(60)]
    found = inference(population, documents, guesses(*range(60)))
    assert [row["field"] for row in found] == ["name", "sure", "even"]


def test_a_field_that_none_of_the_documents_people_have_is_not_measured() -> None:
    profiles = [Profile("p0", {"a": "x"}), *(Profile(f"p{i}", {"a": "y", "b": str(i % 2)}) for i in range(1, 9))]
    found = inference(Population(tuple(profiles)), [Document("d", "", "p0")], guesses(3))
    assert {row["field"] for row in found} == {"a"}
    json.dumps(found, allow_nan=False)


# --- figures of attackers


@pytest.fixture(scope="module")
def two_sides(small_town, townspeople) -> tuple[AttackResults, AttackResults, list[Document]]:
    """Originals, and texts of which only the first words are left, under a used and an unused attacker."""
    documents = list(small_town.documents[:80])
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    examiner = Attack(townspeople, documents, 5)
    before = examiner.run([d.text for d in documents], attackers)
    after = examiner.run(
        [" ".join(d.text.split()[:9]) for d in documents], attackers, material=material_of(townspeople)
    )
    return before, after, documents


def test_figures_hold_both_sides_of_every_attacker_and_the_worse_reading_of_crowd_sizes(two_sides) -> None:
    before, after, documents = two_sides
    people = [str(d.person) for d in documents]
    found = attack_figures(before, after, people, 5)
    assert [(a["name"], a["used"]) for a in found["attackers"]] == [("bm25.v1", True), ("x.v1", False)]
    for a in found["attackers"]:
        assert a["before"]["rate"] == pytest.approx(np.mean(before.documents[a["name"]].top1), abs=1e-6)
        assert a["after"]["top10"] == pytest.approx(np.mean(after.documents[a["name"]].top10), abs=1e-6)
        assert a["after"]["rate"] <= a["after"]["top5"] <= a["after"]["top10"]
    readings = [float(np.mean(after.documents[n].top1)) for n in (CROWD_SMALLEST, CROWD_LEARNED)]
    assert found["crowd_sizes"]["rate"] == pytest.approx(max(readings), abs=1e-6)
    assert found["crowd_sizes"]["bound"] == pytest.approx(1 / 6, abs=1e-6)
    assert found["strongest"]["rate"] == pytest.approx(np.mean(after.documents["strongest"].top1), abs=1e-6)
    assert found["fused"]["before"]["rate"] == pytest.approx(np.mean(before.documents[FUSED].top1), abs=1e-6)


def test_rates_of_people_count_people(two_sides) -> None:
    before, after, documents = two_sides
    found = person_figures(before, after)
    assert found["any_used"]["after"]["n"] == len({d.person for d in documents})


def test_without_unused_attackers_nothing_is_said_about_them_and_json_stays_strict(two_sides) -> None:
    before, after, documents = two_sides
    before = AttackResults(before.documents, before.persons, before.by_person, used={"bm25.v1": True})
    after = AttackResults(after.documents, after.persons, after.by_person, after.crowds, used={"bm25.v1": True})
    found = attack_figures(before, after, [str(d.person) for d in documents], 5)
    assert found["any_unused"] is None
    json.dumps(found, allow_nan=False)


def test_each_document_lists_its_crowds_and_who_finds_its_person_for_sure(two_sides) -> None:
    _, after, documents = two_sides
    rows = document_risks(documents, after)
    assert [row["id"] for row in rows] == [d.id for d in documents]
    for i, row in enumerate(rows):
        assert row["crowds"] == {"bm25.v1": after.crowds["bm25.v1"][i]}
        assert set(row["found_by"]) == {name for name, t in after.documents.items() if t.top1[i] == 1}
    assert any(row["found_by"] for row in rows)


# --- the attackers that learn


def test_originals_and_release_are_both_tried_by_attackers_that_learn_and_the_worst_counts() -> None:
    people, documents = planted()
    population = Population(tuple(people))
    prepared = prepare(
        documents,
        population,
        plan=AuditPlan(attackers=("translation", "bm25")),
        knowledge=Knowledge(used=("bm25",), k=5),
    )
    texts = [d.text if i % 3 else d.text.split(" and ")[0] for i, d in enumerate(documents)]
    found = audit(prepared, texts).report.as_dict()
    assert {a["name"] for a in found["attackers"]} == {"bm25.v1", "translation.v1@originals", "translation.v1@release"}
    learned = [a["after"]["rate"] for a in found["attackers"] if not a["used"]]
    assert len(learned) == 2 and min(learned) > 0.5, "words that are in no profile give people away"
    assert max(learned) <= found["any_unused"]["after"]["rate"] <= sum(learned)


# --- a planted leak (promise I4)


@pytest.mark.slow
@pytest.mark.usefixtures("short_audit")
def test_one_percent_of_documents_left_as_they_were_is_noticed_among_500() -> None:
    """Every word of 520 documents is hidden, except in 1 % of them, drawn by lot, which stay as they were.

    Drawn are documents that give their person away in the original (others leak nothing that an attacker could use).
    The people are sought among 2,000. Noticed: the lower limit of the unseen attackers' rate lies above the rate of
    the same release without the leak. All of 12 draws must be noticed.
    """
    town = fictional_town(people=2000)
    documents = town.documents[:520]
    population = Population(town.profiles)
    prepared = prepare(documents, population, plan=AuditPlan(attackers=("bm25", "pairs")), knowledge=Knowledge(k=10))
    telling = [i for i, got in enumerate(prepared.before.documents["bm25.v1"].top1) if got == 1]
    hidden = ["[MASK] [MASK]."] * len(documents)
    quiet = audit(prepared, hidden).report.as_dict()["any_unused"]["after"]
    assert quiet["rate"] == pytest.approx(1 / 2000)
    rng = np.random.default_rng(11)
    for _ in range(12):
        texts = list(hidden)
        for i in rng.choice(telling, 5, replace=False):
            texts[i] = documents[i].text
        leaky = audit(prepared, texts).report.as_dict()["any_unused"]["after"]
        assert leaky["rate"] > 0 and leaky["ci"][0] > quiet["rate"]
