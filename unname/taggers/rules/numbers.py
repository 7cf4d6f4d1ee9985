"""Identifiers at numbers: shapes of digits, of letters and digits, and numbers that the words before them explain.

Each run of digits is looked at once, with patterns of bounded length and a window of bounded width before it.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache

from unname.months import is_month
from unname.taggers.rules import cues
from unname.taggers.rules.cues import SIGNS as _SIGNS
from unname.taggers.rules.patterns import (
    AFTER_CUES,
    AT_DIGITS,
    AT_LETTERS,
    BEFORE_MONTH,
    BEGIN_LINES,
    BESIDE_MONTH,
    HOUSE,
    NEXT_LINE,
    VALUES,
    YEAR_BEFORE_MONTH,
)  # fmt: skip
from unname.taggers.rules.recogniser import SHAPE, SPACED, UNSPACED, Recogniser
from unname.taggers.rules.telephones import Countries, countries_of, telephone_end
from unname.types import Span

# Neither in the midst of a date or a number in groups ("1,234,567"), nor short after a letter or colon within a number
# ("A1B2", "10:30").
_RUN = re.compile(
    r"\d(?<!\d\d)(?<!\d[./-]\d)(?!(?<=\d,\d)\d\d(?:[.,]\d{3})+(?![\d.-]))(?:(?<!\d[^\W\d_]\d)(?<!\d:\d)|(?=\d\d))\d*"
)
# A number may have another joined to it ("1/2/1980-3/4/1981").
_JOINED = re.compile(r"[./-](\d)")
# Between the fields of a record, and in their names, no blank need be.
_BETWEEN_FIELDS = re.compile(r"(?<![;|,_])[;|,_]++\"?(?=[^\W\d_])")
_WINDOW = 48
_DASHES = "\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
# A number that goes on in the next line.
_WRAPPED = re.compile(r"-(?<=\d-)([ \t]{0,9}\r?\n[ \t]{0,9})(?=\d)|\n(?<=\d\n)[ \t]{0,9}(?=-\d)")


def in_numbers(text: str, clock: Callable[[], None], characters: Collection[str] = ()) -> Iterator[Span]:
    """Everything at a run of digits that is an identifier; no span is looked at again.

    `characters` are those of the text, if they are known.
    """
    plain = text if text.isascii() else _plain(text, characters or set(text))
    gaps = [match.span(match.lastindex or 0) for match in _WRAPPED.finditer(plain)]
    if not gaps:
        yield from _in_plain(plain, clock)
        return
    begins, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(plain)]
    places = [at for begin, end in zip(begins, ends, strict=True) for at in range(begin, end)]
    for span in _in_plain("".join(map(plain.__getitem__, places)), clock):
        yield replace(span, start=places[span.start], end=places[span.end - 1] + 1)


def _plain(text: str, characters: Collection[str]) -> str:
    """A text whose dashes are hyphens and whose digits are those of ASCII, at the same places."""
    for character in characters:
        if character > "~" and (character in _DASHES or character.isdecimal()):
            text = text.replace(character, str(int(character)) if character.isdecimal() else "-")
    return text


def _in_plain(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    outside_fields = _BETWEEN_FIELDS.sub(lambda match: " " * len(match[0]), text)
    countries = cache(lambda: countries_of(text))
    done, match = 0, _RUN.search(text)
    while match:
        clock()
        start, end = match.start(match.lastindex or 0), match.end()
        span_here = max(_at(text, outside_fields, start, done), key=lambda span: _worth(span, text), default=None)
        span_here = span_here or _telephone(text, start, countries)
        if span_here:
            yield span_here
            done = end = span_here.end
        match = (_JOINED.match(text, end) if span_here else None) or _RUN.search(text, end)


def _worth(span: Span, text: str) -> tuple[bool, int, float]:
    """The rank of a span: first those that stop where another line begins, then the longest, then the surest."""
    return not any(_line_ends(text, span.start, span.end)), span.end - span.start, span.score


def _line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Ends of lines within a stretch whose next line begins with something else."""
    at = text.find("\n", start, end)
    while at >= 0:
        first = at + len(text[at:end]) - len(text[at:end].lstrip())
        begun = (known.holds(match[0]) for known in BEGIN_LINES if (match := known.pattern.match(text, first)))
        if NEXT_LINE.match(text, first) or any(begun):
            yield at
        at = text.find("\n", at + 1, end)


def _match(known: Recogniser, text: str, start: int) -> re.Match[str] | None:
    """The match of a recogniser here; of one that goes on over such a line's end, the whole match before it."""
    match = known.pattern.match(text, start)
    if match and known.cut:
        match = known.match(text, start)
    if match is None:
        return None
    for end in _line_ends(text, start, match.end()):
        shorter = known.match(text, start, end)
        if shorter and not any(c.isalnum() for c in text[shorter.end() : end]):
            return shorter
    return match if known.holds(match[0]) else None


def _at(text: str, outside_fields: str, start: int, done: int) -> Iterator[Span]:
    """All spans that begin at a number or before it, behind those that are done."""
    window = outside_fields[max(done, start - _WINDOW) : start]
    lowered = window.lower() if window.isascii() else window.lower().replace("\u0307", "")
    row, plain = window.split(), [word.strip(_SIGNS) for word in lowered.split()]
    yield from _at_digits(text, start, plain)
    yield from _at_letters(text, start, done)
    yield from _after_cues(text, start, done, row, plain)
    yield from _houses(text, start, done, row, plain)


def _span(known: Recogniser, text: str, start: int, end: int) -> Span:
    """A telephone number begins with the sign for abroad, or the bracket that it closes."""
    if known.label in ("PHONE", "FAX"):
        plus = text.find("+", max(0, start - 2), start)
        opened = text[start - 1 : start] == "(" and ")" in text[start:end]
        start = plus if plus >= 0 else start - opened
    return Span(start, end, known.label, score=known.score)


# Most numbers look like none of these, which is seen at one look.
_ANY = re.compile("|".join(f"(?:{known.pattern.pattern})" for known in AT_DIGITS))
_BEGINNINGS = [(known.pattern.match, known) for known in AT_DIGITS]
_LETTERED = [(known.pattern.match, known) for known in AT_LETTERS]
# That of "nº12" is no letter, though Python calls it one.
_LETTERS_BEFORE = re.compile(rf"(?<![^\W_ºª{UNSPACED}])[^\W\d_ºª{UNSPACED}]{{1,6}}\s{{0,2}}\Z")
_MOST_LETTERS = 9


def _at_digits(text: str, start: int, plain: list[str]) -> Iterator[Span]:
    tried = [known for begins, known in _BEGINNINGS if begins(text, start)] if _ANY.match(text, start) else []
    for known in (*tried, *_named(text, start)):
        match = _match(known, text, start)
        if match and known.not_after.isdisjoint(plain[-3:]):
            yield _span(known, text, start, match.end())


def _named(text: str, start: int) -> list[Recogniser]:
    """The recognisers of a month behind this number, which few of the words there are."""
    table = YEAR_BEFORE_MONTH if text[start : start + 3].isdecimal() else BEFORE_MONTH
    return [known for known in table if (match := known.pattern.match(text, start)) and known.holds(match[0])]


def _at_letters(text: str, start: int, done: int) -> Iterator[Span]:
    letters = _LETTERS_BEFORE.search(text[max(done, start - _MOST_LETTERS) : start])
    first = start - len(letters[0]) if letters else start
    for known in [known for begins, known in _LETTERED if begins(text, first)] if letters else ():
        if match := _match(known, text, first):
            yield _span(known, text, first, match.end())


# A telephone number has eight digits or more, few of them together.
_LONG = re.compile(r"(?:\d[ \u00a0().-]{0,2}){8}")
_TOUCHED = re.compile(rf"(?<=[^\W_])(?<=[{SPACED}])|(?<=\d[ \u00a0.-])")


def _telephone(text: str, start: int, countries: Callable[[], Countries]) -> Span | None:
    """A telephone number of a country that the text points to, which looks like nothing else."""
    if not _LONG.match(text, start) or _TOUCHED.match(text, start):
        return None
    end = telephone_end(text, start, countries)
    opened = text[start - 1 : start] == "(" and ")" in text[start:end]
    return Span(start - opened, end, "PHONE", score=SHAPE) if end > start else None


# --- what words before a number say that it is

_BETWEEN_WORDS = re.compile(r"\W+")
_FILLERS = frozenset[str]().union(*(known.fillers for known in (*AFTER_CUES, BESIDE_MONTH, *VALUES)))


def _by_cue(*table: Recogniser) -> dict[str, list[Recogniser]]:
    return {cue: [known for known in table if cue in known.cues] for each in table for cue in each.cues}


_AFTER, _VALUE_AFTER = _by_cue(*AFTER_CUES, *VALUES), _by_cue(*VALUES)
_LAST_OF_CUES = frozenset(cue.rpartition(" ")[2] for cue in _AFTER)


def _cued(plain: list[str]) -> Iterator[tuple[int, Recogniser]]:
    """The recognisers cued by up to three last words, fillers aside, and each cue's place; furthest and longest first."""
    last = len(plain)
    while last and plain[last - 1] in _FILLERS:
        last -= 1
    for end in range(last, len(plain) + 1):
        for first in range(max(0, end - 3), end) if end and plain[end - 1] in _LAST_OF_CUES else ():
            for known in _AFTER.get(" ".join(plain[first:end]), ()):
                if known.fillers.issuperset(plain[end:]):
                    yield first, known
        if end and is_month(plain[end - 1]) and BESIDE_MONTH.fillers.issuperset(plain[end:]):
            yield end - 1, BESIDE_MONTH
    # "nº.historia": a sign joins the cue to a word before.
    for known in _VALUE_AFTER.get(_BETWEEN_WORDS.split(plain[last - 1])[-1], ()) if last else ():
        yield last - 1, known


_JOINS = re.compile(rf"[^\W_{UNSPACED}]|[-/(+]")
_JOINED_FILLERS = tuple(sorted(cues.words("joined_filler"), key=len, reverse=True))
# "病历号A12345": letters may be joined to the number.
_UNSPACED_END = re.compile(rf"[^{SPACED}]{{1,24}}(?=[A-Za-z0-9/-]{{0,8}}\Z)")
_LONGEST_CUE = 20


def _unspaced(word: str) -> Iterator[Recogniser]:
    """The recognisers cued by the end of a run of letters in a script without blanks between words."""
    run = _UNSPACED_END.search(word[-_LONGEST_CUE:])
    ending = run[0] if run else ""
    for _ in range(3):
        for first in range(len(ending)):
            if known := _VALUE_AFTER.get(ending[first:]):
                yield from known
                return
        ending = next((ending.removesuffix(end) for end in _JOINED_FILLERS if ending.endswith(end)), "")


def _after_cues(text: str, start: int, done: int, row: list[str], plain: list[str]) -> Iterator[Span]:
    cued = list(_cued(plain))
    if plain and not plain[-1].isascii() and max(plain[-1]) > "\u0e00":
        cued += [(len(row) - 1, known) for known in _unspaced(plain[-1])]
    # Of "NHC AB-123" the cue stands before what is joined to the number.
    if len(row) > 1 and not text[start - 1].isspace() and not any(known in VALUES for _, known in cued):
        cued += [(first, known) for first, known in _cued(plain[:-1]) if known in VALUES]
    for first, known in cued:
        begin = start
        if known.begins == "joined":
            while begin > max(done, start - 16) and _JOINS.match(text, begin - 1):
                begin -= 1
        match = _match(known, text, begin)
        if match and match.end() > start:
            if known.begins == "cue":
                begin = text.rfind(row[first].strip(_SIGNS), max(done, start - _WINDOW), start)
            yield _span(known, text, begin, match.end())


# --- streets

_STREET_ENDINGS = tuple(sorted(cues.words("street_ending")))
_OPENING = "([{\"'«“"
_NO_STREETS = frozenset(("C", "c", "AV"))
_BREAK = re.compile(r"(?<=[a-zß-ÿ]{4})[.]\s+[A-Z]|[;:]|\n\s*\n")


def _houses(text: str, start: int, done: int, row: list[str], plain: list[str]) -> Iterator[Span]:
    """A house number after its street, back to the word that marks it as one."""
    near, end = plain[-6:] or [""], len(row) - 1
    if HOUSE.cues.isdisjoint(near) and "c/" not in near[-1] + near[0] and not near[-1].endswith(_STREET_ENDINGS):
        return
    for place, (word, plain_word) in enumerate(zip(row, plain, strict=True)):
        word = word.lstrip(_OPENING)
        if place == end and plain_word.endswith(_STREET_ENDINGS):
            named = word[:1].isupper()
        elif place < end and plain_word in HOUSE.cues:
            named = word.rstrip(_SIGNS) not in _NO_STREETS and (word[:1].isupper() or row[place + 1][:1].isupper())
        else:
            named = False
        if named or word[:2] in ("c/", "C/"):
            first = text.find(word, max(done, start - _WINDOW), start)
            match = _match(HOUSE, text, start)
            if match and not _BREAK.search(text, first + 4, start):
                yield _span(HOUSE, text, first, match.end())
                return
