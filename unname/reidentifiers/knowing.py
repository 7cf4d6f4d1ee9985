"""Indexes that know something beside a text, such as whom its general values fit: it adds to people's scores."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

import numpy as np

from unname.reidentifiers.base import (
    AdditiveIndex,
    Float32Array,
    FloatArray,
    GradedIndex,
    Index,
    IntArray,
    LocalIndex,
    PairedIndex,
)

AnyIndex = TypeVar("AnyIndex", AdditiveIndex, LocalIndex)


class _Knowing:
    """The scores of an index and `beside`, (people,) int64, which no word of a text changes."""

    def __init__(self, index: AdditiveIndex | LocalIndex, beside: IntArray) -> None:
        self._index, self.beside = index, beside

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._index!r})"

    @property
    def people(self) -> tuple[str, ...]:
        """As the index has them."""
        return self._index.people

    def scores(self, text: str) -> IntArray:
        """As the index says, and what is known: (people,) int64."""
        return self._index.scores(text) + self.beside

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """As the index says, and what is known: (texts, people) int64."""
        return self._index.scores_of(texts) + self.beside


class _KnowingSums(_Knowing):
    _index: AdditiveIndex

    @property
    def signed(self) -> bool:
        """As the index says."""
        return self._index.signed

    def sum_of(self, words: Iterable[str]) -> IntArray:
        """As the index says, and what is known: (people,) int64."""
        return self._index.sum_of(words) + self.beside

    def contributions(self, words: Sequence[str], columns: IntArray | None = None) -> IntArray:
        """As the index says: (words, people or columns) int64."""
        return self._index.contributions(words, columns)


class _KnowingReadings(_Knowing):
    _index: LocalIndex

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """As the index says: (words, columns) float64."""
        return self._index.worth(text, words, columns)


class _KnowingGraded(_KnowingReadings):
    def falls(
        self, text: str, words: Sequence[str], columns: IntArray, *facing: *tuple[int, IntArray, float]
    ) -> FloatArray:
        """As the index says beside what is known: (words,) float64."""
        graded, (own, beside, way) = cast(GradedIndex, self._index), facing
        return graded.falls(text, words, columns, own, beside + self.beside[columns], way)


class _KnowingPairs(_KnowingReadings):
    _index: PairedIndex

    def words(self, words: Sequence[str]) -> Float32Array:
        """As the index has them."""
        return self._index.words(words)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Float32Array:
        """As the index has them."""
        return self._index.pairs(pairs)

    def against(self, vectors: Float32Array, columns: IntArray | None = None) -> IntArray:
        """As the index says, of vectors alone: (rows, people) int64."""
        return self._index.against(vectors, columns)


def knowing(index: AnyIndex, beside: IntArray) -> AnyIndex:
    """An index whose scores have `beside` added, (people,) int64."""
    kind: type[_Knowing] = _KnowingReadings
    if isinstance(index, PairedIndex):
        kind = _KnowingPairs
    elif isinstance(index, AdditiveIndex):
        kind = _KnowingSums
    elif isinstance(index, GradedIndex) and getattr(index, "graded", True):
        kind = _KnowingGraded
    return cast(AnyIndex, kind(index, beside))


def known_beside(index: object) -> IntArray | int:
    """The knowledge of an index beside texts: (people,) int64, or 0."""
    return index.beside if isinstance(index, _Knowing) else 0


def worth_of(index: Index, value: str, column: int) -> int:
    """The evidence of a value alone for the person in a column: their score above that of most people, or 0."""
    scores = index.scores(value)
    return max(0, int(scores[column]) - int(np.sort(scores)[(len(scores) - 1) // 2]))
