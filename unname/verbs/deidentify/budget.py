"""A plan that fits a time: which rounds and which attackers are left out, by the estimate and before anything is masked.

Masks follow the plan and never the clock: whoever asks for the same without a budget gets the same.
"""

from collections.abc import Iterator
from dataclasses import replace

from unname.auditing.left_out import LeftOut
from unname.errors import SettingsError
from unname.job import FAST, NONE, AuditPlan
from unname.runtime import said_time
from unname.verbs.deidentify.estimate import Estimate

# Documents that attackers are still tried on where all of them would take too long.
_FEWER = 500


def planned(estimate: Estimate, plan: AuditPlan, *, most_s: float, spent_s: float = 0.0) -> tuple[AuditPlan, LeftOut]:
    """The audit that fits, and what was left out: rounds first, then documents that attackers are tried on, then attackers.

    SettingsError where nothing could be estimated, or the least takes longer.
    """
    if not estimate.sampled:
        raise SettingsError("time-budget: nothing can be estimated without documents about people of a table")
    for rounds, audit in _ladder(estimate.rounds, plan):
        seconds = spent_s + estimate.costs.together_s(rounds or None, audit)
        if seconds <= most_s:
            return audit, LeftOut(
                asked_s=round(most_s),
                estimated_s=round(seconds),
                rounds=rounds if rounds < estimate.rounds else None,
                audit_sample=audit.sample if audit.sample < plan.sample else None,
                quick=audit.attackers != plan.attackers,
            )
    raise SettingsError(
        f"time-budget: without rounds, and with the fewest attackers, the run would take about {said_time(seconds)}; give "
        "it more time or more processes (--workers), or fewer documents (--limit)"
    )


def _ladder(rounds: int, plan: AuditPlan) -> Iterator[tuple[int, AuditPlan]]:
    """Rounds and audits, from all that was asked for down to the least."""
    yield rounds, plan
    yield from ((fewer, plan) for fewer in (1, 0) if fewer < rounds)
    if plan.attackers in (FAST, NONE):
        return
    fewer = replace(plan, sample=min(plan.sample, _FEWER))
    yield 0, fewer
    yield 0, replace(fewer, attackers=FAST)
