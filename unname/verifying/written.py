"""The second reading: the release as anybody reads it, searched for the person whom each document is about.

It uses nothing of the code that masked: it folds, splits and compares in its own plain way, so that a fault there does
not hide here. It knows fewer spellings than the masking. It is done before crowds are verified and attackers are tried,
so that every figure is about what remains; and once more on the written file, which must then hold nobody.
"""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from unname.errors import UnsafeReleaseError
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.stopwords import LANGUAGES
from unname.storage.dialects import Dialect
from unname.storage.rows import records
from unname.storage.tables import plain_cell
from unname.types import Document, Mask, Profile
from unname.writing.release import public_id, released, released_row

REREAD = "found-on-rereading"
_WORD = re.compile(r"[^\W_]+")
_PLACEHOLDER = re.compile(r"\[[^\[\]\s]{1,60}\]")
# Days in figures: year first or last, day or month first; and with the month in letters, of which the first three tell.
_SPLIT = r"[\s.,/\-\u2010-\u2015]{1,3}"
_YEAR_FIRST = re.compile(rf"(?<!\d)(\d{{4}}){_SPLIT}(\d{{1,2}}){_SPLIT}(\d{{1,2}})(?!\d)")
_YEAR_LAST = re.compile(rf"(?<!\d)(\d{{1,2}}){_SPLIT}(\d{{1,2}}){_SPLIT}(\d{{4}}|\d{{2}})(?!\d)")
_DAY_IN_LETTERS = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?:{_SPLIT}(?:de|of))?{_SPLIT}([^\W\d_]{{3,}})(?:{_SPLIT}del?)?"
    rf"{_SPLIT}(\d{{4}}|\d{{2}})(?!\d)"
)
_MONTH_IN_LETTERS = re.compile(rf"([^\W\d_]{{3,}}){_SPLIT}(\d{{1,2}})(?:st|nd|rd|th)?{_SPLIT}(\d{{4}}|\d{{2}})(?!\d)")
_MONTHS = ("jan ene", "feb fev", "mar mrz", "apr abr avr", "may mai", "jun", "jul", "aug ago aou", "sep set",
           "oct okt out", "nov", "dec dez dic")  # fmt: skip
_MONTH = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
_MONTH |= {"juin": 6, "juil": 7}
_APART = r"[\W_]{0,3}"
# Words of names that tell nobody: function words, and what stands before or after many a name.
_BESIDE_NAMES = "jr sr ii iii iv dr mr mrs ms st fr van von der den ten ter und zu"
_OF_MANY = frozenset(_BESIDE_NAMES.split()).union(*LANGUAGES.values())
# Letters of a name's word that is looked for in any case (shorter ones must have a capital), and signs of a number.
_LONG_WORD, _FEWEST_LETTERS, _FEWEST_SIGNS = 4, 2, 7


def reread(made: Deidentified, key: bytes) -> Deidentified:
    """Withhold each document in which this reading finds its person, and with it the others of that person.

    Their crowd was counted over all of them: it says nothing of what would remain. Kept columns are not read here: one
    that names somebody stops the whole release.
    """
    found = {
        str(document.person)
        for _, document, outcome in released(made, key)
        if outcome.release is not None and _finds(made, document, {"text": outcome.release.text})
    }
    if not found:
        return made
    places, reasons = made.places.copy(), dict[str, str]()
    for place, document in enumerate(made.documents):
        outcome = made.outcome(place)
        if outcome.release is not None and document.person in found:
            outcome = Outcome(Mask(document.id), None, REREAD, target=outcome.target, hidden_words=outcome.words,
                              words=outcome.words)  # fmt: skip
            places[place] = len(made.gathered)
            made.gathered.append(outcome)
        if outcome.release is None:
            reasons[document.id] = outcome.reason
    return replace(made, places=places, withheld=reasons)


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


def _finds(made: Deidentified, document: Document, row: Mapping[str, Any]) -> bool:
    column = made.population.rows.get(str(document.person))
    return column is not None and identifies(made.population.full[column], made.direct, _said(row, made))


def identifies(profile: Profile, direct: Mapping[str, str], text: str) -> bool:
    """Whether a text states a name, number, contact, address or day of birth of a person, in some plain spelling."""
    shown = _PLACEHOLDER.sub(" \0 ", text)
    folded = _folded(shown)
    words, capital = set(_WORD.findall(folded)), {_folded(word) for word in _WORD.findall(shown) if word[0].isupper()}
    if _states(profile.id, folded):
        return True
    for name, kind in direct.items():
        for value in profile.fields.get(name, "").split("|"):
            if kind in ("name", "") and not any(c.isdigit() or c == "@" for c in value):
                if _names(value, words, capital, folded):
                    return True
            elif kind == "date":
                if not _days(value).isdisjoint(_days(shown)):
                    return True
            elif _states(value, folded):
                return True
    return False


def _said(row: Mapping[str, str], made: Deidentified) -> str:
    """What a reader sees of a document; a keyed id says nothing, though its digits may look like anybody's number."""
    unseen = () if made.settings.ids == "keep" else ("id",)
    return "\n".join(value for name, value in row.items() if name not in unseen)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFKC", "".join(c for c in apart if not unicodedata.combining(c))).casefold()


def _names(value: str, words: set[str], capital: set[str], folded: str) -> bool:
    """Whether a word of a name stands among words, a short one with a capital; or, without spaces between words, in them."""
    for word in _WORD.findall(_folded(value)):
        if len(word) < _FEWEST_LETTERS or not word.isalpha() or word in _OF_MANY:
            continue
        if word.upper() == word:  # a script without capitals, and often without spaces
            if word in folded:
                return True
        elif word in (words if len(word) >= _LONG_WORD else capital):
            return True
    return False


def _states(value: str, folded: str) -> bool:
    """Whether a number, contact or address is stated: its letters and figures in their order, however grouped."""
    signs = "".join(_WORD.findall(_folded(value)))
    if len(signs) < _FEWEST_SIGNS or not any(c.isdigit() or c == "@" for c in value):
        return False
    return re.search(rf"(?<![^\W_]){_APART.join(signs)}(?![^\W_])", folded) is not None


def _days(text: str) -> set[tuple[int, int, int]]:
    """Days that a text states, as (year, month, day) with two figures of the year; both where day and month are unclear."""
    found = {(int(y) % 100, int(m), int(d)) for y, m, d in _YEAR_FIRST.findall(text)}
    for one, other, y in _YEAR_LAST.findall(text):
        found |= {(int(y) % 100, int(other), int(one)), (int(y) % 100, int(one), int(other))}
    lettered = [(d, m, y) for d, m, y in _DAY_IN_LETTERS.findall(text)]
    for d, month, y in lettered + [(d, m, y) for m, d, y in _MONTH_IN_LETTERS.findall(text)]:
        letters = _folded(month)
        if number := _MONTH.get(letters[:4]) or _MONTH.get(letters[:3]):
            found.add((int(y) % 100, number, int(d)))
    return found


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
