"""`unname train`: reidentifiers and taggers that learn."""

from pathlib import Path
from typing import Any

import click

from unname.job import Source
from unname.option import build
from unname.storage.documents import Columns
from unname.terminal.help import Group
from unname.terminal.options import ANY, FOLDER, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.train.options import ReidentifierTraining, TaggerTraining


@click.group(cls=Group)
def train() -> None:
    """Train taggers and reidentifiers."""


@train.command("reidentifier", needed=("out", "people", "kind"))
@click.argument("documents", type=ANY)
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@options(Source, leave_out=("limit", "withhold_bad", "training", "training_people"), required=("people",))
@options(ReidentifierTraining)
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def train_reidentifier(documents: Path, out: Path, replace: bool, **given: Any) -> None:
    """Learn from DOCUMENTS who a text is about, and write a model for --model or --attacker-model."""
    from unname.verbs.train.reidentifier import train_reidentifier_files

    source, training = build(Source, given := {"documents": documents, **given}), build(ReidentifierTraining, given)
    with bars() as progress:
        train_reidentifier_files(source, out, training, replace=replace, progress=progress)
    say(f"model    {out}")


@train.command("tagger")
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@options(TaggerTraining)
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def train_tagger(corpus: Path, out: Path, replace: bool, **given: Any) -> None:
    """Learn from annotated documents which words are identifiers, and write a model for --tagger."""
    from unname.verbs.train.tagger import train_tagger_files

    columns, training = build(Columns, given), build(TaggerTraining, given)
    with bars() as progress:
        train_tagger_files(corpus, out, training, columns=columns, replace=replace, progress=progress)
    say(f"model    {out}")


commands: tuple[click.Command, ...] = (train,)
