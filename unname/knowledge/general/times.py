"""Days, months and years said more generally: by their month, year or decade."""

import datetime
import re
from collections.abc import Iterator
from functools import cache, lru_cache

from unname.dates import Day, days_in
from unname.knowledge.general.signs import NOT_BEFORE, NOT_BEHIND
from unname.knowledge.general.value import Level, Value
from unname.languages import phrases, read
from unname.months import LETTERS, may_be_month, months_of
from unname.text import fold

_YEARS = range(1000, 2100)
# A year whose figures the names of months are asked for with; no day or month is written like it.
_ASKED = 1984
_FOUR = r"(?:1[5-9]|20)\d\d"
_YEAR = re.compile(
    rf"(?:{NOT_BEFORE}(?={_FOUR}[-\u2013]{_FOUR}{NOT_BEHIND})|{NOT_BEFORE}(?={_FOUR}{NOT_BEHIND})|"
    rf"(?<!\w)(?<=(?<![\d.,/:-])\d\d\d\d[-\u2013])(?={_FOUR}{NOT_BEHIND}))(?P<year>\d{{4}})"
)


def times_in(text: str, language: str) -> Iterator[Value]:
    """The days with a year of a text, its months with a year, and its years that stand alone; they may overlap."""
    if not any(map(str.isdecimal, text)):
        return
    yield from _days(text, language)
    yield from _months(text, language)
    for match in _YEAR.finditer(text):
        year = int(match["year"])
        yield Value(*match.span(), "date", f"year:{year}", (_decade(year, language),))


@lru_cache(maxsize=64)
def days_of(text: str) -> tuple[tuple[int, int, Day], ...]:
    """All that may be a day in a text, as `unname.dates.days_in` reads it; the texts read last are remembered."""
    return tuple(days_in(text)) if any(map(str.isdecimal, text)) else ()


def time_of(text: str) -> str:
    """The key of a month, year or decade that is written as `times_in` says them; empty of any other text."""
    if re.fullmatch(r"\d{4}", text) and int(text) in _YEARS:
        return f"year:{int(text)}"
    for form in _decade_forms():
        if match := form.fullmatch(text):
            return f"decade:{match[1]}"
    return _month_of(text)


def times_above(key: str) -> tuple[str, ...]:
    """The keys that whoever fits the key of a day, a month, or a year fits too."""
    kind, _, said = key.partition(":")
    year = (f"year:{said[:4]}",) if kind in ("day", "month") else ()
    decade = (f"decade:{said[:3]}",) if kind in ("day", "month", "year") else ()
    return (*((f"month:{said[:7]}",) if kind == "day" else ()), *year, *decade)


# --- days and months


def _days(text: str, language: str) -> Iterator[Value]:
    read_as: dict[tuple[int, int], set[tuple[int, int, int]]] = {}
    for start, end, day in days_of(text):
        if day.year is not None and day.year in _YEARS:
            read_as.setdefault((start, end), set()).add((day.year, day.month, day.day))
    for (start, end), days in read_as.items():
        months = {day[:2] for day in days}
        if len({year for year, _ in months}) == 1:
            own = "day:{:04d}-{:02d}-{:02d}".format(*next(iter(days))) if len(days) == 1 else ""
            year, month = next(iter(months))
            levels = (_month(year, month, language),) if len(months) == 1 else ()
            yield Value(start, end, "date", own, (*levels, *_year(year, language)))


def _months(text: str, language: str) -> Iterator[Value]:
    for match in _named_months().finditer(text):
        months, year = months_of(match["name"]), int(match["year"])
        if months and may_be_month(match["name"]) and year in _YEARS:
            own = f"month:{year:04d}-{next(iter(months)):02d}" if len(months) == 1 else ""
            yield Value(*match.span(), "date", own, _year(year, language))


@cache
def _named_months() -> re.Pattern[str]:
    within = "|".join(sorted(map(re.escape, {*phrases("dates", "within")}), key=len, reverse=True))
    return re.compile(
        rf"(?<!\w)(?P<name>{LETTERS})\.?,?\s{{1,3}}(?:(?:{within})\s{{1,3}})?(?P<year>\d{{4}}){NOT_BEHIND}",
        re.IGNORECASE,
    )


def _month(year: int, month: int, language: str) -> Level:
    before, behind = _month_forms(language)[month - 1]
    return Level(f"{before}{year}{behind}", f"month:{year:04d}-{month:02d}")


@cache
def _month_forms(language: str) -> tuple[tuple[str, str], ...]:
    """The words before a year and behind it in each month of a language; English where the language is unknown."""
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_skeleton

    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse("en")
    written = [format_skeleton("yMMMM", datetime.date(_ASKED, month, 1), locale=locale) for month in range(1, 13)]
    parts = [each.partition(str(_ASKED)) for each in written]
    if language != "en" and not all(year for _, year, _ in parts):
        return _month_forms("en")
    return tuple((before, behind) for before, _, behind in parts)


def _month_of(text: str) -> str:
    match = re.search(r"(?<!\d)\d{4}(?!\d)", text)
    month = _every_month().get((fold(text[: match.start()]), fold(text[match.end() :]))) if match else None
    return f"month:{match[0]}-{month:02d}" if match and month and int(match[0]) in _YEARS else ""


@cache
def _every_month() -> dict[tuple[str, str], int]:
    """The month of each form, of all languages; the few forms that are another month elsewhere are English's first."""
    from babel.localedata import locale_identifiers

    forms = dict[tuple[str, str], int]()
    for language in ("en", *sorted(each for each in locale_identifiers() if "_" not in each)):
        for month, (before, behind) in enumerate(_month_forms(language), start=1):
            forms.setdefault((fold(before), fold(behind)), month)
    return forms


# --- years and decades


def _year(year: int, language: str) -> tuple[Level, Level]:
    return Level(f"{year:04d}", f"year:{year:04d}"), _decade(year, language)


def _decade(year: int, language: str) -> Level:
    forms, figures = read("generalities")["decades"], f"{year // 10:03d}"
    return Level(forms.get(language, forms["any"]).replace("#", figures), f"decade:{figures}")


@cache
def _decade_forms() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(re.escape(form).replace(r"\#", r"(1\d\d|20\d)", 1).replace(r"\#", "(?:\\1)"))
        for form in read("generalities")["decades"].values()
    )
