"""Other streets, houses and postcodes for those of a text, of the same form."""

import re
from collections.abc import Sequence, Set
from functools import cache

from unname.knowledge.world import states_of_america
from unname.languages import read
from unname.text import WORD, is_latin, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import PARTS, joined, other_places
from unname.transforms.standins.signs import redrawn
from unname.transforms.standins.words import LONGEST, TRIES, cased, end_of, ends_of, other_name, telling, words_of

# A number of a house, or the single letter of a flat; a letter with a stop may be a kind of street ("R. Augusta").
_NUMBER = re.compile(r"[0-9]+(?:st|nd|rd|th)\b|\w*\d\w*|\b(?<!['’])[^\W\d_]\b(?![.'’]\s*\w)", re.IGNORECASE)
_ORDINAL = re.compile(r"([0-9]+)(st|nd|rd|th)", re.IGNORECASE)
_POSTCODE = re.compile(
    r"(?:\w{1,2}-)?\d{4,6}(?:-\d{3,4})?(?:\s[A-Z]{2}\b(?!\s*\d))?|[A-Z]{1,2}\d\w?\s?\d[A-Z]{2}\b", re.IGNORECASE
)
# A piece of an address as it will be written, or, if true, a place that is yet to be replaced.
_Piece = tuple[str, bool]
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def other_postcode(text: str, draws: Draws) -> str | None:
    """A postcode of the same form: every digit and letter drawn anew; None for a text without digits."""
    letters = [c for c in text if c.isalnum()]
    if len(text) > LONGEST or not any(map(str.isdecimal, letters)):
        return None
    if not all(c.isdecimal() or (c.isascii() and c.isalpha()) for c in letters):
        return None
    draws, words = draws.under("postcode", plain(text)), set(plain(text).split())
    new = (_in_words(text, draws.under(str(attempt))) for attempt in range(TRIES))
    many = {word for word in words if len(word) > 1}
    return next((each for each in new if each and many.isdisjoint(plain(each).split())), None)


def _in_words(text: str, draws: Draws) -> str | None:
    """Every word of a text drawn anew."""
    words = enumerate(WORD.finditer(text))
    return _edited(text, [(*word.span(), redrawn(word[0], draws.under(str(place)))) for place, word in words])


def other_address(text: str, draws: Draws, *, language: str = "en") -> str | None:
    """A street and house of the same form ("12 Main Street", "47 Walden Street"), or a whole line with postcode and place.

    Places in it become others together, as `other_place` does. None for scripts other than Latin and where a part has no
    other.
    """
    if len(text) > LONGEST or not is_latin(text) or not plain(text):
        return None
    row, read_parts = PARTS.split(text), list[list[_Piece]]()
    avoid = {word for word in telling(text, _staying()) if len(word) > 1}
    for part in row[::2]:
        pieces = _pieces(part, draws, avoid, language)
        if pieces is None:
            return None
        read_parts.append(pieces)
    places = [piece for pieces in read_parts for piece, is_place in pieces if is_place]
    others = other_places(places, draws, language, avoid=avoid) if places else []
    if others is None:
        return None
    rest = iter(others)
    written = [
        "".join(next(rest) if is_place else piece for piece, is_place in pieces).strip() for pieces in read_parts
    ]
    new = joined(row, written)
    return cased(new, text) if plain(new) != plain(text) else None


@cache
def _kinds() -> frozenset[str]:
    """Plain words for kinds of streets, of all languages."""
    rows = (kind for rows in read("streets").values() for row in rows for kind in row.split())
    return frozenset({*map(plain, rows), *words_of("streetwords"), *ends_of("streets")})


@cache
def _staying() -> frozenset[str]:
    return _kinds() | words_of("flats")


def _pieces(text: str, draws: Draws, avoid: Set[str], language: str) -> list[_Piece] | None:
    """The pieces of a part between commas; None if it has no other."""
    names = [w for w in plain(text).split() if w.isalpha() and len(w) > 1 and w not in words_of("flats")]
    if not plain(text):
        return [(text, False)]
    street = any(word in _kinds() or end_of(word, "streets") for word in names)
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
    rows = (
        [(city, True), (blank, False), (last, True)] if city and last.upper() in states_of_america() else [(name, True)]
    )
    return [(before, False), *rows, (behind, False)]


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


def _other_number(word: str, draws: Draws, avoid: Set[str]) -> str | None:
    """Another number of a house, flat or street ("12a", "2º", "42nd")."""
    nth = _ORDINAL.fullmatch(word)
    if nth is None:
        return redrawn(word, draws, avoid=avoid)
    new = redrawn(nth[1], draws, avoid=avoid)
    ending = "th" if new is None or new[-2:-1] == "1" else _ENDINGS.get(int(new[-1]), "th")
    return new and new + cased(ending, nth[2])


def _street_names(text: str) -> tuple[list[tuple[int, int]], bool]:
    """The places of streets' own names, and whether a word says that it is a street."""
    names, kind, goes_on = list[tuple[int, int]](), False, False
    for word in WORD.finditer(text):
        folded, start, stop = plain(word[0]), word.start(), word.end()
        end = end_of(folded, "streets")
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
