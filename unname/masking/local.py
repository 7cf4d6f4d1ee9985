"""A crowd under a reidentifier that is no sum over words, such as a neural one. Source: Morris 2022 §3, made frugal.

The paper tries the hiding of every word through the encoder. Here one reading of the text as it stands says what each word
is worth; the search goes by that until the estimate says that the crowd is there, and only then is the text that is left
read again. In a short text a gradient ranks the words, where the reidentifier has one, and the likeliest are tried by
reading. What was read decides; the estimate never does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unname.masking.constraints import LIKELIEST, Scope
from unname.reidentifiers.base import SCALE, FloatArray, GradedIndex, IntArray, LocalIndex, best
from unname.reidentifiers.base import crowd as crowd_of

# After so large a share of the words an estimate is stale, however far the crowd still is.
_PATIENCE = 0.04
_REMEMBERED = 4
_LITTLE = 1e-5
# A word that lowers ln p(person) by less brings no crowd nearer.
_NOTHING = 1e-4
# People whom a soft constraint follows, at the least.
_NEAREST = 400
# In a text of no more distinct words single words decide, and estimates are not good enough to choose them.
_FEW_WORDS = 200
# Where on the way to a text of gaps gradients are taken, in turn: what one of them overlooks, the next one sees.
_WAYS = (0.5, 0.7, 0.6, 0.8)
# It is content, too, when so large a share of the distinct words is hidden: what is left hides few for many words.
_MOST = 0.15


@dataclass(slots=True, repr=False)
class CountedIndex:
    """A `LocalIndex` that counts the texts that go through it; of one that was just taken apart it has the scores."""

    index: LocalIndex
    readings: int = 0
    _taken_apart: str | None = None

    def __repr__(self) -> str:
        return f"CountedIndex({self.index!r}, {self.readings} readings)"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the people that the columns are about."""
        return self.index.people

    def scores(self, text: str) -> IntArray:
        """As the index says."""
        self.readings += text != self._taken_apart
        return self.index.scores(text)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """As the index says."""
        self.readings += len(texts)
        return self.index.scores_of(texts)

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """As the index says."""
        self.readings += 1
        self._taken_apart = text
        return self.index.worth(text, words, columns)

    @property
    def graded(self) -> bool:
        """True if it has a gradient."""
        return isinstance(self.index, GradedIndex)

    def falls(
        self, text: str, words: Sequence[str], columns: IntArray, own: int, beside: IntArray, way: float
    ) -> FloatArray:
        """As the index says; a text that is read forth and back counts as two."""
        assert isinstance(self.index, GradedIndex)  # noqa: S101 (whoever asks has looked)
        self.readings += 2
        return self.index.falls(text, words, columns, own, beside, way)


class LocalConstraint:
    """Scores of one member for one document, or for all of a person together (`document` None).

    `read` gives the text of a document of the case as it stands now, `readable` its distinct folded words. One that is
    `soft` wants the crowd where words are left that bring it nearer; where there are none it is content with what it has.
    """

    mention = None

    def __init__(
        self,
        member: str,
        index: LocalIndex,
        scope: Scope,
        documents: Sequence[int],
        *,
        read: Callable[[int], str],
        readable: Callable[[int], Sequence[str]],
        soft: bool = False,
    ) -> None:
        self.member, self.document = member, scope.document
        self.column, self.target = scope.column, scope.target
        self.trusting = False
        self._soft = soft
        self._index = index if isinstance(index, CountedIndex) else CountedIndex(index)
        self.graded = self._index.graded
        self._documents, self._read, self._readable = tuple(documents), read, readable
        self._scored: dict[str, IntArray] = {}
        self._rows: dict[tuple[int, str], FloatArray] = {}
        self._gone: set[tuple[int, str]] = set()
        self._gains: FloatArray | None = None
        self._near: IntArray = np.zeros(0, np.int64)
        self._estimate: FloatArray = np.zeros(0)
        self._moves, self._patience, self._asked = 0, 1, 0
        self._stale, self._weighed = True, False
        self.units: IntArray = np.zeros(0, np.int64)
        self._keys: list[tuple[int, str]] = []
        self._distinct = 0

    def __repr__(self) -> str:
        return f"LocalConstraint({self.member!r}, document={self.document}, target={self.target})"

    def sought(self, crowd: int) -> int:
        """The crowd that is sought where one is asked for: just that."""
        return crowd

    def attach(self, units: IntArray, keys: Sequence[tuple[int, str]]) -> None:
        """Tell which units of the state (their places) are read here, and the document and folded word of each."""
        self.units, self._keys = units, list(keys)
        self._distinct = len(set(keys))

    def concerns(self, document: int, word: int) -> bool:
        """True if hiding this word in this document changes these scores."""
        return self.document is None or self.document == document

    def move(self, document: int, word: str, sign: int) -> None:
        """A word was hidden (sign −1) or given back (+1), or one of its occurrences (0); scores are estimates from now on."""
        row = self._rows.get((document, word))
        if row is not None:
            self._estimate = self._estimate + sign * row
        (self._gone.add if sign < 0 else self._gone.discard)((document, word))
        self._moves += 1
        self._stale, self._gains = True, None

    @property
    def scores(self) -> IntArray:
        """The scores of everybody by the text as it stands: (people,) int64."""
        total: IntArray | None = None
        for document in self._documents:
            text = self._read(document)
            if text not in self._scored:
                while len(self._scored) >= _REMEMBERED * len(self._documents):
                    del self._scored[next(iter(self._scored))]
                self._scored[text] = np.asarray(self._index.scores(text), np.int64)
            scores = self._scored[text]
            total = scores if total is None else total + scores
        return np.asarray(total)

    def crowd(self) -> int:
        """The number of others who score at least as high: counted where that may decide, else estimated and too low."""
        if self._stale and self._rows:
            own = self._estimate[self._own]
            estimate = int(np.count_nonzero(self._estimate >= own)) - 1
            if self.trusting:
                return estimate
            if estimate < self.target and self._moves <= self._patience:
                return estimate
        if self._stale:
            self._count()
        return self._crowd

    def _count(self) -> None:
        # What is asked of a text first is what it is worth: an index may then have its scores from the same reading.
        if len(self._near) and not self._by_slopes:
            self._weigh()
        scores = self.scores
        self._crowd = crowd_of(scores, self.column)
        if not len(self._near):
            most = max(_NEAREST, 2 * self.target) if self._soft else LIKELIEST
            self._near = np.unique(np.append(best(scores, most), self.column))
            self._own = int(np.searchsorted(self._near, self.column))
        self._estimate = scores[self._near].astype(np.float64)
        self._unit = max(float(scores.std()), 1.0)
        self._moves, self._stale, self._gains = 0, False, None

    def _weigh(self) -> None:
        """Ask what every word is worth in the text as it stands."""
        for document in self._documents:
            text, words = self._read(document), list(self._readable(document))
            for word, row in zip(words, self._index.worth(text, words, self._near), strict=True):
                self._rows[document, word] = row
            self._patience = max(self._patience, int(_PATIENCE * len(words)))
        self._weighed = True

    @property
    def _short(self) -> bool:
        return not self._soft and 0 < self._distinct <= _FEW_WORDS

    @property
    def _by_slopes(self) -> bool:
        """True if a gradient ranks the words, so that nobody asks what each is worth."""
        return self._short and self.graded

    @property
    def careful(self) -> bool:
        """True if each word is tried by reading: where the crowd is too small, in a text in which single words decide."""
        return self._short and self.crowd() < self.target

    def left(self) -> float:
        """ln p(person) among those whom estimates follow, by reading the text as it stands."""
        light = self.scores[self._near] / SCALE
        return float(light[self._own] - light.max() - np.log(np.exp(light - light.max()).sum()))

    def add_gains(self, total: FloatArray, temperature: float) -> None:
        """Add to each unit of the state how far hiding its word lowers log p(person), where the crowd is too small.

        p is a softmax of scores over their own deviation, whatever the search's temperature for sums over words.
        """
        if not len(self.units) or self.crowd() >= self.target:
            return
        if self._gains is None and self._by_slopes:
            self._gains = self._by_gradient()
        if self._gains is None:
            if not self._weighed:
                self._weigh()
            rows = np.stack([self._rows.get(key, np.zeros(len(self._near))) for key in self._keys]) / self._unit
            now = (self._estimate - self._estimate.max()) / self._unit
            after = now - rows
            most = after.max(axis=1, keepdims=True)
            left = np.log(np.exp(after - most).sum(axis=1)) + most[:, 0] - after[:, self._own]
            # Far from the crowd p changes by less than can be told; then a word goes that speaks for the person at all.
            aside = _LITTLE * (rows[:, self._own] - rows.mean(axis=1))
            self._gains = left - (np.log(np.exp(now).sum()) - now[self._own]) + aside
        dear = len(self._gone) > _MOST * self._distinct
        if self._soft and (dear or not (self._gains[[key not in self._gone for key in self._keys]] > _NOTHING).any()):
            self.settle()
            return
        total[self.units] += self._gains

    def _by_gradient(self) -> FloatArray:
        """The fall of ln p(person) when each unit's word is hidden, by one gradient for each text."""
        falls: dict[tuple[int, str], float] = {}
        way, self._asked = _WAYS[self._asked % len(_WAYS)], self._asked + 1
        for document in self._documents:
            text, words = self._read(document), list(self._readable(document))
            beside = (self.scores - self._scored[text])[self._near]
            row = self._index.falls(text, words, self._near, self._own, beside, way)
            falls |= {(document, word): float(fall) for word, fall in zip(words, row, strict=True)}
        return np.array([falls.get(key, 0.0) for key in self._keys])

    def settle(self) -> None:
        """Want no more than there is, where it is soft: counted, and among those whom estimates follow."""
        if not self._soft:
            return
        self._count()
        followed = int(np.count_nonzero(self._estimate >= self._estimate[self._own])) - 1
        self.target = min(self.target, self._crowd, followed)
