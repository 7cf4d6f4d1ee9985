"""The fused attacker: one guess from the sum of the members' log-probabilities, weighed on other people's documents."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Scores = npt.NDArray[np.float64]
MOST_CANDIDATES = 4000


def standardised(scores: Scores) -> Scores:
    """Scores of one document (members, people) with mean 0 and deviation 1 in each row; a row that says nothing is 0."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("ij,ij->i", centred, centred) / max(scores.shape[1], 1))
    centred *= np.where(deviation > 0, 1 / np.maximum(deviation, 1e-12), 0.0)[:, None]
    return np.asarray(centred)


def fit_weights(documents: Sequence[Scores], people: Sequence[int], *, members: int = 0) -> Scores:
    """Weights (members,) ≥ 0 under which softmax(Σ weight · standardised score) best predicts the true people.

    A convex problem; with no documents to learn from, each of the `members` counts the same.
    """
    if not documents:
        return np.ones(members)
    members = documents[0].shape[0]
    rows = [standardised(d) for d in documents]

    def loss(weights: Scores) -> tuple[float, Scores]:
        value, gradient = 0.5e-3 * float(weights @ weights), 1e-3 * weights
        for row, person in zip(rows, people, strict=True):
            total = weights @ row
            raised = np.exp(total - total.max())
            value += float(np.log(raised.sum()) + total.max() - total[person]) / len(rows)
            gradient = gradient + (row @ (raised / raised.sum()) - row[:, person]) / len(rows)
        return value, gradient

    start = np.full(members, 1.0)
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * members)
    return np.asarray(result.x, np.float64)


def fuse(scores: Scores, weights: Scores) -> Scores:
    """One score vector (people,) from the members' (members, people)."""
    return np.asarray(weights @ standardised(scores))
