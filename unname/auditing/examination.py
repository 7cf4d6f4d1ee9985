"""Every attacker against every text of one corpus version: the raw material of an audit.

Documents are taken person by person, so that what several documents of a person give away together is seen too.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from unname.auditing.attacks import FOLDS, Attacker, Scores, Tally, fold_of
from unname.auditing.aware import CrowdTell, all_crowds, smallest_feasible
from unname.auditing.fusion import MOST_CANDIDATES, fit_weights, fuse
from unname.knowledge.population import Population
from unname.types import Document

FUSED, FUSED_UNUSED = "fused", "fused-unused"
AWARE_SMALLEST, AWARE_LEARNED = "aware-smallest", "aware-learned"
CALIBRATION_DOCUMENTS = 100
TELL_DOCUMENTS = 800
BLOCK_CELLS = 4_000_000


@dataclass(slots=True, repr=False)
class Examination:
    """Tallies by attacker over documents (in input order) and over people (`persons`), and exact crowds of used members."""

    documents: dict[str, Tally] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)
    by_person: dict[str, Tally] = field(default_factory=dict)
    crowds: dict[str, list[int]] = field(default_factory=dict)
    person_crowds: dict[str, list[int]] = field(default_factory=dict)
    used: dict[str, bool] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Examination({len(self.documents)} attackers, {len(self.persons)} people)"


@dataclass(slots=True, repr=False)
class Examiner:
    """Attackers, a population and the documents whose people are sought; `examine` judges one version of their texts."""

    population: Population
    originals: Sequence[Document]
    k: int
    seed: int = 0
    advance: Callable[[int], None] = lambda done: None

    def __repr__(self) -> str:
        return f"Examiner({len(self.originals)} documents, {len(self.population)} people)"

    def examine(self, texts: Sequence[str | None], attackers: Sequence[Attacker], *, aware: bool) -> Examination:
        """Attack one version: `texts` in the order of the originals, None where withheld."""
        columns = [self.population.rows[str(d.person)] for d in self.originals]
        folds = [fold_of(str(d.person), self.seed) for d in self.originals]
        use_aware = aware and any(a.used for a in attackers)
        tells = self._tells(texts, attackers, columns, folds) if use_aware else None
        weights = self._weights(texts, attackers, columns, folds, tells)
        return self._attack(texts, attackers, columns, folds, tells, weights)

    def _sample(self, texts: Sequence[str | None], folds: Sequence[int], fold: int, most: int) -> list[int]:
        """Documents of every other fold, drawn by hash."""
        others = [i for i, of in enumerate(folds) if of != fold and texts[i] is not None]
        others.sort(key=lambda i: hashlib.sha256(f"{self.seed}\0{self.originals[i].id}".encode()).digest())
        return others[:most]

    def _blocks(self, chosen: Sequence[int], attackers: Sequence[Attacker]) -> Iterator[list[int]]:
        """Documents in stretches whose scores under all attackers fit in memory together."""
        size = max(1, min(256, BLOCK_CELLS // (len(self.population) * max(1, len(attackers)))))
        for start in range(0, len(chosen), size):
            yield list(chosen[start : start + size])

    @staticmethod
    def _score(
        block: Sequence[int], texts: Sequence[str | None], folds: Sequence[int], attackers: Sequence[Attacker]
    ) -> Scores:
        """(documents, attackers, people) float64; a withheld text scores as an empty one."""
        shown, of = [texts[i] or "" for i in block], [folds[i] for i in block]
        return np.stack([a.scores_of(shown, of) for a in attackers], axis=1)

    def _tells(
        self, texts: Sequence[str | None], attackers: Sequence[Attacker], columns: Sequence[int], folds: Sequence[int]
    ) -> list[CrowdTell]:
        used = [a for a in attackers if a.used]
        tells = []
        for fold in range(FOLDS):
            tell = CrowdTell()
            for block in self._blocks(self._sample(texts, folds, fold, TELL_DOCUMENTS), used):
                for i, scores in zip(block, self._score(block, texts, folds, used), strict=True):
                    tell.learn(np.stack([all_crowds(row) for row in scores]), columns[i])
            tells.append(tell)
        return tells

    def _weights(
        self,
        texts: Sequence[str | None],
        attackers: Sequence[Attacker],
        columns: Sequence[int],
        folds: Sequence[int],
        tells: Sequence[CrowdTell] | None,
    ) -> list[tuple[Scores, Scores]]:
        found = []
        unused = np.array([not a.used for a in attackers])
        for fold in range(FOLDS):
            sample = self._sample(texts, folds, fold, CALIBRATION_DOCUMENTS)
            rows, people = [], []
            for block in self._blocks(sample, attackers):
                for i, scores in zip(block, self._score(block, texts, folds, attackers), strict=True):
                    extended = self._with_tell(scores, attackers, tells[fold] if tells else None)
                    kept = self._candidates(scores.shape[1], columns[i], self.originals[i].id)
                    rows.append(extended[:, kept])
                    people.append(int(np.searchsorted(kept, columns[i])))
            plain = [r[: len(attackers)][unused] for r in rows]
            everyone = len(attackers) + (tells is not None)
            fitted = fit_weights(rows, people, members=everyone)
            found.append(
                (fitted, fit_weights(plain, people, members=int(unused.sum())) if unused.any() else np.zeros(0))
            )
        return found

    def _candidates(self, people: int, column: int, document: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        if people <= MOST_CANDIDATES:
            return np.arange(people)
        draw = np.random.default_rng(int.from_bytes(hashlib.sha256(f"{self.seed}\0{document}".encode()).digest()[:8]))
        return np.unique(np.append(draw.choice(people, MOST_CANDIDATES, replace=False), column)).astype(np.int64)

    @staticmethod
    def _with_tell(scores: Scores, attackers: Sequence[Attacker], tell: CrowdTell | None) -> Scores:
        if tell is None:
            return scores
        crowds = np.stack([all_crowds(row) for row, a in zip(scores, attackers, strict=True) if a.used])
        return np.vstack([scores, tell.scores(crowds)])

    def _attack(
        self,
        texts: Sequence[str | None],
        attackers: Sequence[Attacker],
        columns: Sequence[int],
        folds: Sequence[int],
        tells: Sequence[CrowdTell] | None,
        weights: Sequence[tuple[Scores, Scores]],
    ) -> Examination:
        names = [a.name for a in attackers]
        unused = np.array([not a.used for a in attackers])
        extra = [FUSED, *([FUSED_UNUSED] if unused.any() else [])]
        if tells is not None:
            extra += [AWARE_SMALLEST, AWARE_LEARNED]
        result = Examination(used={a.name: a.used for a in attackers})
        result.documents = {name: Tally() for name in (*names, *extra)}
        result.by_person = {name: Tally() for name in (*names, *extra)}
        result.crowds = {a.name: [] for a in attackers if a.used}
        result.person_crowds = {a.name: [] for a in attackers if a.used}
        groups: dict[str, list[int]] = defaultdict(list)
        for i, document in enumerate(self.originals):
            groups[str(document.person)].append(i)
        places = [i for members in groups.values() for i in members]
        total: dict[str, Scores] = {}
        for block in self._blocks(places, attackers):
            for i, found in zip(block, self._score(block, texts, folds, attackers), strict=True):
                person = str(self.originals[i].person)
                scores = None if texts[i] is None else found
                tell = tells[folds[i]] if tells is not None else None
                self._judge(result.documents, result.crowds, scores, columns[i], attackers, tell, weights[folds[i]])
                if scores is not None:
                    total[person] = total[person] + scores if person in total else scores
                if i == groups[person][-1]:
                    result.persons.append(person)
                    together = total.pop(person, None)
                    self._judge(
                        result.by_person, result.person_crowds, together, columns[i], attackers, tell, weights[folds[i]]
                    )
                self.advance(1)
        _reorder(result, places)
        return result

    def _judge(
        self,
        tallies: dict[str, Tally],
        crowds: dict[str, list[int]],
        scores: Scores | None,
        column: int,
        attackers: Sequence[Attacker],
        tell: CrowdTell | None,
        weights: tuple[Scores, Scores],
    ) -> None:
        if scores is None:
            for tally in tallies.values():
                tally.miss()
            for row in crowds.values():
                row.append(len(self.population) - 1)
            return
        for attacker, row in zip(attackers, scores, strict=True):
            tallies[attacker.name].add(row, column)
            if attacker.used:
                crowds[attacker.name].append(int(np.count_nonzero(row >= row[column])) - 1)
        extended = self._with_tell(scores, attackers, tell)
        if weights[0].size:
            tallies[FUSED].add(fuse(extended, weights[0]), column)
        else:
            tallies[FUSED].miss()
        if FUSED_UNUSED in tallies:
            unused = scores[np.array([not a.used for a in attackers])]
            if weights[1].size:
                tallies[FUSED_UNUSED].add(fuse(unused, weights[1]), column)
            else:
                tallies[FUSED_UNUSED].miss()
        if tell is not None:
            of_used = np.stack([all_crowds(row) for row, a in zip(scores, attackers, strict=True) if a.used])
            tallies[AWARE_SMALLEST].add(smallest_feasible(of_used, self.k), column)
            tallies[AWARE_LEARNED].add(tell.scores(of_used), column)


def _reorder(result: Examination, places: Sequence[int]) -> None:
    """Bring document tallies from person order back into input order."""
    order = np.argsort(places)
    for tally in result.documents.values():
        for name in ("top1", "top5", "top10", "guess"):
            values = getattr(tally, name)
            setattr(tally, name, [values[i] for i in order])
    for name, row in result.crowds.items():
        result.crowds[name] = [row[i] for i in order]
