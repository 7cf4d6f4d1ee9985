"""`unname embed`: profiles as vectors."""

from pathlib import Path

import click

from unname.storage.files import require_new
from unname.terminal.help import Command
from unname.terminal.options import FILE, FOLDER, OUTPUT
from unname.terminal.printing import say
from unname.terminal.progress import bars


@click.command(cls=Command, short_help="Embed all profiles under a trained bi-encoder.")
@click.option("--model", required=True, type=FOLDER, help="Folder of a biencoder.")
@click.option("--people", required=True, type=FILE, help="Profiles to embed.")
@click.option("--out", required=True, type=OUTPUT, help="File to write, .npy.")
def embed(model: Path, people: Path, out: Path) -> None:
    """Embed all profiles under a trained biencoder: a matrix that can be mapped into memory."""
    from unname.verbs.embed.run import embed_files

    require_new(out)
    with bars() as progress:
        count = embed_files(model, people, out, progress=progress)
    say(f"{count} profiles → {out}")


commands: tuple[click.Command, ...] = (embed,)
