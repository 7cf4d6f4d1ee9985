"""A tagger's coverage of annotated texts, letter by letter: recall, precision, and finds where nothing is, by label.

An annotated stretch is found if all its letters and digits lie within found spans; a find is right if it has a letter or
digit of an annotated stretch. Both are told twice: whatever the label, and of the same label. Intervals are by document.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import stdtrit

from unname.scoring.scores import Scores, score_counts, share
from unname.text import WORD
from unname.types import Span

ALL = "all"
# What our rules, and the tools that we are compared with, call what the shipped tagger has another word for.
OURS: Mapping[str, str] = {
    theirs: ours for ours, several in {
        "NAME": "PERSON PER",
        "PLACE": "GPE LOC FAC LOCATION",
        "ORGANISATION": "ORG ORGANIZATION",
        "DATE": "DATE_TIME",
        "ADDRESS": "POSTCODE UK_POSTCODE",
        "GROUP": "NORP NRP",
        "WORK": "WORK_OF_ART",
        "AMOUNT": "MONEY",
        "CONTACT": "PHONE PHONE_NUMBER FAX EMAIL EMAIL_ADDRESS URL IP IP_ADDRESS MAC MAC_ADDRESS",
        "ID": "ACCOUNT CARD DEVICE IBAN NATIONAL_ID PLATE RECORD CREDIT_CARD CRYPTO IBAN_CODE MEDICAL_LICENSE UK_NHS UK_NINO "
        "US_BANK_NUMBER US_DRIVER_LICENSE US_ITIN US_PASSPORT US_SSN",
    }.items() for theirs in several.split()
}  # fmt: skip
_TITLE = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Miss|Mme|Dr|Prof|Professor|Sir|Dame|Lord|Lady|Judge|Justice|Herr|Frau|Sr|Sra|Dott|Doctor)\b\.?\s+){1,3}"
)
_PLURAL = re.compile(r"(?:Messrs|MM)\b\.?\s+")


@dataclass(frozen=True, slots=True, repr=False)
class Asked:
    """A stretch that annotators marked: the row in which it is missed ("": none, it need not be found), what it may be."""

    start: int
    end: int
    row: str
    labels: frozenset[str]


@dataclass(slots=True, repr=False)
class Tally:
    """Counts of one document by label: stretches asked for, found, finds, right; `any` label and the `same`."""

    document: str
    words: int
    any: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0]))
    same: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0]))

    def asked(self, row: str, found: bool, same: bool) -> None:
        """Count a stretch that annotators marked."""
        self._count(row, 0, found, same)

    def found(self, label: str, right: bool, same: bool) -> None:
        """Count a find."""
        self._count(label, 2, right, same)

    def _count(self, label: str, column: int, right: bool, same: bool) -> None:
        for row in (ALL, label):
            for table, good in ((self.any, right), (self.same, same)):
                table[row][column] += 1
                table[row][column + 1] += good


def ours(spans: Iterable[Span]) -> list[Span]:
    """Spans with our labels for theirs; others keep their own."""
    return [Span(s.start, s.end, OURS.get(s.label, s.label), score=s.score) for s in spans]


def without_title(text: str, start: int, end: int) -> tuple[int, int]:
    """A person's mention without "Mr" and the like before it; all of it where nothing else would be left."""
    for pattern in (_PLURAL, _TITLE):
        match = pattern.match(text, start, end)
        if match and match.end() < end:
            start = match.end()
    return start, end


def tallied(document: tuple[str, str], asked: Sequence[Asked], found: Sequence[Span], judged: Collection[str]) -> Tally:
    """The counts of a document, (id, text); finds whose label is not among `judged` cover, but are not judged themselves."""
    name, text = document
    tally = Tally(name, len(WORD.findall(text)))
    covered, marked = _cover(len(text), found), _Cover(len(text))
    for one in asked:
        for label in one.labels or ("",):
            marked.add(one.start, one.end, label)
        letters = _letters(text, one.start, one.end)
        if one.row and letters:
            tally.asked(one.row, covered.holds(letters), covered.holds(letters, one.labels))
    for span in found:
        if span.label in judged and (letters := _letters(text, span.start, span.end)):
            tally.found(span.label, marked.touches(letters), marked.touches(letters, (span.label,)))
    return tally


def _letters(text: str, start: int, end: int) -> list[int]:
    return [at for at in range(start, end) if text[at].isalnum()]


class _Cover:
    """The characters that spans cover, by label."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.every = np.zeros(length, bool)
        self.of: dict[str, Any] = {}

    def add(self, start: int, end: int, label: str) -> None:
        self.every[start:end] = True
        self.of.setdefault(label, np.zeros(self.length, bool))[start:end] = True

    def _of(self, labels: Iterable[str] | None) -> Any:
        if labels is None:
            return self.every
        return np.logical_or.reduce(
            [self.of[label] for label in labels if label in self.of] or [np.zeros(self.length, bool)]
        )

    def holds(self, places: Sequence[int], labels: Iterable[str] | None = None) -> bool:
        return bool(self._of(labels)[places].all())

    def touches(self, places: Sequence[int], labels: Iterable[str] | None = None) -> bool:
        return bool(self._of(labels)[places].any())


def _cover(length: int, spans: Iterable[Span]) -> _Cover:
    cover = _Cover(length)
    for span in spans:
        cover.add(span.start, span.end, span.label)
    return cover


def figures(tallies: Sequence[Tally]) -> dict[str, Any]:
    """The figures of a row: by label (`all` first) recall and precision with intervals, and false finds per 1,000 words."""
    names = sorted({name for tally in tallies for name in tally.any})
    by_any, by_same = (_scores(tallies, names, which) for which in ("any", "same"))
    rows = {}
    for name in sorted(names, key=lambda name: (name != ALL, name)):
        one, other = by_any[name], by_same[name]
        rows[name] = {
            "asked": one.gold, "recall": share(one.recall), "recall same label": share(other.recall),
            "finds": one.predicted, "precision": share(one.precision), "precision same label": share(other.precision),
        }  # fmt: skip
    return {
        "documents": len(tallies),
        "words": sum(t.words for t in tallies),
        "false": false_finds(tallies),
        "labels": rows,
    }


def _scores(tallies: Sequence[Tally], names: Sequence[str], which: str) -> dict[str, Any]:
    tables = {
        name: np.array([getattr(tally, which).get(name, (0, 0, 0, 0)) for tally in tallies], np.int64) for name in names
    }
    if not tables:
        return {}
    scores: Scores = score_counts("letters covered", {"": tables[ALL], **{n: t for n, t in tables.items() if n != ALL}})
    return {ALL: scores.total} | {row.label: row for row in scores.types}


def false_finds(tallies: Sequence[Tally], label: str = ALL) -> dict[str, Any]:
    """Finds that touch nothing annotated: how many, and per 1,000 words with an interval by document (of a ratio, by t)."""
    false = np.array(
        [tally.any[label][2] - tally.any[label][3] if label in tally.any else 0 for tally in tallies], float
    )
    words = np.array([tally.words for tally in tallies], float)
    if not words.sum():
        return {"finds": 0, "per 1,000": None, "ci": None}
    ratio, many = float(false.sum() / words.sum()), len(tallies)
    interval = None
    if many > 1:
        spread = float(((false - ratio * words) ** 2).sum()) * many / (many - 1)
        half = float(stdtrit(many - 1, 0.975)) * spread**0.5 / float(words.sum())
        interval = [round(1000 * max(0.0, ratio - half), 2), round(1000 * (ratio + half), 2)]
    return {"finds": int(false.sum()), "per 1,000": round(1000 * ratio, 2), "ci": interval}
