"""Folders of linear taggers: one safetensors file of keys and weights, one JSON file that describes them.

A folder may come from elsewhere: nothing in it can run, every number is checked before it is used, and any fault is a
ModelError.
"""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from unname.errors import ModelError
from unname.storage.files import MODEL, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, tensors
from unname.taggers.linear.features import VERSION
from unname.taggers.linear.scores import Linear
from unname.taggers.linear.sequences import MOST_WEIGHT
from unname.taggers.lists import NameLists

FORMAT = "unname-linear-tagger.v1"
WEIGHTS, ABOUT = "weights.safetensors", "model.json"
MOST_BYTES = 1 << 30
MOST_LABELS = 1000
MOST_CELLS = 1 << 28
MOST_NUMBER = 1e4
Array = npt.NDArray[Any]
# Whatever a description that was tampered with makes of the code that reads it.
_AMISS = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, SafetensorError)


@contextmanager
def _sound() -> Iterator[None]:
    try:
        yield
    except _AMISS:
        raise ModelError("a model's weights are not those its description calls for") from None


@dataclass(frozen=True, slots=True, repr=False)
class StoredModel:
    """The contents of a folder: the model's labels, and arrays by name."""

    labels: tuple[str, ...]
    arrays: Mapping[str, Array]

    def linear(self, name: str, labels: int) -> Linear:
        """Weights that `packed` made, for that many labels; ModelError if they cannot be such."""
        with _sound():
            keys, ends, columns, values = (self.arrays[f"{name}.{part}"] for part in _PARTS)
            return _linear(keys, ends, columns, values, labels)

    def lists(self) -> NameLists:
        """Lists that `packed_lists` made."""
        with _sound():
            keys, known, once, of = (_flat(self.arrays[f"lists.{part}"], "i8") for part in _LISTS)
            _require(len(keys) == len(known) == len(once) == len(of))
            _require(bool(((known >= 0) & (once >= 0)).all()))
            return NameLists(_ascending(keys), known, once, of)

    def lean(self) -> float:
        """The factor that `packed_lean` wrote; 1 in folders of earlier versions."""
        return float(f"{math.exp(self.square('lean', 1)[0]):.12g}") if "lean" in self.arrays else 1.0

    def square(self, name: str, *shape: int) -> npt.NDArray[np.float64]:
        """Weights of that shape, none beyond what sequences of labels can hold."""
        with _sound():
            weights = self.arrays[name]
            _require(
                weights.dtype == np.float64 and weights.shape == shape and bool((np.abs(weights) <= MOST_WEIGHT).all())
            )
            return weights


_PARTS = ("keys", "ends", "labels", "weights")
_LISTS = ("keys", "known", "once", "of")


def packed(name: str, linear: Linear) -> dict[str, Array]:
    """Arrays that hold sparse weights: keys, the number of weights up to each, their labels, and the weights."""
    row, label = np.nonzero(linear.weights)
    ends = np.searchsorted(row, np.arange(len(linear.keys)), "right")
    return {
        f"{name}.keys": linear.keys.view(np.int64),
        f"{name}.ends": ends.astype(np.int64),
        f"{name}.labels": label.astype(np.int32),
        f"{name}.weights": linear.weights[row, label],
    }


def packed_lean(lean: float) -> dict[str, Array]:
    """The logarithm of the factor on the odds of identifiers; nothing if it is 1."""
    return {} if lean == 1.0 else {"lean": np.array([math.log(lean)])}


def packed_lists(lists: NameLists) -> dict[str, Array]:
    """Arrays that hold lists."""
    return {
        "lists.keys": lists.keys.view(np.int64),
        "lists.known": lists.known,
        "lists.once": lists.once,
        "lists.of": lists.of,
    }


def save(
    folder: Path, arrays: Mapping[str, Array], *, name: str, labels: tuple[str, ...], replace: bool, **about: Any
) -> None:
    """Write a folder that holds a model, readable by its owner alone."""
    weights = save_tensors({key: np.ascontiguousarray(row) for key, row in arrays.items()})
    about = {
        "format": FORMAT, "name": name, "features": VERSION, "labels": labels, **about,
        "files": {WEIGHTS: sha256(weights).hexdigest()},
    }  # fmt: skip
    content = (json.dumps(about, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
    with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
        write_atomically(aside / WEIGHTS, weights, private=True)
        write_atomically(aside / ABOUT, content, private=True)


def load(folder: Path, name: str) -> StoredModel:
    """The contents that `save` wrote for a tagger of that name; anything else is a ModelError."""
    require_plain(folder, frozenset((WEIGHTS, ABOUT)))
    about = parse_json(read_bytes(folder / ABOUT, MOST_JSON))
    if about.get("format") != FORMAT or about.get("name") != name or about.get("features") != VERSION:
        raise ModelError("the model is of an unknown kind or version")
    weights = read_bytes(folder / WEIGHTS, MOST_BYTES)
    if about.get("files") != {WEIGHTS: sha256(weights).hexdigest()}:
        raise ModelError("a file of the model is not the one its description names; fetch the model anew")
    with _sound():
        labels = tuple(about["labels"])
        _require(all(isinstance(label, str) for label in labels) and len(set(labels)) == len(labels))
        _require(isinstance(about["labels"], list) and 0 < len(labels) <= MOST_LABELS)
        _require({tensor.kind for tensor in tensors(weights).values()} <= {"I64", "I32", "F64"})
        return StoredModel(labels, load_tensors(weights))


def _linear(keys: Array, ends: Array, columns: Array, values: Array, labels: int) -> Linear:
    ends, columns, values = _flat(ends, "i8"), _flat(columns, "i4"), _flat(values, "f8")
    known = _ascending(_flat(keys, "i8"))
    starts = np.concatenate([[0], ends])
    _require(len(ends) == len(keys) and starts[-1] == len(values) == len(columns))
    _require(bool((np.diff(starts) >= 0).all()) and len(known) * labels <= MOST_CELLS)
    _require(bool(((columns >= 0) & (columns < labels)).all() and (np.abs(values) < MOST_NUMBER).all()))
    weights = np.zeros((len(known), labels))
    weights[np.repeat(np.arange(len(known)), np.diff(starts)), columns] = values
    return Linear(known, weights)


def _ascending(keys: Array) -> npt.NDArray[np.uint64]:
    numbers: npt.NDArray[np.uint64] = keys.view(np.uint64)
    _require(bool((numbers[1:] > numbers[:-1]).all()))
    return numbers


def _flat(row: Array, kind: str) -> Array:
    _require(row.ndim == 1 and row.dtype == np.dtype(kind))
    return row


def _require(sound: bool) -> None:
    if not sound:
        raise ValueError("not what learning gives")
