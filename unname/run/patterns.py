"""A user's lists of words and patterns, and which words of a text a stretch touches."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unname.errors import InputError
from unname.text import Word


@dataclass(frozen=True, slots=True, repr=False)
class Patterns:
    """Words and patterns from a user's list: a line in slashes is a regular expression, any other a literal."""

    expressions: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def compile(cls, lines: Sequence[str]) -> "Patterns":
        """A line that is no valid expression is an InputError that names its number."""
        found = []
        for number, line in enumerate(lines, start=1):
            slashed = len(line) > 2 and line.startswith("/") and line.endswith("/")
            try:
                found.append(re.compile(line[1:-1] if slashed else rf"(?<!\w){re.escape(line)}(?!\w)", re.IGNORECASE))
            except re.error:
                raise InputError(f"word list: line {number}: not a valid regular expression") from None
        return cls(tuple(found))

    def touched(self, text: str, row: Sequence[Word]) -> list[Word]:
        """The words of a text that any pattern touches; a pattern never hides half a word."""
        if not self.expressions:
            return []
        return touched(row, [m.span() for e in self.expressions for m in e.finditer(text) if m.start() < m.end()])


def touched(row: Sequence[Word], stretches: Iterable[tuple[int, int]]) -> list[Word]:
    """The words of a text that any of these stretches touches, in order."""
    found: dict[int, Word] = {}
    for start, end in stretches:
        at = bisect_right(row, start, key=lambda word: word.end)
        while at < len(row) and row[at].start < end:
            found[at] = row[at]
            at += 1
    return [found[at] for at in sorted(found)]
