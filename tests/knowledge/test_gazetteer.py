"""Terms in texts: whole words, the longest first, however they are disguised or a day is written; never across paragraphs."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unname.knowledge.gazetteer import find_terms
from unname.knowledge.graph import Graph, build_graph
from unname.knowledge.mentions import seen_words

GRAPH = build_graph(
    [
        ("p1", "name", "Ada Vance"), ("p1", "place of birth", "New York"), ("p1", "date of birth", "1992-08-05"),
        ("p2", "place of birth", "York"), ("p2", "occupation", "member of the state senate of new york"),
        ("p2", "name", "Frédéric Łos"),
    ]
)  # fmt: skip


def stated(text: str, graph: Graph = GRAPH) -> list[tuple[str, str]]:
    """The words of the text, and the term that they state."""
    row = seen_words(text)
    return [(text[row[f.first].start : row[f.last].end], graph.terms.text(f.term)) for f in find_terms(graph, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Vance lives in New York.", [("Ada Vance", "ada vance"), ("New York", "new york")]),
        ("in York, Adavance", [("York", "york")]),
        ("A. Vance's", [("A. Vance", "a vance")]),
        ("Frederic", [("Frederic", "frederic")]),
        ("born on August 5th, 1992 or 5/8/1992", [("August 5th, 1992", "1992 08 05"), ("5/8/1992", "1992 08 05")]),
        ("since Aug. 1992", [("Aug. 1992", "aug 1992")]),
        ("New\n\nYork", [("York", "york")]),
        ("New\nYork", [("New\nYork", "new york")]),
        ("N\u200bew Y\u200bork", [("N\u200bew Y\u200bork", "new york")]),
        ("", []),
        ("nothing here", []),
    ],
)  # fmt: skip
def test_terms_that_a_text_states(text: str, expected: list[tuple[str, str]]) -> None:
    assert stated(text) == expected


def test_the_longest_term_counts() -> None:
    text = "a member of the State Senate of New York"
    assert stated(text) == [("member of the State Senate of New York", "member of the state senate of new york")]


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("ab .\n"), max_size=40), st.lists(st.text(st.sampled_from("ab "), min_size=2, max_size=7))
)
def test_the_same_as_looking_for_each_term_word_by_word(text: str, values: list[str]) -> None:
    graph = build_graph(("p", "x", value) for value in values)
    row = seen_words(text)
    words = [word.folded for word in row]
    known = {tuple(graph.terms.text(n).split()) for n in range(len(graph.terms))}
    between = [text[a.end : b.start] for a, b in pairwise(row)]
    joined = [len(signs) <= 4 and "\n\n" not in signs.replace(" ", "") for signs in between]
    expected, at = [], 0
    while at < len(words):
        longest = range(1, min(12, len(words) - at) + 1)
        fits = [n for n in longest if tuple(words[at : at + n]) in known and all(joined[at : at + n - 1])]
        if fits:
            expected.append((at, at + max(fits) - 1))
        at += max(fits, default=1)
    assert [(f.first, f.last) for f in find_terms(graph, text)] == expected


def test_nothing_is_found_without_a_graph() -> None:
    assert stated("Ada Vance", build_graph([])) == []
