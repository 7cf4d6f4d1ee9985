"""The luckiest of many blind attackers, by drawing them, by all outcomes, and by what cannot be otherwise."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.statistics import luckiest


@pytest.mark.parametrize("attackers, documents, people", [(1, 50, 20), (12, 50, 20), (30, 200, 1000), (5, 10, 2)])
def test_the_luckiest_rate_is_the_mean_of_the_best_of_many_drawn_audits(
    attackers: int, documents: int, people: int
) -> None:
    hits = np.random.default_rng(1).binomial(documents, 1 / people, (40_000, attackers)).max(axis=1) / documents
    error = 5 * float(hits.std()) / math.sqrt(len(hits))
    assert luckiest(attackers, documents, people) == pytest.approx(float(hits.mean()), abs=error)


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 6))
def test_the_luckiest_rate_is_the_expectation_over_all_outcomes(attackers: int, documents: int, people: int) -> None:
    chance = [
        math.comb(documents, n) * (people - 1) ** (documents - n) / people**documents for n in range(documents + 1)
    ]
    wanted = 0.0
    for hits in product(range(documents + 1), repeat=attackers):
        wanted += max(hits) * math.prod(chance[n] for n in hits)
    assert luckiest(attackers, documents, people) == pytest.approx(wanted / documents)


@given(st.integers(1, 500), st.integers(1, 10_000))
def test_one_blind_attacker_is_right_as_often_as_chance(documents: int, people: int) -> None:
    assert luckiest(1, documents, people) == pytest.approx(1 / people)


@given(st.integers(1, 40), st.integers(1, 60), st.integers(1, 300))
def test_more_attackers_are_luckier_and_more_documents_leave_less_to_luck(
    attackers: int, documents: int, people: int
) -> None:
    here = luckiest(attackers, documents, people)
    assert 1 / people - 1e-9 <= here <= 1 + 1e-9
    assert luckiest(attackers + 1, documents, people) >= here - 1e-12
    assert luckiest(attackers, 4 * documents, people) <= here + 1e-12


def test_without_attackers_documents_or_people_nobody_is_lucky() -> None:
    assert luckiest(0, 5, 5) == luckiest(5, 0, 5) == luckiest(5, 5, 0) == 0
