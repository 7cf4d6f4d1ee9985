"""Names that are broken over two lines."""

from collections.abc import Sequence
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.taggers.rules.wrapping import across_lines, unwrapped
from unname.types import Span


def test_line_ends_that_may_only_wrap_a_line_become_blanks() -> None:
    assert unwrapped("by Ada\nByron,\r\nof Dr.\nC.\nLee") == "by Ada Byron,  of Dr. C. Lee"
    assert unwrapped("at Avda.\nSol, C/\nSol (flat\n3)") == "at Avda. Sol, C/ Sol (flat 3)"
    assert unwrapped("Name: Ada\nByron Age: 36") == "Name: Ada Byron Age: 36"
    for text in ("He came.\nShe left", "one\n\ntwo", "list\n1. first", "list\n- first", "a\n b) two", "end:\nnext"):
        assert unwrapped(text) == text


@given(st.text(alphabet="aB1 .,:\n\r\t-", max_size=60))
def test_nothing_but_line_ends_and_blanks_changes(text: str) -> None:
    other = unwrapped(text)
    assert len(other) == len(text)
    assert all(a == b or (a in "\r\n\t" and b == " ") for a, b in zip(text, other, strict=True))


def names(texts: Sequence[str]) -> list[list[Span]]:
    """A tagger that knows one name, and that it takes a whole line to be sure."""
    return [
        [Span(at, at + len(word), "NAME") for word in ("Ada Byron", "Lee") if (at := text.find(word)) >= 0]
        for text in texts
    ]


def test_spans_across_a_line_end_are_kept_and_all_others_stay_the_same() -> None:
    found = across_lines(names, ["Ada\nByron and Lee", "Ada.\nByron", "Lee\nLee"])
    assert found == [[Span(0, 9, "NAME"), Span(14, 17, "NAME")], [], [Span(0, 3, "NAME")]]


def test_a_wrapped_name_is_found_in_disguise_too() -> None:
    assert across_lines(names, ["A\u200bda\u00ad\nByron"]) == [[Span(0, 11, "NAME")]]


def test_a_longer_find_over_a_line_end_takes_the_place_of_its_part() -> None:
    def first(texts: Sequence[str]) -> list[list[Span]]:
        return [[Span(0, text.find("\n") if "\n" in text else len(text), "NAME")] for text in texts]

    assert across_lines(first, ["Ada\nByron"]) == [[Span(0, 9, "NAME")]]


def test_time_is_linear_in_the_length() -> None:
    for beginning in ("a\n", " \n", "\t\n", "a,\n", "A.\n", "a \n 1"):
        few, many = beginning * 25_000, beginning * 100_000
        assert in_proportion(partial(unwrapped, few), partial(unwrapped, many))


def test_the_name_of_a_field_is_no_part_of_what_stands_above_it() -> None:
    def greedy(texts: Sequence[str]) -> list[list[Span]]:
        return [[Span(0, text.index(" :") if " :" in text else text.index(":"), "STREET")] for text in texts]

    assert across_lines(greedy, ["Mill Road 1 D.\nTown: Leeds"])[0][0].end == 19, "as it stands nothing is taken away"
    plain = across_lines(
        lambda texts: [[] if "\n" in t else greedy([t])[0] for t in texts], ["Mill Road 1 D.\nTown: Leeds"]
    )
    assert plain == [[]]
