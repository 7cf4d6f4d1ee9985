"""Words, the form under which two spellings are one, and what is readable beside a placeholder."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unname.text import (
    GAP,
    MASK_TOKEN,
    WORD,
    fold,
    folded_words,
    in_words,
    is_parted,
    placeholders,
    places,
    visible,
    words,
)


def slow_words(text: str) -> list[tuple[int, int]]:
    """Runs of letters, with the vowel signs behind them, numbers and the low line, one character at a time."""
    found, start = [], None
    for place, character in enumerate(text):
        sign = "\u0590" < character < "\u17de" and unicodedata.category(character) in ("Mn", "Mc")
        inside = character.isalnum() or character == "_" or (sign and start is not None)
        if inside and start is None:
            start = place
        if not inside and start is not None:
            found.append((start, place))
            start = None
    return [*found, (start, len(text))] if start is not None else found


@given(st.text())
@example("Zoë İstanbul ﬁne ½ \U00010330_1 x")
@example("सुनीता आई, كتب مُحَمَّد, שָׁלוֹם")
def test_words_are_maximal_runs_of_word_characters_of_the_original(text: str) -> None:
    parted = "".join(c if is_parted(c) else " " for c in text)
    assert [(w.start, w.end) for w in words(parted)] == slow_words(parted)


@given(st.text(st.sampled_from("患者欧阳娜今日山田太郎さんはカナผู้ป่วยชื่อကa1 _.,\U00020000"), max_size=30))
@example("患者欧阳娜娜今日因咳嗽复诊，予止咳药。")
def test_scripts_that_part_no_words_are_cut_into_words_of_a_dictionary(text: str) -> None:
    found = [(w.start, w.end) for w in words(text)]
    assert found == list(places(text)) and len(found) >= len(slow_words(text))
    assert {i for a, b in found for i in range(a, b)} == {i for a, b in slow_words(text) for i in range(a, b)}
    assert list(in_words(WORD.findall(text))) == [text[a:b] for a, b in found]


def test_a_chinese_sentence_has_words() -> None:
    assert [text[w.start : w.end] for text in ["患者今日因咳嗽来院。"] for w in words(text)][:3] == [
        "患者",
        "今日",
        "因",
    ]


@given(st.text())
def test_a_word_carries_its_folded_form_and_nothing_of_its_neighbours(text: str) -> None:
    assert [w.folded for w in words(text)] == folded_words(text) == [fold(text[w.start : w.end]) for w in words(text)]


def test_a_letter_that_folds_to_two_code_points_does_not_split_its_word() -> None:
    assert [(w.start, w.end) for w in words("İstanbul, Straße")] == [(0, 8), (10, 16)]
    assert fold("Straße") == fold("STRASSE") and len(folded_words("İstanbul")) == 1


@given(st.text(st.characters(categories=["L", "N", "M"]), max_size=6))
def test_folding_twice_is_folding_once(word: str) -> None:
    assert fold(fold(word)) == fold(word)


def test_folding_twice_is_folding_once_for_every_character_there_is() -> None:
    every = (chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF)
    assert not [f"U+{ord(c):04X}" for c in every if fold.__wrapped__(fold.__wrapped__(c)) != fold.__wrapped__(c)]


@pytest.mark.parametrize("one, other", [("Ada", "ADA"), ("ﬁne", "fine"), ("Zoë", "Zoe\u0308"), ("Σας", "ΣΑΣ")])
def test_spellings_that_read_the_same_fold_to_one_word(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8))
def test_composed_and_decomposed_spellings_fold_to_one_word(word: str) -> None:
    assert fold(unicodedata.normalize("NFD", word)) == fold(unicodedata.normalize("NFC", word))


def test_a_word_does_not_show_itself() -> None:
    assert "ada" not in repr(words("Ada")[0]).casefold()


@pytest.mark.parametrize(
    "token", [MASK_TOKEN, "[NAME]", "[NAME_1]", "[GIVEN_NAME]", "[A]", "[X_9Z]", "[PERSON 1]", "[A_B 999]"]
)
def test_a_placeholder_is_a_gap_that_is_no_word_and_joins_none(token: str) -> None:
    assert folded_words(visible(f"Ada{token}Byron")) == ["ada", "byron"]
    assert visible(f"Ada{token}Byron").count(GAP) == 1
    assert list(placeholders(f"Ada {token}.")) == [(4, 4 + len(token))]


@pytest.mark.parametrize(
    "text",
    ["[mask]", "[Ada]", "[1]", "[]", "[ MASK ]", "(MASK)", "[_A]", "[A_]", "[N 0]", "[N 01]", "[N 1984]", "[N  1]"],
)
def test_other_brackets_are_text(text: str) -> None:
    assert visible(text) == text and not list(placeholders(text))


@given(st.text())
def test_a_text_without_brackets_is_visible_as_it_is(text: str) -> None:
    text = text.replace("[", "(")
    assert visible(text) == text
