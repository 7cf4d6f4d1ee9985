"""k-anonymity stated in the report: the same as the masking counts, by other code; a planted breach is seen."""

from dataclasses import replace
from typing import Any

import pytest

from unname.auditing.verdict import anonymity
from unname.job import Deidentification
from unname.knowledge.fictional import fictional_town
from unname.knowledge.gazetteer import find_terms
from unname.knowledge.graph import graph_of
from unname.knowledge.population import Population
from unname.masking.anonymity import Anonymity
from unname.protecting.result import Deidentified
from unname.types import Document, Profile
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.anonymity import verify_anonymity

TOWN = fictional_town(people=120, seed=3)


def masked(documents: Any = None, population: Population | None = None, **settings: Any) -> Deidentified:
    given = Deidentification(**{"method": "anonymity", "k": 4, "reidentifiers": ("bm25",), **settings})
    return deidentify(
        documents or TOWN.documents[:40], population or Population(tuple(TOWN.profiles)), settings=given, key=b"k" * 32
    )


@pytest.mark.parametrize("strategy", ["greedy", "random"])
def test_what_is_released_is_anonymous_by_the_second_count(strategy: str) -> None:
    made = masked(strategy=strategy)
    stated = verify_anonymity(made)
    assert stated is not None
    assert (stated.below, stated.groups, stated.known) == (0, len({d.person for d in made.documents}), "exact")
    assert stated.smallest >= 5
    assert f"at least {stated.smallest} people" in anonymity(stated)


def test_a_placeholder_with_a_number_states_nothing() -> None:
    trades = ["Doctor" if i == 7 else "Smith" for i in range(20)]
    trades = ["Doctor" if i == 7 else "Smith" for i in range(20)]
    people = [
        Profile(str(i), {"name": f"Given{chr(65 + i)} Family{chr(65 + i)}", "trade": trade, "town": "Leeds"})
        for i, trade in enumerate(trades)
    ]
    documents = [Document("d", "Seen by Dr Ruth Kern in Leeds. FamilyB GivenB came to Dr Kern.", "1")]
    for transform in ("redact", "numbered"):
        stated = verify_anonymity(masked(documents, Population(tuple(people)), transform=transform))
        assert stated is not None and (stated.below, stated.smallest) == (0, 20)


def test_the_second_count_finds_the_terms_that_the_masking_finds() -> None:
    population = Population(tuple(TOWN.profiles))
    graph = graph_of(population)
    made = masked(population=population)
    for document in TOWN.documents[:25]:
        stated = {graph.terms.text(found.term) for found in find_terms(graph, document.text)}
        outcome = replace(made.outcome(0), release=replace(made.outcome(0).release, text=document.text))  # type: ignore[type-var]
        one = replace(made, documents=(document,), gathered=[outcome], places=made.places[:1] * 0)
        counted = verify_anonymity(one)
        assert counted is not None
        people = [graph.term(tuple(term.split())) for term in stated]
        full = [set(graph.having(term).tolist()) for term in people if term is not None]
        touched = set[int]().union(*full) if full else set()
        least = min(
            (len(set.intersection(*(row for row in full if person in row))) for person in touched),
            default=len(graph.people),
        )
        assert counted.smallest == least


def test_what_had_to_stay_is_told() -> None:
    rows = [(f"a{n}", {"city": "Boston"}) for n in range(20)] + [(f"b{n}", {"job": "cardiologist"}) for n in range(20)]
    people = Population(tuple(Profile(*row) for row in [*rows, ("c", {"city": "Boston", "job": "cardiologist"})]))
    document = Document("1", "A cardiologist in Boston.", "c")
    stated = verify_anonymity(masked([document], people, direct=("none",), never=("cardiologist", "boston")))
    assert stated is not None
    assert (stated.below, stated.smallest) == (1, 1)
    assert "had to stay" in anonymity(stated)
    hidden = verify_anonymity(masked([document], people, direct=("none",), never=("cardiologist",)))
    assert hidden is not None
    assert hidden.below == 0


@pytest.mark.parametrize(
    "text", ["Runs a Small Business.", "Runs a small business.", "A DAY LABOURER", "a day labourer"]
)
def test_no_word_of_a_term_is_taken_for_a_mark(text: str) -> None:
    jobs = ["small business", "day labourer", "business", "labourer"]
    rows = [(f"a{n}", {"trade": job}) for n, job in enumerate(jobs)]
    rows += [(f"b{n}", {"trade": jobs[2 + n % 2]}) for n in range(20)]
    people = Population(tuple(Profile(*row) for row in rows))
    made = masked([Document("1", text, "a0")], people, direct=("none",), method="none")
    stated = verify_anonymity(replace(made, method=Anonymity(k=made.settings.k)))
    assert stated is not None
    assert (stated.below, stated.smallest) == (1, 1)


def test_nothing_is_stated_where_it_was_not_asked_for() -> None:
    assert verify_anonymity(masked(method="greedy")) is None


@pytest.mark.parametrize("method", ["composed", "greedy", "none"])
def test_a_floor_holds_after_any_method(method: str) -> None:
    made = masked(method=method, graph_floor=True, reidentifiers=("bm25", "ngrams"))
    stated = verify_anonymity(made)
    assert stated is not None
    assert stated.below == 0
