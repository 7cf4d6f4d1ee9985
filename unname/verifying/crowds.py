"""Verify crowds: count those of a sample of people anew by brute force."""

from collections.abc import Iterator, Sequence

from unname import registry
from unname.errors import UnsafeReleaseError
from unname.job import Runtime
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified, by_person, columns_of
from unname.reidentifiers.learned.additive import Additive
from unname.reidentifiers.learned.static_index import StaticIndex
from unname.reidentifiers.learned.vectorindex import VectorIndex
from unname.reidentifiers.names import is_trained, kind_of
from unname.types import Profile
from unname.verifying.recount import RECOUNTED, Recount, StaticWeights, Weights

RECOUNTED_PEOPLE = 5
RECOUNTED_POPULATION = 200_000
# A person's column, what can be read of their released documents and of others about them, and what came of the former.
_Sampled = tuple[int, list[str], list[Outcome]]


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
    counts = runtime.working().map(_counted, (made.population.profiles,), [(name, learned, [
        *((texts[:1], column) for column, texts, _ in mine), *((texts, column) for column, texts, _ in mine)
    ]) for name, learned, mine in asked])  # fmt: skip
    for (name, _, mine), counted in zip(asked, counts, strict=True):
        alone, together = counted[: len(mine)], counted[len(mine) :]
        for place, (_, _, outcomes) in enumerate(mine):
            if alone[place] != outcomes[0].crowds[name] or together[place] != outcomes[0].together[name]:
                raise UnsafeReleaseError(f"a crowd stated under {name} differs from its brute-force recount")
        advance(len(mine))
    return len(sample)


def _asked(
    made: Deidentified, name: str, sample: Sequence[_Sampled]
) -> Iterator[tuple[str, Weights | StaticWeights | None, list[_Sampled]]]:
    """A member, what it learned, and the people whom it judges; for each fold that it was trained for."""
    for fold, index in enumerate(made.ensemble.members[name]):
        mine = [row for row in sample if made.ensemble.fold(made.population.profiles[row[0]].id, name) == fold]
        fitted = made.ensemble.fitted.get(name, (None,) * (fold + 1))[fold]
        learned: Weights | StaticWeights | None = None
        if isinstance(fitted, Additive) and isinstance(index, VectorIndex):
            learned = Weights(*index.vectors, fitted.matches_, fitted.frequency_, fitted.profiles_)
        elif isinstance(index, StaticIndex):
            learned = StaticWeights(*index.plain([text for _, texts, _ in mine for text in texts]))
        if mine:
            yield name, learned, mine


def _counted(
    shared: tuple[Sequence[Profile]], item: tuple[str, Weights | StaticWeights | None, list[tuple[list[str], int]]]
) -> list[int]:
    (profiles,), (name, learned, asked) = shared, item
    spec = registry.spec_of(kind_of(name))
    return Recount(spec.name, profiles, learned, spec.parameters).crowds(asked)


def _sample(made: Deidentified) -> list[_Sampled]:
    """Some people, spread over the run; where most of those were withheld, whoever was not."""
    columns = columns_of(made.documents, made.population)
    groups = by_person(columns, made.documents)
    sample: list[_Sampled] = []
    evenly = groups[:: max(1, len(groups) // RECOUNTED_PEOPLE)]
    for group in (*evenly, *groups):
        if len(sample) == RECOUNTED_PEOPLE:
            break
        if any(column == columns[group[0]] for column, _, _ in sample):
            continue
        released = [int(p) for p in group if made.outcome(int(p)).release is not None and made.outcome(int(p)).crowds]
        if released:
            others = [int(p) for p in group if int(p) not in released]
            texts = [text for p in (*released, *others) if (text := made.read(p)) is not None]
            texts += made.gone(made.documents[int(group[0])].person)
            sample.append((int(columns[group[0]]), texts, [made.outcome(p) for p in released]))
    return sample
