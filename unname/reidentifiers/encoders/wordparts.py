"""The contributions of each word to the vector of a text that an encoder reads: a mean over tokens can be taken apart.

A mean-pooled encoder's vector is a sum over the states of its tokens, each of which has read the whole window. What
is left of the vector without a word's own tokens guides a search before it lets the encoder read again.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from unname.neural.readers import TokenWindow
from unname.text import words

if TYPE_CHECKING:
    from unname.reidentifiers.encoders.towers import Tower, Value

Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, repr=False)
class WordParts:
    """The summed states of all `tokens` of a text (width,), and of those of each of its distinct folded `words`."""

    words: tuple[str, ...]
    total: Float32
    tokens: int
    sums: Float32
    counts: npt.NDArray[np.int64]

    def without(self) -> Float32:
        """Means over the tokens that are left when each word goes: (words, width); of none all zeros."""
        left = self.tokens - self.counts
        return np.asarray((self.total - self.sums) / np.maximum(left, 1)[:, None] * (left > 0)[:, None], np.float32)


def document_parts(tower: "Tower", text: str, *, bf16: bool = False) -> tuple[WordParts, Float32]:
    """A document taken apart, gaps read as mask tokens, and the result of `embed_documents` for it: (1, width)."""
    pieces, offsets, shown = _windows(tower, text)
    states, vector = tower.document_states(pieces, bf16=bf16)
    return _parts(shown, offsets, states, *_frame(tower)), vector


def word_falls(tower: "Tower", text: str, value: "Value", way: float, *, bf16: bool = False) -> dict[str, float]:
    """The estimated fall of `value` of a document's embedding when a distinct folded word of it becomes a gap."""
    pieces, offsets, shown = _windows(tower, text)
    falls = tower.falls(pieces, value, way, bf16=bf16)
    parts = _parts(shown, offsets, [row[:, None] for row in falls], *_frame(tower))
    return dict(zip(parts.words, parts.sums[:, 0].tolist(), strict=True))


def _frame(tower: "Tower") -> tuple[int, int]:
    """The place where the tokens of a text begin in a window, and the number that have room."""
    return len(tower.reader.before), tower.window - len(tower.reader.framed([]))


def _windows(tower: "Tower", text: str) -> tuple[list[TokenWindow], list[tuple[int, int]], str]:
    """All windows of a document, the places of its tokens, and the text that these refer to; gaps are mask tokens."""
    ids, offsets, shown = tower.reader.located_with_gaps(text)
    _, room = _frame(tower)
    return (
        [TokenWindow(tower.reader.framed(ids[at : at + room])) for at in range(0, max(len(ids), 1), room)],
        offsets,
        shown,
    )


def parts_and_vectors(
    tower: "Tower", texts: Sequence[str], *, bf16: bool = False, unit: bool = False
) -> list[tuple[WordParts, Float32]]:
    """Texts taken apart by their first windows, beside the embeddings of these, as `embed_pieces` has them: (width,)."""
    read = [_windows(tower, text) for text in texts]
    states, vectors = tower.token_states([pieces[0] for pieces, _, _ in read], bf16=bf16, unit=unit)
    return [
        (_parts(shown, offsets, [states[at]], *_frame(tower)), vectors[at])
        for at, (_, offsets, shown) in enumerate(read)
    ]


def _parts(
    text: str, offsets: Sequence[tuple[int, int]], windows: Sequence[Float32], first: int, room: int
) -> WordParts:
    row = words(text)
    starts = [word.start for word in row]
    names = {name: place for place, name in enumerate(dict.fromkeys(word.folded for word in row))}
    width = windows[0].shape[1]
    sums, counts = np.zeros((len(names), width), np.float32), np.zeros(len(names), np.int64)
    for number, states in enumerate(windows):
        for place, (start, end) in enumerate(offsets[number * room : (number + 1) * room]):
            at = bisect_right(starts, start) - 1
            if at >= 0 and start < row[at].end and end > start:
                owner = names[row[at].folded]
                sums[owner] += states[first + place]
                counts[owner] += 1
    total = np.concatenate(list(windows)).sum(axis=0, dtype=np.float32)
    return WordParts(tuple(names), total, sum(map(len, windows)), sums, counts)
