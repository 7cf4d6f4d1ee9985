"""Folders of trained models: safetensors and JSON, each file named with its hash in `model.json`.

Everything that is read back is checked before any of it is used; anything that is off is a ModelError.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save
from torch import nn

from unname.errors import ModelError
from unname.storage.files import MODEL, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, tensors

ABOUT = "model.json"
WEIGHTS = "weights.safetensors"
_MOST_ABOUT = 1 << 20
_UNFIT = "a model's weights are not those its description calls for"


def write_model(
    folder: Path, about: Mapping[str, Any], parts: Mapping[str, bytes], weights: nn.Module, *, replace: bool
) -> None:
    """Write a model's folder, readable by its owner alone: `about`, further files by name, and all weights."""
    state = {name: value.detach().cpu().contiguous().clone() for name, value in sorted(weights.state_dict().items())}
    contents = dict(parts) | {WEIGHTS: save(state)}
    stated = dict(about) | {"files": {name: sha256(content).hexdigest() for name, content in contents.items()}}
    contents[ABOUT] = (json.dumps(stated, indent=1) + "\n").encode()
    with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
        for name, content in contents.items():
            write_atomically(aside / name, content, private=True)


def read_model(
    folder: Path, *, format_: str, keys: frozenset[str], parts: frozenset[str]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """(description, content of each file by name) of a folder of exactly these keys and files."""
    require_plain(folder, parts | {ABOUT, WEIGHTS})
    about = parse_json(read_bytes(folder / ABOUT, _MOST_ABOUT))
    if about.get("format") != format_:
        raise ModelError("the model is of an unknown kind or version")
    if set(about) != keys | {"format", "files"}:
        raise ModelError("a model's description has unknown or missing parts")
    files = about["files"]
    if not isinstance(files, dict) or set(files) != parts | {WEIGHTS}:
        raise ModelError("a model's description names other files than a model has")
    contents = {name: read_bytes(folder / name, None if name == WEIGHTS else MOST_JSON) for name in sorted(files)}
    if any(sha256(content).hexdigest() != files[name] for name, content in contents.items()):
        raise ModelError("a file of the model is not the one its description names; fetch the model anew")
    return about, contents


def checked_lists(parts: Mapping[str, Any], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Lists of distinct words by these names, as a model's `words.json` has them; anything else is a ModelError."""
    if set(parts) != set(names):
        raise ModelError("a model's list of words has unknown or missing parts")
    for values in parts.values():
        if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
            raise ModelError("a model's list of words has a part of the wrong kind")
        if len(set(values)) != len(values):
            raise ModelError("a model's list of words has one of them twice")
    return {name: tuple(values) for name, values in parts.items()}


def require_shapes(content: bytes, wanted: Mapping[str, tuple[int, ...]]) -> None:
    """Raise unless the weights sent hold these shapes, so that nothing larger than they are is ever built."""
    stated = tensors(content)
    if any(name not in stated or stated[name].shape != tuple(shape) for name, shape in wanted.items()):
        raise ModelError(_UNFIT)


@torch.no_grad()
def fill(model: nn.Module, content: bytes) -> None:
    """Put weights into a model: its own to the name, shape and kind, and all finite."""
    weights = load(content)
    own = model.state_dict()
    if {n: (v.shape, v.dtype) for n, v in weights.items()} != {n: (v.shape, v.dtype) for n, v in own.items()}:
        raise ModelError(_UNFIT)
    if not all(bool(torch.isfinite(value).all()) for value in weights.values()):
        raise ModelError("a model's weights are not all finite")
    model.load_state_dict(weights)
    model.eval()
