"""`unname deidentify`: mask, audit, and release or hold back."""

import sys
from pathlib import Path
from typing import Any

import click

from unname.errors import printable
from unname.job import AuditPlan, Deidentification, Output, Source, make_job
from unname.runtime import Runtime
from unname.storage.files import left_overs
from unname.terminal.codes import UNSAFE, WITHHELD
from unname.terminal.help import Command
from unname.terminal.options import ANY, options
from unname.terminal.printing import ERR
from unname.terminal.progress import bars, runtime_from
from unname.terminal.report import print_report
from unname.terminal.settings import SETTINGS
from unname.verbs.deidentify.printing import print_estimate, print_places

# What people need first, in this order.
NEEDED = (
    "out",
    "people",
    "people_id_column",
    "id_column",
    "text_column",
    "person_column",
    "person_pattern",
    "k",
    "hide",
    "facts",
    "tagger",
    "dry_run",
)


@click.command(cls=Command, short_help="Mask documents, audit the result, and write a release.", needed=NEEDED)
@click.argument("documents", type=ANY)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the release, or a table (x.csv, x.jsonl or x.parquet) with x.report and x.private beside it.",
)
@options(Source, Output, Deidentification, AuditPlan, Runtime)
@click.option("--dry-run", is_flag=True, help="Check the input, mask a sample and estimate the cost; write nothing.")
@SETTINGS
def deidentify(documents: Path, people: Path | str, out: Path, dry_run: bool, **given: Any) -> None:
    """Mask DOCUMENTS until each person hides among k others, audit the result, and write release and report.

    DOCUMENTS is a folder of .txt files, or a table (CSV, Excel, JSONL, Parquet) with the columns id, text and person.
    """
    from unname.verbs.deidentify.files import deidentify_files, estimate_files

    _warn_of_left_overs(out)
    with bars() as progress:
        job = make_job(documents, people, out, runtime=runtime_from(given, progress), **given)
        if dry_run:
            print_estimate(*estimate_files(job), job.audit)
            return
        released = deidentify_files(job)
    print_report(released.report)
    print_places(released)
    if released.held:
        sys.exit(UNSAFE)
    if released.result.withheld or released.bad_records:
        sys.exit(WITHHELD)


def _warn_of_left_overs(out: Path) -> None:
    """Say where an interrupted run left something: it may hold texts and keys."""
    for path in left_overs(out.absolute().parent):
        said = f"{path} was left by a run that was interrupted, and may hold texts"
        ERR.print(printable(f"{said}: delete it unless another run is still using it"), markup=False, soft_wrap=True)


commands: tuple[click.Command, ...] = (deidentify,)
