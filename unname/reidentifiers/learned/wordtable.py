"""Vectors of words beforehand: from an encoder that read each word alone, shipped with the package, or of the user's own.

A static reidentifier learns from few texts which words mean alike; the table holds that beforehand. The shipped one knows
some 23,000 English words and is MiniLM's (Apache-2.0, see the licence beside it), made by `python -m benchmarks.wordtable`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from threadpoolctl import threadpool_limits

from unname.errors import InputError
from unname.reidentifiers.learned.descent import Float32Array
from unname.storage.wordvectors import read_word_vectors
from unname.text import fold

# Of a file of word vectors so many are read: the first, which are its most frequent.
MOST_READ = 50_000
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
        vectors = np.zeros((len(words), self.vectors.shape[1]), np.float32)
        known = [(place, row) for place, word in enumerate(words) if (row := self.rows.get(word)) is not None]
        if known:
            places, rows = np.array(known).T
            vectors[places] = self.vectors[rows]
        return vectors


@lru_cache(maxsize=1)
def shipped_table() -> WordTable:
    """The table that comes with the package."""
    held = load(TABLE.read_bytes())
    words = held["words"].tobytes().decode().split("\n")
    vectors = held["vectors"].astype(np.float32) * held["scale"]
    vectors /= np.sqrt((vectors * vectors).sum(axis=1).mean())
    return WordTable({word: row for row, word in enumerate(words)}, vectors)


def word_table(path: Path | None) -> WordTable:
    """The table of a file of word vectors in text form (fastText, GloVe), or without one the table that is shipped.

    Vectors are turned into their main directions, the longest first. A file without any, or a faulty line, is an
    InputError.
    """
    if path is None:
        return shipped_table()
    try:
        about = path.stat()
    except OSError as error:
        raise InputError(f"the word vectors cannot be read: {error.strerror}") from None
    return _read(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=1)
def _read(path: Path, changed: int, size: int) -> WordTable:
    """The table of a file, read once in a process."""
    read = read_word_vectors(path, (), first=MOST_READ, key=fold)
    vectors = read.vectors - read.vectors.mean(axis=0)
    with threadpool_limits(1):  # sums in float32 would show how many threads shared them
        _, directions = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
        vectors = vectors @ directions[:, ::-1].astype(np.float32)
    vectors /= max(float(np.sqrt((vectors * vectors).sum(axis=1).mean())), 1e-9)
    return WordTable({word: row for row, word in enumerate(read.words)}, np.ascontiguousarray(vectors, np.float32))
