"""The command `unname`: each verb is a folder of `unname.verbs`, with options for its arguments."""

import json
import logging
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from unname import registry
from unname.apps.options import ANY, FILE, FOLDER, OUTPUT, SETTINGS, Names, options
from unname.apps.printing import (
    ERR,
    OUT,
    notices_shown,
    print_choices,
    print_estimate,
    print_evaluation,
    print_game,
    print_places,
    print_report,
    print_verdict,
    say,
)
from unname.apps.progress import bars
from unname.apps.share import share
from unname.errors import SettingsError, StateError, UnnameError, missing_extra, printable, where
from unname.job import AuditPlan, Deidentification, Output, Runtime, Source, make_job
from unname.log import Progress as Report
from unname.log import logger
from unname.option import build
from unname.other_jobs import (
    AuditedRelease,
    ErrorPage,
    GraphSources,
    Labelling,
    Lists,
    ReidentifierTraining,
    Sanitizing,
    Scoring,
    TaggerTraining,
    make_audit_job,
)
from unname.storage.documents import Columns
from unname.storage.files import left_overs, parents_made
from unname.storage.tables import write_jsonl

WITHHELD, UNSAFE = 3, 4


def _show(error: click.ClickException) -> None:
    """What click says of an error, less what a terminal would obey in the arguments it quotes."""
    said = printable(error.format_message(), lines=True)
    shown = click.UsageError(said, error.ctx) if isinstance(error, click.UsageError) else click.ClickException(said)
    shown.show()


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="unname")
@click.option("--debug", is_flag=True, help="Log stages and counts to standard error.")
def cli(debug: bool) -> None:
    """Release text about people without releasing the people.

    An option of NAME,... takes one name or several, with commas between them or by being repeated.
    """
    click.get_current_context().with_resource(notices_shown())
    if debug:
        # Ours alone: what another library logs at this level is not ours to vouch for.
        logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
        logger.setLevel(logging.DEBUG)


cli.add_command(share)


@cli.command()
@click.argument("documents", type=ANY)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the release; or a table, x.csv, .jsonl or .parquet, with x.report and x.private beside it.",
)
@options(Source, Output, Deidentification, AuditPlan, Runtime)
@click.option("--dry-run", is_flag=True, help="Validate, mask a sample, say what it would cost; write nothing.")
@SETTINGS
def deidentify(documents: Path, people: Path | str, out: Path, dry_run: bool, **given: Any) -> None:
    """Mask DOCUMENTS until each person hides among k others, audit the result, and write release and report."""
    from unname.verbs.deidentify.files import deidentify_files, estimate_files

    _warn_of_left_overs(out)
    with bars() as progress:
        job = make_job(documents, people, out, runtime=_runtime(given, progress), **given)
        if dry_run:
            print_estimate(estimate_files(job))
            return
        released = deidentify_files(job)
    print_report(released.report)
    print_places(released)
    if released.held:
        sys.exit(UNSAFE)
    if released.result.withheld or released.bad_records:
        sys.exit(WITHHELD)


def _runtime(given: dict[str, Any], progress: Report) -> Runtime:
    """How to run: with as many workers as pay, unless told how many."""
    return Runtime(given.pop("workers") or 0, progress)


def _warn_of_left_overs(out: Path) -> None:
    """Say where an interrupted run left something: it may hold texts and keys."""
    for path in left_overs(out.absolute().parent):
        said = f"{path} was left by a run that was interrupted, and may hold texts: unless one is at work, delete it"
        ERR.print(printable(said), markup=False, soft_wrap=True)


@cli.command()
@click.argument("private", type=FOLDER)
@click.option("--accept-risk", required=True, metavar="REASON", help="Who decided, and why; the manifest will say so.")
@click.option("--out", type=FOLDER, help="Folder for the release.  [default: where the run wanted it]")
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
@SETTINGS
def release(private: Path, accept_risk: str, out: Path | None, replace: bool) -> None:
    """Let the release go that a run held back in its PRIVATE folder, without computing anything again."""
    from unname.writing.held import release_held

    report, where = release_held(private, accept_risk, out=out, replace=replace)
    print_verdict(report)
    say(f"release  {where.released}\nreport   {where.folder / 'report.html'}")
    if report.withheld.documents or report.bad_records:
        sys.exit(WITHHELD)


@cli.command()
@click.argument("released", type=ANY)
@click.option("--original", required=True, type=ANY, help="The documents before masking.")
@click.option("--out", required=True, type=FOLDER, help="Folder for the report.")
@options(Source, leave_out=("limit", "withhold_bad"), required=("people",))
@options(AuditedRelease)
@options(AuditPlan, leave_out=("audit_sample",))
@options(Output, leave_out=("out_format", "private", "accept_risk", "key", "after"))
@options(Runtime)
@SETTINGS
def audit(released: Path, original: Path, people: Path | str, out: Path, **given: Any) -> None:
    """Attack a masked corpus of any tool: who can still be found, and what did it cost?"""
    from unname.verbs.audit.files import audit_files

    if given["audit"] == "none":
        raise click.UsageError("an audit without attackers says nothing: --audit quick or full")
    with bars() as progress:
        job = make_audit_job(released, original, people, out, runtime=_runtime(given, progress), **given)
        report = audit_files(job)
    print_report(report)
    say(f"report   {out / 'report.html'}")


@cli.command()
@click.argument("released", type=ANY)
@click.option("--people", required=True, type=FILE, help="Profiles: JSONL, CSV, Excel or Parquet.")
@click.option("--people-id-column", default="id", show_default=True, help="Column of ids in the table of people.")
@click.option("--for-attack", required=True, type=FOLDER, help="Folder to write: texts, people, and how to guess.")
@click.option("--replace", is_flag=True, help="Replace an earlier one.")
def export(released: Path, people: Path, people_id_column: str, for_attack: Path, replace: bool) -> None:
    """Write what somebody outside needs to attack RELEASED; `audit --guesses` scores what they find."""
    from unname.verbs.export.run import export_for_attack

    count = export_for_attack(released, people, for_attack, people_id_column=people_id_column, replace=replace)
    say(f"{count} documents → {for_attack}")


@cli.command()
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

    if out.exists():
        raise StateError("the output file already exists; choose another")
    with bars() as progress:
        rows = guesses(folder, language_model=language_model, encoder=encoder, sample=sample, top=top, infill=infill,
                       runtime=Runtime(progress=progress))  # fmt: skip
        with parents_made(out):
            write_jsonl(out, rows, private=True, fresh=True)
    say(f"{len(rows)} documents guessed → {out}")


@cli.command()
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

    if out.exists():
        raise StateError("the output file already exists; choose another")
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


@cli.group()
def train() -> None:
    """Train what learns."""


@train.command("reidentifier")
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
    from unname.verbs.tag.run import train_tagger_files

    columns, training = build(Columns, given), build(TaggerTraining, given)
    with bars() as progress:
        train_tagger_files(corpus, out, training, columns=columns, replace=replace, progress=progress)
    say(f"model    {out}")


@cli.command()
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@options(Sanitizing, Runtime)
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def sanitize(corpus: Path, out: Path, replace: bool, **given: Any) -> None:
    """Train taggers in rounds on an annotated CORPUS, each on what those before missed, until hiding more costs too much."""
    from unname.verbs.sanitize.run import sanitize_files

    columns, how = build(Columns, given), build(Sanitizing, given)
    with bars() as progress:
        runtime = _runtime(given, progress)
        game = sanitize_files(corpus, out, how, columns=columns, replace=replace, runtime=runtime)
    print_game(game, how.budget)
    say(f"model    {out}\nreport   {out / 'report.html'}")


@cli.command()
@options(GraphSources)
@click.option("--out", required=True, type=FOLDER, help="Folder to write. It holds what is known of people.")
@click.option("--replace", is_flag=True, help="Replace an earlier index.")
@SETTINGS
def index(out: Path, replace: bool, **given: Any) -> None:
    """Make the inverted index of what is known of people, once for many runs of `label`."""
    from unname.verbs.label.run import index_files

    with bars() as progress:
        graph = index_files(build(GraphSources, given), out, replace=replace, progress=progress)
    say(f"{len(graph.people)} people, {len(graph.terms)} terms → {out}")


@cli.command()
@click.argument("documents", type=ANY)
@options(Columns)
@options(Labelling)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@SETTINGS
def label(documents: Path, out: Path, **given: Any) -> None:
    """Label DOCUMENTS without annotators: what k-anonymity over a graph hides. The output holds no text."""
    from unname.verbs.label.run import label_files

    if out.exists():
        raise StateError("the output file already exists; choose another")
    columns, labelling = build(Columns, given), build(Labelling, given)
    with bars() as progress:
        made = label_files(documents, out, labelling, columns=columns, progress=progress)
    say(f"{made.documents} documents, {made.spans} spans → {out}")
    if made.strangers:
        say(f"the graph does not know the person of {made.strangers} documents")


@cli.command()
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--tagger", multiple=True,
              help="`rules`, `entities`, a trained tagger's folder, spacy:NAME, hf:DIR, presidio, gliner:DIR; "
                   "repeatable.")  # fmt: skip
@click.option("--votes", type=click.IntRange(min=1),
              help="Taggers that must find the same stretch and label.  [default: one; of overlaps the longest]")  # fmt: skip
@options(Lists)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@click.option("--split", help="Only the rows of this split.")
@SETTINGS
def tag(corpus: Path, out: Path, tagger: Sequence[str], votes: int | None, split: str | None, **given: Any) -> None:
    """Say where CORPUS has identifiers: spans with label and score, by document. The output holds no text."""
    from unname.inputs.handed_in import handed_in
    from unname.taggers.foreign.labels import read_label_map
    from unname.taggers.foreign.named import make_foreign, split_foreign
    from unname.taggers.models import make_taggers, split_taggers
    from unname.verbs.tag.run import columns_for, tag_files

    if out.exists():
        raise StateError("the output file already exists; choose another")
    columns, lists = build(Columns, given), build(Lists, given)
    if lists.label_map is not None and not split_foreign(tagger)[0] and lists.spans is None:
        raise SettingsError("label-map is for taggers from elsewhere and spans; neither is named")
    theirs, ours = split_foreign(tagger)
    taggers = [
        *make_taggers(*split_taggers(ours), gazetteers=lists.gazetteers, allow=lists.allow),
        *make_foreign(theirs, read_label_map(lists.label_map)),
        *handed_in(corpus, lists, columns_for(corpus, columns), split),
    ]
    with bars() as progress:
        count = tag_files(corpus, out, taggers=taggers, votes=votes, split=split, columns=columns, progress=progress)
    say(f"{count} documents → {out}")


@cli.command()
@click.option("--model", required=True, type=FOLDER, help="Folder of a biencoder.")
@click.option("--people", required=True, type=FILE, help="Profiles to embed.")
@click.option("--out", required=True, type=OUTPUT, help="File to write, .npy.")
def embed(model: Path, people: Path, out: Path) -> None:
    """Embed all profiles under a trained biencoder: a matrix that can be mapped into memory."""
    from unname.verbs.train.reidentifier import embed_files

    if out.exists():
        raise StateError("the output file already exists; choose another")
    with bars() as progress:
        count = embed_files(model, people, out, progress=progress)
    say(f"{count} profiles → {out}")


@cli.command()
@click.argument("predicted", type=FILE)
@click.option("--gold", required=True, type=ANY, help="The annotated corpus.")
@options(Scoring, ErrorPage)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@SETTINGS
def evaluate(predicted: Path, gold: Path, as_json: bool, **given: Any) -> None:
    """Score PREDICTED spans, as a tagger wrote them, against a gold corpus: precision, recall, F1 and what went wrong."""
    from unname.verbs.evaluate.run import evaluate_files

    page = build(ErrorPage, given)
    found = evaluate_files(predicted, gold, build(Scoring, given), page)
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=1))
    else:
        print_evaluation(found)
    if page.errors is not None:
        said = f"errors   {page.errors} shows text of the documents; only you can read it"
        ERR.print(printable(said), markup=False, soft_wrap=True)


@cli.command()
@click.option("--out", default="demo", show_default=True, type=FOLDER, help="Folder for town and release.")
@click.option("--people", default=800, show_default=True, type=click.IntRange(min=50), help="Inhabitants.")
@click.option("--k", default=10, show_default=True, help="Crowd.")
@click.option("--seed", default=0, show_default=True, help="Which town.")
@options(Runtime)
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
def demo(out: Path, people: int, k: int, seed: int, replace: bool, **given: Any) -> None:
    """Make a fictional town, deidentify its patients' notes, audit them, and show what that looks like."""
    from unname.verbs.demo.run import run_demo

    with bars() as progress:
        shown = run_demo(out, people=people, k=k, seed=seed, replace=replace, runtime=_runtime(given, progress))
    print_report(shown.released.report)
    for title, text in (("before", shown.before), ("after", shown.after)):
        OUT.rule(title, align="left")
        OUT.print(text, markup=False)
    OUT.rule()
    print_choices(shown)
    say(f"Everybody here is invented. Open the report: {shown.released.folder / 'report.html'}")


@cli.command()
def methods() -> None:
    """List every method, tagger, reidentifier, kind of trained model, attacker and transform that is installed."""
    for group in (registry.METHODS, registry.TAGGERS, registry.REIDENTIFIERS, registry.MODELS, registry.ATTACKERS,
                  registry.TRANSFORMS):  # fmt: skip
        OUT.print(f"[bold]{group.rpartition('.')[2]}[/bold]")
        for name, line in registry.describe(group):
            OUT.print(f"  {name:<20} {line}", markup=False)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; errors say what is wrong on standard error, never any text."""
    try:
        code = cli.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
        return int(code or 0)
    except click.UsageError as error:
        _show(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        ERR.print("interrupted; nothing was written")
        return 130
    except click.ClickException as error:
        _show(error)
        return 1
    except UnnameError as error:
        ERR.print(f"error: {error}", markup=False, soft_wrap=True)
        return error.exit_code
    except SystemExit as error:
        return int(error.code or 0)
    except ImportError as error:
        needed = missing_extra(error)
        ERR.print(f"error: {needed}" if needed else _unexpected(error), markup=False, soft_wrap=True)
        return 1
    except Exception as error:  # a bug: its message may quote what was being worked on, so only its place is told
        ERR.print(_unexpected(error), markup=False)
        return 1


def _unexpected(error: Exception) -> str:
    return f"error: unexpected {type(error).__name__} {where(error)}; please report it"


def _terminated(number: int, frame: object) -> None:
    """End as after Ctrl-C, so that nothing half written is left, and let nobody disturb that: such signals come in pairs."""
    for one in _endings():
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


def _endings() -> list[signal.Signals]:
    """Signals that tell a process to end: one of an administrator's, and that of a terminal which was closed."""
    return [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def main() -> None:
    """Entry point of the command `unname`: no core dumps, which would hold texts and keys, and an end in order."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for one in _endings():
        if signal.getsignal(one) is not signal.SIG_IGN:  # as `nohup` asks
            signal.signal(one, _terminated)
    sys.exit(run())
