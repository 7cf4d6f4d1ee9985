"""`unname reidentify`: rank the people for each document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from unname.job import Source
from unname.option import build
from unname.terminal.help import Command
from unname.terminal.options import ANY, FOLDER, OUTPUT, Names, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS

# What people need first, in this order.
NEEDED = ("out", "people", "id_column", "text_column", "person_column", "reidentifiers", "model", "top")


@click.command(cls=Command, short_help="Say who each document seems to be about.", needed=NEEDED)
@click.argument("documents", type=ANY)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@options(Source, leave_out=("limit", "withhold_bad"), required=("people",))
@click.option("--reidentifiers", cls=Names, default=("bm25", "ngrams"), show_default=True,
              help="Which ones to ask; none: those of --model alone.")  # fmt: skip
@click.option("--model", multiple=True, type=FOLDER, help="Folder of a trained reidentifier to ask too; repeatable.")
@click.option("--top", default=10, show_default=True, help="How many guesses to list.")
@SETTINGS
def reidentify(
    documents: Path,
    out: Path,
    reidentifiers: Sequence[str],
    model: Sequence[Path],
    top: int,
    **given: Any,
) -> None:
    """Say who each of DOCUMENTS seems to be about: rank, crowd, probabilities and first guesses. The output names people."""
    from unname.verbs.reidentify.run import reidentify_files

    source = build(Source, {"documents": documents, **given})
    with bars() as progress:
        count = reidentify_files(source, out, reidentifiers=reidentifiers, models=model, top=top, progress=progress)
    say(f"{count} documents → {out}")


commands: tuple[click.Command, ...] = (reidentify,)
