"""`unname export`: what somebody outside needs to attack a release."""

from pathlib import Path

import click

from unname.terminal.help import Command
from unname.terminal.options import ANY, FILE, FOLDER
from unname.terminal.printing import say


@click.command(cls=Command, short_help="Write what an outsider needs to attack a release.")
@click.argument("released", type=ANY)
@click.option("--people", required=True, type=FILE, help="Profiles: JSONL, CSV, Excel or Parquet.")
@click.option("--people-id-column", default="id", show_default=True, help="Column of ids in the table of people.")
@click.option("--for-attack", required=True, type=FOLDER, help="Folder to write: texts, people, and how to guess.")
@click.option("--replace", is_flag=True, help="Replace an earlier one.")
def export(released: Path, people: Path, people_id_column: str, for_attack: Path, replace: bool) -> None:
    """Write what somebody outside needs to attack RELEASED; `audit --guesses` scores what they find."""
    from unname.verbs.export.run import export_for_attack

    count = export_for_attack(released, people, for_attack, people_id_column=people_id_column, replace=replace)
    say(f"{count} documents → {for_attack}")


commands: tuple[click.Command, ...] = (export,)
