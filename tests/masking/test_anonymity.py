"""k-anonymity over a graph: what is left is true of more than k people or of nobody, recounted by trying everything."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from unname.knowledge.fictional import fictional_town
from unname.knowledge.gazetteer import find_terms
from unname.knowledge.graph import Graph, build_graph, graph_of
from unname.knowledge.population import Population
from unname.masking.anonymity import PERSON, Anonymity
from unname.masking.base import Case, readable_text
from unname.types import Document, MaskSpan, Profile

TRIPLES = [
    *((f"p{n}", "occupation", "singer") for n in range(6)), *((f"p{n}", "place of birth", "Porto") for n in range(3, 9)),
    ("p0", "name", "Ada Vance"), ("p3", "place of birth", "New York"), ("p4", "place of birth", "York"),
]  # fmt: skip
GRAPH = build_graph(TRIPLES)


def case_of(texts: Sequence[str], person: str = "p0", **more: Any) -> Case:
    documents = tuple(Document(str(n), text, person) for n, text in enumerate(texts))
    return Case(documents, Profile(person, {}), 0, {}, (0,) * len(texts), 0, **more)


def left(method: Anonymity, text: str, person: str = "p0") -> str:
    mask = method.mask(case_of([text], person))[0]
    return readable_text(text, [(s.start, s.end) for s in mask.spans])


def smallest(graph: Graph, texts: Sequence[str], most: int = 4) -> int:
    """The smallest group of people, not nobody, whom a combination of up to `most` stated terms is true of."""
    terms = {found.term for text in texts for found in find_terms(graph, text)}
    groups = (graph.count(some) for size in range(1, most + 1) for some in combinations(sorted(terms), size))
    return min((group for group in groups if group), default=len(graph.people))


def test_a_name_goes_and_what_many_share_stays() -> None:
    assert left(Anonymity(GRAPH), "Ada Vance, singer") == "[MASK], singer"


def test_of_a_combination_the_rarest_goes_and_the_mask_says_which() -> None:
    text = "a singer from Porto"
    mask = Anonymity(GRAPH).mask(case_of([text]))[0]
    (span,) = mask.spans
    assert span.combination and span.step == 2
    assert span.crowd_before == {"graph": 2}  # p3, p4, p5: a group of three
    assert {text[span.start : span.end], text[span.combination[0][0] : span.combination[0][1]]} == {"singer", "Porto"}


def test_only_the_person_counts_where_asked() -> None:
    text = "a singer from Porto"
    assert left(Anonymity(GRAPH, whose=PERSON), text, "p0") == text
    assert "[MASK]" in left(Anonymity(GRAPH, whose=PERSON), text, "p3")
    assert left(Anonymity(GRAPH, whose=PERSON), text, "nobody") == left(Anonymity(GRAPH, whose="any"), text)


def test_what_a_mask_uncovers_is_read_again() -> None:
    text = "from New York"
    hidden = (MaskSpan(5, 8, "always"),)
    case = Anonymity(GRAPH).applied(case_of([text], mandatory=(hidden,)))
    assert readable_text(text, [(s.start, s.end) for s in case.mandatory[0]]) == "from [MASK] [MASK]"


def test_documents_of_a_person_are_read_side_by_side() -> None:
    apart = [Anonymity(GRAPH).mask(case_of([text]))[0].spans for text in ("a singer", "from Porto")]
    assert apart == [(), ()]
    assert any(mask.spans for mask in Anonymity(GRAPH).mask(case_of(["a singer", "from Porto"])))


def test_words_that_must_stay_stay() -> None:
    text = "Ada Vance, singer"
    mask = Anonymity(GRAPH).mask(case_of([text], never=frozenset(["vance"])))[0]
    assert [text[s.start : s.end] for s in mask.spans] == ["Ada"]


@pytest.mark.parametrize("strategy", ["greedy", "random"])
def test_every_document_of_a_town_is_anonymous(strategy: str) -> None:
    town = fictional_town(people=60, seed=2)
    graph = graph_of(Population(tuple(town.profiles)))
    before = []
    for document in list(town.documents)[:12]:
        case = Case((document,), Profile(str(document.person), {}), 0, {}, (0,), 0)
        mask = Anonymity(graph, strategy=strategy).mask(case)[0]
        before.append(smallest(graph, [document.text]))
        assert smallest(graph, [readable_text(document.text, [(s.start, s.end) for s in mask.spans])]) >= 5
        assert Anonymity(graph, strategy=strategy).mask(case) == [mask]
    assert sum(group < 5 for group in before) > 3


SHARED = build_graph(
    [(f"a{n}", "city", "Boston") for n in range(21)] + [(f"b{n}", "job", "cardiologist") for n in range(20)]
    + [("a0", "job", "cardiologist")]
)  # fmt: skip


def test_what_stays_readable_counts_in_combinations() -> None:
    text = "A cardiologist in Boston."
    assert left(Anonymity(SHARED), text).count("[MASK]") == 1
    kept = case_of(["She works in Boston."], beside=("Job: Cardiologist",))
    assert Anonymity(SHARED).mask(kept)[0].spans
    never = case_of([text], never=frozenset(["cardiologist"]))
    (span,) = Anonymity(SHARED).mask(never)[0].spans
    assert text[span.start : span.end] == "Boston"


def test_a_white_list_stays_and_counts_nowhere() -> None:
    assert left(Anonymity(SHARED, white_list=frozenset(["boston"])), text := "A cardiologist in Boston.") == text


def test_terms_that_overlap_are_both_read() -> None:
    graph = build_graph([*((f"p{n}", "club", "Boston Red") for n in range(20)), ("p1", "team", "Red Sox")])
    assert left(Anonymity(graph), "He plays for Boston Red Sox.") == "He plays for Boston [MASK]."


@pytest.mark.parametrize("text", ["born 02/08/84", "born 02/08/1984", "born on 2 August 1984", "born August 2nd, '84"])
def test_a_day_is_found_however_its_year_is_written(text: str) -> None:
    for value in ("1984-08-02", "02/08/84"):
        graph = build_graph([("p1", "date of birth", value), ("p2", "date of birth", "1990-01-01")])
        assert "84" not in left(Anonymity(graph), text)


def test_a_term_is_read_across_an_indented_line_end() -> None:
    graph = build_graph([("p1", "place", "Little Rock")])
    assert "Rock" not in left(Anonymity(graph), "lives in Little\n        Rock now")
