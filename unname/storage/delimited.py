"""Rows of a table whose columns are parted by a sign, as spreadsheets, databases and programs write it.

Lines end in LF, CR LF or, in old files, CR. A quote within quotes is doubled, or stands behind a backslash. Rows whose
cells are all empty, and empty columns behind the last name, are no part of a table.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from unname.errors import InputError
from unname.storage.dialects import LOOKED_AT, Dialect, delimiter_of, encoding_for, sign_of, without_mark
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, Faults, flaw, shown_name
from unname.storage.lines import beginning, numbered_lines

# A first line by which Excel is told what parts columns.
_SAID = re.compile(r"sep=(.)", re.IGNORECASE)
# Digits of a row's number, and of how many rows one may be left, as where a table was cut out of a larger one.
_LONGEST_INDEX, _MOST_LEFT_OUT = 12, 1000
# Columns from which on lines with as many signs between are rows, and no sentences with commas.
_SEVERAL = 4
_ESCAPED = re.compile(r'(?<!\\)((?:\\\\)*)\\"')


class Written(NamedTuple):
    """The dialect of a table: its lines end in CR alone (`returns`), quotes stand behind a backslash (`escaped`)."""

    encoding: str
    delimiter: str
    returns: bool
    escaped: bool


def detected(path: Path, dialect: Dialect) -> Written:
    """The dialect of a table of columns: as named, and for the rest from a look at its beginning."""
    start = beginning(path, LOOKED_AT)
    encoding = encoding_for(path, start, dialect.encoding, whole=len(start) < LOOKED_AT)
    text = without_mark(start).decode(encoding, "replace")
    returns = "\r" in text and "\n" not in text
    first, _, rest = text.partition("\r" if returns else "\n")
    said = _SAID.fullmatch(first.rstrip("\r"))
    if said:
        text = rest
    named = dialect.delimiter and sign_of(dialect.delimiter)
    escaped = '\\"' in text and _is_escaped(text, named or (said[1] if said else ""))
    delimiter = named or (said[1] if said else delimiter_of(_doubled(text) if escaped else text))
    return Written(encoding, delimiter, returns, escaped)


def _is_escaped(text: str, delimiter: str) -> bool:
    """True if quotes within quotes stand behind a backslash: read so, the rows are as long as the header, else not."""
    doubled = _doubled(text)
    return not _is_even(text, delimiter or delimiter_of(text)) and _is_even(doubled, delimiter or delimiter_of(doubled))


def _doubled(text: str) -> str:
    return _ESCAPED.sub(r'\1""', text)


def _is_even(text: str, delimiter: str) -> bool:
    """True if all rows but the last, which may go on behind the part read, have as many cells as the first."""
    sizes: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        sizes.extend(len(row) for row in reader if any(row))
    except csv.Error as error:
        if "end of data" not in str(error):
            return False
    return len(set(sizes[:-1] if len(text) >= LOOKED_AT // 8 and len(sizes) > 1 else sizes)) == 1


class _RowIndex:
    """Row numbers, as programs write them into a column without a name; some of them may be left out."""

    def __init__(self) -> None:
        self._last, self._rows = -1, 0

    def goes_on(self, cell: str) -> bool:
        """True if the next cell is empty or the number of a row further down."""
        self._rows += 1
        if not cell.strip():
            return True
        whole = cell.strip().removesuffix(".0")
        number = int(whole) if whole.isascii() and whole.isdigit() and len(whole) <= _LONGEST_INDEX else -1
        follows, self._last = self._last < number <= _MOST_LEFT_OUT * self._rows, number
        return follows


class _TooLongError(Exception):
    """A CSV record goes on beyond what a record may be; an unclosed quote, most likely."""


class _CsvLines:
    """Feeds a CSV reader and watches what one record takes; bytes that are not UTF-8 are let through and marked."""

    def __init__(self, path: Path, written: Written) -> None:
        self._lines = numbered_lines(path, written.encoding, returns=written.returns)
        self._doubled = written.escaped
        self._size = 0
        self._garbled = False
        self.backslash = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        _, line = next(self._lines)
        self._size += LONGEST_RECORD + 1 if line is None else len(line)
        if line is None or self._size > LONGEST_RECORD:
            raise _TooLongError
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self._garbled = True
            text = line.decode(errors="surrogateescape")
        self.backslash = self.backslash or '\\"' in text
        return _doubled(text) if self._doubled else text

    def record_ends(self) -> bool:
        """Start anew with the next record; whether the one that ended here was UTF-8."""
        garbled, self._garbled, self._size, self.backslash = self._garbled, False, 0, False
        return not garbled


def delimited_records(path: Path, faults: Faults, written: Written) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(row number from 1 below the header, {column: cell}), blank rows neither counted nor yielded."""
    csv.field_size_limit(LONGEST_RECORD)
    lines = _CsvLines(path, written)
    reader = csv.reader(lines, strict=True, delimiter=written.delimiter)
    number = 0
    try:
        names = _header(path, reader, lines)
        index, nameless = _RowIndex(), names.index("") if "" in names else None
        for cells in reader:
            well = lines.record_ends()
            if not any(cells):
                continue
            number += 1
            while len(cells) > len(names) and not cells[-1]:
                cells.pop()
            if not well:
                faults.add(number, "", NOT_UTF8)
            elif len(cells) != len(names):
                faults.add(number, "", "not as many fields as the header has")
            elif any(_holds_rows(cell, cells[0], len(names), written.delimiter) for cell in cells if "\n" in cell):
                faults.add(
                    number, "", "a cell in quotes holds rows of the table; is a quote left open, or one too many?"
                )
            elif nameless is not None and not index.goes_on(cells[nameless]):
                raise InputError(f"{shown_name(path)}: column {nameless + 1} has no name in the first row")
            else:
                yield number, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        problem = _said_of(str(error), backslash=lines.backslash, escaped=written.escaped)
        raise InputError(f"{shown_name(path)}: record {number + 1}: not valid CSV{problem}") from None
    except _TooLongError:
        raise InputError(f"{shown_name(path)}: record {number + 1}: {TOO_LONG}; is a quote left open?") from None


def _holds_rows(cell: str, first: str, columns: int, delimiter: str) -> bool:
    """True if lines of a cell are rows of the table: cells as many, and the first one written as in this row.

    First cells without a figure are words as any; then all lines, of several columns each, must be such rows.
    """
    lines = [line for line in cell.replace("\r", "\n").split("\n")[1:] if line]
    rows = [line for line in lines if line.count(delimiter) == columns - 1]
    if not any(c.isdecimal() for c in first):
        return columns >= _SEVERAL and len(rows) == len(lines) > 0
    starts = [row.split(delimiter, 1)[0].strip(' "') for row in rows]
    if first.strip().isdecimal() and columns < _SEVERAL:  # "10,5 mg" is no row, but 8 is one behind 7
        return columns > 1 and bool(starts) and starts[0].isdecimal() and int(starts[0]) == int(first) + 1
    return columns > 1 and any(_shape(start) == _shape(first) for start in starts)


def _shape(cell: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell.strip()))


def _said_of(error: str, *, backslash: bool, escaped: bool) -> str:
    """The fault of a table that the reader met."""
    if "new-line" in error:
        return ": a carriage return stands outside of quotes, while other lines end in a line feed"
    if "unexpected end of data" in error:
        return ": a quote is left open"
    if backslash and not escaped:
        return ': a quote within quotes stands behind a backslash (\\"), while others are doubled ("")'
    if "expected after" in error:
        return ': text follows a closing quote; a quote within quotes is written twice ("")'
    return ""


def _header(path: Path, reader: Iterator[list[str]], lines: _CsvLines) -> list[str]:
    rows = (cells for cells in reader if any(cells))
    names = next(rows, [])
    if _SAID.fullmatch(",".join(names)) or (len(names) == 2 and names[0].lower() == "sep=" and not names[1]):
        names = next(rows, [])
    if not lines.record_ends():
        raise InputError(f"{shown_name(path)}: the header is {NOT_UTF8}")
    names = [name.strip().lstrip("\ufeff") for name in names]
    while names and not names[-1]:
        names.pop()
    require_header(path, names)
    return names


def require_header(path: Path, names: Sequence[str]) -> None:
    """Names of columns must be plain text, each its own; InputError."""
    if problem := next(filter(None, map(flaw, names)), None):
        raise InputError(f"{shown_name(path)}: the header {problem}; is it UTF-8?")
    if len(set(names)) != len(names):
        raise InputError(f"{shown_name(path)}: two columns have the same name")
