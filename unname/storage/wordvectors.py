"""Word vectors in text files, as fastText and GloVe write them. Sources: Bojanowski 2017, Pennington 2014."""

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
    """The number of numbers that the first line ends with, its first part being a word whatever it looks like."""
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
