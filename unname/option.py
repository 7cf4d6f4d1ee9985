"""One place for what an option is: a field of a value, with its help text. Command line, TOML and Python share it.

Values are checked here for being of the kinds that their fields promise, whoever made them.
"""

import os
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from unname import registry
from unname.errors import SettingsError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a field is given from outside.

    `name` is that of the option where the field is called otherwise. `kind` says what a text stands for: a `file`,
    `folder` or `path` (either), `people` (a file, or a word), a `share`, or a `labelled` file. `choices` are
    all there are, `parts` is the group of the registry whose names are the choices, `least` is the smallest number.
    `each` options are repeated, one value each; `off` is the name of the opposite of a switch. `shown` says what holds
    where the option is not given.
    """

    help: str
    name: str = ""
    kind: str = ""
    choices: tuple[str, ...] = ()
    parts: str = ""
    metavar: str | None = None
    least: int | None = None
    each: bool = False
    off: str = ""
    shown: str = ""
    required: bool = False


def option(default: Any, help: str, *, private: bool = False, **how: Any) -> Any:
    """A field of a dataclass that is an option; a `private` one, which may hold words of the user's, is in no repr."""
    return field(default=default, repr=not private, metadata={"option": Option(help=help, **how)})


def group(kind: type[Any]) -> Any:
    """A field that is a value with options of its own, which are given on one level with the others."""
    return field(default_factory=kind, metadata={"group": kind})


def options_of(kind: type[Any]) -> Iterator[tuple[str, Field[Any], Option]]:
    """(name with underscores, field, option) of every option of a kind of value, those of its groups too."""
    for each in fields(kind):
        if inner := each.metadata.get("group"):
            yield from options_of(inner)
        elif found := each.metadata.get("option"):
            yield found.name or each.name, each, found


def types_of(each: Field[Any]) -> set[Any]:
    """The types that a field may have; `None` is one where it may be left open."""
    parts = get_args(each.type) if get_origin(each.type) in (Union, UnionType) else (each.type,)
    return {None if part is NoneType else get_origin(part) or part for part in parts}


def build(kind: type[Value], given: MutableMapping[str, Any]) -> Value:
    """A value from options, each of which is taken out of `given`; what is not given or None keeps its default.

    A group may be given whole under its field's name. SettingsError: a required one is None.
    """
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        inner, found = each.metadata.get("group"), each.metadata.get("option")
        name = found.name or each.name if found else each.name
        if name in given:
            value = given.pop(name)
            if value is not None:
                values[each.name] = value
            elif found and found.required:
                raise SettingsError(f"{name.replace('_', '-')} must be given")
        elif inner:
            values[each.name] = build(inner, given)
    return kind(**values)


def require_kinds(values: Any) -> None:
    """Values of the kinds that their fields promise, paths and rows as such; SettingsError names the first that is not."""
    for each in fields(values):
        about, value, types = each.metadata.get("option"), getattr(values, each.name), types_of(each)
        if (about is None and types != {Path}) or (value is None and None in types):
            continue
        about = about or Option(help="")
        name = (about.name or each.name).replace("_", "-")
        if about.choices:
            named = f"{', '.join(about.choices[:-1])} or {about.choices[-1]}"
            require(value in about.choices, f"{name} must be {named}")
        if about.parts and isinstance(value, str):
            registry.resolve(about.parts, value)
        if isinstance(value, str | os.PathLike) and Path in types and not (isinstance(value, str) and str in types):
            require(tuple not in types or not isinstance(value, str), f"{name} must be several words or patterns, such as "
                     f"[{name!r}]")  # fmt: skip
            value = Path(value)
        if tuple in types and not isinstance(value, Path):
            paths = get_args(each.type)[0] is Path
            kinds = tuple if about.kind == "labelled" else str | os.PathLike if paths else str
            row = (
                not isinstance(value, str) and isinstance(value, Sequence) and all(isinstance(v, kinds) for v in value)
            )
            require(row, f"{name} must be several names, such as {each.default or ('name',)}")
            value = tuple(Path(one) if paths else one for one in value)
        value = plain_number(value)
        require(
            any(_is(value, one) for one in types if one), f"{name} must be {_said(types)}, not {type(value).__name__}"
        )
        require(about.least is None or value >= about.least, f"{name} must be at least {about.least}")
        object.__setattr__(values, each.name, value)


def plain_number(value: Any) -> Any:
    """A number of another library as Python's own."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


_NAMES = {bool: "True or False", int: "a whole number", float: "a number", str: "text", Path: "a path",
          tuple: "several names"}  # fmt: skip


def _said(types: set[Any]) -> str:
    return " or ".join(said for one, said in _NAMES.items() if one in types)


def _is(value: Any, kind: Any) -> bool:
    number = int | float if kind is float else kind
    return isinstance(value, number) and (kind is bool or not isinstance(value, bool))


def require(condition: bool, message: str) -> None:
    """SettingsError with this message where the condition does not hold."""
    if not condition:
        raise SettingsError(message)
