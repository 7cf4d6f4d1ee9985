"""Attackers made ready, and what each achieves on a text. Nothing here knows how a mask was made."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from unname import registry
from unname.auditing.statistics import credit_of, standing
from unname.errors import ModelError
from unname.knowledge.population import Population
from unname.log import logger
from unname.reidentifiers.base import Index, Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.wordcounts import Bags
from unname.spread import Parts, Spread, alone
from unname.types import Document, Profile

FOLDS = 2
MOST_TRAINING = 10_000
MOST_TRAINING_BESIDE_RELEASE = 3000
ENOUGH_TRAINING = 1000
Scores = npt.NDArray[np.float64]


def fold_of(person: str, seed: int) -> int:
    """Which of the person-disjoint folds a person is in; the same for every attacker and audit with this seed."""
    return hashlib.sha256(f"fold\0{seed}\0{person}".encode()).digest()[0] % FOLDS


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

    `fitted` are the reidentifiers behind the indexes, where somebody may want to index other profiles.
    """

    name: str
    used: bool
    indexes: tuple[Index, ...]
    trained_on: str = ""
    fitted: tuple[Reidentifier, ...] = ()

    def __repr__(self) -> str:
        return f"Attacker({self.name!r}, used={self.used})"

    def scores_of(self, texts: Sequence[str], folds: Sequence[int]) -> Scores:
        """Evidence for every profile from each text, whose person is in the fold given: (texts, people) float64."""
        found = np.empty((len(texts), len(self.indexes[0].people)))
        self.score_into(found, texts, folds)
        return found

    def score_into(self, found: Scores, texts: Sequence[str], folds: Sequence[int]) -> None:
        """The same, written where the caller has room for it."""
        if len(self.indexes) == 1:
            found[:] = self.indexes[0].scores_of(texts)
            return
        for fold, index in enumerate(self.indexes):
            own = [i for i, of in enumerate(folds) if of == fold]
            if own:
                found[own] = index.scores_of([texts[i] for i in own])


def taken_apart(attackers: Sequence[Attacker]) -> tuple[tuple[tuple[Attacker, int], ...], tuple[Index, ...]]:
    """Attackers without their indexes but with how many they have, and all indexes: parts of their own for a spread."""
    bare = tuple((replace(a, indexes=(), fitted=()), len(a.indexes)) for a in attackers)
    return bare, tuple(index for a in attackers for index in a.indexes)


def put_together(bare: Sequence[tuple[Attacker, int]], indexes: Sequence[Index]) -> list[Attacker]:
    """The attackers that were taken apart, without what was fitted."""
    rest = iter(indexes)
    return [replace(attacker, indexes=tuple(islice(rest, count))) for attacker, count in bare]


def is_trained(name: str) -> bool:
    """Whether an attacker learns from documents, not from profiles alone."""
    return bool(getattr(registry.create(registry.ATTACKERS, name), "trained", False))


@dataclass(frozen=True, slots=True)
class _Fit:
    """One fit: of an attacker that reads profiles alone (kind ""), or of one that learns from documents of a fold."""

    name: str
    kind: str = ""
    fold: int = 0


def fit_attackers(
    names: Sequence[str],
    used: Sequence[str],
    population: Population,
    *,
    originals: Sequence[Document] = (),
    released: Sequence[Document] = (),
    training: Sequence[Document] = (),
    seed: int = 0,
    kinds: Sequence[str] = ("profiles", "originals", "release"),
    ready: Ensemble | None = None,
    again: Sequence[Attacker] = (),
    spread: Spread = alone,
) -> list[Attacker]:
    """Attackers of the kinds asked for: those that know profiles only first, then the trained ones.

    Trained attackers come in two states of knowledge, both person-disjoint from whom they attack. `…@originals` learned
    from originals of other people: from `training` where that is enough (1,000 documents), else from the other fold's
    originals as well. `…@release` learned from the final release of the other fold, and from some of the same training
    documents (few enough that the release is not drowned). One with too little to learn from is left out. Members of
    `ready`, over the same population, are not fitted again; `again` are attackers that go on to work with these.
    """
    attacked = {d.person for d in originals}
    apart = [d for d in training if d.person is not None and d.person not in attacked][:MOST_TRAINING]
    taught: dict[str, list[list[Document]]] = {}
    if "originals" in kinds:
        folds = [[]] if len(apart) >= ENOUGH_TRAINING else _other_folds(originals, seed)
        taught["originals"] = [[*fold, *apart] for fold in folds]
    if "release" in kinds and released:
        beside = apart[:MOST_TRAINING_BESIDE_RELEASE]
        taught["release"] = [[*fold, *beside] for fold in _other_folds(released, seed)]
    trained = [name for name in names if is_trained(name)]
    wanted = [(name, kind) for name in trained for kind in taught]
    plain = [_Fit(name) for name in names if name not in trained and "profiles" in kinds]
    # What takes longest is begun first.
    if ready is not None and ready.people != tuple(p.id for p in population.profiles):
        raise ModelError("what is fitted already is over other people than the attackers are to search")
    there = {fit: one for fit in plain if (one := _ready(fit.name, ready)) is not None}
    fits = [*(_Fit(name, kind, fold) for name, kind in wanted for fold in range(len(taught[kind]))), *plain]
    fits = [fit for fit in fits if fit not in there]
    fitted: dict[_Fit, tuple[Reidentifier, Index] | None] = {**there}
    if fits:
        held = (*(ready.members.values() if ready is not None else ()), *taken_apart(again)[1])
        made = spread(_fitted, (Bags(population.profiles), taught, seed), fits, held)
        fitted |= zip(fits, made, strict=True)
    found = []
    for fit in plain:
        one = fitted[fit]
        if one is not None:
            full = registry.resolve(registry.ATTACKERS, fit.name)
            found.append(Attacker(full, fit.name in used, (one[1],), fitted=(one[0],)))
    for name, kind in wanted:
        learned = [fitted[_Fit(name, kind, fold)] for fold in range(len(taught[kind]))]
        whole = [one for one in learned if one is not None]
        if len(whole) < len(learned):
            logger.warning("attacker %s left out: too little to train on", name)
            continue
        full = f"{registry.resolve(registry.ATTACKERS, name)}@{kind}"
        indexes, reidentifiers = tuple(index for _, index in whole), tuple(fitted for fitted, _ in whole)
        found.append(Attacker(full, name in used, indexes, kind, reidentifiers))
    return found


def _other_folds(documents: Sequence[Document], seed: int) -> list[list[Document]]:
    folds = [fold_of(str(d.person), seed) for d in documents]
    return [[d for d, of in zip(documents, folds, strict=True) if of != fold] for fold in range(FOLDS)]


def _ready(name: str, ensemble: Ensemble | None) -> tuple[Reidentifier, Index] | None:
    """What an ensemble holds of this attacker."""
    full = registry.resolve(registry.ATTACKERS, name)
    if ensemble is None or full not in ensemble.fitted:
        return None
    fitted = ensemble.fitted[full]
    same = type(fitted) is type(registry.create(registry.ATTACKERS, name))
    return (fitted, ensemble.members[full]) if same else None


def _fitted(parts: Parts, fit: _Fit) -> tuple[Reidentifier, Index] | None:
    """A reidentifier and its index; None where there was too little to learn from."""
    profiles: Sequence[Profile] = parts[0]
    if not fit.kind:
        plain: Reidentifier = registry.create(registry.ATTACKERS, fit.name)
        return plain, plain.fit(profiles).index(profiles)
    learner: Reidentifier = registry.create(registry.ATTACKERS, fit.name, seed=parts[2])
    try:
        return learner, learner.fit(profiles, parts[1][fit.kind][fit.fold]).index(profiles)
    except ModelError:
        return None


def released_documents(originals: Sequence[Document], texts: Sequence[str | None]) -> list[Document]:
    """The originals with their released texts; withheld ones left out."""
    return [replace(d, text=t, spans=()) for d, t in zip(originals, texts, strict=True) if t is not None]
