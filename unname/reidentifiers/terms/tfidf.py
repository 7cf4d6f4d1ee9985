"""Texts as sparse unit vectors of their words: logarithmic counts times rarity."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from unname.reidentifiers.base import FloatArray
from unname.reidentifiers.terms.wordcounts import count_texts
from unname.text import Reader


@dataclass(frozen=True, slots=True, repr=False)
class TfIdf:
    """Columns of the known words (or other terms that `read` gives) and the rarity of each: ln((1 + N) / (1 + df)) + 1."""

    read: Reader
    columns: Mapping[str, int]
    rarity: FloatArray

    def __repr__(self) -> str:
        return f"TfIdf({len(self.columns)} words)"

    def transform(self, texts: Iterable[str]) -> sparse.csr_array:
        """Unit vectors of texts: (texts, columns) float64; words unknown in fitting are left out."""
        known, ends = array("i"), array("q", [0])
        for text in texts:
            known.extend([column for word in self.read(text) if (column := self.columns.get(word, -1)) >= 0])
            ends.append(len(known))
        places = np.frombuffer(known, np.int32) if known else np.zeros(0, np.int32)
        shape = (len(ends) - 1, len(self.columns))
        counts = sparse.csr_array((np.ones(len(known)), places, np.frombuffer(ends, np.int64)), shape=shape, copy=True)
        counts.sum_duplicates()
        return self.weigh(counts)

    def alone(self, text: str, words: Sequence[str]) -> tuple[sparse.csr_array, float]:
        """The weight of each word in a text, all its occurrences: (words, columns), and the text's length before it is one.

        A word that is not there, or is unknown, weighs nothing.
        """
        counted = Counter(column for word in self.read(text) if (column := self.columns.get(word, -1)) >= 0)
        own = [(row, column) for row, word in enumerate(words) if (column := self.columns.get(word, -1)) in counted]
        every = (1 + np.log(np.array(list(counted.values()), np.float64))) * self.rarity[list(counted)]
        weight = dict(zip(counted, every.tolist(), strict=True))
        rows, columns = [row for row, _ in own], [column for _, column in own]
        shape = (len(words), len(self.columns))
        return sparse.csr_array(([weight[c] for c in columns], (rows, columns)), shape=shape), float(
            np.linalg.norm(every)
        )

    def weigh(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Unit vectors from counts (texts × columns)."""
        weights = (1 + np.log(counts.data)) * self.rarity[counts.indices]
        return unit_rows(sparse.csr_array((weights, counts.indices, counts.indptr), shape=counts.shape))


def unit_rows(rows: sparse.csr_array) -> sparse.csr_array:
    """Rows at length one; empty ones stay empty."""
    owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    length = np.sqrt(np.bincount(owners, rows.data * rows.data, minlength=rows.shape[0]))
    data = rows.data / np.maximum(length, 1e-12)[owners]
    return sparse.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def fit_tfidf(texts: Sequence[str], read: Reader, *, rarest: int = 1) -> tuple[TfIdf, sparse.csr_array]:
    """Learn words that at least `rarest` texts hold, and the unit vectors of the texts: (texts, columns) float64."""
    counted = count_texts(texts, read)
    frequency = np.bincount(counted.counts.indices, minlength=len(counted.words))
    kept = np.flatnonzero(frequency >= rarest)
    rarity = np.log((1 + len(texts)) / (1 + frequency[kept])) + 1
    model = TfIdf(read, {counted.words[old]: new for new, old in enumerate(kept)}, rarity)
    return model, model.weigh(counted.counts[:, kept])
