"""Named parts: methods, reidentifiers, attackers and transforms, found through entry points under versioned names.

`greedy` on the command line means the newest version that is installed; a manifest stores `greedy.v1`, so a saved
setting never changes its meaning. Our own parts are registered in our own pyproject, like anybody else's.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from unname.errors import SettingsError, UnnameError, missing_extra

METHODS = "unname.methods"
REIDENTIFIERS = "unname.reidentifiers"
ATTACKERS = "unname.attackers"
TRANSFORMS = "unname.transforms"
TAGGERS = "unname.taggers"
# Kinds of reidentifiers that lie in a folder once they have learned, with `load`.
MODELS = "unname.models"


@cache
def _parts(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def names(group: str) -> list[str]:
    """Versioned names of everything registered in a group, sorted."""
    return sorted(_parts(group))


def resolve(group: str, name: str) -> str:
    """The versioned name that a plain or versioned name stands for; an unknown one is a SettingsError."""
    known = _parts(group)
    if name in known:
        return name
    versions = [full for full in known if full.rpartition(".v")[0] == name]
    if not versions:
        kind = group.rpartition(".")[2][:-1]
        plain = sorted({full.rpartition(".v")[0] for full in known})
        raise SettingsError(f"no {kind} is called that; known: {', '.join(plain)}")
    return max(versions, key=lambda full: int(full.rpartition(".v")[2]))


def part(group: str, name: str) -> Any:
    """The class or function registered under a name; ModelError where it needs an extra that is not installed."""
    return _loaded(_parts(group)[resolve(group, name)])


def create(group: str, name: str, **parameters: Any) -> Any:
    """Make a part by name with its parameters."""
    return part(group, name)(**parameters)


def describe(group: str) -> list[tuple[str, str]]:
    """(versioned name, first line of its documentation, or what has to be installed first) of everything in a group."""
    return [(name, _described(point)) for name, point in sorted(_parts(group).items())]


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except ImportError as error:
        raise missing_extra(error) or error from None


def _described(point: EntryPoint) -> str:
    try:
        documentation = (_loaded(point).__doc__ or "").strip()
    except UnnameError as missing:
        return str(missing)
    except ImportError as missing:  # somebody else's part
        return f"cannot be loaded: {missing.name or 'a module'} is missing"
    return documentation.splitlines()[0] if documentation else ""


def split_names(value: str | Iterable[str]) -> Sequence[str]:
    """A comma-separated list, or any iterable of names, as a tuple without blanks or repeats."""
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
