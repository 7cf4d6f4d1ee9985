"""What each word contributes to the vector of a text that an encoder reads: a mean over tokens can be taken apart.

A mean-pooled encoder's vector is a sum over the states of its tokens, each of which has read the whole window. What
is left of the vector without a word's own tokens is what a search goes by before it lets the encoder read again.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from unname.neural.readers import Piece
from unname.text import words

if TYPE_CHECKING:
    from unname.reidentifiers.encoders import Tower

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


def word_parts(tower: "Tower", texts: Sequence[str], *, bf16: bool = False) -> list[WordParts]:
    """Texts taken apart, each read in windows; placeholders must have been left out."""
    return [part for part, _ in parts_and_vectors(tower, texts, bf16=bf16)]


def parts_and_vectors(
    tower: "Tower", texts: Sequence[str], *, most: int | None = None, bf16: bool = False, unit: bool = False
) -> list[tuple[WordParts, Float32]]:
    """The same of the first `most` windows, beside the first window's embedding, as `embed_pieces` has it: (width,)."""
    room = tower.window - len(tower.reader.framed([]))
    first, pieces, read = len(tower.reader.before), list[Piece](), []
    for text in texts:
        ids, offsets = tower.reader.located(text)
        starts = list(range(0, max(len(ids), 1), room))[:most]
        read.append((len(pieces), len(starts), offsets))
        pieces += [Piece(tower.reader.framed(ids[at : at + room])) for at in starts]
    states, vectors = tower.token_states(pieces, bf16=bf16, unit=unit)
    return [
        (_parts(text, offsets, states[at : at + count], first, room), vectors[at])
        for text, (at, count, offsets) in zip(texts, read, strict=True)
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
