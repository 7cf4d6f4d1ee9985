"""Folded shadow text: what a text says once its disguises are taken off, with the way back to the original.

Detection reads the shadow; masking hides in the original.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Shadow:
    """A folded text; its character i was made of the original's `[starts[i], ends[i])`. Case is kept."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def __repr__(self) -> str:
        return f"Shadow({len(self.text)} characters)"

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the shadow, not an empty one, stands in the original."""
        return self.starts[start], self.ends[end - 1]

    def folded(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the original stands in the shadow; empty where nothing of it is left."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end))


def shadow(text: str) -> Shadow:
    """The folded shadow of a text."""
    return Shadow(text, range(len(text)), range(1, len(text) + 1))
