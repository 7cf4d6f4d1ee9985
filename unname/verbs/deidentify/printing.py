"""A run of `unname deidentify` on a terminal: where its files are, or what it would cost."""

import shlex
from typing import TYPE_CHECKING

from unname.terminal.printing import OUT, first_of, say, say_pairs

if TYPE_CHECKING:
    from unname.auditing.left_out import LeftOut
    from unname.job import AuditPlan
    from unname.verbs.deidentify.estimate import Estimate
    from unname.verbs.deidentify.files import Released


def print_places(released: "Released") -> None:
    report = released.folder / "report.html"
    outsider = released.report.outsider
    vault = f"\nvault    {released.vault}" if released.vault else ""
    listed = f"\nread     {released.private / outsider.listed}" if outsider and outsider.listed else ""
    if not released.held:
        say(f"release  {released.documents}\nreport   {report}\nprivate  {released.private}{listed}{vault}")
        return
    gone = ", and the earlier release there is gone" if released.took_place else ""
    say(
        f"Nothing was released{gone}. Everything lies in the private folder:\nprivate  {released.private}\n"
        f"report   {report}{listed}{vault}\n"
        f'To let it go all the same:  unname release {shlex.quote(str(released.private))} --accept-risk "who, and why"'
    )


def print_estimate(estimate: "Estimate", left_out: "LeftOut | None", plan: "AuditPlan") -> None:
    from unname.runtime import said_time
    from unname.statistics import percent

    OUT.print(
        f"{estimate.documents} documents about {estimate.persons} people; {estimate.people} people in the population"
    )
    for count, what in (
        (estimate.bad_records, "bad records passed over"),
        (estimate.unknown, "documents of unknown people"),
    ):
        if count:
            OUT.print(f"{count} {what}")
    if not estimate.sampled:
        why = (
            "no document's person is in the population" if estimate.people else "there is no table of people (--people)"
        )
        say_pairs([("words to hide", f"not estimated: {why}; nothing was written")])
        return
    low, high = (percent(bound) for bound in estimate.masked_ci)
    costs, rounds = estimate.costs, estimate.rounds
    least, most = (said_time(costs.together_s(each, plan)) for each in ((0, rounds) if rounds else (None, None)))
    together = f"about {least} to {most}, by the rounds" if rounds else f"about {most}, give or take half of it"
    lines = [
        ("words to hide", f"{percent(estimate.masked)} ({low} to {high}), from {estimate.sampled} documents"),
        ("withheld", f"{percent(estimate.withheld.value)} of these documents"),
        ("direct", ", ".join(estimate.direct) or "no field of the people table"),
        ("not direct", first_of(estimate.not_direct)),
        ("index, training", f"{estimate.index_bytes / 2**20:.1f} MiB, about {said_time(costs.index_s)}"),
        ("masking", f"about {said_time(costs.mask_s)}, workers: {estimate.workers}"),
        ("rounds", f"about {said_time(costs.rounds_s(rounds))}, where all {rounds} are needed" if rounds else ""),
        ("audit", f"about {said_time(costs.audit_s(plan))}"),
        ("together", together),
    ]
    say_pairs([(name, said) for name, said in lines if said])
    if left_out:
        say(left_out.said())
    say("nothing was written")
