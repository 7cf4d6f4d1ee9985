"""Linear scores of tokens: the keys that were seen often enough in learning, and a weight of each for every label."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from unname.hashing import Keys
from unname.taggers.linear.features import EncodedTexts
from unname.taggers.linear.sequences import FloatArray

# Rows that are looked up together, so that a long text needs no more memory than its keys.
_ROWS = 1 << 15


@dataclass(frozen=True, slots=True, repr=False)
class Linear:
    """`keys` (features,) in ascending order and `weights` (features, labels) float64."""

    keys: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    weights: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    def scores(self, reading: EncodedTexts) -> FloatArray:
        """The sum of the weights of each token's features: (tokens, labels).

        The features of a word are weighed once for all of its occurrences at the same distance.
        """
        total = self.of_keys(reading.columns)
        for keys, types in reading.nearby():
            total += self.of_keys(keys)[types]
        return total

    def of_keys(self, keys: Keys) -> FloatArray:
        """The same for rows of keys: (rows, labels)."""
        parts = [keys[at : at + _ROWS] for at in range(0, len(keys), _ROWS)] or [keys]
        return np.vstack([matrix(part, self.keys) @ self.weights for part in parts])


def vocabulary(readings: Sequence[Keys], fewest: int = 2) -> Keys:
    """The keys that occur at least `fewest` times, in ascending order."""
    distinct, counts = np.unique(np.concatenate([keys.ravel() for keys in readings]), return_counts=True)
    return np.asarray(distinct[(counts >= fewest) & (distinct != 0)], np.uint64)


def matrix(keys: Keys, known: Keys) -> sparse.csr_array:
    """The known features that hold in each row of keys: (rows × known), ones."""
    if not len(known):
        return sparse.csr_array((keys.shape[0], 0))
    place = np.searchsorted(known, keys)
    place[place == len(known)] = 0
    there = known[place] == keys
    ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    columns = place[there].astype(np.int32)
    if len(columns) < 1 << 31:  # what scikit-learn asks for
        ends = ends.astype(np.int32)
    return sparse.csr_array((np.ones(len(columns)), columns, ends), shape=(keys.shape[0], len(known)))


def sparsest(linear: Linear, least: float = 0.0) -> Linear:
    """The same without features whose weights are all nothing, or no more than `least`."""
    weights = np.where(np.abs(linear.weights) > least, linear.weights, 0.0)
    kept = weights.any(axis=1)
    return Linear(linear.keys[kept], np.ascontiguousarray(weights[kept]))
