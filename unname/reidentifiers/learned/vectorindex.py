"""An index whose words and people are learned vectors: exact sums over words, served in single precision.

A word adds to a person the product of their vectors and, if the profile has the same word, its weight there. Vectors
are whole numbers so small that every product of a word, or of a few, stays below 2²⁴: single precision then computes it
exactly, in any order and on any number of threads, and scores are integers like those of term matching.
"""

from collections.abc import Iterable, Sequence
from math import floor, log2, sqrt
from typing import Any

import numpy as np

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, FloatArray, IntArray
from unname.reidentifiers.learned.descent import Float32Array
from unname.reidentifiers.terms.termindex import TermIndex
from unname.text import folded_words, visible

EXACT = float(1 << 24)
MOST_BITS = SCALE.bit_length() - 1
# Whole rows that are kept at hand fill at most so much.
ROW_BYTES = 64 << 20
# Texts that are scored in one product.
_BLOCK = 64


class VectorIndex:
    """Words and people as vectors, and an inverted index of the words that both sides say. Satisfies `AdditiveIndex`.

    `words` (words, dimensions), the rows of `vocabulary`, and `profiles` (people, dimensions) hold whole numbers; their
    products count `1 << shift` each. A word can count against somebody.
    """

    signed = True

    def __init__(
        self,
        people: Sequence[str],
        vocabulary: dict[str, int],
        words: Float32Array,
        profiles: Float32Array,
        shift: int,
        matches: TermIndex,
    ) -> None:
        self._people = tuple(people)
        self._vocabulary = vocabulary
        self._words, self._profiles, self._shift = words, profiles, shift
        self._matches = matches
        self._longest = longest(profiles)
        most = longest(words) * self._longest
        if most * 2.0**shift >= 2.0**53:
            raise ModelError("a word weighs more than an index can hold")
        # Profiles unlike any that were fitted may be too long for single precision.
        self._single = most < EXACT
        self._forget()

    def _forget(self) -> None:
        self._rows: dict[str, IntArray] = {}

    def __repr__(self) -> str:
        return f"VectorIndex({len(self._vocabulary)} words, {len(self._people)} people)"

    @property
    def vectors(self) -> tuple[dict[str, list[int]], Sequence[list[int]], int]:
        """Vectors of words and of people as whole numbers, and the shift of their products."""
        rows = self._words.astype(np.int64).tolist()
        return (
            {w: rows[row] for w, row in self._vocabulary.items()},
            self._profiles.astype(np.int64).tolist(),
            self._shift,
        )

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        return self._people

    @property
    def size_bytes(self) -> int:
        """Bytes of what grows with the population."""
        return int(self._profiles.nbytes) + self._matches.size_bytes

    def scores(self, text: str) -> IntArray:
        """The sum of the text's distinct words, placeholders left out: (people,) int64."""
        return self.sum_of(dict.fromkeys(folded_words(visible(text))))

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Scores of many texts: (texts, people) int64."""
        scores = np.empty((len(texts), len(self._people)), np.int64)
        read = [tuple(dict.fromkeys(folded_words(visible(text)))) for text in texts]
        for start in range(0, len(read), _BLOCK):
            block = read[start : start + _BLOCK]
            scores[start : start + len(block)] = self._together(block)
        return scores

    def sum_of(self, words: Iterable[str]) -> IntArray:
        """The sum of the contributions of these words: (people,) int64; repeats count."""
        return np.asarray(self._together([tuple(words)])[0])

    def row(self, word: str) -> IntArray:
        """The contribution of a word to everybody, (people,) int64, not to be changed; recent ones are at hand."""
        contribution = self._rows.get(word)
        if contribution is None:
            if (len(self._rows) + 1) * 8 * len(self._people) > ROW_BYTES:
                self._rows.clear()
            contribution = self._rows[word] = np.asarray(self.contributions([word])[0])
        return contribution

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def contributions(self, words: Sequence[str], columns: IntArray | None = None) -> IntArray:
        """Contributions of each folded word where present, to all people or the distinct `columns`: (words, people) int64."""
        added = self._matches.contributions(words, columns)
        known = [place for place, word in enumerate(words) if word in self._vocabulary]
        if known:
            rows = self._words[[self._vocabulary[words[place]] for place in known]]
            profiles = self._profiles if columns is None else self._profiles[columns]
            added[known] += self._product(rows, profiles)
        return added

    def _together(self, read: Sequence[tuple[str, ...]]) -> IntArray:
        """Sums over each group of words: (groups, people) int64."""
        parts: list[FloatArray] = []
        owners: list[int] = []
        for place, words in enumerate(read):
            for part in self._parts([self._vocabulary[w] for w in words if w in self._vocabulary]):
                parts.append(part)
                owners.append(place)
        sums = np.stack([self._matches.sum_of(words) for words in read])
        if parts:
            for owner, product in zip(owners, self._product(np.stack(parts), self._profiles), strict=True):
                sums[owner] += product
        return sums

    def _product(self, rows: FloatArray | Float32Array, profiles: Float32Array) -> IntArray:
        """Of rows short enough, or of single words: (rows, people) int64."""
        if self._single:
            return np.asarray((rows.astype(np.float32, copy=False) @ profiles.T).astype(np.int64) << self._shift)
        return np.asarray((rows.astype(np.float64) @ profiles.T.astype(np.float64)).astype(np.int64) << self._shift)

    def _parts(self, rows: Sequence[int]) -> list[FloatArray]:
        """Summed vectors of words, in as many parts as it takes for their products to be exact."""
        if not rows:
            return []
        total = self._words[list(rows)].sum(axis=0, dtype=np.float64)
        if len(rows) == 1 or not self._single or np.linalg.norm(total) * self._longest < EXACT:
            return [total]
        half = len(rows) // 2
        return self._parts(rows[:half]) + self._parts(rows[half:])


def longest(rows: FloatArray | Float32Array) -> float:
    """Length of the longest row."""
    if len(rows) == 1:
        row = rows[0].astype(np.float64)
        return sqrt(float(row @ row))
    return float(np.linalg.norm(rows.astype(np.float64), axis=1).max(initial=0.0))


def fitting_bits(words: FloatArray | Float32Array, profiles: FloatArray | Float32Array) -> tuple[int, int]:
    """Binary digits after the point for vectors of either side, so that no product of a word and a person reaches 2²³."""
    one, other = (max(longest(side), 2.0**-20) for side in (words, profiles))
    together = min(MOST_BITS, floor(log2(EXACT / 2 / (one * other))))
    left = round((together + log2(other / one)) / 2)
    return left, together - left


def whole(vectors: FloatArray | Float32Array, bits: int) -> Float32Array:
    """Vectors in whole multiples of 2⁻ᵇⁱᵗˢ, times 2ᵇⁱᵗˢ."""
    return np.rint(vectors.astype(np.float64) * 2.0**bits).astype(np.float32)
