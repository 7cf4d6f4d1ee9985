"""`unname guess`: guesses of a language model."""

from pathlib import Path

import click

from unname.runtime import Runtime
from unname.storage.files import parents_made, require_new
from unname.storage.tables import write_jsonl
from unname.terminal.help import Command
from unname.terminal.options import ANY, FOLDER, OUTPUT
from unname.terminal.printing import say
from unname.terminal.progress import bars


@click.command(cls=Command, short_help="Let a language model guess who documents are about.")
@click.argument("folder", type=FOLDER)
@click.option("--language-model", required=True, type=ANY, help="Folder of a causal language model, or a GGUF file.")
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write, for `audit --guesses`.")
@click.option("--encoder", type=FOLDER, help="Folder of a sentence encoder, for a better shortlist.")
@click.option("--sample", default=50, show_default=True, help="Documents to guess, drawn by hash.")
@click.option("--top", default=20, show_default=True, help="People whom the model chooses among.")
@click.option("--infill", is_flag=True, help="Let the model write words into the blanks first.")
def guess(
    folder: Path, language_model: Path, out: Path, encoder: Path | None, sample: int, top: int, infill: bool
) -> None:
    """Let a language model guess who the documents are about; FOLDER is what `export` wrote."""
    from unname.verbs.guess.run import guesses

    require_new(out)
    with bars() as progress:
        rows = guesses(folder, language_model=language_model, encoder=encoder, sample=sample, top=top, infill=infill,
                       runtime=Runtime(progress=progress))  # fmt: skip
        with parents_made(out):
            write_jsonl(out, rows, private=True, fresh=True)
    say(f"{len(rows)} documents guessed → {out}")


commands: tuple[click.Command, ...] = (guess,)
