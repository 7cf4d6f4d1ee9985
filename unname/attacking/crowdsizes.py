"""The evidence in sizes of crowds for an adversary who knows method, settings and k, but not the key.

A search that stops as soon as the crowd reaches k gives the person away as the one whose own crowd is smallest yet
feasible (Wong 2007, minimality attack), and one that goes on pushes the person conspicuously low. Two guesses from crowd
sizes alone: take the smallest feasible crowd (`smallest`), or learn from releases of other people how crowds of true
persons are distributed and weigh that against everybody else's (`learned`).
"""

import numpy as np
import numpy.typing as npt

from unname.reidentifiers.base import IntArray

Scores = npt.NDArray[np.float64]
_BINS = 96
# Counts are spread over neighbouring bins: few documents teach.
_KERNEL = np.exp(-0.5 * (np.arange(-4, 5) / 1.5) ** 2)
_KERNEL /= _KERNEL.sum()


def all_crowds(scores: Scores | IntArray) -> IntArray:
    """The crowd every profile would have if it were the true one: (people,) int64."""
    order = np.argsort(scores)
    ranked = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    below = np.repeat(starts, np.diff(np.append(starts, len(scores))))
    crowds = np.empty(len(scores), np.int64)
    crowds[order] = len(scores) - below - 1
    return crowds


def smallest_feasible(crowds: IntArray, k: int) -> Scores:
    """Scores for guessing the person whose smallest crowd over members (members, people) is least, yet k or more."""
    least = crowds.min(axis=0)
    return np.asarray(np.where(least >= k, -least, -crowds.shape[1] - 1), np.float64)


def _bins(crowds: IntArray) -> IntArray:
    # Single counts near k, where the tell is; geometric steps of about 10 % further out.
    fine = np.minimum(crowds, 31)
    coarse = 31 + np.floor(np.log(np.maximum(crowds, 31) / 31) / np.log(1.1)).astype(np.int64)
    return np.asarray(np.minimum(np.where(crowds < 32, fine, coarse), _BINS - 1))


def readings(members: int) -> int:
    """The number of readings of the crowds under so many members."""
    return members + 2 if members > 1 else members


def _readings(crowds: IntArray) -> IntArray:
    """Crowds under each member, the least over members and the largest: (readings, people)."""
    if len(crowds) < 2:
        return crowds
    return np.vstack([crowds, crowds.min(axis=0, keepdims=True), crowds.max(axis=0, keepdims=True)])


class CrowdPattern:
    """Likelihood ratios of crowd sizes, learned by counting: true persons against everybody."""

    def __init__(self) -> None:
        self._true: Scores = np.zeros((0, _BINS))
        self._all: Scores = np.zeros((0, _BINS))

    def learn(self, crowds: IntArray, person: int) -> None:
        """Take in one document of another person: crowds (members, people)."""
        binned = _bins(_readings(crowds))
        if not len(self._true):
            self._true, self._all = np.zeros((len(binned), _BINS)), np.zeros((len(binned), _BINS))
        for row, bins in enumerate(binned):
            self._true[row, bins[person]] += 1
            self._all[row] += np.bincount(bins, minlength=_BINS) / crowds.shape[1]

    def ratios(self, crowds: IntArray, *, known: int = -1) -> Scores:
        """Logarithms of that ratio for everybody's crowds, each member's, their least and largest: (readings, people).

        Of a document that it learned from, the person is `known` and not counted.
        """
        binned = _bins(_readings(crowds))
        if not len(self._true):
            return np.zeros(binned.shape)
        log_ratios = np.empty(binned.shape)
        for row, bins in enumerate(binned):
            true = self._true[row].copy()
            if known >= 0:
                true[bins[known]] -= 1
            # Half a document over all bins together, so that what was never seen is unlikely and not impossible.
            true = np.convolve(true, _KERNEL, "same") + 0.5 / _BINS
            everybody = np.convolve(self._all[row], _KERNEL, "same") + 0.5 / _BINS
            log_ratios[row] = np.log(true / true.sum() / (everybody / everybody.sum()))[bins]
        return log_ratios

    def scores(self, crowds: IntArray) -> Scores:
        """The likeness of each profile's least and largest crowd to a true person's: (people,) float64."""
        return np.asarray(self.ratios(crowds)[-2:].sum(axis=0), np.float64)
