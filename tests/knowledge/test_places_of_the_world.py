"""The world's cities and countries by name: the likeliest of a name, in the language and where it is spoken."""

from unname.knowledge.world import (
    cities_alike,
    city_meant,
    countries,
    countries_of,
    known_city,
    states_of_america,
)
from unname.text import plain


def test_a_name_means_the_likeliest_city_of_the_language() -> None:
    english, german = city_meant("frankfurt", "en"), city_meant(plain("Köln"), "de")
    assert english and german and (english.country, german.country) == ("DE", "DE")
    boston = city_meant("boston", "en", "US", "MA")
    assert boston and boston.region == "MA" and city_meant("boston", "en", "DE") is None
    assert city_meant("no such town", "en") is None


def test_cities_alike_are_of_the_country_and_size_while_there_are_many() -> None:
    assert {(city.country, city.size) for city in cities_alike("DE", 2)} == {("DE", 2)}
    assert {city.country for city in cities_alike("DE", 0)} == {"DE"}
    assert len({city.country for city in cities_alike("VA", 3)}) > 1


def test_countries_of_a_language_begin_with_the_likeliest() -> None:
    assert countries_of("en")[0] == "US" and "GB" in countries_of("en") and countries_of("de")[:2] == ("DE", "AT")
    assert countries_of("xx")[0] == "US"


def test_a_country_is_known_in_the_language_and_in_english() -> None:
    assert {countries("de")["deutschland"], countries("de")["germany"]} == {"DE"}
    assert "deutschland" not in countries("es")


def test_towns_abroad_are_known_if_they_are_very_large() -> None:
    assert known_city("Leeds", "en") and known_city("Berlin", "en") and not known_city("Siegen", "en")
    assert known_city("Siegen", "de") and not known_city("Hospital", "en")


def test_states_have_names() -> None:
    assert states_of_america()["MA"] == "Massachusetts"
