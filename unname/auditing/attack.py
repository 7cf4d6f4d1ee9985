"""Every attacker against every text of one corpus version: the raw material of an audit.

Documents are taken person by person, so that what several documents of a person give away together is seen too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from unname.auditing.attackers import Attacker, Scores, Tally, put_together, taken_apart
from unname.auditing.aware import CrowdPattern, all_crowds, smallest_feasible
from unname.auditing.fusion import MOST_CANDIDATES, fit_weights, standardised
from unname.auditing.statistics import standing
from unname.draws import draw
from unname.knowledge.population import Population
from unname.parallel.pool import ONE_PROCESS, Pool, Shared
from unname.reidentifiers.base import About, IntArray
from unname.reidentifiers.training_examples import FOLDS, fold_of
from unname.types import Document

FUSED, FUSED_UNUSED = "fused", "fused-unused"
AWARE_SMALLEST, AWARE_LEARNED = "aware-smallest", "aware-learned"
CALIBRATION_DOCUMENTS = 100
TELL_DOCUMENTS = 800
BLOCK_CELLS = 8_000_000
# Documents that one process attacks at a time; the same for any number of processes.
CHUNK = 100
# What a version may keep of scores and crowds so that no document is scored or sorted twice.
MEMORY_BYTES = 32 << 20


@dataclass(slots=True, repr=False)
class AttackResults:
    """Tallies by attacker over documents (in input order) and over people (`persons`), and exact crowds of used members."""

    documents: dict[str, Tally] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)
    by_person: dict[str, Tally] = field(default_factory=dict)
    crowds: dict[str, list[int]] = field(default_factory=dict)
    person_crowds: dict[str, list[int]] = field(default_factory=dict)
    used: dict[str, bool] = field(default_factory=dict)
    about: dict[str, About] = field(default_factory=dict)

    def extended(self, more: "AttackResults") -> "AttackResults":
        """With the people of another attack by the same attackers after its own."""
        self.persons += more.persons
        for tallies, further in ((self.documents, more.documents), (self.by_person, more.by_person)):
            for name, tally in tallies.items():
                tally.extend(further[name])
        for crowds, others in ((self.crowds, more.crowds), (self.person_crowds, more.person_crowds)):
            for name, row in crowds.items():
                row += others[name]
        return self

    def __repr__(self) -> str:
        return f"AttackResults({len(self.documents)} attackers, {len(self.persons)} people)"


@dataclass(slots=True, repr=False)
class _Version:
    """One version of the texts under attack, and what is remembered of it. Column −1 is a person nobody here knows."""

    ids: Sequence[str]
    persons: Sequence[str]
    texts: Sequence[str | None]
    columns: Sequence[int]
    folds: Sequence[int]
    people: int
    k: int
    seed: int
    room: int
    bare: Sequence[tuple[Attacker, int]] = ()
    attackers: Sequence[Attacker] = ()
    scored: dict[int, Scores] = field(default_factory=dict)
    ranked: dict[int | None, npt.NDArray[np.int32]] = field(default_factory=dict)

    @property
    def used(self) -> list[int]:
        """Rows of the attackers that were used in masking."""
        return [row for row, attacker in enumerate(self.attackers) if attacker.used]

    @property
    def unused(self) -> list[int]:
        """Rows of the others."""
        return [row for row, attacker in enumerate(self.attackers) if not attacker.used]

    def score(self, chosen: Sequence[int], rows: Sequence[int], *, keep: bool = False) -> Iterator[tuple[int, Scores]]:
        """(document, scores (rows, people) float64) of each; of a withheld one no scores (rows, 0).

        With `keep` the scores are remembered while there is room; that makes sense for all rows only.
        """
        nothing = np.zeros((len(rows), 0))
        # In stretches whose scores fit in memory together.
        size = max(1, min(256, BLOCK_CELLS // (self.people * max(1, len(rows)))))
        for start in range(0, len(chosen), size):
            block = chosen[start : start + size]
            shown = [(i, text) for i in block if i not in self.scored and (text := self.texts[i]) is not None]
            texts, persons = [text for _, text in shown], [self.persons[i] for i, _ in shown]
            found = np.empty((len(shown), len(rows), self.people))
            for place, row in enumerate(rows if shown else ()):
                self.attackers[row].score_into(found[:, place], texts, persons)
            fresh = {i: scores for (i, _), scores in zip(shown, found, strict=True)}
            for i in block:
                scores = fresh[i] if i in fresh else self.scored[i][list(rows)] if i in self.scored else nothing
                if keep and i in fresh and self.room >= scores.nbytes:
                    self.scored[i] = scores.copy()
                    self.room -= scores.nbytes
                yield i, scores

    def crowds(self, i: int | None, scores: Scores) -> IntArray:
        """Crowds of everybody under the members used in masking, whose scores these are: (members, people) int64.

        Those of a document are remembered while there is room; None stands for several documents together.
        """
        if i in self.ranked:
            return self.ranked[i].astype(np.int64)
        found = np.stack([all_crowds(row) for row in scores])
        if i is not None and self.room >= found.nbytes // 2:
            self.ranked[i] = found.astype(np.int32)
            self.room -= self.ranked[i].nbytes
        return found

    def sample(self, fold: int, most: int) -> list[int]:
        """Documents of every other fold, drawn by hash."""
        others = [
            i for i, of in enumerate(self.folds)
            if of != fold and self.texts[i] is not None and self.columns[i] >= 0
        ]  # fmt: skip
        others.sort(key=lambda i: draw("", self.seed, self.ids[i]))
        return others[:most]

    def candidates(self, i: int) -> IntArray:
        """Columns of some people, drawn by hash, among them the document's own: (candidates,) in ascending order."""
        if self.people <= MOST_CANDIDATES:
            return np.arange(self.people)
        digest = draw("", self.seed, self.ids[i])
        drawn = np.random.default_rng(int.from_bytes(digest[:8])).choice(self.people, MOST_CANDIDATES, replace=False)
        return np.unique(np.append(drawn, self.columns[i])).astype(np.int64)


@dataclass(slots=True, repr=False)
class Attack:
    """Attackers, a population and the documents whose people are sought; `run` judges one version of their texts."""

    population: Population
    originals: Sequence[Document]
    k: int
    seed: int = 0
    advance: Callable[[int], None] = lambda done: None
    pool: Pool = ONE_PROCESS

    def run(self, texts: Sequence[str | None], attackers: Sequence[Attacker], *, aware: bool) -> AttackResults:
        """Attack one version: `texts` in the order of the originals, None where withheld.

        A document whose person is not in the population is attacked, but found by nobody.
        """
        persons = [str(d.person) for d in self.originals]
        bare, indexes = taken_apart(attackers)
        version = _Version(
            [d.id for d in self.originals], persons, texts, [self.population.rows.get(p, -1) for p in persons],
            [fold_of(p, str(self.seed)) for p in persons], len(self.population), self.k, self.seed, MEMORY_BYTES, bare,
        )  # fmt: skip
        shared = (version, *indexes)
        samples = [version.sample(fold, CALIBRATION_DOCUMENTS) for fold in range(FOLDS)]
        tells = self._tells(shared) if aware and any(a.used for a in attackers) else [None] * FOLDS
        weights = list(self.pool.map(_weights, shared, zip(samples, tells, strict=True)))
        places = _by_person(persons)
        chunks = ((chunk, tells, weights) for chunk in _chunks(places))
        result: AttackResults | None = None
        for found in self.pool.map(_attack, shared, chunks):
            result = found if result is None else result.extended(found)
            self.advance(len(next(iter(found.documents.values())).top1))
        if result is None:
            return _empty(replace(version, attackers=attackers), aware=tells[0] is not None)
        _reorder(result, [i for members in places for i in members])
        return result

    def _tells(self, shared: Shared) -> list[CrowdPattern]:
        """What releases of each other fold betray by their crowds, learned a chunk at a time."""
        version: _Version = shared[0]
        wanted = [(fold, version.sample(fold, TELL_DOCUMENTS)) for fold in range(FOLDS)]
        chunks = [
            (fold, sample[start : start + CHUNK]) for fold, sample in wanted for start in range(0, len(sample), CHUNK)
        ]
        tells = [CrowdPattern() for _ in range(FOLDS)]
        found = self.pool.map(_tell, shared, [chunk for _, chunk in chunks])
        for (fold, _), learned in zip(chunks, found, strict=True):
            tells[fold].take(learned)
        return tells


def _by_person(persons: Sequence[str]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for i, person in enumerate(persons):
        groups.setdefault(person, []).append(i)
    return list(groups.values())


def _chunks(groups: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """People in stretches of about so many documents: what one process attacks at a time."""
    chunk: list[list[int]] = []
    for group in groups:
        if chunk and sum(map(len, chunk)) + len(group) > CHUNK:
            yield chunk
            chunk = []
        chunk.append(group)
    if chunk:
        yield chunk


def _bound(shared: Shared) -> _Version:
    """The version with its attackers, whose indexes travel apart so that versions share them."""
    version: _Version = shared[0]
    version.attackers = version.attackers or put_together(version.bare, shared[1:])
    return version


def _tell(shared: Shared, chunk: Sequence[int]) -> CrowdPattern:
    """What the crowds of some documents betray."""
    version, tell = _bound(shared), CrowdPattern()
    for i, scores in version.score(chunk, version.used):
        tell.learn(version.crowds(i, scores), version.columns[i])
    return tell


def _weights(shared: Shared, item: tuple[Sequence[int], CrowdPattern | None]) -> tuple[Scores, Scores]:
    """Weights of the fused attackers, of all and of those held out, from a sample of other people."""
    version, (sample, tell) = _bound(shared), item
    rows, people = [], []
    members, unused = len(version.attackers), version.unused
    for i, scores in version.score(sample, range(members), keep=True):
        kept = version.candidates(i)
        row = scores[:, kept]
        if tell is not None:
            row = np.vstack([row, tell.scores(version.crowds(i, scores[version.used])[:, kept])])
        rows.append(row)
        people.append(int(np.searchsorted(kept, version.columns[i])))
    fitted = fit_weights(rows, people, members=members + (tell is not None))
    plain = [row[unused] for row in rows]
    return fitted, fit_weights(plain, people, members=len(unused)) if unused else np.zeros(0)


def _attack(
    shared: Shared, item: tuple[list[list[int]], Sequence[CrowdPattern | None], Sequence[tuple[Scores, Scores]]]
) -> AttackResults:
    """Every attacker against some people; documents in the order of people."""
    version, (groups, tells, weights) = _bound(shared), item
    result = _empty(version, aware=tells[0] is not None)
    last = {group[-1]: len(group) for group in groups}
    total: dict[str, Scores] = {}
    for i, found in version.score([i for group in groups for i in group], range(len(version.attackers))):
        person, fold = version.persons[i], version.folds[i]
        scores = None if version.texts[i] is None else found
        judge = _Judge(version, tells[fold], weights[fold])
        judge.judge(result.documents, result.crowds, scores, version.columns[i], document=i)
        if last.get(i) == 1:
            result.persons.append(person)
            _repeat(result)
            continue
        if scores is not None:
            total[person] = total[person] + scores if person in total else scores
        if i in last:
            result.persons.append(person)
            judge.judge(result.by_person, result.person_crowds, total.pop(person, None), version.columns[i])
    return result


@dataclass(frozen=True, slots=True, repr=False)
class _Judge:
    """Who is found by whom from the scores of one document, or of all documents of a person together."""

    version: _Version
    tell: CrowdPattern | None
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
            tallies[AWARE_SMALLEST].add(smallest_feasible(served, self.version.k), column)
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


def _empty(version: _Version, *, aware: bool) -> AttackResults:
    names = [a.name for a in version.attackers]
    extra = [FUSED, *([FUSED_UNUSED] if version.unused else [])]
    if aware:
        extra += [AWARE_SMALLEST, AWARE_LEARNED]
    result = AttackResults(
        used={a.name: a.used for a in version.attackers}, about={a.name: a.about for a in version.attackers}
    )
    result.documents = {name: Tally() for name in (*names, *extra)}
    result.by_person = {name: Tally() for name in (*names, *extra)}
    result.crowds = {a.name: [] for a in version.attackers if a.used}
    result.person_crowds = {a.name: [] for a in version.attackers if a.used}
    return result


def _repeat(result: AttackResults) -> None:
    """A person with one document is judged as that document was."""
    for name, tally in result.by_person.items():
        tally.repeat(result.documents[name])
    for name, row in result.person_crowds.items():
        row.append(result.crowds[name][-1])


def _reorder(result: AttackResults, places: Sequence[int]) -> None:
    """Bring document tallies from person order back into input order."""
    order = np.argsort(places)
    for tally in result.documents.values():
        for name in ("top1", "top5", "top10", "guess"):
            values = getattr(tally, name)
            setattr(tally, name, [values[i] for i in order])
    for name, row in result.crowds.items():
        result.crowds[name] = [row[i] for i in order]
