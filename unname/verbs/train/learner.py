"""A learner of a kind, not trained yet, made from the options of `unname train`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import SettingsError
from unname.log import Progress


def inputs_in(kind: str, *names: str) -> list[Path]:
    """Files and folders that parameters of these names, in parentheses behind a kind, stand for."""
    parameters = registry.spec_of(kind).parameters
    given = [str(parameters.get(name, "")) for name in names]
    return [Path(text) for text in given if text and not text.startswith("hub:")]


def make_learner(group: str, kind: str, given: Mapping[str, Any], *, seed: int, progress: Progress) -> Any:
    """The part of a group that a kind names, which may have parameters in parentheses: `crf(lean=3)`.

    Where both speak, those in parentheses count. What is `given` and the kind does not take is a SettingsError.
    """
    taken = registry.arguments_of(group, kind)
    if useless := sorted(set(given) - taken):
        learner = group.rpartition("_")[2].removesuffix("s")
        raise SettingsError(f"the {registry.plain(kind)} {learner} has no use for {', '.join(useless)}")
    # What some kinds learn depends on the documents alone, and some say nothing while they learn.
    beside = {name: value for name, value in (("seed", seed), ("progress", progress)) if name in taken}
    made = registry.create(group, kind, **given, **beside)
    if "progress" not in taken:
        progress("train", 1)
    return made
