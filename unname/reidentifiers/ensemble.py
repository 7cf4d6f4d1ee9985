"""Several reidentifiers over one population: an ensemble hides a person only where every member is deceived.

A member that learns from documents must not have seen the one whose crowd it states. Where it learned from the very
documents that are to be hidden, it stands here in one version for each fold of people, taught by the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from unname import registry
from unname.errors import ModelError
from unname.reidentifiers.base import AdditiveIndex, Index, Reidentifier, crowd
from unname.reidentifiers.lessons import FOLDS, fold_of
from unname.reidentifiers.wordcounts import Bags
from unname.spread import Parts, Spread, alone
from unname.types import Document, Profile

Taught = tuple[tuple[Document, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Ensemble:
    """Members by versioned name, all over the same people in the same order, and the `fitted` behind them.

    A member is one index for everybody, or one for each fold of `split`, which says whose documents taught it.
    """

    people: tuple[str, ...]
    members: dict[str, tuple[Index, ...]]
    fitted: dict[str, tuple[Reidentifier, ...]] = field(default_factory=dict)
    split: str = ""
    sizes: tuple[tuple[str, int], ...] = ()

    def __repr__(self) -> str:
        return f"Ensemble({', '.join(self.members)}; {len(self.people)} people)"

    def facing(self, person: str | None) -> dict[str, Index]:
        """The indexes for documents about this person, whom none of them was taught by."""
        return {name: indexes[self.fold(person, name)] for name, indexes in self.members.items()}

    def fold(self, person: str | None, name: str) -> int:
        """Which of a member's indexes judges documents about this person."""
        return fold_of(str(person), self.split) if len(self.members[name]) > 1 else 0

    def crowds(self, text: str, person: int) -> dict[str, int]:
        """The crowd of the person in column `person` under each member, scored on this very string."""
        return {name: crowd(i.scores(text), person) for name, i in self.facing(self.people[person]).items()}

    def additive(self, person: str | None = None) -> dict[str, AdditiveIndex]:
        """`facing` for a search, which takes members apart word by word; one that is not additive is a ModelError."""
        found: dict[str, AdditiveIndex] = {}
        for name, index in self.facing(person).items():
            if not isinstance(index, AdditiveIndex):
                raise ModelError(f"{name} is not a sum over words; a search cannot use it")
            found[name] = index
        return found

    def apart(self) -> tuple["Ensemble", tuple[Index, ...]]:
        """The ensemble without its indexes and without what was fitted, and all indexes: parts of their own for a spread."""
        sizes = tuple((name, len(held)) for name, held in self.members.items())
        return replace(self, members={}, fitted={}, sizes=sizes), tuple(
            index for held in self.members.values() for index in held
        )

    def together(self, indexes: Sequence[Index]) -> "Ensemble":
        """The ensemble that was taken apart."""
        rest = iter(indexes)
        return replace(self, members={name: tuple(islice(rest, size)) for name, size in self.sizes})


def is_trained(group: str, name: str) -> bool:
    """Whether a reidentifier or attacker learns from documents, not from profiles alone."""
    return bool(getattr(registry.create(group, name), "trained", False))


def build_ensemble(
    names: Sequence[str],
    profiles: Sequence[Profile],
    *,
    taught: Taught = (),
    split: str = "",
    seed: int = 0,
    models: Mapping[str, Reidentifier] | None = None,
    spread: Spread = alone,
) -> Ensemble:
    """Fit and index every named reidentifier on one population.

    Members that learn from documents get those of `taught`: one group for everybody, or for each fold of `split` the
    documents of the others. Too little to learn from is a ModelError. `models` are fitted already, by versioned name.
    """
    if len(taught) not in (0, 1, FOLDS):
        raise ModelError(f"documents to learn from come in one group or in {FOLDS}")
    ready = dict(models or {})
    wanted = tuple(dict.fromkeys(registry.resolve(registry.REIDENTIFIERS, name) for name in names))
    groups = {name: range(max(len(taught), 1)) if _learns(name, ready) else range(1) for name in wanted}
    # What takes longest is begun first.
    items = [(name, fold) for name in sorted(wanted, key=lambda n: not _learns(n, ready)) for fold in groups[name]]
    made = dict(zip(items, spread(_fitted, (Bags(profiles), taught, seed, ready), items), strict=True))
    return Ensemble(
        tuple(profile.id for profile in profiles),
        {name: tuple(made[name, fold][1] for fold in groups[name]) for name in wanted},
        {name: tuple(made[name, fold][0] for fold in groups[name]) for name in wanted},
        split,
    )


def _learns(name: str, ready: Mapping[str, Reidentifier]) -> bool:
    return name not in ready and is_trained(registry.REIDENTIFIERS, name)


def _fitted(parts: Parts, item: tuple[str, int]) -> tuple[Reidentifier, Index]:
    """A member and its index."""
    profiles, taught, seed, ready = parts
    name, fold = item
    if name in ready:
        given: Reidentifier = ready[name]
        return given, given.index(profiles)
    learns = is_trained(registry.REIDENTIFIERS, name)
    parameters: dict[str, Any] = {"seed": seed} if learns else {}
    made: Reidentifier = registry.create(registry.REIDENTIFIERS, name, **parameters)
    fitted = made.fit(profiles, taught[fold] if learns and taught else ())
    return fitted, fitted.index(profiles)
