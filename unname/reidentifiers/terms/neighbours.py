"""A text as words and pairs of neighbours: the addends of a static reidentifier.

A pair is two words with nothing but blanks and punctuation between them; a gap parts them. Years also stand for the
decade and other spans that they lie in, so that 1846 is evidence of somebody who was born in 1811.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from unname.text import GAP, WORD, fold, in_words, remembering, visible

_TOKEN = re.compile(f"{WORD.pattern}|{GAP}")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
# Spans of years, in years.
SPANS = (3, 10, 25)


@remembering
def sequence(text: str) -> list[str]:
    """Folded words and gaps of a released text, in order."""
    return [token if token == GAP else fold(token) for token in in_words(_TOKEN.findall(visible(text)))]


def pairs(row: Iterable[str]) -> dict[tuple[str, str], None]:
    """The distinct pairs of neighbours of a row of words and gaps, in order."""
    neighbours: dict[tuple[str, str], None] = {}
    before = GAP
    for word in row:
        if before != GAP and word != GAP:
            neighbours[before, word] = None
        before = word
    return neighbours


def distinct(row: Iterable[str]) -> list[str]:
    """The distinct words of a row of words and gaps, in order."""
    return [word for word in dict.fromkeys(row) if word != GAP]


@lru_cache(maxsize=4096)
def spans_of(word: str) -> tuple[str, ...]:
    """The spans that a year lies in; none for any other word."""
    if len(word) != 4 or _YEAR.fullmatch(word) is None:
        return ()
    return tuple(f"#{span}:{int(word) // span}" for span in SPANS)


def joined(pair: Sequence[str]) -> str:
    """A pair as a name in a vocabulary, where no word has a blank."""
    return " ".join(pair)
