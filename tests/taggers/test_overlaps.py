"""Overlapping spans, against the obvious way of choosing between them."""

from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.taggers.base import without_overlaps
from unname.types import Span

SPANS = st.lists(
    st.builds(
        lambda start, length, label, score: Span(start, start + length, label, score=score),
        st.integers(0, 20), st.integers(0, 6), st.sampled_from("AB"), st.sampled_from([0.5, 1.0]),
    ),
    max_size=12,
)  # fmt: skip


def slow(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start - s.end, -s.score, s.start, s.label)):
        if span.start < span.end and all(span.end <= k.start or k.end <= span.start for k in kept):
            kept.append(span)
    return sorted(kept)


@given(SPANS)
def test_the_fast_way_keeps_what_the_slow_way_keeps(spans: list[Span]) -> None:
    assert without_overlaps(spans) == slow(spans)


def test_many_spans_take_little_time() -> None:
    def kept(many: int) -> None:
        assert len(without_overlaps(Span(3 * i, 3 * i + 2, "X") for i in range(many))) == many

    assert in_proportion(lambda: kept(10_000), lambda: kept(40_000))
