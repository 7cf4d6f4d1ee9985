"""Ages and other numbers said more generally: by the ten years they are in, and by their leading figure."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from unname.knowledge.ages import counts_less_than_years
from unname.knowledge.general.signs import NOT_BEFORE, NOT_BEHIND
from unname.knowledge.general.value import Level, Value
from unname.languages import phrases, read
from unname.text import fold, without_accents

_OLDEST, _OLD, _BAND = 120, 90, 10
# Characters on both sides of a number that are read for an age.
_REACH = 24
_MARK = "\0"
_AGE = re.compile(r"(?<![\w.,/:#$€£])(?<!\d[-\u2013])\d{1,3}(?!\d|[.,]\d|[-\u2013]\d)")
# Every phrase has a word right beside its number.
_BESIDE = re.compile(rf"[^\W\d_][\s:.-]{{0,4}}{_MARK}|{_MARK}[\s-]{{0,3}}[^\W\d_]")
_NUMBER = re.compile(rf"{NOT_BEFORE}[1-9]\d{{1,3}}{NOT_BEHIND}", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
# Ages are parted by a hyphen, other numbers by an en dash: so it can be read which of both a range is.
_AGES, _NUMBERS = "-", "\u2013"
_RANGE = re.compile(rf"(\d{{1,4}})([{_AGES}{_NUMBERS}])(\d{{1,4}})", re.ASCII)


def ages_in(text: str) -> Iterator[Value]:
    """The numbers of a text that are stated as an age in years; only the number is the stretch."""
    for match in _AGE.finditer(text):
        start, end = match.span()
        beside = f"{text[max(0, start - _REACH) : start]}{_MARK}{text[end : end + _REACH]}"
        if int(match[0]) > _OLDEST or counts_less_than_years(text, match):
            continue
        if _BESIDE.search(beside) and _stated().search(beside):
            yield age(start, end, int(match[0]))


def age(start: int, end: int, years: int) -> Value:
    """An age that stands at `[start, end)`; from 90 on the years are one group."""
    low = _OLD if years >= _OLD else years // _BAND * _BAND
    high = _OLDEST if years >= _OLD else low + _BAND - 1
    return Value(start, end, "age", f"age:{years}", (Level(f"{low}{_AGES}{high}", f"age:{low}-{high}"),))


def numbers_in(text: str) -> Iterator[Value]:
    """The numbers of a text of two to four figures that stand alone, and behind no word that says they are a code."""
    for match in _NUMBER.finditer(text):
        word = next(reversed(_WORD.findall(text, max(0, match.start() - _REACH), match.start())), "")
        coded = fold(word) in _code_words() and not text[: match.start()].rstrip(" .:\u00a0").endswith((",", ";"))
        if not coded or not text[: match.start()].rstrip(" .:\u00a0").endswith(word):
            width = 10 ** (len(match[0]) - 1)
            low = int(match[0][0]) * width
            said = Level(f"{low}{_NUMBERS}{low + width - 1}", f"number:{low}-{low + width - 1}")
            yield Value(*match.span(), "number", f"number:{match[0]}", (said,))


def range_of(text: str) -> str:
    """The key of a range as `ages_in` and `numbers_in` say them; empty of any other text."""
    match = _RANGE.fullmatch(text)
    if match is None:
        return ""
    (low, high), width = (int(match[1]), int(match[3])), 10 ** (len(match[1]) - 1)
    if match[2] == _AGES and low <= _OLD and age(0, 0, low).levels[0].text == text:
        return f"age:{low}-{high}"
    leads = len(match[1]) > 1 and low > 0 and low % width == 0 and high == low + width - 1
    return f"number:{low}-{high}" if leads else ""


@lru_cache(maxsize=4096)
def of_ages(field: str) -> bool:
    """True if the name of a field says that it holds an age."""
    known = {without_accents(fold(word)) for row in read("generalities")["age_fields"].values() for word in row.split()}
    return any(without_accents(fold(part)) in known for part in _PARTS.findall(field))


@cache
def _code_words() -> frozenset[str]:
    return frozenset(fold(each.strip(".")) for each in phrases("cues", "application")) - {""}


@cache
def _stated() -> re.Pattern[str]:
    """The phrases that state an age, with a mark for its number."""
    return re.compile("|".join(f"(?:{_phrase(each)})" for each in set(phrases("generalities", "ages"))), re.IGNORECASE)


def _phrase(written: str) -> str:
    before, _, behind = (re.sub(r"\\[ -]", r"[\\s-]{1,3}", re.escape(each)) for each in written.partition("#"))
    before, behind = before.replace("]{1,3}", "]{0,3}") if before.count("{") == 1 else before, behind
    near = behind.replace("{1,3}", "{0,3}", 1) if behind.startswith("[") else behind
    return rf"(?<!\w){before}{_MARK}{near}".replace(r"\*", r"\w*") + r"(?!\w)"
