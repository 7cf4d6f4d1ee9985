"""The taggers from elsewhere that a user named, made and loaded, so that a missing one is reported before reading begins."""

from collections.abc import Sequence
from pathlib import Path

from unname import registry
from unname.errors import SettingsError
from unname.taggers.foreign.base import Foreign
from unname.taggers.foreign.labels import LabelMap


def split_foreign(given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The taggers from elsewhere among all that were named, and the rest."""
    theirs = tuple(name for name in given if _is_foreign(name))
    return theirs, tuple(name for name in given if name not in theirs)


def _is_foreign(name: str) -> bool:
    kind, colon, _ = name.partition(":")
    if not registry.is_known(registry.TAGGERS, kind) or not (colon or not (Path(name) / "model.json").is_file()):
        return False
    return bool(getattr(registry.part(registry.TAGGERS, kind), "written", ""))


def named_folders(given: Sequence[str]) -> list[Path]:
    """The folders of models among all that were named."""
    places = (Path(name.partition(":")[2]) for name in split_foreign(given)[0])
    return [place for place in places if place.name and place.is_dir()]


def make_foreign(given: Sequence[str], labels_as: LabelMap) -> tuple[Foreign, ...]:
    """Taggers of other libraries by name, ready to tag; ModelError if one is not installed or cannot be loaded."""
    if len(set(given)) < len(given):
        raise SettingsError("a tagger is named twice")
    made: list[Foreign] = []
    for name in given:
        kind, _, model = name.partition(":")
        tagger: Foreign = registry.create(registry.TAGGERS, kind, model=model, labels_as=labels_as)
        tagger.load()
        made.append(tagger)
    return tuple(made)
