"""Texts as neural taggers read them."""

from hypothesis import given
from hypothesis import strategies as st

from unname.normalised import NormalisedText
from unname.taggers.reading import TokenizedText, are_bio_labels, bio_labels, read, span_f1, windows
from unname.taggers.tokens import Token, tokens
from unname.types import Document, Span


@given(st.text())
def test_a_reading_has_every_token_of_the_normalised_text_and_sentences_begin_among_them(text: str) -> None:
    found = read(text)
    assert list(found.tokens) == tokens(found.normalised.text)
    assert list(found.starts) == sorted(set(found.starts)) and all(s < len(found.tokens) for s in found.starts)
    assert (found.starts[:1] == (0,)) == bool(found.tokens)


def test_an_identifier_may_run_over_the_end_of_what_looks_like_a_sentence() -> None:
    text = "Lives in Av. Mayor 3"
    assert read(text).gold([Span(9, 20, "STREET")]) == ["O", "O", "B-STREET", "I-STREET", "I-STREET", "I-STREET"]


def folded() -> TokenizedText:
    """The original "a½b", whose middle character the normalised text reads as "12"."""
    return TokenizedText(
        NormalisedText("a12b", [0, 1, 1, 2], [1, 2, 2, 3]), (Token(0, 1), Token(1, 2), Token(2, 3), Token(3, 4)), (0,)
    )


def test_spans_go_to_the_normalised_text_and_back() -> None:
    reading = folded()
    assert reading.gold([Span(1, 2, "X")]) == ["O", "B-X", "I-X", "O"]
    assert reading.original([Span(1, 3, "X", score=0.5), Span(3, 4, "Y")]) == [Span(1, 2, "X"), Span(2, 3, "Y")]
    assert reading.original([Span(1, 3, "X", score=0.5)])[0].score == 0.5


def test_spans_that_meet_in_one_character_of_the_original_come_back_disjoint_and_cover_it_all() -> None:
    assert folded().original([Span(0, 2, "X"), Span(2, 4, "Y")]) == [Span(0, 2, "X"), Span(2, 3, "Y")]
    assert folded().original([Span(1, 2, "X"), Span(2, 3, "Y")]) == [Span(1, 2, "X")]


def test_labels_are_o_then_each_b_then_each_i() -> None:
    documents = [Document("a", "x y", spans=(Span(0, 1, "T"), Span(2, 3, "A")))]
    assert bio_labels(documents) == ("O", "B-A", "B-T", "I-A", "I-T")
    assert are_bio_labels(bio_labels(documents)) and are_bio_labels(["O"])
    assert not are_bio_labels([]) and not are_bio_labels(["O", "B-A"]) and not are_bio_labels(["O", "I-A", "B-A"])


@given(st.lists(st.integers(0, 300), max_size=9), st.integers(1, 60), st.integers(0, 30), st.integers(1, 900))
def test_windows_count_every_token_once_with_neighbours_on_both_sides(
    lengths: list[int], core: int, context: int, together: int
) -> None:
    groups = list(windows(lengths, core=core, context=context, together=together))
    found = [w for group in groups for w in group]
    counted = sorted((w.text, token) for w in found for token in range(w.first, w.last))
    assert counted == [(text, token) for text, length in enumerate(lengths) for token in range(length)]
    for w in found:
        assert w.start == max(0, w.first - context) and min(lengths[w.text], w.last + context) <= w.end
    for group in groups:
        assert len(group) == 1 or max(w.end - w.start for w in group) * len(group) <= together


def test_span_f1_counts_borders_and_labels_that_are_exact() -> None:
    document = Document("a", "one two three", spans=(Span(0, 3, "X"), Span(4, 7, "Y")))
    assert span_f1([[Span(0, 3, "X"), Span(4, 7, "X"), Span(8, 13, "X")]], [document]) == 2 * 1 / (3 + 2)
    assert span_f1([[]], [Document("b", "none")]) == 0.0
