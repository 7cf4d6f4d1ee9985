"""One place for what an option is: a field of a value, with its help text. Command line, TOML and Python share it.

Values are checked here for being of the kinds that their fields promise, whoever made them.
"""

from collections.abc import Iterator, MutableMapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields, replace
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from unname.errors import SettingsError

Value = TypeVar("Value")
# What an option is about: groups of a command's help, in their order.
PEOPLE, DOCUMENTS, HIDDEN, SEARCH = "People", "Documents", "What is hidden", "Search"
AUDIT, OUTPUT, RUN = "Audit and verdict", "Output", "Run"
GROUPS = (PEOPLE, DOCUMENTS, HIDDEN, SEARCH, AUDIT, OUTPUT, RUN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The way a field is given from outside.

    `name` is that of the option where the field is called otherwise. `kind` says what a text stands for: a `file`,
    `folder` or `path` (either), `people` (a file, or a word), a `share`, or a `labelled` file. `choices` are
    all there are, `parts` is the group of the registry whose names are the choices, `least` is the smallest number.
    `each` options are repeated, one value each; `off` is the name of the opposite of a switch.
    `shown` says what holds where the option is not given. Help shows an option in its `group`, or in that of its kind of
    value (`GROUP`); one that is `advanced` is shown by `--help-all` alone.
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
    group: str = ""
    advanced: bool = False


def option(default: Value, help: str, *, private: bool = False, **how: Any) -> Value:
    """A field of a dataclass that is an option; a `private` one, which may hold words of the user's, is in no repr."""
    return field(default=default, repr=not private, metadata={"option": Option(help=help, **how)})


def left_open(
    default: Value, kind: type[object], name: str, *, group: str, of: str = "", least: int | None = None
) -> Value:
    """An option of a part as an option of a command that leaves it to the part: it says the same, and is not given.

    Where the command knows several parts, `of` names those that have it.
    """
    (part,) = (each for each in fields(kind) if each.name == name)  # type: ignore[arg-type]
    about: Option = part.metadata["option"]
    help = f"{of}: {about.help[0].lower()}{about.help[1:]}" if of else about.help
    shown = about.shown or (str(part.default) if part.default != "" else "")
    least = about.least if least is None else least
    return field(default=default, metadata={"option": replace(about, help=help, group=group, least=least, shown=shown)})


def group(kind: type[Any]) -> Any:
    """A field that is a value with options of its own, which are given on one level with the others."""
    return field(default_factory=kind, metadata={"group": kind})


def options_of(kind: type[Any]) -> Iterator[tuple[str, Field[Any], Option]]:
    """(name with underscores, field, option) of every option of a kind of value, those of its groups too."""
    for each in fields(kind):
        if inner := each.metadata.get("group"):
            yield from options_of(inner)
        elif given := each.metadata.get("option"):
            yield given.name or each.name, each, replace(given, group=given.group or getattr(kind, "GROUP", ""))


def _alternatives(each: Field[Any]) -> tuple[Any, ...]:
    return get_args(each.type) if get_origin(each.type) in (Union, UnionType) else (each.type,)


def types_of(each: Field[Any]) -> set[Any]:
    """The types that a field may have; `None` is one where it may be left open."""
    return {None if part is NoneType else get_origin(part) or part for part in _alternatives(each)}


def build(kind: type[Value], given: MutableMapping[str, Any], *, plain: bool = True) -> Value:
    """A value from options, each of which is taken out of `given`; what is not given or None keeps its default.

    A group may be given whole under its field's name; `plain` fields are no options, and not taken from those of a group
    around. SettingsError: a required one is None.
    """
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        inner, about = each.metadata.get("group"), each.metadata.get("option")
        name = about.name or each.name if about else each.name
        if name in given and (plain or about or inner):
            value = given.pop(name)
            if value is not None:
                values[each.name] = value
            elif about and about.required:
                raise SettingsError(f"{name.replace('_', '-')} must be given")
        elif inner:
            values[each.name] = build(inner, given, plain=False)
    return kind(**values)


def require_kinds(*parts: Any) -> None:
    """Values of the kinds that their fields promise, paths and rows as such; SettingsError names the first that is not."""
    for values in parts:
        for each in fields(values):
            about = each.metadata.get("option") or (Option(help="") if each.type is Path else None)
            if about is not None:
                name = (about.name or each.name).replace("_", "-")
                object.__setattr__(values, each.name, value_of(each, getattr(values, each.name), name))


def value_of(each: Field[Value], value: object, name: str) -> object:
    """A value as the first type of a field that takes it has it; SettingsError, which calls the field `name`: none does."""
    from msgspec import ValidationError, convert  # for whoever makes a job, not for help

    about, types = each.metadata.get("option") or Option(help=""), types_of(each)
    if value is None and None in types:
        return None
    if about.choices:
        require(value in about.choices, f"{name} must be {', '.join(about.choices[:-1])} or {about.choices[-1]}")
    # A text that may be a text is no path, and one that could be words is neither; a set has no order.
    for kind in sorted(_alternatives(each), key=lambda kind: kind is Path):
        if (kind is Path and tuple in types and isinstance(value, str)) or isinstance(value, AbstractSet):
            continue
        with suppress(ValidationError):
            checked = convert(plain_number(value), kind, dec_hook=_path)
            require(not isinstance(checked, float) or isfinite(checked), f"{name} must be a finite number")
            require(about.least is None or checked >= about.least, f"{name} must be at least {about.least}")
            return checked
    if tuple in types:
        raise SettingsError(f"{name} must be several names, such as {each.default or ('name',)}")
    named = " or ".join(said for one, said in _NAMES.items() if one in types)
    raise SettingsError(f"{name} must be {named}, not {type(value).__name__}")


_NAMES: dict[Any, str] = {
    bool: "true or false", int: "a whole number", float: "a number", str: "text", Path: "a path", None: "none",
}  # fmt: skip


def _path(kind: Any, value: Any) -> Path:
    """A path, which msgspec does not know."""
    return Path(value)  # a TypeError of any other value is one more kind that it is not


def plain_number(value: Any) -> Any:
    """A number of another library as Python's own."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


def require(condition: bool, message: str) -> None:
    """SettingsError with this message where the condition does not hold."""
    if not condition:
        raise SettingsError(message)
