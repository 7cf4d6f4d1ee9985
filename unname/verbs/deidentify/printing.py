"""A run of `unname deidentify` on a terminal: where its files are, or what it would cost."""

import shlex
from typing import TYPE_CHECKING

from unname.terminal.printing import OUT, first_of, say

if TYPE_CHECKING:
    from unname.verbs.deidentify.estimate import Estimate
    from unname.verbs.deidentify.files import Released


def print_places(released: "Released") -> None:
    report = released.folder / "report.html"
    outsider = released.report.outsider
    listed = f"\nread     {released.private / outsider.listed}" if outsider and outsider.listed else ""
    if not released.held:
        say(f"release  {released.documents}\nreport   {report}\nprivate  {released.private}{listed}")
        return
    gone = ", and the earlier release there is gone" if released.took_place else ""
    say(
        f"Nothing was released{gone}. Everything lies in the private folder:\nprivate  {released.private}\n"
        f"report   {report}{listed}\n"
        f'To let it go all the same:  unname release {shlex.quote(str(released.private))} --accept-risk "who, and why"'
    )


def print_estimate(estimate: "Estimate") -> None:
    from unname.statistics import percent

    low, high = (percent(bound) for bound in estimate.masked_ci)
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
        OUT.print(f"words to hide    not estimated: {why}; nothing was written")
        return
    OUT.print(f"words to hide    {percent(estimate.masked)} ({low} to {high}), from {estimate.sampled} documents")
    OUT.print(f"withheld         {percent(estimate.withheld.value)} of these documents")
    say(f"direct           {', '.join(estimate.direct) or 'no field of the people table'}")
    if estimate.not_direct:
        say(f"not direct       {first_of(estimate.not_direct)}")
    OUT.print(f"index, training  {estimate.index_bytes / 2**20:.1f} MiB, about {estimate.index_s:.1f} s")
    OUT.print(f"masking          about {estimate.mask_s:.0f} s, workers: {estimate.workers}")
    if estimate.rounds_s:
        OUT.print(f"rounds           about {estimate.rounds_s:.0f} s, where all are needed")
    together = estimate.index_s + estimate.mask_s + estimate.rounds_s + estimate.audit_s
    OUT.print(f"audit            about {estimate.audit_s:.0f} s")
    OUT.print(f"together         about {together:.0f} s, give or take half of it")
    OUT.print("nothing was written")
