"""What identifies one person alone, from the direct fields of their profile."""

import re
from collections.abc import Mapping, Sequence

from unname.dates import Day, days_of
from unname.knowledge.fieldnames import Kind, word_set
from unname.knowledge.leaks import DirectIdentifiers, only_digits
from unname.knowledge.novalues import says_nothing
from unname.knowledge.spellings import cased
from unname.text import Word, words
from unname.types import Profile

_PARTICLES = word_set(
    "da de del della der den di dos du el la le les van von und zu of the and jr sr ii iii iv dr mr mrs ms st"
)
# Mailboxes of offices, which name nobody.
_OFFICES = word_set("info office mail contact admin post hello service kontakt buero praxis correo contacto")
_MAIL = re.compile(r"([^\s@<>,;:()|]{1,64})@([^\s@<>,;()|]{1,255})")
_NUMBER = re.compile(r"\d{6,}")
_HOUSE = re.compile(r"^\W*\d+\w?\W+|\W+\d+\s?\w?(?:\W.*)?$")
_STREET = re.compile(r"stra(?:ss|ß)e$")
_POSTCODE = re.compile(r"\d{4,}")
_STREET_PARTS = re.compile(r"[,;\n]")
_FEWEST_DIGITS, _SHORTEST_MAILBOX = 4, 4


def direct_identifiers(profile: Profile, fields: Mapping[str, Kind] | Sequence[str]) -> DirectIdentifiers:
    """What must not survive of a person: from the id, and from the direct `fields` by what each holds.

    Of a name each word of two letters or more counts alone, particles ("de", "van", "Jr") and figures aside. A day
    counts in every spelling. A number or contact is found as a sequence of words and, from four digits on, as its
    digits however they are grouped; an e-mail address also by what stands before the @; an address whole, as street
    and house, and as the street alone. Of a field that holds nobody knows what, a value without a digit or @ is a name,
    and any other is both a number and, by its capitalised words, a name. A value that says nothing ("unknown") is none.
    """
    made = _Parts()
    made.number(profile.id)
    for name in fields:
        kind: Kind = fields[name] if isinstance(fields, Mapping) else ""
        for part in profile.fields.get(name, "").split("|"):
            made.value(part, kind)
    return DirectIdentifiers(
        frozenset(made.single),
        frozenset(made.sequences),
        frozenset(made.digits),
        frozenset(made.days),
        frozenset(made.short),
    )


class _Parts:
    """What was gathered of one person so far."""

    def __init__(self) -> None:
        self.single: set[str] = set()
        self.sequences: set[tuple[str, ...]] = set()
        self.digits: set[str] = set()
        self.days: set[Day] = set()
        self.short: set[str] = set()

    def value(self, part: str, kind: Kind) -> None:
        """Take in one value of a field."""
        row = words(part)
        if says_nothing(part):
            return
        for mailbox, host in _MAIL.findall(part):
            self._mail(mailbox, host)
        figured = any(c.isdigit() or c == "@" for c in part)
        days = days_of(part, dated=kind == "date")
        self.days |= days
        if days and (kind == "date" or not (kind or part.strip().isdecimal())):
            return  # a day alone; of any other field eight figures may be a number that looks like one
        if kind == "address":
            self._address(part)
        elif kind == "name" or not (figured or kind):
            self._names(row)
        else:
            self.number(part)
            self.digits.update(only_digits(run) for run in _NUMBER.findall(part))
            if not kind and "@" not in part:
                self._names([word for word in row if _is_named(part[word.start : word.end])])

    def number(self, part: str) -> None:
        """Take in a number, contact or id, whole."""
        if row := tuple(word.folded for word in words(part)):
            self.sequences.add(row)
        figures = only_digits(part)
        if len(figures) >= _FEWEST_DIGITS and not any(c.isalpha() for c in part):
            self.digits.add(figures)

    def _names(self, row: Sequence[Word]) -> None:
        named = [word.folded for word in row if not any(c.isdigit() for c in word.folded)]
        self.single.update(name for name in named if len(name) > 1 and name not in _PARTICLES)
        # One letter beside other names is an initial; one character may be a whole family name.
        self.short.update(name for name in named if len(name) == 1 and (len(named) == 1 or not cased(name)))

    def _mail(self, mailbox: str, host: str) -> None:
        box = tuple(word.folded for part in mailbox.split("_") for word in words(part))
        self.sequences.add((*box, *(word.folded for word in words(host))))
        if sum(map(len, box)) >= _SHORTEST_MAILBOX and _OFFICES.isdisjoint(box):
            self.sequences.add(box)

    def _address(self, part: str) -> None:
        self.sequences.add(tuple(word.folded for word in words(part)))
        for piece in _STREET_PARTS.split(part):
            if not any(c.isdigit() for c in piece) or not any(c.isalpha() for c in piece):
                continue
            street = tuple(word.folded for word in words(_HOUSE.sub("", piece)))
            self.sequences.add(tuple(word.folded for word in words(piece)))
            if _POSTCODE.search(piece):
                continue  # the rest of it is a town
            if len(street) > 1 or sum(map(len, street)) > _FEWEST_DIGITS:
                self.sequences.add(street)
                if short := _STREET.sub("str", "".join(street)):
                    self.sequences.add((short,))


def _is_named(word: str) -> bool:
    """Whether a word beside figures may be one of a name: letters alone, the first a capital."""
    return word.isalpha() and len(word) > 2 and word[0].isupper() and (word[1:].islower() or word.isupper())
