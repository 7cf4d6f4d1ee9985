"""Calendar days as people write them in the languages of the world, and where a text names one.

A day is read from figures in any order, or from the name of a month (`unname.months`) beside a number or a day in words,
with or without its year; so "2. August 1984", "02/08/84", "the second of August", "2 августа 1984 г.", "昭和59年8月2日"
and "1984-08-02T00:00:00Z" may all be the same day.
"""

import datetime
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from unname.months import LETTERS, begins_months, day_of, may_be_month, months_of, plain


class Day(NamedTuple):
    """A day of a year, or of any year (None); a year below 100 is one of any century."""

    year: int | None
    month: int
    day: int

    def may_be(self, other: "Day") -> bool:
        """True if both can be the same day."""
        if (self.month, self.day) != (other.month, other.day):
            return False
        if self.year is None or other.year is None or self.year == other.year:
            return True
        return min(self.year, other.year) < 100 and self.year % 100 == other.year % 100


Found = tuple[int, int, Day]


def days_in(text: str) -> Iterator[Found]:
    """(start, end, day) of all that may be a day in a text; figures that may be read in two orders are told twice."""
    yield from _in_figures(text)
    yield from _counted(text)
    yield from _by_name(text)


def days_alike(text: str, known: Collection[Day]) -> Iterator[tuple[int, int]]:
    """Places in a text of these days; six bare figures are one only here, where it is known which."""
    yield from ((start, end) for start, end, day in days_in(text) if _are([day], known))
    for loose in _LOOSE:
        yield from ((match.start(1), match.end(3)) for match in loose.finditer(text) if _are(_loosely(match), known))
    bare = {order for day in known if day.year is not None for order in _six_figures(day.year, day.month, day.day)}
    for match in _SIX.finditer(text):
        if f"{int(match[0]):06d}" in bare:
            yield match.span()


def _are(days: Iterable[Day], known: Collection[Day]) -> bool:
    return any(day.may_be(other) for day in days for other in known)


def days_of(value: str, *, dated: bool = False) -> frozenset[Day]:
    """The days that a value may mean which is nothing but a date with its year; empty for any other.

    In a field of dates (`dated`) six figures are a day, too, and a number what Excel keeps of one: days since 1900.
    """
    value = _TIME.sub("", value.strip())
    if not _SHORTEST <= len(value) <= _LONGEST:
        return frozenset()
    days = {day for start, end, day in days_in(value) if day.year is not None and _is_all(value, start, end)}
    if dated and not days:
        days.update(_bare(value))
    return frozenset(days)


# --- in figures

DASH, SLASH = r"\-\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d", r"/\u2044\u2215\uff0f"
_SIGN = rf"[{DASH}{SLASH}.\uff0e_|]"
_SMALL = "a-zß-öø-ÿа-яё"
# A full stop ends the sentence and no day, unless the sentence goes on.
_STOP = rf"\.(?=[ \u00a0]{{0,2}}(?-i:[{_SMALL}]|[,;]))"
_ENDS = r"(?![^\W_])"
_ZONE = r"(?:\s?(?:Z|[+\-\u2212]\d\d(?::?\d\d)?))?"
_CLOCK = rf"\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?{_ZONE}"
_STAMP = rf"(?:T(?:{_CLOCK}|\d\d(?:\d\d){{0,2}}{_ZONE}))?"
# Months as numerals between figures alone ("02.VIII.1984").
_ROMAN = dict(zip("i ii iii iv v vi vii viii ix x xi xii".split(), range(1, 13), strict=True))  # noqa: SIM905
_NUMERAL = "|".join(sorted(_ROMAN, key=len, reverse=True))
_FORMS = tuple(
    re.compile(f"(?:{form}){_ENDS}", re.IGNORECASE)
    for form in (
        rf"(?P<year>\d{{4}})\s?{_SIGN}\s?(?P<first>\d{{1,2}})\s?{_SIGN}\s?(?P<second>\d{{1,2}}){_STAMP}",
        rf"(?P<year>\d{{4}})(?P<first>\d\d)(?P<second>\d\d)(?:\d{{4}}(?:\d\d)?|{_STAMP})",
        r"(?P<first>\d\d)(?P<second>\d\d)(?P<year>\d{4})",
        rf"(?P<first>\d{{1,2}})\s?(?P<sign>{_SIGN})\s?(?P<second>\d{{1,2}})\s?(?P=sign)\s?(?P<year>\d{{4}}|\d\d)",
        rf"(?P<first>\d{{1,2}})\.\s?(?P<second>\d{{1,2}})(?:{_STOP}|(?=\.(?![^\W_])))",
        rf"(?P<first>\d\d)[{DASH}{SLASH}](?P<second>\d\d)(?![{DASH}{SLASH}.]?\d)",
        rf"(?P<second>\d{{1,2}})\s?[{DASH}{SLASH}.]\s?(?P<roman>{_NUMERAL})\s?[{DASH}{SLASH}.]\s?(?P<year>\d{{4}}|\d\d)",
        rf"(?P<second>\d{{1,2}})\s(?P<roman>{_NUMERAL})\s(?P<year>\d{{4}})",
        rf"(?P<year>\d{{4}})\.?\s{{1,2}}(?P<roman>{_NUMERAL})\.?\s{{1,2}}(?P<second>\d{{1,2}})",
    )
)
_RUN = re.compile(r"(?<![^\W_])\d+")
_SIX = re.compile(r"(?<![^\W_])\d{6}(?![^\W_])")


# Figures with any signs between, which are a day only where it is known which.
_ANY_SIGNS = rf"[\s{DASH}{SLASH}.,'’_|]{{1,3}}"
_LOOSE = (
    re.compile(rf"(?<!\d)(?=(\d{{4}}){_ANY_SIGNS}(\d{{1,2}}){_ANY_SIGNS}(\d{{1,2}})(?!\d))"),
    re.compile(rf"(?<!\d)(?=(\d{{1,2}}){_ANY_SIGNS}(\d{{1,2}}){_ANY_SIGNS}(\d{{4}})(?!\d))"),
    re.compile(r"(?<!\d)(?=(\d{1,2})/(\d{1,2})\s?-\s?(\d\d)(?!\d))"),
)


def _loosely(match: re.Match[str]) -> Iterator[Day]:
    """The days that three numbers may be, the year first or last."""
    first, second, third = map(int, match.groups())
    leads = len(match[1]) == 4
    for month, day in {(second, third)} if leads else {(first, second), (second, first)}:
        yield from _possible(_in_our_years(first if leads else third), month, day)


def _in_figures(text: str) -> Iterator[Found]:
    for run in _RUN.finditer(text):
        for form in _FORMS:
            if match := form.match(text, run.start()):
                for day in _read(match):
                    yield *match.span(), day


def _read(match: re.Match[str]) -> Iterator[Day]:
    """The days that figures may mean."""
    named = match.groupdict()
    year, second = named.get("year"), int(named["second"])
    if "roman" in named:
        orders = {(_ROMAN[plain(named["roman"])], second)}
    else:
        first = int(named["first"])
        # A year in front is followed by its month.
        leads = bool(year) and match.start("year") < match.start("first")
        orders = {(first, second)} if leads else {(first, second), (second, first)}
    for month, day in sorted(orders):
        yield from _possible(_year(year) if year else None, month, day)


def _possible(year: int | None, month: int, day: int) -> Iterator[Day]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield Day(year, month, day)


# Thailand counts its years from 543 before ours on.
_BUDDHIST, _BUDDHIST_YEARS = 543, range(2400, 2600)


def _year(figures: str) -> int:
    return _in_our_years(int(figures.lstrip("'’")))


def _in_our_years(year: int) -> int:
    return year - _BUDDHIST if year in _BUDDHIST_YEARS else year


def _six_figures(year: int, month: int, day: int) -> tuple[str, str, str]:
    short = year % 100
    return f"{short:02d}{month:02d}{day:02d}", f"{day:02d}{month:02d}{short:02d}", f"{month:02d}{day:02d}{short:02d}"


# --- months by their number, with words that say so: East Asia, Vietnam, Mongolia

_HAN = {character: number for number, character in enumerate("〇一二三四五六七八九十")} | {"零": 0, "元": 1}
_FIGURE = rf"[\d{''.join(_HAN)}]"
_ERAS = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019, "民國": 1912, "民国": 1912}
_COUNTED = (
    (re.compile("[月월]"), re.compile(
        rf"(?:(?:(?P<era>{'|'.join(_ERAS)})\s?)?(?<!\d)(?P<year>{_FIGURE}{{1,4}})\s?[年년]\s?)?(?<!{_FIGURE})"
        rf"(?P<month>{_FIGURE}{{1,3}})\s?[月월]\s?(?P<day>{_FIGURE}{{1,3}})\s?[日號号일]"
    )),
    (re.compile("[Tt][Hh](?:[ÁáGg]|\\.)"), re.compile(
        r"(?<![^\W_])(?P<day>\d{1,2})\s?(?:tháng|thg|th)\.?\s?(?P<month>\d{1,2})(?!\d)(?:[\s,]{1,3}(?:năm\s)?(?P<year>\d{4}))?",
        re.IGNORECASE,
    )),
    (re.compile("сар"), re.compile(
        r"(?:(?<!\d)(?P<year>\d{4})\s?(?:оны?)?\s?)?(?<!\d)(?P<month>\d{1,2})\s?(?:-р|-?д[уү]г[аэ]{2}р)?\s?сар(?:ын)?\s?(?P<day>\d{1,2})"
    )),
)  # fmt: skip


def _counted(text: str) -> Iterator[Found]:
    for needed, form in _COUNTED:
        for match in form.finditer(text) if needed.search(text) else ():
            named = match.groupdict()
            year = _number(named["year"]) if named["year"] else None
            if year is not None and named.get("era"):
                year += _ERAS[named["era"]] - 1
            for day in _possible(year, _number(named["month"]), _number(named["day"])):
                yield *match.span(), day


def _number(figures: str) -> int:
    """A number in figures of any script, or in Chinese characters, with or without those for tens."""
    if "十" in figures:
        tens, _, ones = figures.partition("十")
        return 10 * (_number(tens) if tens else 1) + (_number(ones) if ones else 0)
    return int("".join(str(_HAN.get(c, unicodedata.decimal(c, 0))) for c in figures))


# --- months by their name

_WORD = re.compile(LETTERS)
_REACH = 60
_YEAR = r"(?:\d{4}(?!\d)|['’]?\d{2}(?![^\W_]|:))"
# What may stand between a day and its month, and between a month and its year.
_OF_MONTH = (
    "of|the|day|month|de[nlr]?|do|di|da|d['’]|dhen|mes|mois|mese|jour|ng|ta['’]|a|o|az|viz|bulan|mwezi|wa|من|شهر|"
    "месяца|місяця"
)
_OF_YEAR = (
    r"of|the|year|de[nlr]?|do|di|d['’]|l['’]an|año|ano|any|anno|an|năm|in|en|roku|року|года|mwaka|wa|tahun|taon|"
    r"พ\.?\s?ศ|ค\.?\s?ศ|عام|سنة|لعام|لسنة|سال|שנת|בשנת"
)
_BETWEEN = rf"\s{{0,3}}[{DASH}{SLASH}.,'’]{{0,2}}\s{{0,3}}"
_TO_MONTH = rf"{_BETWEEN}(?:(?:{_OF_MONTH})(?:(?<=['’])|(?![^\W_]))\s{{0,3}}){{0,4}}"
_TO_YEAR = rf"\.?{_BETWEEN}(?:(?:{_OF_YEAR})(?:(?<=['’])|(?![^\W_]))\.?\s{{0,3}}){{0,3}}"
_NTH = (
    r"(?:[-:]?(?:st|nd|rd|th|er|re|ro|ra|ten|ter|tes|tem|te|ste|de|ème|eme|e|a|o|i|ci|jén|én|án|ko|an|ta|da|na|ni|"
    r"ого|го|ое|е|ый|й|а|на|д|ին|α|η|ας)(?![^\W_])|\.?[ºª°])?"
)
_DAY_BEFORE = re.compile(rf"(?<![^\W_])(?P<day>\d{{1,2}}){_NTH}\.?{_TO_MONTH}\Z", re.IGNORECASE)
# "آب/أغسطس": a month may be told in two ways.
_YEAR_BEHIND = re.compile(
    rf"(?:\s?[/(]\s?{LETTERS}\)?)?{_TO_YEAR}(?P<year>{_YEAR})(?::\d\d:\d\d(?::\d\d)?)?", re.IGNORECASE
)
_STOP_BEHIND = re.compile(_STOP)
_DAY_BEHIND = re.compile(
    rf"\.?{_BETWEEN}(?:(?:the|den|ngày)\s{{1,3}})?(?P<day>\d{{1,2}})(?!\d|[.:]\d(?!\d{{3}})){_NTH}{_ENDS}"
    rf"(?:{_TO_YEAR}(?P<year>{_YEAR}))?",
    re.IGNORECASE,
)
_LINKS = (
    "m|gada|წლის|он|оны|ko|ж|жыл|жылғы|жылдын|елның|yil|yilning|il|ilin|թ|թվականի|an|år|g|год|года|рік|року|р|г|cü|cu|ci|cı|"
    "[年년]"
)
_YEAR_BEFORE = re.compile(
    rf"(?<![^\W_])(?P<year>\d{{4}})(?:[-\s]?(?:{_LINKS})(?![^\W_])){{0,2}}\.?{_BETWEEN}\Z", re.IGNORECASE
)
_LINKED_YEAR = re.compile(rf"(?<![^\W_])(?P<year>\d{{4}})\.?(?:[-\s]?(?:{_LINKS})(?![^\W_])){{1,2}}\.?,?\s{{0,3}}\Z")


def _by_name(text: str) -> Iterator[Found]:
    months = {word for word in _WORD.findall(text) if may_be_month(word)}
    for match in _WORD.finditer(text) if months else ():
        if match[0] in months:
            for last, meant in _named(text, match[0], match.start()):
                yield from _beside(text, match.start(), last, meant)


def _named(text: str, word: str, start: int) -> Iterator[tuple[int, frozenset[int]]]:
    """The end of each name of a month that begins with a word, and the months it may mean."""
    for name in begins_months(word):
        end, last = start + len(word), len(name.split())
        for _ in range(last - 1):
            more = _WORD.match(text, end + 1)
            end = more.end() if more else end
        if plain(text[start:end]) == name:
            yield end, months_of(name)
            return
    if months := months_of(word):
        yield start + len(word), months


def _beside(text: str, start: int, end: int, months: frozenset[int]) -> Iterator[Found]:
    """The days that are told before a month or behind it."""
    first = max(0, start - _REACH)
    before = [(match.start("day"), int(match["day"]))] if (match := _DAY_BEFORE.search(text, first, start)) else []
    for begin, day in before or _in_words_before(text, first, start):
        year, last = None, end
        if later := _YEAR_BEHIND.match(text, end):
            year, last = later["year"], later.end()
        elif earlier := _LINKED_YEAR.search(text, max(0, begin - _REACH), begin):
            year, begin = earlier["year"], earlier.start()
        elif stop := _STOP_BEHIND.match(text, end):
            last = stop.end()
        yield from _told(begin, last, year, months, day)
    for last, year, day in _behind(text, end):
        begin = start
        if year is None and (earlier := _YEAR_BEFORE.search(text, first, start)):
            year, begin = earlier["year"], earlier.start()
        yield from _told(begin, last, year, months, day)


def _told(start: int, end: int, year: str | None, months: frozenset[int], day: int) -> Iterator[Found]:
    for month in sorted(months):
        for possible in _possible(_year(year) if year else None, month, day):
            yield start, end, possible


def _behind(text: str, end: int) -> Iterator[tuple[int, str | None, int]]:
    """The end of a day behind a month, with its year if that follows, in figures or in words."""
    if match := _DAY_BEHIND.match(text, end):
        yield match.end(), match["year"], int(match["day"])
        return
    for last, day in _in_words_behind(text, end):
        later = _YEAR_BEHIND.match(text, last)
        yield (later.end() if later else last), (later["year"] if later else None), day


_MOST_WORDS = 4
_JOINED = re.compile(r"[-\s]{1,2}")
_NO_DAY = frozenset("of the day month de den del der do di da d a o ng viz mes".split())  # noqa: SIM905


def _in_words_before(text: str, first: int, start: int) -> Iterator[tuple[int, int]]:
    """The beginning of a day in words before a month, and the day."""
    row: list[re.Match[str]] = []
    last = start
    for match in reversed(list(_WORD.finditer(text, first, start))):
        if not _JOINED.fullmatch(text, match.end(), last) and not (not row and text[match.end() : last] in ("'", "’")):
            break
        last = match.start()
        if row or match[0].casefold() not in _NO_DAY:
            row.insert(0, match)
        if len(row) == _MOST_WORDS:
            break
    for place, match in enumerate(row):
        if day := day_of(" ".join(each[0] for each in row[place:])):
            yield match.start(), day
            return


def _in_words_behind(text: str, end: int) -> Iterator[tuple[int, int]]:
    """The end of a day in words behind a month ("August the twenty-first"), and the day."""
    row: list[re.Match[str]] = []
    last = end
    while len(row) < 3 and (gap := _JOINED.match(text, last)) and (match := _WORD.match(text, gap.end())):
        last = match.end()
        row += [match] if row or match[0].casefold() not in _NO_DAY else []
        if not row and last > end + 8:
            break
    for many in range(len(row), 0, -1):
        if day := day_of(" ".join(each[0] for each in row[:many])):
            yield row[many - 1].end(), day
            return


# --- values that are dates

_TIME = re.compile(rf"[Tt\s]\s*{_CLOCK}(?:\s?(?:[AaPp]\.?[Mm]\.?|UTC|GMT|[A-Z]{{3,4}}))?\Z")
# A weekday before it, and letters that say "year" or "day" behind.
_LEADS = re.compile(
    r"(?:[^\W\d_]{2,12}[.,]{1,2}\s{0,2})?(?:(?:the|on|le|el|il|am|de|den|dnia|dne|ngày|ika-?|ב-)\s{0,2})?",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    rf"(?:[-\s.,]{{0,3}}(?:[^\W\d_a-zA-Z]{{1,5}}|{_LINKS}|[adgmr]|AD|CE)){{0,2}}[\s.,]{{0,3}}(?:[(（][^\W\d_]{{1,12}}[)）])?"
)
_SHORTEST, _LONGEST = 5, 60
_SERIAL = re.compile(r"(\d{4,5})(?:\.\d{1,15})?")
# Below are years, or people who would be too old; the last is in the year 2099.
_SERIALS, _DAY_NOUGHT = range(2200, 73051), datetime.date(1899, 12, 30)


def _is_all(value: str, start: int, end: int) -> bool:
    """True if nothing but a weekday or the like stands beside a day."""
    return bool(_LEADS.fullmatch(value, 0, start) and _TRAILS.fullmatch(value, end))


def _bare(value: str) -> Iterator[Day]:
    """The days of six figures, of three numbers with any signs between, and of a number of Excel's."""
    if _SIX.fullmatch(value):
        a, b, c = (int(value[at : at + 2]) for at in (0, 2, 4))
        for year, month, day in ((a, b, c), (c, b, a), (c, a, b)):
            yield from _possible(year, month, day)
    elif whole := [match for loose in _LOOSE if (match := loose.match(value)) and match.end(3) == len(value)]:
        yield from _loosely(whole[0])
    elif (match := _SERIAL.fullmatch(value)) and (number := int(match[1])) in _SERIALS:
        date = _DAY_NOUGHT + datetime.timedelta(days=number)
        yield Day(date.year, date.month, date.day)
