"""Documents from a table, a folder or a corpus, checked one by one; every fault names record and field, not content."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.faults import Faults, flaw, shown_name
from unname.storage.folders import folder_records
from unname.storage.ids import Ids
from unname.storage.rows import records
from unname.storage.spans import spans_of
from unname.types import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names of the columns that hold a document's parts; several text columns are joined by a blank line.

    `format` is that of an annotated corpus (`unname.storage.formats`), which has no columns to name; our own tables are
    known by their endings whatever it says.
    """

    id: str = "id"
    text: tuple[str, ...] = ("text",)
    person: str = "person"
    split: str = "split"
    format: str | None = None

    def __contains__(self, name: str) -> bool:
        return name in (self.id, *self.text, self.person, self.split, "spans")


def iter_documents(path: Path, columns: Columns | None = None, *, faults: Faults) -> Iterator[tuple[int, Document]]:
    """(record number from 1, document) of a table, a folder of `.txt` or a corpus, lazily; some 30 bytes an id are kept.

    A record with a fault is noted in `faults` and not yielded. It is for the caller to end, when all is read, with
    `faults.raise_any()`, or to go on without `faults.bad_records`. Of records with the same id the first is yielded and
    each later one is a fault; a record that is bad otherwise still takes its id.
    InputError: a file that cannot be read on at all, or that holds no record, good or bad.
    """
    rows: Iterator[tuple[int, Mapping[str, Any]]]
    if format := format_of(path, columns):
        from unname.storage.formats import format_records  # no XML, no archives where nobody asks for them

        columns, rows = Columns(), format_records(path, format, faults)
    elif path.is_dir():
        columns, rows = Columns(), folder_records(path, faults)
    else:
        columns, rows = columns or Columns(), records(path, faults=faults)
    seen, found = Ids(), False
    for number, row in rows:
        document = _document(row, columns, number, faults, seen)
        if document is not None:
            found = True
            yield number, document
    if not found and not faults.count:
        raise InputError(f"{shown_name(path)}: holds no documents")


def read_documents(path: Path, columns: Columns | None = None) -> list[Document]:
    """All documents of a table, folder or corpus, validated whole before any is returned; faults: InputError."""
    faults = document_faults(path, columns)
    documents = [document for _, document in iter_documents(path, columns, faults=faults)]
    faults.raise_any()
    return documents


def format_of(path: Path, columns: Columns | None) -> str | None:
    """The format that a corpus is to be read in, None for our own tables and folders."""
    own = path.name.removesuffix(".gz").endswith((".jsonl", ".csv", ".parquet")) and not path.is_dir()
    return None if columns is None or own else columns.format


def document_faults(path: Path, columns: Columns | None, *, listed: bool = True) -> Faults:
    """Where faults of documents are gathered, with the right word for what their numbers count."""
    if format := format_of(path, columns):
        from unname.storage.formats import place_in

        return Faults(path, listed=listed, place=place_in(path, format))
    return Faults(path, listed=listed)


def _document(row: Mapping[str, Any], columns: Columns, number: int, faults: Faults, seen: Ids) -> Document | None:
    before = faults.count
    identifier = identifier_of(row, columns.id, number, faults, seen)
    texts = [_text(row, column, number, faults) for column in columns.text]
    person = _name(row, columns.person, number, faults)
    split = _name(row, columns.split, number, faults)
    rest = _metadata(row, columns, number, faults)
    if identifier is None or faults.count > before:
        return None
    text = "\n\n".join(texts)
    spans = spans_of(row, len(text), number, faults) if row.get("spans") not in (None, "") else ()
    return None if faults.count > before else Document(identifier, text, person, split, spans, rest)


def identifier_of(row: Mapping[str, Any], column: str, number: int, faults: Faults, seen: Ids) -> str | None:
    """A record's id: text or a whole number, and new; else a fault and None."""
    value = row.get(column)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        faults.add(number, column, "missing" if value is None or value == "" else "must be text or a whole number")
    elif problem := flaw(value):
        faults.add(number, column, problem)
    elif not seen.add(value):
        faults.add(number, column, "the same id occurs in an earlier record")
    else:
        return value
    return None


def _text(row: Mapping[str, Any], column: str, number: int, faults: Faults) -> str:
    value = row.get(column)
    if not isinstance(value, str):
        faults.add(number, column, "missing" if value is None else "must be text")
        return ""
    if problem := flaw(value):
        faults.add(number, column, problem)
    return value


def _name(row: Mapping[str, Any], column: str, number: int, faults: Faults) -> str | None:
    value = row.get(column)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        faults.add(number, column, "must be text or a whole number")
    elif isinstance(value, str) and (problem := flaw(value)):
        faults.add(number, column, problem)
    return str(value) if isinstance(value, str | int) else None


def _metadata(row: Mapping[str, Any], columns: Columns, number: int, faults: Faults) -> dict[str, str]:
    rest = {}
    for column, value in row.items():
        if column in columns:
            continue
        if problem := flaw(column) or (flaw(value) if isinstance(value, str) else None):
            faults.add(number, column, problem)
        elif isinstance(value, str | int | float | bool):
            rest[column] = str(value)
    return rest
