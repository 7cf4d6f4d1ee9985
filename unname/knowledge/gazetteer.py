"""Which terms of a knowledge graph does a text state, and where? Whole words of the normalised text, the longest term first.

Source: the gazetteer of Papadopoulou 2022, §3.2. All rows of words of one length are looked up at once, so that time is the
number of words times the words of the longest term, whatever the number of terms.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unname.dates import days_in
from unname.hashing import hashed, mix
from unname.knowledge.graph import Graph
from unname.knowledge.mentions import seen_words
from unname.knowledge.variants import iso, plain
from unname.text import GAP, Word

# What may stand between two words of one term: a few signs, no end of a paragraph, and nothing that is hidden.
_BETWEEN = re.compile(rf"(?!\s*\n\s*\n)[^{GAP}]{{0,4}}")
_LONGEST_DATE = 8


class Stated(NamedTuple):
    """A term and the words `[first, last]` that state it."""

    first: int
    last: int
    term: int


@lru_cache(maxsize=1 << 18)
def _key(folded: str) -> int:
    return hashed(plain(folded))


def find_terms(graph: Graph, text: str, row: Sequence[Word] | None = None) -> list[Stated]:
    """The terms that a text states, disjoint and in order; `row` may give `seen_words(text)`.

    From left to right, the longest term that begins at a word counts, and nothing within it. A day counts in whatever
    form it is written.
    """
    row = seen_words(text) if row is None else row
    length = np.zeros(len(row), np.int64)
    number = np.zeros(len(row), np.int64)
    if row:
        _look_up(graph, text, row, length, number)
        _days(graph, text, row, length, number)
    found, at = list[Stated](), 0
    starts = np.flatnonzero(length)
    for first in starts.tolist():
        if first >= at:
            at = first + int(length[first])
            found.append(Stated(first, at - 1, int(number[first])))
    return found


def _look_up(
    graph: Graph, text: str, row: Sequence[Word], length: npt.NDArray[np.int64], number: npt.NDArray[np.int64]
) -> None:
    """Note for each word the longest term that begins there."""
    keys = np.fromiter((_key(word.folded) for word in row), np.uint64, len(row))
    reach = graph.longest(keys).astype(np.int64)
    joined = np.fromiter(
        (bool(_BETWEEN.fullmatch(text, a.end, b.start)) for a, b in zip(row, row[1:], strict=False)), np.bool_
    )
    # Of how many words from here on each is joined to the next.
    run = np.ones(len(row), np.int64)
    for at in np.flatnonzero(joined)[::-1].tolist():
        run[at] += run[at + 1]
    reach = np.minimum(reach, run)
    here = keys.copy()
    known = graph.terms.keys
    for long in range(1, int(reach.max()) + 1):
        starts = np.flatnonzero(reach >= long)
        if long > 1:
            here[starts] = mix(here[starts], keys[starts + long - 1])
        places = np.minimum(np.searchsorted(known, here[starts]), len(known) - 1)
        for start, place in zip(starts.tolist(), places.tolist(), strict=True):
            if known[place] == here[start]:
                written = " ".join(plain(word.folded) for word in row[start : start + long])
                if graph.terms.text(place) == written:
                    length[start], number[start] = long, place


def _days(
    graph: Graph, text: str, row: Sequence[Word], length: npt.NDArray[np.int64], number: npt.NDArray[np.int64]
) -> None:
    """Note the days that a text names; of two readings that somebody has, the one of fewer people."""
    begins = {word.start: place for place, word in enumerate(row)}
    ends = {word.end: place for place, word in enumerate(row)}
    for start, end, day in days_in(text):
        first, last = begins.get(start), ends.get(end)
        if day.year is None or first is None or last is None or last - first + 1 < length[first]:
            continue
        term = graph.term(iso(day))
        if term is None or last - first > _LONGEST_DATE:
            continue
        again = last - first + 1 == length[first]
        if not again or graph.frequency(term) < graph.frequency(int(number[first])):
            length[first], number[first] = last - first + 1, term
