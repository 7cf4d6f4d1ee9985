"""Transforms: what no span covers is kept to the byte, and the pieces lead back from every released character."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname import registry
from unname.errors import InputError
from unname.knowledge.coreference import KnownAs
from unname.text import WORD
from unname.transforms.base import Context, Transform
from unname.transforms.redact import Collapse, Delete, Redact
from unname.types import Document, Mask, MaskSpan, merge_spans

TRANSFORMS = [registry.create(registry.TRANSFORMS, name) for name in registry.names(registry.TRANSFORMS)]
every = pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda t: t.name)
CONTEXT = Context(bytes(32), called=KnownAs(("Ada Byron",)))
# Everything that these transforms write for a word.
TOKEN = re.compile(r"(\[(MASK|NAME|PLACE|PERSON)( [1-9]\d*)?\])?")
labels = st.sampled_from(["", "", "NAME", "PLACE"])


@st.composite
def masked(draw: st.DrawFn) -> tuple[Document, Mask]:
    """Any Unicode text with any spans in order: some are words, some not, some touch."""
    text = draw(st.text(st.characters(), max_size=40) | st.text("ab .\n\U0001f600e\u0301", max_size=40))
    size = len(text)
    cuts = draw(st.lists(st.tuples(st.integers(0, size), st.integers(1, 6), labels), max_size=6))
    chosen = (
        draw(st.lists(st.sampled_from([m.span() for m in WORD.finditer(text)]), max_size=4))
        if WORD.search(text)
        else []
    )
    spans = [MaskSpan(a, min(a + n, size), "m", 0, label) for a, n, label in cuts]
    spans += [MaskSpan(a, b, "m", 0, draw(labels)) for a, b in chosen]
    return Document("d", text), Mask("d", merge_spans(spans))


def slow_redaction(text: str, spans: tuple[MaskSpan, ...]) -> str:
    """Spans replaced one by one from the end, where earlier offsets stay right."""
    for span in reversed(spans):
        text = text[: span.start] + (f"[{span.label}]" if span.label else "[MASK]") + text[span.end :]
    return text


def slow_collapse(text: str, spans: tuple[MaskSpan, ...]) -> str:
    """Spans joined as long as any two neighbours have no word between, then redacted."""
    joined = list(spans)
    while True:
        for one, other in pairwise(joined):
            if not WORD.search(text[one.end : other.start]):
                label = one.label if one.label == other.label else ""
                place = joined.index(one)
                joined[place : place + 2] = [MaskSpan(one.start, other.end, "m", 0, label)]
                break
        else:
            return slow_redaction(text, tuple(joined))


@given(masked())
def test_redact_puts_a_token_for_each_span(case: tuple[Document, Mask]) -> None:
    document, mask = case
    assert Redact().release(document, mask).text == slow_redaction(document.text, mask.spans)


@given(masked())
def test_collapse_puts_one_token_for_neighbours_with_no_word_between(case: tuple[Document, Mask]) -> None:
    document, mask = case
    assert Collapse().release(document, mask).text == slow_collapse(document.text, mask.spans)


@given(masked())
def test_delete_leaves_everything_outside_of_spans_and_nothing_else(case: tuple[Document, Mask]) -> None:
    document, mask = case
    covered = {i for s in mask.spans for i in range(s.start, s.end)}
    left = "".join(c for i, c in enumerate(document.text) if i not in covered)
    assert Delete().release(document, mask).text == left


@every
@given(case=masked())
def test_pieces_cover_both_texts_in_order_and_lead_back(transform: Transform, case: tuple[Document, Mask]) -> None:
    document, mask = case
    release = transform.release(document, mask, CONTEXT)
    starts = {s.start for s in mask.spans}
    at = read = 0
    for out_start, out_end, in_start, in_end in release.pieces:
        assert (out_start, in_start) == (at, read) and in_start < in_end and out_start <= out_end
        if in_start not in starts:
            assert release.text[out_start:out_end] == document.text[in_start:in_end]
            assert not any(s.start < in_end and in_start < s.end for s in mask.spans)
        at, read = out_end, in_end
    assert (at, read) == (len(release.text), len(document.text))


@every
@given(case=masked())
def test_no_character_of_a_span_survives_in_its_piece(transform: Transform, case: tuple[Document, Mask]) -> None:
    document, mask = case
    release = transform.release(document, mask, CONTEXT)
    for span in mask.spans:
        inside = [p for p in release.pieces if p[2] < span.end and span.start < p[3]]
        assert len(inside) == 1 and inside[0][2] <= span.start and span.end <= inside[0][3]
        written = release.written[release.pieces.index(inside[0])]
        assert TOKEN.fullmatch(written.text) or (
            written.invented and written.text != document.text[slice(*inside[0][2:])]
        )


@every
@given(text=st.text())
def test_an_empty_mask_changes_nothing(transform: Transform, text: str) -> None:
    release = transform.release(Document("d", text), Mask("d"), CONTEXT)
    assert release.text == text and release.document == "d"
    assert release.pieces == (((0, len(text), 0, len(text)),) if text else ())


@every
@pytest.mark.parametrize(
    "spans",
    [
        [(3, 3)], [(5, 3)], [(-1, 2)], [(10, 13)], [(12, 13)], [(4, 6), (0, 2)], [(0, 4), (3, 6)], [(0, 4), (0, 4)],
        [(0, 12), (12, 12)],
    ],
)  # fmt: skip
def test_spans_out_of_order_overlapping_empty_or_outside_are_refused(
    transform: Transform, spans: list[tuple[int, int]]
) -> None:
    mask = Mask("d", tuple(MaskSpan(a, b, "m") for a, b in spans))
    with pytest.raises(InputError, match="out of order, empty or outside") as caught:
        transform.release(Document("d", "Canary birds"), mask, CONTEXT)
    assert "canary" not in str(caught.value).casefold()


@every
def test_a_span_may_cover_the_whole_text(transform: Transform) -> None:
    release = transform.release(Document("d", "Ada Byron"), Mask("d", (MaskSpan(0, 9, "m"),)), CONTEXT)
    assert len(release.pieces) == 1 and (TOKEN.fullmatch(release.text) or release.written[0].invented)


def test_collapse_takes_what_stands_between_and_keeps_a_label_that_all_share() -> None:
    def collapsed(*spans: tuple[int, int, str]) -> str:
        mask = Mask("d", tuple(MaskSpan(a, b, "m", 0, label) for a, b, label in spans))
        return Collapse().release(Document("d", "Ada, Lady Byron wrote."), mask).text

    assert collapsed((0, 3, ""), (5, 9, ""), (10, 15, "")) == "[MASK] wrote."
    assert collapsed((0, 3, "NAME"), (5, 9, "NAME")) == "[NAME] Byron wrote."
    assert collapsed((0, 3, "NAME"), (5, 9, "PLACE")) == "[MASK] Byron wrote."
    assert collapsed((0, 3, "NAME"), (10, 15, "NAME")) == "[NAME], Lady [NAME] wrote."


def test_the_number_of_hidden_words_does_not_show_in_a_collapsed_text() -> None:
    one = Collapse().release(Document("d", "by Ada of York"), Mask("d", (MaskSpan(3, 6, "m"),))).text
    two = Document("d", "by Ada Byron of York")
    assert Collapse().release(two, Mask("d", (MaskSpan(3, 6, "m"), MaskSpan(7, 12, "m")))).text == one
