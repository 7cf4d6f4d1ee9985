"""Sentences of texts and of profiles, written out by hand and by a slow second reader."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.reidentifiers.encoders.statements import one_line, sentences, statements


@pytest.mark.parametrize(
    "field, value, said",
    [
        ("occupation", "nurse", "I work as nurse."), ("Beruf", "Pflegerin", "I work as Pflegerin."),
        ("place of birth", "Elmira", "I grew up in Elmira."), ("hometown", "Elmira", "I grew up in Elmira."),
        ("home_town", "Elmira", "I live in Elmira."), ("current-city", "Bonn", "I live in Bonn."),
        ("education", "PhD", "I have a PhD."), ("age", "41", "I am 41 years old."), ("sex", "female", "I am female."),
        ("income", "high", "I earn high."), ("citizenship", "Danish", "I am Danish."),
        ("party", "Green", "I belong to the Green party."), ("hobbies", "rowing", "I like rowing."),
        ("diagnosis", "asthma", "I have asthma."), ("shoe size", "42", "My shoe size is 42."),
    ],
)  # fmt: skip
def test_a_value_is_said_as_somebody_would_say_it(field: str, value: str, said: str) -> None:
    assert statements(field, value, 4) == [said]
    assert one_line([(field, value)]) == said


@pytest.mark.parametrize("field", ["birth date", "birth year", "year of birth", "Date_of_Birth"])
def test_a_date_is_no_place_to_grow_up_in(field: str) -> None:
    assert statements(field, "1897", 4) == [f"My {field} is 1897."]


def test_part_of_a_word_is_not_the_word() -> None:
    assert statements("page", "12", 4) == ["My page is 12."] and statements("sexton", "yes", 4) == ["My sexton is yes."]


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_field_and_value_can_be_said_and_the_value_is_in_it(field: str, value: str) -> None:
    plain = " ".join(value.split())
    found = statements(field, value, 4)
    assert len(found) == (1 if plain else 0)
    assert all(plain in said and said.endswith(".") for said in found)


def test_braces_are_letters_like_others() -> None:
    assert statements("{0}{x", "{1} {}", 4) == ["My 0x is {1} {}."]
    assert one_line([("a{}b", "{x}"), ("job", "{}")]) == "My ab is {x}. I work as {}."


@pytest.mark.parametrize("words, most, parts", [(40, 1, 1), (41, 4, 2), (80, 4, 2), (500, 4, 4), (500, 99, 13)])
def test_long_values_are_read_in_passages_of_forty_words(words: int, most: int, parts: int) -> None:
    said = [f"w{i}" for i in range(words)]
    found = statements("biography", "  ".join(said), most)
    assert len(found) == parts
    if words <= 40:
        assert found == [f"My biography is {' '.join(said)}."]
    else:
        assert " ".join(found).split() == said[: 40 * parts] and all(len(part.split()) <= 40 for part in found)


# --- sentences of a text


def slow_sentences(text: str) -> list[str]:
    """The definition, word by word, for texts in which a sentence ends with a word that ends in a stop, or a line."""
    pieces: list[list[str]] = []
    for line in text.split("\n"):
        pieces.append([])
        for word in re.sub(r"\[[A-Z_0-9]+\]", " ", line).split():
            if len(pieces[-1]) == 40:
                pieces.append([])
            pieces[-1].append(word)
            if word[-1] in ".!?…":
                pieces.append([])
    found = [" ".join(piece) for piece in pieces if sum(any(c.isalnum() for c in word) for word in piece) >= 2]
    threes = [" ".join(found[at : at + 3]) for at in range(len(found)) if at + 3 <= len(found)]
    kept: list[str] = []
    for one in found + threes:
        if one not in kept:
            kept.append(one)
    return kept


@given(
    st.lists(st.sampled_from(["I", "went", "home.", "Why?", "Yes!", "well…", "1897", "—", "[MASK]", "[NAME_1]", "\n"]))
)
def test_sentences_are_those_of_a_slow_reader(words: list[str]) -> None:
    text = " ".join(words)
    assert sentences(text) == slow_sentences(text)


def test_sentences_are_read_alone_and_three_in_a_row() -> None:
    a, b, c, d = "I am on call.", "We went home!", "Was it late?", "It was late"
    assert sentences(f"{a} {b}\n{c}  {d}") == [a, b, c, d, f"{a} {b} {c}", f"{b} {c} {d}"]


def test_repeated_sentences_are_read_once() -> None:
    assert sentences("So it is. So it is.") == ["So it is."]


def test_placeholders_are_left_out_and_a_sentence_of_one_word_is_none() -> None:
    assert sentences("I saw [NAME_1] there. [MASK] [MASK]. Hello. [MASK] again.") == ["I saw there."]


def test_a_stretch_without_an_end_is_cut_after_forty_words() -> None:
    assert [len(one.split()) for one in sentences(" ".join(f"w{i}" for i in range(95)))] == [40, 40, 15, 95]


@pytest.mark.parametrize("text", ["", "x", " \n ", "...", "[MASK]"])
def test_a_text_that_says_nothing_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


@given(st.text())
def test_any_text_can_be_read_and_no_sentence_is_empty(text: str) -> None:
    assert all(one.strip() for one in sentences(text))
