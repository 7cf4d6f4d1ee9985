"""The state of a search: which words of a person's documents are hidden, and every score that follows from it.

All scores are integers, so hiding a word and giving it back are exact, in any order; a crowd read off the state is the
crowd of the released string. Only the profiles nearest to a document are followed step by step: hiding words lowers
scores and never raises one, so whoever stood below the person's present score at the start cannot be in the crowd.
Where the person falls that low, everybody is counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unname.masking.base import Case, Mention, readable_text
from unname.masking.constraints import CrowdConstraint, Scope
from unname.masking.local import LocalConstraint
from unname.masking.paired import PairedConstraint
from unname.reidentifiers.base import FloatArray, IntArray, PairedIndex
from unname.stopwords import stop_words_of
from unname.text import Word
from unname.types import Mask, MaskSpan, merge_spans

# How many other words a function word weighs as much as.
SPARED = 8.0
# So many of the likeliest words are tried by reading the text without them, where that is called for: by what stands
# there, and by a gradient, which needs less.
TRIED, TRIED_OF_GRADED = 6, 2
# Where no word that was tried lowers ln p(person) by more, several say the same, and the gradient's first goes.
PAYS = 0.1


Constraint = CrowdConstraint | LocalConstraint | PairedConstraint


class MaskUnit(NamedTuple):
    """The unit hidden in one step: occurrences of a word in one document, all of them or (unit `occurrence`) one."""

    document: int
    word: int
    occurrences: tuple[Word, ...]

    def __repr__(self) -> str:
        return f"MaskUnit({self.document}, {len(self.occurrences)} occurrences)"


class SearchState:
    """Units of a case, the constraints on it, and moves; `hidden` (units,) bool says what is hidden now.

    `evidence` (units,) bool marks the units whose word counts for somebody to be hidden, where it is read, under some
    member: only these can matter. What stays readable beside the text is read there whatever is hidden.
    """

    def __init__(self, case: Case, *, unit: str = "word", stop_words: str = "spare") -> None:
        self.case = case
        free = [case.free_words(d) for d in range(len(case.documents))]
        kept = [case.kept[d] for d in range(len(case.documents))]
        vocabulary = {w: i for i, w in enumerate(dict.fromkeys([w.folded for row in free for w in row]))}
        for word in (w for row in kept for w in sorted(row)):
            vocabulary.setdefault(word, len(vocabulary))
        self.words = tuple(vocabulary)
        self.units: list[MaskUnit] = []
        # Occurrences of a word in a document are a group, of which so many are left.
        self._group_of: list[int] = []
        self._left: list[int] = []
        self._stops = [stop_words_of(w.folded for w in row) for row in case.words]
        self._stays = [{vocabulary[w] for w in row} for row in kept]
        present = [[*self._add_units(document, row, vocabulary, unit, stop_words)] for document, row in enumerate(free)]
        for row, stays in zip(present, self._stays, strict=True):
            row += sorted(stays.difference(row))
        self._groups = np.array(self._group_of, np.int64)
        self.costs: FloatArray = np.array([len(u.occurrences) for u in self.units], np.float64)
        # What a unit weighs where units are chosen: a function word is the last to go and the first to come back.
        spared = [stop_words == "spare" and self.words[u.word] in self._stops[u.document] for u in self.units]
        self.weights: FloatArray = self.costs * np.where(np.array(spared, np.bool_), SPARED, 1.0)
        self.hidden: npt.NDArray[np.bool_] = np.zeros(len(self.units), np.bool_)
        self._document_of = np.array([u.document for u in self.units], np.int64)
        self._word_of = np.array([u.word for u in self.units], np.int64)
        self._staying = np.array([u.word in self._stays[u.document] for u in self.units] if any(kept) else [], np.bool_)
        self.evidence: npt.NDArray[np.bool_] = np.zeros(len(self.units), np.bool_)
        self.constraints: list[Constraint] = []
        self.constraints += self._make_constraints(present, free, vocabulary)
        self._beside = list(case.beside)
        self.constraints += self._make_local(present)
        self._spent = [len(w) - len(f) for w, f in zip(case.words, free, strict=True)]
        self._allowed = [int(case.budget * len(w) + 1e-9) for w in case.words]

    def _add_units(
        self, document: int, row: Sequence[Word], vocabulary: dict[str, int], unit: str, stop_words: str
    ) -> Iterable[int]:
        """Make the units of a document; its words (places in `words`), in order of their first occurrence."""
        by_word: dict[int, list[Word]] = {}
        for word in row:
            by_word.setdefault(vocabulary[word.folded], []).append(word)
        apart, never = unit == "occurrence", self.case.never
        for index, occurrences in by_word.items():
            self._left.append(len(occurrences) if apart else 1)
            name = self.words[index]
            if name in never or (stop_words == "skip" and name in self._stops[document]):
                continue
            groups = [(o,) for o in occurrences] if apart else [tuple(occurrences)]
            for group in groups:
                self.units.append(MaskUnit(document, index, group))
                self._group_of.append(len(self._left) - 1)
        return by_word

    def _make_constraints(
        self, present: Sequence[Sequence[int]], free: Sequence[Sequence[Word]], vocabulary: dict[str, int]
    ) -> list[CrowdConstraint]:
        """Constraints member by member; each follows the words that count for anybody to be hidden."""
        case = self.case
        scopes = [Scope(d, row, case.column, case.targets[d]) for d, row in enumerate(present)]
        if len(present) > 1:
            everything = [word for row in present for word in row]
            scopes.append(Scope(None, everything, case.column, case.person_target))
        for m in case.mentions:
            inside = {vocabulary[w.folded] for w in free[m.document] if m.start <= w.start < m.end}
            scopes.append(Scope(m.document, sorted(inside), m.column, m.target, m))
        columns = np.array(sorted({scope.column for scope in scopes}), np.int64)
        made: list[CrowdConstraint] = []
        counts: npt.NDArray[np.bool_] = np.zeros((len(self.words), len(columns)), np.bool_)
        for index in case.ensemble.values():
            counts |= index.contributions(self.words, columns) > 0
        anybody, place = np.asarray(counts.any(axis=1)).tolist(), {int(column): i for i, column in enumerate(columns)}
        every = list(range(len(self.words)))
        breadth = sum(len(scope.words) for scope in scopes) * len(case.ensemble)
        for name, index in case.ensemble.items():
            # Several people named in one passage share its scores.
            starts: dict[tuple[int, ...], IntArray] = {}
            for scope in scopes:
                row = scope.words
                followed = [w for w in dict.fromkeys(row) if anybody[w]]
                key = tuple(row)
                if key not in starts:
                    starts[key] = index.sum_of(self.words if row == every else [self.words[w] for w in row])
                own = scope if scope.mention else replace(scope, target=case.wanted(name, scope.document))
                constraint = CrowdConstraint(
                    name, index, own, words=self.words, followed=followed, start=starts[key], breadth=breadth
                )
                units = self._scope_of(scope.document, scope.mention, followed)
                constraint.attach(units, self._word_of)
                self.evidence[units[counts[self._word_of[units], place[scope.column]]]] = True
                made.append(constraint)
        return made

    def _make_local(self, present: Sequence[Sequence[int]]) -> list[LocalConstraint | PairedConstraint]:
        """Constraints of members that are no sums over words; every word may matter to them."""
        case, made = self.case, list[LocalConstraint | PairedConstraint]()
        scopes = [Scope(d, row, case.column, case.targets[d]) for d, row in enumerate(present)]
        if len(present) > 1:
            scopes.append(Scope(None, (), case.column, case.person_target))
        for name, index in case.local.items():
            for scope in scopes:
                documents = range(len(present)) if scope.document is None else (scope.document,)
                share, target = case.soft.get(name), case.wanted(name, scope.document)
                if share is not None:
                    target = max(min(1, target), round(share * target))
                wanted = replace(scope, target=target)
                constraint: LocalConstraint | PairedConstraint
                if isinstance(index, PairedIndex):
                    constraint = PairedConstraint(
                        name,
                        index,
                        wanted,
                        documents,
                        read=self.text_of,
                        staying=[case.kept[d] for d in range(len(present))],
                    )
                else:
                    constraint = LocalConstraint(
                        name,
                        index,
                        wanted,
                        documents,
                        read=self.text_of,
                        readable=self._readable,
                        soft=share is not None,
                    )
                units = np.flatnonzero(np.isin(self._document_of, documents))
                constraint.attach(
                    units, [(self.units[u].document, self.words[self.units[u].word]) for u in units.tolist()]
                )
                self.evidence[units] = True
                made.append(constraint)
        return made

    def text_of(self, document: int) -> str:
        """The readable text of a document now: hidden words as placeholders, and the text released beside it."""
        case = self.case
        gone = [(span.start, span.end) for span in case.mandatory[document]]
        for unit in np.flatnonzero(self.hidden & (self._document_of == document)).tolist():
            gone += [(word.start, word.end) for word in self.units[unit].occurrences]
        return readable_text(case.documents[document].text, gone, self._beside[document])

    def _readable(self, document: int) -> list[str]:
        """Distinct words of a document that a unit could still hide."""
        left = np.flatnonzero(~self.hidden & (self._document_of == document)).tolist()
        return list(dict.fromkeys(self.words[self.units[unit].word] for unit in left))

    def trust(self, estimates: bool) -> None:
        """Set whether estimated crowds may pass for counted ones, which must be counted afterwards."""
        for constraint in self.constraints:
            if isinstance(constraint, LocalConstraint):
                constraint.trusting = estimates

    def _scope_of(self, document: int | None, mention: Mention | None, followed: Sequence[int]) -> IntArray:
        """The units whose hiding changes a constraint's scores; what stays beside a text is read with all but passages."""
        read = np.zeros(len(self.words), np.bool_)
        read[followed] = True
        inside = read[self._word_of]
        if document is not None:
            inside &= self._document_of == document
        if mention is None and len(self._staying):
            inside &= ~self._staying
        return np.flatnonzero(inside)

    def crowds(self) -> list[int]:
        """The crowd under each constraint now."""
        return [c.crowd() for c in self.constraints]

    def satisfied(self) -> bool:
        """True if every crowd has reached its target."""
        return all(c.crowd() >= c.target for c in self.constraints)

    def targets(self) -> list[int]:
        """The crowd wanted under each constraint now."""
        return [c.target for c in self.constraints]

    def settle(self) -> None:
        """Be content under soft members with what there is."""
        for constraint in self.constraints:
            if isinstance(constraint, LocalConstraint):
                constraint.settle()

    def wanting(self, crowds: Sequence[int]) -> bool:
        """True if any of these crowds, in constraint order, is below its target."""
        return any(have < c.target for have, c in zip(crowds, self.constraints, strict=True))

    def affordable(self, unit: int) -> bool:
        """True if the document's budget allows hiding this unit."""
        document = self.units[unit].document
        return self._spent[document] + int(self.costs[unit]) <= self._allowed[document]

    def candidates(self) -> IntArray:
        """The units that are worth hiding and can be: evidence, still readable, within the budget."""
        units = np.flatnonzero(self.evidence & ~self.hidden)
        if self.case.budget >= 1:
            return units
        room = np.array(self._allowed) - np.array(self._spent)
        return np.asarray(units[self.costs[units] <= room[self._document_of[units]]])

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
        group = self._group_of[number]
        before = self._left[group]
        self._left[group] = before + sign
        gone = (before > 0) != (before + sign > 0)
        stays = unit.word in self._stays[unit.document]
        for constraint in self.constraints:
            if not constraint.concerns(unit.document, unit.word):
                continue
            if not isinstance(constraint, CrowdConstraint):
                # It reads the text, which has changed also where the word still stands elsewhere in it.
                constraint.move(unit.document, self.words[unit.word], sign if gone else 0)
            elif gone and not (stays and constraint.mention is None):
                constraint.move(unit.word, sign)

    def gains(self, candidates: IntArray, temperature: float) -> FloatArray:
        """The fall of log p(person) when each candidate unit is hidden (evidence), summed over constraints, per hidden word.

        p is the softmax of scores / temperature over the nearest profiles: (candidates,) float64. A word that occurs
        several times counts whole, divided by its occurrences that are still readable. Rounded to nine digits, so that
        words which count the same tie whatever the order of the arithmetic, and the first of them goes.
        """
        return self._per_word(self._summed(self.constraints, temperature)[candidates], candidates)

    def _summed(self, constraints: Iterable[Constraint], temperature: float) -> FloatArray:
        """The sum of some constraints' gains of each unit: (units,)."""
        total = np.zeros(len(self.units))
        for constraint in constraints:
            constraint.add_gains(total, temperature)
        return total

    def _per_word(self, gains: FloatArray, units: IntArray) -> FloatArray:
        """Gains for each word that would be hidden; a unit is all occurrences of its word, or one of those of a group."""
        left = self.weights[units] * np.array(self._left, np.float64)[self._groups[units]]
        return np.round(gains / left, 9)

    def best_of(self, candidates: IntArray, temperature: float) -> tuple[int, float]:
        """The place among the candidates of the unit with the most `gains`, and these; the first of equal ones.

        Where a member that is no sum over words must be read carefully, its share of the best few is what reading says.
        """
        careful = [c for c in self.constraints if isinstance(c, LocalConstraint) and c.careful]
        if not careful:
            worth = self.gains(candidates, temperature)
            best = int(np.argmax(worth))
            return best, float(worth[best])
        sums = self._summed((c for c in self.constraints if c not in careful), temperature)
        guessed = self._per_word((sums + self._summed(careful, temperature))[candidates], candidates)
        graded = all(c.graded for c in careful)
        likeliest = np.argsort(-guessed, kind="stable")[: TRIED_OF_GRADED if graded else TRIED]
        before, gains = sum(c.left() for c in careful), sums[candidates[likeliest]]
        for place, unit in enumerate(candidates[likeliest].tolist()):
            self.hide(unit)
            gains[place] += before - sum(c.left() for c in careful)
            self.give_back(unit)
        gains = self._per_word(gains, candidates[likeliest])
        best = 0 if graded and gains.max() <= PAYS else int(np.argmax(gains))
        return int(likeliest[best]), float(gains[best])

    def spans(
        self, number: int, method: str, step: int, before: Sequence[int], after: Sequence[int], *, score: float = 0.0
    ) -> Iterator[tuple[int, MaskSpan]]:
        """The spans of a unit that a step of a method hid, each with its document; crowds are in constraint order."""
        unit = self.units[number]
        crowds = self.member_crowds(before, unit.document), self.member_crowds(after, unit.document)
        for word in unit.occurrences:
            yield unit.document, MaskSpan(word.start, word.end, method, step, "", score, *crowds)

    def member_crowds(self, crowds: Sequence[int], document: int) -> dict[str, int]:
        """Of crowds in constraint order, those of one document's person, by member."""
        return {
            c.member: n
            for c, n in zip(self.constraints, crowds, strict=True)
            if c.document == document and c.mention is None and c.member not in self.case.soft
        }


def masks_from(case: Case, spans: Iterable[tuple[int, MaskSpan]] = ()) -> list[Mask]:
    """Masks of a case from spans, each with the document it belongs to, mandatory mask included."""
    rows: list[list[MaskSpan]] = [list(mandatory) for mandatory in case.mandatory]
    for owner, span in spans:
        rows[owner].append(span)
    return [Mask(d.id, merge_spans(row)) for d, row in zip(case.documents, rows, strict=True)]
