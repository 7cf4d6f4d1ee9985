"""`unname audit`: attack a masked corpus of any tool."""

from pathlib import Path
from typing import Any

import click

from unname.job import AuditPlan, Output, Source
from unname.runtime import Runtime
from unname.terminal.help import Command
from unname.terminal.options import ANY, FOLDER, options
from unname.terminal.printing import say
from unname.terminal.progress import bars, runtime_from
from unname.terminal.report import print_report
from unname.terminal.settings import SETTINGS
from unname.verbs.audit.options import AuditedRelease, make_audit_job

# What people need first, in this order.
NEEDED = (
    "original",
    "people",
    "out",
    "private",
    "id_column",
    "text_column",
    "person_column",
    "audit",
    "max_risk",
    "replace",
)


@click.command(cls=Command, short_help="Attack a corpus that any tool masked, and say who is found.", needed=NEEDED)
@click.argument("released", type=ANY)
@click.option("--original", required=True, type=ANY, help="The documents before masking.")
@click.option("--out", required=True, type=FOLDER, help="Folder for the report.")
@options(Source, leave_out=("limit", "withhold_bad"), required=("people",))
@options(AuditedRelease)
@options(AuditPlan, leave_out=("audit_sample",))
@options(Output, leave_out=("out_format", "private", "accept_risk", "key", "after"))
@options(Runtime)
@SETTINGS
def audit(released: Path, original: Path, people: Path | str, out: Path, **given: Any) -> None:
    """Attack a masked corpus of any tool: who can still be found, and what did it cost?"""
    from unname.verbs.audit.files import audit_files

    if given["audit"] == "none":
        raise click.UsageError("an audit without attackers says nothing: --audit quick or full")
    with bars() as progress:
        job = make_audit_job(released, original, people, out, runtime=runtime_from(given, progress), **given)
        report = audit_files(job)
    print_report(report)
    say(f"report   {out / 'report.html'}")


commands: tuple[click.Command, ...] = (audit,)
