"""Other ages in figures for those of a text, some years away."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from unname.languages import phrases, read
from unname.text import fold
from unname.transforms.standins.signs import LONGEST_CODE, in_script

_NUMBER = re.compile(r"\d+")
# A decade or an ordinal is no age.
_NO_AGE = re.compile(r"(?:['’]?s|er\w*|st|nd|rd|th)(?!\w)|%", re.IGNORECASE)
_OLDEST, _YOUNG, _MOST_NUMBERS = 89, 36, 2
_UNITS = ("duration-month", "duration-week", "duration-day", "duration-hour")


def other_age(text: str, years: int) -> str | None:
    """An age in figures so many years later or, where that leaves 1 to 89, earlier; the rest stays as it is.

    None where the text has no such number, or it is from 90 on, or counts months, weeks or days; where it is a decade;
    where other numbers stand beside it that an age has not; and where a word stands there that is not said of ages.
    """
    numbers = list(_NUMBER.finditer(text)) if len(text) <= LONGEST_CODE else []
    if not 1 <= len(numbers) <= _MOST_NUMBERS or any(len(each[0]) > 2 for each in numbers):
        return None
    if counts_less_than_years(text, numbers[0]) or not says_age_alone(text):
        return None
    ages = [each for each in numbers if not counts_less_than_years(text, each)]
    if any(_NO_AGE.match(text, each.end()) for each in ages):
        return None
    values = [int(each[0]) for each in ages]
    step = next((step for step in (years, -years) if all(1 <= value + step <= _OLDEST for value in values)), 0)
    if step == 0 or max(values) > _OLDEST:
        return None
    parts, at = list[str](), 0
    for each, value in zip(ages, values, strict=True):
        width = len(each[0]) if unicodedata.decimal(each[0][0]) == 0 else 1
        moved = "".join(in_script(digit, each[0][0]) for digit in f"{value + step:0{width}d}")
        parts += [text[at : each.start()], moved]
        at = each.end()
    return "".join((*parts, text[at:]))


def says_age_alone(text: str) -> bool:
    """True of numbers, signs and words that are said of ages, and of nothing that a mask would have to hide."""
    return _ages_alone().fullmatch(text) is not None


def counts_less_than_years(text: str, number: re.Match[str]) -> bool:
    """True if a number counts something shorter than years."""
    match = re.compile(r"[\s.–-]{0,3}([^\W\d_]+)").match(text, number.end())
    if match is None:
        return False
    word = fold(match[1])
    if len(word) == 1 and word.isascii():
        return word in "wdt" or (word == "m" and int(number[0]) <= _YOUNG)
    return any(word.startswith(each) for each in _short_units())


@cache
def _ages_alone() -> re.Pattern[str]:
    """Texts of numbers, signs and words that are said of ages: any other word would stay, though a mask hid it."""
    every = "|".join(sorted(map(re.escape, {*phrases("ages", "said"), *_year_words()}), key=len, reverse=True))
    return re.compile(rf"(?:(?<![^\W\d_])(?:{every})(?![^\W\d_])|[\W\d_])+", re.IGNORECASE)


@cache
def _year_words() -> frozenset[str]:
    """Words for years in the languages of the cues, by CLDR, and the single letters that are short for them."""
    from babel import localedata

    words = set("jaå")
    for language in read("cues")["phone"]:
        if localedata.exists(language):
            units = localedata.load(language).get("unit_patterns", {})
            words.update(w for form in _forms(units.get("duration-year", {})) for w in re.findall(r"[^\W\d_]+", form))
    return frozenset(words)


@cache
def _short_units() -> tuple[str, ...]:
    """Words for months, weeks, days and hours in the languages of the cues, by CLDR; those that begin no word for years."""
    from babel import localedata

    short, long = set[str](), set[str]()
    for language in read("cues")["phone"]:
        if localedata.exists(language):
            units = localedata.load(language).get("unit_patterns", {})
            for unit in (*_UNITS, "duration-year"):
                words = (fold(word) for form in _forms(units.get(unit, {})) for word in re.findall(r"[^\W\d_]+", form))
                (short if unit in _UNITS else long).update(words)
    return tuple(
        sorted(
            word
            for word in short
            if len(word) > (2 if word.isascii() else 1) and not any(each.startswith(word) for each in long)
        )
    )


def _forms(patterns: object) -> Iterator[str]:
    """The written forms in a branch of CLDR; what a language takes over from another stands in a tuple."""
    if isinstance(patterns, str):
        yield patterns
    elif isinstance(patterns, tuple):
        for each in patterns:
            yield from _forms(each)
    elif isinstance(patterns, Mapping):
        for kind, each in patterns.items():
            if kind not in ("narrow", "per"):
                yield from _forms(each)
