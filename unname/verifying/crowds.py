"""Verify crowds: count those of a sample of people anew by brute force."""

from collections.abc import Sequence

from unname import registry
from unname.errors import UnsafeReleaseError
from unname.hiding.outcomes import Outcome
from unname.hiding.person import kept_text, readable
from unname.hiding.result import Deidentified, by_person, columns_of
from unname.log import Progress, silent
from unname.reidentifiers.additive import Additive
from unname.reidentifiers.base import Index
from unname.reidentifiers.ensemble import is_trained
from unname.reidentifiers.vectorindex import VectorIndex
from unname.verifying.recount import RECOUNTED, Recount, Weights

RECOUNTED_PEOPLE = 5
RECOUNTED_POPULATION = 200_000
# A person's column, the readable texts of their released documents, and what came of these.
_Sampled = tuple[int, list[str], list[Outcome]]


def verify_crowds(made: Deidentified, progress: Progress = silent) -> int:
    """Count the crowds of a sample of people anew, and say of how many.

    A difference means a bug, and nothing may leave the house: UnsafeReleaseError.
    """
    # What learned is recounted from what it learned; an ensemble without that cannot be.
    known = {name for name in RECOUNTED if name in made.ensemble.fitted or not is_trained(registry.REIDENTIFIERS, name)}
    members = [name for name in made.ensemble.members if name in known]
    if not members or len(made.population) > RECOUNTED_POPULATION:
        return 0
    sample = _sample(made)
    advance = progress("recount", len(sample) * len(members))
    for name in members:
        for fold, index in enumerate(made.ensemble.members[name]):
            mine = [row for row in sample if made.ensemble.fold(made.population.profiles[row[0]].id, name) == fold]
            if mine:
                _recount_under(made, name, fold, index, mine)
                advance(len(mine))
    return len(sample)


def _sample(made: Deidentified) -> list[_Sampled]:
    """Some people, spread over the run; where most of those were withheld, whoever was not."""
    columns = columns_of(made.documents, made.population)
    groups = by_person(columns)
    sample: list[_Sampled] = []
    evenly = groups[:: max(1, len(groups) // RECOUNTED_PEOPLE)]
    for group in (*evenly, *groups):
        if len(sample) == RECOUNTED_PEOPLE:
            break
        if any(column == columns[group[0]] for column, _, _ in sample):
            continue
        rows = [(made.documents[int(p)], made.outcome(int(p))) for p in group]
        shown = [(d, o) for d, o in rows if o.release is not None and o.crowds]
        if shown:
            keep = made.settings.keep
            texts = [readable(o.release.text, kept_text(d, keep)) for d, o in shown if o.release is not None]
            sample.append((int(columns[group[0]]), texts, [o for _, o in shown]))
    return sample


def _recount_under(made: Deidentified, name: str, fold: int, index: Index, sample: Sequence[_Sampled]) -> None:
    """Count the crowds of some people under one member, or one of its versions; a difference is an UnsafeReleaseError."""
    fitted, learned = made.ensemble.fitted.get(name, (None,) * (fold + 1))[fold], None
    if isinstance(fitted, Additive) and isinstance(index, VectorIndex):
        learned = Weights(*index.vectors, fitted.matches_, fitted.frequency_, fitted.profiles_)
    asked = [(texts[:1], column) for column, texts, _ in sample] + [(texts, column) for column, texts, _ in sample]
    counted = Recount(name, made.population.profiles, learned).crowds(asked)
    alone, together = counted[: len(sample)], counted[len(sample) :]
    for place, (_, _, outcomes) in enumerate(sample):
        if alone[place] != outcomes[0].crowds[name] or together[place] != outcomes[0].together[name]:
            raise UnsafeReleaseError(f"a crowd stated under {name} differs from its brute-force recount")
