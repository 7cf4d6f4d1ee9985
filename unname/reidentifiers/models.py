"""Trained models as folders: which kind lies in one, loaded without loading the other kinds' libraries."""

from pathlib import Path
from typing import cast

from unname.errors import ModelError
from unname.reidentifiers.additive import FORMAT as ADDITIVE
from unname.reidentifiers.additive import Additive
from unname.reidentifiers.base import Reidentifier
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, told_of


def load_model(folder: Path) -> Reidentifier:
    """The trained reidentifier that a folder holds; a folder that is no model of ours, or unsound, is a ModelError.

    A biencoder computes in 16 bits, which is faster on a processor that can; its scores are not those of 32 bits.
    """
    with told_of(folder):
        require_plain(folder)
        kind = parse_json(read_bytes(folder / "model.json", MOST_JSON)).get("format")
        if kind == ADDITIVE:
            return Additive.load(folder)
        if kind == "unname-biencoder.v1":
            from unname.reidentifiers.biencoder import Biencoder

            return cast(Reidentifier, Biencoder.load(folder, bf16=True))
        raise ModelError("the model is of an unknown kind or version")
