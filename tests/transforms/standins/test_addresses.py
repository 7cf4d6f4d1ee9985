"""Other streets and postcodes: of the same form, the same for one value, never the old one."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transforms.standins.shapes import ANYTHING, words
from unname.text import fold
from unname.transforms.standins.addresses import other_address, other_postcode
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import other_place

DRAWS = Draws(b"k" * 32)


@pytest.mark.parametrize(
    ("text", "language", "form"),
    [
        ("12 Main Street", "en", r"[1-9]\d NAME Street"),
        ("Hauptstraße 5", "de", r"NAMEstraße [1-9]"),
        ("HAUPTSTRASSE 5", "de", r"NAMESTRASSE [1-9]"),
        ("Hauptstr. 5", "de", r"NAMEstr\. [1-9]"),
        ("Karl-Marx-Allee 12a", "de", r"NAME-Allee [1-9]\d[a-z]"),
        ("Straße des 17. Juni 135", "de", r"Straße NAME [1-9]\d\d"),
        ("Unter den Linden 5", "de", r"NAMEstraße [1-9]"),
        ("Calle Mayor 3, 2º B", "es", r"Calle NAME [1-9], [1-9]º [A-Z]"),
        ("rue de la Paix 12", "fr", r"rue NAME [1-9]\d"),
        ("Via Roma, 12", "it", r"Via NAME, [1-9]\d"),
        ("Kerkstraat 12, 1012 AB Amsterdam", "nl", r"NAMEstraat [1-9]\d, [1-9]\d{3} [A-Z]{2} PLACE"),
        ("R. Augusta 5", "pt", r"R\. NAME [1-9]"),
        ("W 42nd St", "en", r"[A-Z] [1-9]\d(st|nd|rd|th) St"),
        ("4 Elm Road, Leeds LS1 4AB", "en", r"[1-9] NAME Road, PLACE [A-Z]{2}[1-9] [1-9][A-Z]{2}"),
        ("Flat 3B, 12 Main St\nLeeds, UK", "en", r"Flat [1-9][A-Z], [1-9]\d NAME St\nPLACE"),
        ("1600 Pennsylvania Ave NW", "en", r"[1-9]\d{3} NAME Ave NW"),
    ],
)
def test_an_address_keeps_its_form(text: str, language: str, form: str) -> None:
    name = "[^\\W\\d_]+"
    pattern = form.replace("NAME", name).replace("PLACE", f"{name}(?:[ '’-]{name})*")
    for key in range(10):
        new = other_address(text, Draws(bytes([key])), language=language)
        assert new and re.fullmatch(pattern, new), new


def test_no_own_word_of_an_address_is_left() -> None:
    for key in range(30):
        new = other_address("12a Main Street, Boston, MA 02101", Draws(bytes([key])))
        assert new and words(new).isdisjoint({"12a", "main", "boston", "ma", "02101"})


def test_one_street_is_one_street_whatever_the_house() -> None:
    first, second = other_address("12 Main Street", DRAWS), other_address("7 Main St", DRAWS)
    assert first and second and first.split()[1] == second.split()[1]


def test_a_place_in_an_address_is_the_one_it_becomes_alone() -> None:
    line = other_address("12 Main Street, 02101 Boston", DRAWS)
    assert line and line.endswith(f" {other_place('Boston', DRAWS)}")


def test_a_number_of_a_street_gets_the_ending_it_is_spoken_with() -> None:
    for key in range(40):
        new = other_address("22nd Street", Draws(bytes([key]))) or ""
        number, ending = int(new[:2]), new[2:4]
        assert ending == ("th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th"))


@pytest.mark.parametrize("text", ["90402", "LS1 4AB", "ls1 4ab", "D-90402", "02101-1234", "1012 AB", "٣٤٥", "7"])
def test_a_postcode_keeps_its_form_and_no_part(text: str) -> None:
    for key in range(20):
        new = other_postcode(text, Draws(bytes([key])))
        assert new and len(new) == len(text) and words(new).isdisjoint(words(text))
        for old, sign in zip(text, new, strict=True):
            assert (old.isdecimal(), old.isupper(), old.islower()) == (sign.isdecimal(), sign.isupper(), sign.islower())
            assert old.isalnum() or old == sign


@pytest.mark.parametrize("text", ["", "Leeds", "-", "é1", "1" * 300])
def test_what_is_no_postcode_has_no_other(text: str) -> None:
    assert other_postcode(text, DRAWS) is None


@settings(max_examples=100, deadline=None)
@given(ANYTHING, st.sampled_from(["en", "de", "es", "xx", ""]))
def test_no_address_or_postcode_is_ever_written_again(text: str, language: str) -> None:
    for new in (other_address(text, DRAWS, language=language), other_postcode(text, DRAWS)):
        assert new is None or (new.strip() and fold(new) != fold(text))
