"""Rates at which people are found, as reports state them."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from unname.statistics import rate


@dataclass(frozen=True, slots=True)
class Found:
    """The rate at which an attacker is right: at the first guess with a 95 % interval, and within the first five and ten.

    `n` documents of so many `people`; `rate` and `ci` are None where nothing was measured.
    """

    rate: float | None
    ci: tuple[float, float] | None
    n: int
    people: int
    known: str
    top5: float | None = None
    top10: float | None = None


def rate_of(credits: Sequence[float], clusters: Sequence[str]) -> Found:
    """The pooled mean of credits with its interval, as reports have it: rounded to six digits."""
    return msgspec.convert(rate(credits, clusters).as_dict(), Found)
