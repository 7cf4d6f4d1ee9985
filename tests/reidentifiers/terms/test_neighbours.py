"""Words, pairs of neighbours and spans of years."""

from unname.reidentifiers.terms.neighbours import distinct, joined, pairs, sequence, spans_of


def test_a_gap_parts_neighbours_and_punctuation_does_not() -> None:
    row = sequence("Born in Leeds, [MASK] of York. Born in")
    assert distinct(row) == ["born", "in", "leeds", "of", "york"]
    assert list(pairs(row)) == [("born", "in"), ("in", "leeds"), ("of", "york"), ("york", "born")]
    assert joined(("in", "leeds")) == "in leeds"


def test_years_stand_for_the_spans_they_lie_in() -> None:
    assert spans_of("1846") == ("#3:615", "#10:184", "#25:73")
    assert [spans_of(word) for word in ("184", "18466", "2146", "year")] == [()] * 4
