"""Names of months, and days of a month in words, in the languages of CLDR: one table, which is read when it is needed.

The table (`languages/months.txt`) is what CLDR and ICU say; `languages/monthforms.toml` what people write besides. A name is
looked for in small letters, without accents and full stops.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from unname import languages
from unname.text import without_accents

_TABLE = Path(__file__).parent / "languages" / "months.txt"
# What abbreviations end in, joiners within a word, and the hyphens of "twenty-first".
_SIGNS = str.maketrans("-", " ", "\xad\u200c\u200d.׳'’॰")
# Of these languages a short form is enough ("3 Feb"), but for other words ("7 out", "12 set", "ich mag") and names.
_MAIN = frozenset(("en", "de", "fr", "es", "it", "pt", "nl"))
_EVERYDAY = frozenset(("out", "set", "gen", "mag", "ott", "lug", "giu", "maa", "sett", "ag", "fev",
                        "marca", "marta", "augusta", "augusto", "julie", "julius", "junius"))  # fmt: skip
# Letters from which on a full name is hardly another word; other scripts than Latin have few words of a text in Latin.
_SURELY, _SURELY_ELSEWHERE = 5, 3


# Letters with the vowel signs and other marks that scripts of Asia spell with.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05c1\u05c2\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u200c\u200d"
    + "".join(f"{chr(script)}-{chr(script + 0x63)}" for script in range(0x900, 0xE00, 0x80))
    + "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"
)
LETTERS = rf"(?:[^\W\d_]++[{_MARKS}]*+)++(?:\.[\u0e01-\u0eff]++)*+"


class _Table(NamedTuple):
    """Names of months: the months that each may be, the names of no other meaning, those of several words by their first."""

    months: dict[str, frozenset[int]]
    sure: frozenset[str]
    several: dict[str, tuple[str, ...]]
    main: dict[int, tuple[str, ...]]
    days: dict[str, int]


def plain(name: str) -> str:
    """A name as the table has it: small letters without accents, full stops and apostrophes."""
    folded = name.casefold()
    if folded.isascii() and folded.isalpha():
        return folded
    return without_accents(folded).translate(_SIGNS)


@lru_cache(maxsize=1 << 15)
def months_of(word: str) -> frozenset[int]:
    """The months, from 1 to 12, that a word or name of several words may mean in any language; mostly none."""
    return _table().months.get(plain(word), _NONE)


@lru_cache(maxsize=1 << 15)
def is_month(word: str) -> bool:
    """True if a word means a month wherever a number stands beside it; short forms often mean something else."""
    return plain(word) in _table().sure


@lru_cache(maxsize=1 << 16)
def may_be_month(word: str) -> bool:
    """True if a word is a name of a month, or the first of one of several words."""
    known = plain(word)
    return known in _table().months or known in _table().several


def begins_months(word: str) -> tuple[str, ...]:
    """The plain names of several words that begin with a word, the longest first."""
    return _table().several.get(plain(word), ())


def month_names(month: int) -> tuple[str, ...]:
    """Names of a month in seven languages of western Europe, plain."""
    return _table().main[month]


def day_of(phrase: str) -> int | None:
    """The day of a month that words mean ("twenty-first", "dos"), or None."""
    return _table().days.get(plain(phrase))


_NONE: frozenset[int] = frozenset()


def _rows() -> Iterator[tuple[str, str, list[str]]]:
    for line in _TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            language, kind, *cells = line.split("\t")
            yield language, kind, cells
    for language, rows in languages.read("monthforms").items():
        for row in rows:
            yield language, "hand", [plain(cell.strip("-").replace("_", " ")) for cell in row.split()]


@lru_cache(maxsize=1)
def _table() -> _Table:
    months: dict[str, set[int]] = defaultdict(set)
    main: dict[int, dict[str, None]] = {month: {} for month in range(1, 13)}
    days: dict[str, int] = {}
    sure = set[str]()
    for language, kind, cells in _rows():
        for number, cell in enumerate(cells, start=1):
            for name in cell.split(",") if cell else ():
                if kind == "day":
                    days.setdefault(name, number)
                    continue
                for form in (name, "ב" + name) if language == "he" else (name,):
                    months[form].add(number)
                    if language in _MAIN or (kind == "month" and _is_long(form)):
                        sure.add(form)
                if language in _MAIN:
                    main[number].setdefault(name)
    several: dict[str, list[str]] = defaultdict(list)
    for name in sorted(months, key=len, reverse=True):
        if " " in name:
            several[name.split()[0]].append(name)
    return _Table(
        {name: frozenset(meant) for name, meant in months.items()}, frozenset(sure - _EVERYDAY),
        {first: tuple(names) for first, names in several.items()},
        {number: tuple(names) for number, names in main.items()}, days,
    )  # fmt: skip


def _is_long(name: str) -> bool:
    return len(name) >= (_SURELY if name < "\u0370" else _SURELY_ELSEWHERE)
