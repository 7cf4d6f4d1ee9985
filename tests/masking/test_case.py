"""A case: all documents of one person, and which of their words are still free to hide."""

from hypothesis import given
from hypothesis import strategies as st
from made_cases import case_of

from unname.text import words
from unname.types import MaskSpan, merge_spans

PEOPLE = ["Ada", "Karl"]


def test_without_a_floor_every_word_is_free() -> None:
    case = case_of(PEOPLE, ["Ada met Karl.", ""])
    assert [[w.folded for w in case.free_words(d)] for d in (0, 1)] == [["ada", "met", "karl"], []]
    assert case.mandatory == ((), ())


@given(
    st.text("ab .", max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=4),
)
def test_a_word_that_the_floor_touches_anywhere_is_not_free(text: str, raw: list[tuple[int, int]]) -> None:
    found = merge_spans(MaskSpan(a, min(a + n, len(text)), "rule") for a, n in raw)
    spans = tuple((s.start, s.end) for s in found)
    case = case_of(PEOPLE, [text], mandatory=[spans])
    slow = [w for w in words(text) if not any(a < w.end and w.start < b for a, b in spans)]
    assert case.free_words(0) == slow


def test_a_case_does_not_show_its_words() -> None:
    assert repr(case_of(PEOPLE, ["Ada met Karl."])) == "Case(1 documents)"
