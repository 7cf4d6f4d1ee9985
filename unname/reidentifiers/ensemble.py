"""Several reidentifiers over one population: an ensemble hides a person only if every member is deceived.

A member that learns from documents must not have seen the one whose crowd it states. Where it learned from the very
documents that are to be hidden, it stands here in one version for each fold of people, taught by the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple, cast

from unname import registry
from unname.errors import ModelError
from unname.knowledge.population import Population
from unname.parallel.pool import ONE_PROCESS, Pool
from unname.reidentifiers.base import AdditiveIndex, Index, LocalIndex, Parted, Reidentifier
from unname.reidentifiers.learned.training_examples import FOLDS, fold_of
from unname.reidentifiers.names import arguments_of, is_trained, require_given, resolve_name
from unname.reidentifiers.terms.wordcounts import Bags
from unname.types import Document, Profile

TrainingGroups = tuple[tuple[Document, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Ensemble:
    """Members by versioned name, all over the same people in the same order, and the `fitted` behind them.

    A member is one index for everybody, or one for each fold of `split`, taught by the documents of the others.
    `given` are resources that members work with, such as a file of vectors that lives as long as the ensemble. `secret`
    are those that learned for this masking, with a seed that nobody else knows.
    """

    people: tuple[str, ...]
    members: dict[str, tuple[Index, ...]]
    fitted: dict[str, tuple[Reidentifier, ...]] = field(default_factory=dict)
    split: str = ""
    sizes: tuple[tuple[str, int], ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict, compare=False)
    secret: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"Ensemble({', '.join(self.members)}; {len(self.people)} people)"

    def facing(self, person: str | None) -> dict[str, Index]:
        """The indexes for documents about this person, whom none of them was taught by."""
        return {name: indexes[self.fold(person, name)] for name, indexes in self.members.items()}

    def fold(self, person: str | None, name: str) -> int:
        """The index of a member that judges documents about this person."""
        return fold_of(str(person), self.split) if len(self.members[name]) > 1 else 0

    def additive(self, person: str | None = None) -> dict[str, AdditiveIndex]:
        """Those of `facing` that are sums over words."""
        return {name: index for name, index in self.facing(person).items() if isinstance(index, AdditiveIndex)}

    def local(self, person: str | None = None) -> dict[str, LocalIndex]:
        """Those of `facing` that are not, but can weigh each word in its place; of any other kind a search has no use."""
        local: dict[str, LocalIndex] = {}
        for name, index in self.facing(person).items():
            if isinstance(index, AdditiveIndex):
                continue
            if not isinstance(index, LocalIndex):
                raise ModelError(f"{name} does not say what a word is worth to it; a search cannot use it")
            local[name] = index
        return local

    def apart(self) -> tuple["Ensemble", tuple[Index, ...]]:
        """The ensemble without its indexes and fitted members, and all indexes: parts of their own for a pool."""
        sizes = tuple((name, len(held)) for name, held in self.members.items())
        return replace(self, members={}, fitted={}, sizes=sizes, given={}), tuple(
            index for held in self.members.values() for index in held
        )

    def together(self, indexes: Sequence[Index]) -> "Ensemble":
        """The ensemble that was taken apart."""
        rest = iter(indexes)
        return replace(self, members={name: tuple(islice(rest, size)) for name, size in self.sizes})


class _Fitting(NamedTuple):
    """Profiles that members are over, documents that teach, parameters, members that are `ready`, people `beside`."""

    profiles: Sequence[Profile]
    taught: TrainingGroups
    given: Mapping[str, Any]
    ready: Mapping[str, Reidentifier]
    beside: Sequence[Profile]


def build_ensemble(
    names: Sequence[str],
    profiles: Sequence[Profile] | Population,
    *,
    taught: TrainingGroups = (),
    split: str = "",
    models: Mapping[str, Reidentifier] | None = None,
    given: Mapping[str, Any] | None = None,
    pool: Pool = ONE_PROCESS,
) -> Ensemble:
    """Fit and index every named reidentifier on one population.

    Members that learn from documents get those of `taught`: one group for everybody, or for each fold of `split` the
    documents of the others. Too little to learn from is a ModelError. `models` are fitted already, by versioned name.
    A population may name people `beside` it whom such documents are about.
    `given` are parameters of those that take such: the `seed` of learners, the `encoder` of those that understand.
    """
    profiles, beside = (profiles.profiles, profiles.beside) if isinstance(profiles, Population) else (profiles, ())
    if len(taught) not in (0, 1, FOLDS):
        raise ModelError(f"documents to learn from come in one group or in {FOLDS}")
    shared = _Fitting(Bags(profiles), taught, dict(given or {}), dict(models or {}), beside)
    wanted = tuple(dict.fromkeys(map(resolve_name, names)))
    require_given(wanted, shared.ready)
    folds = {name: range(max(len(taught), 1)) if _learns(name, shared.ready) else range(1) for name in wanted}
    # The longest work is begun first.
    longest = sorted(wanted, key=lambda name: not _learns(name, shared.ready))
    items = [(name, fold, number) for name in longest for fold in folds[name] for number in _numbers(shared, name)]
    made = dict(zip(items, pool.map(_fitted, shared, items), strict=True))
    whole = {name: tuple(_joined(shared, name, fold, made) for fold in folds[name]) for name in wanted}
    return Ensemble(
        tuple(profile.id for profile in profiles),
        {name: tuple(index for _, index in whole[name]) for name in wanted},
        {name: tuple(fitted for fitted, _ in whole[name]) for name in wanted},
        split,
        given=dict(given or {}),
        secret=frozenset(name for name in wanted if _learns(name, shared.ready)),
    )


def _learns(name: str, ready: Mapping[str, Reidentifier]) -> bool:
    return name not in ready and is_trained(registry.REIDENTIFIERS, name)


def _numbers(shared: _Fitting, name: str) -> Sequence[int | None]:
    """The numbers of a member's parts, or None for all of it at once."""
    member = _member(shared, name)
    return range(member.models) if name not in shared.ready and isinstance(member, Parted) else (None,)


def _member(shared: _Fitting, name: str) -> Reidentifier:
    """A member that is fitted already, or a new one."""
    given, ready = shared.given, shared.ready
    known = arguments_of(registry.REIDENTIFIERS, name) if name not in ready else frozenset[str]()
    parameters = {parameter: value for parameter, value in given.items() if parameter in known}
    made: Reidentifier = ready[name] if name in ready else registry.create(registry.REIDENTIFIERS, name, **parameters)
    return made


def _taught_about(shared: _Fitting, name: str) -> Sequence[Profile]:
    """The profiles that a member is fitted on: for learners from documents those of all people whom they are about."""
    return [*shared.profiles, *shared.beside] if _learns(name, shared.ready) else shared.profiles


def _documents_for(shared: _Fitting, name: str, fold: int) -> Sequence[Document]:
    """The documents that teach a member, or the version of it that judges one fold."""
    return shared.taught[fold] if shared.taught and _learns(name, shared.ready) else ()


def _fitted(given: tuple[Any, ...], item: tuple[str, int, int | None]) -> Any:
    """A member and its index, or one of its parts."""
    shared, (name, fold, number) = _Fitting(*given), item
    profiles, member = shared.profiles, _member(shared, name)
    if number is not None and isinstance(member, Parted):
        return member.part(_taught_about(shared, name), _documents_for(shared, name, fold), number)
    if name not in shared.ready:
        member = member.fit(_taught_about(shared, name), _documents_for(shared, name, fold))
    return member, member.index(profiles)


def _joined(
    shared: _Fitting, name: str, fold: int, made: Mapping[tuple[str, int, int | None], Any]
) -> tuple[Reidentifier, Index]:
    """A member and its index from the results of the pool, in parts or whole."""
    if (name, fold, None) in made:
        whole: tuple[Reidentifier, Index] = made[name, fold, None]
        return whole
    member = cast(Parted, _member(shared, name))
    profiles = shared.profiles
    parts = [made[name, fold, number] for number in range(member.models)]
    fitted = member.join(_taught_about(shared, name), _documents_for(shared, name, fold), parts)
    return fitted, fitted.index(profiles)
