"""The vocabulary: frozen values whose repr never shows text, and the merging of spans."""

from dataclasses import FrozenInstanceError
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.types import Document, Mask, MaskSpan, Profile, Release, Span, merge_spans

CANARY = "Canaria"
VALUES = [
    Document(CANARY, CANARY, CANARY, CANARY, (Span(0, 7, "name"),), {CANARY: CANARY}),
    Profile(CANARY, {CANARY: CANARY}),
    MaskSpan(0, 7, "greedy.v1", crowd_before={"bm25.v1": 0}),
    Mask(CANARY, (MaskSpan(0, 7, "greedy.v1"),)),
    Release(CANARY, CANARY, ((0, 7, 0, 7),)),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_a_repr_never_shows_text(value: object) -> None:
    assert CANARY not in repr(value) and CANARY not in f"{value}" and CANARY not in repr([value])


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_values_are_frozen_and_take_no_other_attributes(value: object) -> None:
    assert not hasattr(value, "__dict__")
    for name in type(value).__slots__:  # type: ignore[attr-defined]
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


def test_a_mask_covers_what_lies_wholly_inside_one_span() -> None:
    mask = Mask("d", (MaskSpan(2, 5, "m"), MaskSpan(5, 9, "m")))
    assert mask.covers(2, 5) and mask.covers(3, 4) and mask.covers(6, 9)
    assert not mask.covers(1, 3) and not mask.covers(4, 6) and not mask.covers(9, 10)


spans = st.lists(
    st.builds(
        lambda start, length, step, label: MaskSpan(start, start + length, "m", step, label),
        st.integers(0, 30), st.integers(0, 12), st.integers(0, 3), st.sampled_from(["", "NAME"]),
    ),
    max_size=12,
)  # fmt: skip


@given(spans)
def test_merged_spans_are_sorted_and_disjoint_and_cover_what_they_covered(found: list[MaskSpan]) -> None:
    merged = merge_spans(found)
    assert all(a.end <= b.start for a, b in pairwise(merged))
    assert all(s.start < s.end for s in merged)
    assert {i for s in merged for i in range(s.start, s.end)} == {i for s in found for i in range(s.start, s.end)}


@given(spans)
def test_merging_goes_like_painting_from_the_left_where_paint_is_never_painted_over(found: list[MaskSpan]) -> None:
    painted: dict[int, MaskSpan] = {}
    for span in sorted(found, key=lambda s: (s.start, -s.end, s.step)):
        for place in range(span.start, span.end):
            painted.setdefault(place, span)
    for span in merge_spans(found):
        owners = {(painted[i].end, painted[i].step, painted[i].label) for i in range(span.start, span.end)}
        assert owners == {(span.end, span.step, span.label)}


@given(spans)
def test_merging_twice_changes_nothing_and_order_does_not_matter(found: list[MaskSpan]) -> None:
    merged = merge_spans(found)
    assert merge_spans(merged) == merged
    assert [(s.start, s.end) for s in merge_spans(reversed(found))] == [(s.start, s.end) for s in merged]


def test_an_earlier_start_wins_then_the_longer_span_and_the_rest_of_the_loser_is_kept() -> None:
    first, longer, late = MaskSpan(0, 4, "a"), MaskSpan(0, 6, "b"), MaskSpan(5, 9, "c")
    assert [(s.start, s.end, s.method) for s in merge_spans([late, first, longer])] == [(0, 6, "b"), (6, 9, "c")]
