"""Verify crowds: count those of a sample of people anew by brute force."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unname import registry
from unname.errors import UnsafeReleaseError
from unname.knowledge.general.fits import WhoFits
from unname.protecting.look import general_keys
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified, by_person, columns_of
from unname.reidentifiers.learned.additive import Additive
from unname.reidentifiers.learned.static_index import StaticIndex
from unname.reidentifiers.learned.vectorindex import VectorIndex
from unname.reidentifiers.names import is_trained, kind_of
from unname.runtime import Runtime
from unname.transforms.base import Generalises
from unname.types import Profile
from unname.verifying.recount import RECOUNTED, Recount, StaticWeights, Weights

RECOUNTED_PEOPLE = 5
RECOUNTED_POPULATION = 200_000


@dataclass(frozen=True, slots=True, repr=False)
class _SampledPerson:
    """A person's column, what can be read of their released documents and of others about them, and what came of the former.

    `readings` are the texts as they stand and, where some values were made general, with gaps for these. `alone` and
    `together` are the people whom these values fit, of the first document and of all; None: everybody.
    """

    column: int
    readings: list[list[str]]
    outcomes: list[Outcome]
    alone: list[int] | None = None
    together: list[int] | None = None

    def __repr__(self) -> str:
        return f"_SampledPerson({len(self.outcomes)} documents)"

    def asked(self) -> Iterator[tuple[list[str], int, list[int] | None]]:
        """Each reading of the first document alone, and then each of all together."""
        yield from ((texts[:1], self.column, self.alone) for texts in self.readings)
        yield from ((texts, self.column, self.together) for texts in self.readings)


def verify_crowds(made: Deidentified, runtime: Runtime | None = None) -> int:
    """Count the crowds of a sample of people anew, and say of how many.

    A difference means a bug, and nothing may leave the house: UnsafeReleaseError.
    """
    # What learned is recounted from what it learned; an ensemble without that cannot be.
    members = [
        name for name in made.ensemble.members if registry.spec_of(kind_of(name)).name in RECOUNTED
        and (name in made.ensemble.fitted or not is_trained(registry.REIDENTIFIERS, name))
    ]  # fmt: skip
    if not members or len(made.population) > RECOUNTED_POPULATION:
        return 0
    runtime, sample = runtime or Runtime(), _sample(made)
    advance = runtime.progress("recount", len(sample) * len(members))
    asked = [each for name in reversed(members) for each in _asked(made, name, sample)]
    groups = [(name, learned, [each for one in mine for each in one.asked()]) for name, learned, mine in asked]
    counts = runtime.working().map(_counted, (made.population.profiles,), groups)
    for (name, _, mine), counted in zip(asked, counts, strict=True):
        sizes = iter(counted)
        for one in mine:
            alone, together = (min(next(sizes) for _ in one.readings) for _ in range(2))
            if alone != one.outcomes[0].crowds[name] or together != one.outcomes[0].together[name]:
                raise UnsafeReleaseError(f"a crowd stated under {name} differs from its brute-force recount")
        advance(len(mine))
    return len(sample)


def _asked(
    made: Deidentified, name: str, sample: Sequence[_SampledPerson]
) -> Iterator[tuple[str, Weights | StaticWeights | None, list[_SampledPerson]]]:
    """A member, what it learned, and the people whom it judges; for each fold that it was trained for."""
    for fold, index in enumerate(made.ensemble.members[name]):
        mine = [one for one in sample if made.ensemble.fold(made.population.profiles[one.column].id, name) == fold]
        fitted = made.ensemble.fitted.get(name, (None,) * (fold + 1))[fold]
        learned: Weights | StaticWeights | None = None
        if isinstance(fitted, Additive) and isinstance(index, VectorIndex):
            learned = Weights(*index.vectors, fitted.matches_, fitted.frequency_, fitted.profiles_)
        elif isinstance(index, StaticIndex):
            learned = StaticWeights(*index.plain([text for one in mine for texts in one.readings for text in texts]))
        if mine:
            yield name, learned, mine


def _counted(
    shared: tuple[Sequence[Profile]],
    item: tuple[str, Weights | StaticWeights | None, list[tuple[list[str], int, list[int] | None]]],
) -> list[int]:
    (profiles,), (name, learned, asked) = shared, item
    spec = registry.spec_of(kind_of(name))
    return Recount(spec.name, profiles, learned, spec.parameters).crowds(asked)


def _sample(made: Deidentified) -> list[_SampledPerson]:
    """Some people, spread over the run; where most of those were withheld, whoever was not."""
    columns = columns_of(made.documents, made.population)
    groups = by_person(columns, made.documents)
    fitting = made.transform.fitting if isinstance(made.transform, Generalises) else None
    sample: list[_SampledPerson] = []
    alone = [fitting([profile]) for profile in made.population.profiles] if fitting is not None else []
    evenly = groups[:: max(1, len(groups) // RECOUNTED_PEOPLE)]
    for group in (*evenly, *groups):
        if len(sample) == RECOUNTED_PEOPLE:
            break
        if any(one.column == columns[group[0]] for one in sample):
            continue
        released = [int(p) for p in group if made.outcome(int(p)).release is not None and made.outcome(int(p)).crowds]
        if released:
            others = [int(p) for p in group if int(p) not in released]
            sample.append(_read(made, int(columns[group[0]]), released, others, fits=alone))
    return sample


def _read(
    made: Deidentified, column: int, released: Sequence[int], others: Sequence[int], *, fits: Sequence[WhoFits]
) -> _SampledPerson:
    """All that can be read of somebody's documents at these places; `fits` says of each profile what fits it."""
    outcomes = [made.outcome(place) for place in released]
    keys = [general_keys(outcome.release) if outcome.release is not None else [] for outcome in outcomes]
    ways = (False, True) if any(keys) else (False,)
    gone = made.gone(made.documents[released[0]].person)
    readings = [
        [*(text for p in (*released, *others) if (text := made.read(p, general=way)) is not None), *gone]
        for way in ways
    ]
    alone, together = (_fitting(fits, column, some) for some in (keys[0], [key for row in keys for key in row]))
    return _SampledPerson(column, readings, outcomes, alone, together)


def _fitting(fits: Sequence[WhoFits], column: int, keys: Sequence[str]) -> list[int] | None:
    """The people whom all these general values fit that fit the person, profile by profile; None: everybody."""
    own = [key for key in dict.fromkeys(keys) if fits[column].of(key)[0]]
    return [place for place, row in enumerate(fits) if all(row.of(key)[0] for key in own)] if own else None
