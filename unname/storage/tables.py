"""Tables and JSON files as they are written; `unname.storage.rows` reads them."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from unname.errors import InputError
from unname.storage.files import write_atomically, written_atomically
from unname.storage.formats.names import DistinctNames

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_ROWS_AT_ONCE = 1000


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]], *, private: bool = False, fresh: bool = False) -> None:
    """Write rows as JSON lines, atomically and one at a time: rows may come from a generator and are never held."""
    write_atomically(path, map(json_line, rows), private=private, fresh=fresh)


def write_table(
    path: Path,
    rows: Iterable[Mapping[str, Any]],
    *,
    columns: Sequence[str],
    private: bool = False,
    fresh: bool = False,
) -> None:
    """Write rows of text as the ending says (`.jsonl`, `.csv`, `.parquet`), or as a folder of `.txt` (`id`, `text`).

    `columns` are those that any row may have; `private` and `fresh` are as in `write_atomically`, for tables. In CSV a
    cell that a spreadsheet would take for a formula gets an apostrophe in front (`plain_cell` takes it away). InputError:
    a folder of texts has no room for further columns.
    """
    if path.suffix == ".jsonl":
        write_jsonl(path, rows, private=private, fresh=fresh)
    elif path.suffix == ".csv":
        write_atomically(path, csv_lines(rows, columns), private=private, fresh=fresh)
    elif path.suffix == ".parquet":
        with written_atomically(path, private=private, fresh=fresh) as stream:
            _write_parquet(stream, rows, columns)
    else:
        if set(columns) - {"id", "text"}:
            raise InputError("a folder of .txt has no room for columns beside the text; choose .csv or .jsonl")
        path.mkdir()
        names = DistinctNames()
        for number, row in enumerate(rows, start=1):
            name = names.of(row["id"])
            if name != row["id"]:
                raise InputError(f"released document {number}: its id cannot be a file's name; use keyed ids")
            write_atomically(path / f"{name}.txt", str(row["text"]).encode())


def csv_lines(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[bytes]:
    """Rows as lines of a CSV table, headings first; no cell is a formula."""
    line = io.StringIO(newline="")
    writer = csv.writer(line)

    def written(cells: Iterable[str]) -> bytes:
        line.seek(0)
        line.truncate()
        writer.writerow(cells)
        return line.getvalue().encode()

    yield written(columns)
    for row in rows:
        yield written(_cell(str(row.get(name, ""))) for name in columns)


def _cell(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULAS) or plain_cell(value) != value else value


def plain_cell(value: str) -> str:
    """A cell of a CSV table of ours without the apostrophe that keeps it from being a formula."""
    bare = value.lstrip("'")
    return value[1:] if value.startswith("'") and bare.startswith(_FORMULAS) else value


def _write_parquet(stream: BinaryIO, rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    schema = arrow.schema([(name, arrow.string()) for name in columns])
    some = iter(rows)
    with parquet.ParquetWriter(stream, schema) as writer:
        while batch := list(islice(some, _ROWS_AT_ONCE)):
            writer.write_table(arrow.Table.from_pylist([dict(row) for row in batch], schema=schema))


def json_line(row: Mapping[str, Any]) -> bytes:
    """A row as one line of a JSON lines file."""
    return (_COMPACT.encode(row) + "\n").encode()


def write_json(path: Path, value: Mapping[str, Any], *, private: bool = False) -> None:
    """Write one JSON object, indented, atomically."""
    content = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, content.encode(), private=private)
