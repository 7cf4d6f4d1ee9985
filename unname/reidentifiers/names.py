"""Names of reidentifiers: registered ones, and trained ones that come as folders, in one place.

A registered name is `bm25.v1`. A trained model that is given bears the name of its kind, `biencoder.v1`; of several of
a kind each has that of its folder behind it, `biencoder.v1:north`.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from unname import registry
from unname.errors import SettingsError
from unname.reidentifiers.base import LearnsFromDocuments

_UNFIT = re.compile(r"[^\w.-]+")
_FOLDER = re.compile(r"[\w.-]+")
# Folder names say which model is which, not more.
_LONGEST = 40


def kind_of(name: str) -> str:
    """The kind of a reidentifier, without the folder that it came from."""
    return name.partition(":")[0]


def resolve_name(name: str, group: str = registry.REIDENTIFIERS) -> str:
    """The versioned name of a reidentifier or attacker, be it registered or of a kind that comes in folders.

    An unknown one is a SettingsError.
    """
    if registry.spec_of(name).parameters:
        return registry.resolve(group, name)
    kind, colon, folder = name.partition(":")
    if colon and not _FOLDER.fullmatch(folder):
        raise SettingsError("no reidentifier is called that: behind a colon stands the name of a model's folder")
    if colon or _comes_in_folders_alone(kind, group):
        return f"{registry.resolve(registry.MODELS, kind)}{colon}{folder}"
    return registry.resolve(group, kind)


def require_given(names: Iterable[str], models: Container[str]) -> None:
    """Raise SettingsError if a name stands for a trained model that is not among those given."""
    for name in map(resolve_name, names):
        if name not in models and not registry.is_known(registry.REIDENTIFIERS, name):
            raise SettingsError(f"{kind_of(name)} has to be trained before it can be used: name its folder (--model)")


def is_trained(group: str, name: str) -> bool:
    """Check whether a reidentifier or attacker learns from documents, or came as a folder that did."""
    if ":" in name or _comes_in_folders_alone(name, group):
        return True
    return isinstance(registry.create(group, name), LearnsFromDocuments)


def arguments_of(group: str, name: str) -> frozenset[str]:
    """Names of what a reidentifier or attacker can be given when it is made; of a trained model none."""
    if ":" in name or _comes_in_folders_alone(name, group):
        return frozenset()
    return registry.arguments_of(group, name)


def names_of_models(kinds: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """The names of the models in these folders: by kind, and if there are several of a kind by folder as well."""
    several = {kind for kind, count in Counter(kinds).items() if count > 1}
    names: list[str] = []
    for number, (kind, folder) in enumerate(zip(kinds, folders, strict=True), start=1):
        label = _UNFIT.sub("-", folder.resolve().name)[:_LONGEST] or str(number)
        name = f"{kind}:{label}" if kind in several else kind
        names.append(f"{name}-{number}" if name in names else name)
    return names


def _comes_in_folders_alone(name: str, group: str) -> bool:
    return registry.is_known(registry.MODELS, name) and not registry.is_known(group, name)
