"""Chains of labels: the most probable sequence, and the probability of each label in its place; many lines at once.

A line's score of labels is the sum of each token's weight for its label and of the weights of labels in succession.
Source: Lafferty 2001 (linear-chain conditional random fields); forward and backward in probabilities, scaled by step.
"""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
# With weights of labels in succession up to this, either way, no product of three probabilities leaves 64 bits.
MOST_WEIGHT = 100.0


def _places(lengths: IntArray) -> list[IntArray]:
    """The places of the t-th tokens of all lines that have one, longest line first, by t."""
    order = np.argsort(-lengths, kind="stable")
    starts, long = (np.cumsum(lengths) - lengths)[order], lengths[order]
    active = np.searchsorted(-long, -np.arange(int(long[0]) if len(long) else 0), "left")
    return [starts[:many] + step for step, many in enumerate(active)]


def _lines(lengths: IntArray) -> IntArray:
    """The number of each token's line."""
    return np.repeat(np.arange(len(lengths)), lengths)


def marginals(states: FloatArray, steps: FloatArray, lengths: IntArray) -> tuple[FloatArray, FloatArray]:
    """Probability of each label at each token, and the logarithm of the sum over all sequences, by line.

    `states` (tokens, labels) are weights of labels at tokens, all lines after each other, `lengths` (lines,) the length
    of each, `steps` (labels, labels) weights of one label followed by another, at most 100 either way.
    """
    highest = states.max(axis=1, keepdims=True)
    fits, follows = np.exp(states - highest), np.exp(steps)
    by_step = _places(lengths)
    forward, scale = np.empty_like(fits), np.ones(len(fits))
    row = np.empty((0, fits.shape[1]))
    for step, places in enumerate(by_step):
        row = fits[places] if step == 0 else (row[: len(places)] @ follows) * fits[places]
        scale[places] = row.sum(axis=1)
        row = row / scale[places, None]
        forward[places] = row
    weighed = fits / scale[:, None]
    backward = np.ones_like(fits)
    for places, after in zip(by_step[-2::-1], by_step[:0:-1], strict=True):
        backward[places[: len(after)]] = (backward[after] * weighed[after]) @ follows.T
    total = np.bincount(_lines(lengths), np.log(scale) + highest[:, 0], len(lengths))
    return np.asarray(forward * backward), np.asarray(total, np.float64)


def best(states: FloatArray, steps: FloatArray, lengths: IntArray) -> IntArray:
    """The label of each token in its line's most probable sequence; of two alike the first label. Source: Viterbi."""
    by_step = _places(lengths)
    came = np.zeros(states.shape, np.int32)
    row = np.empty((0, states.shape[1]))
    labels = np.zeros(len(states), np.int64)
    ends = np.zeros(len(states), np.bool_)
    ends[np.cumsum(lengths)[lengths > 0] - 1] = True
    for step, places in enumerate(by_step):
        if step == 0:
            row = states[places]
        else:
            sums = row[: len(places), :, None] + steps
            came[places] = sums.argmax(axis=1)
            row = sums.max(axis=1) + states[places]
        last = ends[places]
        labels[places[last]] = row[last].argmax(axis=1)
    for before, after in zip(by_step[-2::-1], by_step[:0:-1], strict=True):
        labels[before[: len(after)]] = came[after, labels[after]]
    return labels


def likeliest(states: FloatArray, steps: FloatArray, lengths: IntArray) -> tuple[IntArray, FloatArray]:
    """`best` labels and `marginals`, sooner.

    Where the sequence of the likeliest label of each token has more than half of the probability, no other can have
    more; only the lines where it has not are searched.
    """
    if not len(states):
        return np.zeros(0, np.int64), states
    probable, total = marginals(states, steps, lengths)
    labels: IntArray = probable.argmax(axis=1).astype(np.int64)
    of_line = _lines(lengths)
    weights = states[np.arange(len(states)), labels]
    within = of_line[1:] == of_line[:-1]
    weights[1:] += np.where(within, steps[labels[:-1], labels[1:]], 0.0)
    unsure = np.bincount(of_line, weights, len(lengths)) - total <= np.log(0.5) + 1e-9
    if unsure.any():
        some = unsure[of_line]
        labels[some] = best(states[some], steps, lengths[unsure])
    return labels, probable
