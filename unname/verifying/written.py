"""Verify written: read the released file as anybody would, and look for the person whom each document is about.

This reading uses nothing of the code that masked: it folds, splits and compares in its own plain way, so that a fault
there does not hide here. It knows fewer spellings than the masking; what it finds all the same is withheld.
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
_BETWEEN_FIGURES = re.compile(r"(?<=\d)[\s().\-/\u2010-\u2015]+(?=\d)")
_DAYS = (
    (re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)"), (0, 1, 2)),
    (re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)"), (2, 1, 0)),
)
_FUNCTION_WORDS = frozenset().union(*LANGUAGES.values())
# Letters of a name's word that is looked for, and figures of a number.
_SHORTEST_WORD, _FEWEST_FIGURES = 4, 7


def verify_written(path: Path, made: Deidentified, key: bytes) -> list[int]:
    """Places of released documents in which this reading finds their person; none means that the file may leave.

    UnsafeReleaseError: the file does not hold exactly the documents that were cleared.
    """
    expected, found = released(made, key), []
    if path.is_dir():  # files lie in the order of their names
        expected = iter(sorted(expected, key=lambda row: f"{public_id(row[1].id, made, key)}.txt"))
    for row in _rows(path):
        place, document, outcome = next(expected, (-1, None, None))
        if document is None or outcome is None or row != _filled(released_row(document, outcome, made, key)):
            raise UnsafeReleaseError("the written file holds something that was not cleared; nothing was released")
        column = made.population.rows.get(str(document.person))
        if column is not None and identifies(made.population.full[column], made.direct, _said(row, made)):
            found.append(place)
    if next(expected, None) is not None:
        raise UnsafeReleaseError("the written file does not hold exactly the documents that were cleared")
    return found


def without(made: Deidentified, places: list[int]) -> Deidentified:
    """The same with the documents at these places withheld."""
    kept, reasons = made.places.copy(), dict(made.withheld)
    for place in places:
        document: Document = made.documents[place]
        kept[place] = len(made.gathered)
        words = made.outcome(place).words
        made.gathered.append(Outcome(Mask(document.id), None, REREAD, hidden_words=words, words=words))
        reasons[document.id] = REREAD
    return replace(made, places=kept, withheld=reasons)


def identifies(profile: Profile, direct: Mapping[str, str], text: str) -> bool:
    """Whether a text states a name, number, contact, address or day of birth of a person, in some plain spelling."""
    shown = _PLACEHOLDER.sub(" \0 ", text)
    words = _WORD.findall(_folded(shown))
    known, row = set(words), f" {' '.join(words)} "
    figures = _BETWEEN_FIGURES.sub("", shown)
    for name, kind in direct.items():
        for value in profile.fields.get(name, "").split("|"):
            if kind in ("name", "") and not any(c.isdigit() or c == "@" for c in value):
                if not known.isdisjoint(_name_words(value)):
                    return True
            elif kind == "date":
                if not _days(value).isdisjoint(_days(shown)):
                    return True
            elif _states(value, row, figures):
                return True
    return False


def _said(row: Mapping[str, str], made: Deidentified) -> str:
    """What a reader sees of a document; a keyed id says nothing, though its digits may look like anybody's number."""
    unseen = () if made.settings.ids == "keep" else ("id",)
    return "\n".join(value for name, value in row.items() if name not in unseen)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


def _name_words(value: str) -> set[str]:
    found = _WORD.findall(_folded(value))
    return {word for word in found if len(word) >= _SHORTEST_WORD and word.isalpha()} - _FUNCTION_WORDS


def _states(value: str, row: str, figures: str) -> bool:
    """Whether a number, contact or address is stated: as its words in a row, or as its figures however grouped."""
    words = _WORD.findall(_folded(value))
    figured = len("".join(words)) >= _FEWEST_FIGURES and any(c.isdigit() or c == "@" for c in value)
    if figured and f" {' '.join(words)} " in row:
        return True
    digits = "".join(c for c in value if c.isdecimal())
    alone = len(digits) >= _FEWEST_FIGURES and not any(c.isalpha() for c in value)
    return alone and re.search(rf"(?<!\d){digits}(?!\d)", figures) is not None


def _days(text: str) -> set[tuple[int, int, int]]:
    """Days that are written in figures, as (year, month, day)."""
    found = set()
    for pattern, order in _DAYS:
        for groups in pattern.findall(text):
            year, month, day = (int(groups[place]) for place in order)
            found.add((year, month, day))
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
