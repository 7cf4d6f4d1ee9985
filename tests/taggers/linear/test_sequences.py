"""Decoding of chains against every sequence counted by hand."""

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unname.taggers.linear.sequences import MOST_WEIGHT, best, likeliest, marginals


def counted(states: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, float, tuple[int, ...]]:
    """Probabilities, total and best sequence of one line, over all of its sequences."""
    many = states.shape[1]
    weights = {
        path: sum(states[at, label] for at, label in enumerate(path)) + sum(steps[a, b] for a, b in pairwise(path))
        for path in product(range(many), repeat=len(states))
    }
    highest = max(weights.values())
    total = highest + np.log(sum(np.exp(w - highest) for w in weights.values()))
    probable = np.zeros(states.shape)
    for path, weight in weights.items():
        for at, label in enumerate(path):
            probable[at, label] += np.exp(weight - total)
    return probable, total, max(weights, key=weights.__getitem__)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 3), st.integers(0, 99), st.floats(0.1, 30))
def test_probabilities_and_best_sequences_are_those_of_all_sequences_counted(
    lengths: list[int], labels: int, seed: int, size: float
) -> None:
    draw = np.random.default_rng(seed)
    states, steps = draw.normal(size=(sum(lengths), labels)) * size, draw.normal(size=(labels, labels)) * size
    long = np.array(lengths)
    probable, total = marginals(states, steps, long)
    found, same = likeliest(states, steps, long)
    at = 0
    for number, length in enumerate(lengths):
        line = slice(at, at + length)
        wanted, whole, path = counted(states[line], steps)
        assert np.allclose(probable[line], wanted, atol=1e-9)
        assert np.isclose(total[number], whole)
        assert tuple(best(states, steps, long)[line]) == path
        assert tuple(found[line]) == path
        at += length
    assert np.array_equal(probable, same)


def test_the_best_sequence_is_found_where_the_likeliest_labels_make_a_bad_one() -> None:
    states = np.log(np.array([[0.4, 0.3, 0.3], [0.41, 0.3, 0.3]]))
    steps = np.array([[-9.0, 0, 0], [0, 0.2, -9], [0, -9, 0.2]])
    found, probable = likeliest(states, steps, np.array([2]))
    assert probable.argmax(axis=1).tolist() == [0, 0]
    assert found.tolist() == list(counted(states, steps)[2])


@given(st.integers(0, 99), st.floats(10, 1e6))
def test_the_most_extreme_weights_give_probabilities_still(seed: int, size: float) -> None:
    draw = np.random.default_rng(seed)
    states, steps = draw.normal(size=(40, 4)) * size, draw.choice([-MOST_WEIGHT, MOST_WEIGHT], size=(4, 4))
    probable, total = marginals(states, steps, np.array([30, 10]))
    assert np.isfinite(total).all() and np.allclose(probable.sum(axis=1), 1, atol=1e-6)


def test_no_lines_have_no_labels() -> None:
    found, _ = likeliest(np.zeros((0, 3)), np.zeros((3, 3)), np.zeros(0, np.int64))
    assert found.tolist() == []
