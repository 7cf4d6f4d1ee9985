"""The command's options, made from the fields of jobs: names, kinds, defaults and help texts stand there alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, replace
from pathlib import Path
from typing import Any

import click

from unname import registry
from unname.job import FROM_DOCUMENTS, NOBODY
from unname.option import Option, options_of, types_of
from unname.registry import split_names
from unname.storage.formats import FORMATS
from unname.terminal.help import GroupedOption

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
ANY = click.Path(exists=True, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
OUTPUT = click.Path(dir_okay=False, path_type=Path)


class Names(GroupedOption):
    """An option of several names: with commas between them, or given several times, or both.

    Its value is a tuple of names; None where it was not given and has no default.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"multiple": True, "metavar": "NAME,...", "callback": _split, **kwargs})


def _split(context: click.Context, parameter: click.Parameter, value: Sequence[str] | None) -> Sequence[str] | None:
    if not value and parameter.default != ():
        return None
    return split_names(name for names in value or () for name in split_names(names))


class _People(click.Path):
    """A people table, or a word that stands for the documents themselves or for nobody."""

    name = "file"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        return value if value in (FROM_DOCUMENTS, NOBODY) else super().convert(value, parameter, context)


class Share(click.ParamType[Any, Any]):
    """A share from 0 to 1, or a percentage."""

    name = "share"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        said = str(value).strip()
        try:
            share = float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            self.fail("must be a share from 0 to 1, or a percentage such as 15%", parameter, context)
        return share


class _Labelled(click.ParamType[Any, Any]):
    """LABEL=FILE."""

    name = "label=file"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        label, equals, path = str(value).partition("=")
        if not (label and equals and Path(path).is_file()):
            self.fail("must be LABEL=FILE, where FILE is a file that exists", parameter, context)
        return label, Path(path)


_KINDS: Mapping[str, click.ParamType[Any, Any]] = {
    "file": FILE, "path": ANY, "folder": FOLDER, "output": OUTPUT, "share": Share(), "labelled": _Labelled(),
    "people": _People(exists=True, dir_okay=False, path_type=Path), "format": click.Choice(FORMATS),
}  # fmt: skip


def options(*kinds: type[Any], leave_out: Sequence[str] = (), required: Sequence[str] = ()) -> Callable[[Any], Any]:
    """A decorator that gives a command every option of these kinds of values, under the names of their fields.

    Those that are `required` have no default there, whatever their fields say.
    """
    made = [
        _made(name, each, replace(about, required=about.required or name in required), types_of(each))
        for kind in kinds for name, each, about in options_of(kind) if name not in leave_out
    ]  # fmt: skip

    def wrap(function: Any) -> Any:
        for each in reversed(made):
            function = each(function)
        return function

    return wrap


class PartName(click.ParamType[Any, Any]):
    """The plain or versioned name of a part of a group; which there are is looked up when help is shown or a name given."""

    name = "part"

    def __init__(self, group: str) -> None:
        self._group = group

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """All plain names, as click shows choices."""
        return f"[{'|'.join(registry.plain_names(self._group))}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it was given; one that is not installed is a usage error."""
        if not isinstance(value, str) or not registry.is_known(self._group, value):
            self.fail(f"no such part; choose from: {', '.join(registry.plain_names(self._group))}", param, ctx)
        return value


def _made(name: str, each: Field[Any], about: Option, types: set[Any]) -> Callable[[Any], Any]:
    default = None if each.default is MISSING or about.shown or about.required else each.default
    flag = f"--{name.replace('_', '-')}"
    given: dict[str, Any] = {
        "cls": GroupedOption, "help": about.help, "required": about.required, "group": about.group,
        "advanced": about.advanced, "shown": about.shown,
    }  # fmt: skip
    if not about.required:  # None is a default to click, too, and one that satisfies it
        given["default"] = default if default != () or about.each else None
    if bool in types:
        both = f"{flag}/--{about.off}" if about.off else flag
        return click.option(both, name, is_flag=True, show_default=bool(about.off), **given)
    if tuple in types and not about.each and not about.kind:
        return click.option(flag, name, show_default=bool(default), **{**given, "cls": Names})
    if about.kind:
        given["type"] = _KINDS[about.kind]
        if about.kind == "format":
            given |= {"metavar": "FORMAT"}
            given["help"] = about.help.replace(".", f": {', '.join(FORMATS)}.", 1)
    elif about.choices:
        given["type"] = click.Choice(about.choices)
    elif about.parts:
        given["type"] = PartName(about.parts)
    elif int in types:
        given["type"] = click.IntRange(min=about.least) if about.least is not None else int
    elif float in types:
        given["type"] = float
    if about.metavar:
        given["metavar"] = about.metavar
    if about.each:
        given["callback"] = _given_or_default
    return click.option(flag, name, multiple=about.each, show_default=default not in (None, "", ()), **given)


def _given_or_default(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value of an option; an empty list in a settings file gives none."""
    return value or None
