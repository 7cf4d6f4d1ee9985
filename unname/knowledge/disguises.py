"""Direct identifiers of a person in other forms than texts have: in codes and keys that stand beside a text.

Figures without separators ("x19690829"), reversed, days in another order, plain hashes, initials. Whoever holds the table
can make each of these from it.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from unname.dates import Day, days_of
from unname.knowledge.fieldnames import Kind
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.leaks import only_digits
from unname.knowledge.novalues import says_nothing
from unname.text import fold, words
from unname.types import Profile

# Fewer figures or letters than these are the same by chance.
_FIGURES, _LETTERS = 6, 5
_HEXADECIMAL = re.compile(r"(?<![0-9a-f])[0-9a-f]{8,128}(?![0-9a-f])")
_INITIALS = re.compile(r"\W*([^\W\d_](?:[\W_]*[^\W\d_]){1,3})[\W_]*(\d{0,8})\W*")


@dataclass(frozen=True, slots=True, repr=False)
class Disguises:
    """One person's direct identifiers in other forms: figures, names backwards, hashes, initials."""

    figures: frozenset[str]
    backwards: frozenset[str]
    digests: frozenset[str]
    initials: frozenset[str]

    def within(self, value: str) -> bool:
        """Check whether a value holds one of them other than initials."""
        folded = fold(value)
        for token in folded.split():
            if len(token) < 32 or not _HEXADECIMAL.fullmatch(token):
                digits = only_digits(token)
                if any(figures in digits for figures in self.figures):
                    return True
        if any(name in folded for name in self.backwards):
            return True
        starts = [match[0] for match in _HEXADECIMAL.finditer(folded)]
        return any(digest.startswith(start) for start in starts for digest in self.digests)

    def abbreviates(self, value: str) -> bool:
        """Check whether a value is two or more initials of the person, with or without figures behind."""
        match = _INITIALS.fullmatch(value)
        return match is not None and bool(self.initials) and set(fold(match[1])) - set(" .-_/,") <= self.initials


def disguises_of(profile: Profile, direct: Mapping[str, Kind]) -> Disguises:
    """The forms that direct identifiers of a person, from their id and direct fields, may take."""
    known = direct_identifiers(profile, direct)
    days = {form for day in known.days for form in _orders(day)}
    values = [profile.id]
    for name in direct:
        values += [part.strip() for part in profile.fields.get(name, "").split("|") if not says_nothing(part)]
    numbers = {only_digits(value) for value in values if not days_of(value)}
    figures = days | {number for number in numbers if len(number.lstrip("0")) >= _FIGURES}
    return Disguises(
        frozenset(figures | {form[::-1] for form in figures}),
        frozenset(name[::-1] for name in known.single if len(name) >= _LETTERS),
        frozenset(_digests(profile, direct, values)),
        frozenset(name[0] for name in known.single),
    )


def _orders(day: Day) -> Iterator[str]:
    """A day in figures alone, in every order, the year with four figures and with two."""
    year = day.year or 0
    for written in {f"{year:04d}", f"{year % 100:02d}"}:
        for order in permutations((written, f"{day.month:02d}", f"{day.day:02d}")):
            yield "".join(order)


def _digests(profile: Profile, direct: Mapping[str, Kind], values: list[str]) -> Iterator[str]:
    """Plain hashes of each value as it may be written, and of the whole name."""
    names = [
        profile.fields[field] for field, kind in direct.items() if kind in ("name", "") and field in profile.fields
    ]
    whole = [sep.join(row) for row in permutations(names, 2) for sep in (" ", "", ", ", "_")] if len(names) < 5 else []
    for value in dict.fromkeys([*values, *whole]):
        letters = "".join(word.folded for word in words(value))
        for form in {value, value.lower(), value.upper(), letters, only_digits(value)} - {""}:
            for kind in ("md5", "sha1", "sha256"):
                yield hashlib.new(kind, form.encode(), usedforsecurity=False).hexdigest()
