"""Attackers made ready, and what each achieves on a text. Nothing here knows how a mask was made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from unname import registry
from unname.draws import draw
from unname.errors import ModelError
from unname.knowledge.population import Population
from unname.log import logger
from unname.parallel.pool import ONE_PROCESS, Pool
from unname.reidentifiers.base import UNKNOWN, About, CountsExamples, Described, FieldIndex, Index, Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.learned.training_examples import by_fold, fold_of
from unname.reidentifiers.names import arguments_of, is_trained, resolve_name
from unname.reidentifiers.terms.wordcounts import Bags
from unname.statistics import credit_of, standing
from unname.types import Document, Profile

# Folds of people: who teaches trained attackers, who teaches how to combine them, and who is judged.
ROTATING = 3
MOST_TRAINING = 10_000
MOST_TRAINING_BESIDE_RELEASE = 1500
ENOUGH_TRAINING = 1000
Scores = npt.NDArray[np.float64]
# Folds that are judged by whoever learns from a document; None for the fold of the document's own person.
Judges = Sequence[int | None]
# What a trained attacker learned from if it is the very one that was used in masking: with a secret seed, so that nobody else
# can make it again, or in a folder that the user named.
SERVED, NAMED = "served", "named"


@dataclass(slots=True, repr=False)
class Tally:
    """Credits of one attacker, one entry a document (or person): found at top 1, 5 and 10; `guess` is its first choice."""

    top1: list[float] = field(default_factory=list)
    top5: list[float] = field(default_factory=list)
    top10: list[float] = field(default_factory=list)
    guess: list[int] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Tally({len(self.top1)})"

    def add(self, scores: Scores, person: int) -> None:
        """Judge one score vector (people,); a person whom the attacker does not know (column −1) cannot be found."""
        guess = int(np.argmax(scores))
        if person < 0:
            self.miss(guess)
        else:
            self.place(*standing(scores, person), guess)

    def place(self, above: int, tied: int, guess: int) -> None:
        """The same when it is known how many score above the person and how many alike, the person included."""
        self.top1.append(credit_of(above, tied))
        self.top5.append(credit_of(above, tied, 5))
        self.top10.append(credit_of(above, tied, 10))
        self.guess.append(guess)

    def miss(self, guess: int = -1) -> None:
        """Not found: a withheld document (no guess), or one of a person whom the attacker does not know."""
        self.top1.append(0.0)
        self.top5.append(0.0)
        self.top10.append(0.0)
        self.guess.append(guess)

    def extend(self, other: "Tally") -> None:
        """Take over all judgements of another tally after one's own."""
        for name in ("top1", "top5", "top10", "guess"):
            getattr(self, name).extend(getattr(other, name))

    def repeat(self, other: "Tally") -> None:
        """Take over the last judgement of another tally."""
        for name in ("top1", "top5", "top10", "guess"):
            getattr(self, name).append(getattr(other, name)[-1])


@dataclass(frozen=True, slots=True, repr=False)
class Attacker:
    """An attacker over one population: one index, or one per fold of people, so that none is attacked by what it taught.

    `split` names the folds. Of what was used in masking each index faces the people of its fold; the attackers' own
    (`rotating`) were each taught by theirs, and face the others. `fitted` are the reidentifiers behind the indexes, where
    somebody may want to index other profiles.
    """

    name: str
    used: bool
    indexes: tuple[Index, ...]
    trained_on: str = ""
    split: str = ""
    fitted: tuple[Reidentifier, ...] = ()
    about: About = UNKNOWN

    def __repr__(self) -> str:
        return f"Attacker({self.name!r}, used={self.used})"

    @property
    def private(self) -> bool:
        """True for a model that learned under the secret key for a masking, and stays in the private folder."""
        return self.trained_on == SERVED

    @property
    def rotating(self) -> bool:
        """True if there is one index for each fold of people, taught by them."""
        return len(self.indexes) == ROTATING

    def scores_of(self, texts: Sequence[str], persons: Sequence[str], judged: int | None = None) -> Scores:
        """Evidence for every profile from each text, about the person given: (texts, people) float64.

        Whoever learns to combine attackers must not see what people of the fold that is `judged` taught; by default
        that is the person's own fold, which teaches nothing about the person in any case.
        """
        scores = np.empty((len(texts), len(self.indexes[0].people)))
        self.score_into(scores, texts, persons, judged)
        return scores

    def score_into(
        self, scores: Scores, texts: Sequence[str], persons: Sequence[str], judged: int | None = None
    ) -> None:
        """The same, written where the caller has room for it."""
        if len(self.indexes) == 1:
            scores[:] = self.indexes[0].scores_of(texts)
            return
        folds = [fold_of(person, self.split, len(self.indexes)) for person in persons]
        for fold in set(folds):
            own = [i for i, of in enumerate(folds) if of == fold]
            some = [texts[i] for i in own]
            scores[own] = sum((index.scores_of(some) for index in self._facing(fold, judged)), np.zeros((1, 1)))

    @property
    def reads_fields(self) -> bool:
        """True if it tells how well a text agrees with each field, and is one that learned from whole texts of others."""
        return not self.used and self.trained_on == "originals" and isinstance(self.indexes[0], FieldIndex)

    def facing(self, person: str, judged: int | None = None) -> tuple[Index, ...]:
        """The indexes whose summed scores judge documents about this person, as in `scores_of`."""
        if len(self.indexes) == 1:
            return self.indexes
        return self._facing(fold_of(person, self.split, len(self.indexes)), judged)

    def _facing(self, fold: int, judged: int | None) -> tuple[Index, ...]:
        if not self.rotating:
            return (self.indexes[fold],)
        return tuple(index for n, index in enumerate(self.indexes) if n not in (fold, judged))

    @property
    def facings(self) -> int:
        """The number of indexes that may face a person, whoever is judged."""
        return ROTATING - 1 if self.rotating else 1

    def apart_into(self, scores: Scores, texts: Sequence[str], persons: Sequence[str]) -> None:
        """Scores under each index that may face a person, (texts, `facings`, people): those of `together`."""
        if not self.rotating:
            self.score_into(scores[:, 0], texts, persons)
            return
        folds = [fold_of(person, self.split, ROTATING) for person in persons]
        for fold in set(folds):
            own = [i for i, of in enumerate(folds) if of == fold]
            some = [texts[i] for i in own]
            for place, index in enumerate(self._facing(fold, None)):
                scores[own, place] = index.scores_of(some)

    def together(self, apart: Scores, person: str, judged: int | None) -> Scores:
        """Of one text what `scores_of` says, from its scores `apart` (facings, people)."""
        if not self.rotating:
            return np.asarray(apart[0])
        fold = fold_of(person, self.split, ROTATING)
        numbers = [number for number in range(ROTATING) if number != fold]
        return np.asarray(sum(row for number, row in zip(numbers, apart, strict=True) if number != judged))

    def judged_into(self, scores: Scores, texts: Sequence[str], persons: Sequence[str], judges: Judges) -> None:
        """The same for each fold that is judged, (judged, texts, people): computed once where that changes nothing."""
        if self.rotating:
            for place, judged in enumerate(judges):
                self.score_into(scores[place], texts, persons, judged)
        else:
            self.score_into(scores[0], texts, persons)
            scores[1:] = scores[0]


def taken_apart(attackers: Sequence[Attacker]) -> tuple[tuple[tuple[Attacker, int], ...], tuple[Index, ...]]:
    """Attackers without their indexes but with how many they have, and all indexes: parts of their own for a pool."""
    bare = tuple((replace(a, indexes=(), fitted=()), len(a.indexes)) for a in attackers)
    return bare, tuple(index for a in attackers for index in a.indexes)


def put_together(bare: Sequence[tuple[Attacker, int]], indexes: Sequence[Index]) -> list[Attacker]:
    """The attackers that were taken apart, without what was fitted."""
    rest = iter(indexes)
    return [replace(attacker, indexes=tuple(islice(rest, count))) for attacker, count in bare]


@dataclass(frozen=True, slots=True)
class _Fit:
    """One fit: of an attacker that reads profiles alone (kind ""), or of one that learns from documents of a fold."""

    name: str
    kind: str = ""
    fold: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class AttackerRequest:
    """A choice of attackers by name, the reidentifiers `used` in masking, and the seed of whatever learns.

    `given` are parameters of those that take such: the `encoder` of who understands, and a `store` of what it computed.
    """

    names: Sequence[str]
    used: Sequence[str] = ()
    seed: int = 0
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class TrainingTexts:
    """Documents that attackers learn from: originals and released texts of the same people, and those of other people.

    `teachers` are those of the originals that may teach: all, or those from which the masking did not learn.
    """

    originals: Sequence[Document] = ()
    released: Sequence[Document] = ()
    training: Sequence[Document] = ()
    teachers: Sequence[Document] | None = None


def fit_attackers(
    asked: AttackerRequest,
    population: Population,
    teaching: TrainingTexts = TrainingTexts(),
    *,
    kinds: Sequence[str] = ("profiles", "originals", "release"),
    ready: Ensemble | None = None,
    again: Sequence[Attacker] = (),
    pool: Pool = ONE_PROCESS,
) -> list[Attacker]:
    """Attackers of the kinds asked for: those that know profiles only first, then the trained ones.

    Trained attackers come in two states of knowledge, both person-disjoint from whom they attack. `…@originals` learned
    from originals of other people: from `training` where that is enough (1,000 documents), else from originals of a third
    of the people as well, once for each third. `…@release` learned from the final release of a third of them, and from
    some of the same training documents (few enough that the release is not drowned). A person is attacked by the two
    that did not learn from their third, together. One with too little to learn from in any third is left out, and not
    fitted to the others. Neither is the one used in masking, although it may be of its kind: it has another seed, other
    folds and all the training documents there are, those of the one used in masking among them. Members of `ready`, over
    the same population, are not fitted again, and a trained one that was used in masking can only come from there;
    `again` are attackers that go on to work with these.
    """
    names, used, seed = asked.names, asked.used, asked.seed
    taught = _taught(kinds, teaching, seed)
    trained = [name for name in names if is_trained(registry.ATTACKERS, name)]
    wanted = [
        (name, kind)
        for name in trained
        for kind in taught
        if _can_learn(asked, name, [*population.profiles, *population.beside], taught[kind])
    ]
    plain = [name for name in dict.fromkeys([*names, *used]) if not is_trained(registry.ATTACKERS, name)]
    if ready is not None and ready.people != tuple(p.id for p in population.profiles):
        raise ModelError("what is fitted already is over other people than the attackers are to search")
    first = [*plain, *(name for name in used if name not in plain)] if "profiles" in kinds else []
    there = {name: one for name in first if (one := _ready(name, name in used, ready)) is not None}
    # What takes longest is begun first.
    fits = [_Fit(name, kind, fold) for name, kind in wanted for fold in range(len(taught[kind]))]
    fits += [_Fit(name) for name in first if name in plain and name not in there]
    fitted: dict[_Fit, tuple[Reidentifier, Index] | None] = {}
    if fits:
        held = (*(ready.apart()[1] if ready is not None else ()), *taken_apart(again)[1])
        fitted |= zip(
            fits,
            pool.map(
                _fitted,
                (Bags(population.profiles), taught, seed, dict(asked.given), population.beside),
                fits,
                held,
            ),
            strict=True,
        )
    for name in plain if "profiles" in kinds else ():
        fresh = fitted.get(_Fit(name))
        if fresh is not None:
            full = resolve_name(name, registry.ATTACKERS)
            there[name] = Attacker(full, name in used, (fresh[1],), fitted=(fresh[0],), about=about_of(fresh[0]))
    attackers = [there[name] for name in first if name in there]
    for name, kind in wanted:
        learned = [fitted[_Fit(name, kind, fold)] for fold in range(len(taught[kind]))]
        whole = [one for one in learned if one is not None]
        if len(whole) < len(learned):
            _say_left_out(name)
            continue
        full = f"{resolve_name(name, registry.ATTACKERS)}@{kind}"
        indexes, reidentifiers = tuple(index for _, index in whole), tuple(fitted for fitted, _ in whole)
        attackers.append(Attacker(full, False, indexes, kind, str(seed), reidentifiers, about_of(reidentifiers[0])))
    return attackers


def about_of(reidentifier: Reidentifier) -> About:
    """A reidentifier's description of itself."""
    return reidentifier.about if isinstance(reidentifier, Described) else UNKNOWN


def _distinguished(about: About, label: str) -> About:
    """The description of one of several of a kind: its title bears the label that tells it from the others."""
    return replace(about, title=f"{about.title} ({label})") if label else about


def _taught(kinds: Sequence[str], teaching: TrainingTexts, seed: int) -> dict[str, list[list[Document]]]:
    """By state of knowledge what teaches a trained attacker: one group for everybody, or one for each fold of people."""
    apart = teachable(teaching.training, teaching.originals, seed)
    taught: dict[str, list[list[Document]]] = {}
    if "originals" in kinds:
        folds = (
            [[]]
            if len(apart) >= ENOUGH_TRAINING
            else by_fold(teaching.originals if teaching.teachers is None else teaching.teachers, str(seed), ROTATING)
        )
        taught["originals"] = [[*fold, *apart] for fold in folds]
    if "release" in kinds and teaching.released:
        beside = apart[:MOST_TRAINING_BESIDE_RELEASE]
        taught["release"] = [[*fold, *beside] for fold in by_fold(teaching.released, str(seed), ROTATING)]
    return taught


def teachable(training: Sequence[Document], originals: Sequence[Document], seed: int) -> list[Document]:
    """Documents about people whom nobody attacks, in an order drawn by hash: as many as attackers learn from."""
    attacked = {d.person for d in originals}
    apart = [d for d in training if d.person is not None and d.person not in attacked]
    return sorted(apart, key=lambda d: draw("training", seed, d.id))[:MOST_TRAINING]


def model_attackers(
    models: Sequence[Reidentifier], population: Population, *, pool: Pool = ONE_PROCESS
) -> list[Attacker]:
    """Attackers that somebody trained elsewhere, over this population: `…@model`, numbered where there are several."""
    numbers = [""] if len(models) == 1 else [str(place) for place in range(1, len(models) + 1)]
    sent: _Models = (population.profiles, *models)
    made = pool.map(_indexed, sent, range(len(models))) if models else iter(())
    return [
        Attacker(
            f"{model.name}@model{number}",
            False,
            (index,),
            f"model{number}",
            fitted=(model,),
            about=_distinguished(about_of(model), number),
        )
        for model, number, index in zip(models, numbers, made, strict=True)
    ]


_Models = tuple[Sequence[Profile], *tuple[Reidentifier, ...]]


def _indexed(shared: _Models, place: int) -> Index:
    profiles, *models = shared
    return models[place].index(profiles)


def _ready(name: str, used: bool, ensemble: Ensemble | None) -> Attacker | None:
    """The attacker that an ensemble holds of this name: the very one used in masking, where it was."""
    full = resolve_name(name, registry.ATTACKERS)
    if ensemble is None or full not in ensemble.fitted:
        return None
    fitted = ensemble.fitted[full]
    trained = is_trained(registry.ATTACKERS, name)
    registered = full in registry.names(registry.ATTACKERS)
    if (registered and type(fitted[0]) is not type(registry.create(registry.ATTACKERS, name))) or (
        trained and not used
    ):
        return None
    about = _distinguished(about_of(fitted[0]), full.partition(":")[2])
    state = "" if not trained else SERVED if full in ensemble.secret else NAMED
    return Attacker(full, used, ensemble.members[full], state, ensemble.split, fitted, about)


_Fitting = tuple[
    Sequence[Profile], Mapping[str, Sequence[Sequence[Document]]], int, Mapping[str, Any], Sequence[Profile]
]


def _fitted(shared: _Fitting, fit: _Fit) -> tuple[Reidentifier, Index] | None:
    """A reidentifier and its index; None where there was too little to learn from."""
    profiles, taught, seed, given, beside = shared
    if not fit.kind:
        plain: Reidentifier = registry.create(registry.ATTACKERS, fit.name)
        return plain, plain.fit(profiles).index(profiles)
    learner = _learner(fit.name, seed, given)
    try:
        return learner, learner.fit([*profiles, *beside], taught[fit.kind][fit.fold]).index(profiles)
    except ModelError:
        return None


def _learner(name: str, seed: int, given: Mapping[str, Any]) -> Reidentifier:
    """An attacker that learns, before it has."""
    taken = {key: value for key, value in given.items() if key in arguments_of(registry.ATTACKERS, name)}
    made: Reidentifier = registry.create(registry.ATTACKERS, name, seed=seed, **taken)
    return made


def _can_learn(
    asked: AttackerRequest, name: str, profiles: Sequence[Profile], groups: Sequence[Sequence[Document]]
) -> bool:
    """True if each of the groups is enough for an attacker, so far as counting tells: none is fitted to some of them."""
    learner = _learner(name, asked.seed, asked.given)
    if not isinstance(learner, CountsExamples) or all(learner.can_learn(profiles, g) for g in groups):
        return True
    _say_left_out(name)
    return False


def _say_left_out(name: str) -> None:
    logger.warning("attacker %s left out: too little to train on", name)


def released_documents(originals: Sequence[Document], texts: Sequence[str | None]) -> list[Document]:
    """The originals with their released texts; withheld ones left out."""
    return [replace(d, text=t, spans=()) for d, t in zip(originals, texts, strict=True) if t is not None]
