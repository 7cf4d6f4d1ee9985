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

import numpy as np
import numpy.typing as npt

from unname.neural.encoders import has_sixteen_bits
from unname.reidentifiers.encoders.towers import load_tower
from unname.reidentifiers.encoders.wordparts import WordParts, parts_and_vectors

Vectors = npt.NDArray[np.float32]
_WINDOW = 128
# Texts that are embedded before they are kept where others find them.
_BLOCK = 256
# Texts whose words' parts are kept at hand: a search reads most sentences of a text again and again.
_TAKEN_APART = 2000


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
        keys, vectors = list(asked), {}
        for at in range(0, len(keys), 500):
            some = keys[at : at + 500]
            marks = ",".join("?" * len(some))
            rows = self._table.execute(f"SELECT digest, vector FROM vectors WHERE digest IN ({marks})", some)  # noqa: S608
            vectors.update({asked[digest]: np.frombuffer(vector, np.float32) for digest, vector in rows})
        return vectors

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

    It reads in 16-bit arithmetic where the processor has it, some three times as fast. ModelError if the folder is not
    safe or sound.
    """

    def __init__(self, folder: Path) -> None:
        self._tower = load_tower(str(folder), width=None, window=_WINDOW)
        self._parts: dict[str, WordParts] = {}
        self._bf16 = has_sixteen_bits()

    def __repr__(self) -> str:
        return "SentenceEncoder()"

    def embed(self, texts: Sequence[str], store: EmbeddingStore) -> Vectors:
        """Unit vectors of texts: (texts, width) float32. Of each the first 128 tokens are read."""
        held = store.get(list(dict.fromkeys(texts)))
        missing = sorted({text for text in texts if text not in held})
        blocks = [missing[at : at + _BLOCK] for at in range(0, len(missing), _BLOCK)]
        # Several processes often want the same at once: each begins elsewhere, and finds what others have done meanwhile.
        for block in rotated(blocks, os.getpid()):
            done = store.get(block)
            held |= done | self._fresh([text for text in block if text not in done], store)
        return np.stack([held[text] for text in texts]) if texts else np.zeros((0, self._tower.width), np.float32)

    def _fresh(self, texts: Sequence[str], store: EmbeddingStore) -> dict[str, Vectors]:
        windows = self._tower.reader.windows(texts, _WINDOW)
        vectors = self._tower.embed_pieces([pieces[0] for pieces in windows], bf16=self._bf16, unit=True)
        by_text = dict(zip(texts, vectors, strict=True))
        store.put(by_text)
        return by_text

    def taken_apart(self, texts: Sequence[str], store: EmbeddingStore) -> list[WordParts]:
        """The contributions of each word of some texts to their vectors, before these are brought to length one.

        The vectors of those that are read for it are kept as well, for the next request.
        """
        missing = sorted({text for text in texts if text not in self._parts})
        if len(self._parts) + len(missing) > _TAKEN_APART:
            self._parts.clear()
            missing = sorted(set(texts))
        read = parts_and_vectors(self._tower, missing, bf16=self._bf16, unit=True)
        self._parts.update((text, parts) for text, (parts, _) in zip(missing, read, strict=True))
        store.put({text: vector for text, (_, vector) in zip(missing, read, strict=True)})
        return [self._parts[text] for text in texts]


def rotated(blocks: Sequence[list[str]], lot: int) -> list[list[str]]:
    """The same blocks, beginning elsewhere for each of neighbouring numbers (by golden section)."""
    first = int(lot * 0.6180339887 % 1 * len(blocks))
    return [*blocks[first:], *blocks[:first]]
