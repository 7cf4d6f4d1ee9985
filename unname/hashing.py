"""Keys of 64 bits that stand for strings and rows of strings, the same on every machine, made for many at once."""

from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]


def hashed(value: str) -> int:
    """64 bits that stand for a string, the same everywhere; never 0, which stands for nothing."""
    return int.from_bytes(blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") or 1


def mix(one: Any, other: Any) -> Keys:
    """The key of a pair of keys, by element; nothing where either is nothing. Source: finaliser of splitmix64."""
    one, other = np.asarray(one, np.uint64), np.asarray(other, np.uint64)
    with np.errstate(over="ignore"):
        key = (one * np.uint64(0x9E3779B97F4A7C15)) ^ (other + np.uint64(0x632BE59BD9B4E019))
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.where((one == 0) | (other == 0), np.uint64(0), key ^ (key >> np.uint64(31)))
