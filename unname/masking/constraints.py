"""One crowd to reach: the scores of one person under one member, on one document, all of them, or one passage."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unname.masking.base import Mention
from unname.reidentifiers.base import SCALE, AdditiveIndex, FloatArray, IntArray, KeepsRows

# Profiles that are followed step by step and share the softmax of a step; fewer where a person has many long documents,
# so that words × profiles stays below CELLS.
LIKELIEST = 2000
CELLS = 40_000_000
FEWEST = 200


@dataclass(frozen=True, slots=True)
class Scope:
    """A place where a person is to be hidden: one `document`, all of them (None), or a passage (`mention`).

    `words` are the words read there (places in all words), `target` is the crowd wanted for the person in `column`.
    """

    document: int | None
    words: Sequence[int]
    column: int
    target: int
    mention: Mention | None = None


class CrowdConstraint:
    """Scores of one member within a scope, kept for the profiles that scored highest before anything was hidden.

    `followed` are those of the scope's words (places in `words`) that can matter, and `start` (people,) the scores before
    anything is hidden, which are not changed. The more `breadth` all constraints have, the fewer profiles are kept.
    """

    def __init__(
        self,
        member: str,
        index: AdditiveIndex,
        scope: Scope,
        *,
        words: Sequence[str],
        followed: Sequence[int],
        start: IntArray,
        breadth: int,
    ) -> None:
        self.member, self.document, self.mention = member, scope.document, scope.mention
        self.column, self.target = scope.column, scope.target
        self._index, self._words, self._start = index, words, start
        # Nobody can be left out of account by their score at the start where hiding a word may raise it.
        self._signed = index.signed
        self._near, self._bound = _nearest(start, scope.column, max(FEWEST, min(LIKELIEST, CELLS // max(breadth, 1))))
        self._own = int(np.searchsorted(self._near, scope.column))
        self._scores: IntArray = start[self._near]
        self._row = {word: row for row, word in enumerate(followed)}
        self._inside = frozenset(scope.words) if scope.mention is not None else None
        self._block: IntArray = index.contributions([words[w] for w in followed], self._near)
        self._tilt: FloatArray | None = None
        self._gains: FloatArray | None = None
        self._crowd: int | None = None
        self._wide: IntArray | None = None
        self._gone: dict[int, int] = {}
        self.units: IntArray = np.zeros(0, np.int64)
        self._unit_rows: IntArray = np.zeros(0, np.int64)

    def __repr__(self) -> str:
        return f"CrowdConstraint({self.member!r}, document={self.document}, target={self.target})"

    def attach(self, units: IntArray, word_of: IntArray) -> None:
        """Tell which units of the state (their places) change these scores; `word_of` (units,) are their words."""
        self.units = units
        self._unit_rows = np.array([self._row[word] for word in word_of[units].tolist()], np.int64)

    def sought(self, crowd: int) -> int:
        """The crowd that is sought where one is asked for: just that."""
        return crowd

    @property
    def scores(self) -> IntArray:
        """The scores of everybody now: (people,) int64."""
        if self._wide is None:
            self._wide = self._start.copy()
            for word, times in self._gone.items():
                self._wide -= times * self._whole_row(word)
        return self._wide

    def _whole_row(self, word: int) -> IntArray:
        """The score of a word for everybody; an index under which that is asked at every move may keep rows at hand."""
        name, index = self._words[word], self._index
        return np.asarray(index.row(name) if isinstance(index, KeepsRows) else index.contributions([name])[0])

    def concerns(self, document: int, word: int) -> bool:
        """True if hiding this word in this document changes these scores."""
        return (self.document is None or self.document == document) and (self._inside is None or word in self._inside)

    def move(self, word: int, sign: int) -> None:
        """Take a word out of the scope (sign −1) or put it back (+1)."""
        row = self._row.get(word)
        change = self._block[row] if row is not None else self._index.contributions([self._words[word]], self._near)[0]
        if sign < 0:
            self._scores -= change
        else:
            self._scores += change
        self._gone[word] = self._gone.get(word, 0) - sign
        if self._wide is not None:
            self._wide += sign * self._whole_row(word)
        self._gains = self._crowd = None

    def crowd(self) -> int:
        """The number of others who score at least as high as the person: exact over the whole population."""
        if self._crowd is None:
            own = self._scores[self._own]
            everybody = len(self._near) == len(self._start)
            among = self._scores if everybody or (own > self._bound and not self._signed) else self.scores
            self._crowd = int(np.count_nonzero(among >= own)) - 1
        return self._crowd

    def add_gains(self, total: FloatArray, temperature: float) -> None:
        """Add to each unit of the state (units,) how far hiding its word lowers log p(person) in this scope."""
        if not len(self.units):
            return
        if self._gains is None:
            unit = SCALE * temperature
            if self._tilt is None:
                self._tilt = self._block / -unit
                np.exp(self._tilt, out=self._tilt)
            shares = np.exp((self._scores - self._scores.max()) / unit)
            after = np.maximum(self._tilt @ shares, 1e-300)
            self._gains = self._block[:, self._own] / unit + np.log(after) - np.log(shares.sum())
        total[self.units] += self._gains[self._unit_rows]


def _nearest(start: IntArray, column: int, most: int) -> tuple[IntArray, int]:
    """Columns of the `most` highest scores (ties by place) and of `column`, sorted; and a bound on everybody else's."""
    if len(start) <= most:
        return np.arange(len(start)), np.iinfo(np.int64).min
    bound = int(np.partition(start, len(start) - most)[len(start) - most])
    near = start > bound
    level = np.flatnonzero(start == bound)
    near[level[: most - int(np.count_nonzero(near))]] = True
    near[column] = True
    return np.flatnonzero(near), bound
