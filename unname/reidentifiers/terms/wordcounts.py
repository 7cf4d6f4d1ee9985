"""The words of many profiles, counted once for all reidentifiers that start from them."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from scipy import sparse

from unname.reidentifiers.base import profile_text
from unname.text import Reader, folded_words
from unname.types import Profile

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, repr=False)
class WordCounts:
    """Distinct folded words in sorted order, and their counts in each profile: (people, words) int32."""

    words: tuple[str, ...]
    counts: sparse.csr_array

    def __repr__(self) -> str:
        return f"WordCounts({self.counts.shape[0]} profiles, {len(self.words)} words)"

    @property
    def columns(self) -> dict[str, int]:
        """The column of each word."""
        return {word: column for column, word in enumerate(self.words)}

    @property
    def frequency(self) -> dict[str, int]:
        """The number of profiles that each word occurs in."""
        profiles = np.bincount(self.counts.indices, minlength=len(self.words))
        return dict(zip(self.words, profiles.tolist(), strict=True))


@dataclass(frozen=True, slots=True, repr=False)
class Rarity:
    """The number of texts, of so many, that each folded word occurs in."""

    texts: int = 0
    having: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Rarity({self.texts} texts)"

    def idf(self, word: str) -> float:
        """ln((1 + N) / (1 + n)) of a word in n of N texts: a word of none is the rarest, a word of all weighs 0."""
        return math.log((1 + self.texts) / (1 + self.having.get(word, 0)))


def rarity_of(texts: Iterable[str]) -> Rarity:
    """Count the texts that each word occurs in."""
    having: Counter[str] = Counter()
    number = 0
    for text in texts:
        having.update(set(folded_words(text)))
        number += 1
    return Rarity(number, having)


class Bags(tuple[Profile, ...]):
    """Profiles that remember their word counts, so that several reidentifiers fitted on them count once."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self._counted: dict[Reader, WordCounts] = {}

    def __repr__(self) -> str:
        return f"Bags({len(self)} profiles)"

    def counted(self, read: Reader) -> WordCounts:
        """The words or other terms of the profiles by a reader; counted at the first call."""
        if read not in self._counted:
            self._counted[read] = count_read(self, read)
        return self._counted[read]


class UntilIndexed(Generic[Made]):
    """Remembers the result of `fit` on one sequence of profiles until `index` asks for the same ones."""

    def __init__(self) -> None:
        self._held: tuple[Sequence[Profile], Made] | None = None

    def keep(self, profiles: Sequence[Profile], made: Made) -> Made:
        """Remember and give back."""
        # A list may change before it is indexed.
        self._held = (profiles, made) if isinstance(profiles, tuple) else None
        return made

    def take(self, profiles: Sequence[Profile]) -> Made | None:
        """The value made of this very sequence, once; None for any other."""
        held, self._held = self._held, None
        return held[1] if held is not None and held[0] is profiles else None


def most_frequent(frequency: Mapping[str, int], *, rarest: int, most: int) -> list[str]:
    """Terms that occur at least `rarest` times, sorted; of more than `most` the most frequent ones, then in order."""
    kept = sorted((term for term, held in frequency.items() if held >= rarest), key=lambda t: (-frequency[t], t))
    return sorted(kept[:most])


def count_words(profiles: Sequence[Profile], read: Reader = folded_words) -> WordCounts:
    """Counts of words (or other terms that `read` gives) in profiles; `Bags` answer from memory."""
    return profiles.counted(read) if isinstance(profiles, Bags) else count_read(profiles, read)


def count_read(profiles: Sequence[Profile], read: Reader) -> WordCounts:
    """The same, counted anew and not remembered."""
    return count_texts(map(profile_text, profiles), read)


def count_texts(texts: Iterable[str], read: Reader) -> WordCounts:
    """The terms that `read` gives of texts, with their counts."""
    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__  # a new term gets the next number
    numbers, ends = array("i"), array("q", [0])
    for text in texts:
        numbers.extend(map(vocabulary.__getitem__, read(text)))
        ends.append(len(numbers))
    words = tuple(sorted(vocabulary))
    rank = np.empty(len(words), np.int32)
    rank[list(map(vocabulary.__getitem__, words))] = np.arange(len(words), dtype=np.int32)
    places = rank[np.frombuffer(numbers, np.int32)] if numbers else np.zeros(0, np.int32)
    shape = (len(ends) - 1, len(words))
    counts = sparse.csr_array((np.ones(len(places), np.int32), places, np.frombuffer(ends, np.int64)), shape=shape)
    counts.sum_duplicates()
    return WordCounts(words, counts)
