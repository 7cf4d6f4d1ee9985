"""Lines on a terminal: plain, filled, as a table, and notices; never any text of a document."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import TextWrapper

from rich.console import Console

from unname.errors import printable
from unname.storage.notices import reading

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False)
MOST_FIELDS = 15


def say(lines: str) -> None:
    """Print lines that may hold a name somebody else chose: no markup, no terminal escapes."""
    OUT.print(printable(lines, lines=True), markup=False)


def say_filled(line: str, mark: str = "") -> None:
    """One line for terminals of 80 columns: wrapped at words, whatever hangs below its mark indented."""
    lines = TextWrapper(
        79, initial_indent=mark, subsequent_indent=" " * len(mark), break_long_words=False, break_on_hyphens=False
    )
    say(lines.fill(printable(line)))


def say_table(lines: Sequence[tuple[str, ...]]) -> None:
    """Columns side by side, the first one on the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *cells in lines:
        say("  ".join([name.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:], strict=True))]).rstrip())


def say_pairs(lines: Sequence[tuple[str, str]], mark: str = "") -> None:
    """Names side by side with what is said of them, both on the left."""
    width = max((len(name) for name, _ in lines), default=0)
    for name, said in lines:
        say(f"{mark}{name.ljust(width)}  {said}".rstrip())


def first_of(fields: Sequence[str]) -> str:
    """Names of fields, as many as one reads."""
    more = len(fields) - MOST_FIELDS
    return ", ".join(fields[:MOST_FIELDS]) + (f" and {more} more" if more > 0 else "")


class _Notices(logging.Handler):
    """Prints each line once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if line not in self._said:
            self._said.add(line)
            ERR.print(f"note: {line}", markup=False, soft_wrap=True)


@contextmanager
def notices_shown() -> Iterator[None]:
    """Print notices of a file as it is read on standard error, each once."""
    handler = _Notices()
    reading.addHandler(handler)
    try:
        yield
    finally:
        reading.removeHandler(handler)
