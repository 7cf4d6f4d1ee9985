"""Greedy search for the fewest words to hide. Source: Morris 2022, Algorithm 1, with exact crowds and give-back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from unname.masking.base import Case
from unname.masking.search_state import SearchState, masks_from
from unname.shared_options import give_back_option, stop_words_option, unit_option
from unname.types import Mask, MaskSpan


@dataclass(frozen=True, slots=True, repr=False)
class Trace:
    """One run of the search: which unit fell at each step, and every crowd after it (steps + 1 rows, first: before)."""

    state: SearchState
    order: tuple[int, ...]
    crowds: tuple[tuple[int, ...], ...]
    gains: tuple[float, ...]

    def length_for(self, targets: Sequence[int]) -> int | None:
        """The fewest steps after which every crowd has reached its target, or None."""
        for steps, crowds in enumerate(self.crowds):
            if all(have >= want for have, want in zip(crowds, targets, strict=True)):
                return steps
        return None


@runtime_checkable
class Traced(Protocol):
    """A method whose order of steps does not depend on k, so that one trace yields the masks of every k."""

    def trace(self, case: Case) -> Trace:
        """Run until every target is reached."""
        ...

    def cut(self, trace: Trace, targets: Sequence[int], steps: int) -> list[Mask]:
        """The masks after some of the steps."""
        ...


@dataclass(frozen=True, slots=True)
class Greedy:
    """Greedy search: hide the word that most lowers p(true person) for each word spent, until the crowd is reached.

    p(true) is a softmax of each member's scores at `temperature`, high enough that a word goes because it speaks for the
    person against many, not against the one who comes next; log-probabilities are summed over members, and for a person
    with several documents over each document and their sum. The order of steps does not depend on k. When every
    crowd has reached its target, words that turn out needless are given back, dearest first (`give_back`).
    """

    give_back: bool = give_back_option(True)
    unit: str = unit_option("word")
    stop_words: str = stop_words_option("spare")
    temperature: float = 8.0
    name: str = "greedy.v1"
    seeks_crowd: ClassVar[bool] = True
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> list[Mask]:
        """Hide until every target is reached, or nothing that counts for the person is left to hide."""
        trace = self.trace(case)
        return self.cut(trace, [c.target for c in trace.state.constraints], len(trace.order))

    def trace(self, case: Case) -> Trace:
        """Run the search until every target is reached, recording each step."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        order: list[int] = []
        gains: list[float] = []
        crowds = [tuple(state.crowds())]
        while state.wanting(crowds[-1]):
            free = state.candidates()
            if not len(free):
                state.settle()
                break
            targets = state.targets()
            best, gain = state.best_of(free, self.temperature)
            if state.targets() != targets:  # what can be had no better is content now
                crowds[-1] = tuple(state.crowds())
                continue
            state.hide(int(free[best]))
            order.append(int(free[best]))
            gains.append(gain)
            crowds.append(tuple(state.crowds()))
        return Trace(state, tuple(order), tuple(crowds), tuple(gains))

    def cut(self, trace: Trace, targets: Sequence[int], steps: int) -> list[Mask]:
        """Masks after the first `steps` steps of a trace, less what can be given back with every crowd at its target."""
        state = trace.state
        wanted = frozenset(trace.order[:steps])
        for place in np.flatnonzero(state.hidden).tolist():
            if place not in wanted:
                state.give_back(place)
        for constraint, target in zip(state.constraints, targets, strict=True):
            constraint.target = target
        for number in trace.order[:steps]:
            if not state.hidden[number]:
                state.hide(number)
        if self.give_back and state.satisfied():
            self._give_back(state, trace.order[:steps])
        spans: list[tuple[int, MaskSpan]] = []
        for step, number in enumerate(trace.order[:steps], start=1):
            if state.hidden[number]:
                before, after = trace.crowds[step - 1], trace.crowds[step]
                spans += state.spans(number, self.name, step, before, after, score=round(trace.gains[step - 1], 6))
        return masks_from(state.case, spans)

    def _give_back(self, state: SearchState, hidden: Sequence[int]) -> None:
        # A word given back can make another needless, because it may count against the person: hence two rounds.
        back: list[int] = []
        state.trust(True)
        for _ in range(2):
            given = False
            for unit in sorted((u for u in hidden if state.hidden[u]), key=lambda u: -state.weights[u]):
                state.give_back(unit)
                if state.satisfied():
                    given = True
                    back.append(unit)
                else:
                    state.hide(unit)
            if not given:
                break
        state.trust(False)
        # Where estimates were trusted the last words given back go again, until the crowds are there as counted.
        number = 1
        while back and not state.satisfied():
            for unit in reversed(back[-number:]):
                state.hide(unit)
            del back[-number:]
            number *= 2
