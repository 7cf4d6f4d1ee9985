"""Options that several verbs share, and what they are as arguments of the functions in `unname.run`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from unname.registry import split_names
from unname.settings import Deidentification, read_settings
from unname.storage.dialects import Dialect
from unname.storage.formats import FORMATS
from unname.storage.tables import Columns


def _load_settings(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    values = read_settings(Path(value))
    known = {o.lstrip("-").replace("-", "_"): p.name for p in context.command.params for o in (str(p.name), *p.opts)}
    for key in values:
        if key not in known:
            raise click.UsageError(f"settings file: no option is called {key.replace('_', '-')!r}")
    options = {p.name: p for p in context.command.params if isinstance(p, click.Option)}
    given = {known[key]: _as_typed(options.get(known[key]), value) for key, value in values.items()}
    context.default_map = {**(context.default_map or {}), **given}


class Names(click.Option):
    """An option of several names: with commas between them, or given several times, or both.

    Its value is a tuple of names; None where it was not given and has no default.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"multiple": True, "metavar": "NAME,...", "callback": _split, **kwargs})


def _split(context: click.Context, parameter: click.Parameter, value: Sequence[str] | None) -> Sequence[str] | None:
    if not value and parameter.default != ():
        return None
    return split_names(name for names in value or () for name in names.split(","))


def _as_typed(option: click.Option | None, value: Any) -> Any:
    """A value of a settings file as click has it from a command line."""
    if isinstance(option, Names):
        return (str(value),)
    return split_names(str(value)) if option is not None and option.multiple else value


def several(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """One decorator for several options."""

    def wrap(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return wrap


DEFAULT = Deidentification()
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
ANY = click.Path(exists=True, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


class _People(click.Path):
    """A people table, or a word that stands for the documents themselves or for nobody."""

    name = "file"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        return value if value in ("from-documents", "none") else super().convert(value, parameter, context)


class Share(click.ParamType[Any, Any]):
    """A share from 0 to 1, or a percentage."""

    name = "share"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        said = str(value).strip()
        try:
            found = float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
        except ValueError:
            found = -1.0
        if not 0 <= found <= 1:
            self.fail("must be a share from 0 to 1, or a percentage such as 15%", parameter, context)
        return found


SETTINGS = click.option(
    "--settings", "settings_file", type=click.Path(exists=True, dir_okay=False), callback=_load_settings,
    is_eager=True, expose_value=False, help="TOML file with long option names as keys; the command line wins.",
)  # fmt: skip


def _format(default: str) -> Callable[[Any], Any]:
    return click.option(
        "--format", type=click.Choice(FORMATS), metavar="FORMAT",
        help=f"Format of an annotated corpus, in a folder, archive or file: {', '.join(FORMATS)}.  [default: {default}]",
    )  # fmt: skip


FORMAT = _format("none, for tables and folders of .txt")
TOLD_FORMAT = _format("told by the names of the files")
_NAMED_COLUMNS = several(
    click.option("--id-column", default="id", show_default=True, help="Column of document ids."),
    click.option(
        "--text-column", multiple=True, default=("text",), show_default=True, help="Column of text; repeatable."
    ),
    click.option("--person-column", default="person", show_default=True, help="Column of the person's id."),
    click.option("--persons", type=FILE, help="Table of documents (id) and their persons (person), where no column says so."),
    click.option("--person-pattern", metavar="REGEX",
                 help="Where in a document's id (a file's name) the person's id stands: the first group, or all of it."),
    click.option("--split-column", default="split", show_default=True, help="Column of the split."),
    click.option("--delimiter", help="Separator of CSV columns: one character, or tab, comma, semicolon, pipe.  "
                 "[default: detected]"),
    click.option("--encoding", help="Encoding of CSV tables and text files.  [default: detected]"),
)  # fmt: skip
COLUMNS = several(_NAMED_COLUMNS, TOLD_FORMAT)
INPUT = several(
    click.option(
        "--people",
        required=True,
        type=_People(exists=True, dir_okay=False, path_type=Path),
        help="Profiles: JSONL, CSV, Excel or Parquet; or `from-documents`: each person's own originals; or `none`.",
    ),
    click.option("--people-id-column", default="id", show_default=True, help="Column of ids in the table of people."),
    click.option(
        "--duplicates",
        type=click.Choice(["refuse", "merge", "keep"]),
        default="refuse",
        show_default=True,
        help="Profiles about the same person: an error, made one, or left as different people.",
    ),
    click.option("--graph", type=FILE, help="Triples (person, relation, value) to merge into the profiles; TSV."),
    click.option("--fields", cls=Names, default=(), help="Use only these profile fields."),
    click.option("--without-fields", cls=Names, default=(), help="Leave these profile fields out."),
    click.option("--split", help="Work on the rows of this split; the others may train attackers."),
    _NAMED_COLUMNS,
    FORMAT,
)
MAX_RISK = click.option(
    "--max-risk", type=Share(), help="Largest share of people that may be found.  [default: 2/(k+1), from 10 to 20 %]"
)
AUDIT = click.option(
    "--audit", type=click.Choice(["quick", "full", "none"]), default="full", show_default=True,
    help="How many attackers are tried: a fixed quick set, all, or none.",
)  # fmt: skip
TRAINING = click.option(
    "--training", type=ANY, help="Documents of other people to learn from.  [default: rows outside --split]"
)
MODEL = click.option(
    "--model", multiple=True, type=FOLDER, help="Folder of a trained reidentifier that serves too; repeatable."
)
ATTACKER_MODEL = click.option(
    "--attacker-model", multiple=True, type=FOLDER, help="Folder of a trained reidentifier that attacks; repeatable."
)


class _Labelled(click.ParamType[Any, Any]):
    """LABEL=FILE."""

    name = "label=file"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        label, equals, path = str(value).partition("=")
        if not (label and equals and Path(path).is_file()):
            self.fail("must be LABEL=FILE, where FILE is a file that exists", parameter, context)
        return label, Path(path)


GAZETTEER = click.option(
    "--gazetteer", "gazetteers", multiple=True, type=_Labelled(), metavar="LABEL=FILE",
    help="Phrases that are such identifiers, one a line; repeatable.",
)  # fmt: skip
TAGGER = click.option(
    "--tagger", multiple=True, default=DEFAULT.taggers, show_default=True,
    help="For composed and tagged: folders of trained taggers, beside the rules; `none` goes without rules; repeatable.",
)  # fmt: skip
ALLOW = click.option("--allow", type=FILE, help="Phrases that the rules never tag, one a line.")
WORKERS = click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes.  [default: one for each core, one in all for few documents]",
)


def corpus_of(**options: Any) -> dict[str, Any]:
    """The options of how documents are read as arguments of the functions in `unname.run`."""
    columns = Columns(
        id=options.pop("id_column"), text=tuple(options.pop("text_column")),
        person=options.pop("person_column"), split=options.pop("split_column"), format=options.pop("format"),
        dialect=Dialect(options.pop("encoding"), options.pop("delimiter")), persons=options.pop("persons"),
        person_pattern=options.pop("person_pattern"),
    )  # fmt: skip
    return {"columns": columns, **options}


def input_of(people: Path, **options: Any) -> dict[str, Any]:
    """The same for documents and people."""
    return {"people": people, **corpus_of(**options)}
