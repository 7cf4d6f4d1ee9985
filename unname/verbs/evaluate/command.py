"""`unname evaluate`: predicted spans against a gold corpus."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unname.errors import printable
from unname.option import build
from unname.terminal.help import Command
from unname.terminal.options import ANY, FILE, options
from unname.terminal.printing import ERR, say, say_table
from unname.terminal.settings import SETTINGS
from unname.verbs.evaluate.options import ErrorPage, Scoring

if TYPE_CHECKING:
    from unname.verbs.evaluate.run import Evaluation


@click.command(cls=Command, short_help="Score spans that a tagger wrote against a gold corpus.")
@click.argument("predicted", type=FILE)
@click.option("--gold", required=True, type=ANY, help="The annotated corpus.")
@options(Scoring, ErrorPage)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@SETTINGS
def evaluate(predicted: Path, gold: Path, as_json: bool, **given: Any) -> None:
    """Score PREDICTED spans, as a tagger wrote them, against a gold corpus: precision, recall, F1 and what went wrong."""
    from unname.verbs.evaluate.run import evaluate_files

    page = build(ErrorPage, given)
    evaluation = evaluate_files(predicted, gold, build(Scoring, given), page)
    if as_json:
        click.echo(json.dumps(evaluation.as_dict(), ensure_ascii=False, indent=1))
    else:
        print_evaluation(evaluation)
    if page.errors is not None:
        said = f"errors   {page.errors} shows text of the documents; only you can read it"
        ERR.print(printable(said), markup=False, soft_wrap=True)


def print_evaluation(evaluation: "Evaluation") -> None:
    headings = ("precision", "recall", "F1", "found", "false", "missed")
    lines = [(f"{evaluation.metric}, {evaluation.documents} documents", *headings), *evaluation.table(), ("",) * 7,
             ("type", *headings), *evaluation.types()]  # fmt: skip
    say_table([(printable(name), *cells) for name, *cells in lines])
    if evaluation.leak is not None:
        say(f"\nleak score, missed entities for each sentence (ours): {evaluation.leak:.4f}")
    for kind, value in evaluation.leaks().items():
        say(f"leak of {kind} identifiers: {'not measured' if value is None else f'{100 * value:.1f} %'}")


commands: tuple[click.Command, ...] = (evaluate,)
