"""Trained taggers as folders: which kind lies in one, loaded without loading the other kinds' libraries."""

from pathlib import Path
from typing import cast

from unname import registry
from unname.errors import ModelError, SettingsError
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, told_of
from unname.taggers.base import Tagger, TrainableTagger


def learns(kind: str) -> bool:
    """Whether a kind of tagger, by its plain or versioned name, has to learn."""
    return all(hasattr(registry.part(registry.TAGGERS, kind), name) for name in ("fit", "save", "load"))


def trainable(kind: str) -> type[TrainableTagger]:
    """The class of a kind of tagger that learns, by its plain or versioned name; SettingsError for any other."""
    if not learns(kind):
        raise SettingsError("this kind of tagger does not learn; it is used as it is")
    return cast(type[TrainableTagger], registry.part(registry.TAGGERS, kind))


def load_tagger(folder: Path) -> Tagger:
    """The trained tagger that a folder holds; a folder that is no model of ours, or unsound, is a ModelError."""
    with told_of(folder):
        require_plain(folder)
        kind = parse_json(read_bytes(folder / "model.json", MOST_JSON)).get("name")
        if not isinstance(kind, str) or kind not in registry.names(registry.TAGGERS):
            raise ModelError("the tagger is of an unknown kind or version")
        return trainable(kind).load(folder)
