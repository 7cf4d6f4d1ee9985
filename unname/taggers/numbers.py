"""Identifiers at runs of digits: forms of their own, and numbers that the words before them explain.

Each run is looked at once, with patterns of bounded length and a window of bounded width before it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from unname.taggers import cues
from unname.taggers import patterns as p
from unname.taggers.checksums import iban
from unname.types import Span

# Neither in the midst of a date or a number in groups, nor short after a letter or colon within a number ("A1B2", "10:30").
# To begin with one digit passes over text faster than with several.
_RUN = re.compile(r"\d(?<!\d\d)(?<!\d[.,/-]\d)(?:(?<!\d[^\W\d_]\d)(?<!\d:\d)|(?=\d\d))\d*")
_WINDOW = 48
_FEW = 16
_AT_ONCE = 4096
_SIGNS = ".,:;()[]{}\"'«»“”*-–—=<>#/"
_LETTERS = re.compile(r"[^\W\d_]+")
# Letters of the words that can say what a number is; beside a number without any of them nothing else is read of its window.
# Everyday words are none of them ("in 1985", "ME 04101"): before numbers of the length that they tell of all is read.
_TELLING = frozenset(
    run
    for told in (cues.CUES, cues.BEFORE_APPLICATION, cues.STREETS, p.MONTHS, p.BEFORE_AGE)
    for word in told
    for run in _LETTERS.findall(word.lower())
)
_YEAR, _ZIP = 4, 5


def in_numbers(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    """Everything that is found at a run of digits; what a span covers is not looked at again."""
    done, words = 0, _Words()
    for count, match in enumerate(_RUN.finditer(text)):
        if count % _AT_ONCE == _AT_ONCE - 1:
            clock()
        start, end = match.span()
        if start < done:
            continue
        span = _at_number(text, start, end, done, words)
        if span is not None:
            done = span.end
            yield span


@dataclass(slots=True)
class _Words:
    """Up to where the words before numbers were read, and where the last stretch ends that has a telling one."""

    read: int = 0
    told: int = -1

    def tell(self, text: str, start: int, done: int) -> bool:
        """Whether words before a number may say what it is; each is read once, however many numbers follow it.

        Many words before a number that stands by itself are not even read: to say yes at once costs less.
        """
        first = max(done, start - _WINDOW)
        if self.read > first or start - first < _FEW:
            letters = _LETTERS.findall(text[max(self.read, first) : start].lower())
            if letters and (not _TELLING.isdisjoint(letters) or letters[-1].endswith(cues.STREET_ENDINGS)):
                self.told = start
        else:
            self.told = start
        self.read = start
        return self.told > first


def _at_number(text: str, start: int, end: int, done: int, words: _Words) -> Span | None:
    """The best span at a run of digits: the longest, then the surest."""
    before, length = text[start - 1 : start], end - start
    begins, forms = _beginnings(length, text[end : end + 1])
    shaped = begins.match(text, start)
    found: list[Span] = []
    if before.isalpha() or before == "_":
        found += _lettered(text, start, done)
    else:
        if shaped:
            found += _plain(text, start, forms)
            if match := cues.HOUSE_FIRST.match(text, start):
                found.append(Span(start, match.end(), "ADDRESS", score=p.LIKELY))
        if "+" in text[max(0, start - 2) : start] or text.startswith("00", start):
            found += _abroad(text, start)
        if before.isspace() and text[max(0, start - 4) : start].rstrip()[-1:].isupper():
            found += _lettered(text, start, done)
    telling = words.tell(text, start, done) or _YEAR <= length <= _ZIP
    if telling or shaped:
        said = [word.strip(_SIGNS) for word in text[max(done, start - _WINDOW) : start].lower().split()[-6:]] or [""]
        if shaped:
            found += _untold(text, start, end, said)
        if telling:
            found += _cued(text, start, end, said, done)
    return max(found, key=_worth) if len(found) > 1 else found[0] if found else None


# Digits of a run and kinds of sign after it where the words behind a number alone may say what it is: an age, years, a place.
_UNTOLD = (((1, 2, 3), " a.,½", p.YEARS_OLD), ((4,), " -–", p.YEARS), ((5,), " ,", cues.PLACE_AFTER))


@lru_cache(maxsize=2048)
def _beginnings(length: int, sign: str) -> tuple[re.Pattern[str], tuple[p.Form, ...]]:
    """All that may begin with a run of so many digits before a sign, as one pattern; and the forms among it.

    Most numbers are none of these, which is seen at one look.
    """
    kind = p.kind_of(sign)
    forms = tuple(form for form in p.FORMS if length in form.lengths and (not form.after or kind in form.after))
    patterns = [form.pattern for form in forms]
    if kind in cues.AFTER_HOUSE:
        patterns.append(cues.HOUSE_FIRST)
    patterns += [pattern for lengths, after, pattern in _UNTOLD if length in lengths and kind in after]
    return _either(tuple(pattern.pattern for pattern in patterns)), forms


# Signs are many, sets of patterns few.
@lru_cache(maxsize=512)
def _either(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")


def _worth(span: Span) -> tuple[int, float]:
    return span.end - span.start, span.score


def _plain(text: str, start: int, forms: Sequence[p.Form]) -> Sequence[Span]:
    """The best of the forms that begin with a run of digits; what could not be the best is not checked."""
    found, most = None, (0, 0.0)
    for form in forms:
        match = form.pattern.match(text, start)
        if match:
            opened = form.label == "PHONE" and ")" in match[0] and text[start - 1 : start] == "("
            worth = match.end() - start + opened, form.score
            if worth > most and (form.check is None or form.check(match[0])):
                found, most = Span(start - opened, match.end(), form.label, score=form.score), worth
    return (found,) if found else ()


def _abroad(text: str, start: int) -> Iterator[Span]:
    """A telephone number with the sign or the zeros for abroad before it."""
    plus = text.find("+", max(0, start - 2), start)
    match = p.ABROAD.match(text, start)
    if match and (plus >= 0 or match.end() - start > 11):
        yield Span(plus if plus >= 0 else start, match.end(), "PHONE", score=p.DISTINCT)


def _lettered(text: str, start: int, done: int) -> list[Span]:
    """Forms whose digits follow letters: at most six."""
    spans: list[Span] = []
    first, nearest, furthest = start, max(done, start - 2), max(done, start - 8)
    while first > nearest and text[first - 1].isspace():
        first -= 1
    while first > furthest and text[first - 1].isalpha():
        first -= 1
    if first > done and text[first - 1 : first].isalnum():
        return spans
    # The number may be followed by other words: it is as long as its country's numbers are.
    account = p.ACCOUNTS.get(text[first : first + 2].upper())
    if account and (match := account.match(text, first)) and iban(match[0]):
        spans.append(Span(first, match.end(), "IBAN", score=p.CHECKED))
    if p.ANY_LETTERED.match(text, first):
        for label, pattern, score, check in p.LETTERED:
            found = pattern.match(text, first)
            if found and (check is None or check(found[0])):
                spans.append(Span(first, found.end(), label, score=score))
    return spans


# --- cues


def _cued(text: str, start: int, end: int, said: list[str], done: int) -> Iterator[Span]:
    """What the words before a number say that it is."""
    last, length = said[-1], end - start
    if length <= 3:
        before = said[-2:] if last in ("of", "de", "von", "di", "is", "") else said[-1:]
        if not p.BEFORE_AGE.isdisjoint(before) and (match := p.AGE_ALONE.match(text, start)):
            yield Span(start, match.end(), "AGE", score=p.DISTINCT)
    if length in (1, 2, 4):
        yield from _dates(text, start, end, said, done)
    if length <= 4 and (
        not cues.STREETS.isdisjoint(said) or "c/" in last + said[0] or last.endswith(cues.STREET_ENDINGS)
    ):
        yield from _houses(text, start, done)
    if length == 5 and last.upper() in cues.STATES and (match := cues.ZIP.match(text, start)):
        yield Span(start, match.end(), "POSTCODE", score=p.DISTINCT)
    glued = len(said) > 1 and not text[start - 1 : start].isspace()
    if glued or last in cues.CUE_ENDINGS or not last.isalpha():
        if last in cues.BEFORE_APPLICATION and (match := cues.APPLICATION.match(text, start)):
            yield Span(start, match.end(), "RECORD", score=p.DISTINCT)
        label = _label(said) or (_label(said[:-1]) if glued else "")
        if label:
            yield from _value(text, start, label, done)


def _label(said: list[str]) -> str:
    """What the last words say, fillers aside."""
    at = len(said)
    while at and (said[at - 1] in cues.FILLERS or not said[at - 1]):
        at -= 1
    for first in range(max(0, at - 3), at):
        label = cues.CUES.get(" ".join(said[first:at]))
        if label:
            return label
    # "NHC-368503:" and "historia-12": a cue that a sign joins to its number or to the word before.
    glued = re.split(r"\W+", said[at - 1])[-1] if at else ""
    return cues.CUES.get(glued, "") or (cues.CUES.get(said[-1], "") if said[-1] in cues.FILLERS else "")


def _untold(text: str, start: int, end: int, said: list[str]) -> Iterator[Span]:
    """What a number is by the words behind it, whatever those before it say."""
    length = end - start
    if length <= 3:
        match = p.YEARS_OLD.match(text, start)
        if match and p.NO_AGE_AFTER.isdisjoint(said[-3:]):
            yield Span(start, match.end(), "AGE", score=p.LIKELY)
    elif length == 4:
        if match := p.YEARS.match(text, start):
            yield Span(start, match.end(), "DATE", score=p.LIKELY)
    elif length == 5 and (match := cues.PLACE_AFTER.match(text, start)):
        yield Span(start, match.end(), "POSTCODE", score=p.SHAPE)


def _value(text: str, start: int, label: str, done: int) -> Iterator[Span]:
    """The whole number that a cue announces."""
    first = start
    while first > max(done, start - 16) and (text[first - 1].isalnum() or text[first - 1] in "-/(+"):
        first -= 1
    if label in ("PHONE", "FAX"):
        match = p.ANY_PHONE.match(text, start)
        first = start - 1 if text[start - 1 : start] in ("+", "(") else start
    else:
        match = (cues.PLATE if label == "PLATE" else cues.VALUE).match(text, first)
    if match and match.end() > start and sum(c.isdigit() for c in match[0]) >= cues.FEWEST_DIGITS[label]:
        yield Span(first, match.end(), label, score=p.DISTINCT)


def _dates(text: str, start: int, end: int, said: list[str], done: int) -> Iterator[Span]:
    """A day or year after a month, and a year that words announce."""
    place = -2 if len(said) > 1 and said[-1] in ("de", "del", "of", "") else -1
    if said[place] in p.MONTHS and (match := p.AFTER_MONTH.match(text, start)):
        months = [
            m.start() for m in _LETTERS.finditer(text, max(done, start - _WINDOW), start) if m[0].lower() in p.MONTHS
        ]
        yield Span(months[-1] if months else start, match.end(), "DATE", score=p.DISTINCT)
    elif end - start == 4 and said[-1] in p.BEFORE_YEAR and (match := p.YEAR.match(text, start)):
        yield Span(start, match.end(), "DATE", score=p.LIKELY)


_OPENING = "([{\"'«“"
_NO_STREETS = frozenset(("C", "c", "AV"))
_BREAK = re.compile(r"(?<=[a-zß-ÿ]{4})[.]\s+[A-Z]|[;:]|\n\s*\n")


def _houses(text: str, start: int, done: int) -> Iterator[Span]:
    """A house number after its street, back to the word that says it is one."""
    window = max(done, start - _WINDOW)
    row = text[window:start].split()
    for place, word in enumerate(row):
        word, last = word.lstrip(_OPENING), place == len(row) - 1
        plain = word.strip(_SIGNS).lower()
        following = row[place + 1][:1] if not last else ""
        named = word[:1].isupper() or following.isupper()
        ending = last and plain.endswith(cues.STREET_ENDINGS) and word[:1].isupper()
        if (
            ending
            or (plain in cues.STREETS and named and not last and word.rstrip(_SIGNS) not in _NO_STREETS)
            or word.lower().startswith("c/")
        ):
            first = text.find(word, window, start)
            match = cues.HOUSE_LAST.match(text, start)
            if match and not _BREAK.search(text, first + 4, start):
                yield Span(first, match.end(), "ADDRESS", score=p.LIKELY)
                return
