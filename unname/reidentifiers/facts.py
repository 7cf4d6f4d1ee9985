"""What a text states in figures: dates, years, ordinals and numbers, however they are written.

A profile says 1897-04-09 and 82; the document says "April 9, 1897" and "the Eighty-second Congress". Term matching
does not see that these agree; whoever reads does.
"""

import re
from collections.abc import Iterator

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
_UNITS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ORDINAL_UNITS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = (
    {word: number for number, word in enumerate(_UNITS, start=1)}
    | {word: number for number, word in enumerate(_ORDINAL_UNITS, start=1)}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {word[:-1] + "ieth": 10 * number for number, word in enumerate(_TENS, start=2)}
    | {"one hundred": 100, "one hundredth": 100}
)
_SMALL = "|".join(sorted(_VALUES, key=len, reverse=True))
_SPELLED = re.compile(rf"\b(one[\s-]hundred[\s-](?:and[\s-])?)?(?:({'|'.join(_TENS)})[\s-])?({_SMALL})\b")


def _date(year: str | None, month: int, day: int | None) -> Iterator[str]:
    if day is not None:
        yield f"day:{month}-{day}"
    if year:
        yield f"month:{year}-{month}"
        if day is not None:
            yield f"date:{year}-{month}-{day}"


def facts(text: str) -> list[str]:
    """Every figure a text states, in normal form; a year also names its neighbourhood of three and its decade."""
    lower = text.lower()
    found: list[str] = []
    for match in _ISO.finditer(lower):
        found += _date(match[1], int(match[2]), int(match[3]))
    for match in _DAY_FIRST.finditer(lower):
        found += _date(match[3], _MONTHS[match[2]], int(match[1]))
    for match in _MONTH_FIRST.finditer(lower):
        found += _date(match[3], _MONTHS[match[1]], int(match[2]))
    for match in _MONTH_YEAR.finditer(lower):
        found += _date(match[2], _MONTHS[match[1]], None)
    for match in _SLASHED.finditer(lower):
        found += _date(match[3], int(match[2]), int(match[1]))
    for match in _YEAR.finditer(lower):
        year = int(match[1])
        found += [f"year:{year}", f"about:{year // 3}", f"about:{(year + 1) // 3}'", f"decade:{year // 10}"]
    found += [f"number:{match[0].replace(',', '')}" for match in _NUMBER.finditer(lower)]
    for match in _SPELLED.finditer(lower):
        value = (100 if match[1] else 0) + (_VALUES[match[2]] if match[2] else 0) + _VALUES[match[3]]
        found.append(f"number:{value}")
    return found
