"""Figures that a text states: dates, years, ordinals and numbers, however they are written.

A profile says 1897-04-09 and 82; the document says "April 9, 1897" and "the Eighty-second Congress". Term matching
does not see that these agree; a reader does.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from unname.text import remembering

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
         "december"), start=1)
}  # fmt: skip
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?({_MONTH})\b\.?,?(?:\s(\d{{4}}))?")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\b,?(?:\s(\d{{4}}))?")
_MONTH_YEAR = re.compile(rf"\b({_MONTH})\.?,?\s(\d{{4}})\b")
_SLASHED = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ORDINAL_UNITS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = (
    {word: number for number, word in enumerate(_UNITS.split(), start=1)}
    | {word: number for number, word in enumerate(_ORDINAL_UNITS.split(), start=1)}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {word[:-1] + "ieth": 10 * number for number, word in enumerate(_TENS, start=2)}
    | {"one hundred": 100, "one hundredth": 100}
)
_SMALL = "|".join(sorted(_VALUES, key=len, reverse=True))
_SPELLED = re.compile(rf"\b(one[\s-]hundred[\s-](?:and[\s-])?)?(?:({'|'.join(_TENS)})[\s-])?({_SMALL})\b")


def _first_letters(words: Iterable[str], letters: int) -> str:
    """A pattern for the first letters of any of these words."""
    heads = sorted({word[:letters] for word in words})
    rest = {first: "|".join(head[1:] for head in heads if head[0] == first) for first in sorted({h[0] for h in heads})}
    return "|".join(f"{first}(?:{tails})" for first, tails in rest.items())


# Beginnings of any of the above but a number in figures, by group: looking there and nowhere else takes a
# third of the time that searching for each takes. None of them can begin within another of its kind, but words.
_SHORT, _LONG, _WORDS = 1, 2, 4
_BEGINNING = re.compile(
    r"\b(?:(\d\d?(?!\d))|(\d{4}(?!\d))"
    rf"|({_first_letters(_MONTHS, 3)})(?=\w*\.?,?\s\d)|({_first_letters(_VALUES, 4)}))"
)


def _date(year: str | None, month: int, day: int | None) -> Iterator[str]:
    if day is not None:
        yield f"day:{month}-{day}"
    if year:
        yield f"month:{year}-{month}"
        if day is not None:
            yield f"date:{year}-{month}-{day}"


@lru_cache(maxsize=1024)
def _around(digits: str) -> tuple[str, ...]:
    year = int(digits)
    return (f"year:{year}", f"about:{year // 3}", f"about:{(year + 1) // 3}'", f"decade:{year // 10}")


@remembering
def facts(text: str) -> list[str]:
    """Every figure a text states, in normal form; a year also names its neighbourhood of three and its decade."""
    lower = text.lower()
    figures: list[str] = []
    spelled = 0
    for beginning in _BEGINNING.finditer(lower):
        at, kind = beginning.start(), beginning.lastindex
        if kind == _WORDS:
            if at >= spelled and (match := _SPELLED.match(lower, at)):
                value = (100 if match[1] else 0) + (_VALUES[match[2]] if match[2] else 0) + _VALUES[match[3]]
                figures.append(f"number:{value}")
                spelled = match.end()
        elif kind == _SHORT:
            if match := _DAY_FIRST.match(lower, at):
                figures += _date(match[3], _MONTHS[match[2]], int(match[1]))
            elif match := _SLASHED.match(lower, at):
                figures += _date(match[3], int(match[2]), int(match[1]))
        elif kind == _LONG:
            if lower.startswith("-", at + 4) and (match := _ISO.match(lower, at)):
                figures += _date(match[1], int(match[2]), int(match[3]))
            if match := _YEAR.match(lower, at):
                figures += _around(match[1])
        else:
            if match := _MONTH_FIRST.match(lower, at):
                figures += _date(match[3], _MONTHS[match[1]], int(match[2]))
            if match := _MONTH_YEAR.match(lower, at):
                figures += _date(match[2], _MONTHS[match[1]], None)
    return figures + [f"number:{number.replace(',', '')}" for number in _NUMBER.findall(lower)]
