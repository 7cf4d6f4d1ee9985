"""One value of a field, piece by piece: a phone beside an e-mail address, a name with a day of birth in brackets.

A piece is a mailbox with its host, a day with its year, a number as people group figures, or the words between these.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from unname.dates import Day, days_in
from unname.knowledge.fieldnames import field_kind, says_relation
from unname.text import WORD, Word, fold, folded_runs

MAIL = re.compile(r"([^\s@<>,;:()|/]{1,64})@([^\s@<>,;()|/]{1,255})")
# Figures from six on with what groups them; two numbers beside each other are one row of figures, and no phone has more.
_NUMBER = re.compile(
    r"(?<!\w)(?:[+(]{0,2}\d(?:[ \u00a0.()\-\u2010-\u2015]{0,2}\d){5,18}|[+(]?0\d{1,5}/\d(?:[ .\-]?\d){4,12})(?!\w)"
)
_TWO_NUMBERS = re.compile(r"(?<=\d{4})\s{0,3}/\s{0,3}(?=\+?\d{4})")
_BETWEEN = re.compile(r"[;,()\[\]{}<>|\n\r\t*•·、，；（）/†]|\s[-–—]\s")
_FEWEST_DIGITS, _MOST_DIGITS = 6, 15
# Years of births that people living or known may have, and years of two figures.
_YEARS = range(1850, 2101)
_LONGEST = 400
_PLAIN = re.compile(r"[^\d@;,()\[\]{}<>|\n\r\t*•·、，；（）/†:\-–—]*")


class Pieces(NamedTuple):
    """The pieces of a value, by kind; `texts` are words, without those that say a relation ("wife")."""

    mails: tuple[str, ...]
    days: frozenset[Day]
    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    relations: int

    def __repr__(self) -> str:
        return f"Pieces({len(self.mails)}, {len(self.days)}, {len(self.numbers)}, {len(self.texts)})"

    @property
    def several(self) -> bool:
        """Check whether a value holds more than one thing."""
        return len(self.mails) + bool(self.days) + len(self.numbers) + len(self.texts) + self.relations > 1


def pieces_of(value: str, *, dated: bool = True) -> Pieces:
    """A value in pieces; if it is not `dated`, figures that may be a day are a number. A long one is one text."""
    if len(value) > _LONGEST or _PLAIN.fullmatch(value):
        return Pieces((), frozenset(), (), (value,), 0)
    mails = tuple(match[0] for match in MAIL.finditer(value))
    rest, days = MAIL.sub(" ; ", value), set[Day]()
    if dated and any(c.isdigit() for c in rest):
        spans = [(a, b, day) for a, b, day in days_in(rest) if _of_a_person(day) and not rest[a:b].isdecimal()]
        days = {day for _, _, day in spans}
        for start, end, _ in spans:
            rest = rest[:start] + ";" * (end - start) + rest[end:]
    rest = _TWO_NUMBERS.sub(";", rest)
    numbers = tuple(match[0] for match in _NUMBER.finditer(rest) if _FEWEST_DIGITS <= _digits(match[0]) <= _MOST_DIGITS)
    parts = [part.strip(" .:#'\"") for part in _BETWEEN.split(_NUMBER.sub(" ; ", rest))]
    texts = [part for part in parts if any(c.isalpha() for c in part)]
    related = [part for part in texts if _is_relation(part, texts, reached=bool(mails or numbers))]
    # A single word is a name, whatever else it means.
    alone = len(texts) == len(related) and not (mails or days or numbers)
    kept = texts if alone else [part for part in texts if part not in related]
    return Pieces(mails, frozenset(days), numbers, tuple(kept), 0 if alone else len(related))


def _is_relation(part: str, texts: Sequence[str], *, reached: bool) -> bool:
    """Check whether a piece says who somebody is to the person; with a capital only beside a whole name and a phone.

    ("Nguyen, Son" is called so; in "Ruth Quill, Mutter, 900-007700" nobody is called Mutter.)
    """
    if not says_relation(folded_runs(part)):
        return False
    return part == part.lower() or (reached and any(" " in other for other in texts if other != part))


def name_words(text: str, whole: str) -> list[Word]:
    """The words of a piece that may be a name's: without labels ("Tel:") and relations in small letters ("mother Ada")."""
    row = [Word(*match.span(), fold(match[0])) for match in WORD.finditer(text)]
    named = [word for word in row if not (text[word.start].islower() and says_relation([word.folded]))]
    if ":" not in whole:
        return named or row
    return [w for w in named or row if f"{text[w.start : w.end]}:" not in whole or not _labels(w.folded)]


def _labels(word: str) -> bool:
    return field_kind(word) is not None or says_relation([word])


def _digits(text: str) -> int:
    return sum(c.isdecimal() for c in text)


def _of_a_person(day: Day) -> bool:
    return day.year is not None and (day.year in _YEARS or day.year < 100)
