"""Trained models as folders: the kind in each, loaded without loading the other kinds' libraries."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from unname import registry
from unname.errors import InputError, ModelError, SettingsError
from unname.reidentifiers.base import RecordsTraining, Reidentifier
from unname.reidentifiers.learned.training_examples import text_digest
from unname.reidentifiers.names import names_of_models
from unname.storage.modelfolder import MOST_JSON, faults_of, parse_json, read_bytes, require_plain
from unname.types import Document

# The prefix of a kind's versioned name in a model's description.
_FORMAT = "unname-"


def load_model(folder: Path) -> Reidentifier:
    """The trained reidentifier that a folder holds; a folder that is no model of ours, or unsound, is a ModelError."""
    with faults_of(folder):
        require_plain(folder)
        stated = parse_json(read_bytes(folder / "model.json", MOST_JSON)).get("format")
        kind = stated.removeprefix(_FORMAT) if isinstance(stated, str) and stated.startswith(_FORMAT) else ""
        if kind not in registry.names(registry.MODELS):
            raise ModelError("the model is of an unknown kind or version")
        loaded: Reidentifier = registry.part(registry.MODELS, kind).load(folder)
        return loaded


def load_models(folders: Sequence[Path]) -> dict[str, Reidentifier]:
    """Trained reidentifiers by name: that of their kind, with the folder's where several are of one kind.

    A folder that is named twice is a SettingsError.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise SettingsError("a model is named twice")
    models = [load_model(folder) for folder in folders]
    return dict(zip(names_of_models([model.name for model in models], folders), models, strict=True))


def require_unseen(models: Iterable[Reidentifier], documents: Sequence[Document]) -> None:
    """Raise InputError if a model was taught by documents of anybody it is to judge: such a crowd would hold for nobody else.

    Neither people of the same id nor the same text may have taught it, whatever else is known of anybody.
    """
    for model in models:
        taught = model.trained_on_ if isinstance(model, RecordsTraining) else frozenset[str]()
        asked = {text for d in documents for text in (d.person, d.text) if text is not None} if taught else set()
        known = sum(text_digest(text) in taught for text in asked)
        if known:
            raise InputError(
                f"the {model.name} model was taught by documents or people that it is to judge ({known} known to it); "
                "train one on documents of others"
            )
