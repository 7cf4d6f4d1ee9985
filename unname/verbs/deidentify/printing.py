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


def print_estimate(found: "Estimate") -> None:
    from unname.statistics import percent

    low, high = (percent(bound) for bound in found.masked_ci)
    OUT.print(f"{found.documents} documents about {found.persons} people; {found.people} people in the population")
    for count, what in ((found.bad_records, "bad records passed over"), (found.unknown, "documents of unknown people")):
        if count:
            OUT.print(f"{count} {what}")
    if not found.sampled:
        why = "no document's person is in the population" if found.people else "there is no table of people (--people)"
        OUT.print(f"words to hide    not estimated: {why}; nothing was written")
        return
    OUT.print(f"words to hide    {percent(found.masked)} ({low} to {high}), from {found.sampled} documents")
    OUT.print(f"withheld         {percent(found.withheld.value)} of these documents")
    say(f"direct           {', '.join(found.direct) or 'no field of the people table'}")
    if found.not_direct:
        say(f"not direct       {first_of(found.not_direct)}")
    OUT.print(f"index, training  {found.index_bytes / 2**20:.1f} MiB, about {found.index_s:.1f} s")
    OUT.print(f"masking          about {found.mask_s:.0f} s, workers: {found.workers}")
    if found.rounds_s:
        OUT.print(f"rounds           about {found.rounds_s:.0f} s, where all are needed")
    together = found.index_s + found.mask_s + found.rounds_s + found.audit_s
    OUT.print(f"audit            about {found.audit_s:.0f} s")
    OUT.print(f"together         about {together:.0f} s, give or take half of it")
    OUT.print("nothing was written")
