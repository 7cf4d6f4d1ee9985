"""I5: a 95 % interval holds the truth in about 95 of 100 audits. (A longer simulation stands with the audit's tests.)"""

from collections.abc import Callable

import numpy as np
import pytest

from unname.statistics import Rate, rate

AUDITS = 400


def coverage(interval: Callable[[np.ndarray, list[str]], Rate], *, people: int, share: float, alike: float) -> float:
    """Share of simulated audits whose interval holds the true rate.

    Each person has one to three documents; with chance `alike` a document fares as the person does, else on its own.
    """
    rng = np.random.default_rng(20240501)
    held = 0
    for _ in range(AUDITS):
        credits, clusters = [], []
        for person in range(people):
            own = rng.random() < share
            for _ in range(int(rng.integers(1, 4))):
                credits.append(float(own if rng.random() < alike else rng.random() < share))
                clusters.append(str(person))
        found = interval(np.array(credits), clusters)
        held += found.low <= share <= found.high
    return held / AUDITS


def require_coverage(interval: Callable[[np.ndarray, list[str]], Rate], alike: float) -> None:
    """Between 92 and 98 % of 400 audits, at a common and at a middling rate."""
    for share in (0.1, 0.4):
        covered = coverage(interval, people=150, share=share, alike=alike)
        assert 0.92 <= covered <= 0.98, f"intervals hold the truth in {covered:.0%} of audits"


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_intervals_hold_the_truth_in_95_of_100_audits(alike: float) -> None:
    require_coverage(rate, alike)


def test_nobody_found_still_has_an_upper_limit() -> None:
    found = rate([0.0] * 113, [str(i) for i in range(113)])
    assert found.value == 0 and found.low == 0 and str(found) == "≤ 3.3 %"
    assert rate([0.0] * 113, ["one person"] * 113).high > 0.7, "one person's documents are not 113 observations"


def test_the_check_notices_intervals_too_narrow_or_too_wide() -> None:
    def scaled(factor: float) -> Callable[[np.ndarray, list[str]], Rate]:
        def interval(credits: np.ndarray, clusters: list[str]) -> Rate:
            true = rate(credits, clusters)
            half = factor * (true.high - true.low) / 2
            middle = (true.high + true.low) / 2
            return Rate(true.value, middle - half, middle + half, true.n, true.clusters)

        return interval

    for factor in (0.7, 1.5):
        with pytest.raises(AssertionError, match="hold the truth"):
            require_coverage(scaled(factor), 0.5)


def test_the_check_notices_intervals_that_take_documents_of_a_person_for_independent() -> None:
    with pytest.raises(AssertionError, match="hold the truth"):
        require_coverage(lambda credits, clusters: rate(credits, [str(i) for i in range(len(clusters))]), 1.0)
