"""The state of a search: which words of a person's documents are hidden, and every score that follows from it.

All scores are integers, so hiding a word and giving it back are exact, in any order; a crowd read off the board is the
crowd of the released string.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from unname.masking.base import Case
from unname.reidentifiers.base import SCALE, FloatArray, IntArray, crowd
from unname.text import STOP_WORDS, Word
from unname.types import Mask, MaskSpan, merge_spans

# Profiles that share the softmax of a step. The rest have next to no probability; no crowd is ever counted on them.
LIKELIEST = 2000


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """What is hidden in one step: occurrences of a word in one document, all of them or (unit `occurrence`) one."""

    document: int
    word: int
    occurrences: tuple[Word, ...]

    def __repr__(self) -> str:
        return f"Unit({self.document}, {len(self.occurrences)} occurrences)"


@dataclass(slots=True, repr=False)
class Constraint:
    """One crowd to reach: one member's scores (people,) of one document, or of all (`document` None)."""

    member: str
    document: int | None
    target: int
    scores: IntArray

    def concerns(self, unit: Unit) -> bool:
        """Whether hiding this unit changes these scores."""
        return self.document is None or self.document == unit.document


class Board:
    """Units of a case, the constraints on it, and moves; `hidden` (units,) bool says what is hidden now."""

    def __init__(self, case: Case, *, unit: str = "word", stop_words: str = "mask") -> None:
        self.case = case
        free = [case.free_words(d) for d in range(len(case.documents))]
        vocabulary = {w: i for i, w in enumerate(dict.fromkeys(w.folded for row in free for w in row))}
        self.words = tuple(vocabulary)
        self._rows: dict[str, sparse.csr_array] = {
            name: index.contributions(self.words) for name, index in case.ensemble.items()
        }
        self.units: list[Unit] = []
        self._left: dict[tuple[int, int], int] = {}
        for document, row in enumerate(free):
            self._add_units(document, row, vocabulary, unit, stop_words)
        self.costs: FloatArray = np.array([len(u.occurrences) for u in self.units], np.float64)
        self.hidden: npt.NDArray[np.bool_] = np.zeros(len(self.units), np.bool_)
        self.constraints = self._make_constraints([sorted({vocabulary[w.folded] for w in row}) for row in free])
        self._spent = [len(w) - len(f) for w, f in zip(case.words, free, strict=True)]
        self._allowed = [int(case.budget * len(w) + 1e-9) for w in case.words]

    def _add_units(
        self, document: int, row: Sequence[Word], vocabulary: dict[str, int], unit: str, stop_words: str
    ) -> None:
        by_word: dict[int, list[Word]] = {}
        for word in row:
            by_word.setdefault(vocabulary[word.folded], []).append(word)
        for index, occurrences in by_word.items():
            self._left[document, index] = len(occurrences) if unit == "occurrence" else 1
            name = self.words[index]
            if name in self.case.never or (stop_words == "skip" and name in STOP_WORDS):
                continue
            groups = [(o,) for o in occurrences] if unit == "occurrence" else [tuple(occurrences)]
            self.units += [Unit(document, index, group) for group in groups]

    def _make_constraints(self, present: Sequence[Sequence[int]]) -> list[Constraint]:
        made = []
        for name, rows in self._rows.items():
            sums = [np.asarray(rows[list(indices)].sum(axis=0), np.int64).ravel() for indices in present]
            for document, scores in enumerate(sums):
                made.append(Constraint(name, document, self.case.targets[document], scores))
            if len(sums) > 1:
                made.append(Constraint(name, None, self.case.person_target, np.sum(sums, axis=0)))
        return made

    @cached_property
    def evidence(self) -> npt.NDArray[np.bool_]:
        """Units whose word counts for the true person under some member: (units,) bool. Only these can matter."""
        counts = np.zeros(len(self.words), np.bool_)
        for rows in self._rows.values():
            counts |= np.asarray(rows[:, [self.case.column]].toarray()).ravel() > 0
        return np.array([counts[u.word] for u in self.units], np.bool_)

    @cached_property
    def _dense(self) -> dict[str, IntArray]:
        return {name: rows.toarray() for name, rows in self._rows.items()}

    def crowds(self) -> list[int]:
        """The crowd under each constraint now."""
        return [crowd(c.scores, self.case.column) for c in self.constraints]

    def satisfied(self) -> bool:
        """Whether every crowd has reached its target."""
        return all(crowd(c.scores, self.case.column) >= c.target for c in self.constraints)

    def affordable(self, unit: int) -> bool:
        """Whether the document's budget allows hiding this unit."""
        document = self.units[unit].document
        return self._spent[document] + int(self.costs[unit]) <= self._allowed[document]

    def hide(self, unit: int) -> None:
        """Hide a unit; scores change when the last occurrence of its word goes."""
        self._move(unit, -1)

    def give_back(self, unit: int) -> None:
        """Undo `hide`."""
        self._move(unit, 1)

    def _move(self, number: int, sign: int) -> None:
        unit = self.units[number]
        self.hidden[number] = sign < 0
        self._spent[unit.document] -= sign * int(self.costs[number])
        key = (unit.document, unit.word)
        before = self._left[key]
        self._left[key] = before + sign
        if (before > 0) == (before + sign > 0):
            return
        for constraint in self.constraints:
            if constraint.concerns(unit):
                rows = self._rows[constraint.member]
                inside = slice(rows.indptr[unit.word], rows.indptr[unit.word + 1])
                constraint.scores[rows.indices[inside]] += sign * rows.data[inside]

    def gains(self, candidates: IntArray, temperature: float) -> FloatArray:
        """How far hiding each candidate unit lowers log p(true person), summed over constraints, per hidden word.

        p is the softmax of scores / temperature over the likeliest profiles: (candidates,) float64. A word that occurs
        several times counts whole, divided by its occurrences that are still readable.
        """
        total = np.zeros(len(candidates))
        column = self.case.column
        chosen = [self.units[int(c)] for c in candidates]
        word_of = np.array([u.word for u in chosen], np.int64)
        document_of = np.array([u.document for u in chosen], np.int64)
        for constraint in self.constraints:
            own = (
                np.arange(len(chosen))
                if constraint.document is None
                else np.flatnonzero(document_of == constraint.document)
            )
            if not len(own):
                continue
            margins = constraint.scores - constraint.scores[column]
            near = self._likeliest(margins)
            now = margins[near] / (SCALE * temperature)
            rows = self._dense[constraint.member][word_of[own]]
            lost = (rows[:, near] - rows[:, [column]]) / (SCALE * temperature)
            total[own] += _log_sum(now[None, :] - lost) - _log_sum(now[None, :])
        left = [self._left[u.document, u.word] if len(u.occurrences) == 1 else len(u.occurrences) for u in chosen]
        return total / np.array(left, np.float64)

    def _likeliest(self, margins: IntArray) -> IntArray:
        if len(margins) <= LIKELIEST:
            return np.arange(len(margins))
        return np.sort(np.argpartition(-margins, LIKELIEST)[:LIKELIEST])

    def member_crowds(self, crowds: Sequence[int], document: int) -> dict[str, int]:
        """Of crowds in constraint order, those of one document, by member."""
        return {c.member: n for c, n in zip(self.constraints, crowds, strict=True) if c.document == document}


def _log_sum(values: FloatArray) -> FloatArray:
    """ln Σ exp along the last axis: (rows, columns) → (rows,)."""
    highest = values.max(axis=1)
    return np.asarray(np.log(np.exp(values - highest[:, None]).sum(axis=1)) + highest, np.float64)


def masks_from(case: Case, spans: Sequence[MaskSpan], owners: Sequence[int]) -> list[Mask]:
    """Masks of a case from spans and the document each belongs to, floor included."""
    rows: list[list[MaskSpan]] = [list(floor) for floor in case.floor]
    for span, owner in zip(spans, owners, strict=True):
        rows[owner].append(span)
    return [Mask(d.id, merge_spans(row)) for d, row in zip(case.documents, rows, strict=True)]
