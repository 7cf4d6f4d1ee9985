"""Calendar days as people write them in seven languages, and where a text names one.

A day is read from figures in either order, from names of months, with or without its year; so "2. August 1984",
"02/08/84", "August 2nd" and "1984-08-02" may all be the same day.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from unname.text import without_accents

_NAMES = """
i january jan januar januari janvier janv gennaio gen enero ene janeiro jänner
ii february feb februar februari février fevrier févr fevr febbraio febrero fevereiro fev
iii march mar märz maerz mrz maart mrt mars marzo março marco
iv april apr avril avr aprile abril abr
v may mai mei mag maggio mayo maio
vi june jun juni juin giugno giu junio junho
vii july jul juli juillet juil luglio lug julio julho
viii august aug août aout agosto ago augustus
ix september sep sept septembre settembre set septiembre setiembre setembro
x october oct oktober okt octobre ottobre ott octubre outubro out
xi november nov novembre noviembre novembro
xii december dec dezember dez décembre decembre déc dicembre dic diciembre dezembro
"""


class Day(NamedTuple):
    """A day of a year, or of any year (None); a year below 100 is one of any century."""

    year: int | None
    month: int
    day: int

    def may_be(self, other: "Day") -> bool:
        """Whether both can be the same day."""
        if (self.month, self.day) != (other.month, other.day):
            return False
        if self.year is None or other.year is None or self.year == other.year:
            return True
        return min(self.year, other.year) < 100 and self.year % 100 == other.year % 100


# Roman numbers are months between figures alone ("02.VIII.1984").
_ROMAN = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"])


def _plain(name: str) -> str:
    return without_accents(name.casefold())


MONTHS = {_plain(name): number for number, row in enumerate(_NAMES.split("\n")[1:-1], start=1) for name in row.split()}
_MONTH = "|".join(sorted({*_NAMES.split(), *MONTHS} - _ROMAN, key=lambda name: (-len(name), name)))
_NUMERAL = "|".join(sorted(_ROMAN, key=lambda name: (-len(name), name)))
_OF = r"(?:\s{0,3}(?:of|de[nlr]?|di|d['’]|the)\b\s{0,3}|\s{0,3}[-/.,]?\s{0,3})"
_ORDINAL = r"(?:st|nd|rd|th|er|ten|te|ste|de|[ºª°.])?"
_YEAR = r"(?:\d{4}|['’]?\d{2}(?!\d|:))"
# A full stop ends the sentence and no day, unless the sentence goes on.
_STOP = r"\.(?=[ \u00a0]{0,2}(?-i:[a-zß-öø-ÿ]|[,;]))"
_LATER = rf"(?:\.?{_OF}(?P<year>{_YEAR})|{_STOP})?"
_ENDS = r"(?![^\W_])"
_FORMS = tuple(
    re.compile(rf"(?<![^\W_])(?:{form}){_ENDS}", re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})\s?[-./_|]\s?(?P<first>\d{1,2})\s?[-./_|]\s?(?P<second>\d{1,2})",
        r"(?P<year>\d{4})(?P<first>\d{2})(?P<second>\d{2})(?=T\d|\b)",
        r"(?P<first>\d{2})(?P<second>\d{2})(?P<year>\d{4})",
        r"(?P<first>\d{1,2})\s?(?P<sign>[-./_|])\s?(?P<second>\d{1,2})\s?(?P=sign)\s?(?P<year>\d{4}|\d{2})",
        rf"(?P<first>\d{{1,2}})\.\s?(?P<second>\d{{1,2}})(?:{_STOP}|(?=\.(?![^\W_])))",
        r"(?P<first>\d\d)[-/](?P<second>\d\d)(?![-/.]?\d)",
        rf"(?P<day>\d{{1,2}}){_ORDINAL}{_OF}(?P<month>{_MONTH})\b{_LATER}",
        rf"(?P<day>\d{{1,2}})\s?[-./]\s?(?P<month>{_NUMERAL})\s?[-./]\s?(?P<year>\d{{4}}|\d{{2}})",
        rf"(?P<month>{_MONTH})\b\.?\s{{0,3}}[-/]?(?:the\s)?\s{{0,3}}(?P<day>\d{{1,2}})(?!\d|\.\d)(?:st|nd|rd|th)?"
        rf"(?:\s{{0,3}}[-/,]?\s{{0,3}}(?P<year>{_YEAR}))?",
        rf"(?P<year>\d{{4}})\s{{0,3}}[-/.,]?\s{{0,3}}(?P<month>{_MONTH})\b\.?\s{{0,3}}[-/.]?\s{{0,3}}(?P<day>\d{{1,2}})",
    )
)
_EAST_ASIAN = re.compile(r"(?:(?P<year>\d{4})\s?年\s?)?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日")
_TIME = re.compile(r"[T\s]\s*\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?$")
_LONGEST = 60


def days_in(text: str) -> Iterator[tuple[int, int, Day]]:
    """(start, end, day) of all that may be a day in a text; figures that may be read in two orders are told twice."""
    for form in (*_FORMS, _EAST_ASIAN):
        for match in form.finditer(text):
            for day in _days(match):
                yield *match.span(), day


def days_of(value: str) -> frozenset[Day]:
    """The days that a value may mean which is nothing but a date with its year; empty for any other."""
    value = _TIME.sub("", value.strip())
    if not 6 <= len(value) <= _LONGEST:
        return frozenset()
    found = (day for form in (*_FORMS, _EAST_ASIAN) if (match := form.fullmatch(value)) for day in _days(match))
    return frozenset(day for day in found if day.year is not None)


def _days(match: re.Match[str]) -> Iterator[Day]:
    named = match.groupdict()
    told = named.get("year")
    year = int(told.lstrip("'’")) if told else None
    if named.get("month"):
        month = MONTHS.get(_plain(named["month"])) or (int(named["month"]) if named["month"].isdecimal() else 0)
        orders = {(month, int(named["day"]))}
    else:
        first, second = int(named["first"]), int(named["second"])
        # A year in front is followed by its month.
        leads = bool(told) and match.start("year") < match.start("first")
        orders = {(first, second)} if leads else {(first, second), (second, first)}
    for month, day in sorted(orders):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield Day(year, month, day)
