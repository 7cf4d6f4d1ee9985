"""The command `unname`: each verb is one function of `unname.run`, with options for its arguments."""

import json
import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from unname import registry
from unname.apps.options import (
    ALLOW,
    ANY,
    ATTACKER_MODEL,
    AUDIT,
    COLUMNS,
    DEFAULT,
    FILE,
    FOLDER,
    GAZETTEER,
    INPUT,
    MAX_RISK,
    MODEL,
    SETTINGS,
    TAGGER,
    TOLD_FORMAT,
    TRAINING,
    WORKERS,
    Names,
    corpus_of,
    input_of,
)
from unname.apps.printing import (
    ERR,
    OUT,
    print_estimate,
    print_evaluation,
    print_places,
    print_report,
    print_verdict,
    say,
)
from unname.errors import StateError, UnnameError, printable, where
from unname.log import Progress as Report
from unname.log import logger
from unname.settings import Deidentification
from unname.storage.files import left_overs, parents_made
from unname.storage.tables import write_jsonl

WITHHELD, UNSAFE = 3, 4


@contextmanager
def _progress() -> Iterator[Report]:
    """Bars of stages and counts on standard error; nothing of any document."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=ERR, transient=not ERR.is_terminal) as bars:
        last: list[Any] = []

        def stage(name: str, total: int) -> Callable[[int], None]:
            logger.debug("stage %s: %d", name, total)
            if last:
                bars.update(last[-1], completed=bars.tasks[last[-1]].total)
            last.append(bars.add_task(name, total=total))
            task = last[-1]
            return lambda done: bars.advance(task, done)

        yield stage
        if last:
            bars.update(last[-1], completed=bars.tasks[last[-1]].total)


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
    if debug:
        # Ours alone: what another library logs at this level is not ours to vouch for.
        logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
        logger.setLevel(logging.DEBUG)


@cli.command()
@click.argument("documents", type=ANY)
@INPUT
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the release; or a table, x.csv, .jsonl or .parquet, with x.report and x.private beside it.",
)
@click.option(
    "--out-format",
    type=click.Choice(["jsonl", "csv", "parquet", "txt"]),
    help="How documents are written in that folder.  [default: jsonl; txt for a folder of texts]",
)
@click.option("--private", type=FOLDER, help="Folder for masks, risks and the key.  [default: OUT.private]")
@click.option(
    "--method", default=DEFAULT.method, show_default=True, help="How to choose what to hide; see `unname methods`."
)
@TAGGER
@GAZETTEER
@ALLOW
@click.option("--hide", cls=Names, default=(),
              help="What taggers find and is hidden: direct, all, or labels.  [default: direct for composed, all for "
              "tagged]")  # fmt: skip
@click.option("--reidentifiers", cls=Names, default=DEFAULT.reidentifiers, show_default=True,
              help="Whom to hide from; auto: bm25,ngrams and, where there is enough to learn from, additive.")  # fmt: skip
@click.option("--k", default=DEFAULT.k, show_default=True, help="Crowd: other people at least as likely.")
@click.option("--transform", default=DEFAULT.transform, show_default=True, help="redact, collapse or delete.")
@click.option(
    "--direct",
    cls=Names,
    default=DEFAULT.direct,
    show_default=True,
    help="Profile fields that must never survive, beside those that names and values tell; or `none`.",
)
@click.option("--direct-only", cls=Names, default=(), help="The same, and none but these.")
@click.option("--attackers", cls=Names, default=("all",), show_default=True, help="Attackers of the audit.")
@AUDIT
@MAX_RISK
@click.option("--accept-risk", metavar="REASON", default="",
              help="Let the release go whatever the verdict, and say why; leaks and crowds are not overruled.")  # fmt: skip
@click.option(
    "--ids", type=click.Choice(["keyed", "keep"]), default=DEFAULT.ids, show_default=True, help="Released ids."
)
@click.option("--key", type=FILE, help="Secret key file (64 hexadecimal digits, mode 0600).  [default: a new key]")
@click.option("--seed", default=DEFAULT.seed, show_default=True, help="Public seed.")
@click.option("--keyed-target/--exact-target", default=True, show_default=True,
              help="Give each document its own secret target crowd of k or more, or k to all.")  # fmt: skip
@click.option("--target-span", default=DEFAULT.target_span, show_default=True, help="Largest keyed target, in k.")
@click.option("--give-back/--no-give-back", default=True, show_default=True, help="Give needless words back.")
@click.option("--unit", type=click.Choice(["word", "occurrence"]), default=DEFAULT.unit, show_default=True,
              help="Hide all occurrences of a word together, or one by one.")  # fmt: skip
@click.option("--stop-words", type=click.Choice(["spare", "mask", "skip"]), default=DEFAULT.stop_words, show_default=True,
              help="Function words, of the language of each text: hidden last, like any word, or never.")  # fmt: skip
@click.option(
    "--budget", default=DEFAULT.budget, show_default=True, help="Largest share of a document's words to hide."
)
@click.option("--always", type=FILE, help="Words and /patterns/ always hidden, one a line.")
@click.option("--never", type=FILE, help="Words and /patterns/ never hidden, one a line.")
@click.option(
    "--keep",
    cls=Names,
    default=(),
    help="Metadata columns to release as they are; what they say counts in every crowd.",
)
@click.option("--protect", type=click.Choice(["subject", "everyone-known"]), default=DEFAULT.protect, show_default=True,
              help="Hide only whom a document is about, or whoever of the population it names.")  # fmt: skip
@click.option("--unknown-person", type=click.Choice(["error", "withhold", "floor-only"]),
              default=DEFAULT.unknown_person, show_default=True,
              help="A document whose person is missing or has no profile; floor-only hides what rules and taggers find, "
              "and measures nothing.")  # fmt: skip
@click.option("--withhold-bad", is_flag=True, help="Go on without records that are faulty; exit code 3.")
@click.option("--attacker-people", type=FILE, help="What the audit's attackers know, if more or other.")
@TRAINING
@MODEL
@ATTACKER_MODEL
@click.option("--sensitive", cls=Names, default=(), help="Profile fields that a crowd should not agree on.")
@click.option("--audit-sample", default=2000, show_default=True, type=click.IntRange(min=1),
              help="Documents that attackers are tried on; people are drawn by hash.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N documents.")
@WORKERS
@click.option("--dry-run", is_flag=True, help="Validate, mask a sample, say what it would cost; write nothing.")
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
@SETTINGS
def deidentify(documents: Path, out: Path, private: Path | None, **options: Any) -> None:
    """Mask DOCUMENTS until each person hides among k others, audit the result, and write release and report."""
    from unname.run.deidentify_files import deidentify_files, estimate_files
    from unname.run.tagging import split_taggers

    given = options.pop("tagger")
    named, options["tagger"] = split_taggers(given)
    if not named and {"", "none"}.isdisjoint(given):
        named = DEFAULT.taggers
    names = ("method", "k", "transform", "ids", "seed", "keyed_target", "target_span", "give_back", "unit",
             "stop_words", "budget", "protect", "unknown_person", "reidentifiers", "direct", "direct_only", "keep",
             "hide")  # fmt: skip
    settings = Deidentification(
        taggers=named,
        **{name: options.pop(name) for name in names},
    )
    outside = {name: options.pop(name) for name in ("attacker_people", "audit_sample", "key", "replace")}
    attackers, sensitive = _attackers(options), options.pop("sensitive")
    dry_run, workers = options.pop("dry_run"), options.pop("workers") or 0
    decision = {name: options.pop(name) for name in ("max_risk", "accept_risk", "out_format")}
    _warn_of_left_overs(out)
    with _progress() as progress:
        if dry_run:
            print_estimate(estimate_files(
                documents, settings=settings, attackers=attackers, sensitive=sensitive,
                attacker_people=outside["attacker_people"], workers=workers, progress=progress, **input_of(**options),
            ))  # fmt: skip
            return
        outside["key_file"] = outside.pop("key")
        released = deidentify_files(
            documents, out=out, private=private, settings=settings, attackers=attackers, sensitive=sensitive,
            workers=workers, progress=progress, **decision, **outside, **input_of(**options),
        )  # fmt: skip
    print_report(released.report)
    print_places(released)
    if released.held:
        sys.exit(UNSAFE)
    if released.result.withheld or released.bad_records:
        sys.exit(WITHHELD)


def _attackers(options: dict[str, Any]) -> tuple[str, ...]:
    """Whom --audit and --attackers together ask for."""
    named, audit = tuple(options.pop("attackers")), options.pop("audit")
    if audit != "full" and named != ("all",):
        raise click.UsageError("--audit and --attackers: name one of them")
    return named if audit == "full" else (audit,)


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
    if report["withheld"]["documents"] or report.get("bad_records"):
        sys.exit(WITHHELD)


@cli.command()
@click.argument("released", type=ANY)
@click.option("--original", required=True, type=ANY, help="The documents before masking.")
@INPUT
@click.option("--out", required=True, type=FOLDER, help="Folder for the report.")
@click.option("--private", type=FOLDER, help="The release's private folder, for keyed ids and masks.")
@click.option("--attackers", cls=Names, default=("all",), show_default=True, help="Attackers to try.")
@click.option("--audit", type=click.Choice(["quick", "full"]), default="full", show_default=True,
              help="How many attackers are tried: a fixed quick set, or all.")  # fmt: skip
@MAX_RISK
@click.option("--used", cls=Names, help="Attackers that served the masking.  [default: the manifest's, else none]")
@click.option("--attacker-people", type=FILE,
              help="What the attackers know, if more or other: profiles with all their fields.")  # fmt: skip
@TRAINING
@ATTACKER_MODEL
@click.option("--previous", multiple=True, type=ANY,
              help="An earlier release of the same documents, read beside this one; repeatable.")  # fmt: skip
@click.option("--previous-private", multiple=True, type=FOLDER,
              help="Private folder of each earlier release, in the same order.")  # fmt: skip
@click.option("--sensitive", cls=Names, default=(), help="Profile fields that a crowd should not agree on.")
@click.option("--mask-pattern", help="What a placeholder looks like in this release (regular expression).")
@click.option("--k", type=click.IntRange(min=1), help="Crowd that was asked for.  [default: the manifest's, else 10]")
@click.option("--seed", default=0, show_default=True, help="Public seed.")
@WORKERS
@click.option("--replace", is_flag=True, help="Replace the report of an earlier run.")
@SETTINGS
def audit(released: Path, **options: Any) -> None:
    """Attack a masked corpus of any tool: who can still be found, and what did it cost?"""
    from unname.run.audit_files import audit_files

    out, workers, attackers = options["out"], options.pop("workers") or 0, _attackers(options)
    with _progress() as progress:
        report = audit_files(
            released, attackers=attackers, workers=workers, progress=progress, **input_of(**options),
        )  # fmt: skip
    print_report(report)
    say(f"report   {out / 'report.html'}")


@cli.command()
@click.argument("documents", type=ANY)
@INPUT
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="JSONL file to write.")
@click.option("--reidentifiers", cls=Names, default=("bm25", "ngrams"), show_default=True, help="Which ones to ask.")
@TRAINING
@MODEL
@click.option("--top", default=10, show_default=True, help="How many guesses to list.")
@SETTINGS
def reidentify(
    documents: Path,
    out: Path,
    reidentifiers: Sequence[str],
    top: int,
    training: Path | None,
    model: Sequence[Path],
    **options: Any,
) -> None:
    """Say who each of DOCUMENTS seems to be about: rank, crowd and first guesses. The output names people."""
    from unname.run.inputs import read_inputs, with_training
    from unname.run.models import load_models, require_unseen
    from unname.run.reidentify import reidentify as run

    if out.exists():
        raise StateError("the output file already exists; choose another")
    values = input_of(**options)
    inputs = with_training(read_inputs(documents, unknown_person="any", **values), training, values["columns"])
    models = load_models(model)
    require_unseen(models.values(), inputs.documents)
    with _progress() as progress:
        rows = run(inputs.documents, inputs.population, reidentifiers=reidentifiers, training=inputs.others,
                   models=models, top=top, progress=progress)  # fmt: skip
        with parents_made(out):
            write_jsonl(out, rows, private=True)
    say(f"{len(inputs.documents)} documents → {out}")


@cli.group()
def train() -> None:
    """Train what learns."""


@train.command("reidentifier")
@click.argument("documents", type=ANY)
@INPUT
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@click.option("--kind", type=click.Choice(["additive", "biencoder"]), default="additive", show_default=True,
              help="Word vectors that a search can use, or two neural encoders.")  # fmt: skip
@click.option("--document-encoder", help="biencoder: an encoder's folder, or hub:owner/name.")
@click.option("--profile-encoder", help="biencoder: the same for profiles; a TAPAS one reads them as a table.  "
              "[default: that of documents]")  # fmt: skip
@click.option("--width", type=click.IntRange(min=1), help="biencoder: dimensions that both sides are projected to.")
@click.option(
    "--window", type=click.IntRange(min=16), help="biencoder: tokens read at a time; longer texts have several."
)
@click.option("--batch", type=click.IntRange(min=1), help="biencoder: documents of a step.")
@click.option("--epochs", type=click.IntRange(min=1), help="biencoder: how often all documents are read.")
@click.option("--schedule", type=click.Choice(["coordinate", "joint"]), help="biencoder: one side an epoch, or both.")
@click.option("--frozen-layers", type=click.IntRange(min=0), help="biencoder: lower layers that stay as they came.")
@click.option("--device", help="biencoder: auto, cpu or cuda.")
@click.option("--checkpoint", type=FOLDER, help="biencoder: folder from which a killed training goes on.")
@click.option("--seed", default=0, show_default=True, help="Public seed.")
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def train_reidentifier(documents: Path, out: Path, **options: Any) -> None:
    """Learn from DOCUMENTS who a text is about, and write a model for --model or --attacker-model."""
    from unname.run.models import train_reidentifier_files

    given = {name: value for name, value in input_of(**options).items() if value is not None}
    with _progress() as progress:
        train_reidentifier_files(documents, out=out, progress=progress, **given)
    say(f"model    {out}")


@train.command("tagger")
@click.argument("corpus", type=ANY)
@COLUMNS
@click.option("--out", required=True, type=FOLDER, help="Model folder to write. It holds words of the documents.")
@click.option("--kind", type=click.Choice(["crf", "svm", "ensemble", "lstm-crf", "transformer"]), default="crf",
              show_default=True, help="See `unname methods`.")  # fmt: skip
@click.option("--split", help="Learn from the rows of this split.  [default: all]")
@click.option("--held-out", type=ANY, help="Documents that say when to stop.  [default: the split dev, with --split]")
@click.option(
    "--labels", cls=Names, default=(), help="Learn only these labels; direct stands for those that name a person."
)
@GAZETTEER
@click.option("--label-by", type=click.Choice(["label", "kind", "any"]), default="label", show_default=True,
              help="What is told apart: labels, kinds (direct, quasi), or identifiers from all else.")  # fmt: skip
@click.option("--encoder", help="transformer: an encoder's folder, or hub:owner/name.")
@click.option("--word-vectors", type=FILE, help="lstm-crf: fastText or GloVe vectors as a text file.")
@click.option("--epochs", type=click.IntRange(min=1), help="lstm-crf, transformer: how often all documents are read.")
@click.option("--device", help="lstm-crf, transformer: auto, cpu or cuda.")
@click.option("--checkpoint", type=FOLDER, help="lstm-crf, transformer: folder from which a killed training goes on.")
@click.option("--seed", default=0, show_default=True, help="Public seed.")
@click.option("--replace", is_flag=True, help="Replace an earlier model.")
@SETTINGS
def train_tagger(corpus: Path, out: Path, **options: Any) -> None:
    """Learn from annotated documents which words are identifiers, and write a model for --tagger."""
    from unname.run.tagging import train_tagger_files

    with _progress() as progress:
        train_tagger_files(corpus, out=out, progress=progress, **corpus_of(**options))
    say(f"model    {out}")


@cli.command()
@click.argument("corpus", type=ANY)
@COLUMNS
@click.option("--tagger", multiple=True, required=True,
              help="`rules`, or the folder of a trained tagger; repeatable.")  # fmt: skip
@click.option("--votes", type=click.IntRange(min=1),
              help="Taggers that must find the same stretch and label.  [default: one; of overlaps the longest]")  # fmt: skip
@GAZETTEER
@ALLOW
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="JSONL file to write.")
@click.option("--split", help="Only the rows of this split.")
@SETTINGS
def tag(
    corpus: Path, out: Path, tagger: Sequence[str], gazetteers: Sequence[tuple[str, Path]], allow: Path | None,
    **options: Any,
) -> None:  # fmt: skip
    """Say where CORPUS has identifiers: spans with label and score, by document. The output holds no text."""
    from unname.run.tagging import make_taggers, split_taggers, tag_files

    if out.exists():
        raise StateError("the output file already exists; choose another")
    taggers = make_taggers(*split_taggers(tagger), gazetteers=gazetteers, allow=allow)
    with _progress() as progress:
        count = tag_files(corpus, out, taggers=taggers, progress=progress, **corpus_of(**options))
    say(f"{count} documents → {out}")


@cli.command()
@click.option("--model", required=True, type=FOLDER, help="Folder of a biencoder.")
@click.option("--people", required=True, type=FILE, help="Profiles to embed.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to write, .npy.")
def embed(model: Path, people: Path, out: Path) -> None:
    """Embed all profiles under a trained biencoder: a matrix that can be mapped into memory."""
    from unname.run.models import embed_files

    if out.exists():
        raise StateError("the output file already exists; choose another")
    with _progress() as progress:
        count = embed_files(model, people, out, progress=progress)
    say(f"{count} profiles → {out}")


@cli.command()
@click.argument("predicted", type=FILE)
@click.option("--gold", required=True, type=ANY, help="The annotated corpus.")
@TOLD_FORMAT
@click.option("--split", help="Score the gold documents of this split alone.")
@click.option("--metric", type=click.Choice(["spans", "i2b2", "meddocan", "tab"]), default="spans", show_default=True,
              help="Which scorer to count as.")  # fmt: skip
@click.option(
    "--labels", cls=Names, default=(), help="Labels, or groups of them, that count.  [default: all; i2b2: HIPAA's]"
)
@click.option("--as-published", is_flag=True, help="i2b2, meddocan: repeat the quirks of the published scorer.")
@click.option("--json", is_flag=True, help="Print everything as JSON.")
@click.option("--errors", type=click.Path(dir_okay=False, path_type=Path),
              help="HTML page to write, of all that went wrong. It shows text of the documents.")  # fmt: skip
@click.option("--training", type=ANY, help="What the tagger learned from: --errors then says which words are new.")
@click.option("--most-errors", default=50, show_default=True, type=click.IntRange(min=1),
              help="Most rows of each kind of error and type in --errors.")  # fmt: skip
@SETTINGS
def evaluate(predicted: Path, gold: Path, errors: Path | None, **options: Any) -> None:
    """Score PREDICTED spans, as a tagger wrote them, against a gold corpus: precision, recall, F1 and what went wrong."""
    from unname.run.evaluate import evaluate_files

    as_json = options.pop("json")
    found = evaluate_files(predicted, gold, errors=errors, **options)
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=1))
    else:
        print_evaluation(found)
    if errors is not None:
        said = f"errors   {errors} shows text of the documents; only you can read it"
        ERR.print(printable(said), markup=False, soft_wrap=True)


@cli.command()
@click.option("--out", default="demo", show_default=True, type=FOLDER, help="Folder for town and release.")
@click.option("--people", default=2000, show_default=True, type=click.IntRange(min=50), help="Inhabitants.")
@click.option("--k", default=10, show_default=True, help="Crowd.")
@click.option("--seed", default=0, show_default=True, help="Which town.")
@WORKERS
@click.option("--replace", is_flag=True, help="Replace the outputs of an earlier run.")
def demo(out: Path, people: int, k: int, seed: int, workers: int | None, replace: bool) -> None:
    """Make a fictional town, deidentify its patients' notes, audit them, and show what that looks like."""
    from unname.run.demo import run_demo

    with _progress() as progress:
        released, (before, after) = run_demo(
            out, people=people, k=k, seed=seed, replace=replace, workers=workers or 0,
            progress=progress,
        )  # fmt: skip
    print_report(released.report)
    for title, text in (("before", before), ("after", after)):
        OUT.rule(title, align="left")
        OUT.print(text, markup=False)
    OUT.rule()
    say(f"Everybody here is invented. Open the report: {released.folder / 'report.html'}")


@cli.command()
def methods() -> None:
    """List every method, tagger, reidentifier, attacker and transform that is installed."""
    for group in (registry.METHODS, registry.TAGGERS, registry.REIDENTIFIERS, registry.ATTACKERS, registry.TRANSFORMS):
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
    except Exception as error:  # a bug: its message may quote what was being worked on, so only its place is told
        ERR.print(f"error: unexpected {type(error).__name__} {where(error)}; please report it", markup=False)
        return 1


def _terminated(number: int, frame: object) -> None:
    """End as after Ctrl-C, so that nothing half written is left."""
    raise KeyboardInterrupt


def main() -> None:
    """Entry point of the command `unname`: no core dumps, which would hold texts and keys, and an end in order."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGTERM, _terminated)
    sys.exit(run())
