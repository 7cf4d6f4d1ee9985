"""A training run's state on disk: tensors as safetensors, the rest as JSON, replaced as one.

`checkpoint.json` names the files it belongs to with their hashes and is replaced last, so that a run killed at any
moment finds the state before or the state after.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save

from unname.errors import ModelError, StateError
from unname.storage.files import write_atomically
from unname.storage.modelfolder import parse_json, read_bytes, tensors

FORMAT = "unname-checkpoint.v1"
_DAMAGED = "the checkpoint is damaged; delete its folder and train anew"
State = Mapping[str, torch.Tensor]


def write_checkpoint(folder: Path, run: str, position: Mapping[str, Any], state: State, best: State | None) -> None:
    """Put the state of a run in place; `best` is written again only if it is given, else the last one is kept.

    `run` is the hash of the settings and of the data. Files can be read by their owner alone.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    old = _read_json(folder)
    files: dict[str, list[str]] = dict(old["files"]) if old is not None else {}
    for name, content in (("state", state), ("best", best)):
        if content is None:
            continue
        written = save({key: value.detach().cpu().contiguous() for key, value in content.items()})
        hashed = sha256(written).hexdigest()
        files[name] = [f"{name}-{hashed[:16]}.safetensors", hashed]
        write_atomically(folder / files[name][0], written, private=True)
    about = {"format": FORMAT, "run": run, "position": dict(position), "files": files}
    write_atomically(folder / "checkpoint.json", json.dumps(about).encode(), private=True)
    kept = {name for name, _ in files.values()}
    for path in folder.glob("*.safetensors"):
        if path.name not in kept:
            with suppress(OSError):
                path.unlink()


def read_checkpoint(folder: Path, run: str) -> tuple[dict[str, Any], dict[str, torch.Tensor], State | None] | None:
    """(position, state, best) of a run, or None if there is none; another run's, or a damaged one, is a StateError."""
    about = _read_json(folder)
    if about is None:
        return None
    if about.get("run") != run:
        raise StateError(
            "the checkpoint folder is of a run with other settings, data, encoders or versions; choose another folder"
        )
    tensors_of: dict[str, dict[str, torch.Tensor]] = {}
    for name, (file, hashed) in about["files"].items():
        if Path(file).name != file:
            raise StateError(_DAMAGED)
        try:
            content = read_bytes(folder / file)
        except ModelError:
            raise StateError(_DAMAGED) from None
        if sha256(content).hexdigest() != hashed:
            raise StateError(_DAMAGED)
        tensors(content)
        tensors_of[name] = load(content)
    return dict(about["position"]), tensors_of["state"], tensors_of.get("best")


def _read_json(folder: Path) -> dict[str, Any] | None:
    path = folder / "checkpoint.json"
    if not path.exists():
        return None
    try:
        about = parse_json(read_bytes(path, 1 << 20))
        files, position = about["files"], about["position"]
        if about["format"] != FORMAT or not isinstance(position, dict):
            raise ValueError
        if "state" not in files or any(len(pair) != 2 or not all(map(str, pair)) for pair in files.values()):
            raise ValueError
    except (ModelError, AttributeError, KeyError, TypeError, ValueError):
        raise StateError(_DAMAGED) from None
    return about
