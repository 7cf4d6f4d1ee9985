"""A released table of any tool: texts and the metadata beside each."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.storage.dialects import Dialect
from unname.storage.documents import Columns, read_documents
from unname.storage.rows import records
from unname.storage.tables import plain_cell
from unname.writing.layout import manifest_beside, released_documents

_TABLE_COLUMNS = frozenset(["id", "text", "person", "split", "spans"])


@dataclass(frozen=True, slots=True, repr=False)
class ReleasedTable:
    """A released table by public id: texts, the metadata beside each (joined by newlines), and the metadata's columns."""

    path: Path
    texts: dict[str, str]
    beside: dict[str, str]
    columns: tuple[str, ...]


def read_release(released: Path) -> ReleasedTable:
    """A table of any tool, the documents of a release folder, or a folder of texts."""
    path = released_documents(released)
    ours = manifest_beside(released) is not None and path.suffix == ".csv"
    restored = plain_cell if ours else str
    texts = {
        d.id: restored(d.text) for d in read_documents(path, Columns(dialect=Dialect("utf-8", ",")) if ours else None)
    }
    beside: dict[str, str] = {}
    columns: dict[str, None] = {}
    for _, row in records(path) if path.is_file() else ():
        values = {name: _said(value) for name, value in row.items() if name not in _TABLE_COLUMNS}
        columns |= {name: None for name, value in values.items() if value}
        beside[str(row["id"])] = "\n".join(value for value in values.values() if value)
    return ReleasedTable(path, texts, beside, tuple(columns))


def _said(value: Any) -> str:
    """All that a value of any shape says, names of its parts left out."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return "\n".join(part for part in map(_said, value) if part)
    return str(value)
