"""Annotations that quote the text they mark: text and unit of offsets are those under which each gives what is quoted."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from unname.storage.spans import UNITS, counted_in

_SPACES = re.compile(r"\s+")


class Quote(NamedTuple):
    """`[start, end)` stretches of a text and what an annotation says stands there, joined by a space; None: not said."""

    stretches: tuple[tuple[int, int], ...]
    said: str | None

    def __repr__(self) -> str:
        return f"Quote({self.stretches})"


def plain(text: str) -> str:
    """A text with each run of white space as one space, as formats write quotes."""
    return _SPACES.sub(" ", text)


def first_misfit(text: str, quotes: Sequence[Quote]) -> int | None:
    """The place of the first quote that the text does not bear out, from 0; None where all fit."""
    for place, (stretches, said) in enumerate(quotes):
        if any(not 0 <= start <= end <= len(text) for start, end in stretches):
            return place
        if said is not None and plain(" ".join(text[a:b] for a, b in stretches)) != plain(said):
            return place
    return None


def placed(texts: Sequence[str], quotes: Sequence[Quote]) -> tuple[str, list[Quote]] | None:
    """The first of several readings of a text that bears all quotes out, and the quotes with offsets in characters.

    Where none does as the offsets stand, they are taken for UTF-16 units, then for bytes.
    """
    text = fitting(texts, quotes)
    if text is not None:
        return text, list(quotes)
    for text in texts:
        for _, unit in UNITS if not text.isascii() and any(quote.said for quote in quotes) else ():
            moved = [counted_in(quote.stretches, text, unit) for quote in quotes]
            if any(stretches is None for stretches in moved):
                continue
            again = [Quote(tuple(s or ()), quote.said) for s, quote in zip(moved, quotes, strict=True)]
            if first_misfit(text, again) is None:
                return text, again
    return None


def fitting(texts: Iterable[str], quotes: Sequence[Quote]) -> str | None:
    """The first of several readings of a text that bears all quotes out."""
    return next((text for text in texts if first_misfit(text, quotes) is None), None)
