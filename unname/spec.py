"""Specs of parts, with their parameters, as text: `anonymity(strategy=random)`, the same string everywhere.

A part is a dataclass; those of its fields that are options are its parameters, with their defaults and help.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any, Protocol, runtime_checkable

from unname.errors import SettingsError
from unname.option import Option, plain_number, require, value_of
from unname.types import Plain

_NAME = re.compile(r"\s*([A-Za-z][\w.:-]*)\s*")
_PARAMETER = re.compile(r"\s*([a-z]\w*)\s*=\s*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_REST = re.compile(r"\s*(,|$)")
_BARE = re.compile(r"[\w.:/+-]+")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, slots=True)
class PartSpec:
    """The name of a part and the parameters that are set; `str` prints what `parse` reads."""

    name: str
    parameters: Mapping[str, Plain] = field(default_factory=dict)

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={_printed(value)}" for name, value in self.parameters.items())
        return f"{self.name}({inside})" if inside else self.name


@runtime_checkable
class OwnParameters(Protocol):
    """A part that is no class, and says itself what its parameters are."""

    def parameter_fields(self) -> Mapping[str, "Field[Any]"]:
        """Fields that are options, by name."""
        ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a part: what it is without being set, what it is about, and its `field`, which says of what kinds."""

    name: str
    default: Any
    about: Option
    field: "Field[Any]"

    def __str__(self) -> str:
        choices = f" ({', '.join(self.about.choices)})" if self.about.choices else ""
        return f"{self.name}={_printed(self.default)}{choices}: {self.about.help}"


def parse(text: str) -> PartSpec:
    """The part that a text names, with the parameters it sets; anything else is a SettingsError."""
    start = _NAME.match(text)
    if start is None:
        raise SettingsError("a part is named as NAME or NAME(parameter=value, …)")
    at, name = start.end(), start[1]
    if at == len(text):
        return PartSpec(name)
    if text[at] != "(" or not text.rstrip().endswith(")"):
        raise SettingsError(f"{name}: parameters stand in one pair of parentheses behind the name")
    return PartSpec(name, dict(_parameters(name, text[at + 1 : text.rstrip().rfind(")")])))


def _parameters(part: str, text: str) -> Iterator[tuple[str, Plain]]:
    at, seen = 0, set[str]()
    while at < len(text) and text[at:].strip():
        match = _PARAMETER.match(text, at)
        value = match and (_QUOTED.match(text, match.end()) or _BARE.match(text, match.end()))
        if not match or not value:
            raise SettingsError(f"{part}: expected parameter=value, with commas between them")
        if match[1] in seen:
            raise SettingsError(f"{part}: {match[1]} is given twice")
        seen.add(match[1])
        yield match[1], _read(value[0])
        rest = _REST.match(text, value.end())
        if rest is None:
            raise SettingsError(f"{part}: expected parameter=value, with commas between them")
        at = rest.end()


def _read(word: str) -> Plain:
    if word.startswith('"'):
        try:
            return str(json.loads(word, strict=False))
        except ValueError:
            raise SettingsError("a quoted value of a parameter is written as in JSON") from None
    if word in _WORDS:
        known: Plain = _WORDS[word]
        return known
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return word


def _printed(value: Plain) -> str:
    if isinstance(value, str):
        return value if _BARE.fullmatch(value) and _read(value) == value else json.dumps(value)
    for word, known in _WORDS.items():
        if value is known:
            return word
    return repr(value)


def parameters_of(part: Callable[..., object]) -> dict[str, Parameter]:
    """The parameters of a part by name: those of its fields, and of its `settings_class`, that are options."""
    if isinstance(part, OwnParameters):
        parameters = part.parameter_fields()
    else:
        values = (each for each in (part, getattr(part, "settings_class", None)) if is_dataclass(each))
        parameters = {each.name: each for kind in values for each in fields(kind) if "option" in each.metadata}
    return {name: Parameter(name, each.default, each.metadata["option"], each) for name, each in parameters.items()}


def spelt(name: str, part: object) -> str:
    """A made part as text: this name, with the parameters that are not as by default; whole numbers without a point."""
    made = parameters_of(type(part))
    settings = getattr(part, "settings", part)
    values = {key: getattr(part, key, getattr(settings, key, made[key].default)) for key in made}
    changed = {key: value for key, value in values.items() if value != made[key].default}
    whole = (int(value) if isinstance(value, float) and value.is_integer() else value for value in changed.values())
    return str(PartSpec(name, dict(zip(changed, whole, strict=True))))


def checked(spec: PartSpec, part: Callable[..., object]) -> dict[str, Plain]:
    """The parameters that are set, of the kinds that the part takes; SettingsError names the first that is not."""
    known, values = parameters_of(part), dict[str, Plain]()
    for name, value in spec.parameters.items():
        listed = ", ".join(known) or "none"
        require(name in known, f"{spec.name} has no parameter {name}; its parameters: {listed}")
        made = value_of(known[name].field, value, f"{spec.name}: {name}")
        if not isinstance(made, Plain):
            raise SettingsError(f"{spec.name}: {name} cannot be given in parentheses")
        # As it was written: 3 stays 3 where any number may stand.
        values[name] = plain_number(value) if isinstance(made, float) else made
    return values
