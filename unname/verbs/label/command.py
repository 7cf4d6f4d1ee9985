"""`unname label`: labels without annotators."""

from pathlib import Path
from typing import Any

import click

from unname.option import build
from unname.storage.documents import Columns
from unname.storage.files import require_new
from unname.terminal.help import Command
from unname.terminal.options import ANY, OUTPUT, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.label.options import Labelling


@click.command(cls=Command, short_help="Label documents without annotators, by a knowledge graph.")
@click.argument("documents", type=ANY)
@options(Columns)
@options(Labelling)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@SETTINGS
def label(documents: Path, out: Path, **given: Any) -> None:
    """Label DOCUMENTS without annotators: what k-anonymity over a graph hides. The output holds no text."""
    from unname.verbs.label.run import label_files

    require_new(out)
    columns, labelling = build(Columns, given), build(Labelling, given)
    with bars() as progress:
        made = label_files(documents, out, labelling, columns=columns, progress=progress)
    say(f"{made.documents} documents, {made.spans} spans → {out}")
    if made.strangers:
        say(f"the graph does not know the person of {made.strangers} documents")


commands: tuple[click.Command, ...] = (label,)
