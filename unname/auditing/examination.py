"""Every attacker against every text of one corpus version: the raw material of an audit.

Documents are taken person by person, so that what several documents of a person give away together is seen too.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from unname.auditing.attacks import FOLDS, Attacker, Scores, Tally, fold_of
from unname.auditing.aware import CrowdTell, all_crowds, smallest_feasible
from unname.auditing.fusion import MOST_CANDIDATES, fit_weights, standardised
from unname.auditing.statistics import standing
from unname.knowledge.population import Population
from unname.reidentifiers.base import IntArray
from unname.types import Document

FUSED, FUSED_UNUSED = "fused", "fused-unused"
AWARE_SMALLEST, AWARE_LEARNED = "aware-smallest", "aware-learned"
CALIBRATION_DOCUMENTS = 100
TELL_DOCUMENTS = 800
BLOCK_CELLS = 4_000_000
# What a version may keep of scores and crowds so that no document is scored or sorted twice.
MEMORY_BYTES = 256 << 20


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
class _Version:
    """One version of the texts under attack, and what is remembered of it. Column −1 is a person nobody here knows."""

    texts: Sequence[str | None]
    attackers: Sequence[Attacker]
    columns: Sequence[int]
    folds: Sequence[int]
    people: int
    room: int
    scored: dict[int, Scores] = field(default_factory=dict)
    ranked: dict[int | None, npt.NDArray[np.int32]] = field(default_factory=dict)

    @property
    def used(self) -> list[int]:
        """Rows of the attackers that served the masking."""
        return [row for row, attacker in enumerate(self.attackers) if attacker.used]

    @property
    def unused(self) -> list[int]:
        """Rows of the others."""
        return [row for row, attacker in enumerate(self.attackers) if not attacker.used]

    def blocks(self, chosen: Sequence[int], attackers: int) -> Iterator[list[int]]:
        """Documents in stretches whose scores under so many attackers fit in memory together."""
        size = max(1, min(256, BLOCK_CELLS // (self.people * max(1, attackers))))
        for start in range(0, len(chosen), size):
            yield list(chosen[start : start + size])

    def score(self, chosen: Sequence[int], rows: Sequence[int], *, keep: bool = False) -> Iterator[tuple[int, Scores]]:
        """(document, scores (rows, people) float64) of each; of a withheld one no scores (rows, 0).

        With `keep` the scores are remembered while there is room; that makes sense for all rows only.
        """
        nothing = np.zeros((len(rows), 0))
        for block in self.blocks(chosen, len(rows)):
            shown = [(i, text) for i in block if i not in self.scored and (text := self.texts[i]) is not None]
            texts, folds = [text for _, text in shown], [self.folds[i] for i, _ in shown]
            found = np.empty((len(shown), len(rows), self.people))
            for place, row in enumerate(rows if shown else ()):
                found[:, place] = self.attackers[row].scores_of(texts, folds)
            fresh = {i: scores for (i, _), scores in zip(shown, found, strict=True)}
            for i in block:
                scores = fresh[i] if i in fresh else self.scored[i][list(rows)] if i in self.scored else nothing
                if keep and i in fresh and self.room >= scores.nbytes:
                    self.scored[i] = scores.copy()
                    self.room -= scores.nbytes
                yield i, scores

    def crowds(self, i: int | None, scores: Scores) -> IntArray:
        """Crowds of everybody under the members that served, whose scores these are: (members, people) int64.

        Those of a document are remembered while there is room; None stands for several documents together.
        """
        if i in self.ranked:
            return self.ranked[i].astype(np.int64)
        found = np.stack([all_crowds(row) for row in scores])
        if i is not None and self.room >= found.nbytes // 2:
            self.ranked[i] = found.astype(np.int32)
            self.room -= self.ranked[i].nbytes
        return found


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
        """Attack one version: `texts` in the order of the originals, None where withheld.

        A document whose person is not in the population is attacked, but found by nobody.
        """
        columns = [self.population.rows.get(str(d.person), -1) for d in self.originals]
        folds = [fold_of(str(d.person), self.seed) for d in self.originals]
        version = _Version(texts, attackers, columns, folds, len(self.population), MEMORY_BYTES)
        samples = [self._sample(version, fold, CALIBRATION_DOCUMENTS) for fold in range(FOLDS)]
        for sample in samples:
            for _ in version.score(sample, range(len(attackers)), keep=True):
                pass
        tells = self._tells(version) if aware and version.used else None
        weights = self._weights(version, samples, tells)
        return self._attack(version, tells, weights)

    def _sample(self, version: _Version, fold: int, most: int) -> list[int]:
        """Documents of every other fold, drawn by hash."""
        others = [
            i for i, of in enumerate(version.folds)
            if of != fold and version.texts[i] is not None and version.columns[i] >= 0
        ]  # fmt: skip
        others.sort(key=lambda i: hashlib.sha256(f"{self.seed}\0{self.originals[i].id}".encode()).digest())
        return others[:most]

    def _tells(self, version: _Version) -> list[CrowdTell]:
        tells = []
        for fold in range(FOLDS):
            tell = CrowdTell()
            for i, scores in version.score(self._sample(version, fold, TELL_DOCUMENTS), version.used):
                tell.learn(version.crowds(i, scores), version.columns[i])
            tells.append(tell)
        return tells

    def _weights(
        self, version: _Version, samples: Sequence[Sequence[int]], tells: Sequence[CrowdTell] | None
    ) -> list[tuple[Scores, Scores]]:
        found = []
        members, unused = len(version.attackers), version.unused
        for fold, sample in enumerate(samples):
            rows, people = [], []
            for i, scores in version.score(sample, range(members)):
                kept = self._candidates(scores.shape[1], version.columns[i], self.originals[i].id)
                row = scores[:, kept]
                if tells is not None:
                    told = tells[fold].scores(version.crowds(i, scores[version.used])[:, kept])
                    row = np.vstack([row, told])
                rows.append(row)
                people.append(int(np.searchsorted(kept, version.columns[i])))
            plain = [r[unused] for r in rows]
            fitted = fit_weights(rows, people, members=members + (tells is not None))
            found.append((fitted, fit_weights(plain, people, members=len(unused)) if unused else np.zeros(0)))
        return found

    def _candidates(self, people: int, column: int, document: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        if people <= MOST_CANDIDATES:
            return np.arange(people)
        draw = np.random.default_rng(int.from_bytes(hashlib.sha256(f"{self.seed}\0{document}".encode()).digest()[:8]))
        return np.unique(np.append(draw.choice(people, MOST_CANDIDATES, replace=False), column)).astype(np.int64)

    def _attack(
        self, version: _Version, tells: Sequence[CrowdTell] | None, weights: Sequence[tuple[Scores, Scores]]
    ) -> Examination:
        result = _empty(version, tells is not None)
        groups: dict[str, list[int]] = defaultdict(list)
        for i, document in enumerate(self.originals):
            groups[str(document.person)].append(i)
        places = [i for members in groups.values() for i in members]
        total: dict[str, Scores] = {}
        for i, found in version.score(places, range(len(version.attackers))):
            person = str(self.originals[i].person)
            scores = None if version.texts[i] is None else found
            tell = tells[version.folds[i]] if tells is not None else None
            judge = _Judge(version, self.k, tell, weights[version.folds[i]])
            judge.judge(result.documents, result.crowds, scores, version.columns[i], document=i)
            if len(groups[person]) == 1:
                result.persons.append(person)
                _repeat(result)
            else:
                if scores is not None:
                    total[person] = total[person] + scores if person in total else scores
                if i == groups[person][-1]:
                    result.persons.append(person)
                    together = total.pop(person, None)
                    judge.judge(result.by_person, result.person_crowds, together, version.columns[i])
            self.advance(1)
        _reorder(result, places)
        return result


@dataclass(frozen=True, slots=True, repr=False)
class _Judge:
    """Who is found by whom from the scores of one document, or of all documents of a person together."""

    version: _Version
    k: int
    tell: CrowdTell | None
    weights: tuple[Scores, Scores]

    def judge(
        self,
        tallies: dict[str, Tally],
        crowds: dict[str, list[int]],
        scores: Scores | None,
        column: int,
        *,
        document: int | None = None,
    ) -> None:
        """Add one judgement to every tally; scores (attackers, people), None where all is withheld."""
        if scores is None:
            for tally in tallies.values():
                tally.miss()
            for row in crowds.values():
                row.append(self.version.people - 1)
            return
        for attacker, row in zip(self.version.attackers, scores, strict=True):
            guess = int(np.argmax(row))
            if column < 0:
                above, tied = self.version.people, 1
                tallies[attacker.name].miss(guess)
            else:
                above, tied = standing(row, column)
                tallies[attacker.name].place(above, tied, guess)
            if attacker.used:
                crowds[attacker.name].append(above + tied - 1)
        told = None
        if self.tell is not None:
            served = self.version.crowds(document, scores[self.version.used])
            told = self.tell.scores(served)
            tallies[AWARE_SMALLEST].add(smallest_feasible(served, self.k), column)
            tallies[AWARE_LEARNED].add(told, column)
        standard = standardised(scores if told is None else np.vstack([scores, told]))
        self._fused(tallies[FUSED], standard, self.weights[0], column)
        if FUSED_UNUSED in tallies:
            self._fused(tallies[FUSED_UNUSED], standard[self.version.unused], self.weights[1], column)

    @staticmethod
    def _fused(tally: Tally, standard: Scores, weights: Scores, column: int) -> None:
        if weights.size:
            tally.add(np.asarray(weights @ standard), column)
        else:
            tally.miss()


def _empty(version: _Version, aware: bool) -> Examination:
    names = [a.name for a in version.attackers]
    extra = [FUSED, *([FUSED_UNUSED] if version.unused else [])]
    if aware:
        extra += [AWARE_SMALLEST, AWARE_LEARNED]
    result = Examination(used={a.name: a.used for a in version.attackers})
    result.documents = {name: Tally() for name in (*names, *extra)}
    result.by_person = {name: Tally() for name in (*names, *extra)}
    result.crowds = {a.name: [] for a in version.attackers if a.used}
    result.person_crowds = {a.name: [] for a in version.attackers if a.used}
    return result


def _repeat(result: Examination) -> None:
    """A person with one document is judged as that document was."""
    for name, tally in result.by_person.items():
        tally.repeat(result.documents[name])
    for name, row in result.person_crowds.items():
        row.append(result.crowds[name][-1])


def _reorder(result: Examination, places: Sequence[int]) -> None:
    """Bring document tallies from person order back into input order."""
    order = np.argsort(places)
    for tally in result.documents.values():
        for name in ("top1", "top5", "top10", "guess"):
            values = getattr(tally, name)
            setattr(tally, name, [values[i] for i in order])
    for name, row in result.crowds.items():
        result.crowds[name] = [row[i] for i in order]
