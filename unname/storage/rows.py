"""Rows of JSONL, CSV and Parquet as mappings, one at a time; a bad row is noted and passed over where that can be."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.dialects import LOOKED_AT, Dialect, delimiter_of, encoding_of, sign_of, without_mark
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, Faults, flaw, shown_name
from unname.storage.lines import beginning, numbered_lines
from unname.storage.parquet import parquet_records

Record = tuple[int, Mapping[str, Any]]


# What people have in place of a table, and what to do about it.
_ELSEWHERE = {
    ".docx": "Word", ".doc": "Word", ".odt": "OpenDocument", ".rtf": "RTF", ".pdf": "PDF", ".xls": "old Excel",
    ".ods": "OpenDocument", ".xlsb": "binary Excel", ".sav": "SPSS", ".dta": "Stata", ".sas7bdat": "SAS", ".rds": "R",
    ".feather": "Feather", ".json": "JSON", ".xml": "XML", ".html": "HTML", ".htm": "HTML", ".zip": "an archive",
}  # fmt: skip
_AS_TEXT = frozenset([".docx", ".doc", ".odt", ".rtf", ".pdf", ".html", ".htm"])


def advice_for(ending: str) -> str:
    """What to do with a file that cannot be read here; empty where nothing is known of its kind."""
    kind = _ELSEWHERE.get(ending.lower())
    if kind is None:
        return ""
    if ending.lower() in _AS_TEXT:
        return f"{kind} files are not read: save each document as plain text (.txt), one file a document, in a folder"
    if ending.lower() in (".xml", ".zip"):
        return f"{kind} is read only as an annotated corpus, with --format"
    return f"{kind} files are not read: save the table as .csv, .xlsx, .parquet or .jsonl"


def records(path: Path, *, faults: Faults | None = None, dialect: Dialect | None = None) -> Iterator[Record]:
    """Rows of a table as (record number, mapping), lazily, by the file's ending.

    A record's number counts from 1 over lines that are not blank (rows, in CSV and Parquet). With `faults`, a record
    that cannot be read is noted there and the next one follows; without, it is an InputError. A file that cannot be
    read on at all is always an InputError.
    """
    if not path.is_file():
        raise InputError(f"{shown_name(path)}: no such file")
    faults = faults or Faults(path, at_once=True)
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        return _json_records(path, faults)
    if name.endswith((".csv", ".tsv")):
        return _csv_records(path, faults, detected(path, dialect or Dialect()))
    if path.name.endswith(".parquet"):
        return parquet_records(path, faults)
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        from unname.storage.excel import excel_records  # for whoever has such a table

        return excel_records(path, faults)
    advice = advice_for(path.suffix) or (
        "unknown kind of file; expected .jsonl, .csv, .tsv (or any with .gz), .xlsx, .parquet, for documents a folder of "
        ".txt, or an annotated corpus with its --format"
    )
    raise InputError(f"{shown_name(path)}: {advice}")


def detected(path: Path, dialect: Dialect) -> Dialect:
    """How a table of columns is written: as is said, and what is not said by a look at its beginning."""
    start = beginning(path, LOOKED_AT)
    encoding = dialect.encoding or encoding_of(start)
    text = without_mark(start).decode(encoding, "replace")
    first, _, _ = text.partition("\n")
    if said := _SAID.fullmatch(first.rstrip("\r")):
        return Dialect(encoding, dialect.delimiter or said[1])
    return Dialect(encoding, sign_of(dialect.delimiter) if dialect.delimiter else delimiter_of(text))


# A first line by which Excel is told what parts columns.
_SAID = re.compile(r"sep=(.)", re.IGNORECASE)


class _TwiceError(ValueError):
    """An object has a key twice, so that readers would not agree on what it holds."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _TwiceError
    return made


def _no_number(_: str) -> Any:
    raise ValueError


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def json_value(content: bytes) -> tuple[str, Any]:
    """(what is wrong with it, else empty; the value) of JSON in UTF-8, without NaN and without a key twice."""
    try:
        return "", _DECODER.decode(content.decode())
    except UnicodeDecodeError:
        return NOT_UTF8, None
    except _TwiceError:
        return "not valid JSON: the same key twice in one object", None
    except (ValueError, RecursionError):
        return "not valid JSON", None


def _json_records(path: Path, faults: Faults) -> Iterator[Record]:
    for number, line in numbered_lines(path):
        if line is None:
            faults.add(number, "", TOO_LONG)
        elif line and not line.isspace():
            problem, row = json_value(line)
            if isinstance(row, dict):
                yield number, row
            else:
                faults.add(number, "", problem or "not a JSON object")


class _TooLongError(Exception):
    """A CSV record goes on beyond what a record may be; an unclosed quote, most likely."""


class _CsvLines:
    """Feeds a CSV reader and watches what one record takes; bytes that are not UTF-8 are let through and marked."""

    def __init__(self, path: Path, encoding: str) -> None:
        self._lines = numbered_lines(path, encoding)
        self._size = 0
        self._garbled = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        _, line = next(self._lines)
        self._size += LONGEST_RECORD + 1 if line is None else len(line)
        if line is None or self._size > LONGEST_RECORD:
            raise _TooLongError
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._garbled = True
            return line.decode(errors="surrogateescape")

    def record_ends(self) -> bool:
        """Start anew with the next record; whether the one that ended here was UTF-8."""
        garbled, self._garbled, self._size = self._garbled, False, 0
        return not garbled


def _csv_records(path: Path, faults: Faults, dialect: Dialect) -> Iterator[Record]:
    csv.field_size_limit(LONGEST_RECORD)
    lines = _CsvLines(path, dialect.encoding or "utf-8")
    reader = csv.reader(lines, strict=True, delimiter=dialect.delimiter or ",")
    number = 0
    try:
        names = _header(path, reader, lines)
        for cells in reader:
            well = lines.record_ends()
            if not cells:
                continue
            number += 1
            if not well:
                faults.add(number, "", NOT_UTF8)
            elif len(cells) != len(names):
                faults.add(number, "", "not as many fields as the header has")
            else:
                yield number, dict(zip(names, cells, strict=True))
    except csv.Error:
        raise InputError(f"{shown_name(path)}: record {number + 1}: not valid CSV") from None
    except _TooLongError:
        raise InputError(f"{shown_name(path)}: record {number + 1}: {TOO_LONG}; is a quote left open?") from None


def _header(path: Path, reader: Iterator[list[str]], lines: _CsvLines) -> list[str]:
    rows = (cells for cells in reader if cells)
    names = next(rows, [])
    if _SAID.fullmatch(",".join(names)) or (len(names) == 2 and names[0].lower() == "sep=" and not names[1]):
        names = next(rows, [])
    if not lines.record_ends():
        raise InputError(f"{shown_name(path)}: the header is {NOT_UTF8}")
    require_header(path, names)
    return names


def require_header(path: Path, names: Sequence[str]) -> None:
    """Names of columns must be plain text, each its own; InputError."""
    if problem := next(filter(None, map(flaw, names)), None):
        raise InputError(f"{shown_name(path)}: the header {problem}; is it UTF-8?")
    if len(set(names)) != len(names):
        raise InputError(f"{shown_name(path)}: two columns have the same name")
