"""`unname index`: the inverted index of what is known of people."""

from pathlib import Path
from typing import Any

import click

from unname.option import build
from unname.terminal.help import Command
from unname.terminal.options import FOLDER, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.index.options import GraphSources


@click.command(cls=Command, short_help="Index what is known of people, for many runs of `label`.")
@options(GraphSources)
@click.option("--out", required=True, type=FOLDER, help="Folder to write. It holds what is known of people.")
@click.option("--replace", is_flag=True, help="Replace an earlier index.")
@SETTINGS
def index(out: Path, replace: bool, **given: Any) -> None:
    """Make the inverted index of what is known of people, once for many runs of `label`."""
    from unname.verbs.index.run import index_files

    with bars() as progress:
        graph = index_files(build(GraphSources, given), out, replace=replace, progress=progress)
    say(f"{len(graph.people)} people, {len(graph.terms)} terms → {out}")


commands: tuple[click.Command, ...] = (index,)
