"""`unname identity`: a key for a vault."""

from pathlib import Path

import click

from unname.terminal.help import Command
from unname.terminal.options import OUTPUT
from unname.terminal.printing import say


@click.command(cls=Command, short_help="Make a key for a vault.")
@click.argument("file", type=OUTPUT)
def identity(file: Path) -> None:
    """Write a new private key to FILE and the public one to FILE.pub, for `deidentify --recipient`."""
    from unname.storage.vault import write_identity

    public = write_identity(file)
    say(f"private  {file} (keep it apart from the vault; nobody can replace it)\npublic   {file}.pub ({public})")


commands: tuple[click.Command, ...] = (identity,)
