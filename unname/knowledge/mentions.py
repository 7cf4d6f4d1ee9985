"""The people of a population whom a text names: by names only, two words of one name, near each other.

A document about one person names others: relatives, doctors, witnesses. The sentence that names one of them leads to
that person if the population has them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unname.normalised import normalised
from unname.text import Word, words

# Words between two words of one name ("John Q. Public"), and words on either side that belong to a mention's passage.
NAME_REACH = 3
PASSAGE_REACH = 15
_PAIRS = 1 << 31


@dataclass(frozen=True, slots=True, order=True)
class NamedPerson:
    """A person (column of the population) named by the words `[first, last]` (places in the row of words)."""

    column: int
    first: int
    last: int


class NameIndex:
    """Pairs of name words → people, as sorted arrays: (pairs,) int64 keys and (pairs,) int32 columns.

    `people` (words,) counts those who have a word in their name.
    """

    def __init__(
        self,
        vocabulary: dict[str, int],
        keys: npt.NDArray[np.int64],
        columns: npt.NDArray[np.int32],
        people: npt.NDArray[np.int32],
    ) -> None:
        self._vocabulary, self._keys, self._columns, self._people = vocabulary, keys, columns, people

    def bearers(self, word: str) -> int:
        """The number of people with a folded word in their name."""
        place = self._vocabulary.get(word)
        return 0 if place is None else int(self._people[place])

    def anybody(self, given: str, family: str) -> bool:
        """True if somebody has both of two different folded words in their name."""
        one, other = self._vocabulary.get(given), self._vocabulary.get(family)
        if one is None or other is None or one == other:
            return False
        key = min(one, other) * _PAIRS + max(one, other)
        place = int(np.searchsorted(self._keys, key))
        return place < len(self._keys) and int(self._keys[place]) == key

    def find(self, row: Sequence[Word]) -> list[NamedPerson]:
        """Everybody with two different words of their name at most `NAME_REACH` apart, sorted, each stretch once."""
        known = [
            (place, self._vocabulary[part])
            for place, w in enumerate(row)
            for part in dict.fromkeys((w.folded, *w.folded.split("_")))
            if part in self._vocabulary
        ]
        keys, places = [], []
        for at, (first, a) in enumerate(known):
            for last, b in known[at + 1 : at + 1 + NAME_REACH]:
                if last - first > NAME_REACH:
                    break
                if a != b:
                    keys.append(min(a, b) * _PAIRS + max(a, b))
                    places.append((first, last))
        if not keys:
            return []
        left = np.searchsorted(self._keys, keys, side="left")
        right = np.searchsorted(self._keys, keys, side="right")
        stretches_of: dict[int, list[tuple[int, int]]] = {}
        for (first, last), a, b in zip(places, left, right, strict=True):
            for column in self._columns[a:b]:
                stretches = stretches_of.setdefault(int(column), [])
                if stretches and first <= stretches[-1][1]:
                    stretches[-1] = (stretches[-1][0], max(last, stretches[-1][1]))
                else:
                    stretches.append((first, last))
        return sorted(NamedPerson(column, a, b) for column, stretches in stretches_of.items() for a, b in stretches)


def name_index(names: Iterable[frozenset[str]]) -> NameIndex:
    """Index everybody's names: the folded name words of each person, in the population's order."""
    vocabulary: dict[str, int] = {}
    keys: list[int] = []
    columns: list[int] = []
    people = Counter[int]()
    for column, name in enumerate(names):
        ids = sorted(vocabulary.setdefault(word, len(vocabulary)) for word in sorted(name))
        people.update(ids)
        pairs = [a * _PAIRS + b for i, a in enumerate(ids) for b in ids[i + 1 :]]
        keys += pairs
        columns += [column] * len(pairs)
    order = np.lexsort((columns, keys)) if keys else np.zeros(0, np.int64)
    counts = np.fromiter((people[place] for place in range(len(vocabulary))), np.int32, len(vocabulary))
    return NameIndex(vocabulary, np.array(keys, np.int64)[order], np.array(columns, np.int32)[order], counts)


def seen_words(text: str, row: Sequence[Word] | None = None) -> Sequence[Word]:
    """The words of a text once its disguises are off, each with its whole place in the text; `row` may give its words.

    A text without disguises has its own words.
    """
    folded = normalised(text)
    if folded.text is text:
        return words(text) if row is None else row
    return [Word(*folded.original(w.start, w.end), w.folded) for w in words(folded.text)]


def passage(text: str, row: Sequence[Word], named: NamedPerson) -> tuple[int, int]:
    """The stretch of text around a mention: up to `PASSAGE_REACH` words on either side, within its paragraph."""
    start, end = row[named.first].start, row[named.last].end
    from_, to = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    first = row[max(0, named.first - PASSAGE_REACH)].start
    last = row[min(len(row) - 1, named.last + PASSAGE_REACH)].end
    return max(from_, first), min(last, len(text) if to < 0 else to)
