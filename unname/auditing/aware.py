"""The mask-aware attacker: knows method, settings and k, not the key.

A search that stops as soon as the crowd reaches k betrays the person as the one whose own crowd is smallest yet
feasible. Two readings of that: take the smallest feasible crowd (`smallest`), or learn from releases of other people
how crowds of true persons are distributed and weigh that against everybody else's (`learned`).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unname.reidentifiers.base import IntArray

Scores = npt.NDArray[np.float64]
BINS = 96


def all_crowds(scores: Scores | IntArray) -> IntArray:
    """The crowd every profile would have if it were the true one: (people,) int64."""
    order = np.argsort(scores)
    ranked = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    below = np.repeat(starts, np.diff(np.append(starts, len(scores))))
    found = np.empty(len(scores), np.int64)
    found[order] = len(scores) - below - 1
    return found


def smallest_feasible(crowds: IntArray, k: int) -> Scores:
    """Scores for guessing the person whose smallest crowd over members (members, people) is least, yet k or more."""
    least = crowds.min(axis=0)
    return np.asarray(np.where(least >= k, -least, -crowds.shape[1] - 1), np.float64)


def _bins(crowds: IntArray) -> IntArray:
    # Single counts near k, where the tell is; geometric steps of about 10 % further out.
    fine = np.minimum(crowds, 31)
    coarse = 31 + np.floor(np.log(np.maximum(crowds, 31) / 31) / np.log(1.1)).astype(np.int64)
    return np.minimum(np.where(crowds < 32, fine, coarse), BINS - 1)


class CrowdPattern:
    """Log-likelihood ratio of smallest and largest crowd over members, true persons against all, learned by counting."""

    def __init__(self) -> None:
        self._true = np.zeros((2, BINS))
        self._all = np.zeros((2, BINS))

    def learn(self, crowds: IntArray, person: int) -> None:
        """Take in one document of another person: crowds (members, people)."""
        for row, least in enumerate((crowds.min(axis=0), crowds.max(axis=0))):
            binned = _bins(least)
            self._true[row, binned[person]] += 1
            self._all[row] += np.bincount(binned, minlength=BINS) / crowds.shape[1]

    def take(self, other: "CrowdPattern") -> None:
        """Take over what another has learned."""
        self._true += other._true
        self._all += other._all

    def scores(self, crowds: IntArray) -> Scores:
        """How much each profile's crowds look like a true person's: (people,) float64."""
        # Half a document in every bin, so that what was never seen is unlikely and not impossible.
        true, everybody = self._true + 0.5, self._all + 0.5
        ratio = np.log(true / true.sum(axis=1, keepdims=True)) - np.log(
            everybody / everybody.sum(axis=1, keepdims=True)
        )
        rows: Sequence[IntArray] = (crowds.min(axis=0), crowds.max(axis=0))
        if crowds.shape[0] == 1:
            return np.asarray(ratio[0][_bins(rows[0])])
        return np.asarray(sum(ratio[i][_bins(row)] for i, row in enumerate(rows)), np.float64)
