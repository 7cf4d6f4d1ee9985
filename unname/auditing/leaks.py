"""The last look before a text leaves: does a direct identifier of its person still stand in it?"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unname.shadow import shadow
from unname.text import Word, folded_words, words
from unname.types import Profile

_PARTICLES = frozenset(
    [
        "da",
        "de",
        "del",
        "della",
        "der",
        "den",
        "di",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "les",
        "van",
        "von",
        "und",
        "zu",
        "of",
        "the",
        "and",
        "jr",
        "sr",
        "ii",
        "iii",
        "iv",
        "dr",
        "mr",
        "mrs",
        "ms",
        "st",
    ]
)
_DIGITS = re.compile(r"\d(?:[\s().\-/\u2010-\u2015]*\d){3,}")
_RUNS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, repr=False)
class DirectIdentifiers:
    """What must not survive of one person: single folded words, word sequences, and digit strings."""

    single: frozenset[str]
    sequences: frozenset[tuple[str, ...]]
    digits: frozenset[str]
    _joined: frozenset[str] = field(init=False)
    _starts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        joined = frozenset("".join(sequence) for sequence in self.sequences)
        object.__setattr__(self, "_joined", joined)
        object.__setattr__(self, "_starts", frozenset(j[:i] for j in joined for i in range(1, len(j) + 1)))

    def __repr__(self) -> str:
        return (
            f"DirectIdentifiers({len(self.single)} words, {len(self.sequences)} sequences, {len(self.digits)} numbers)"
        )

    def find(self, text: str, row: Sequence[Word] | None = None) -> list[tuple[int, int]]:
        """Offsets of every identifier that stands in a text, sorted; they may overlap. `row` may give its words.

        It is looked for in the text and in its folded shadow: an identifier in disguise is found whole.
        """
        found = self._in(text, row)
        folded = shadow(text)
        if folded.text is not text:
            found += [folded.original(start, end) for start, end in self._in(folded.text)]
        return sorted(set(found))

    def _in(self, text: str, row: Sequence[Word] | None = None) -> list[tuple[int, int]]:
        """The same in a text as it is written, in any order."""
        if row is None:
            # Most texts hold no word that matters, which is seen without the places of all words.
            folded = folded_words(text)
            none = "_" not in text and self.single.isdisjoint(folded) and self._starts.isdisjoint(folded)
            row = () if none else words(text)
        single = self.single
        found = [(start, end) for start, end, folded in row if folded in single]
        found += self._sequences_in(row)
        # Folding makes no underscore of any letter.
        if "_" in text:
            # A name may be a part of a word that underscores join ("Ada_Lovelace.pdf").
            found += [(w.start, w.end) for w in row if not single.isdisjoint(w.folded.split("_"))]
            found += self._sequences_in(words(text.replace("_", " ")))
        if self.digits:
            for match in _DIGITS.finditer(text):
                if any(number in _only_digits(match.group()) for number in self.digits):
                    found.append(match.span())
        return found

    def _sequences_in(self, row: Sequence[Word]) -> Iterable[tuple[int, int]]:
        """Sequences, and the same joined ("MG4391207") or parted elsewhere ("MG4391 207")."""
        starts = self._starts
        for i in [i for i, word in enumerate(row) if word[2] in starts]:
            first = row[i]
            for joined in self._joined:
                if joined.startswith(first.folded):
                    rest, j = joined[len(first.folded) :], i + 1
                    while rest and j < len(row) and rest.startswith(row[j].folded):
                        rest, j = rest[len(row[j].folded) :], j + 1
                    if not rest:
                        yield first.start, row[j - 1].end


def _only_digits(text: str) -> str:
    """The decimal digits of any script, as 0 to 9."""
    digits = "".join(_RUNS.findall(text))
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)


def direct_identifiers(profile: Profile, fields: Sequence[str]) -> DirectIdentifiers:
    """From a profile's id and its direct fields: every word of a name, contacts and numbers as a whole.

    A value with a digit or an @ is a contact or number: it is found as a sequence of words or, from four digits on, as
    its digits however they are grouped. Any other value is a name: each word of two letters or more counts alone,
    particles ("de", "van", "Jr") aside.
    """
    single: set[str] = set()
    sequences: set[tuple[str, ...]] = set()
    digits: set[str] = set()
    for value in [profile.id, *(profile.fields[f] for f in fields if f in profile.fields)]:
        for part in value.split("|"):
            row = tuple(w.folded for w in words(part))
            if not row:
                continue
            if (part is value and value == profile.id) or any(c.isdigit() or c == "@" for c in part):
                if len(row) > 1 or len(row[0]) > 2:
                    sequences.add(row)
                if len(_only_digits(part)) >= 4 and not any(c.isalpha() for c in part):
                    digits.add(_only_digits(part))
            else:
                single.update(w for w in row if len(w) > 1 and w not in _PARTICLES)
    return DirectIdentifiers(frozenset(single), frozenset(sequences), frozenset(digits))
