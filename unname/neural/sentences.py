"""A frozen sentence encoder: texts into unit vectors, each computed once and kept in a file that dies with the run."""

import os
import secrets
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unname.errors import NEEDS_NEURAL, ModelError
from unname.neural.encoders import load_encoder, require_finite, require_window
from unname.neural.trainer_state import one_thread

try:
    import torch
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

Vectors = npt.NDArray[np.float32]
_WINDOW = 128
# Texts go through the encoder in so many rows of a multiple of so many tokens, so that no text changes another's vector.
_ROWS, _LENGTHS = 32, 16
_BITS = 12


def _remove(folder: str, process: int) -> None:
    """Remove the folder, in the process that made it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class EmbeddingStore:
    """Vectors by keyed digest of their text, in a file that every process may read and add to.

    The folder is private (0700) and goes when the store that made it does; a copy in another process keeps its hands off.
    """

    def __init__(self) -> None:
        self._folder, self._key = tempfile.mkdtemp(prefix="unname-"), secrets.token_bytes(32)
        self._gone = weakref.finalize(self, _remove, self._folder, os.getpid())
        self._open()
        with self._table:
            self._table.execute("CREATE TABLE vectors (digest BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def __repr__(self) -> str:
        return "EmbeddingStore()"

    def __getstate__(self) -> tuple[str, bytes]:
        return self._folder, self._key

    def __setstate__(self, state: tuple[str, bytes]) -> None:
        self._folder, self._key = state
        self._open()

    def _open(self) -> None:
        self._table = sqlite3.connect(Path(self._folder) / "vectors", timeout=60, check_same_thread=False)
        self._table.execute("PRAGMA synchronous = OFF")
        self._table.execute("PRAGMA journal_mode = WAL")

    def _digest(self, text: str) -> bytes:
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).digest()

    def get(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Those that are there."""
        asked = {self._digest(text): text for text in texts}
        keys, found = list(asked), {}
        for at in range(0, len(keys), 500):
            some = keys[at : at + 500]
            marks = ",".join("?" * len(some))
            rows = self._table.execute(f"SELECT digest, vector FROM vectors WHERE digest IN ({marks})", some)  # noqa: S608
            found.update({asked[digest]: np.frombuffer(vector, np.float32) for digest, vector in rows})
        return found

    def put(self, vectors: dict[str, Vectors]) -> None:
        """Keep these."""
        with self._table:
            self._table.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                [(self._digest(text), vector.astype(np.float32).tobytes()) for text, vector in vectors.items()],
            )


@lru_cache(maxsize=2)
def sentence_encoder(folder: Path) -> "SentenceEncoder":
    """The encoder of a folder, loaded once in each process."""
    return SentenceEncoder(folder)


class SentenceEncoder:
    """An encoder from a folder, frozen: the mean over token states at length one, rounded to multiples of 2⁻¹².

    ModelError where the folder is not safe or sound.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._encoder, self._reader = load_encoder(str(folder))
        require_window(self._encoder.config, self._reader, _WINDOW)
        require_finite(self._encoder)
        self._encoder.eval()

    def __repr__(self) -> str:
        return "SentenceEncoder()"

    def embed(self, texts: Sequence[str], store: EmbeddingStore) -> Vectors:
        """Unit vectors of texts: (texts, width) float32. Of each the first 128 tokens are read."""
        held = store.get(list(dict.fromkeys(texts)))
        missing = sorted({text for text in texts if text not in held})
        if missing:
            fresh = self._fresh(missing)
            store.put(fresh)
            held |= fresh
        width = int(self._encoder.config.hidden_size)
        return np.stack([held[text] for text in texts]) if texts else np.zeros((0, width), np.float32)

    @torch.no_grad()
    def _fresh(self, texts: Sequence[str]) -> dict[str, Vectors]:
        pieces = {
            text: windows[0].ids for text, windows in zip(texts, self._reader.windows(texts, _WINDOW), strict=True)
        }
        by_length: dict[int, list[str]] = {}
        for text, ids in pieces.items():
            by_length.setdefault(-(-len(ids) // _LENGTHS) * _LENGTHS, []).append(text)
        found: dict[str, Vectors] = {}
        with one_thread():
            for length, some in sorted(by_length.items()):
                for at in range(0, len(some), _ROWS):
                    rows = some[at : at + _ROWS]
                    found.update(zip(rows, self._states([pieces[text] for text in rows], length), strict=True))
        return found

    def _states(self, rows: Sequence[Sequence[int]], length: int) -> Vectors:
        ids = np.full((_ROWS, length), self._reader.pad, np.int64)
        real = np.zeros((_ROWS, length), np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            real[place, : len(row)] = 1
        real[len(rows) :, 0] = 1
        given: dict[str, Any] = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(real)}
        states = self._encoder(**given).last_hidden_state.float().numpy().astype(np.float64)
        means = (states * real[:, :, None]).sum(axis=1) / real.sum(axis=1, keepdims=True)
        unit = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
        return np.asarray(np.rint(unit[: len(rows)] * 2**_BITS) / 2**_BITS, np.float32)
