"""Dates moved by whole weeks, written as they were: the same order, signs, zeros, and names of months in the same language.

A shift by weeks keeps weekdays and every interval between full dates. What names a month or a year alone moves with its
middle, so it may be off by a month or a year at most.
"""

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from babel.dates import get_day_names, get_month_names
from babel.localedata import locale_identifiers

from unname.dates import days_in
from unname.languages import phrases
from unname.months import months_of
from unname.text import GAP, Stretch

DAY, MONTH, NAME, YEAR, NTH = "day", "month", "name", "year", "nth"
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_ENDINGS = ("th", "st", "nd", "rd")
_MIDDLE_DAY, _MIDDLE_MONTH, _LEAP = 15, 7, 2000
_MONTHS, _SHORT = 12, 2
_FIGURES = re.compile(r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)(?!\d)")
# A number that may be a day, and the words on both sides of it.
_NAMED = re.compile(
    r"(?:(?P<before>[^\W\d_]+)\.?\s)?(?<![\d.,/:-])(?:[12]?\d|3[01])(?:st|nd|rd|th)?(?![\d/:-])"
    r"(?:\.?\s(?:of\s|de\s)?(?P<behind>[^\W\d_]+))?"
)
# Two figures from here on are a year of the last century.
_PIVOT = 50
_Width = Literal["wide", "abbreviated"]
_Use = Literal["format", "stand-alone"]
# A language, and how it writes a month: with its width, its use, and its number.
_Form = tuple[str, _Width, _Use, int]
_WIDTHS: tuple[_Width, ...] = ("wide", "abbreviated")
_USES: tuple[_Use, ...] = ("format", "stand-alone")


@dataclass(frozen=True, slots=True)
class _Token:
    """A part of a written date, `[start, end)`, and its role."""

    start: int
    end: int
    role: str


def shifted(
    text: str, weeks: int, *, language: str = "en", month_first: bool = False, year: int | None = None
) -> str | None:
    """A written date so many weeks later; None where it cannot be read as one, or would leave the calendar.

    `month_first` says how figures are read that may be either ("03/04/2019"), `year` of which year a day without one is.
    """
    date = _without_clock(text)
    tokens = _roles(date, month_first=month_first)
    if tokens is None:
        return None
    written = {token.role: date[token.start : token.end] for token in tokens}
    moved = _moved(written, weeks, language, _LEAP if year is None else year)
    if moved is None:
        return None
    small = [each for role, each in written.items() if role in (DAY, MONTH)]
    padded = any(each.startswith("0") for each in small) or (MONTH in written and min(map(len, small)) == 2)
    parts, at = list[str](), 0
    for token in tokens:
        parts += [date[at : token.start], _again(written[token.role], token.role, moved, language, padded=padded)]
        at = token.end
    return "".join((*parts, text[at:]))


def year_of(text: str) -> int | None:
    """The year of a written date; None where it has none, or is no date."""
    date = _without_clock(text)
    written = next((date[t.start : t.end] for t in _roles(date, month_first=False) or () if t.role == YEAR), None)
    return None if written is None else _full_year(written)


def day_of(text: str, *, month_first: bool = False) -> datetime.date | None:
    """The day of a written date with all its parts; None of any other."""
    date = _without_clock(text)
    written = {token.role: date[token.start : token.end] for token in _roles(date, month_first=month_first) or ()}
    if YEAR in written and DAY in written and (MONTH in written or NAME in written):
        return _moved(written, 0, "en", _LEAP)
    return None


def names_a_day(text: str, hidden: Sequence[Stretch] = ()) -> bool:
    """True if a text names a day that none of some hidden stretches covers."""
    shown, at = list[str](), 0
    for stretch in hidden:
        shown += [text[at : stretch.start], GAP]
        at = stretch.end
    left = "".join((*shown, text[at:]))
    return next(days_in(left), None) is not None or _few_figures().search(left) is not None


@cache
def _few_figures() -> re.Pattern[str]:
    """A day and a month in figures where nothing else is meant: behind a word that is said of days, or in a range."""
    before = _either(phrases("dates", "before"))
    small = r"(?:0?[1-9]|[12]\d|3[01])[./](?:0?[1-9]|1[0-2])"
    return re.compile(
        rf"(?<!\w){before}\s{small}\.?(?![\w/%]|[.,]\d)|(?<![\d.,/]){small}\.?\s?[-–]\s?{small}", re.IGNORECASE
    )


def reads_month_first(text: str) -> bool | None:
    """True if dates of a text name the month first, False if the day; None where none of them says.

    Dates in figures say it where only one order is a day; else those with the name of a month do.
    """
    for match in _FIGURES.finditer(text):
        first, second, _ = (int(each) for each in re.findall(r"\d+", match[0]))
        if max(first, second) > _MONTHS:
            return second > _MONTHS
    for match in _NAMED.finditer(text):
        if _is_month(match["behind"]) or _is_month(match["before"]):
            return _is_month(match["before"]) and not _is_month(match["behind"])
    return None


def _is_month(word: str | None) -> bool:
    return word is not None and len(word) > _SHORT and bool(months_of(word)) and bool(_forms(word))


def _without_clock(text: str) -> str:
    """A written date without the time of day behind it."""
    clock = _clock().search(text)
    return text[: clock.start()] if clock else text


@cache
def _clock() -> re.Pattern[str]:
    before, behind = (_either(phrases("dates", table)) for table in ("within", "clock"))
    return re.compile(
        rf"(?:T|,?\s{{1,2}}(?:{before}\s)?)\d{{1,2}}[:.h]\d\d(?:[:.]\d\d(?:[.,]\d+)?)?\s?(?:{behind}|[+-]\d\d:?\d\d)?\s*$",
        re.IGNORECASE,
    )


def _either(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"


def _roles(date: str, *, month_first: bool) -> list[_Token] | None:
    """The tokens of a date that change with it; None where they are no date, or where another word is among them.

    That word would stay, though a mask hid it.
    """
    parts = [_Token(m.start(), m.end(), "") for m in _TOKEN.finditer(date)]
    numbers = [token for token in parts if date[token.start].isdecimal()]
    words = [token for token in parts if not date[token.start].isdecimal() and not _says_nothing(date, token, parts)]
    names = [token for token in words if _is_name(date, token, bool(numbers))]
    if len(names) > 1 or len(names) < len(words) or len(numbers) > 3:
        return None
    roles = _beside_name(date, names[0], numbers) if names else _in_figures(date, numbers, month_first=month_first)
    if roles is None:
        return None
    tokens = [_Token(token.start, token.end, role) for token, role in roles]
    tokens += [
        _Token(ending.start, ending.end, NTH) for token, role in roles if role == DAY
        for ending in parts if ending.start == token.end and date[ending.start : ending.end].lower() in _ENDINGS
    ]  # fmt: skip
    return sorted(tokens, key=lambda token: token.start)


def _says_nothing(date: str, token: _Token, parts: Sequence[_Token]) -> bool:
    """True of weekdays, which stay, of words that may stand in any date, and of the ending of an ordinal."""
    word = date[token.start : token.end].casefold()
    ordinal = word in _ENDINGS and any(each.end == token.start and date[each.start].isdecimal() for each in parts)
    return ordinal or (word in _weekdays() and not months_of(word)) or word in _within()


@cache
def _within() -> frozenset[str]:
    return frozenset(phrases("dates", "within"))


@cache
def _weekdays() -> frozenset[str]:
    """Names of weekdays in every language of CLDR, short ones too."""
    rows = (get_day_names(width, use, language) for language in _languages() for width in _WIDTHS for use in _USES)
    return frozenset(name.casefold().rstrip(".") for row in rows for name in row.values() if not name.isdecimal())


def _is_name(date: str, token: _Token, beside_number: bool) -> bool:
    word = date[token.start : token.end]
    return bool(months_of(word)) and (beside_number or len(word) > 3) and bool(_forms(word))


def _beside_name(date: str, name: _Token, numbers: Sequence[_Token]) -> list[tuple[_Token, str]] | None:
    """Roles of numbers beside the name of a month: a year has four figures, or follows where a day stands already."""
    roles = [(name, NAME)]
    years = [each for each in numbers if each.end - each.start == 4]
    small = [each for each in numbers if each.end - each.start <= 2]
    if len(years) > 1 or len(years) + len(small) != len(numbers) or len(numbers) > 2:
        return None
    roles += [(each, YEAR) for each in years]
    if len(small) == 2:
        return [*roles, (small[0], DAY), (small[1], YEAR)]
    if small:
        value = int(date[small[0].start : small[0].end])
        roles.append(
            (
                small[0],
                DAY if 1 <= value <= 31 and date[small[0].start - 1 : small[0].start] not in ("'", "’") else YEAR,
            )
        )
    return roles


def _in_figures(date: str, numbers: Sequence[_Token], *, month_first: bool) -> list[tuple[_Token, str]] | None:
    values = [int(date[each.start : each.end]) for each in numbers]
    lengths = [each.end - each.start for each in numbers]
    if any(length not in (1, 2, 4) for length in lengths) or lengths.count(4) > 1:
        return None
    if len(numbers) == 3 and lengths[0] == 4:
        return list(zip(numbers, (YEAR, MONTH, DAY), strict=True))
    if len(numbers) == 3 and 4 not in lengths[:2]:
        first = values[1] > 12 or (month_first and values[0] <= 12)
        return list(zip(numbers, (MONTH, DAY, YEAR) if first else (DAY, MONTH, YEAR), strict=True))
    if len(numbers) == 2 and 4 in lengths:
        return list(zip(numbers, (YEAR, MONTH) if lengths[0] == 4 else (MONTH, YEAR), strict=True))
    if len(numbers) == 2:
        first = values[1] > 12 or (month_first and values[0] <= 12)
        return list(zip(numbers, (MONTH, DAY) if first else (DAY, MONTH), strict=True))
    return [(numbers[0], YEAR)] if lengths == [4] else None


def _moved(written: dict[str, str], weeks: int, language: str, usual: int) -> datetime.date | None:
    year = _full_year(written[YEAR]) if YEAR in written else usual
    month = int(written[MONTH]) if MONTH in written else _MIDDLE_MONTH
    if NAME in written:
        month = _form(written[NAME], language)[3]
    day = int(written[DAY]) if DAY in written else _MIDDLE_DAY
    try:
        return datetime.date(year, month, day) + datetime.timedelta(weeks=weeks)
    except (ValueError, OverflowError):
        return None


def _full_year(figures: str) -> int:
    year = int(figures)
    return year if len(figures) > 2 else year + (1900 if year >= _PIVOT else 2000)


def _again(written: str, role: str, moved: datetime.date, language: str, *, padded: bool) -> str:
    """One token of a date, as it is of the moved one."""
    if role == NAME:
        return _cased(_form_of(written, language, moved.month), written)
    if role == NTH:
        ending = "th" if 10 < moved.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(moved.day % 10, "th")
        return _cased(ending, written)
    if role == YEAR:
        return f"{moved.year % 100:02d}" if len(written) == 2 else f"{moved.year:04d}"
    value = moved.day if role == DAY else moved.month
    return f"{value:02d}" if padded else str(value)


def _cased(new: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return new.upper()
    return new.lower() if like.islower() else new[:1].upper() + new[1:]


@cache
def _languages() -> tuple[str, ...]:
    """Every language of CLDR, without regions."""
    return tuple(sorted(each for each in locale_identifiers() if "_" not in each))


@lru_cache(maxsize=1 << 10)
def _forms(word: str) -> tuple[_Form, ...]:
    """The languages in which a word is a month, with its width, use and number: most used languages first."""
    first = ("en", "de", "es", "fr", "it", "pt", "nl")
    rows = [*first, *(each for each in _languages() if each not in first)]
    return tuple(_forms_in(word, rows))


def _forms_in(word: str, languages: Sequence[str]) -> Iterator[_Form]:
    bare = word.casefold().rstrip(".")
    for language in languages:
        for width in _WIDTHS:
            for use in _USES:
                for number, name in get_month_names(width, use, language).items():
                    if name.casefold().rstrip(".") == bare:
                        yield language, width, use, number


def _form(word: str, language: str) -> _Form:
    forms = _forms(word)
    return next((form for form in forms if form[0] == language), forms[0])


def _form_of(word: str, language: str, month: int) -> str:
    """The name of another month in the language, width and use of one."""
    spoken, width, use, _ = _form(word, language)
    return str(get_month_names(width, use, spoken)[month]).rstrip(".")
