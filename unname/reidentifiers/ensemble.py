"""Several reidentifiers over one population: an ensemble hides a person only where every member is deceived."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from unname import registry
from unname.errors import ModelError
from unname.reidentifiers.base import AdditiveIndex, Index, Reidentifier, crowd
from unname.reidentifiers.wordcounts import Bags
from unname.types import Profile


@dataclass(frozen=True, slots=True, repr=False)
class Ensemble:
    """Members by versioned name, all over the same people in the same order, and the `fitted` behind them."""

    people: tuple[str, ...]
    members: dict[str, Index]
    fitted: dict[str, Reidentifier] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Ensemble({', '.join(self.members)}; {len(self.people)} people)"

    def crowds(self, text: str, person: int) -> dict[str, int]:
        """The crowd of the person in column `person` under each member, scored on this very string."""
        return {name: crowd(index.scores(text), person) for name, index in self.members.items()}

    def additive(self) -> dict[str, AdditiveIndex]:
        """The members a search can take apart word by word; a member that is not additive is a ModelError."""
        found: dict[str, AdditiveIndex] = {}
        for name, index in self.members.items():
            if not isinstance(index, AdditiveIndex):
                raise ModelError(f"{name} is not a sum over words; a search cannot use it")
            found[name] = index
        return found


def build_ensemble(names: Sequence[str], profiles: Sequence[Profile]) -> Ensemble:
    """Fit and index every named reidentifier on one population."""
    counted = Bags(profiles)
    members: dict[str, Index] = {}
    fitted: dict[str, Reidentifier] = {}
    for name in names:
        reidentifier: Reidentifier = registry.create(registry.REIDENTIFIERS, name)
        members[reidentifier.name] = reidentifier.fit(counted).index(counted)
        fitted[reidentifier.name] = reidentifier
    return Ensemble(tuple(profile.id for profile in profiles), members, fitted)
