"""Named parts: methods, reidentifiers, attackers, taggers and transforms, by versioned names from entry points.

`greedy` on the command line means the newest version that is installed; a manifest stores `greedy.v1`, so a saved
setting never changes its meaning. Our own parts are registered in our own pyproject, like anybody else's. Wherever a name
stands, parameters may stand behind it in parentheses (`unname.spec`): `bm25(b=0.5)`.

A part says itself what others need to know before they use it, in attributes of the class or function that is
registered, all of them optional: `available()` returns what to install first (None: nothing), `written` is how a tagger
is named that takes a model behind a colon (`spacy:NAME`), `settings_class` is a dataclass of parameters that the part
takes as one, `settings`; and an attacker's `about` says whether it belongs to the quick audit and to the rounds of masking
(docs/extending.md).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any

from unname.errors import ModelError, SettingsError, UnnameError, missing_extra
from unname.spec import PartSpec, checked, parameters_of, parse

METHODS = "unname.methods"
REIDENTIFIERS = "unname.reidentifiers"
ATTACKERS = "unname.attackers"
TRANSFORMS = "unname.transforms"
TAGGERS = "unname.taggers"
# Kinds of reidentifiers that lie in a folder once they have learned, with `load`.
MODELS = "unname.models"
# Kinds that `unname train` teaches. Groups of their own, so that a choice is listed without loading what it stands for.
TRAINABLE_TAGGERS, TRAINABLE_REIDENTIFIERS = "unname.trainable_taggers", "unname.trainable_reidentifiers"


# Commas between parts; those within parentheses part parameters.
_COMMA = re.compile(r",(?![^()]*\))")


@cache
def _found(group: str) -> tuple[dict[str, EntryPoint], dict[str, str]]:
    """Registered parts by name, and the packages that bring different ones under one name, by that name."""
    points, brought = tuple(entry_points(group=group)), defaultdict[str, dict[str, str]](dict)
    for point in points:
        brought[point.name][point.value] = point.dist.name if point.dist is not None else "unknown"
    disputed = {name: " and ".join(sorted(whose.values())) for name, whose in brought.items() if len(whose) > 1}
    return {point.name: point for point in points}, disputed


def _parts(group: str) -> dict[str, EntryPoint]:
    return _found(group)[0]


def names(group: str) -> list[str]:
    """Versioned names of everything registered in a group, sorted."""
    return sorted(_parts(group))


def spec_of(text: str) -> PartSpec:
    """The name of a part and its parameters; a text without parentheses is a name, whatever it holds."""
    return parse(text) if text.rstrip().endswith(")") else PartSpec(text)


def plain(name: str) -> str:
    """A versioned name without its version and parameters; any other name as it is."""
    bare = spec_of(name).name
    return bare.rpartition(".v")[0] or bare


def plain_names(group: str) -> tuple[str, ...]:
    """Names of everything registered in a group without their versions, sorted: the choices that an option has."""
    return tuple(sorted({plain(name) for name in _parts(group)}))


def is_known(group: str, name: str) -> bool:
    """True if a plain or versioned name is registered in a group."""
    name = spec_of(name).name
    return name in _parts(group) or name in plain_names(group)


def resolve(group: str, name: str) -> str:
    """The versioned name that a plain or versioned one stands for, with its parameters; SettingsError: an unknown one."""
    spec, known = spec_of(name), _parts(group)
    return str(PartSpec(_resolved(group, spec.name, known), spec.parameters))


def _resolved(group: str, name: str, known: Mapping[str, EntryPoint]) -> str:
    if name in known:
        return name
    versions = [full for full in known if plain(full) == name]
    if not versions:
        kind = group.rpartition(".")[2][:-1].replace("_", " ")
        raise SettingsError(f"no {kind} is called that; known: {', '.join(plain_names(group))}")
    return max(versions, key=lambda full: int(full.rpartition(".v")[2]))


def part(group: str, name: str) -> Any:
    """The class or function registered under a name; ModelError where something has to be installed first."""
    loaded = declared(group, name)
    if needed := _needed(loaded):
        raise ModelError(f"{plain(name)}: {needed}")
    return loaded


def declared(group: str, name: str) -> Any:
    """The class or function registered under a name, whether or not it can be used here."""
    known = _parts(group)
    full = _resolved(group, spec_of(name).name, known)
    _require_one(group, full)
    return _loaded(known[full])


def _require_one(group: str, name: str) -> None:
    """ModelError where several packages bring a part of this name: which of them would serve is chance."""
    if whose := _found(group)[1].get(name):
        raise ModelError(f"{name} cannot be used: the packages {whose} each bring a part of that name; uninstall one")


def arguments_of(group: str, name: str) -> frozenset[str]:
    """Names of what a part can be given when it is made, those of its `settings_class` included."""
    made = part(group, name)
    return _own_arguments(made) | _settings_of(made)


def _own_arguments(made: Any) -> frozenset[str]:
    if is_dataclass(made):
        return frozenset(each.name for each in fields(made))
    return frozenset(each.name for each in signature(made).parameters.values() if each.kind is not each.VAR_KEYWORD)


def _settings_of(made: Any) -> frozenset[str]:
    settings = getattr(made, "settings_class", None)
    return frozenset(each.name for each in fields(settings)) if settings else frozenset()


def missing(group: str, name: str) -> str | None:
    """Advice to install what a part lacks; None where it is ready."""
    try:
        part(group, name)
    except ModelError as error:
        return str(error)
    return None


def create(group: str, name: str, **parameters: Any) -> Any:
    """Make a part with the parameters behind its name and these; those of its `settings_class` reach it as `settings`."""
    made = part(group, name)
    parameters |= checked(spec_of(name), made)
    inner = _settings_of(made)
    if inner and "settings" not in parameters:
        own = {key: parameters.pop(key) for key in inner - _own_arguments(made) if key in parameters}
        parameters["settings"] = made.settings_class(**own)
    return made(**parameters)


def describe(group: str) -> list[tuple[str, str]]:
    """(versioned name, first line of its documentation, or what has to be installed first) of everything in a group."""
    return [(name, _described(group, point)) for name, point in sorted(_parts(group).items())]


def describe_parameters(group: str, name: str) -> list[str]:
    """The parameters that may stand behind a part's name, each with default, choices and help; none of one not available."""
    return [] if missing(group, name) else [str(each) for each in parameters_of(declared(group, name)).values()]


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except ImportError as error:
        raise missing_extra(error) or _missing_module(point, error) from None


def _missing_module(point: EntryPoint, error: ImportError) -> ModelError:
    """The error for a part, usually of another package, whose own requirements are not installed."""
    whose = f" of the package {point.dist.name}" if point.dist is not None else ""
    return ModelError(f"{plain(point.name)}{whose} cannot be used: {_lacking(error)}")


def _lacking(error: ImportError) -> str:
    lacking = (error.name or "").partition(".")[0]
    return f"the module {lacking} is missing: pip install {lacking}" if lacking else "a module is missing"


def _needed(loaded: Any) -> str | None:
    """Advice to install first, of a part that could be loaded; None where it gives none."""
    available = getattr(loaded, "available", None)
    try:
        needed: str | None = available() if callable(available) else None
    except ImportError as error:
        return str(missing_extra(error) or _lacking(error))
    return needed


def _described(group: str, point: EntryPoint) -> str:
    try:
        _require_one(group, point.name)
        loaded = _loaded(point)
    except UnnameError as missing:
        return f"Not available: {missing}"
    documentation = (loaded.__doc__ or "").strip()
    line = documentation.splitlines()[0] if documentation else ""
    if (written := getattr(loaded, "written", "")) not in line:
        line = f"{written}: {line}"
    return f"Not available ({needed}). {line}" if (needed := _needed(loaded)) else line


def split_names(value: str | Iterable[str]) -> Sequence[str]:
    """A comma-separated list, or any iterable of names, as a tuple without blanks or repeats."""
    parts = _COMMA.split(value) if isinstance(value, str) else value
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
