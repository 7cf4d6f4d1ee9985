"""Crowds that agree on a secret: counted again one profile at a time, and by hand."""

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

from unname.attacking.attackers import Attacker, Scores
from unname.auditing.diversity import crowd_members, diversity, require_fields
from unname.errors import SettingsError
from unname.knowledge.population import Population
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.types import Document, Profile


def served(population: Population) -> list[Attacker]:
    """BM25 and n-grams as members."""
    return [
        Attacker(r.name, True, (r.fit(population.profiles).index(population.profiles),), fitted=(r,))
        for r in (Bm25(), Ngrams())
    ]


class Fixed:
    """An index whose scores are given for each text."""

    def __init__(self, people: tuple[str, ...], scores: dict[str, list[int]]) -> None:
        self.people, self._scores = people, scores

    def scores(self, text: str) -> Scores:
        return np.array(self._scores[text])

    def scores_of(self, texts: list[str]) -> Scores:
        return np.array([self._scores[t] for t in texts])


def by_hand(*values: str | None) -> Population:
    return Population(tuple(Profile(f"p{i}", {} if v is None else {"sick": v}) for i, v in enumerate(values)))


def one(population: Population, *scores: list[int]) -> dict[str, Any]:
    """The row for one document about p0, with one member for each list of scores."""
    people = tuple(p.id for p in population.profiles)
    members = [Attacker(f"m{i}", True, (Fixed(people, {"t": s}),)) for i, s in enumerate(scores)]
    (row,) = diversity(members, population, [Document("d", "t", "p0")], ["t"], ["sick"])
    return row


def test_a_crowd_that_shares_the_value_is_counted_and_one_other_value_breaks_it() -> None:
    population = by_hand("flu", "flu", "flu", "gout", None)
    assert one(population, [5, 5, 6, 1, 1])["one_value"] == {"count": 1, "share": 1.0}
    broken = one(population, [5, 5, 6, 5, 1])
    assert broken["one_value"] == {"count": 0, "share": 0.0}
    assert broken["distinct_median"] == 2 and broken["largest_share_mean"] == 0.75
    assert broken["population_distinct"] == 3


def test_who_has_no_value_counts_as_a_value_of_its_own() -> None:
    assert one(by_hand("flu", None, "flu"), [5, 5, 1])["distinct_median"] == 2
    assert one(by_hand(None, None, "flu"), [5, 5, 1])["one_value"] == {"count": 1, "share": 1.0}


def test_the_smallest_crowd_of_the_members_counts_and_of_equal_ones_the_less_diverse() -> None:
    population = by_hand("flu", "flu", "gout", "gout")
    assert one(population, [5, 5, 5, 5], [5, 5, 1, 1])["one_value"]["count"] == 1
    assert one(population, [5, 1, 5, 1], [5, 5, 1, 1])["one_value"]["count"] == 1
    assert one(population, [5, 1, 5, 1], [5, 5, 5, 1])["one_value"]["count"] == 0


def test_chance_is_that_of_drawing_the_others_at_random() -> None:
    population = by_hand("flu", "flu", "flu", "gout", "gout", "gout", "gout")
    assert one(population, [5, 5, 5, 1, 1, 1, 1])["chance"] == pytest.approx(comb(2, 2) / comb(6, 2))
    assert one(population, [5] * 7)["chance"] == 0
    rng = np.random.default_rng(0)
    drawn = [set(rng.choice(np.arange(1, 7), 2, replace=False)) <= {1, 2} for _ in range(20_000)]
    assert one(population, [5, 5, 5, 1, 1, 1, 1])["chance"] == pytest.approx(np.mean(drawn), abs=0.01)


def test_every_document_is_counted_again_one_profile_at_a_time(small_town, townspeople) -> None:
    documents = small_town.documents[:50]
    texts = [None if i % 7 == 3 else " ".join(d.text.split()[: 4 + i % 9]) for i, d in enumerate(documents)]
    members = served(townspeople)
    found = {r["field"]: r for r in diversity(members, townspeople, documents, texts, ["sex", "village"])}
    for field in ("sex", "village"):
        distinct, largest = [], []
        for document, text in zip(documents, texts, strict=True):
            if text is None:
                continue
            column = townspeople.rows[str(document.person)]
            crowds = []
            for member in members:
                scores = member.indexes[0].scores(text).tolist()
                values = [
                    p.fields.get(field)
                    for p, s in zip(townspeople.profiles, scores, strict=True)
                    if s >= scores[column]
                ]
                crowds.append((len(values), len(set(values)), -max(Counter(values).values()) / len(values)))
            best = min(crowds)
            distinct.append(best[1])
            largest.append(-best[2])
        row = found[field]
        assert row["documents"] == len(distinct) == sum(row["distinct"]["counts"])
        assert row["one_value"]["count"] == sum(d == 1 for d in distinct)
        assert row["distinct_median"] == float(np.median(distinct))
        assert row["largest_share_mean"] == pytest.approx(np.mean(largest))
        ends = [*row["distinct"]["edges"][1:], 10**9]
        pairs = zip(row["distinct"]["edges"], ends, strict=True)
        assert row["distinct"]["counts"] == [sum(a <= d < b for d in distinct) for a, b in pairs]


def test_a_field_kept_from_the_attackers_may_be_sensitive_and_an_unknown_one_is_an_error(
    small_town, townspeople
) -> None:
    poorer = Population(
        tuple(Profile(p.id, {k: v for k, v in p.fields.items() if k != "conditions"}) for p in townspeople.profiles)
    )
    documents = small_town.documents[:5]
    texts = [d.text for d in documents]
    whole = Population(poorer.profiles, townspeople.profiles)
    (row,) = diversity(served(whole), whole, documents, texts, ["conditions"])
    assert row["documents"] == 5 and row["population_distinct"] > 1
    with pytest.raises(SettingsError, match="village") as caught:
        diversity(served(poorer), poorer, documents, texts, ["nosuch"])
    assert "conditions" not in str(caught.value)
    require_fields(["village"], small_town.profiles)


def test_who_is_in_a_crowd_is_who_scores_at_least_as_high(small_town, townspeople) -> None:
    documents = small_town.documents[:70]
    texts = [None if i == 2 else d.text[:60] for i, d in enumerate(documents)]
    members = served(townspeople)
    found = dict(crowd_members(members, townspeople, documents, texts))
    assert sorted(found) == [i for i in range(70) if i != 2]
    for i, crowds in found.items():
        column = townspeople.rows[str(documents[i].person)]
        for member, crowd in zip(members, crowds, strict=True):
            scores = member.scores_of([texts[i]], [str(documents[i].person)])[0]
            assert crowd.tolist() == [bool(s >= scores[column]) for s in scores]
            assert crowd[column]
