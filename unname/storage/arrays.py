"""Arrays of numbers as `.npy` files in a folder, each with a hash of its content: a damaged one is never taken for knowledge.

They are mapped, so that what is not asked for stays on the disk; before that each is read once, to be compared with its hash.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from unname.errors import ModelError
from unname.storage.opening import open_within

Array = npt.NDArray[Any]
_DAMAGED = "an array is damaged, or is not a plain file; make it again"
_BLOCK = 1 << 20


def write_arrays(folder: Path, arrays: Mapping[str, Array]) -> dict[str, str]:
    """Write each as NAME.npy; hashes of the files by name, in hexadecimal."""
    digests = {}
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
        with (folder / f"{name}.npy").open("rb") as stream:
            digests[name] = _hash(stream)
    return digests


def map_array(path: Path, dtype: npt.DTypeLike, stated: object) -> Array:
    """An array of one row that `write_arrays` wrote, with the hash that was `stated`; anything else is a ModelError.

    Nothing waits for a pipe, and no link out of the folder is followed.
    """
    array = map_checked(path, stated)
    if array.ndim != 1 or array.dtype != np.dtype(dtype):
        raise ModelError(_DAMAGED)
    return array


def map_checked(path: Path, stated: object) -> Array:
    """The same of any shape and kind."""
    stream = open_within(path.parent.resolve(), path.name)
    if isinstance(stream, str):
        raise ModelError(_DAMAGED)
    with stream:
        if _hash(stream) != stated:
            raise ModelError(_DAMAGED)
    try:
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        raise ModelError(_DAMAGED) from None
    return array


def _hash(stream: BinaryIO) -> str:
    made = sha256()
    while block := stream.read(_BLOCK):
        made.update(block)
    return made.hexdigest()
