"""Tokens, sentences and BIO labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.taggers.base import without_overlaps
from unname.taggers.tokens import MOST_TOKENS, decode, encode, lines, sentences, tokens
from unname.types import Span


def shown(text: str) -> list[str]:
    return [text[t.start : t.end] for t in tokens(text)]


def test_letters_digits_and_signs_are_tokens_of_their_own() -> None:
    assert shown("Mr O'Neil, 25yo, 12/03/2019; e-mail a_b@c.es") == [
        "Mr", "O", "'", "Neil", ",", "25", "yo", ",", "12", "/", "03", "/", "2019", ";",
        "e", "-", "mail", "a", "_", "b", "@", "c", ".", "es",
    ]  # fmt: skip


def test_a_mark_stays_with_its_letter() -> None:
    assert shown("Zoe\u0301 was") == ["Zoe\u0301", "was"]


def test_a_capital_after_a_small_letter_begins_a_token() -> None:
    assert shown("Ana RuizTel: McKay DNI pH ÁngelÉvora") == [
        "Ana", "Ruiz", "Tel", ":", "Mc", "Kay", "DNI", "p", "H", "Ángel", "Évora",
    ]  # fmt: skip


def test_a_stop_after_a_short_form_or_an_initial_ends_no_sentence() -> None:
    text = "Seen by Dr. Ruiz. Av. Mayor 3. J. R. Doe left. Dra.\nNext"
    assert [text[row[0].start : row[-1].end] for row in sentences(text)] == [
        "Seen by Dr. Ruiz.", "Av. Mayor 3.", "J. R. Doe left.", "Dra.", "Next",
    ]  # fmt: skip


def test_lines_end_only_where_lines_do() -> None:
    text = "Street: Av. Mayor. 3\r\n\nName: Ada\n" + "word " * (MOST_TOKENS + 1)
    rows = lines(text)
    assert [text[row[0].start : row[-1].end] for row in rows[:2]] == ["Street: Av. Mayor. 3", "Name: Ada"]
    assert [len(row) for row in rows[2:]] == [MOST_TOKENS, 1]


def test_sentences_end_at_stops_and_line_ends_and_are_cut_when_endless() -> None:
    text = "He came. She left (at 5.30 p.m. sharp).\nName: Ada\n\n- one\n" + "word " * (MOST_TOKENS + 1)
    rows = sentences(text)
    assert [text[row[0].start : row[-1].end] for row in rows[:4]] == [
        "He came.", "She left (at 5.30 p.m. sharp).", "Name: Ada", "- one",
    ]  # fmt: skip
    assert [len(row) for row in rows[4:]] == [MOST_TOKENS, 1]


@pytest.mark.parametrize("part", [" ", "\n", ". ", ".'", "a", "A", "1", "_", "e\u0301", "x\n \n", "Av. "])
def test_long_monotonous_texts_are_cut_in_linear_time(part: str) -> None:
    def cut(size: int) -> None:
        text = part * (size // len(part))
        assert all(sum(map(len, way(text))) == len(tokens(text)) for way in (sentences, lines))

    assert in_proportion(lambda: cut(25_000), lambda: cut(100_000))


@given(st.text())
def test_sentences_have_every_token_of_the_text_once(text: str) -> None:
    for rows in (sentences(text), lines(text)):
        assert [t for row in rows for t in row] == tokens(text)
        assert all(rows)


@given(st.text(alphabet="aB1 .\n-é", max_size=80), st.data())
def test_labels_come_back_as_the_spans_they_were_made_of(text: str, data: st.DataObject) -> None:
    rows = sentences(text)
    spans = []
    for row in rows:
        at = 0
        while at < len(row):
            length = data.draw(st.integers(0, 3))
            if length:
                last = row[min(at + length, len(row)) - 1]
                spans.append(Span(row[at].start, last.end, data.draw(st.sampled_from("XY"))))
            at += length + 1 if length else 1
    assert decode(rows, encode(rows, spans), [[1.0] * len(row) for row in rows]) == spans


def test_an_i_that_continues_nothing_begins_a_span_and_a_span_scores_as_its_worst_token() -> None:
    rows = sentences("one two three")
    found = decode(rows, [["I-A", "I-A", "I-B"]], [[0.9, 0.5, 0.7]])
    assert found == [Span(0, 7, "A"), Span(8, 13, "B")]
    assert [s.score for s in found] == [0.5, 0.7]


def test_a_token_that_a_span_cuts_is_in_it() -> None:
    assert encode(sentences("Adams met"), [Span(2, 4, "N")]) == [["B-N", "O"]]


def test_of_two_that_overlap_the_longer_stays_then_the_surer() -> None:
    long, short, sure = Span(0, 9, "A"), Span(5, 12, "B", score=1.0), Span(20, 25, "B", score=0.9)
    unsure = Span(22, 27, "A", score=0.2)
    assert without_overlaps([short, unsure, sure, long, Span(3, 3, "C")]) == [long, sure]
