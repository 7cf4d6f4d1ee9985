"""Terms that raw text about a person states beside them: a second, heuristic source for a graph (Papadopoulou 2022, §6).

A statement in a text about somebody need not be true of them, and a true one may be worded otherwise; so groups that are
counted over such terms are estimates, and are called so.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from unname.dates import days_in
from unname.knowledge.variants import LONGEST
from unname.text import words
from unname.types import Document, Profile

RELATION = "stated beside"
_BETWEEN = re.compile(r"[ \u00a0'’.-]{1,2}")
_MOST_WORDS = 4


def phrases(text: str) -> Iterator[str]:
    """Phrases of up to four adjacent words with capitals, with every part of each; words with digits; days."""
    row = words(text)
    joined = [bool(_BETWEEN.fullmatch(text, a.end, b.start)) for a, b in pairwise(row)]
    starts = 0
    for at, word in enumerate(row):
        written = text[word.start : word.end]
        if not written[0].isupper():
            starts = at + 1
            if any(c.isdigit() for c in written):
                yield written
            continue
        if at and not joined[at - 1]:
            starts = at
        for first in range(max(starts, at + 1 - _MOST_WORDS), at + 1):
            yield text[row[first].start : word.end]
    for start, end, _ in days_in(text):
        yield text[start:end]


def stated_beside(documents: Iterable[Document]) -> Iterator[tuple[str, str, str]]:
    """Triples of the terms that documents state beside the person each is about."""
    for document in documents:
        if document.person is not None:
            for phrase in dict.fromkeys(phrases(document.text)):
                yield document.person, RELATION, phrase


def texts_of(profiles: Iterable[Profile]) -> Iterator[Document]:
    """Values of profiles that are too long for terms, as documents about their people."""
    for profile in profiles:
        for value in profile.fields.values():
            if value.count(" ") >= LONGEST:
                yield Document(profile.id, value, profile.id)
