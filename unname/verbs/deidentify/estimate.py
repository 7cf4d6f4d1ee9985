"""An estimate of a run's result and cost, from a sample, with nothing written (`--dry-run`)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unname import registry
from unname.attacking.choice import serving
from unname.draws import draw
from unname.inputs.files import Inputs
from unname.inputs.training_documents import learns, rounds_wanted
from unname.job import AUDIT_SAMPLE, AuditPlan, Runtime
from unname.parallel.workers import suitable_workers
from unname.protecting.direct_fields import texts_left
from unname.protecting.earlier import Earlier
from unname.protecting.keys import new_key
from unname.protecting.outcomes import Outcome
from unname.protecting.parts import MaskingParts
from unname.protecting.result import by_person, columns_of
from unname.protecting.until_safe import hide
from unname.reidentifiers.base import Sized
from unname.reidentifiers.names import is_trained
from unname.statistics import Rate, rate
from unname.verbs.audit.in_memory import require_attackers
from unname.verbs.deidentify.adaptive import FEWEST
from unname.verbs.deidentify.in_memory import make_masker, person_about, settled

SAMPLE_PEOPLE = 64
# How much longer than the masking's own training an attacker that learns takes: on originals, and on the release.
TRAININGS = 1.2
# How much longer than the first masking it takes to mask facing all attackers at once.
ROUND = 2.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """Counts are exact; `masked`, `withheld` and `mask_s` come from `sampled` documents of the first people by hash.

    `masked` is the share of words, pooled, with a 95 % interval clustered by person; `index_s` (indexing and training),
    `mask_s`, and `rounds_s` for as many as `adaptive` may take, are reckoned for `workers` processes from what was
    measured, `audit_s` from `index_s` and how many attackers there are: right to within a factor of two or so. `direct`
    are the fields taken as direct identifiers, `not_direct` others that hold words.
    """

    documents: int
    persons: int
    people: int
    bad_records: int
    unknown: int
    sampled: int
    masked: float
    masked_ci: tuple[float, float]
    withheld: Rate
    index_s: float
    index_bytes: int
    mask_s: float
    rounds_s: float
    audit_s: float
    workers: int
    direct: tuple[str, ...] = ()
    not_direct: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return values | {"withheld": self.withheld.as_dict()}


def estimate(
    inputs: Inputs, parts: MaskingParts, plan: AuditPlan | None = None, runtime: Runtime | None = None
) -> Estimate:
    """Index the population and mask a sample of people, with a throw-away key.

    Members that learn do so once, from the documents of one fold, and not once for each fold.
    """
    runtime, plan = runtime or Runtime(), plan or AuditPlan()
    population = inputs.population
    columns = columns_of(inputs.documents, population)
    known = [group for group in by_person(columns, inputs.documents) if columns[group[0]] >= 0]
    groups = {population.full[columns[group[0]]].id: group for group in known}
    workers = suitable_workers(runtime.workers, len(inputs.documents), population.letters)
    parts, taught = settled(parts, inputs.documents, population, inputs.others)
    settings = parts.settings
    with runtime.started(len(inputs.documents), population.letters) as working:
        started = time.perf_counter()
        masker = make_masker(population, parts, taught[:1], key=new_key(), runtime=working)
        times = max(len(taught), 1) if learns(set(settings.reidentifiers) - set(parts.models)) else 1
        index_s = (time.perf_counter() - started) * times
    drawn = sorted(groups, key=lambda p: draw("estimate", settings.seed, p))
    advance = runtime.progress("mask a sample", min(len(drawn), SAMPLE_PEOPLE))
    outcomes: list[tuple[str, Outcome]] = []
    started = time.perf_counter()
    for person in drawn[:SAMPLE_PEOPLE]:
        documents = tuple(inputs.documents[int(place)] for place in groups[person])
        about = person_about(population, documents, masker.mandatory.direct, Earlier())
        outcomes += [(person, outcome) for outcome in hide(masker, about)]
        advance(1)
    each = (time.perf_counter() - started) / max(len(outcomes), 1)
    mask_s = each * len(inputs.documents) / workers
    rounds, rounds_s = rounds_wanted(parts, inputs.documents, population, inputs.others), 0.0
    if rounds and sum(map(len, groups.values())) >= FEWEST:
        # Documents beyond those that an audit tries teach a second adversary.
        teams = 1 + (len(inputs.documents) > AUDIT_SAMPLE)
        learning_s = teams * _audit_s(index_s, each * len(outcomes), serving(()))
        rounds_s = rounds * (ROUND * mask_s + learning_s) + learning_s
    masked, interval = _masked([o for _, o in outcomes], [p for p, _ in outcomes])
    return Estimate(
        documents=len(inputs.documents),
        persons=len(groups),
        people=len(population),
        bad_records=len(inputs.bad_records),
        unknown=int((columns < 0).sum()),
        sampled=len(outcomes),
        masked=masked,
        masked_ci=interval,
        withheld=rate([float(o.release is None) for _, o in outcomes], [p for p, _ in outcomes]),
        index_s=round(index_s, 3),
        index_bytes=sum(i.size_bytes for i in masker.ensemble.apart()[1] if isinstance(i, Sized)),
        mask_s=round(mask_s, 3),
        rounds_s=round(rounds_s, 3),
        audit_s=round(_audit_s(index_s, each * len(outcomes), require_attackers(plan)), 3),
        workers=workers,
        direct=tuple(masker.mandatory.direct),
        not_direct=texts_left(population, masker.mandatory.direct),
    )


def _audit_s(index_s: float, sample_s: float, attackers: Sequence[str]) -> float:
    """The time of an audit: attackers that learn are taught again and again, and most of the rest is quick beside it."""
    taught = sum(is_trained(registry.ATTACKERS, name) for name in attackers)
    return index_s * TRAININGS * taught + sample_s + 0.3 * len(attackers)


def _masked(outcomes: list[Outcome], people: list[str]) -> tuple[float, tuple[float, float]]:
    """Pooled share of hidden words, and a 95 % interval from the spread between people (ratio estimator)."""
    words = np.array([o.words for o in outcomes], np.float64)
    hidden = np.array([o.hidden_words for o in outcomes], np.float64)
    if not words.sum():
        return 0.0, (0.0, 1.0)
    share = float(hidden.sum() / words.sum())
    names = {person: row for row, person in enumerate(dict.fromkeys(people))}
    rows = [names[person] for person in people]
    rest = np.bincount(rows, hidden - share * words)
    if len(rest) < 2:
        return share, (0.0, 1.0)
    error = float(np.sqrt(len(rest) / (len(rest) - 1) * (rest**2).sum()) / words.sum())
    return share, (max(0.0, share - 1.96 * error), min(1.0, share + 1.96 * error))
