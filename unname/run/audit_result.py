"""The audit of a run's own result: attackers on a sample of people where there are many, counts over everybody."""

import hashlib
import heapq
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from unname import registry
from unname.auditing.attack import Examination
from unname.auditing.attackers import MOST_TRAINING
from unname.auditing.privacy import histogram_of
from unname.auditing.utility import information_loss
from unname.hiding.direct_fields import recognised_fields
from unname.hiding.outcomes import Outcome
from unname.hiding.person import kept_text
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.masking.search import Traced
from unname.parallel.work import ONE_PROCESS, Pool
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import is_trained
from unname.run.audit import FAST, NONE, Audit, audit, kind_of_audit, prepare, resolve_attackers
from unname.run.curve import curve_over_k
from unname.run.deidentify import Deidentified, recount
from unname.run.inputs import Inputs
from unname.types import Document

# Documents that attackers are tried on, unless asked otherwise; below it everything is.
AUDIT_SAMPLE = 2000


def assess(
    inputs: Inputs,
    result: Deidentified,
    *,
    attackers: Sequence[str] = ("all",),
    sample: int = AUDIT_SAMPLE,
    against: Population | None = None,
    sensitive: Sequence[str] = (),
    models: Sequence[Reidentifier] = (),
    pool: Pool = ONE_PROCESS,
    progress: Progress = silent,
) -> Audit:
    """Audit a result, recount it where that was not done, and trace the curve over k where the method is the search.

    `against` is what the attackers know, `models` are attackers that were trained elsewhere. They read at most `sample`
    documents, all of a person or none, people drawn by hash; what can be counted (hidden words, crowds, withheld,
    information lost) is counted over all. Documents of unknown people cannot be attacked by name and are only counted;
    where there are no others, the report says that nothing was measured.
    """
    settings = result.settings
    places = _sample(result, sample) if tuple(attackers) != NONE else []
    if not places:
        report = _described(inputs, result, _unmeasured(result)) | _beside(inputs, result, 0)
        report["audit"] = kind_of_audit(attackers)
        return Audit(report, [], Examination())
    quick = tuple(attackers) == FAST
    documents = [result.documents[place] for place in places]
    outcomes = [result.outcome(place) for place in places]
    kept = [kept_text(d, settings.keep) for d in documents]
    learning = any(is_trained(registry.ATTACKERS, name) for name in resolve_attackers(attackers))
    training = [*inputs.others, *(_spare(result, set(places)) if learning else ())]
    # With several at work this process would only wait meanwhile.
    with ThreadPoolExecutor(1) as side:
        counting = side.submit(_beside, inputs, result, len(documents))
        prepared = prepare(
            documents, inputs.population, attackers=attackers, used=settings.reidentifiers,
            training=training, k=settings.k, seed=settings.seed, attacker_population=against, kept=kept,
            ready=result.ensemble, models=models, pool=pool, progress=progress,
        )  # fmt: skip
        counted = counting.result()
    figures = audit(
        prepared, [o.release.text if o.release is not None else None for o in outcomes],
        masks=[o.mask for o in outcomes], kept_columns=settings.keep, sensitive=sensitive,
        hidden_fields=inputs.population.everything or None, change=not quick, progress=progress,
    )  # fmt: skip
    report = figures.report
    report |= _described(inputs, result, report) | counted | {"audit": kind_of_audit(attackers)}
    if not quick and result.floors is not None and isinstance(result.floors.method, Traced):
        report["curve"] = curve_over_k(
            [d for d, o in zip(documents, outcomes, strict=True) if o.reason != "failed"], inputs.population,
            result.ensemble, prepared.attackers, result.floors.method, floors=result.floors, seed=settings.seed,
            pool=pool, progress=progress,
        )  # fmt: skip
    return figures


def _beside(inputs: Inputs, result: Deidentified, audited: int) -> dict[str, Any]:
    """What needs no attacker: counts over all documents, and the recount where it was left to be done."""
    return _counted(inputs, result, audited) | {"recounted": result.recounted or recount(result)}


def _described(inputs: Inputs, result: Deidentified, report: dict[str, Any]) -> dict[str, Any]:
    """A report with what was done to the documents."""
    settings = result.settings
    method = registry.resolve(registry.METHODS, settings.method)
    return report | {
        "method": f"{method} against {', '.join(result.ensemble.members) or 'nobody'}, {settings.transform}",
        "taggers": [tagger.name for tagger in result.taggers],
        "direct_fields": dict(result.direct),
        "direct_left_out": _left_out(result),
        "graph_persons_without_profile": inputs.graph_strangers,
    }


def _left_out(result: Deidentified) -> list[str]:
    """Fields that look direct and that the user has left out by name."""
    if not result.settings.direct_only or not len(result.population):
        return []
    return [name for name in recognised_fields(result.population) if name not in result.direct]


def _unmeasured(result: Deidentified) -> dict[str, Any]:
    """The figures of an audit that had nobody to look for: every rate is absent, none is 0."""
    nothing = {"before": None, "after": None}
    originals = (d.text for d in result.documents)
    return {
        "people": len(result.population),
        "persons": 0,
        "k": result.settings.k,
        "attackers": [],
        **dict.fromkeys(("any_unused", "any_used", "any_unused_or_aware", "fused", "fused_unused", "aware")),
        "per_person": {"any_unused": nothing, "any_used": nothing, "fused": nothing},
        "linkability": nothing,
        "inference": [],
        "information_loss": information_loss(originals, (_text(o) for o in result.outcomes())),
    }


def _sample(result: Deidentified, most: int) -> list[int]:
    """Places of the documents that attackers are tried on, in input order; none where nobody is known."""
    known = [i for i, d in enumerate(result.documents) if d.person in result.population.rows]
    if len(known) <= most:
        return known
    seed = result.settings.seed
    groups: dict[bytes, list[int]] = {}
    for place in known:
        draw = hashlib.sha256(f"audit\0{seed}\0{result.documents[place].person}".encode()).digest()
        groups.setdefault(draw, []).append(place)
    chosen: list[int] = []
    for draw in sorted(groups):
        if chosen and len(chosen) + len(groups[draw]) > most:
            break
        chosen += groups[draw]
    return sorted(chosen)


def _spare(result: Deidentified, sampled: set[int]) -> list[Document]:
    """Originals of known people outside the sample, drawn by hash: a smaller audit must not mean weaker attackers."""
    seed, rows = result.settings.seed, result.population.rows
    drawn = heapq.nsmallest(
        MOST_TRAINING,
        (
            (hashlib.sha256(f"training\0{seed}\0{document.id}".encode()).digest(), place)
            for place, document in enumerate(result.documents)
            if place not in sampled and document.person in rows
        ),
    )
    return [result.documents[place] for _, place in drawn]


def _counted(inputs: Inputs, result: Deidentified, audited: int) -> dict[str, Any]:
    """What is counted over all documents, whether or not an attacker was tried on them."""
    hidden = words = measured = written = 0
    shares = 0.0
    reasons: Counter[str] = Counter()
    smallest: list[int] = []
    third: list[int] = []
    named = 0
    for outcome in result.outcomes():
        hidden, words = hidden + outcome.hidden_words, words + outcome.words
        shares += outcome.hidden_words / outcome.words if outcome.words else 0
        written += bool(outcome.words)
        measured += bool(outcome.crowds)
        third += outcome.third
        named += bool(outcome.third)
        if outcome.release is None:
            reasons[outcome.reason] += 1
        elif outcome.crowds:
            smallest.append(min(outcome.crowds.values()))
    total, withheld = len(result.documents), sum(reasons.values())
    found: dict[str, Any] = {
        "documents": total,
        "audited": audited,
        "not_measured": total - withheld - measured,
        "bad_records": len(inputs.bad_records),
        "withheld": {"documents": withheld, "share": withheld / total, "reasons": dict(sorted(reasons.items()))},
        "masked": {
            "rate": hidden / words if words else 0.0,
            "per_document_mean": shares / written if written else 0.0,
            "words": words,
            "known": "exact",
        },
        "crowds": histogram_of(smallest, result.settings.k, len(result.population)),
    }
    if result.settings.protect == "everyone-known":
        found["third_parties"] = {
            "documents": named, "mentions": len(third), "below_k": sum(n < result.settings.k for n in third),
            "smallest": min(third, default=None), "median": float(np.median(third)) if third else None,
            "known": "exact",
        }  # fmt: skip
    if 0 < audited < total:
        found["information_loss"] = information_loss(
            (d.text for d in result.documents), (_text(o) for o in result.outcomes())
        )
    return found


def _text(outcome: Outcome) -> str:
    return outcome.release.text if outcome.release is not None else ""
