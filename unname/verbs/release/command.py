"""`unname release`: let a release go that was held back."""

import sys
from pathlib import Path

import click

from unname.terminal.codes import WITHHELD
from unname.terminal.help import Command
from unname.terminal.options import FOLDER
from unname.terminal.printing import say
from unname.terminal.report import print_verdict
from unname.terminal.settings import SETTINGS


@click.command(cls=Command, short_help="Publish a release that a run held back.")
@click.argument("private", type=FOLDER)
@click.option("--accept-risk", required=True, metavar="REASON", help="Who decided, and why; the manifest will say so.")
@click.option("--out", type=FOLDER, help="Folder for the release; by default where the run wanted it.")
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
@SETTINGS
def release(private: Path, accept_risk: str, out: Path | None, replace: bool) -> None:
    """Let the release go that a run held back in its PRIVATE folder, without computing anything again."""
    from unname.writing.held import release_held

    report, where = release_held(private, accept_risk, out=out, replace=replace)
    print_verdict(report)
    say(f"release  {where.released}\nreport   {where.folder / 'report.html'}")
    if report.withheld.documents or report.bad_records:
        sys.exit(WITHHELD)


commands: tuple[click.Command, ...] = (release,)
