"""A run of `unname deidentify` on a terminal: where its files are, or what it would cost."""

import shlex
from typing import TYPE_CHECKING

from unname.terminal.printing import OUT, first_of, say, say_pairs

if TYPE_CHECKING:
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


def print_estimate(estimate: "Estimate") -> None:
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
    together = estimate.index_s + estimate.mask_s + estimate.rounds_s + estimate.audit_s
    lines = [
        ("words to hide", f"{percent(estimate.masked)} ({low} to {high}), from {estimate.sampled} documents"),
        ("withheld", f"{percent(estimate.withheld.value)} of these documents"),
        ("direct", ", ".join(estimate.direct) or "no field of the people table"),
        ("not direct", first_of(estimate.not_direct)),
        ("index, training", f"{estimate.index_bytes / 2**20:.1f} MiB, about {estimate.index_s:.1f} s"),
        ("masking", f"about {estimate.mask_s:.0f} s, workers: {estimate.workers}"),
        ("rounds", f"about {estimate.rounds_s:.0f} s, where all are needed" if estimate.rounds_s else ""),
        ("audit", f"about {estimate.audit_s:.0f} s"),
        ("together", f"about {together:.0f} s, give or take half of it"),
    ]
    say_pairs([(name, said) for name, said in lines if said])
    say("nothing was written")
