"""`unname sanitize`: taggers in rounds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unname.option import build
from unname.runtime import Runtime
from unname.storage.documents import Columns
from unname.terminal.help import Command
from unname.terminal.options import ANY, FOLDER, options
from unname.terminal.printing import say, say_filled, say_table
from unname.terminal.progress import bars, runtime_from
from unname.terminal.settings import SETTINGS
from unname.verbs.sanitize.options import Sanitizing

if TYPE_CHECKING:
    from unname.verbs.sanitize.game import Game


@click.command(cls=Command, short_help="Train taggers in rounds until hiding more costs too much.")
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@options(Sanitizing, Runtime)
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def sanitize(corpus: Path, out: Path, replace: bool, **given: Any) -> None:
    """Train taggers in rounds on an annotated CORPUS, each on what those before missed, until hiding more costs too much."""
    from unname.verbs.sanitize.run import sanitize_files

    columns, how = build(Columns, given), build(Sanitizing, given)
    with bars() as progress:
        runtime = runtime_from(given, progress)
        game = sanitize_files(corpus, out, how, columns=columns, replace=replace, runtime=runtime)
    print_game(game, how.budget)
    say(f"model    {out}\nreport   {out / 'report.html'}")


def print_game(game: "Game", budget: int) -> None:
    """Every round, and what to publish."""
    headings = ("round", "learner", "right", "wrong", "left before", "readable", "loss", "hidden")
    say_table([headings, *game.table()])
    say("")
    for line in game.advice(budget):
        say_filled(line, "• ")


commands: tuple[click.Command, ...] = (sanitize,)
