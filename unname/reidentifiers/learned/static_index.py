"""A population made searchable by static vectors: exact sums over words and pairs of neighbours.

Vectors are whole numbers so small that the product of a usual text and a profile stays below 2²⁴, where single precision
is exact in any order; longer texts are multiplied in double precision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from unname.reidentifiers.base import Float32Array, FloatArray, IntArray
from unname.reidentifiers.learned.vectorindex import EXACT, longest
from unname.reidentifiers.terms.neighbours import distinct, joined, pairs, sequence, spans_of

# Texts that are scored in one product, and products of tokens with fields that are held at once.
_BLOCK = 64
_LARGEST = 3


@dataclass(frozen=True, slots=True, repr=False)
class FieldFeatures:
    """Features of each field of each profile, rows (people · fields), and the vectors of features."""

    fields: int
    described: sparse.csr_array
    vectors: Float32Array

    def __repr__(self) -> str:
        return f"FieldFeatures({self.fields} fields)"

    def of(self, columns: IntArray) -> Float32Array:
        """Vectors of every field of some people: (people · fields, dimensions) float32."""
        rows = (np.asarray(columns)[:, None] * self.fields + np.arange(self.fields)).ravel()
        return np.asarray(self.described[rows] @ self.vectors, np.float32)


class StaticIndex:
    """Tokens, the rows of `vocabulary`, and people as vectors of whole numbers; products count `1 << shift` each.

    Satisfies `PairedIndex` and `FieldIndex`.
    """

    def __init__(
        self,
        people: Sequence[str],
        vocabulary: Mapping[str, int],
        tokens: Float32Array,
        profiles: Float32Array,
        shift: int,
        fields: FieldFeatures,
    ) -> None:
        self._people, self._vocabulary = tuple(people), vocabulary
        # The last row stands for what nobody knows.
        self._tokens = np.vstack([tokens, np.zeros((1, tokens.shape[1]), np.float32)])
        self._profiles, self._shift, self._fields = profiles, shift, fields
        self._longest = longest(profiles)
        self._chosen: tuple[IntArray, Float32Array] | None = None

    def __repr__(self) -> str:
        return f"StaticIndex({len(self._vocabulary)} tokens, {len(self._people)} people)"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        return self._people

    @property
    def size_bytes(self) -> int:
        """Bytes of what grows with the population."""
        held = self._fields.described
        return int(self._profiles.nbytes + held.data.nbytes + held.indices.nbytes + held.indptr.nbytes)

    def plain(self, texts: Sequence[str]) -> tuple[dict[str, list[int]], list[list[int]], int]:
        """Vectors of the terms of some texts and of all people as whole numbers, and the shift of their products."""
        rows = [sequence(text) for text in texts]
        asked = {t for row in rows for w in distinct(row) for t in (w, *spans_of(w))}
        asked.update(joined(pair) for row in rows for pair in pairs(row))
        known = sorted(asked & self._vocabulary.keys())
        tokens = self._tokens[[self._vocabulary[token] for token in known]].astype(np.int64).tolist()
        return dict(zip(known, tokens, strict=True)), self._profiles.astype(np.int64).tolist(), self._shift

    def _sums(self, groups: Sequence[Sequence[str]]) -> Float32Array:
        """Summed vectors of each group of tokens: (groups, dimensions) float32; sums of whole numbers are exact."""
        known, unknown = self._vocabulary, len(self._vocabulary)
        if not groups:
            return np.zeros((0, self._tokens.shape[1]), np.float32)
        rows = [known.get(token, unknown) for group in groups for token in group or ("",)]
        starts = np.cumsum([0, *(max(len(group), 1) for group in groups[:-1])])
        return np.asarray(np.add.reduceat(self._tokens[rows], starts, axis=0))

    def words(self, words: Sequence[str]) -> Float32Array:
        """Vectors of folded words, those of years with the spans they lie in: (words, dimensions) float32."""
        return self._sums([(word, *spans_of(word)) for word in words])

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Float32Array:
        """Vectors of pairs of neighbours: (pairs, dimensions) float32."""
        known, unknown = self._vocabulary, len(self._vocabulary)
        return np.asarray(self._tokens[[known.get(joined(pair), unknown) for pair in pairs]])

    def against(self, vectors: Float32Array, columns: IntArray | None = None) -> IntArray:
        """Scores of sums of vectors for everybody, or the people in `columns`: (rows, people) int64, exact."""
        profiles = self._profiles if columns is None else self._of(columns)
        if longest(vectors) * self._longest < EXACT:
            products = vectors @ profiles.T
        else:
            products = vectors.astype(np.float64) @ profiles.T.astype(np.float64)
        return np.asarray(products.astype(np.int64) << self._shift)

    def _of(self, columns: IntArray) -> Float32Array:
        """Vectors of some people; a search asks for the same ones again and again."""
        if self._chosen is None or self._chosen[0] is not columns:
            self._chosen = columns, self._profiles[columns]
        return self._chosen[1]

    def _read(self, texts: Sequence[str]) -> Float32Array:
        rows = [sequence(text) for text in texts]
        groups = [[*(t for w in distinct(row) for t in (w, *spans_of(w))), *map(joined, pairs(row))] for row in rows]
        return self._sums(groups)

    def scores(self, text: str) -> IntArray:
        """The sum of the text's distinct words and pairs: (people,) int64."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        scores = np.empty((len(texts), len(self._people)), np.int64)
        for start in range(0, len(texts), _BLOCK):
            scores[start : start + _BLOCK] = self.against(self._read(texts[start : start + _BLOCK]))
        return scores

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The fall of people when a word goes, and its pairs with it: (words, columns) float64."""
        row = sequence(text)
        there, near = set(row), dict[str, list[tuple[str, str]]]()
        for pair in pairs(row):
            for word in dict.fromkeys(pair):
                near.setdefault(word, []).append(pair)
        groups = [[word, *spans_of(word), *map(joined, near.get(word, ()))] if word in there else [] for word in words]
        return np.asarray(self.against(self._sums(groups), columns), np.float64)

    def agreement(self, texts: Sequence[str], columns: IntArray) -> FloatArray:
        """The agreement of the texts with people's profiles, field by field: (people, fields, 4) float64."""
        rows = [sequence(text) for text in texts]
        words = dict.fromkeys(word for row in rows for word in distinct(row))
        both = dict.fromkeys(pair for row in rows for pair in pairs(row))
        read = np.vstack([self.words(list(words)), self.pairs(list(both))])
        read = read[read.any(axis=1)]
        held = self._fields.of(columns)
        agreements = np.zeros((len(held), 1 + _LARGEST))
        if len(read):
            each = held @ read.T
            agreements[:, 0] = each.sum(axis=1)
            most = min(_LARGEST, len(read))
            agreements[:, 1 : 1 + most] = -np.sort(-np.partition(each, -most, axis=1)[:, -most:], axis=1)
        return agreements.reshape(len(columns), self._fields.fields, 1 + _LARGEST)
