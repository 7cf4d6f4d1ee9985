"""Who guesses from everything as one index: what a search hides people from once it has hidden them from each alone.

The first look of the strongest adversary, scores of all attackers with signed weights and what crowd sizes betray, gives
one score to everybody. A search that follows it must hide what the others missed together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from unname.auditing.adversary import FirstLook, Seen, evidence, standardised
from unname.auditing.attackers import ROTATING, Attacker, Scores
from unname.auditing.crowdsizes import all_crowds
from unname.auditing.learning import Learned
from unname.reidentifiers.base import SCALE, AdditiveIndex, FloatArray, Index, IntArray, LocalIndex
from unname.reidentifiers.training_examples import fold_of
from unname.text import folded_words, visible


def can_face(index: Index) -> bool:
    """Whether an index says what words are worth to it, without which a search cannot follow it."""
    return isinstance(index, AdditiveIndex | LocalIndex)


@dataclass(slots=True, repr=False)
class CombinedIndex:
    """One score from several attackers, each of which is the sum of its `members`. A `LocalIndex`.

    Weights are for standardised scores; of what crowd sizes betray, `worth` knows nothing.
    """

    people: tuple[str, ...]
    look: FirstLook
    members: tuple[tuple[Index, ...], ...]
    crowds: tuple[int, ...]
    _last: tuple[str, Scores] | None = None

    def __repr__(self) -> str:
        return f"CombinedIndex({len(self.members)} attackers, {len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """Log odds of everybody: (people,) int64 multiples of 2⁻²⁰."""
        scores = self._scores(text)
        crowds = np.array([all_crowds(scores[row]) for row in self.crowds], np.int64)
        seen = Seen(standardised(scores), crowds.reshape(len(self.crowds), len(self.people)))
        return np.asarray(np.rint(self.look.scores(evidence(seen, self.look.pattern)) * SCALE), np.int64)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        return np.stack([self.scores(text) for text in texts])

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """About how far people fall when a word goes, deviations of scores held: (words, columns) float64."""
        total = np.zeros((len(words), len(columns)))
        spreads = self._scores(text).std(axis=1)
        for row, (facing, spread) in enumerate(zip(self.members, spreads, strict=True)):
            if spread <= 0:
                continue
            for index in facing:
                if isinstance(index, AdditiveIndex):
                    falls: FloatArray = index.contributions(words, columns).astype(np.float64)
                elif isinstance(index, LocalIndex):
                    falls = index.worth(text, words, columns)
                else:
                    continue
                total += self.look.weights[row] / spread * falls
        there = frozenset(folded_words(visible(text)))
        total[[word not in there for word in words]] = 0
        return total * SCALE

    def _scores(self, text: str) -> Scores:
        if self._last is None or self._last[0] != text:
            rows = [np.sum([index.scores(text) for index in facing], axis=0) for facing in self.members]
            self._last = (text, np.array(rows, np.float64))
        return self._last[1]


@dataclass(frozen=True, slots=True, repr=False)
class Adversary:
    """Attackers and what an adversary `learned` of combining them, for each of three folds of people from the others'."""

    people: tuple[str, ...]
    attackers: tuple[Attacker, ...]
    learned: Sequence[Sequence[Learned]]
    seed: int
    sizes: tuple[int, ...] = field(default=())

    def __repr__(self) -> str:
        return f"Adversary({len(self.attackers)} attackers)"

    def facing(self, person: str) -> CombinedIndex:
        """What faces documents about this person, whom nothing of it was taught by."""
        one = self.learned[fold_of(person, str(self.seed), ROTATING)][0]
        members = tuple(self.attackers[row].facing(person) for row in one.view.rows)
        crowds = tuple(one.view.rows.index(row) for row in one.view.crowds)
        return CombinedIndex(self.people, one.first, members, crowds)

    def apart(self) -> tuple["Adversary", tuple[Index, ...]]:
        """The adversary without indexes, and all indexes: parts of their own for a pool."""
        bare = tuple(replace(a, indexes=(), fitted=()) for a in self.attackers)
        sizes = tuple(len(a.indexes) for a in self.attackers)
        return replace(self, attackers=bare, sizes=sizes), tuple(i for a in self.attackers for i in a.indexes)

    def together(self, indexes: Sequence[Index]) -> "Adversary":
        """The adversary that was taken apart."""
        rest = iter(indexes)
        pairs = zip(self.attackers, self.sizes, strict=True)
        return replace(self, attackers=tuple(replace(a, indexes=tuple(islice(rest, size))) for a, size in pairs))
