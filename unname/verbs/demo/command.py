"""`unname demo`: a fictional town, from its notes to its report."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unname.runtime import Runtime
from unname.terminal.help import Command, GroupedOption
from unname.terminal.options import FOLDER, options
from unname.terminal.printing import OUT, say, say_table
from unname.terminal.progress import bars, runtime_from
from unname.terminal.report import print_report

if TYPE_CHECKING:
    from unname.verbs.demo.run import Demo


@click.command(cls=Command, short_help="Try it all on a fictional town.")
@click.option("--out", default="demo", show_default=True, type=FOLDER, help="Folder for town and release.")
@click.option("--people", cls=GroupedOption, default=800, show_default=True, type=click.IntRange(min=50),
              help="Inhabitants.")  # fmt: skip
@click.option("--k", cls=GroupedOption, default=10, show_default=True, type=click.IntRange(min=1), help="Crowd.")
@click.option("--seed", default=0, show_default=True, help="Which town.")
@options(Runtime)
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
def demo(out: Path, people: int, k: int, seed: int, replace: bool, **given: Any) -> None:
    """Make a fictional town, deidentify its patients' notes, audit them, and show what that looks like."""
    from unname.verbs.demo.run import run_demo

    with bars() as progress:
        shown = run_demo(out, people=people, k=k, seed=seed, replace=replace, runtime=runtime_from(given, progress))
    print_report(shown.released.report)
    for title, text in (("before", shown.before), ("after", shown.after)):
        OUT.rule(title, align="left")
        OUT.print(text, markup=False)
    OUT.rule()
    print_choices(shown)
    say(f"Everybody here is invented. Open the report: {shown.released.folder / 'report.html'}")


def print_choices(demo: "Demo") -> None:
    """Print the other choices of what to hide, their cost in words, and the share of people found then."""
    from unname.auditing.report import shown
    from unname.statistics import percent

    OUT.print(f"Of the first {demo.compared} documents the strongest adversary without attackers that learn finds:")
    say_table([(f"  {c.name}", shown(c.found), f"{percent(c.masked)} of the words hidden") for c in demo.choices])
    OUT.print()


commands: tuple[click.Command, ...] = (demo,)
