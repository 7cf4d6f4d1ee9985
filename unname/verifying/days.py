"""Days as the second reading knows them: in figures, and with months and days in words as Babel and ICU call them.

It uses nothing of the code that masks (`unname.dates`, `unname.months`), and knows fewer spellings. Babel's languages are
read where a text has the figures of a day beside letters, those of its scripts alone: few texts need any.
"""

import datetime
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from unname.verifying.folding import folded

Day = tuple[int, int, int]  # year, month, day; a year below 100 is one of any century
# The languages whose months are known, by the first letters of the names of their scripts' letters in Unicode.
_LANGUAGES = {
    "LATIN": "en es fr de it pt nl ca eu gl sv da nb fi is et lv lt pl cs sk sl hr bs sr_Latn hu ro sq tr az uz cy ga mt af "
             "id ms sw fil vi de_AT",
    "CYRILLIC": "ru uk be bg sr mk kk ky mn tg",
    "GREEK": "el", "HEBREW": "he", "ARABIC": "ar ar_LB ar_MA ar_DZ fa ur ps ckb", "ARMENIAN": "hy", "GEORGIAN": "ka",
    "DEVANAGARI": "hi mr ne", "BENGALI": "bn", "TAMIL": "ta", "TELUGU": "te", "GUJARATI": "gu", "KANNADA": "kn",
    "MALAYALAM": "ml", "GURMUKHI": "pa", "SINHALA": "si", "THAI": "th", "LAO": "lo", "KHMER": "km", "MYANMAR": "my",
    "ETHIOPIC": "am",
}  # fmt: skip
_ORDINAL = ("", "-masculine", "-feminine", "-neuter", "-r", "-n", "-s", "-neuter-genitive", "-masculine-genitive")
_SPELLED = {"en": _ORDINAL[:1], "de": _ORDINAL, "nl": _ORDINAL[:1], "fr": _ORDINAL, "es": _ORDINAL, "it": _ORDINAL,
            "pt": _ORDINAL, "ru": _ORDINAL, "pl": _ORDINAL}  # fmt: skip
_COUNTS = ("fr", "es", "it", "pt")  # which say "two August" or "two of August"
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_BUDDHIST, _OLDEST_BUDDHIST = 543, 2400

# Year first or last, day or month first; each is tried at every number.
_RUN = re.compile(r"\d+")
_SIGN = r"[\s.,/'’_|\-\u2010-\u2015\u2212\u2044\u2215]"
_SPLIT = rf"{_SIGN}{{1,3}}"
_YEAR_FIRST = re.compile(rf"(\d{{4}}){_SPLIT}(\d{{1,2}}){_SPLIT}(\d{{1,2}})(?!\d)")
_YEAR_LAST = re.compile(
    rf"(\d{{1,2}}){_SPLIT}(\d{{1,2}}){_SPLIT}(\d{{4}})(?!\d)|(\d{{1,2}})[./\-](\d{{1,2}})[./\-](\d{{2}})(?!\d)"
)
_NUMERAL = re.compile(r"(\d{1,2})[./\-]\s?([ivx]{1,4})[./\-]\s?(\d{4})(?!\d)")
_EAST = re.compile(
    rf"({'|'.join(_ERAS)})?(?<!\d)(\d{{1,4}})\s?[年년]\s?(\d{{1,2}})\s?[月월]\s?(\d{{1,2}})\s?[日일]"
    r"|(?<!\d)(\d{1,2}) (?:thang|thg) (\d{1,2}),? (?:nam )?(\d{4})"
)
_ELSEWHERE = re.compile(r"[^\D0-9]")  # a figure of another script
_IN_EAST = re.compile("[年년]|thang|thg")
_BARE = re.compile(r"(?<![^\W_])(?:(\d{6}|\d{8})(?![^\W_])|(\d{8})(?:t\d|\d{4}(?:\d\d)?(?![^\W_])))")
# With a month in words: what may stand between.
_OF = (
    rf"{_SIGN}{{0,3}}(?:(?<![^\W\d_])(?:of|the|de|del|do|di|d|da|ng|a|viz|nam|an|ano|year|عام|سنه|سال|שנת|พ\.?ศ|ค\.?ศ)"
    rf"(?![^\W\d_]){_SIGN}{{1,2}}){{0,3}}"
)
_NTH = r"(?:[-.]?(?:st|nd|rd|th|er|re|ro|го|ое|е|[aoeº°])(?![^\W_]))?"
_IN_YEAR = r"(?:[.-]?\s?(?:m|gada|წლის|оны|ko|ж|թ|г|год|года|р|року|cu|il|yil)(?![^\W\d_])){0,2}"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_COUNTED = "〇一二三四五六七八九"
_HAN = {**{c: str(n) for n, c in enumerate(_COUNTED)}, "零": "0", "元": "1"}
_TENS = re.compile("([二三四五六七八九])?十([一二三四五六七八九])?")
# Few texts have these, without which no language need be read: a day beside its year, a year behind words.
_THEN_YEAR = re.compile(r"(\d{1,2})(?!\d)\D{1,40}?(\d{4}(?!\d)|\d\d(?![\d:]))")
_THEN_DAY = re.compile(r"(\d{4})\D{1,40}?(\d{1,2})(?!\d)")
_BEHIND_WORD = re.compile(r"\d{4}(?!\d)(?:(?<=[^\W\d_][^\w\n].{4})|(?<=[^\W\d_][^\w\n]{2}.{4}))")
_OF_BEHIND = re.compile(rf"{_OF}\Z")


class Days:
    """The days that a folded text states; where day and month are unclear both ways."""

    def __init__(self, text: str) -> None:
        self._text = _in_ascii(text)
        self._starts = [run.start() for run in _RUN.finditer(self._text)]
        self._figured = frozenset(_in_figures(self._text, self._starts))
        bare = (_BARE.match(self._text, at) for at in self._starts)
        self._bare = frozenset(match[1] or match[2] for match in bare if match)

    def state(self, value: str) -> bool:
        """True if one is the day that a value of a field of dates means."""
        return any(self._states(day) for day in _meant(value))

    def _states(self, day: Day) -> bool:
        return (
            any(_same(day, other) for other in self._figured)
            or not self._bare.isdisjoint(_bare_forms(day))
            or self._names(*day)
        )

    def _names(self, year: int, month: int, number: int) -> bool:
        """True if the day stands there with its month in words, where its year does."""
        day, days = (year, month, number), list[Day]()
        if any(number == each and year % 100 == other % 100 for each, other in self._beside):
            days += _numbered(self._text, month)
        if year in self._behind_words:
            days += _worded(self._text, month, number)
        return any(_same(day, other) for other in days)

    @cached_property
    def _beside(self) -> frozenset[tuple[int, int]]:
        """Numbers that may be a day and its year, with no figures between."""
        later = (_THEN_YEAR.match(self._text, at) for at in self._starts)
        earlier = (_THEN_DAY.match(self._text, at) for at in self._starts)
        days = {(int(match[1]), _year(match[2])) for match in later if match}
        return frozenset(days | {(int(match[2]), _year(match[1])) for match in earlier if match})

    @cached_property
    def _behind_words(self) -> frozenset[int]:
        """The years that stand behind words."""
        return frozenset(map(int, _BEHIND_WORD.findall(self._text)))


def _same(one: Day, other: Day) -> bool:
    short = min(one[0], other[0]) < 100
    return one[1:] == other[1:] and (one[0] % 100 == other[0] % 100 if short else one[0] == other[0])


def _in_ascii(text: str) -> str:
    """The text with the decimal figures of all scripts as 0 to 9."""
    return text if text.isascii() else _ELSEWHERE.sub(lambda figure: str(unicodedata.decimal(figure[0])), text)


def _in_figures(text: str, starts: Sequence[int]) -> Iterator[Day]:
    for at in starts:
        if match := _YEAR_FIRST.match(text, at):
            yield _year(match[1]), int(match[2]), int(match[3])
        elif match := _YEAR_LAST.match(text, at):
            one, other, year = match.groups()[:3] if match[3] else match.groups()[3:]
            yield _year(year), int(other), int(one)
            yield _year(year), int(one), int(other)
        elif (match := _NUMERAL.match(text, at)) and match[2] in _ROMAN:
            yield int(match[3]), _ROMAN.index(match[2]) + 1, int(match[1])
    if "月" in text:
        text = _TENS.sub(lambda m: f"{_COUNTED.index(m[1] or '一')}{_COUNTED.index(m[2] or '〇')}", text)
        text = "".join(_HAN.get(c, c) for c in text)
    for era, years, month, day, other_day, other_month, other_year in (
        _EAST.findall(text) if _IN_EAST.search(text) else ()
    ):
        if years:
            yield _ERAS.get(era, 0) + int(years), int(month), int(day)
        else:
            yield int(other_year), int(other_month), int(other_day)


def _year(figures: str) -> int:
    year = int(figures)
    return year - _BUDDHIST if year >= _OLDEST_BUDDHIST else year


def _bare_forms(day: Day) -> set[str]:
    year, month, number = day
    long = {f"{year:04d}"} if year >= 100 else set()
    return {
        order for y in (*long, f"{year % 100:02d}")
        for order in (f"{y}{month:02d}{number:02d}", f"{number:02d}{month:02d}{y}", f"{month:02d}{number:02d}{y}")
    }  # fmt: skip


# --- what a value means


@lru_cache(maxsize=1 << 12)
def _meant(value: str) -> frozenset[Day]:
    text = _in_ascii(folded(value.strip()))
    days = set(_in_figures(text, [run.start() for run in _RUN.finditer(text)]))
    if not days and (bare := _BARE.match(text)):
        days.update(_of_bare(bare[1] or bare[2]))
    if not days and any(c.isalpha() for c in text):
        days = {day for month in range(1, 13) for day in _numbered(text, month)} or {
            day for month in range(1, 13) for number in range(1, 32) for day in _worded(text, month, number)
        }
    if not days and re.fullmatch(r"\d{5}(?:\.\d+)?|[2-9][2-9]\d\d(?:\.\d+)?", text):  # what Excel keeps of a day
        date = datetime.date(1899, 12, 30) + datetime.timedelta(days=int(text.partition(".")[0]))
        days = {(date.year, date.month, date.day)}
    return frozenset(days)


def _of_bare(figures: str) -> Iterator[Day]:
    rest = len(figures) - 4
    for year, month, day in (
        (figures[:rest], figures[rest : rest + 2], figures[rest + 2 :]),
        (figures[4:], figures[2:4], figures[:2]), (figures[4:], figures[:2], figures[2:4]),
    ):  # fmt: skip
        if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            yield int(year), int(month), int(day)


# --- months and days in words


def _numbered(text: str, month: int) -> Iterator[Day]:
    """The days in figures of a month that a text names, with a year."""
    for script in _scripts(text):
        for pattern in _patterns(script, month)[:-2]:
            for match in pattern.finditer(text):
                yield _year(match["year"]), month, int(match["day"])


def _worded(text: str, month: int, number: int) -> Iterator[Day]:
    """A day in words of a month that a text names, with a year."""
    for script in _scripts(text):
        *_, behind, before = _patterns(script, month)
        for match in behind.finditer(text):
            said = _OF_BEHIND.sub("", text[max(0, match.start() - 40) : match.start()]).replace("-", " ")
            if any(said.endswith(word) and not said[: -len(word)][-1:].isalpha() for word in _spelled(number)):
                yield _year(match["year"]), month, number
        for match in before.finditer(text):
            if match["words"].replace("-", " ") in _spelled(number):
                yield _year(match["year"]), month, number


def _scripts(text: str) -> Iterator[str]:
    letters = {c for c in set(text) if c.isalpha()}
    seen = {unicodedata.name(c, "").partition(" ")[0] for c in letters}
    yield from (script for script in _LANGUAGES if script in seen)


@lru_cache(maxsize=256)
def _patterns(script: str, month: int) -> Sequence[re.Pattern[str]]:
    names = "|".join(sorted(map(re.escape, _names(script)[month]), key=lambda name: (-len(name), name)))
    name = rf"(?:{names})(?![^\W\d_])\.?(?:/[^\W\d_]{{2,12}})?"
    year, day = r"(?P<year>\d{4}(?!\d)|\d\d(?![\d:]))", r"(?P<day>\d{1,2})(?!\d)"
    return (
        re.compile(rf"(?<![^\W_]){day}{_NTH}{_OF}{name}{_OF}{year}"),
        re.compile(rf"(?<![^\W\d_]){name}{_SIGN}{{0,3}}{day}{_NTH}(?![^\W_]){_OF}(?<!\d){year}"),
        re.compile(rf"(?<!\d)(?P<year>\d{{4}}){_IN_YEAR}{_SPLIT}{name}{_SPLIT}{day}{_NTH}(?![^\W_])"),
        re.compile(rf"(?<!\d)(?P<year>\d{{4}}){_IN_YEAR}{_SPLIT}{day}{_NTH}{_SPLIT}{name}"),
        re.compile(rf"(?<![^\W\d_]){name}{_OF}(?P<year>\d{{4}})(?!\d)"),
        re.compile(
            rf"(?<![^\W\d_]){name} (?:the )?(?P<words>[^\W\d_]{{2,12}}(?:[ -][^\W\d_]{{2,12}})?){_OF}(?P<year>\d{{4}})(?!\d)"
        ),
    )


@lru_cache(maxsize=32)
def _names(script: str) -> dict[int, frozenset[str]]:
    """Names of each month in the languages of a script."""
    from babel import Locale

    by_month: dict[int, set[str]] = {month: set() for month in range(1, 13)}
    for language in _LANGUAGES[script].split():
        months = Locale.parse(language).months
        for use, width in (("format", "wide"), ("format", "abbreviated"), ("stand-alone", "wide")):
            for month, name in months[use][width].items():
                if not any(c.isdecimal() for c in name) and len(name) > 1:
                    said = re.sub(r"^(?:d’|de |dhen )", "", folded(name)).strip(".׳")
                    by_month[month] |= {said, f"ב{said}"} if script == "HEBREW" else {said}
    return {month: frozenset(names) for month, names in by_month.items()}


@lru_cache(maxsize=31)
def _spelled(number: int) -> frozenset[str]:
    """A day of the month in words."""
    from icu4py.messageformat import MessageFormat

    words = set()
    for language, forms in _SPELLED.items():
        kinds = ["", *(f",%spellout-ordinal{form}" for form in forms)]
        counted, *placed = (MessageFormat(f"{{n,spellout{kind}}}", language).format({"n": number}) for kind in kinds)
        words |= {*placed, counted} if language in _COUNTS else {*placed} - {counted}
    return frozenset(folded(word.replace("\xad", "").replace("-", " ")) for word in words) - {"un", "une", "una"}
