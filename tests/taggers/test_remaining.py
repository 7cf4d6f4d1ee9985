"""The rest of a text once some of it is hidden, against a second reading character by character."""

import re

from hypothesis import given
from hypothesis import strategies as st

from unname.taggers.base import without_overlaps
from unname.taggers.remaining import Remaining, hiding_all
from unname.text import WORD
from unname.types import Document, Span

TEXTS = st.text(alphabet="ab é_-@. \n\U0001d4d0\u0301[]", max_size=40)
# A word with the marks on its letters.
WHOLE = re.compile(r"[\w\u0301]+")
ROUNDS = st.lists(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=4), max_size=3)


def spans_in(text: str, drawn: list[tuple[int, int]]) -> list[Span]:
    """Disjoint spans of a text, of what was drawn."""
    return without_overlaps(
        Span(start % len(text), min(start % len(text) + long, len(text)), "NAME")
        for start, long in drawn
        if text and long
    )


class Slowly:
    """The same, one character after the other: of each, whether it is hidden, and by which span."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.by: list[int | None] = [None] * len(text)
        self.count = 0

    def shown(self) -> tuple[str, list[int | None]]:
        """The shown text, and the place of each of its characters in the original."""
        said, places, last = "", list[int | None](), None
        for at, character in enumerate(self.text):
            if self.by[at] is None:
                said, places = said + character, [*places, at]
            elif self.by[at] != last:
                said, places = said + "[NAME]", [*places, *[None] * 6]
            last = self.by[at]
        return said, places

    def hide(self, spans: list[Span]) -> None:
        """Hide spans of what is shown, words whole."""
        _, places = self.shown()
        before = list(self.by)
        words = [set(range(*m.span())) for m in WHOLE.finditer(self.text)]
        plain = [set(range(*m.span())) for m in WORD.finditer(self.text)]
        for span in spans:
            seen = [place for place in places[span.start : span.end] if place is not None]
            pieces: list[list[int]] = []
            for place in seen:
                if pieces and all(before[k] is None for k in range(pieces[-1][-1], place)):
                    pieces[-1].append(place)
                else:
                    pieces.append([place])
            for piece in pieces:
                if len(piece) < span.end - span.start:
                    inner = set[int]().union(*(word & set(piece) for word in plain))
                    if not inner:
                        continue
                    piece = list(range(min(inner), max(inner) + 1))
                for at in sorted(set(piece).union(*(word for word in words if word & set(piece)))):
                    if self.by[at] is None:
                        self.by[at] = self.count
                self.count += 1


@given(TEXTS, ROUNDS)
def test_hiding_in_rounds_is_what_it_is_character_by_character(text: str, rounds: list[list[tuple[int, int]]]) -> None:
    left, slow = Remaining(text), Slowly(text)
    for drawn in rounds:
        spans = spans_in(left.shown, drawn)
        slow.hide(spans)
        left = left.hiding(spans)
        assert left.shown == slow.shown()[0]
        hidden = [at for span in left.hidden for at in range(span.start, span.end)]
        assert hidden == [at for at, by in enumerate(slow.by) if by is not None]
        cut = {
            m.span()
            for m in WORD.finditer(text)
            if 0 < sum(slow.by[at] is not None for at in range(*m.span())) < len(m[0])
        }
        assert not cut


@given(TEXTS, ROUNDS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=4))
def test_the_rest_of_spans_holds_just_their_readable_words(
    text: str, rounds: list[list[tuple[int, int]]], drawn: list[tuple[int, int]]
) -> None:
    left, gold = Remaining(text), spans_in(text, drawn)
    for row in rounds:
        left = left.hiding(spans_in(left.shown, row))
    visible = left.visible(gold)
    whole = {(s.start, s.end) for s in gold}
    if not left.hidden:
        assert {(s.start, s.end) for s in visible} == whole
    covered = {at for span in left.hidden for at in range(span.start, span.end)}
    meant = ["".join(text[at] for at in range(s.start, s.end) if at not in covered) for s in gold]
    said = "".join(left.shown[s.start : s.end] for s in visible)
    assert [c for c in said if WORD.match(c)] == [c for part in meant for c in part if WORD.match(c)]


def test_later_finds_are_led_back_around_placeholders() -> None:
    left = Remaining("Seen by Ana Ruiz-Sol, MD.").hiding([Span(12, 16, "DOCTOR")])
    assert left.shown == "Seen by Ana [DOCTOR]-Sol, MD."
    left = left.hiding([Span(8, 24, "NAME", score=0.5)])
    assert left.shown == "Seen by [NAME] [DOCTOR]-[NAME], MD."
    assert [(s.start, s.end, s.label, s.score) for s in left.hidden] == [
        (8, 11, "NAME", 0.5), (12, 16, "DOCTOR", 1.0), (17, 20, "NAME", 0.5),
    ]  # fmt: skip


def test_a_find_within_a_placeholder_is_none() -> None:
    left = Remaining("Ana left").hiding([Span(0, 3, "NAME")])
    assert left.hiding([Span(0, 6, "NAME")]).hidden == left.hidden


def test_half_a_word_takes_all_of_it() -> None:
    assert Remaining("RuizTel 12").hiding([Span(0, 4, "NAME")]).shown == "[NAME] 12"


def test_a_label_that_no_placeholder_can_hold_leaves_a_plain_one() -> None:
    assert Remaining("Ana left").hiding([Span(0, 3, "né 1")]).shown == "[MASK] left"


def test_a_document_keeps_what_it_is_and_what_is_left_of_its_spans() -> None:
    document = Document("d", "Ana Ruiz left", "p", "dev", (Span(0, 8, "NAME", "direct"),), {"ward": "3"})
    (left,) = hiding_all([Remaining(document.text)], [[Span(0, 3, "NAME")]])
    found = left.document(document)
    assert (found.id, found.person, found.split, found.metadata) == ("d", "p", "dev", {"ward": "3"})
    assert found.text == "[NAME] Ruiz left"
    assert found.spans == (Span(7, 11, "NAME", "direct"),)


def test_nothing_of_the_text_shows() -> None:
    assert "Ana" not in repr(Remaining("Ana left").hiding([Span(0, 3, "NAME")]))


def test_a_mark_goes_with_its_letter() -> None:
    text = "Jose\u0301s left"
    assert Remaining(text).hiding([Span(0, 4, "NAME")]).shown == "[NAME] left"


def test_spans_that_nothing_touched_stay_as_they_were_annotated() -> None:
    left = Remaining("J. Jr. of Bonn").hiding([Span(10, 14, "PLACE")])
    assert left.visible([Span(0, 6, "NAME")]) == (Span(0, 6, "NAME"),)
