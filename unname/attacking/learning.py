"""The learning of adversaries before they judge: for each fold of people from documents of the others, in two looks.

Three folds rotate: who teaches trained attackers, who teaches how to combine them, and who is judged.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unname.attacking.adversary import (
    Candidates,
    FirstLook,
    SecondLook,
    Seen,
    best_kind,
    candidates,
    gains_of_kinds,
    learn_first,
    learn_second,
    standardised,
)
from unname.attacking.attackers import ROTATING, Attacker, Scores
from unname.attacking.fieldvalues import FieldValues, field_values
from unname.attacking.profilewords import ProfileWords, profile_words
from unname.attacking.texts import Unit, Version, View, bound
from unname.errors import InvariantError
from unname.knowledge.population import Population
from unname.parallel.pool import Pool
from unname.reidentifiers.base import Index, IntArray

STRONGEST, WITHOUT_MODELS = "strongest", "strongest-without-models"


def counted(names: Container[str]) -> str:
    """The adversary whose figures make the headline: the one without the private models, where there are such.

    They learned under the secret key and lie in the private folder; whoever holds that needs no attack.
    """
    return WITHOUT_MODELS if WITHOUT_MODELS in names else STRONGEST


# Documents of a fold of people that teach the first look, and the second.
FIRST_DOCUMENTS, SECOND_DOCUMENTS = 100, 250
# With more people than this fewer documents teach, so that learning takes no longer.
MANY_PEOPLE = 100_000
_LEARNED_AT_A_TIME = 25
# Who teaches whom: for each fold that is judged the two others.
_OTHERS = tuple(tuple(fold for fold in range(ROTATING) if fold != judged) for judged in range(ROTATING))


@dataclass(frozen=True, slots=True, repr=False)
class Material:
    """Parts of profiles that are read beside their scores: words and values."""

    words: ProfileWords
    values: FieldValues

    def __repr__(self) -> str:
        return "Material()"


def material_of(population: Population) -> Material:
    """Read all profiles once."""
    names = population.field_names()
    return Material(profile_words(population.profiles, names), field_values(population.profiles, names))


@dataclass(frozen=True, slots=True, repr=False)
class Learned:
    """An adversary of one view, ready to judge one fold of people; without a second look, its first is all."""

    view: View
    first: FirstLook
    second: SecondLook | None = None


def views_of(attackers: Sequence[Attacker], *, several: bool) -> tuple[View, ...]:
    """All that can be known; and where the mask follows private models, all but those, own copies in their place."""
    rows, used = range(len(attackers)), [row for row, a in enumerate(attackers) if a.used]
    views = [View(STRONGEST, tuple(rows), tuple(used))]
    private = [row for row in used if attackers[row].private]
    if private and several:
        known = [row for row in rows if row not in private]
        crowds = (*(row for row in used if row in known), *_copies(attackers, private))
        views.append(View(WITHOUT_MODELS, tuple(known), crowds))
    return tuple(views)


def _copies(attackers: Sequence[Attacker], private: Sequence[int]) -> list[int]:
    """Rows of attackers of the same kinds as private models, which learned from originals, else from the release."""
    named = {a.name: row for row, a in enumerate(attackers)}
    wanted = [[f"{attackers[row].name}@{kind}" for kind in ("originals", "release")] for row in private]
    return [named[there[0]] for names in wanted if (there := [name for name in names if name in named])]


# The version, the material of the second look or None, scores that are kept or None, and the attackers' indexes.
Sent = tuple[Version, Material | None, Scores | None, *tuple[Index, ...]]


def learn(shared: Sent, pool: Pool) -> list[list[Learned]]:
    """For each fold that is judged what adversaries of each view learned from the others."""
    version, material, *_ = shared
    few = [version.units(fold, _fewer(FIRST_DOCUMENTS, version.people)) for fold in range(ROTATING)]
    asked = [_Teaching(judged, {fold: few[fold] for fold in _OTHERS[judged]}) for judged in range(ROTATING)]
    looks = list(pool.map(_first_looks, shared, asked))
    firsts = [by_teachers[_OTHERS[judged]] for judged, by_teachers in enumerate(looks)]
    if material is None:
        return firsts
    cases = _all_cases(shared, pool, looks)
    # Its kind is chosen once, in the first view and by those who teach one judge: for each judge, trying takes longer than
    # all that is fitted then. If that helps an attacker who judges some of them, it is one choice among four.
    fullest = max((views[0] for views in cases), key=lambda folds: sum(map(len, folds)))
    kind = best_kind(
        list(pool.map(_gains, (), [(fullest, held, version.seed) for held in range(len(fullest))], shared))
    )
    seconds = pool.map(_second_looks, (), [(views, version.seed, kind) for views in cases], shared)
    return [
        [replace(first, second=second) for first, second in zip(of_views, learned, strict=True)]
        for of_views, learned in zip(firsts, seconds, strict=True)
    ]


def _fewer(documents: int, people: int) -> int:
    """The number of documents that teach: fewer where each is held against very many people, but a fifth at least."""
    return max(documents // 5, min(documents, documents * MANY_PEOPLE // max(people, 1)))


@dataclass(frozen=True, slots=True, repr=False)
class _Teaching:
    """Units of the folds that teach the judge of another one."""

    judged: int
    units: Mapping[int, Sequence[Unit]]


_Looks = dict[tuple[int, ...], list[Learned]]


def _first_looks(shared: Sent, teaching: _Teaching) -> _Looks:
    """First looks of every view, taught by each fold alone and by both: {folds that taught: looks}."""
    version, material, kept, *indexes = shared
    version = bound(version, indexes, kept)
    seen = {fold: list(_drawn(version, units, teaching.judged)) for fold, units in teaching.units.items()}
    groups: dict[tuple[int, ...], list[tuple[list[Seen], int]]] = {
        tuple(seen): [row for r in seen.values() for row in r]
    }
    if material is not None:
        groups |= {(fold,): rows for fold, rows in seen.items()}
    return {
        folds: [
            Learned(view, learn_first([(row[place], person) for row, person in rows], len(view.rows), len(view.crowds)))
            for place, view in enumerate(version.views)
        ]
        for folds, rows in groups.items()
    }


def _drawn(version: Version, units: Sequence[Unit], judged: int) -> Iterator[tuple[list[Seen], int]]:
    """Every view of some people, drawn by hash, for each unit, and the place of the unit's person."""
    for unit, (scores,) in version.sums(units, (judged,)):
        standard: Scores = standardised(scores)
        crowds: dict[int, IntArray] = {}
        kept = version.drawn(unit)
        seen = [version.seen(view, scores, standard, crowds) for view in version.views]
        yield [one.of(kept) for one in seen], int(np.searchsorted(kept, version.columns[unit[0]]))


@dataclass(frozen=True, slots=True, repr=False)
class _Stretch:
    """Some units of a fold, and for each of the other folds, when it is judged, first looks that they did not teach."""

    fold: int
    units: Sequence[Unit]
    learned: Sequence[Sequence[Learned]]


def _all_cases(shared: Sent, pool: Pool, looks: Sequence[_Looks]) -> list[list[list[list[Candidates]]]]:
    """For each fold that is judged, each view, and each of the folds that teach: shortlists.

    Who puts a shortlist in order must have seen shortlists of a first look that their people did not teach.
    """
    version = shared[0]
    many = [version.units(fold, _fewer(SECOND_DOCUMENTS, version.people)) for fold in range(ROTATING)]
    cases_by_fold: list[list[list[list[Candidates]]]] = [
        [[[] for _ in others] for _ in version.views] for others in _OTHERS
    ]
    stretches = []
    for fold, others in enumerate(_OTHERS):
        # Whoever judges one of the others was taught by this fold and by the third.
        learned = [looks[judged][(others[1 - place],)] for place, judged in enumerate(others)]
        for start in range(0, len(many[fold]), _LEARNED_AT_A_TIME):
            stretches.append(_Stretch(fold, many[fold][start : start + _LEARNED_AT_A_TIME], learned))
    for stretch, by_judged in zip(stretches, pool.map(_cases, shared, stretches), strict=True):
        for judged, by_view in zip(_OTHERS[stretch.fold], by_judged, strict=True):
            place = _OTHERS[judged].index(stretch.fold)
            for view, cases in enumerate(by_view):
                cases_by_fold[judged][view][place] += cases
    return cases_by_fold


def _cases(shared: Sent, stretch: _Stretch) -> list[list[list[Candidates]]]:
    """For each of the other folds that is judged and each view: shortlists of the units whose true person is on it."""
    version, material, kept, *indexes = shared
    version = bound(version, indexes, kept)
    if material is None:
        raise InvariantError("shortlists are put in order by material alone")
    by_fold: list[list[list[Candidates]]] = [[[] for _ in looks] for looks in stretch.learned]
    for unit, judged in version.sums(stretch.units, _OTHERS[stretch.fold]):
        reading = material.words.read(version.texts_of(unit))
        crowds: dict[int, IntArray] = {}
        for fold, scores, looks, by_view in zip(_OTHERS[stretch.fold], judged, stretch.learned, by_fold, strict=True):
            standard = standardised(scores)
            # Crowds under attackers that are the same whoever is judged stay.
            crowds = {row: ranked for row, ranked in crowds.items() if not version.attackers[row].rotating}
            for one, cases in zip(looks, by_view, strict=True):
                seen = version.seen(one.view, scores, standard, crowds)
                case, _ = candidates(
                    seen, one.first, reading, version.columns[unit[0]], version.k, version.lot("shortlist", unit),
                    agreement=version.agreement(unit, one.view, fold),
                )  # fmt: skip
                if case.true >= 0:
                    cases.append(case.thinned(version.lot("others", unit)))
    return by_fold


def _gains(shared: tuple[()], item: tuple[Sequence[Sequence[Candidates]], int, int]) -> Mapping[str, float]:
    return gains_of_kinds(*item)


def _second_looks(
    shared: tuple[()], item: tuple[Sequence[Sequence[Sequence[Candidates]]], int, str]
) -> list[SecondLook]:
    return learn_second(*item)
