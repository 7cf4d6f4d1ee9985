"""Trained models as folders: which kind lies in one, loaded without loading the other kinds' libraries."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from unname.errors import InputError, ModelError, SettingsError
from unname.reidentifiers.additive import FORMAT as ADDITIVE
from unname.reidentifiers.additive import Additive
from unname.reidentifiers.base import Reidentifier, Trained
from unname.reidentifiers.training_examples import text_digest
from unname.storage.modelfolder import MOST_JSON, faults_of, parse_json, read_bytes, require_plain
from unname.types import Document


def load_model(folder: Path) -> Reidentifier:
    """The trained reidentifier that a folder holds; a folder that is no model of ours, or unsound, is a ModelError.

    A biencoder computes in 16 bits where the processor has them; its scores are not those of 32 bits.
    """
    with faults_of(folder):
        require_plain(folder)
        kind = parse_json(read_bytes(folder / "model.json", MOST_JSON)).get("format")
        if kind == ADDITIVE:
            return Additive.load(folder)
        if kind == "unname-biencoder.v1":
            from unname.neural.encoders import has_sixteen_bits
            from unname.reidentifiers.biencoder import Biencoder

            return cast(Reidentifier, Biencoder.load(folder, bf16=has_sixteen_bits()))
        raise ModelError("the model is of an unknown kind or version")


def load_models(folders: Sequence[Path]) -> dict[str, Reidentifier]:
    """Trained reidentifiers by versioned name; two of one kind are a SettingsError."""
    found: dict[str, Reidentifier] = {}
    for folder in folders:
        model = load_model(folder)
        if model.name in found:
            raise SettingsError("two models of one kind were given; name one of each kind")
        found[model.name] = model
    return found


def require_unseen(models: Iterable[Reidentifier], documents: Sequence[Document]) -> None:
    """No model was taught by documents of anybody whom it is to judge: such a crowd would hold for nobody else.

    Neither by people of the same id nor by the same text, whatever else is known of anybody; InputError.
    """
    for model in models:
        taught = model.trained_on_ if isinstance(model, Trained) else frozenset[str]()
        asked = {text for d in documents for text in (d.person, d.text) if text is not None} if taught else set()
        known = sum(text_digest(text) in taught for text in asked)
        if known:
            raise InputError(
                f"the {model.name} model was taught by documents or people that it is to judge ({known} known to it); "
                "train one on documents of others"
            )
