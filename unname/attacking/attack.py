"""Every attacker against every text of one corpus version: the raw material of an audit.

Documents are taken person by person, so that what several documents of a person give away together is seen too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unname.attacking.adversary import FirstLook, Seen, candidates, chances, evidence, ranking, standardised
from unname.attacking.attackers import ROTATING, Attacker, Scores, Tally, taken_apart
from unname.attacking.crowdsizes import smallest_feasible
from unname.attacking.learning import STRONGEST, Learned, Material, Sent, learn, views_of
from unname.attacking.matching import Shortlist, one_to_one
from unname.attacking.texts import Unit, Version, View, bound, scored_once
from unname.knowledge.population import Population
from unname.parallel.pool import ONE_PROCESS, Pool
from unname.reidentifiers.base import About, Index, IntArray
from unname.reidentifiers.learned.training_examples import fold_of
from unname.statistics import credit_of, standing
from unname.types import Document

FUSED, MATCHED = "fused", "matched"
CROWD_SMALLEST, CROWD_LEARNED = "crowd-smallest", "crowd-learned"
# Documents that one process attacks at a time; the same for any number of processes.
CHUNK = 100


@dataclass(slots=True, repr=False)
class AttackResults:
    """Tallies by attacker over documents (in input order) and over people (`persons`), and exact crowds of used members.

    Of the strongest adversary whose figures count also, for each document, how sure the guess is and how many others stand
    above the person (−1 where nothing was released), how many are `tied` with them, themselves included, the credit among
    the people whom the documents are about (`own`), which value of each field it holds for likeliest, and the credit of
    who knows a field; and what was `learned`, for each fold of people, by who combines attackers.
    """

    documents: dict[str, Tally] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)
    by_person: dict[str, Tally] = field(default_factory=dict)
    crowds: dict[str, list[int]] = field(default_factory=dict)
    person_crowds: dict[str, list[int]] = field(default_factory=dict)
    plausible: list[int] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    tied: list[int] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    inferred: list[tuple[int, ...]] = field(default_factory=list)
    knowing: list[tuple[float, ...]] = field(default_factory=list)
    shortlists: list[Shortlist | None] = field(default_factory=list)
    used: dict[str, bool] = field(default_factory=dict)
    about: dict[str, About] = field(default_factory=dict)
    learned: Sequence[Sequence[Learned]] = field(default=(), repr=False, compare=False)

    def extended(self, more: "AttackResults") -> "AttackResults":
        """With the people of another attack by the same attackers after its own."""
        self.persons += more.persons
        self.shortlists += more.shortlists
        for name in _BY_DOCUMENT:
            getattr(self, name).extend(getattr(more, name))
        for tallies, further in ((self.documents, more.documents), (self.by_person, more.by_person)):
            for name, tally in tallies.items():
                tally.extend(further[name])
        for crowds, others in ((self.crowds, more.crowds), (self.person_crowds, more.person_crowds)):
            for name, row in crowds.items():
                row += others[name]
        return self

    def __repr__(self) -> str:
        return f"AttackResults({len(self.documents)} attackers, {len(self.persons)} people)"


_BY_DOCUMENT = ("plausible", "sure", "above", "tied", "own", "inferred", "knowing")


@dataclass(slots=True, repr=False)
class Attack:
    """Attackers, a population and the documents whose people are sought; `run` judges one version of their texts.

    With `material` of all profiles the strongest adversary is tried; without, scores and crowds alone are combined.
    `shadow` are documents of other people that an adversary masked himself: they teach who combines, and are not judged.
    `among` are, by document, the columns of the people whom its general values fit; None: everybody.
    """

    population: Population
    originals: Sequence[Document]
    k: int
    seed: int = 0
    advance: Callable[[int], None] = lambda done: None
    pool: Pool = ONE_PROCESS
    shadow: Sequence[Document] = ()
    among: Sequence[IntArray | None] = ()
    _last: tuple[Sequence[str | None], Sequence[Attacker], Scores | None] | None = None

    def run(
        self,
        texts: Sequence[str | None],
        attackers: Sequence[Attacker],
        *,
        material: Material | None = None,
        learned: Sequence[Sequence[Learned]] = (),
    ) -> AttackResults:
        """Attack one version: `texts` in the order of the originals, None where withheld.

        What the same attackers and who combines them have `learned` from another version, if given, is used again.

        A document whose person is not in the population is attacked, but found by nobody.
        """
        version, indexes = self._version(texts, attackers, views_of(attackers, several=material is not None))
        # Who has learned already asks for each text once.
        kept = None if learned else self._scored(version, indexes, texts, attackers)
        sent: Sent = (version, material, kept, *indexes)
        learned = learned or learn(sent, self.pool)
        places = _by_person(version.persons[: len(self.originals)], version.ids)
        result: AttackResults | None = None
        chunks = ((chunk, learned) for chunk in _chunks(places))
        for part in self.pool.map(_attack, sent, chunks):
            result = part if result is None else result.extended(part)
            self.advance(len(next(iter(part.documents.values())).top1))
        if result is None:
            return _empty(replace(version, attackers=attackers), strongest=material is not None)
        _reorder(result, [i for members in places for i in members])
        if material is not None:
            _match(result, [version.columns[group[0]] for group in places], version.people)
        result.shortlists, result.learned = [], learned  # of no use any more, and large; and of use for other versions
        return result

    def first_looks(self, texts: Sequence[str | None], attackers: Sequence[Attacker]) -> list[FirstLook]:
        """For each fold of people the weights of all scores, crowd sizes left aside, that the others' documents teach."""
        version, indexes = self._version(texts, attackers, (View(FUSED, tuple(range(len(attackers))), ()),))
        kept = self._scored(version, indexes, texts, attackers)
        return [looks[0].first for looks in learn((version, None, kept, *indexes), self.pool)]

    def _scored(
        self, version: Version, indexes: tuple[Index, ...], texts: Sequence[str | None], attackers: Sequence[Attacker]
    ) -> Scores | None:
        """Scores of a version that are kept; those of the last one, if it is asked for again."""
        if self._last is None or self._last[0] is not texts or self._last[1] is not attackers:
            self._last = texts, attackers, scored_once(version, indexes, attackers, self.pool)
        return self._last[2]

    def _version(
        self, texts: Sequence[str | None], attackers: Sequence[Attacker], views: tuple[View, ...]
    ) -> tuple[Version, tuple[Index, ...]]:
        """Texts as they are attacked, with those of the shadow, and the attackers' indexes, which travel apart."""
        every = [*self.originals, *self.shadow]
        persons = [str(d.person) for d in every]
        bare, indexes = taken_apart(attackers)
        version = Version(
            [d.id for d in every], persons, [*texts, *(document.text for document in self.shadow)],
            [self.population.rows.get(p, -1) for p in persons], [fold_of(p, str(self.seed), ROTATING) for p in persons],
            len(self.population), self.k, self.seed, bare, views,
            sought=sorted({self.population.rows[p] for p in persons[: len(self.originals)] if p in self.population.rows}),
            among=self.among,
        )  # fmt: skip
        return version, indexes


def _by_person(persons: Sequence[str], ids: Sequence[str]) -> list[list[int]]:
    """Places of each person's documents, those by id: sums of fractions show in what order they were taken."""
    groups: dict[str, list[int]] = {}
    for i, person in enumerate(persons):
        groups.setdefault(person, []).append(i)
    return [sorted(group, key=lambda place: ids[place]) for group in groups.values()]


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


def _attack(shared: Sent, item: tuple[list[list[int]], Sequence[Sequence[Learned]]]) -> AttackResults:
    """Every attacker against some people; documents in the order of people."""
    (version, material, kept, *indexes), (groups, learned) = shared, item
    version = bound(version, indexes, kept)
    result = _empty(version, strongest=material is not None)
    members = {group[-1]: group for group in groups}
    total: dict[str, Scores] = {}
    for i, judged in version.score([i for group in groups for i in group]):
        scores = None if judged is None else judged[0]
        person, looks = version.persons[i], learned[version.folds[i]]
        judge = _Judge(version, looks, material)
        shortlist = judge.judge(result, scores, (i,), alone=True)
        if len(members.get(i, ())) == 1:
            result.persons.append(person)
            result.shortlists.append(shortlist)
            _repeat(result)
            continue
        if scores is not None:
            total[person] = total[person] + scores if person in total else scores
        if i in members:
            result.persons.append(person)
            result.shortlists.append(judge.judge(result, total.pop(person, None), tuple(members[i]), alone=False))
    return result


@dataclass(frozen=True, slots=True, repr=False)
class _Judge:
    """The judge of every attacker from the scores of one document, or of all documents of a person together."""

    version: Version
    learned: Sequence[Learned]
    material: Material | None

    def judge(self, result: AttackResults, scores: Scores | None, unit: Unit, *, alone: bool) -> Shortlist | None:
        """Add one judgement to every tally; scores (attackers, people), None where all is withheld."""
        version, column = self.version, self.version.columns[unit[0]]
        tallies = result.documents if alone else result.by_person
        crowds = result.crowds if alone else result.person_crowds
        if scores is None:
            for tally in tallies.values():
                tally.miss()
            for row in crowds.values():
                row.append(version.people - 1)
            if alone and CROWD_LEARNED in tallies:
                result.plausible.append(-1)
            if alone and self.material is not None:
                result.sure.append(-1.0)
                result.above.append(-1)
                result.tied.append(1)
                result.own.append(0.0)
                fields = self.material.values.fields
                result.inferred.append((-1,) * len(fields))
                result.knowing.append((0.0,) * len(fields))
            return None
        for attacker, row in zip(version.attackers, scores, strict=True):
            guess = int(np.argmax(row))
            if column < 0:
                above, tied = version.people, 1
                tallies[attacker.name].miss(guess)
            else:
                above, tied = standing(row, column)
                tallies[attacker.name].place(above, tied, guess)
            if attacker.used:
                crowds[attacker.name].append(above + tied - 1)
        standard = standardised(scores)
        ranked: dict[int, IntArray] = {}
        reading = self.material.words.read(version.texts_of(unit)) if self.material is not None else None
        shortlist: Shortlist | None = None
        for one in self.learned:
            seen = version.seen(one.view, scores, standard, ranked)
            if one.view.name == STRONGEST:
                self._crowd_sizes(result, tallies, seen, one, column, alone=alone)
            if one.second is None or self.material is None or reading is None:
                tallies[FUSED].add(one.first.scores(evidence(seen, one.first.pattern)), column)
                continue
            case, first = candidates(
                seen, one.first, reading, column, version.k, version.lot("shortlist", unit),
                agreement=version.agreement(unit, one.view),
            )  # fmt: skip
            odds = one.second.scores(case)
            order = ranking(first, case, odds)
            tallies[one.view.name].add(order, column)
            if one is self.learned[-1]:  # whose figures make the headline (`counted`)
                tallies[FUSED].add(first, column)
                given = chances(odds)
                shortlist = case.columns, np.log(np.maximum(given, 1e-12)).astype(np.float32)
                if alone:
                    result.sure.append(float(given.max()))
                    above, tied = standing(order, column) if column >= 0 else (version.people, 1)
                    result.above.append(above)
                    result.tied.append(tied)
                    result.own.append(_credit_among(order, column, version.sought))
                    values = self.material.values
                    result.inferred.append(values.likeliest(case.columns, given))
                    result.knowing.append(values.knowing(order, column) if column >= 0 else (0.0,) * len(values.fields))
        return shortlist

    def _crowd_sizes(
        self, result: AttackResults, tallies: dict[str, Tally], seen: Seen, one: Learned, column: int, *, alone: bool
    ) -> None:
        """Count guesses from crowd sizes alone, and the members of a crowd that could be the person by them."""
        if not len(seen.crowds) or CROWD_LEARNED not in tallies:
            return
        tallies[CROWD_SMALLEST].add(smallest_feasible(seen.crowds, self.version.k), column)
        tallies[CROWD_LEARNED].add(one.first.pattern.scores(seen.crowds), column)
        if alone:
            result.plausible.append(_plausible(seen.crowds, column, self.version.k))


def _credit_among(order: Scores, column: int, people: Sequence[int]) -> float:
    """The credit at the first guess of an adversary who searches among some people only, the true one among them."""
    if column < 0:
        return 0.0
    some = order[people]
    return credit_of(int(np.count_nonzero(some > order[column])), int(np.count_nonzero(some == order[column])))


def _plausible(crowds: IntArray, column: int, k: int) -> int:
    """Members of the crowd whose own crowd is at least k under every reidentifier: the least over reidentifiers.

    A crowd is whoever scores as high as the person; those with a smaller crowd than the person's score higher.
    """
    if column < 0:
        return -1
    feasible = crowds.min(axis=0) >= k
    feasible[column] = False
    return min(int(np.count_nonzero(feasible & (row <= row[column]))) for row in crowds)


def _match(result: AttackResults, columns: Sequence[int], people: int) -> None:
    """Add what one-to-one assignment finds, where it can be made."""
    matched = one_to_one(result.shortlists, people)
    if matched is None:
        return
    right = [float(guess >= 0 and guess == column) for guess, column in zip(matched, columns, strict=True)]
    result.by_person[MATCHED] = Tally(right, list(right), list(right), matched)


def _empty(version: Version, *, strongest: bool) -> AttackResults:
    names = [a.name for a in version.attackers]
    extra = [FUSED, *(view.name for view in version.views if strongest)]
    if strongest and any(a.used for a in version.attackers):
        extra += [CROWD_SMALLEST, CROWD_LEARNED]
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
    for name in _BY_DOCUMENT:
        values = getattr(result, name)
        setattr(result, name, [values[i] for i in order] if values else [])
