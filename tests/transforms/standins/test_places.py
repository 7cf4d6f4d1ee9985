"""Other places: of the same kind, country and size, the same for one value, never the old one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transforms.standins.shapes import ANYTHING, words
from unname.knowledge import world
from unname.knowledge.world import (
    City,
    called,
    cities_alike,
    city_meant,
    continents,
    countries,
    regions,
    states_of_america,
    territories,
)
from unname.text import fold, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import other_place

DRAWS = Draws(b"k" * 32)


def city(name: str | None, language: str = "en") -> City:
    meant = city_meant(plain(name or ""), language)
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
    inside = {called(each.name, language) for each in world._world()[2][country]}
    assert drawn <= inside
    if size is not None:
        alike = {called(each.name, language) for each in cities_alike(country, size)}
        assert drawn <= alike and city_meant(plain(name), language).size == size


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
        assert not state or any(each.region == state for each in world._world()[0][plain(name)])
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
        code = countries(language)[plain(new or "")]
        assert continents()[code] == "EU" and new in territories(language).values() and new != name


def test_states_and_regions_stay_what_they_are() -> None:
    states = set(states_of_america().values())
    assert other_place("California", DRAWS) in states - {"California"}
    assert other_place("TX", DRAWS) in states_of_america().keys() - {"TX"}
    assert plain(other_place("Bayern", DRAWS, language="de") or "") in regions("de")


def test_an_unknown_place_becomes_a_small_town_of_the_language_or_of_the_country_beside_it() -> None:
    assert city(other_place("Kleinkleckersdorf", DRAWS, language="de"), "de").country == "DE"
    assert city(other_place("Kleinkleckersdorf, Österreich", DRAWS, language="de"), "de").country == "AT"


@pytest.mark.parametrize("text", ["", " ", "🎉", ",", "12", "German", "東京", "Москва", "x" * 300])
def test_what_is_no_place_has_no_other(text: str) -> None:
    assert other_place(text, DRAWS) is None


@settings(max_examples=100, deadline=None)
@given(ANYTHING, st.sampled_from(["en", "de", "es", "xx", ""]))
def test_no_place_is_ever_written_again(text: str, language: str) -> None:
    new = other_place(text, DRAWS, language=language)
    assert new is None or (new.strip() and fold(new) != fold(text))
