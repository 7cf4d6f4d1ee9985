"""Words that nobody has: letter by letter, as the words of a list go on after two letters, or after one."""

from collections.abc import Collection, Sequence

import numpy as np

_SHORTEST, _LONGEST, _TRIES = 3, 14, 50
_END = "\0"


class Inventor:
    """Invents words that look like those of a list and are not in it. Source: Shannon 1948, §3 (trigrams)."""

    def __init__(self, words: Sequence[str]) -> None:
        # What follows two letters, and one: a short list has nothing new to say after two.
        self._after: dict[str, list[str]] = {}
        for word in words:
            if word.isalpha():
                framed = f"  {word}{_END}"
                for at in range(2, len(framed)):
                    for before in (framed[at - 2 : at], framed[at - 1]):
                        self._after.setdefault(before, []).append(framed[at])

    def word(self, random: np.random.Generator, unlike: str, known: Collection[str]) -> str | None:
        """A new word, none of the `known` ones, that neither holds nor lies within `unlike`; None where none comes out."""
        for reach in (2, 1):
            for _ in range(_TRIES):
                word = self._drawn(random, reach)
                if len(word) >= _SHORTEST and word not in known and word not in unlike and unlike not in word:
                    return word
        return None

    def _drawn(self, random: np.random.Generator, reach: int) -> str:
        word = ""
        while len(word) <= _LONGEST:
            choices = self._after.get(f"  {word}"[-reach:])
            if not choices or (letter := choices[int(random.integers(len(choices)))]) == _END:
                break
            word += letter
        return word
