"""Stretches of a text that can be said more generally, each with what can be said instead."""

from dataclasses import dataclass
from typing import NamedTuple


class Level(NamedTuple):
    """A more general text for a value, as a document would say it, and its key, which is the same in all languages."""

    text: str
    key: str

    def __repr__(self) -> str:
        return f"Level({len(self.text)} characters)"


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A stretch `[start, end)` of a text that can be said more generally.

    `kind` is one of `date`, `age`, `place`, `number` and `group`; `own` the key of the value itself, empty where it may
    mean several; `levels` what can be said instead, the least general first, at least one.
    """

    start: int
    end: int
    kind: str
    own: str
    levels: tuple[Level, ...]

    def __repr__(self) -> str:
        return f"Value({self.start}, {self.end}, {self.kind!r}, {len(self.levels)} levels)"
