"""The known content of texts that a release leaves readable: entities, names, facts, days of dates."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.entity_scores import without_title
from unname.scoring.scores import share
from unname.scoring.tab import IGNORED, entities
from unname.statistics import rate
from unname.text import WORD
from unname.types import Document

Hidden = Collection[int]
Place = tuple[int, int]
MASKED, LISTED, PARTLY, NEITHER = "masked", "listed", "partly masked", "neither"
_NUMBERS = re.compile(r"\d+")
_YEAR = re.compile(r"1[6-9]\d\d|20[0-4]\d")
_GAP = "[hidden]"


def places(spans: Iterable[Place]) -> set[int]:
    """The characters of stretches."""
    return {at for start, end in spans for at in range(start, end)}


def is_readable(text: str, place: Place, hidden: Hidden) -> bool:
    """True if any letter or digit of a stretch stands."""
    return any(text[at].isalnum() and at not in hidden for at in range(*place))


def words_hidden(texts: Sequence[str], hidden: Sequence[Hidden]) -> dict[str, int]:
    """The number of words, and the number of those in which something is hidden."""
    found = [[not gone.isdisjoint(range(*m.span())) for m in WORD.finditer(t)] for t, gone in _pairs(texts, hidden)]
    return {"words": sum(map(len, found)), "hidden": sum(map(sum, found))}


def _pairs(texts: Sequence[str], hidden: Sequence[Hidden]) -> Iterable[tuple[str, set[int]]]:
    return zip(texts, map(set, hidden), strict=True)


def rate_of(values: Sequence[bool], documents: Sequence[str]) -> dict[str, Any]:
    """A count out of so many, with the share and its interval by document."""
    return {"count": sum(values), "of": len(values), "share": share(rate([float(v) for v in values], documents))}


def entities_readable(documents: Sequence[Document], hidden: Sequence[Hidden]) -> dict[str, Any]:
    """Of the entities that annotators want masked, by kind, those of which anything stands; people without their titles."""
    found: dict[str, tuple[list[bool], list[str]]] = {}
    for document, gone in zip(documents, hidden, strict=True):
        for entity in entities(document):
            text, mentions = document.text, entity.mentions
            if entity.label == "PERSON":
                mentions = tuple(without_title(text, *mention) for mention in mentions)
            rows = [entity.kind, f"{entity.kind} {entity.label}"]
            if entity.label != "DATETIME":
                rows.append(f"{entity.kind} but dates")
            for row in rows:
                values, which = found.setdefault(row, ([], []))
                values.append(any(is_readable(text, mention, gone) for mention in mentions))
                which.append(document.id)
    return {row: rate_of(values, which) for row, (values, which) in sorted(found.items())}


def is_initials(said: str) -> bool:
    """True if a mention is initials alone, by which nobody is named in full."""
    letters = [letter for letter in said if letter.isalpha()]
    return len(letters) <= 2 and all(letter.isupper() for letter in letters)


def day_in(said: str) -> Place | None:
    """The place of the day in a date: its first number, or the last where the year comes first; None if it has no day."""
    numbers = [match.span() for match in _NUMBERS.finditer(said)]
    if not numbers:
        return None
    first, last = numbers[0], numbers[-1]
    day = last if first[1] - first[0] == 4 else first
    return day if day[1] - day[0] <= 2 else None


def day_stands(text: str, place: Place, hidden: Hidden) -> bool:
    """True if the day of an exact date can be read."""
    start, end = place
    day = day_in(text[start:end])
    return day is not None and is_readable(text, (start + day[0], start + day[1]), hidden)


def content_words(text: str, place: Place) -> list[Place]:
    """The words of a stretch that say something; of a date the year may stand, so years count where nothing else does."""
    every = [m.span() for m in WORD.finditer(text, *place) if m[0].casefold() not in IGNORED and m[0].casefold() != "s"]
    return [word for word in every if not _YEAR.fullmatch(text[slice(*word)])] or every


def says_something(text: str, place: Place, hidden: Hidden) -> bool:
    """True if a content word of a stretch stands."""
    return any(is_readable(text, word, hidden) for word in content_words(text, place))


def outcome_of(text: str, place: Place, hidden: Hidden, rows: Sequence[Mapping[str, str]]) -> str:
    """The outcome of a fact: all its content words are gone, or a row of the list shows one that stands, or neither.

    A row shows it if the two have a word in common that stands, and the row's sentence is the one of the fact: it holds
    the fact's longest readable stretch.
    """
    words = content_words(text, place)
    standing = [word for word in words if is_readable(text, word, hidden)]
    if not standing:
        return MASKED
    said = {text[slice(*word)].casefold() for word in standing}
    longest = max(_pieces(text, place, hidden), key=len)
    for row in rows:
        shown = {m[0].casefold() for m in WORD.finditer(row["words"].replace(_GAP, " "))}
        if shown & said and (longest in row["sentence"] or longest in row["words"] or row["words"] in longest):
            return LISTED
    return PARTLY if len(standing) < len(words) else NEITHER


def as_released(text: str, place: Place, hidden: Hidden) -> str:
    """A stretch with a sign for each hidden letter."""
    return "".join("_" if at in hidden else text[at] for at in range(*place))


def _pieces(text: str, place: Place, hidden: Hidden) -> list[str]:
    """The readable stretches of a place, on one line each."""
    shown = "".join("\0" if at in hidden else text[at] for at in range(*place))
    return [" ".join(piece.split()) for piece in re.split("\0+", shown)]
