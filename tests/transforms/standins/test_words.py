"""Words and family names that all stand-ins share, and digits and letters drawn in place of others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.standins.shapes import shape, words
from unname.knowledge.faker import family_names
from unname.languages import read
from unname.text import is_latin, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.signs import behind_cue, drawn_signs, redrawn
from unname.transforms.standins.words import cased, drawn_apart, end_of, folded, other_name, script_of, telling

DRAWS = Draws(b"k" * 32)


def test_two_ways_of_writing_a_value_have_one_plain_form() -> None:
    assert plain("São  PAULO") == plain("sao paulo") == "sao paulo" and folded("O’Brien-Holm") == folded("obrien holm")


@pytest.mark.parametrize(
    ("written", "like", "wanted"),
    [("Kent", "LEEDS", "KENT"), ("Kent", "leeds", "kent"), ("Kent", "Leeds", "Kent"), ("Kent", "L", "Kent")],
)
def test_case_is_that_of_another_text(written: str, like: str, wanted: str) -> None:
    assert cased(written, like) == wanted


def test_scripts_of_words() -> None:
    assert [script_of(each) for each in ("Holm", "Иван", "王", "-")] == ["latin", "cyrillic", "cjk", ""]
    assert is_latin("Łódź 12") and not is_latin("Leeds Лидс")


def test_function_words_and_those_that_stay_tell_nothing() -> None:
    assert telling("The Hospital of Leeds", {"hospital"}) == {"leeds"}


def test_an_end_that_says_a_kind_has_a_name_before_it() -> None:
    assert end_of("hauptstrasse", "streets") == "strasse" and end_of("diestrasse", "streets") == "strasse"
    assert not end_of("amstrasse", "streets") and not end_of("hauptstrasse", "organisations")


def test_every_language_with_names_of_streets_has_family_names() -> None:
    for language in read("organisations")["streets"]:
        assert len(family_names(language)) > 50
    assert family_names("xx") == family_names("en")


def test_no_drawn_text_has_a_word_to_avoid() -> None:
    rows = ("Holm Road", "Kent Road", "York")
    assert {drawn_apart(rows, DRAWS.under(str(turn)), {"road"}) for turn in range(9)} == {"York"}
    assert drawn_apart(rows, DRAWS, {"road", "york"}) is None and drawn_apart((), DRAWS, set()) is None
    name = family_names("en")[0]
    others = {other_name(DRAWS.under(str(turn)), name, avoid=set(), language="en") for turn in range(50)}
    assert len(others) > 20 and name not in others


@given(st.text("0123aZé -.٣", max_size=12))
def test_redrawn_text_keeps_its_shape_and_changes_its_value(text: str) -> None:
    new = redrawn(text, DRAWS)
    assert new is None or (shape(new) == shape(text) and words(new) != words(text))


def test_a_redrawn_number_begins_with_no_zero() -> None:
    assert not any((redrawn("17", DRAWS.under(str(turn))) or "0").startswith("0") for turn in range(60))


def test_signs_are_drawn_from_their_alphabets() -> None:
    alphabets = ["01", "ab", "x"] * 20
    drawn = drawn_signs(alphabets, DRAWS, "some")
    assert len(drawn) == 60 and all(sign in alphabet for sign, alphabet in zip(drawn, alphabets, strict=True))
    assert drawn != drawn_signs(alphabets, DRAWS, "others")


@pytest.mark.parametrize(("text", "place"), [("MRN 12", 4), ("Tel. (030) 1", 5), ("Holm 12", 0), ("MRN", 0), ("", 0)])
def test_a_number_begins_behind_the_words_that_say_what_it_is(text: str, place: int) -> None:
    assert behind_cue(text) == place
