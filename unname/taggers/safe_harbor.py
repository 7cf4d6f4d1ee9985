"""HIPAA's Safe Harbor (45 CFR 164.514(b)(2)): its 18 kinds of identifiers as labels, and what of a stretch must go.

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
    """One of the 18 kinds: the labels, or groups of labels, of what is one."""

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
    """Whether spans of a label may be of one of the 18 kinds; a label that nobody knows may be."""
    said = label.upper()
    return said in _OF_KINDS or group_of(said) in _OF_KINDS or is_direct(label)


def to_hide(span: Span, text: str, hide: Sequence[str]) -> Iterator[Span]:
    """What of a span is to be hidden: all where its label is named, its stretches where Safe Harbor is, or nothing."""
    if wanted(span.label, hide):
        yield span
    elif is_named(hide) and is_of_a_kind(span.label):
        yield from stretches(span, text)


def is_named(hide: Sequence[str]) -> bool:
    """Whether Safe Harbor is among the names of what to hide."""
    return SAFE_HARBOR in (name.lower() for name in hide)


def stretches(span: Span, text: str) -> Iterator[Span]:
    """What of a span must go: of a date all but its year; nothing of an age up to 89."""
    said = span.label.upper()
    if said in _DATES or group_of(said) == "DATE":
        yield from _without_years(span, text)
    elif said == "AGE" or group_of(said) == "AGE":
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
    """Of each of the 18 kinds, which taggers looked for it, and under which labels."""
    known = [(tagger.name, labels_of(tagger) or frozenset[str]()) for tagger in taggers]
    return {kind.name: "; ".join(_looked(kind, known)) or NOT_LOOKED_FOR for kind in KINDS}


def _looked(kind: Kind, known: Iterable[tuple[str, Collection[str]]]) -> Iterator[str]:
    for name, labels in known:
        mine = sorted(each for each in labels if {each.upper(), group_of(each.upper())} & kind.labels)
        if mine:
            yield f"{name}: {', '.join(mine)}"
