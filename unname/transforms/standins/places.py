"""Other places for those of a text: a city becomes one of its size and country, a country one of its continent."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from unname.knowledge.countries import COUNTRIES
from unname.knowledge.faker import home_of
from unname.knowledge.world import (
    CLASSES,
    PLAIN_NAME,
    City,
    called,
    cities_alike,
    city_meant,
    continents,
    countries,
    nations,
    provinces_of_canada,
    regions,
    states_of_america,
    territories,
)
from unname.stopwords import bare_function_words
from unname.text import is_latin, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.words import LONGEST, TRIES, cased, drawn_apart, telling

# Between the parts of a place or an address.
PARTS = re.compile(r"(\s*[,;\n]\s*)")


@dataclass(frozen=True, slots=True, repr=False)
class _PlacePart:
    """A part of a place's name between commas: its kind, and the code of a country or state."""

    text: str
    kind: str
    code: str = ""

    def __repr__(self) -> str:
        return f"_PlacePart({self.kind!r})"


def other_place(text: str, draws: Draws, *, language: str = "en") -> str | None:
    """A place like another: a city by one of its size and country, a country by one of its continent.

    A state behind a city fits the new city; a country behind it is left out. A place that nobody knows becomes a small
    town. None for scripts other than Latin, names of a country's people, and what has no letters.
    """
    if len(text) > LONGEST or not any(map(str.isalpha, text)):
        return None
    row = PARTS.split(text)
    written = other_places(row[::2], draws, language)
    return cased(joined(row, written), text) if written else None


def other_places(
    texts: Sequence[str], draws: Draws, language: str, *, avoid: Set[str] = frozenset()
) -> list[str] | None:
    """Others for the parts of one place; empty where the rest says it already. None if one of them has no other."""
    parts = [_read(each, language, first=not place) for place, each in enumerate(texts)]
    avoid = {*avoid, *telling(" ".join(texts))}
    if all(part.kind in ("country", "") for part in parts):
        written = [_other_country(part, draws, avoid, language) if part.kind else part.text for part in parts]
    else:
        written = _Line(parts, avoid, draws, language).written()
    said = [each for each in written if each is not None]
    return said if len(said) == len(parts) and any(map(plain, said)) else None


def joined(row: Sequence[str], written: Sequence[str]) -> str:
    """Parts with what stood between them, but before a part that was left out."""
    said = "".join(
        (row[2 * place - 1] if place else "") + each
        for place, each in enumerate(written)
        if each.strip() or not row[2 * place].strip()
    )
    return PARTS.sub("", said, count=1) if row[0].strip() and not written[0].strip() else said


@lru_cache(maxsize=1 << 12)
def _read(text: str, language: str, *, first: bool) -> _PlacePart:
    name = plain(text)
    if not name:
        return _PlacePart(text, "")
    article, _, bare = name.partition(" ")
    country = countries(language).get(bare if article in bare_function_words() else name)
    country = country or countries(language).get(name) or ("" if first or name not in provinces_of_canada() else "CA")
    if country:
        return _PlacePart(text, "country", country)
    state = next((code for code, full in states_of_america().items() if name in (code.lower(), plain(full))), "")
    city = city_meant(name, language)
    if state and (city is None or not first):
        return _PlacePart(text, "state", state)
    if city is None and name in regions(language):
        return _PlacePart(text, "region")
    if city is None and name in COUNTRIES:
        return _PlacePart(text, "people")
    return _PlacePart(text, "city")


def _other_country(part: _PlacePart, draws: Draws, avoid: Set[str], language: str) -> str | None:
    alike = [code for code, continent in continents().items() if continent == continents().get(part.code)]
    names = [territories(language)[code] for code in alike if code in nations() & territories(language).keys()]
    avoid = {*avoid, *plain(territories(language).get(part.code, "")).split()}
    written = drawn_apart(list(filter(PLAIN_NAME.fullmatch, names)), draws.under("country", part.code), avoid)
    return written and cased(written, part.text)


class _Line:
    """A place in several parts, of which some are cities."""

    def __init__(self, parts: Sequence[_PlacePart], avoid: Set[str], draws: Draws, language: str) -> None:
        self._parts, self._avoid, self._draws, self._language = parts, avoid, draws, language
        self._state = next((part.code for part in parts if part.kind == "state"), "")
        country = next((part.code for part in reversed(parts) if part.kind == "country"), "")
        self._country = "US" if self._state else country
        self._new: City | None = None

    def written(self) -> list[str | None]:
        """The new parts; one is empty that the others say already."""
        return [self._other(part) for part in self._parts]

    def _other(self, part: _PlacePart) -> str | None:
        if part.kind == "city":
            return self._other_city(part)
        if part.kind == "region" and self._new:
            return ""
        if part.kind == "region":
            rows = regions(self._language)[plain(part.text)]
            return self._said(drawn_apart(rows, self._draws.under("region", plain(part.text)), self._avoid), part)
        if part.kind == "state":
            return self._other_state(part)
        return None if part.kind == "people" else "" if part.kind else part.text

    def _other_city(self, part: _PlacePart) -> str | None:
        name = plain(part.text)
        old = city_meant(name, self._language, self._country, self._state) or city_meant(
            name, self._language, self._country
        )
        if old is None and not is_latin(part.text):
            return None
        country, size = (old.country, old.size) if old else (self._country or home_of(self._language), len(CLASSES))
        rows, draws = cities_alike(country, size), self._draws.under("city", plain(old.name) if old else name)
        avoid = {*self._avoid, *(plain(old.name).split() if old else ())}
        for each in map(str, range(TRIES if rows else 0)):
            self._new = draws.choice(rows, each)
            written = called(self._new.name, self._language)
            if avoid.isdisjoint(plain(f"{self._new.name} {written}").split()):
                return self._said(written, part)
        return None

    def _other_state(self, part: _PlacePart) -> str | None:
        states = states_of_america()
        code = self._new.region if self._new else ""
        if self._new is None or code not in states:
            codes = sorted(each for each in states if each != part.code)
            code = self._draws.choice(codes, "state", part.code)
        name = code if len(plain(part.text)) == 2 else states[code]
        is_old = code == part.code or not self._avoid.isdisjoint(plain(name).split())
        return "" if is_old else self._said(name, part)

    def _said(self, written: str | None, part: _PlacePart) -> str | None:
        return written and cased(written, part.text)
