"""Vectors of words from an encoder that read each word alone, shipped with the package.

A static reidentifier learns from few texts which words mean alike; the table tells it beforehand for some 23,000 English
words. It is MiniLM's (Apache-2.0, see the licence beside it), made by `python -m benchmarks.wordtable`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load

from unname.reidentifiers.descent import Float32Array

TABLE = Path(__file__).parent / "words" / "minilm.safetensors"


@dataclass(frozen=True, slots=True, repr=False)
class WordTable:
    """Folded words and their vectors, (words, width) float32 of mean squared length 1."""

    rows: dict[str, int]
    vectors: Float32Array

    def __repr__(self) -> str:
        return f"WordTable({len(self.rows)} words)"

    def of(self, words: Sequence[str]) -> Float32Array:
        """Vectors of words, zeros for those that are not there: (words, width) float32."""
        found = np.zeros((len(words), self.vectors.shape[1]), np.float32)
        known = [(place, row) for place, word in enumerate(words) if (row := self.rows.get(word)) is not None]
        if known:
            places, rows = np.array(known).T
            found[places] = self.vectors[rows]
        return found


@lru_cache(maxsize=1)
def shipped_table() -> WordTable:
    """The table that comes with the package."""
    held = load(TABLE.read_bytes())
    words = held["words"].tobytes().decode().split("\n")
    vectors = held["vectors"].astype(np.float32) * held["scale"]
    vectors /= np.sqrt((vectors * vectors).sum(axis=1).mean())
    return WordTable({word: row for row, word in enumerate(words)}, vectors)
