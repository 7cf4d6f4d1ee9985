"""Ages as texts say them, with the words of languages for years and for what is shorter."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from unname.languages import phrases, read
from unname.text import fold

# A number before "m" counts months up to this many of them, as patients do.
_YOUNG = 36
_UNITS = ("duration-month", "duration-week", "duration-day", "duration-hour")


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
