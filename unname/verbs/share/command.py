"""`unname share`: what taggers learn from, without what it says of people."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from unname.option import build
from unname.storage.documents import Columns
from unname.terminal.help import Group
from unname.terminal.options import ANY, FOLDER, OUTPUT, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.share.options import Pooling, Pseudonyms, RepresenterTraining, Representing
from unname.verbs.share.printing import print_card, print_represented, print_shared


@click.group(cls=Group, short_help="Share annotated texts, or vectors of them, to learn from.")
def share() -> None:
    """Share annotated texts to learn from, without what they say of people."""


@share.command("pseudonymise")
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write: sentences in another order, with spans.")
@options(Pseudonyms)
@SETTINGS
def share_pseudonymise(corpus: Path, out: Path, **given: Any) -> None:
    """Replace the identifiers that are annotated in CORPUS by other words of their kind, sentence by sentence."""
    from unname.verbs.share.pseudonymise import pseudonymise_files

    columns, how = build(Columns, given), build(Pseudonyms, given)
    with bars() as progress:
        made = pseudonymise_files(corpus, out, how, columns=columns, progress=progress)
    print_shared(made, how)
    say(f"texts    {out}")


@contextmanager
def _card_of_a_refusal() -> Iterator[None]:
    """Show the attackers' figures of a representer that is refused, too."""
    from unname.verbs.share.represent import UnsafeRepresenterError

    try:
        yield
    except UnsafeRepresenterError as error:
        print_card(error.card)
        raise


@share.command("train-representer")
@click.argument("public", type=ANY)
@options(Columns)
@click.option("--out", required=True, type=FOLDER, help="Folder to write. Keep it as you keep a key.")
@options(RepresenterTraining, leave_out=("least_attack_epochs",))
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def share_train_representer(public: Path, out: Path, replace: bool, **given: Any) -> None:
    """Learn from annotated PUBLIC texts how to represent others privately, and attack the result.

    Where an attack passes its limit nothing is written (exit code 4).
    """
    from unname.verbs.share.represent import train_representer_files

    columns, how = build(Columns, given), build(RepresenterTraining, given)
    with _card_of_a_refusal(), bars() as progress:
        card = train_representer_files(public, out, how, columns=columns, replace=replace, progress=progress)
    print_card(card)
    say(f"model    {out}")


@share.command("represent")
@click.argument("labelled", type=ANY)
@options(Columns)
@click.option("--representer", required=True, type=FOLDER, help="Folder that `train-representer` wrote.")
@click.option("--out", required=True, type=FOLDER, help="Folder of shared examples to write. It holds no text.")
@options(Representing)
@click.option("--replace", is_flag=True, help="Replace earlier ones.")
@SETTINGS
def share_represent(labelled: Path, representer: Path, out: Path, replace: bool, **given: Any) -> None:
    """Write annotated LABELLED texts as vectors, casings and labels, to learn from elsewhere.

    Where the representer's card is past a limit, or what is measured on these texts, nothing is written (exit code 4).
    """
    from unname.verbs.share.represent import represent_files

    columns, how = build(Columns, given), build(Representing, given)
    with _card_of_a_refusal(), bars() as progress:
        made, known, own = represent_files(
            labelled, representer, out, how, columns=columns, replace=replace, progress=progress
        )
    print_card(made.card)
    print_represented(len(made.examples), known, own)
    say(f"examples {out}")


@share.command("pool")
@click.argument("examples", type=FOLDER, nargs=-1, required=True)
@click.option("--out", required=True, type=FOLDER, help="Folder to write: a tagger, or all examples as one.")
@options(Pooling)
@click.option("--replace", is_flag=True, help="Replace an earlier one.")
@SETTINGS
def share_pool(examples: Sequence[Path], out: Path, replace: bool, **given: Any) -> None:
    """Put shared EXAMPLES of several houses together, or train a tagger on them."""
    from unname.verbs.share.represent import pool_files

    how = build(Pooling, given)
    with bars() as progress:
        shared, complete = pool_files(examples, out, how, replace=replace, progress=progress)
    say(f"{len(shared.examples)} sentences of {len(examples)} house{'s' * (len(examples) > 1)}")
    if complete:
        say("It holds the representer: keep it in the house.")
    elif how.train_tagger:
        say(f"Before it can read text: unname share complete {out} --representer REPRESENTER --out TAGGER")
    say(f"{'model   ' if how.train_tagger else 'examples'} {out}")


@share.command("complete")
@click.argument("tagger", type=FOLDER)
@click.option("--representer", required=True, type=FOLDER, help="The representer of its examples.")
@click.option("--out", required=True, type=FOLDER, help="Model folder to write, for --tagger. Keep it in the house.")
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def share_complete(tagger: Path, representer: Path, out: Path, replace: bool, **given: Any) -> None:
    """Put the representer before a TAGGER that learned from shared examples, so that it can read text."""
    from unname.verbs.share.represent import complete_files

    complete_files(tagger, representer, out, replace=replace)
    say(f"model    {out}")


commands: tuple[click.Command, ...] = (share,)
