"""The terms of a knowledge graph that a text states, and their places: whole normalised words, the longest term first.

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
from unname.knowledge.variants import dated, plain, single
from unname.text import GAP, Word

# The gap between two words of one term: a few signs, no end of a paragraph, and nothing that is hidden.
_BETWEEN = re.compile(rf"(?!\s*\n\s*\n)(?:[^{GAP}]{{0,4}}|\s{{0,200}})")
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
    """The terms that a text states, in order; `row` may give `seen_words(text)`.

    The longest term that begins at a word counts, and none that lies within another; two may overlap. A day counts in
    any written form.
    """
    row = seen_words(text) if row is None else row
    length = np.zeros(len(row), np.int64)
    number = np.zeros(len(row), np.int64)
    if row:
        _look_up(graph, text, row, length, number)
        _days(graph, text, row, length, number)
    stated, end = list[Stated](), 0
    for first in np.flatnonzero(length).tolist():
        if first + length[first] > end:
            end = first + int(length[first])
            stated.append(Stated(first, end - 1, int(number[first])))
    return stated


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
                if graph.terms.text(place) == written and _is_written_so(graph, text, row[start : start + long], place):
                    length[start], number[start] = long, place


def _is_written_so(graph: Graph, text: str, stating: Sequence[Word], term: int) -> bool:
    """Check whether words can state a term: a name of one word has a capital, in a text that has any."""
    if graph.common[term] or not single(tuple(plain(word.folded) for word in stating)):
        return True
    written = text[stating[0].start : stating[-1].end]
    return written != written.lower() or not written.isascii() or written.upper() == written or text == text.lower()


def _days(
    graph: Graph, text: str, row: Sequence[Word], length: npt.NDArray[np.int64], number: npt.NDArray[np.int64]
) -> None:
    """Note the days that a text names, as whole terms.

    Where nobody has the day, its month counts, or its year. Of two readings the more exact one, then that of fewer people.
    """
    begins = {word.start: place for place, word in enumerate(row)}
    ends = {word.end: place for place, word in enumerate(row)}
    best: dict[tuple[int, int], tuple[int, int, int]] = {}
    for start, end, day in days_in(text):
        first, last = begins.get(start), ends.get(end)
        if day.year is None or first is None or last is None or last - first > _LONGEST_DATE:
            continue
        for rough, forms in enumerate(dated(day)):
            terms = [term for form in forms if (term := graph.term(form)) is not None]
            if terms:
                people, term = min((graph.frequency(term), term) for term in terms)
                reading = (rough, people, term)
                best[first, last] = min(best.get((first, last), reading), reading)
                break
    for (first, last), (rough, people, term) in best.items():
        long = last - first + 1
        again = long == length[first] and (rough or people >= graph.frequency(int(number[first])))
        if long >= length[first] and not again:
            length[first], number[first] = long, term
