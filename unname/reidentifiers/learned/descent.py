"""Stochastic gradient descent on arrays, in single precision: the few parts that small trained models share."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Float32Array = npt.NDArray[np.float32]
Integers = npt.NDArray[np.integer[Any]]
# So many numbers of four arrays, and what is made of them meanwhile, fit in a core's own cache.
_STRETCH = 1 << 14


def ones(rows: Sequence[Integers], width: int) -> sparse.csr_array:
    """Sets of columns as rows of ones: (rows × width) float32."""
    ends = np.cumsum([0, *map(len, rows)])
    places = np.concatenate([np.zeros(0, np.int32), *rows]).astype(np.int32, copy=False)
    return sparse.csr_array((np.ones(len(places), np.float32), places, ends), shape=(len(rows), width))


def softmax(scores: Float32Array) -> None:
    """In place, over rows."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)


def _stretches(*arrays: Float32Array) -> Iterator[list[Float32Array]]:
    """The same stretches of some arrays of one size, short enough to stay in a core's cache while they are worked on."""
    flat = [array.reshape(-1) for array in arrays]
    for start in range(0, len(flat[0]), _STRETCH):
        yield [array[start : start + _STRETCH] for array in flat]


class Adam:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019) over arrays that are changed in place."""

    def __init__(self, weights: Sequence[Float32Array], rates: Sequence[float], decays: Sequence[float]) -> None:
        if not all(weight.flags.c_contiguous for weight in weights):
            raise ValueError("weights must lie in one piece, to be changed in place")
        self._weights, self._rates, self._decays = weights, rates, decays
        self._first = [np.zeros_like(w) for w in weights]
        self._second = [np.zeros_like(w) for w in weights]
        self._steps = 0

    def step(self, gradients: Sequence[Float32Array], pace: float = 1.0) -> None:
        """Move every array against its gradient, by a part (`pace`) of its rate."""
        self._steps += 1
        one, two = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for *arrays, rate, decay in zip(
            self._weights, gradients, self._first, self._second, self._rates, self._decays, strict=True
        ):
            for weight, gradient, first, second in _stretches(*arrays):
                first *= 0.9
                first += np.float32(0.1) * gradient
                second *= np.float32(0.999)
                second += np.float32(0.001) * gradient * gradient
                change = np.sqrt(second / np.float32(two))
                change += np.float32(1e-8)
                np.divide(first, change, out=change)
                weight *= np.float32(1 - pace * rate * decay)
                change *= np.float32(pace * rate / one)
                weight -= change


class RunningMean:
    """A running mean of weights: of all so far at first, then with a memory of 1 / (1 − averaging) steps."""

    def __init__(self, weights: Sequence[Float32Array], averaging: float) -> None:
        self._weights, self._averaging, self._taken = weights, averaging, 0
        self._means = [w.copy() for w in weights]

    def take(self) -> None:
        """Count the weights as they are now."""
        self._taken += 1
        kept = min(self._averaging, 1 - 1 / self._taken)
        for arrays in zip(self._means, self._weights, strict=True):
            for mean, weight in _stretches(*arrays):
                mean *= np.float32(kept)
                mean += np.float32(1 - kept) * weight

    def values(self) -> list[Float32Array]:
        """Copies of the means."""
        return [mean.copy() for mean in self._means]
