"""The combining adversary as an index that a search can hide from, once people are hidden from each attacker alone.

The scores of all attackers with signed weights, as an adversary learned them from other people's releases. What crowd
sizes betray is left aside: a search that runs from that pushes people so low that they are found for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from unname.attacking.adversary import FirstLook, standardised
from unname.attacking.attackers import ROTATING, Attacker, Scores, put_together, taken_apart
from unname.reidentifiers.base import SCALE, AdditiveIndex, FloatArray, Index, IntArray, LocalIndex
from unname.reidentifiers.learned.training_examples import fold_of
from unname.text import folded_words, visible

# Texts whose scores are kept at hand: those of a person, each asked for several times.
_REMEMBERED = 8


def can_face(index: Index) -> bool:
    """True if an index says what words are worth to it, without which a search cannot follow it."""
    return isinstance(index, AdditiveIndex | LocalIndex)


@dataclass(slots=True, repr=False)
class CombinedIndex:
    """One score from several attackers, each of which is the sum of its `members`. A `LocalIndex`.

    `weights` (attackers,) are for standardised scores; every member can be faced (`can_face`).
    """

    people: tuple[str, ...]
    weights: Scores
    members: tuple[tuple[Index, ...], ...]
    _read: dict[str, Scores] = field(default_factory=dict)
    # Whether a member is a sum over words, which is slow to find out: a search asks for the worth of words all the time.
    _sums: tuple[tuple[bool, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        self._sums = tuple(tuple(isinstance(index, AdditiveIndex) for index in facing) for facing in self.members)

    def __repr__(self) -> str:
        return f"CombinedIndex({len(self.members)} attackers, {len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """Log odds of everybody: (people,) int64 multiples of 2⁻²⁰."""
        return np.asarray(np.rint(self.weights @ standardised(self._scores(text)) * SCALE), np.int64)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        return np.stack([self.scores(text) for text in texts])

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """About how far people fall when a word goes, deviations of scores held: (words, columns) float64."""
        total = np.zeros((len(words), len(columns)))
        # Worth first: an encoder then has its scores from the same reading.
        falls = [
            sum(_worth(index, text, words, columns, sums=sums) for index, sums in zip(facing, kinds, strict=True))
            for facing, kinds in zip(self.members, self._sums, strict=True)
        ]
        for weight, fall, spread in zip(self.weights, falls, self._scores(text).std(axis=1), strict=True):
            if spread > 0:
                total += weight / spread * fall
        there = frozenset(folded_words(visible(text)))
        total[[word not in there for word in words]] = 0
        return total * SCALE

    def _scores(self, text: str) -> Scores:
        if text not in self._read:
            if len(self._read) >= _REMEMBERED:
                del self._read[next(iter(self._read))]
            rows = [np.sum([index.scores(text) for index in facing], axis=0) for facing in self.members]
            self._read[text] = np.array(rows, np.float64)
        return self._read[text]


def _worth(index: Index, text: str, words: Sequence[str], columns: IntArray, *, sums: bool) -> FloatArray:
    """The worth of words to an index that can be faced."""
    if sums:
        return np.asarray(cast(AdditiveIndex, index).contributions(words, columns), np.float64)
    return cast(LocalIndex, index).worth(text, words, columns)


@dataclass(frozen=True, slots=True, repr=False)
class Adversary:
    """Attackers, and how they are combined to judge each of three folds of people, of whom nothing of it was learned.

    `seed` parts people into folds; `bare` are the attackers while their indexes are apart.
    """

    people: tuple[str, ...]
    attackers: tuple[Attacker, ...]
    looks: tuple[FirstLook, ...]
    seed: int
    bare: tuple[tuple[Attacker, int], ...] = ()

    def __repr__(self) -> str:
        return f"Adversary({len(self.attackers)} attackers)"

    def facing(self, person: str) -> CombinedIndex:
        """The index that faces documents about this person."""
        look = self.looks[fold_of(person, str(self.seed), ROTATING)]
        return CombinedIndex(self.people, look.weights, tuple(attacker.facing(person) for attacker in self.attackers))

    def apart(self) -> tuple["Adversary", tuple[Index, ...]]:
        """The adversary without indexes, and all indexes: parts of their own for a pool."""
        bare, indexes = taken_apart(self.attackers)
        return replace(self, attackers=(), bare=bare), indexes

    def together(self, indexes: Sequence[Index]) -> "Adversary":
        """The adversary that was taken apart."""
        return replace(self, attackers=tuple(put_together(self.bare, indexes)), bare=())


@dataclass(frozen=True, slots=True, repr=False)
class Halves:
    """Two adversaries, each taught by half of the people (by hash) on whom nobody is tried; everybody faces the other's."""

    adversaries: tuple[Adversary, ...]
    seed: int
    indexes: int = 0

    def __repr__(self) -> str:
        return f"Halves({self.adversaries!r})"

    def facing(self, person: str) -> CombinedIndex:
        """The index that faces documents about this person."""
        return self.adversaries[1 - half_of(person, self.seed)].facing(person)

    def apart(self) -> tuple["Halves", tuple[Index, ...]]:
        """Both without indexes, and all indexes."""
        (first, some), (second, more) = (adversary.apart() for adversary in self.adversaries)
        return Halves((first, second), self.seed, len(some)), (*some, *more)

    def together(self, indexes: Sequence[Index]) -> "Halves":
        """Both as they were."""
        first, second = self.adversaries
        some, more = indexes[: self.indexes], indexes[self.indexes :]
        return Halves((first.together(some), second.together(more)), self.seed)


def half_of(person: str, seed: int) -> int:
    """The half, 0 or 1, of two adversaries that somebody teaches on whom nobody is tried."""
    return fold_of(person, f"{seed} half", 2)
