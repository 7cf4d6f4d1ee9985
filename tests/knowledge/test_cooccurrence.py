"""Statements of raw text beside a person: names in all parts, numbers, days; nothing of a text about nobody."""

from unname.knowledge.cooccurrence import RELATION, phrases, stated_beside, texts_of
from unname.knowledge.graph import build_graph
from unname.types import Document, Profile


def test_names_come_in_all_their_parts_and_small_words_do_not() -> None:
    found = set(phrases("He met Ada Vance in New York on 2 May 1984, with 12 others."))
    assert {"Ada", "Ada Vance", "Vance", "New York", "1984", "12", "2 May 1984"} <= found
    assert not {"He met", "met", "in", "others", "Vance in"} & found


def test_no_row_is_longer_than_four_or_goes_across_a_comma() -> None:
    found = set(phrases("Abel Best Cole Dorn Eves, Fox"))
    assert "Abel Best Cole Dorn" in found
    assert not {"Abel Best Cole Dorn Eves", "Eves, Fox"} & found


def test_texts_teach_who_has_what() -> None:
    texts = [Document("1", "Ada saw Porto.", "p1"), Document("2", "Porto is far.", "p2"), Document("3", "Porto")]
    graph = build_graph(stated_beside(texts))
    term = graph.term(("porto",))
    assert term is not None
    assert graph.frequency(term) == 2
    assert {relation for _, relation, _ in stated_beside(texts)} == {RELATION}


def test_only_long_values_are_texts() -> None:
    long = "Ada lived for many years in a small house beside the river at Porto"
    (document,) = texts_of([Profile("p", {"name": "Ada Vance", "life": long})])
    assert (document.person, document.text) == ("p", long)
