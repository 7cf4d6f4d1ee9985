"""Rates with intervals that know that documents of one person are not independent."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, stdtrit

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A pooled mean with its 95 % interval. `n` documents of `clusters` people; `known`: exact, bounded or heuristic."""

    value: float
    low: float
    high: float
    n: int
    clusters: int
    known: str = "bounded"

    def __str__(self) -> str:
        if self.n == 0:
            return "not measured"
        if self.value == 0:
            return f"≤ {100 * self.high:.1f} %"
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f}–{100 * self.high:.1f})"

    def as_dict(self) -> dict[str, Any]:
        """`{"rate", "ci", "n", "people", "known"}`, shares from 0 to 1; rate and interval None where nothing was measured."""
        if self.n == 0:
            return {"rate": None, "ci": None, "n": 0, "people": 0, "known": self.known}
        ends = [round(self.low, 6), round(self.high, 6)]
        return {"rate": round(self.value, 6), "ci": ends, "n": self.n, "people": self.clusters, "known": self.known}


def design_effect(credits: npt.NDArray[np.float64], clusters: Sequence[Hashable]) -> float:
    """The design effect: the variance of the mean over that of independent documents, clustered over binomial.

    The larger of two estimates. One leaves out one person at a time (jackknife), which a person with a large share of
    the documents does not hide from by pulling the mean along. The other takes how alike a person's documents fare,
    every person counting the same, and lets that hold for those with most documents (Kish's design effect): where the few
    who have many happen not to be found, nothing else tells that they might. At least 1: fractional credits spread less
    than a binomial, and taking that for more documents would be too bold.
    """
    mean = float(credits.mean())
    places = numbered(clusters)
    sizes = np.bincount(places)
    if len(sizes) < 2 or not 0 < mean < 1:
        return 1.0
    documents, independent = len(credits), mean * (1 - mean) / len(credits)
    sums = np.bincount(places, credits - mean)
    without = sums / documents / (1 - sizes / documents)
    spread = float(without @ without) * (len(sizes) - 1) / len(sizes)
    several = sizes > 1
    alike = 0.0
    if several.any():
        squares = np.bincount(places, (credits - mean) ** 2)[several]
        pairs = (sums[several] ** 2 - squares) / (sizes[several] * (sizes[several] - 1))
        alike = min(1.0, max(0.0, float(pairs.mean()) / (mean * (1 - mean))))
    kish = 1 + (float(sizes @ sizes) / documents - 1) * alike
    return max(1.0, spread / independent, kish)


def numbered(values: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """A number for each different value, from 0 in order of appearance."""
    number = {value: i for i, value in enumerate(dict.fromkeys(values))}
    return np.array([number[value] for value in values], np.int64)


def rate(credits: npt.ArrayLike, clusters: Sequence[Hashable]) -> Rate:
    """Mean of credits (n,) in [0, 1] with Wilson's interval at the effective number of documents.

    Clusters are people. With one document each, n counts as it is. Else n is divided by the design effect, which is
    itself an estimate: t stands for the normal quantile, at people - 1 degrees of freedom (Korn & Graubard 1998).
    Where no design effect can be seen (every credit the same, one person) documents of a person count as one, and people
    by their share of the documents. None found in n gives an upper limit near 3.8 / n: 0 of 113 is "≤ 3.3 %".
    """
    values = np.asarray(credits, np.float64)
    n = len(values)
    if n == 0:
        return Rate(math.nan, math.nan, math.nan, 0, 0)
    groups = len(set(clusters))
    mean = float(values.mean())
    sizes = np.bincount(numbered(clusters))
    effective = n * n / float(sizes @ sizes)
    if 1 < groups < n and 0 < mean < 1:
        effective = n / design_effect(values, clusters) * (Z95 / float(stdtrit(groups - 1, 0.975))) ** 2
    return Rate(mean, *wilson(mean, effective), n, groups)


def wilson(mean: float, effective: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in so many independent trials, which need not be a whole number."""
    spread = Z95 * Z95 / effective
    centre = (mean + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(mean * (1 - mean) / effective + spread / (4 * effective)) / (1 + spread)
    return max(0.0, centre - half) if mean else 0.0, min(1.0, centre + half) if mean < 1 else 1.0


def luckiest(attackers: int, documents: int, people: int) -> float:
    """The rate that the luckiest of so many blind attackers is expected to reach: E[max of binomials] / documents."""
    if not attackers or not documents or not people:
        return 0.0
    below = bdtr(np.arange(documents), documents, 1 / people)
    return float((1 - below**attackers).sum() / documents)


def credit(scores: npt.NDArray[Any], person: int, top: int = 1) -> float:
    """Chance that the person at this column is among the `top` guesses when ties are broken by lot: 1/t for t at the top."""
    return credit_of(*standing(scores, person), top)


def standing(scores: npt.NDArray[Any], person: int) -> tuple[int, int]:
    """The number of scores above the person at this column, and of equal ones, the person included."""
    own = scores[person]
    return int(np.count_nonzero(scores > own)), int(np.count_nonzero(scores == own))


def credit_of(above: int, tied: int, top: int = 1) -> float:
    """The credit of somebody with so many above and so many on the same score, themselves included."""
    return min(1.0, max(0, top - above) / tied)


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal."""
    return "–" if value is None or value != value else f"{round(100 * value, 1) + 0.0:.1f} %"  # + 0.0: none is below 0
