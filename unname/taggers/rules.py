"""Identifiers by rule: what has a shape, a check digit, or a word before it that says what it is.

The text is read as its folded shadow, so disguises do not help, and spans are those of the original. Each run of digits,
each "@", each ":" is looked at once, with patterns of bounded length: the time is linear.

Scores: 1.0 where check digits hold, .9 for a shape that little else has or a cue word, .8 for a shape in a usual place,
.6 for a shape alone, 1.0 for the caller's own phrases.
"""

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address

from unname.errors import TaggingTimeoutError
from unname.shadow import shadow
from unname.taggers import cues
from unname.taggers import patterns as p
from unname.taggers.base import without_overlaps
from unname.taggers.checksums import IBAN_LENGTHS, bare, iban
from unname.taggers.phrases import Tree, find_phrases, phrase_tree
from unname.text import words
from unname.types import Span

Clock = Callable[[], None]
_OLD = 89


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """Direct identifiers by shape, check digits and cue words, and the caller's own lists of phrases.

    `phrases` are (phrase, label) to find as whole words; `allow` phrases are never tagged: a span that lies within one
    is dropped. `names` finds names after titles and in form fields. `old_only` leaves ages up to 89 (HIPAA). A text on
    which more than `timeout_s` seconds are spent (a MB or part of one) raises TaggingTimeoutError.
    """

    phrases: tuple[tuple[str, str], ...] = ()
    allow: tuple[str, ...] = ()
    names: bool = True
    old_only: bool = False
    timeout_s: float = 10.0
    name: str = field(default="rules.v1", init=False)

    def __repr__(self) -> str:
        return f"Rules({len(self.phrases)} phrases, {len(self.allow)} allowed)"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text: sorted, disjoint, in range. Too slow a text raises TaggingTimeoutError."""
        return [self._spans(text) for text in texts]

    def _spans(self, text: str) -> list[Span]:
        clock = _clock(self.timeout_s * (1 + len(text) // 1_000_000))
        folded = shadow(text)
        clock()
        found: list[Span] = []
        for rule in (_in_numbers, _mails, _links, _addresses_of_machines):
            found += rule(folded.text, clock)
            clock()
        if self.old_only:
            found = [s for s in found if s.label != "AGE" or _is_old(folded.text[s.start : s.end])]
        if self.names:
            found += _names(folded.text, clock)
        if self.phrases or self.allow:
            found = self._by_phrases(folded.text, found)
        clock()
        if folded.text is not text:
            found = [Span(*folded.original(s.start, s.end), s.label, score=s.score) for s in found]
        return _cut(found, text)

    def _by_phrases(self, text: str, found: list[Span]) -> list[Span]:
        row = words(text)
        found = found + [Span(a, b, label) for a, b, label in find_phrases(_tree(self.phrases), row)]
        allowed = list(find_phrases(_tree(tuple((phrase, "") for phrase in self.allow)), row))
        starts = {i: (a, b) for a, b, _ in allowed for i in range(a, b)}
        return [s for s in found if s.start not in starts or starts[s.start][1] < s.end]


def _cut(spans: list[Span], text: str) -> list[Span]:
    """Disjoint spans; what is left of a loser beside the winners stays, for it was found as well."""
    kept = without_overlaps(spans)
    if len(kept) == len(spans):
        return kept
    won = set(map(id, kept))
    rest = [piece for span in spans if id(span) not in won for piece in _beside(span, kept, text)]
    return without_overlaps([*kept, *rest])


def _beside(span: Span, kept: Sequence[Span], text: str) -> Iterator[Span]:
    """What of a span no other covers, from letter or digit to letter or digit."""
    at, place = span.start, bisect_right(kept, span.start, key=lambda k: k.end)
    while at < span.end:
        winner = kept[place] if place < len(kept) else Span(span.end, span.end)
        left, right = at, min(winner.start, span.end)
        while left < right and not text[left].isalnum():
            left += 1
        while left < right and not text[right - 1].isalnum():
            right -= 1
        if left < right:
            yield Span(left, right, span.label, score=span.score)
        at, place = max(winner.end, winner.start + 1), place + 1


@lru_cache(maxsize=8)
def _tree(phrases: tuple[tuple[str, str], ...]) -> Tree:
    return phrase_tree(phrases)


def _clock(limit_s: float) -> Clock:
    """What is called now and then, and raises when the time is over."""
    end = time.monotonic() + limit_s

    def check() -> None:
        if time.monotonic() > end:
            raise TaggingTimeoutError(
                f"the rules took more than {limit_s:g} s for a text; withhold it, or raise timeout_s"
            )

    return check


def _is_old(age: str) -> bool:
    return int(re.findall(r"\d+", age)[0]) > _OLD


# --- numbers

_RUN = re.compile(r"\d+")
_WINDOW = 48
_AT_ONCE = 4096
_SIGNS = ".,:;()[]{}\"'«»“”*-–—=<>#/"
_GLUE = frozenset(".,/-")


def _in_numbers(text: str, clock: Clock) -> Iterator[Span]:
    """Everything that is found at a run of digits; what a span covers is not looked at again."""
    done = 0
    for count, match in enumerate(_RUN.finditer(text)):
        if count % _AT_ONCE == _AT_ONCE - 1:
            clock()
        start, end = match.span()
        if start < done:
            continue
        span = _at_number(text, start, end, done)
        if span is not None:
            done = span.end
            yield span


def _at_number(text: str, start: int, end: int, done: int) -> Span | None:
    """The best span at a run of digits: the longest, then the surest."""
    before = text[start - 1 : start]
    if before.isalpha() or before == "_":
        found = _lettered(text, start, done)
    elif before in _GLUE and text[start - 2 : start - 1].isdigit():
        return None
    else:
        found = _plain(text, start, end)
        if before.isspace() and text[start - 3 : start - 1].isupper():
            found += _lettered(text, start, done)
    window = text[max(done, start - _WINDOW) : start]
    said = [word.strip(_SIGNS) for word in window.lower().split()[-6:]]
    found += _cued(text, start, end, said or [""], done)
    return max(found, key=_worth) if found else None


def _worth(span: Span) -> tuple[int, float]:
    return span.end - span.start, span.score


def _plain(text: str, start: int, end: int) -> list[Span]:
    """Forms that begin with a run of digits of this length."""
    found = []
    kind = p.kind_of(text[end : end + 1])
    for form in p.BY_START.get((end - start, kind), p.BY_LENGTH.get(end - start, ())):
        match = form.pattern.match(text, start)
        if match and (form.check is None or form.check(match[0])):
            opened = form.label == "PHONE" and ")" in match[0] and text[start - 1 : start] == "("
            found.append(Span(start - opened, match.end(), form.label, score=form.score))
    if "+" in text[max(0, start - 2) : start] or text.startswith("00", start):
        match = p.ABROAD.match(text, start)
        plus = text[max(0, start - 2) : start].find("+")
        if match and (plus >= 0 or (text.startswith("00", start) and match.end() - start > 11)):
            first = max(0, start - 2) + plus if plus >= 0 else start
            found.append(Span(first, match.end(), "PHONE", score=p.DISTINCT))
    capital = kind in " a," and any(c.isupper() for c in text[end : end + 3])
    if end - start <= 5 and (capital or text.startswith(cues.FRENCH_STREETS, end)):
        match = cues.HOUSE_FIRST.match(text, start)
        if match:
            found.append(Span(start, match.end(), "ADDRESS", score=p.LIKELY))
    return found


def _lettered(text: str, start: int, done: int) -> list[Span]:
    """Forms whose digits follow letters: at most six."""
    spans: list[Span] = []
    first = start
    while first > max(done, start - 7) and (
        text[first - 1].isalpha() or (first == start and text[first - 1].isspace())
    ):
        first -= 1
    if text[first - 1 : first].isalnum() and first > done:
        return spans
    country = text[first : first + 2].upper()
    if country in IBAN_LENGTHS and (match := p.ACCOUNT.match(text, first)):
        # The number may be followed by other words: it is as long as its country's numbers are.
        last, left = first, IBAN_LENGTHS[country]
        while last < match.end() and left:
            left -= text[last].isalnum()
            last += 1
        if not left and bare(text[first:last]).isascii() and iban(text[first:last]):
            spans.append(Span(first, last, "IBAN", score=p.CHECKED))
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
        yield from _ages(text, start, said)
    if length in (1, 2, 4):
        yield from _dates(text, start, end, said, done)
    if length <= 4 and (
        not cues.STREETS.isdisjoint(said) or "c/" in said[-1] + said[0] or last.endswith(cues.STREET_ENDINGS)
    ):
        yield from _houses(text, start, done)
    if length == 5:
        if last.upper() in cues.STATES and (match := cues.ZIP.match(text, start)):
            yield Span(start, match.end(), "POSTCODE", score=p.DISTINCT)
        elif match := cues.PLACE_AFTER.match(text, start):
            yield Span(start, match.end(), "POSTCODE", score=p.SHAPE)
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


def _ages(text: str, start: int, said: list[str]) -> Iterator[Span]:
    before = said[-2:] if said[-1] in ("of", "de", "von", "di", "is", "") else said[-1:]
    if not p.BEFORE_AGE.isdisjoint(before) and (match := p.AGE_ALONE.match(text, start)):
        yield Span(start, match.end(), "AGE", score=p.DISTINCT)
    elif p.NO_AGE_AFTER.isdisjoint(said[-3:]) and (match := p.YEARS_OLD.match(text, start)):
        yield Span(start, match.end(), "AGE", score=p.LIKELY)


def _dates(text: str, start: int, end: int, said: list[str], done: int) -> Iterator[Span]:
    """A day or year after a month, and a year that words or another year announce."""
    place = -2 if len(said) > 1 and said[-1] in ("de", "del", "of", "") else -1
    if said[place] in p.MONTHS and (match := p.AFTER_MONTH.match(text, start)):
        months = [
            m.start() for m in _WORD.finditer(text, max(done, start - _WINDOW), start) if m[0].lower() in p.MONTHS
        ]
        yield Span(months[-1] if months else start, match.end(), "DATE", score=p.DISTINCT)
    elif end - start == 4:
        pattern = p.YEAR if said[-1] in p.BEFORE_YEAR else p.YEARS
        if match := pattern.match(text, start):
            yield Span(start, match.end(), "DATE", score=p.LIKELY)


_WORD = re.compile(r"[^\W\d_]+")
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


# --- everything else

_LOCAL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]*\Z")
_DOMAIN = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_MOST = 64


def _mails(text: str, clock: Clock) -> Iterator[Span]:
    """Addresses around an "@": at most 64 signs before it."""
    at = text.find("@")
    done = 0
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1 + text[at + 1 : at + 2].isspace())
        first = at
        while first > max(done, at - _MOST) and (
            text[first - 1].isalnum() or text[first - 1] in ".!#$%&'*+/=?^_`{|}~-"
        ):
            first -= 1
        if domain and first < at:
            done = domain.end()
            yield Span(first, done, "EMAIL", score=p.DISTINCT)
        at = text.find("@", max(at + 1, done))


_LINK = re.compile(r"://[^\s<>\"']{1,2000}|[wW]{3}\.[^\s<>\"']{1,2000}")
_PLAIN_LINK = re.compile(r"\.(?:com|org|net|edu|gov|info)\b(?:/[^\s<>\"']{0,2000})?")


def _links(text: str, clock: Clock) -> Iterator[Span]:
    done = 0
    for pattern, least in ((_LINK, 0), (_PLAIN_LINK, 2)):
        if pattern is _LINK and "://" not in text and "www." not in text.lower():
            continue
        done = 0
        for match in pattern.finditer(text):
            first = match.start()
            while first > max(done, match.start() - _MOST) and (
                text[first - 1].isalnum() or (least and text[first - 1] in ".-")
            ):
                first -= 1
            end = match.start() + len(match[0].rstrip(".,;:!?)]}'\""))
            if match.start() - first >= least and end > match.start() and text[first - 1 : first] != "@":
                yield Span(first, end, "URL", score=p.DISTINCT)
                done = end


_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_HEXES = re.compile(r"[0-9A-Fa-f:.]*")
_MAC = re.compile(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])")
_DASHES = re.compile(r"-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-")


def _addresses_of_machines(text: str, clock: Clock) -> Iterator[Span]:
    """IPv6 and MAC addresses, around what is between two of their colons or hyphens."""
    done = 0
    for match in _COLONS.finditer(text):
        if match.start() < done:
            continue
        first = match.start()
        while first > max(done, match.start() - 4) and text[first - 1] in "0123456789abcdefABCDEF":
            first -= 1
        found = _HEXES.match(text, first)
        done = found.end() if found else match.end()
        written = text[first:done].rstrip(".").rstrip(":") if not text[first:done].endswith("::") else text[first:done]
        if text[first - 1 : first].isalnum() or text[done : done + 1].isalnum():
            continue
        if _MAC.fullmatch(written):
            yield Span(first, first + len(written), "MAC", score=p.DISTINCT)
        elif 3 < len(written) <= 45 and _is_ipv6(written):
            yield Span(first, first + len(written), "IP", score=p.DISTINCT)
    for match in _DASHES.finditer(text):
        found = _MAC.match(text, max(0, match.start() - 2))
        if found and not text[max(0, match.start() - 3) : max(0, match.start() - 2)].isalnum():
            yield Span(found.start(), found.end(), "MAC", score=p.DISTINCT)


def _is_ipv6(written: str) -> bool:
    try:
        IPv6Address(written)
    except ValueError:
        return False
    return True


def _names(text: str, clock: Clock) -> Iterator[Span]:
    """Names after titles and in form fields."""
    for pattern, score in cues.NAMES:
        clock()
        for match in pattern.finditer(text):
            if not text[match.start() - 1 : match.start()].isalnum():
                name = match["name"].rstrip()
                yield Span(match.start("name"), match.start("name") + len(name), "NAME", score=score)
