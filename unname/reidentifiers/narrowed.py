"""Indexes over some of the people: those whom the general values of a release fit, which leaves nobody else in a crowd."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from unname.reidentifiers.base import (
    AdditiveIndex,
    Float32Array,
    FloatArray,
    GradedIndex,
    IntArray,
    LocalIndex,
    PairedIndex,
)

AnyIndex = TypeVar("AnyIndex", AdditiveIndex, LocalIndex)


class _Narrowed:
    """The people in some columns, in their order, under an index of all."""

    def __init__(self, index: AdditiveIndex | LocalIndex, columns: IntArray) -> None:
        self._index, self._columns = index, columns
        everybody = index.people
        self.people = tuple(everybody[column] for column in columns.tolist())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """As the index says of them: (people,) int64."""
        return self._index.scores(text)[self._columns]

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """As the index says of them: (texts, people) int64."""
        return self._index.scores_of(texts)[:, self._columns]

    def _of(self, columns: IntArray | None) -> IntArray:
        return self._columns if columns is None else self._columns[columns]


class _NarrowedSums(_Narrowed):
    _index: AdditiveIndex

    @property
    def signed(self) -> bool:
        """As the index says."""
        return self._index.signed

    def sum_of(self, words: Iterable[str]) -> IntArray:
        """As the index says of them: (people,) int64."""
        return self._index.sum_of(words)[self._columns]

    def contributions(self, words: Sequence[str], columns: IntArray | None = None) -> IntArray:
        """As the index says of them: (words, people or columns) int64."""
        return self._index.contributions(words, self._of(columns))


class _NarrowedReadings(_Narrowed):
    _index: LocalIndex

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """As the index says of them: (words, columns) float64."""
        return self._index.worth(text, words, self._of(columns))


class _NarrowedGraded(_NarrowedReadings):
    def falls(
        self, text: str, words: Sequence[str], columns: IntArray, *facing: *tuple[int, IntArray, float]
    ) -> FloatArray:
        """As the index says among them: (words,) float64."""
        return cast(GradedIndex, self._index).falls(text, words, self._of(columns), *facing)


class _NarrowedPairs(_NarrowedReadings):
    _index: PairedIndex

    def words(self, words: Sequence[str]) -> Float32Array:
        """As the index has them."""
        return self._index.words(words)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Float32Array:
        """As the index has them."""
        return self._index.pairs(pairs)

    def against(self, vectors: Float32Array, columns: IntArray | None = None) -> IntArray:
        """As the index says of them: (rows, people) int64."""
        return self._index.against(vectors, self._of(columns))


def narrowed(index: AnyIndex, columns: IntArray) -> AnyIndex:
    """An index over the people in `columns` (ascending) alone: their scores are what they were."""
    kind: type[_Narrowed] = _NarrowedReadings
    if isinstance(index, PairedIndex):
        kind = _NarrowedPairs
    elif isinstance(index, AdditiveIndex):
        kind = _NarrowedSums
    elif isinstance(index, GradedIndex) and getattr(index, "graded", True):
        kind = _NarrowedGraded
    return cast(AnyIndex, kind(index, columns))
