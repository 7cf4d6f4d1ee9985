"""`unname reidentify`: rank the people for each document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from unname.job import Runtime, Source
from unname.option import build
from unname.storage.files import parents_made, require_new
from unname.storage.tables import write_jsonl
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
    from unname.inputs.files import read_inputs, with_training
    from unname.reidentifiers.models import load_models, require_unseen
    from unname.verbs.reidentify.run import reidentify as run

    require_new(out)
    source = build(Source, {"documents": documents, **given})
    inputs = with_training(read_inputs(source, unknown_person="any"), source)
    models = load_models(model)
    require_unseen(models.values(), inputs.documents)
    with bars() as progress:
        rows = run(inputs.documents, inputs.population, reidentifiers=reidentifiers, training=inputs.others,
                   models=models, top=top, runtime=Runtime(1, progress))  # fmt: skip
        with parents_made(out):
            write_jsonl(out, rows, private=True, fresh=True)
    say(f"{len(inputs.documents)} documents → {out}")


commands: tuple[click.Command, ...] = (reidentify,)
