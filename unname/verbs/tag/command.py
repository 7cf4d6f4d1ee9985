"""`unname tag`: where a corpus has identifiers."""

from pathlib import Path
from typing import Any

import click

from unname.option import build
from unname.storage.documents import Columns
from unname.storage.files import require_new
from unname.terminal.help import Command, GroupedOption
from unname.terminal.options import ANY, OUTPUT, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.tag.options import Tagging


@click.command(cls=Command, short_help="Find identifiers in a corpus.")
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--votes", cls=GroupedOption, type=click.IntRange(min=1), shown="one; of overlaps the longest",
              help="Taggers that must find the same stretch and label.")  # fmt: skip
@options(Tagging)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@SETTINGS
def tag(corpus: Path, out: Path, votes: int | None, **given: Any) -> None:
    """Say where CORPUS has identifiers: spans with label and score, by document. The output holds no text."""
    from unname.verbs.tag.run import tag_files, taggers_for

    require_new(out)
    columns, how = build(Columns, given), build(Tagging, given)
    taggers = taggers_for(corpus, how, columns)
    with bars() as progress:
        count = tag_files(
            corpus, out, taggers=taggers, votes=votes, split=how.split, columns=columns, progress=progress
        )
    say(f"{count} documents → {out}")


commands: tuple[click.Command, ...] = (tag,)
