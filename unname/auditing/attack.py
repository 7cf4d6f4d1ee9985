"""Every attacker against every text of one corpus version: the raw material of an audit.

Documents are taken person by person, so that what several documents of a person give away together is seen too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unname.auditing.adversary import (
    Case,
    FirstLook,
    SecondLook,
    Seen,
    candidates,
    chances,
    evidence,
    fit_weights,
    learn_second,
    ranking,
    standardised,
)
from unname.auditing.attackers import ROTATING, Attacker, Scores, Tally, put_together, taken_apart
from unname.auditing.crowdsizes import CrowdPattern, all_crowds, smallest_feasible
from unname.auditing.fieldvalues import FieldValues, field_values
from unname.auditing.matching import Shortlist, one_to_one
from unname.auditing.profilewords import ProfileWords, profile_words
from unname.auditing.statistics import standing
from unname.draws import draw
from unname.knowledge.population import Population
from unname.parallel.pool import ONE_PROCESS, Pool, Shared
from unname.reidentifiers.base import About, IntArray
from unname.reidentifiers.training_examples import fold_of
from unname.types import Document

FUSED, STRONGEST, WITHOUT_MODELS, MATCHED = "fused", "strongest", "strongest-without-models", "matched"
CROWD_SMALLEST, CROWD_LEARNED = "crowd-smallest", "crowd-learned"
# Who is not a single attacker.
COMBINED = (FUSED, STRONGEST, WITHOUT_MODELS, MATCHED, CROWD_SMALLEST, CROWD_LEARNED)
# Documents of a fold of people that teach the first look, and the second.
FIRST_DOCUMENTS, SECOND_DOCUMENTS = 100, 250
# With more people than this fewer documents teach, so that learning takes no longer.
MANY_PEOPLE = 100_000
# Candidates that the first look learns from.
MOST_CANDIDATES = 4000
BLOCK_CELLS = 8_000_000
# Documents that one process attacks at a time; the same for any number of processes.
CHUNK = 100
_LEARNED_AT_A_TIME = 25
# A document, or several of one person, by their places.
Unit = tuple[int, ...]


@dataclass(slots=True, repr=False)
class AttackResults:
    """Tallies by attacker over documents (in input order) and over people (`persons`), and exact crowds of used members.

    Of the strongest adversary also, for each document, how sure the guess is and how many others stand above the person
    (−1 where nothing was released), which value of each field it holds for likeliest, and the credit of who knows a field.
    """

    documents: dict[str, Tally] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)
    by_person: dict[str, Tally] = field(default_factory=dict)
    crowds: dict[str, list[int]] = field(default_factory=dict)
    person_crowds: dict[str, list[int]] = field(default_factory=dict)
    plausible: list[int] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    inferred: list[tuple[int, ...]] = field(default_factory=list)
    knowing: list[tuple[float, ...]] = field(default_factory=list)
    shortlists: list[Shortlist | None] = field(default_factory=list)
    used: dict[str, bool] = field(default_factory=dict)
    about: dict[str, About] = field(default_factory=dict)

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


_BY_DOCUMENT = ("plausible", "sure", "above", "inferred", "knowing")


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """What an adversary knows: rows of the attackers whose scores he has, and rows whose crowds the mask may follow."""

    name: str
    rows: tuple[int, ...]
    crowds: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Material:
    """What is read of profiles beside their scores: words and values."""

    words: ProfileWords
    values: FieldValues

    def __repr__(self) -> str:
        return "Material()"


def material_of(population: Population) -> Material:
    """Read all profiles once."""
    names = population.field_names()
    return Material(profile_words(population.profiles, names), field_values(population.profiles, names))


@dataclass(slots=True, repr=False)
class _Version:
    """One version of the texts under attack. Column −1 is a person nobody here knows."""

    ids: Sequence[str]
    persons: Sequence[str]
    texts: Sequence[str | None]
    columns: Sequence[int]
    folds: Sequence[int]
    people: int
    k: int
    seed: int
    bare: Sequence[tuple[Attacker, int]] = ()
    views: tuple[View, ...] = ()
    attackers: Sequence[Attacker] = ()

    @property
    def used(self) -> list[int]:
        """Rows of the attackers that were used in masking."""
        return [row for row, attacker in enumerate(self.attackers) if attacker.used]

    def score(self, chosen: Sequence[int], judged: int | None = None) -> Iterator[tuple[int, Scores | None]]:
        """(document, scores (attackers, people) float64) of each, None of a withheld one.

        Rows are as for learning to combine attackers where another fold is `judged`.
        """
        rows = len(self.attackers)
        # In stretches whose scores fit in memory together.
        size = max(1, min(256, BLOCK_CELLS // (self.people * max(1, rows))))
        for start in range(0, len(chosen), size):
            block = chosen[start : start + size]
            shown = [(i, text) for i in block if (text := self.texts[i]) is not None]
            texts, persons = [text for _, text in shown], [self.persons[i] for i, _ in shown]
            found = np.empty((len(shown), rows, self.people))
            for row in range(rows if shown else 0):
                self.attackers[row].score_into(found[:, row], texts, persons, judged)
            fresh = {i: scores for (i, _), scores in zip(shown, found, strict=True)}
            for i in block:
                yield i, fresh.get(i)

    def units(self, fold: int, most: int) -> list[Unit]:
        """Released documents of a fold, drawn by hash; where people have several, half are all those of a person."""
        groups: dict[str, list[int]] = {}
        for i, of in enumerate(self.folds):
            if of == fold and self.texts[i] is not None and self.columns[i] >= 0:
                groups.setdefault(self.persons[i], []).append(i)
        single = sorted((i for group in groups.values() for i in group), key=lambda i: draw("", self.seed, self.ids[i]))
        several = sorted((g for g in groups.values() if len(g) > 1), key=lambda g: draw("", self.seed, self.ids[g[0]]))
        together = several[: most // 2]
        return [*((i,) for i in single[: most - len(together)]), *map(tuple, together)]

    def sums(self, units: Sequence[Unit], judged: int) -> Iterator[tuple[Unit, Scores]]:
        """Summed scores of each unit, as a combination learns from them."""
        scored = self.score([i for unit in units for i in unit], judged)
        for unit in units:
            parts = [scores for _ in unit if (scores := next(scored)[1]) is not None]
            yield unit, sum(parts[1:], parts[0])

    def seen(self, view: View, scores: Scores, standard: Scores, crowds: dict[int, IntArray], unit: Unit) -> Seen:
        """What an adversary of this view sees of a unit."""
        rows = [crowds.setdefault(row, all_crowds(scores[row])) for row in view.crowds]
        texts = tuple(text for i in unit if (text := self.texts[i]) is not None)
        return Seen(standard[list(view.rows)], np.array(rows, np.int64).reshape(len(rows), self.people), texts)

    def drawn(self, unit: Unit) -> IntArray:
        """Columns of some people, drawn by hash, among them the unit's own: (candidates,) in ascending order."""
        if self.people <= MOST_CANDIDATES:
            return np.arange(self.people)
        digest = draw("", self.seed, self.ids[unit[0]])
        some = np.random.default_rng(int.from_bytes(digest[:8])).choice(self.people, MOST_CANDIDATES, replace=False)
        return np.unique(np.append(some, self.columns[unit[0]])).astype(np.int64)


@dataclass(frozen=True, slots=True, repr=False)
class _Learned:
    """What an adversary of one view learned to judge one fold of people; without a second look, its first is all."""

    view: View
    first: FirstLook
    second: SecondLook | None = None


@dataclass(slots=True, repr=False)
class Attack:
    """Attackers, a population and the documents whose people are sought; `run` judges one version of their texts.

    With `material` of all profiles the strongest adversary is tried; without, scores and crowds alone are combined.
    """

    population: Population
    originals: Sequence[Document]
    k: int
    seed: int = 0
    advance: Callable[[int], None] = lambda done: None
    pool: Pool = ONE_PROCESS

    def run(
        self, texts: Sequence[str | None], attackers: Sequence[Attacker], *, material: Material | None = None
    ) -> AttackResults:
        """Attack one version: `texts` in the order of the originals, None where withheld.

        A document whose person is not in the population is attacked, but found by nobody.
        """
        persons = [str(d.person) for d in self.originals]
        bare, indexes = taken_apart(attackers)
        version = _Version(
            [d.id for d in self.originals], persons, texts, [self.population.rows.get(p, -1) for p in persons],
            [fold_of(p, str(self.seed), ROTATING) for p in persons], len(self.population), self.k, self.seed, bare,
            _views(attackers, several=material is not None),
        )  # fmt: skip
        learned = self._learned((version, material, *indexes))
        places = _by_person(persons)
        result: AttackResults | None = None
        chunks = ((chunk, learned) for chunk in _chunks(places))
        for found in self.pool.map(_attack, (version, material, *indexes), chunks):
            result = found if result is None else result.extended(found)
            self.advance(len(next(iter(found.documents.values())).top1))
        if result is None:
            return _empty(replace(version, attackers=attackers), strongest=material is not None)
        _reorder(result, [i for members in places for i in members])
        if material is not None:
            _match(result, [version.columns[group[0]] for group in places], version.people)
        result.shortlists = []  # of no use any more, and large
        return result

    def _learned(self, shared: Shared) -> list[list[_Learned]]:
        """For each fold that is judged what adversaries of each view learned from the others."""
        version, material = shared[:2]
        others = [tuple(fold for fold in range(ROTATING) if fold != judged) for judged in range(ROTATING)]
        few = [version.units(fold, _fewer(FIRST_DOCUMENTS, version.people)) for fold in range(ROTATING)]
        # Who puts a shortlist in order must have seen shortlists of a first look that their people did not teach.
        wanted = [(judged, others[judged]) for judged in range(ROTATING)]
        if material is not None:
            wanted += [(judged, (fold,)) for judged in range(ROTATING) for fold in others[judged]]
        asked = [(judged, [unit for fold in folds for unit in few[fold]]) for judged, folds in wanted]
        looks = dict(zip(wanted, self.pool.map(_first_looks, shared, asked), strict=True))
        found = [looks[judged, others[judged]] for judged in range(ROTATING)]
        if material is None:
            return found
        many = [version.units(fold, _fewer(SECOND_DOCUMENTS, version.people)) for fold in range(ROTATING)]
        stretches = [
            (judged, fold, _Stretch(judged, many[fold][start : start + _LEARNED_AT_A_TIME], looks[judged, (other,)]))
            for judged in range(ROTATING) for fold, other in (others[judged], others[judged][::-1])
            for start in range(0, len(many[fold]), _LEARNED_AT_A_TIME)
        ]  # fmt: skip
        cases: dict[tuple[int, int], dict[int, list[Case]]] = {
            (judged, place): {fold: [] for fold in others[judged]}
            for judged in range(ROTATING) for place in range(len(version.views))
        }  # fmt: skip
        made = self.pool.map(_cases, shared, [stretch for _, _, stretch in stretches])
        for (judged, fold, _), rows in zip(stretches, made, strict=True):
            for place, some in enumerate(rows):
                cases[judged, place][fold] += some
        several = range(len(version.views))
        tasks = [([[*cases[judged, place].values()] for place in several], self.seed) for judged in range(ROTATING)]
        taught = self.pool.map(_second_looks, (), tasks, shared)
        return [
            [replace(first, second=second) for first, second in zip(firsts, seconds, strict=True)]
            for firsts, seconds in zip(found, taught, strict=True)
        ]


def _fewer(documents: int, people: int) -> int:
    """How many documents teach: fewer where each is held against very many people, but a fifth at least."""
    return max(documents // 5, min(documents, documents * MANY_PEOPLE // max(people, 1)))


def _views(attackers: Sequence[Attacker], *, several: bool) -> tuple[View, ...]:
    """All that can be known; and where the mask follows private models, all but those, own copies in their place."""
    rows, used = range(len(attackers)), [row for row, a in enumerate(attackers) if a.used]
    views = [View(STRONGEST, tuple(rows), tuple(used))]
    private = [row for row in used if attackers[row].private]
    if private and several:
        known = [row for row in rows if row not in private]
        views.append(
            View(WITHOUT_MODELS, tuple(known), (*(r for r in used if r in known), *_copies(attackers, private)))
        )
    return tuple(views)


def _copies(attackers: Sequence[Attacker], private: Sequence[int]) -> list[int]:
    """Rows of attackers of the same kinds as private models, which learned from originals, else from the release."""
    named = {a.name: row for row, a in enumerate(attackers)}
    wanted = [[f"{attackers[row].name}@{kind}" for kind in ("originals", "release")] for row in private]
    return [named[there[0]] for names in wanted if (there := [name for name in names if name in named])]


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
    version.attackers = version.attackers or put_together(version.bare, shared[2:])
    return version


def _first_looks(shared: Shared, item: tuple[int, Sequence[Unit]]) -> list[_Learned]:
    """First looks of every view, from documents of people other than those judged."""
    version, (judged, units) = _bound(shared), item
    seen: list[list[tuple[Seen, int]]] = [[] for _ in version.views]
    patterns = [CrowdPattern() for _ in version.views]
    for unit, scores in version.sums(units, judged):
        standard, column = standardised(scores), version.columns[unit[0]]
        crowds: dict[int, IntArray] = {}
        kept = version.drawn(unit)
        for rows, pattern, view in zip(seen, patterns, version.views, strict=True):
            whole = version.seen(view, scores, standard, crowds, unit)
            if len(whole.crowds):
                pattern.learn(whole.crowds, column)
            light = Seen(whole.scores[:, kept].astype(np.float32), whole.crowds[:, kept], ())
            rows.append((light, int(np.searchsorted(kept, column))))
    found = []
    for rows, pattern, view in zip(seen, patterns, version.views, strict=True):
        taught = [evidence(one, pattern, known=person).astype(np.float32) for one, person in rows]
        members = len(view.rows) + (len(view.crowds) + 2 * (len(view.crowds) > 1) if view.crowds else 0)
        weights = fit_weights(taught, [person for _, person in rows], members=members)
        found.append(_Learned(view, FirstLook(weights, pattern)))
    return found


@dataclass(frozen=True, slots=True, repr=False)
class _Stretch:
    """Some units that teach who judges a fold, and first looks that they did not teach."""

    judged: int
    units: Sequence[Unit]
    learned: Sequence[_Learned]


def _cases(shared: Shared, stretch: _Stretch) -> list[list[Case]]:
    """For each view shortlists of documents of people other than those judged, whose true person is on it."""
    version, material, learned = _bound(shared), shared[1], stretch.learned
    found: list[list[Case]] = [[] for _ in learned]
    for unit, scores in version.sums(stretch.units, stretch.judged):
        standard, column = standardised(scores), version.columns[unit[0]]
        crowds: dict[int, IntArray] = {}
        for cases, one in zip(found, learned, strict=True):
            seen = version.seen(one.view, scores, standard, crowds, unit)
            case, _ = candidates(seen, one.first, material.words, column, version.k)
            if case.true >= 0:
                cases.append(case.thinned(version.seed, version.ids[unit[0]]))
    return found


def _second_looks(shared: Shared, item: tuple[Sequence[Sequence[Sequence[Case]]], int]) -> list[SecondLook]:
    return learn_second(*item)


def _attack(shared: Shared, item: tuple[list[list[int]], Sequence[Sequence[_Learned]]]) -> AttackResults:
    """Every attacker against some people; documents in the order of people."""
    version, material, (groups, learned) = _bound(shared), shared[1], item
    result = _empty(version, strongest=material is not None)
    members = {group[-1]: group for group in groups}
    total: dict[str, Scores] = {}
    for i, scores in version.score([i for group in groups for i in group]):
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
    """Who is found by whom from the scores of one document, or of all documents of a person together."""

    version: _Version
    learned: Sequence[_Learned]
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
        shortlist: Shortlist | None = None
        for one in self.learned:
            seen = version.seen(one.view, scores, standard, ranked, unit)
            if one.view.name == STRONGEST:
                self._crowd_sizes(result, tallies, seen, one, column, alone=alone)
            if one.second is None or self.material is None:
                tallies[FUSED].add(one.first.scores(one.first.evidence(seen)), column)
                continue
            case, first = candidates(seen, one.first, self.material.words, column, version.k)
            odds = one.second.scores(case)
            order = ranking(first, case, odds)
            tallies[one.view.name].add(order, column)
            if one.view.name == STRONGEST:
                tallies[FUSED].add(first, column)
                given = chances(odds)
                shortlist = case.columns, np.log(np.maximum(given, 1e-12)).astype(np.float32)
                if alone:
                    result.sure.append(float(given.max()))
                    result.above.append(standing(order, column)[0] if column >= 0 else version.people)
                    values = self.material.values
                    result.inferred.append(values.likeliest(case.columns, given))
                    result.knowing.append(values.knowing(order, column) if column >= 0 else (0.0,) * len(values.fields))
        return shortlist

    def _crowd_sizes(
        self, result: AttackResults, tallies: dict[str, Tally], seen: Seen, one: _Learned, column: int, *, alone: bool
    ) -> None:
        """What crowd sizes alone tell, and how many of a crowd could be the person by them."""
        if not len(seen.crowds) or CROWD_LEARNED not in tallies:
            return
        tallies[CROWD_SMALLEST].add(smallest_feasible(seen.crowds, self.version.k), column)
        tallies[CROWD_LEARNED].add(one.first.pattern.scores(seen.crowds), column)
        if alone:
            result.plausible.append(_plausible(seen.crowds, column, self.version.k))


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


def _empty(version: _Version, *, strongest: bool) -> AttackResults:
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
