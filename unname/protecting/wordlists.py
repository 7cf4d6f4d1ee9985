"""A user's lists of words and patterns, and which words of a text a stretch touches."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from unname.errors import InputError, TaggingTimeoutError
from unname.storage.people import read_lines
from unname.text import Word

# A pattern of a user's may need time without end for a text that almost fits. (What `regex` counts is time on a processor.)
TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True, repr=False)
class Patterns:
    """Words and patterns from a user's list: a line in slashes is a regular expression, any other a literal."""

    expressions: "tuple[regex.Pattern[str], ...]" = ()

    @classmethod
    def of(cls, lines: Sequence[str] | Path) -> "Patterns":
        """From lines, or the file that holds them."""
        return cls.compile(read_lines(lines) if isinstance(lines, Path) else lines)

    @classmethod
    def compile(cls, lines: Sequence[str]) -> "Patterns":
        """A line that is no valid expression is an InputError that names its number."""
        patterns = []
        for number, line in enumerate(lines, start=1):
            slashed = len(line) > 2 and line.startswith("/") and line.endswith("/")
            try:
                literal = rf"(?<!\w){regex.escape(line)}(?!\w)"
                patterns.append(regex.compile(line[1:-1] if slashed else literal, regex.IGNORECASE | regex.VERSION0))
            except (regex.error, OverflowError, RecursionError):
                raise InputError(f"word list: line {number}: not a valid regular expression") from None
        return cls(tuple(patterns))

    def touched(self, text: str, row: Sequence[Word]) -> list[Word]:
        """The words of a text that any pattern touches; a pattern never hides half a word.

        TaggingTimeoutError: a pattern takes too long for this text, which must then be withheld.
        """
        if not self.expressions:
            return []
        try:
            stretches = [
                match.span() for expression in self.expressions
                for match in expression.finditer(text, timeout=TIMEOUT_S) if match.start() < match.end()
            ]  # fmt: skip
        except TimeoutError:
            raise TaggingTimeoutError("a pattern of the user's takes too long for a text; it is withheld") from None
        return touched(row, stretches)


def touched(row: Sequence[Word], stretches: Iterable[tuple[int, int]]) -> list[Word]:
    """The words of a text that any of these stretches touches, in order."""
    found: dict[int, Word] = {}
    for start, end in stretches:
        at = bisect_right(row, start, key=lambda word: word.end)
        while at < len(row) and row[at].start < end:
            found[at] = row[at]
            at += 1
    return [found[at] for at in sorted(found)]
