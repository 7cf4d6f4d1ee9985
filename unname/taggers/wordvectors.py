"""Word vectors: read from the text files of fastText and GloVe, or taught by a corpus of one's own.

Sources: Bojanowski 2017 and Pennington 2014 (files); Mikolov 2013 (skip-gram with negative sampling).
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from unname.errors import InputError

Float32 = npt.NDArray[np.float32]

_HEADER = re.compile(rb"\d+ \d+")
_LONGEST_LINE = 1 << 20
_MOST_WIDTH = 4096
# Skip-grams: words foretell those so many places away; so many that are false are drawn per pair, by count^¾.
_WINDOW, _NEGATIVES, _RATE = 5, 5, 0.05


class WordVectors(NamedTuple):
    """Words, in the order found, and their vectors: (words, width) float32."""

    words: tuple[str, ...]
    vectors: Float32

    def __repr__(self) -> str:
        return f"WordVectors({len(self.words)} words, width {self.vectors.shape[1]})"


def read_word_vectors(
    path: Path, wanted: Collection[str], *, first: int = 0, key: Callable[[str], str] = str
) -> WordVectors:
    """The vectors of wanted words, and of the first so many of the file, which are its most frequent.

    Words are taken as `key` gives them; of several that become one the first in the file counts. A line is a word and
    its numbers, with one space between; the header that fastText writes may be there. A wrong number of values, or
    what is no finite number, is an InputError with the number of the line. Only what is kept is held in memory.
    """
    words: dict[str, int] = {}
    rows: list[Float32] = []
    width = 0
    try:
        with path.open("rb") as stream:
            for number, line in _lines(stream):
                if number == 1 and _HEADER.fullmatch(line):
                    continue
                width = width or _width(line.split(b" "))
                shown, *values = line.rsplit(b" ", width)
                # A word may have a space in it, but where its last part is a number the line is too wide.
                if len(values) != width or not width or (b" " in shown and _is_number(shown.split(b" ")[-1])):
                    raise InputError(f"line {number} of the word vectors has another number of values than the first")
                word = key(shown.decode("utf-8", "replace"))
                if word in words or not (len(words) < first or word in wanted):
                    continue
                rows.append(_values(values, number))
                words[word] = len(words)
    except OSError as error:
        raise InputError(f"the word vectors cannot be read: {error.strerror}") from None
    if not rows:
        raise InputError("the word vectors have none of the words that are needed")
    return WordVectors(tuple(words), np.stack(rows))


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            raise InputError(f"line {number} of the word vectors is too long for a word and its numbers")
        if line := line.strip(b"\r\n "):
            yield number, line


def _width(parts: Sequence[bytes]) -> int:
    """How many numbers the first line ends with, its first part being a word whatever it looks like."""
    width = next((at for at, part in enumerate(reversed(parts[1:])) if not _is_number(part)), len(parts) - 1)
    if width > _MOST_WIDTH:
        raise InputError("the word vectors are wider than any that are known")
    return width


def _is_number(part: bytes) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _values(parts: Sequence[bytes], number: int) -> Float32:
    try:
        row = np.array([float(part) for part in parts], np.float32)
    except ValueError:
        raise InputError(f"line {number} of the word vectors has a value that is no number") from None
    if not np.isfinite(row).all():
        raise InputError(f"line {number} of the word vectors has a value that is not finite")
    return row


def teach_word_vectors(
    sequences: Sequence[Sequence[int]],
    words: int,
    *,
    width: int,
    epochs: int,
    seed: int,
    batch: int = 512,
    most_frequent: float = 1e-3,
) -> Float32:
    """Vectors (words, width) of words that occur in sequences, by skip-gram with negative sampling; numbers from 0.

    Words foretell those up to `_WINDOW` places away; those more frequent than `most_frequent` are passed over now and then.
    Rates fall to nothing. Source: Mikolov 2013.
    """
    random = np.random.default_rng(seed)
    inside = ((random.random((words, width)) - 0.5) / width).astype(np.float32)
    outside = np.zeros((words, width), np.float32)
    counts = np.bincount(
        np.concatenate([np.zeros(0, np.int64), *map(np.asarray, sequences)]).astype(int), minlength=words
    )
    shares = counts / max(1, counts.sum())
    keep = np.minimum(1.0, np.sqrt(most_frequent / np.maximum(shares, 1e-12)))
    drawn = np.cumsum(counts**0.75) / max(1e-12, float((counts**0.75).sum()))
    for epoch in range(epochs):
        centres, others = _pairs(sequences, keep, random)
        for at in range(0, len(centres), batch):
            done = (epoch + at / len(centres)) / epochs
            centre, other = centres[at : at + batch], others[at : at + batch]
            false = np.searchsorted(drawn, random.random((len(centre), _NEGATIVES))).clip(0, words - 1)
            _step(inside, outside, centre, np.column_stack((other, false)), _RATE * (1 - done))
    return inside


def _pairs(
    sequences: Sequence[Sequence[int]], keep: npt.NDArray[np.float64], random: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Words and words near them, in an order that is drawn."""
    centres: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    others: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
    for sequence in sequences:
        row = np.asarray(sequence, np.int64)
        row = row[random.random(len(row)) < keep[row]]
        reach = random.integers(1, _WINDOW + 1, len(row))
        for far in range(1, _WINDOW + 1):
            one, two = row[:-far], row[far:]
            centres += [one[reach[:-far] >= far], two[reach[far:] >= far]]
            others += [two[reach[:-far] >= far], one[reach[far:] >= far]]
    order = random.permutation(sum(map(len, centres)))
    return np.concatenate(centres)[order], np.concatenate(others)[order]


def _step(
    inside: Float32, outside: Float32, centre: npt.NDArray[np.int64], other: npt.NDArray[np.int64], rate: float
) -> None:
    """One step on pairs: the first column of `other` (pairs, 1 + negatives) is true, the others are drawn."""
    mine, theirs = inside[centre], outside[other]
    scores = np.einsum("pw,pnw->pn", mine, theirs).clip(-10, 10)
    error = 1 / (1 + np.exp(-scores))
    error[:, 0] -= 1
    error *= rate
    # Sums over a word's pairs are kept small, for a frequent word has many of them in a batch.
    np.add.at(inside, centre, -np.einsum("pn,pnw->pw", error, theirs).clip(-0.05, 0.05))
    np.add.at(outside, other.ravel(), -(error[:, :, None] * mine[:, None]).reshape(-1, mine.shape[1]))
