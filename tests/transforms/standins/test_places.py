"""Stand-ins for places, streets and postcodes: of the same form and size, the same for one value, never the old one."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unname.text import fold, folded_runs, without_accents
from unname.transforms.standins import places
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import other_address, other_place, other_postcode

DRAWS = Draws(b"k" * 32)
ANYTHING = (
    st.text(max_size=40) | st.text("Leds ,MA12\n-'ßºÅ.🎉", max_size=20) | st.sampled_from(["x" * 10_000, "م 3", "東京"])
)


def words(text: str) -> set[str]:
    return {without_accents(word) for word in folded_runs(text)}


def city(name: str | None, language: str = "en") -> places.City:
    meant = places._meant(places.plain(name or ""), language)
    assert meant is not None
    return meant


@pytest.mark.parametrize(
    ("name", "language", "country", "size"),
    [("Leeds", "en", "GB", 1), ("Boston", "en", "US", 1), ("Dortmund", "de", "DE", 1), ("München", "de", "DE", None),
     ("Wien", "de", "AT", None), ("Salamanca", "es", "ES", 2), ("Firenze", "it", "IT", None)],
)  # fmt: skip
def test_a_city_becomes_another_of_its_country_and_size(
    name: str, language: str, country: str, size: int | None
) -> None:
    drawn = {other_place(name, Draws(bytes([key]) * 32), language=language) for key in range(12)}
    assert len(drawn) > 3 and all(drawn)
    inside = {places._called(each.name, language) for each in places._world()[2][country]}
    assert drawn <= inside
    if size is not None:
        alike = {places._called(each.name, language) for each in places._alike(country, size)}
        assert drawn <= alike and places._meant(places.plain(name), language).size == size


def test_two_names_of_one_city_become_one_other_city() -> None:
    assert other_place("Munich", DRAWS, language="de") == other_place("München", DRAWS, language="de")
    assert all(other_place("München", Draws(bytes([key])), language="de") != "München" for key in range(60))


def test_case_and_blanks_are_kept_and_do_not_count() -> None:
    new = other_place("New York", DRAWS)
    assert new and other_place("new  york", DRAWS) == new.lower() and other_place("NEW YORK", DRAWS) == new.upper()
    assert words(new).isdisjoint({"new", "york"})


def test_other_draws_give_another_city() -> None:
    assert len({other_place("Leeds", Draws(bytes([key]))) for key in range(10)}) > 3


def test_a_state_fits_the_new_city_and_a_country_is_left_out() -> None:
    for key in range(20):
        draws = Draws(bytes([key]))
        line, alone = other_place("Boston, MA", draws), other_place("Boston", draws)
        assert line and alone and other_place("Boston, MA, USA", draws) == line
        name, _, state = line.partition(", ")
        assert name == alone and state != "MA"
        assert not state or any(each.region == state for each in places._world()[0][places.plain(name)])
        assert other_place("Leeds, UK", draws) == other_place("Leeds", draws)
        assert "," not in (other_place("Toronto, ON", draws) or ",")


def test_a_country_becomes_another_of_its_continent_in_the_language() -> None:
    for name, language in [
        ("Germany", "en"),
        ("the UK", "en"),
        ("Deutschland", "de"),
        ("España", "es"),
        ("Россия", "ru"),
    ]:
        new = other_place(name, DRAWS, language=language)
        code = places._countries(language)[places.plain(new or "")]
        assert places._continents()[code] == "EU" and new in places._territories(language).values() and new != name


def test_states_and_regions_stay_what_they_are() -> None:
    states = set(places._states().values())
    assert other_place("California", DRAWS) in states - {"California"}
    assert other_place("TX", DRAWS) in places._states().keys() - {"TX"}
    assert places.plain(other_place("Bayern", DRAWS, language="de") or "") in places._regions("de")


def test_an_unknown_place_becomes_a_small_town_of_the_language_or_of_the_country_beside_it() -> None:
    assert city(other_place("Kleinkleckersdorf", DRAWS, language="de"), "de").country == "DE"
    assert city(other_place("Kleinkleckersdorf, Österreich", DRAWS, language="de"), "de").country == "AT"


@pytest.mark.parametrize("text", ["", " ", "🎉", ",", "12", "German", "東京", "Москва", "x" * 300])
def test_what_is_no_place_has_no_other(text: str) -> None:
    assert other_place(text, DRAWS) is None


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


@settings(max_examples=150, deadline=None)
@given(ANYTHING, st.sampled_from(["en", "de", "es", "xx", ""]))
def test_whatever_stands_there_is_never_written_again(text: str, language: str) -> None:
    for new in (
        other_place(text, DRAWS, language=language),
        other_address(text, DRAWS, language=language),
        other_postcode(text, DRAWS),
    ):
        assert new is None or (new.strip() and fold(new) != fold(text))


def test_every_language_with_names_of_streets_has_family_names() -> None:
    for language in places.read("organisations")["streets"]:
        assert len(places.family_names(language)) > 50
    assert places.family_names("xx") == places.family_names("en")
