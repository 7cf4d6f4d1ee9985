"""The second reading: the release as anybody reads it, searched for the person whom each document is about.

It uses nothing of the code that masked: it folds, splits and compares in its own plain way, so that a fault there does
not hide here. It knows fewer spellings than the masking. It is done before crowds are verified and attackers are tried,
so that every figure is about what remains; and once more on the written file, which must then hold nobody.
"""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from unname.errors import UnsafeReleaseError
from unname.knowledge.fieldnames import says_relation
from unname.knowledge.novalues import names_nobody, says_nothing
from unname.protecting.result import Deidentified
from unname.stopwords import every_function_word
from unname.storage.dialects import Dialect
from unname.storage.rows import records
from unname.storage.tables import plain_cell
from unname.types import Document, Profile
from unname.verifying.days import Days
from unname.verifying.folding import folded as _folded
from unname.writing.release import public_id, released, released_row

REREAD = "found-on-rereading"
# Words with the vowel signs of the scripts of India and beyond, which are no letters.
_WORD = re.compile(
    r"[^\W_](?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u102b-\u103e\u17b4-\u17d3])*"
)
_PLACEHOLDER = re.compile(r"\[[A-Z]+(?:_[A-Z0-9]+)*(?: [1-9][0-9]{0,2})?\]")
# Scripts without blanks between words: Thai to Khmer, and those of East Asia.
_UNBROKEN = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
# What is typed where a keyboard lacks the letter.
_TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj"})
_LATIN = re.compile("[A-Za-z\u3040-\u30ff\u3400-\u9fff]")  # and scripts whose readings are several
_APART = r"[\W_]{0,3}"
# Words of names that tell nobody; function words that may be names as well must have a capital.
_BESIDE_NAMES = ("jr sr ii iii iv dr mr mrs ms st fr van von der den ten ter und zu de da del della di dos du el la le les "
                 "of the and y e")  # fmt: skip
_OF_MANY = frozenset(_BESIDE_NAMES.split())
# Letters of a name's word that is looked for in any case (shorter ones must have a capital), and signs of a number.
_LONG_WORD, _FEWEST_LETTERS, _FEWEST_SIGNS = 4, 2, 7


def reread(made: Deidentified, key: bytes) -> Deidentified:
    """Withhold each document in which this reading finds its person, and with it the others of that person.

    Their crowd was counted over all of them: it says nothing of what would remain. Kept columns are not read here: one
    that names somebody stops the whole release.
    """
    people = {
        str(document.person)
        for _, document, outcome in released(made, key)
        if outcome.release is not None and _finds(made, document, {"text": outcome.release.text})
    }
    if not people:
        return made
    return made.withhold(
        {
            place: REREAD
            for place, document in enumerate(made.documents)
            if document.person in people and made.outcome(place).release is not None
        }
    )


def verify_written(path: Path, made: Deidentified, key: bytes) -> None:
    """UnsafeReleaseError: the file does not hold exactly the documents that were cleared, or one that names its person."""
    expected = released(made, key)
    if path.is_dir():  # files lie in the order of their names
        expected = iter(sorted(expected, key=lambda row: f"{public_id(row[1].id, made, key)}.txt"))
    for row in _rows(path):
        _, document, outcome = next(expected, (-1, None, None))
        if document is None or outcome is None or row != _filled(released_row(document, outcome, made, key)):
            raise UnsafeReleaseError("the written file holds something that was not cleared; nothing was released")
        if _finds(made, document, row):
            raise UnsafeReleaseError("a direct identifier of a person is left in a written file; nothing was released")
    if next(expected, None) is not None:
        raise UnsafeReleaseError("the written file does not hold exactly the documents that were cleared")


def _finds(made: Deidentified, document: Document, row: Mapping[str, str]) -> bool:
    """True if a value of a row names its person; a keyed id says nothing, though its digits may look like a number."""
    column = made.population.rows.get(str(document.person))
    if column is None:
        return False
    unseen = () if made.settings.ids == "keep" else ("id",)
    profile = made.population.full[column]
    return any(identifies(profile, made.direct, value) for name, value in row.items() if name not in unseen)


def identifies(profile: Profile, direct: Mapping[str, str], text: str) -> bool:
    """True if a text states a name, number, contact, address or day of birth of a person, in some plain spelling."""
    read = _FoldedText(unicodedata.normalize("NFC", _PLACEHOLDER.sub(" \0 ", text)))
    if read.states(profile.id):
        return True
    for name, kind in direct.items():
        for value in profile.fields.get(name, "").split("|"):
            if says_nothing(value) or (kind in ("name", "") and names_nobody(value)):
                continue
            if kind in ("name", "") and not any(c.isdigit() or c == "@" for c in value):
                if read.names(_without_relations(value)):
                    return True
            elif kind == "date":
                if read.days.state(value):
                    return True
            elif read.states(value):
                return True
    return False


def _without_relations(value: str) -> str:
    """A name without the small words that say who somebody is to the person ("Ruth Quill, wife")."""
    row = _WORD.findall(value)
    kin = {word for word in row if word == word.lower() and says_relation([_folded(word)])}
    return " ".join(word for word in row if word not in kin) or value


class _FoldedText:
    """A text as this reading has it: folded, its words, those with a capital, its letters and figures alone, its days."""

    def __init__(self, shown: str) -> None:
        self.folded = _folded(shown)
        words = _WORD.findall(self.folded)
        self.words, self.squeezed = frozenset(words), "".join(words)
        self.capital = frozenset(_folded(word) for word in _WORD.findall(shown) if word[0].isupper())

    @cached_property
    def days(self) -> Days:
        """The days it states."""
        return Days(self.folded)

    def names(self, value: str) -> bool:
        """True if a word of a name stands here: a short one, or one that is a function word too, with a capital."""
        typed = _folded(value.casefold().translate(_TYPED))
        for word in dict.fromkeys(_WORD.findall(f"{_folded(value)} {typed}")):
            if len(word) < _FEWEST_LETTERS or word in _OF_MANY or any(c.isdigit() for c in word):
                continue
            if _UNBROKEN.match(word):
                if word in self.folded:
                    return True
            elif word in self.capital or (word in self.words and word not in every_function_word() and
                                          (len(word) >= _LONG_WORD or word.upper() == word)):  # fmt: skip
                return True
        return not _LATIN.search(value) and any(
            len(w) >= _LONG_WORD and w in self.capital for w in _WORD.findall(_in_latin(value))
        )

    def states(self, value: str) -> bool:
        """True if a number, contact or address stands here: its letters and figures in their order, however grouped."""
        signs = "".join(_WORD.findall(_folded(value)))
        if len(signs) < _FEWEST_SIGNS or not any(c.isdigit() or c == "@" for c in value) or signs not in self.squeezed:
            return False
        return re.search(rf"(?<![^\W_]){_APART.join(signs)}(?![^\W_])", self.folded) is not None


def _in_latin(value: str) -> str:
    """A name of another script, in Latin letters."""
    from anyascii import anyascii  # for such names alone

    return anyascii(value).casefold()


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of released documents."""
    if path.is_dir():
        for name in sorted(os.listdir(path)):  # noqa: PTH208
            yield _filled({"id": name.removesuffix(".txt"), "text": (path / name).read_bytes().decode()})
        return
    restored = plain_cell if path.suffix == ".csv" else str
    for _, row in records(path, dialect=Dialect("utf-8", ",")):
        yield _filled({name: None if value is None else restored(str(value)) for name, value in row.items()})


def _filled(row: Mapping[str, Any]) -> dict[str, str]:
    """A row without what is empty: not every kind of table can say that."""
    return {name: value for name, value in row.items() if value not in (None, "")}
