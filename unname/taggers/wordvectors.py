"""Word vectors taught by a corpus of one's own. Source: Mikolov 2013 (skip-gram with negative sampling)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unname.storage.wordvectors import Float32

# Words foretell those so many places away; so many that are false are drawn per pair, by count^¾.
_WINDOW, _NEGATIVES, _RATE = 5, 5, 0.05


def teach_word_vectors(
    sequences: Sequence[Sequence[int]],
    words: int,
    *,
    width: int,
    epochs: int,
    seed: int,
    batch: int = 512,
    most_frequent: float = 1e-3,
) -> Float32:
    """Vectors (words, width) of words that occur in sequences, by skip-gram with negative sampling; numbers from 0.

    Words foretell those up to `_WINDOW` places away; those more frequent than `most_frequent` are passed over now and then.
    Rates fall to nothing. Source: Mikolov 2013.
    """
    random = np.random.default_rng(seed)
    inside = ((random.random((words, width)) - 0.5) / width).astype(np.float32)
    outside = np.zeros((words, width), np.float32)
    counts = np.bincount(
        np.concatenate([np.zeros(0, np.int64), *map(np.asarray, sequences)]).astype(int), minlength=words
    )
    shares = counts / max(1, counts.sum())
    keep = np.minimum(1.0, np.sqrt(most_frequent / np.maximum(shares, 1e-12)))
    drawn = np.cumsum(counts**0.75) / max(1e-12, float((counts**0.75).sum()))
    for epoch in range(epochs):
        centres, others = _pairs(sequences, keep, random)
        for at in range(0, len(centres), batch):
            done = (epoch + at / len(centres)) / epochs
            centre, other = centres[at : at + batch], others[at : at + batch]
            false = np.searchsorted(drawn, random.random((len(centre), _NEGATIVES))).clip(0, words - 1)
            _step(inside, outside, centre, np.column_stack((other, false)), _RATE * (1 - done))
    return inside


def _pairs(
    sequences: Sequence[Sequence[int]], keep: npt.NDArray[np.float64], random: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Pairs of words and words near them, in an order that is drawn."""
    centres: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    others: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    for sequence in sequences:
        row = np.asarray(sequence, np.int64)
        row = row[random.random(len(row)) < keep[row]]
        reach = random.integers(1, _WINDOW + 1, len(row))
        for far in range(1, _WINDOW + 1):
            one, two = row[:-far], row[far:]
            centres += [one[reach[:-far] >= far], two[reach[far:] >= far]]
            others += [two[reach[:-far] >= far], one[reach[far:] >= far]]
    order = random.permutation(sum(map(len, centres)))
    return np.concatenate(centres)[order], np.concatenate(others)[order]


def _step(
    inside: Float32, outside: Float32, centre: npt.NDArray[np.int64], other: npt.NDArray[np.int64], rate: float
) -> None:
    """One step on pairs: the first column of `other` (pairs, 1 + negatives) is true, the others are drawn."""
    mine, theirs = inside[centre], outside[other]
    scores = np.einsum("pw,pnw->pn", mine, theirs).clip(-10, 10)
    error = 1 / (1 + np.exp(-scores))
    error[:, 0] -= 1
    error *= rate
    # Sums over a word's pairs are kept small, for a frequent word has many of them in a batch.
    np.add.at(inside, centre, -np.einsum("pn,pnw->pw", error, theirs).clip(-0.05, 0.05))
    np.add.at(outside, other.ravel(), -(error[:, :, None] * mine[:, None]).reshape(-1, mine.shape[1]))
