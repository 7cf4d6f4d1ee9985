"""A space of words: which words are near which, by the cosine of their vectors. Source: Friedrich 2019, §4."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from unname.errors import InputError
from unname.storage.wordvectors import WordVectors
from unname.taggers.lstm.reading import key
from unname.taggers.reading import read
from unname.taggers.wordvectors import teach_word_vectors
from unname.types import Document

Float32 = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Space:
    """Words as they are looked up (`key`), and their vectors at length 1: (words, width) float32."""

    words: tuple[str, ...]
    vectors: Float32

    def __repr__(self) -> str:
        return f"Space({len(self.words)} words)"

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def plain(self) -> IntArray:
        """The places of what may stand for other words: letters and digits alone, no signs."""
        return np.array([place for place, word in enumerate(self.words) if word.isalnum()], np.int64)

    def near(self, vector: Float32, many: int, unlike: str | None) -> IntArray:
        """The places of so many words, the nearest first, without those that are, hold or lie within a word `unlike`."""
        order = self.plain[np.argsort(-(self.vectors[self.plain] @ vector), kind="stable")]
        if unlike is None:
            return order[:many]
        rows: list[int] = []
        for place in order.tolist():
            word = self.words[place]
            if word not in unlike and unlike not in word:
                rows.append(place)
                if len(rows) == many:
                    break
        return np.array(rows, np.int64)


def make_space(vectors: WordVectors) -> Space:
    """A space of word vectors; words without a direction are left out."""
    lengths = np.linalg.norm(vectors.vectors, axis=1)
    kept = [place for place in range(len(vectors.words)) if lengths[place] > 0]
    if not any(vectors.words[place].isalnum() for place in kept):
        raise InputError("the word vectors have no word that could stand for another")
    unit = vectors.vectors[kept] / lengths[kept, None]
    return Space(tuple(vectors.words[place] for place in kept), np.ascontiguousarray(unit, np.float32))


def taught_space(documents: Sequence[Document], *, width: int, epochs: int, seed: int, fewest: int = 2) -> Space:
    """A space that texts teach, of words that so many of them hold; nobody in it should be somebody to be hidden."""
    rows, counts = [], dict[str, int]()
    for document in documents:
        reading = read(document.text)
        row = [key(reading.normalised.text[t.start : t.end]) for t in reading.tokens]
        rows.append(row)
        for word in set(row):
            counts[word] = counts.get(word, 0) + 1
    words = sorted(word for word, count in counts.items() if count >= fewest)
    if not words:
        raise InputError("the texts to learn words from have none in common")
    place = {word: number for number, word in enumerate(words)}
    numbers = [[place[word] for word in row if word in place] for row in rows]
    vectors = teach_word_vectors(numbers, len(words), width=width, epochs=epochs, seed=seed)
    return make_space(WordVectors(tuple(words), vectors))
