"""Stochastic gradient descent on arrays, in single precision: the few parts that small trained models share."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

Float32Array = npt.NDArray[np.float32]


def ones(rows: Sequence[Sequence[int]], width: int) -> sparse.csr_array:
    """Sets of columns as rows of ones: (rows × width) float32."""
    ends = np.cumsum([0, *map(len, rows)])
    places = np.fromiter((place for row in rows for place in row), np.int32, int(ends[-1]))
    return sparse.csr_array((np.ones(len(places), np.float32), places, ends), shape=(len(rows), width))


def softmax(scores: Float32Array) -> None:
    """In place, over rows."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)


class Adam:
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019) over arrays that are changed in place."""

    def __init__(self, weights: Sequence[Float32Array], rates: Sequence[float], decays: Sequence[float]) -> None:
        self._weights, self._rates, self._decays = weights, rates, decays
        self._first = [np.zeros_like(w) for w in weights]
        self._second = [np.zeros_like(w) for w in weights]
        self._steps = 0

    def step(self, gradients: Sequence[Float32Array], pace: float = 1.0) -> None:
        """Move every array against its gradient, by a part (`pace`) of its rate."""
        self._steps += 1
        one, two = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for weight, gradient, first, second, rate, decay in zip(
            self._weights, gradients, self._first, self._second, self._rates, self._decays, strict=True
        ):
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
        for mean, weight in zip(self._means, self._weights, strict=True):
            mean *= np.float32(kept)
            mean += np.float32(1 - kept) * weight

    def values(self) -> list[Float32Array]:
        """Copies of the means."""
        return [mean.copy() for mean in self._means]
