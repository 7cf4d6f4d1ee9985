"""An estimate of a run's result and cost, from a sample, with nothing written (`--dry-run`)."""

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from unname import registry
from unname.attacking.attackers import ROTATING
from unname.draws import draw
from unname.inputs.files import Inputs
from unname.inputs.training_documents import learns, masking_split, rounds_wanted
from unname.job import ALL, AUDIT_SAMPLE, FAST, AuditPlan
from unname.parallel.workers import suitable_workers
from unname.protecting.direct_fields import texts_left
from unname.protecting.earlier import Earlier
from unname.protecting.keys import new_key
from unname.protecting.outcomes import Outcome
from unname.protecting.parts import MaskingParts
from unname.protecting.result import by_person, columns_of
from unname.protecting.until_safe import hide
from unname.reidentifiers.base import Sized
from unname.reidentifiers.learned.training_examples import FEWEST_EXAMPLES, fold_of
from unname.reidentifiers.names import is_trained
from unname.runtime import Runtime
from unname.statistics import Rate, rate
from unname.verbs.audit.in_memory import resolve_attackers
from unname.verbs.deidentify.adaptive import FEWEST
from unname.verbs.deidentify.in_memory import make_masker, person_about, settled

SAMPLE_PEOPLE = 64
# The first people of a sample wait for lists and models to be loaded, and do not count.
_WARM = 4
# How many times as long as masking one document it takes, for each document: to teach a team of attackers its originals and
# release, where there is enough to teach them; to try one; to mask facing it; to try all attackers of an audit; and to
# teach all of these. From runs on biographies, letters and notes (`python -m benchmarks.estimates`).
_LEARN, _JUDGE, _ROUND, _TRY, _TEACH = 1.8, 1.4, 1.9, 5.5, 5.8
# To teach from more documents than a few takes hardly longer.
_FEW, _MORE = 300, 0.2
# An audit by the few quick attackers.
_QUICK = 1.9
# Seconds to start, read again and write, beside a share of the masking.
_REST_S, _REST = 5.0, 0.35


def _read_in_full(documents: int) -> float:
    """Documents that learners read as often as they read few: more of them are read less often."""
    return min(documents, _FEW) + _MORE * max(documents - _FEW, 0)


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of a run, by `workers` processes together: `index_s` of indexing and training, `each_s` of masking a document.

    Rounds and audits are reckoned from `each_s`, by what they took in other runs: right to within a half or so. `team`
    documents are read in rounds, `taught` says that there are enough to teach anybody, `halves` that two teams learn.
    """

    index_s: float
    each_s: float
    documents: int
    team: int
    taught: bool
    halves: bool

    @property
    def mask_s(self) -> float:
        """Masking once."""
        return self.each_s * self.documents

    def rounds_s(self, rounds: int | None) -> float:
        """So many rounds of masking, and the judging before each and after the last; None: nobody asks for any."""
        if rounds is None:
            return 0.0
        learning = _LEARN * (1 + self.halves) * self.taught * _read_in_full(self.team) + _JUDGE * self.team
        return (rounds + 1) * learning * self.each_s + rounds * _ROUND * self.mask_s

    def audit_s(self, plan: AuditPlan) -> float:
        """An audit by that plan."""
        encoder = plan.encoder is not None
        every, names = (resolve_attackers(each, encoder=encoder) for each in (ALL, plan.attackers))
        taught = [sum(is_trained(registry.ATTACKERS, name) for name in row) for row in (names, every)]
        tried = min(plan.sample, self.documents)
        if plan.attackers == FAST:
            return _QUICK * self.each_s * tried
        enough = tried >= ROTATING * FEWEST_EXAMPLES
        teaching = _TEACH * enough * taught[0] / max(taught[1], 1)
        return (_TRY * len(names) / len(every) * tried + teaching * _read_in_full(tried)) * self.each_s

    def together_s(self, rounds: int | None, plan: AuditPlan) -> float:
        """All of a run that makes so many rounds, or asks for none."""
        rest = _REST_S + _REST * self.mask_s
        return self.index_s + self.mask_s + self.rounds_s(rounds) + self.audit_s(plan) + rest


@dataclass(frozen=True, slots=True)
class Estimate:
    """Counts are exact; `masked`, `withheld` and `costs` come from `sampled` documents of the first people by hash.

    `masked` is the share of words, pooled, with a 95 % interval clustered by person. `costs` are for `workers` processes and
    a machine that does nothing else, with at most `rounds` rounds. `direct` are the fields taken as direct identifiers,
    `not_direct` others that hold words.
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
    index_bytes: int
    costs: Costs
    rounds: int
    workers: int
    direct: tuple[str, ...] = ()
    not_direct: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return values | {"withheld": self.withheld.as_dict(), "costs": asdict(self.costs)}


def estimate(inputs: Inputs, parts: MaskingParts, runtime: Runtime | None = None) -> Estimate:
    """Index the population and mask a sample of people, with a throw-away key.

    Members that learn do so once, from the documents of one fold, and not once for each fold.
    """
    runtime = runtime or Runtime()
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
        learned = learns(set(settings.reidentifiers) - set(parts.models))
        folds = max(len(taught), 1) if learned else 1
        index_s = (time.perf_counter() - started) * folds
    # Nobody is hidden from members whom their own documents taught: that would hide far more than the run does.
    split = masking_split(settings.seed)
    facing = [person for person in groups if folds == 1 or fold_of(person, split, folds) == 0]
    drawn = sorted(facing, key=lambda p: draw("estimate", settings.seed, p))
    advance = runtime.progress("mask a sample", min(len(drawn), SAMPLE_PEOPLE))
    outcomes: list[tuple[str, Outcome]] = []
    # As one process of the run does it, and whatever else the machine does meanwhile.
    with threadpool_limits(1):
        warm, started = 0, time.process_time()
        for number, person in enumerate(drawn[:SAMPLE_PEOPLE]):
            if number == _WARM:
                warm, started = len(outcomes), time.process_time()
            documents = tuple(inputs.documents[int(place)] for place in groups[person])
            about = person_about(population, documents, masker.mandatory.direct, Earlier())
            outcomes += [(person, outcome) for outcome in hide(masker, about)]
            advance(1)
        each = (time.process_time() - started) / max(len(outcomes) - warm, 1)
    rounds = rounds_wanted(parts, inputs.documents, population, inputs.others)
    team = min(sum(map(len, groups.values())), AUDIT_SAMPLE)
    costs = Costs(
        index_s=round(index_s, 3),
        each_s=each / workers,
        documents=len(inputs.documents),
        team=team,
        taught=team >= ROTATING * FEWEST_EXAMPLES,
        halves=len(inputs.documents) > AUDIT_SAMPLE,
    )
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
        index_bytes=sum(i.size_bytes for i in masker.ensemble.apart()[1] if isinstance(i, Sized)),
        costs=costs,
        rounds=rounds if team >= FEWEST else 0,
        workers=workers,
        direct=tuple(masker.mandatory.direct),
        not_direct=texts_left(population, masker.mandatory.direct),
    )


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
