"""A crowd under a reidentifier that adds up words and pairs of neighbours: followed exactly, by subtraction.

A word that goes takes along the pairs it is in. All vectors are whole numbers, so that hiding and giving back are exact
in any order, and a crowd read off here is that of the released string.
"""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from unname.masking.constraints import Scope
from unname.reidentifiers.base import SCALE, Float32Array, FloatArray, IntArray, PairedIndex, best
from unname.reidentifiers.terms.neighbours import distinct, pairs, sequence

# People whom the softmax of a step is about, and scores of one unit of logits that the softmax is widened by.
_NEAREST = 300
_TEMPERATURE = 2.0
# An attacker of this kind has learned from others and sees people elsewhere: hence a crowd so many times as large, but of
# no more than a quarter of all others.
_MARGIN = 2
# With more people than these everybody is counted only after so many moves, or where the crowd seems to be there.
_MANY, _EVERY = 4000, 5


class _Tokens:
    """Distinct words and pairs that can be read in one document, as vectors, and which of them are there now."""

    def __init__(self, text: str, index: PairedIndex) -> None:
        row = sequence(text)
        words = distinct(row)
        self.place = {word: at for at, word in enumerate(words)}
        both = list(pairs(row))
        self.own = index.words(words)
        self.shared = index.pairs(both)
        self.there = np.ones(len(words), np.bool_)
        self.partners: list[list[tuple[int, int]]] = [[] for _ in words]
        # A pair that nobody knows weighs nothing.
        for number in np.flatnonzero(self.shared.any(axis=1)).tolist():
            one, other = (self.place[word] for word in both[number])
            self.partners[one].append((other, number))
            if one != other:
                self.partners[other].append((one, number))
        # What goes with each word: its own vector, and those of the pairs it is still in.
        self.gone_with = self.own.copy()
        ends = [(at, number) for at, row_ in enumerate(self.partners) for _, number in row_]
        if ends:
            places, numbers = np.array(ends).T
            np.add.at(self.gone_with, places, self.shared[numbers])
        self.total: Float32Array = self.own.sum(axis=0) + self.shared.sum(axis=0)

    def move(self, word: str, sign: int) -> list[int]:
        """Take a word out (−1) or put it back (+1); the places of the words whose pairs changed."""
        at = self.place.get(word)
        if at is None or bool(self.there[at]) == (sign > 0):
            return []
        self.there[at] = sign > 0
        self.total = self.total + sign * self.gone_with[at]
        changed = [(other, number) for other, number in self.partners[at] if other != at]
        for other, number in changed:
            self.gone_with[other] += sign * self.shared[number]
        return [other for other, _ in changed]


class PairedConstraint:
    """Scores of one member for one document, or for all of a person together (`document` None).

    `read` gives the text of a document of the case as it stands now, `staying` the folded words that are read there whatever
    is hidden.
    """

    mention = None

    def __init__(
        self,
        member: str,
        index: PairedIndex,
        scope: Scope,
        documents: Sequence[int],
        *,
        read: Callable[[int], str],
        staying: Sequence[Collection[str]],
    ) -> None:
        self.member, self.document = member, scope.document
        self.column = scope.column
        self._index, self._documents, self._read, self._staying = index, tuple(documents), read, staying
        self._tokens = {document: _Tokens(read(document), index) for document in self._documents}
        self.units: IntArray = np.zeros(0, np.int64)
        self._keys: list[tuple[int, str]] = []
        self._rows: dict[tuple[int, int], list[int]] = {}
        self._at: IntArray = np.zeros(0, np.int64)
        self._near: IntArray = np.zeros(0, np.int64)
        self._crowd: int | None = None
        self._moves = 0
        self.target = self.sought(scope.target)
        self._block: FloatArray | None = None
        self._tilt: FloatArray | None = None
        self._dirty: set[int] = set()
        self._reread: set[int] = set()
        self._gains: FloatArray | None = None

    def __repr__(self) -> str:
        return f"PairedConstraint({self.member!r}, document={self.document}, target={self.target})"

    def sought(self, crowd: int) -> int:
        """The crowd that is sought where one is asked for: the margin more, within a quarter of all others."""
        return max(crowd, min(_MARGIN * crowd, (len(self._index.people) - 1) // 4))

    def attach(self, units: IntArray, keys: Sequence[tuple[int, str]]) -> None:
        """Tell which units of the state (their places) are read here, and the document and folded word of each."""
        self.units, self._keys = units, list(keys)
        self._place_rows()

    def _place_rows(self) -> None:
        """Find the rows of the block that belong to each word of each document."""
        self._rows, places = {}, list[int]()
        for row, (document, word) in enumerate(self._keys):
            at = self._tokens[document].place.get(word, -1)
            places.append(at)
            if at >= 0:
                self._rows.setdefault((document, at), []).append(row)
        self._at = np.array(places, np.int64)
        self._block = self._tilt = None

    def concerns(self, document: int, word: int) -> bool:
        """True if hiding this word in this document changes these scores."""
        return self.document is None or self.document == document

    def move(self, document: int, word: str, sign: int) -> None:
        """A word was hidden (sign −1) or given back (+1), or one of its occurrences (0)."""
        if not sign or word in self._staying[document] or document in self._reread:
            # Some of it can still be read, or could: which pairs are left only the text tells.
            self._reread.add(document)
            self._tokens[document] = _Tokens(self._read(document), self._index)
            self._place_rows()
        else:
            for at in self._tokens[document].move(word, sign):
                self._dirty.update(self._rows.get((document, at), ()))
        self._crowd, self._gains = None, None
        self._moves += 1

    @property
    def _total(self) -> Float32Array:
        if self.document is not None:
            return self._tokens[self.document].total[None]
        rows = [self._tokens[document].total for document in self._documents]
        return np.asarray(np.sum(np.stack(rows), axis=0, dtype=np.float32))[None]

    @property
    def scores(self) -> IntArray:
        """The scores of everybody now: (people,) int64."""
        return np.asarray(self._index.against(self._total)[0])

    def crowd(self) -> int:
        """The number of others who score at least as high as the person: exact, or of very many people a lower bound."""
        if self._crowd is not None:
            return self._crowd
        many = len(self._index.people) > _MANY
        if many and len(self._near) and self._moves < _EVERY:
            near = self._index.against(self._total, self._near)[0]
            least = int(np.count_nonzero(near >= near[self._own])) - 1
            if least < self.target:
                self._crowd = least
                return least
        scores = self.scores
        self._crowd, self._moves = int(np.count_nonzero(scores >= scores[self.column])) - 1, 0
        if not len(self._near) or many:
            self._look_at(scores)
        return self._crowd

    def _look_at(self, scores: IntArray) -> None:
        """Follow those who score highest now."""
        near = np.unique(np.append(best(scores, max(_NEAREST, 2 * self.target)), self.column))
        if not np.array_equal(near, self._near):
            self._near, self._own = near, int(np.searchsorted(near, self.column))
            self._block = self._tilt = None

    def add_gains(self, total: FloatArray, temperature: float) -> None:
        """Add to each unit of the state how far hiding its word lowers log p(person), where the crowd is too small."""
        if not len(self.units) or self.crowd() >= self.target:
            return
        if self._gains is None:
            self._gains = self._gained()
        total[self.units] += self._gains

    def _gained(self) -> FloatArray:
        unit = SCALE * _TEMPERATURE
        if self._block is None or self._tilt is None:
            self._block = np.zeros((len(self._keys), len(self._near)))
            self._tilt = np.ones_like(self._block)
            self._dirty = {row for rows in self._rows.values() for row in rows}
        if self._dirty:
            rows = sorted(self._dirty)
            if self.document is not None:
                vectors = self._tokens[self.document].gone_with[self._at[rows]]
            else:
                places = zip([self._keys[row][0] for row in rows], self._at[rows].tolist(), strict=True)
                vectors = np.stack([self._tokens[document].gone_with[at] for document, at in places])
            self._block[rows] = self._index.against(vectors, self._near) / unit
            self._tilt[rows] = np.exp(-self._block[rows])
            self._dirty = set()
        scores = self._index.against(self._total, self._near)[0] / unit
        shares = np.exp(scores - scores.max())
        after = np.maximum(self._tilt @ shares, 1e-300)
        return np.asarray(self._block[:, self._own] + np.log(after) - np.log(shares.sum()))
