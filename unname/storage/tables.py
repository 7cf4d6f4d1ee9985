"""What is read from and written to tables: the names other rooms import; each kind of thing is read in its own file."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from unname.storage.documents import Columns, iter_documents, read_documents
from unname.storage.faults import LONGEST_RECORD, MOST_FAULTS, Faults
from unname.storage.files import write_atomically
from unname.storage.people import iter_profiles, read_lines, read_profiles, read_triples
from unname.storage.rows import Record, records

__all__ = [
    "LONGEST_RECORD",
    "MOST_FAULTS",
    "Columns",
    "Faults",
    "Record",
    "iter_documents",
    "iter_profiles",
    "json_line",
    "read_documents",
    "read_lines",
    "read_profiles",
    "read_triples",
    "records",
    "write_json",
    "write_jsonl",
]

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]], *, private: bool = False) -> None:
    """Write rows as JSON lines, atomically and one at a time: rows may come from a generator and are never held."""
    write_atomically(path, map(json_line, rows), private=private)


def json_line(row: Mapping[str, Any]) -> bytes:
    """A row as one line of a JSON lines file."""
    return (_COMPACT.encode(row) + "\n").encode()


def write_json(path: Path, value: Mapping[str, Any], *, private: bool = False) -> None:
    """Write one JSON object, indented, atomically."""
    content = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=False) + "\n"
    write_atomically(path, content.encode(), private=private)
