"""`unname reveal`: the originals of a release, for those who hold a key."""

from pathlib import Path

import click

from unname.terminal.help import Command
from unname.terminal.options import ANY, FILE, OUTPUT, Names
from unname.terminal.printing import say
from unname.terminal.settings import SETTINGS


@click.command(cls=Command, short_help="Give the originals of a release back to whoever holds a key.")
@click.argument("released", type=ANY)
@click.option("--vault", required=True, type=FILE, help="The vault that was written with the release.")
@click.option("--identity", required=True, type=FILE, help="Your private key: a file of age, or of SSH, mode 0600.")
@click.option(
    "--out", required=True, type=OUTPUT, help="Table to write: .jsonl, .csv or .parquet; only you can read it."
)
@click.option("--person", "persons", cls=Names, help="Only the documents about these people, by their original ids.")
@click.option("--document", "documents", cls=Names, help="Only these documents, by their released ids.")
@click.option("--reason", default="", help="Why; the log beside the vault will say so.")
@SETTINGS
def reveal(
    released: Path,
    *,
    vault: Path,
    identity: Path,
    out: Path,
    persons: tuple[str, ...] | None,
    documents: tuple[str, ...] | None,
    reason: str,
) -> None:
    """Write the originals of the documents in RELEASED, with their own ids and people.

    Who did so, when, and for which documents is added to VAULT.log before anything is written.
    """
    from unname.verbs.reveal.run import Asked, reveal_files

    asked = Asked(frozenset(persons or ()), frozenset(documents or ()), reason)
    count = reveal_files(released, out, vault=vault, identity=identity, asked=asked)
    say(f"{count} originals → {out}\nlogged  {vault}.log")


commands: tuple[click.Command, ...] = (reveal,)
