"""HIPAA's Safe Harbor (45 CFR 164.514(b)(2)): its 18 kinds of identifiers as labels, and the part of a stretch that must go.

Years stay, and ages up to 89. A ZIP code goes whole: its first three digits could stay where more than 20,000 people live,
but a mask never hides half a word, so the list of sparsely populated ZIP areas is not needed.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from unname.storage.formats import group_of
from unname.taggers.base import Tagger
from unname.taggers.labels import SAFE_HARBOR, is_direct, labels_of, wanted
from unname.types import Span


class Kind(NamedTuple):
    """One of the 18 kinds: the labels, or groups of labels, of its identifiers."""

    name: str
    labels: frozenset[str]


_KINDS = {
    "names": "NAME PERSON PER PATIENT DOCTOR",
    "geographic subdivisions smaller than a state": "ADDRESS POSTCODE LOCATION LOC GPE FAC STREET TOWN COUNTY PLACE "
    "STREET_ADDRESS ZIP_CODE",
    "dates but the year, ages over 89": "DATE AGE DATETIME DATE_TIME",
    "telephone numbers": "PHONE",
    "fax numbers": "FAX",
    "e-mail addresses": "EMAIL",
    "social security numbers": "NATIONAL_ID",
    "medical record numbers": "RECORD",
    "health plan beneficiary numbers": "NATIONAL_ID",
    "account numbers": "ACCOUNT IBAN CARD",
    "certificate and licence numbers": "NATIONAL_ID RECORD",
    "vehicle identifiers": "PLATE",
    "device identifiers": "DEVICE MAC",
    "web addresses": "URL",
    "IP addresses": "IP",
    "biometric identifiers": "",
    "photographs": "",
    "other unique numbers": "RECORD ID",
}
KINDS = tuple(Kind(name, frozenset(labels.split())) for name, labels in _KINDS.items())
_OF_KINDS = frozenset[str]().union(*(kind.labels for kind in KINDS))
NOT_LOOKED_FOR = "not looked for: rules find none in text"
_DATES = frozenset(("DATE", "DATETIME", "DATE_TIME"))
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_NUMBER = re.compile(r"\d+")
_OLDEST = 89


def is_of_a_kind(label: str) -> bool:
    """Check whether spans of a label may be of one of the 18 kinds; an unknown label may be."""
    name = label.upper()
    return name in _OF_KINDS or group_of(name) in _OF_KINDS or is_direct(label)


def to_hide(span: Span, text: str, hide: Sequence[str]) -> Iterator[Span]:
    """The parts of a span to hide: all if its label is named, its stretches if Safe Harbor is, or nothing."""
    if wanted(span.label, hide):
        yield span
    elif is_named(hide) and is_of_a_kind(span.label):
        yield from stretches(span, text)


def is_named(hide: Sequence[str]) -> bool:
    """Check whether Safe Harbor is among the names of identifiers to hide."""
    return SAFE_HARBOR in (name.lower() for name in hide)


def stretches(span: Span, text: str) -> Iterator[Span]:
    """The parts of a span that must go: of a date all but its year; nothing of an age up to 89."""
    name = span.label.upper()
    if name in _DATES or group_of(name) == "DATE":
        yield from _without_years(span, text)
    elif name == "AGE" or group_of(name) == "AGE":
        numbers = _NUMBER.findall(text, span.start, span.end)
        if not numbers or max(map(int, numbers)) > _OLDEST:
            yield span
    else:
        yield span


def _without_years(span: Span, text: str) -> Iterator[Span]:
    at = span.start
    for start, end in [*(match.span() for match in _YEAR.finditer(text, span.start, span.end)), (span.end, span.end)]:
        first = next((place for place in range(at, start) if text[place].isalnum()), start)
        last = next((place for place in range(start, first, -1) if text[place - 1].isalnum()), first)
        if first < last:
            yield replace(span, start=first, end=last)
        at = end


def looked_for(taggers: Iterable[Tagger]) -> Mapping[str, str]:
    """The taggers that looked for each of the 18 kinds, and their labels of it."""
    known = [(tagger.name, labels_of(tagger) or frozenset[str]()) for tagger in taggers]
    return {kind.name: "; ".join(_looked(kind, known)) or NOT_LOOKED_FOR for kind in KINDS}


def _looked(kind: Kind, known: Iterable[tuple[str, Collection[str]]]) -> Iterator[str]:
    for name, labels in known:
        mine = sorted(each for each in labels if {each.upper(), group_of(each.upper())} & kind.labels)
        if mine:
            yield f"{name}: {', '.join(mine)}"
