"""Rounds of hiding: judge what an attacker finds who learned from what is left, hide that, and go on while it pays.

Source: Li 2014, algorithm 1. Masking in rounds (`adaptive`) and sanitizing by taggers (`sanitize`) share this loop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Judged = TypeVar("Judged")


@dataclass(frozen=True, slots=True, repr=False)
class Played(Generic[State, Judged]):
    """The state after the last round that was kept, what was judged before the first round and after each, and the end.

    `unpaid`: the last round did not pay and is not kept. `enough`: what is left is good enough as it is. With neither there
    were as many rounds as were asked for.
    """

    state: State
    judged: tuple[Judged, ...]
    unpaid: bool
    enough: bool


def in_rounds(
    state: State,
    again: Callable[[State, int], State],
    judge: Callable[[State], Judged],
    *,
    paid: Callable[[Judged, Judged], bool],
    enough: Callable[[Judged], bool] = lambda judged: False,
    most: int | None = None,
) -> Played[State, Judged]:
    """Hide what can be found in the state by `again(state, number of the round)`, `most` times at most.

    It ends where what is left is `enough`, or a round was not `paid`, by what was judged before and after it.
    """
    judged = [judge(state)]
    while not (good := enough(judged[-1])) and (most is None or len(judged) <= most):
        tried = again(state, len(judged))
        judged.append(judge(tried))
        if not paid(*judged[-2:]):
            return Played(state, tuple(judged), unpaid=True, enough=False)
        state = tried
    return Played(state, tuple(judged), unpaid=False, enough=good)
