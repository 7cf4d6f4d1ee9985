"""Documents, people and triples from JSONL and CSV, plain or gzipped; every fault names record and field, not content."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.files import write_atomically
from unname.types import Document, Profile, Span

MOST_FAULTS = 20
_HALF = "holds half a surrogate pair, which is no character"
Record = tuple[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names of the columns that hold a document's parts; several text columns are joined by a blank line."""

    id: str = "id"
    text: tuple[str, ...] = ("text",)
    person: str = "person"
    split: str = "split"


class Faults:
    """Collects what is wrong with a file, so that a user sees many faults at once."""

    def __init__(self, file: Path) -> None:
        self._file = file.name
        self._messages: list[str] = []

    def add(self, record: int, field: str, problem: str) -> None:
        """Note one fault by record number (from 1) and field name."""
        self._messages.append(f"{self._file}: record {record}: field {field!r}: {problem}")

    def raise_any(self) -> None:
        """Raise one InputError with everything that was noted, if anything was."""
        if self._messages:
            shown = self._messages[:MOST_FAULTS]
            more = len(self._messages) - len(shown)
            raise InputError("\n".join(shown + ([f"… and {more} more"] if more else [])))


def _lines(path: Path) -> Iterator[str]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rb") as stream:
            for number, line in enumerate(io.BufferedReader(stream), start=1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: line {number}: not UTF-8") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{path.name}: damaged or incomplete gzip data after line {number}") from None
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read: {error.strerror}") from None


def _json_records(path: Path) -> Iterator[Record]:
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{path.name}: record {number}: not valid JSON") from None
        if not isinstance(row, dict):
            raise InputError(f"{path.name}: record {number}: not a JSON object")
        yield number, row


def _csv_records(path: Path) -> Iterator[Record]:
    csv.field_size_limit(1 << 30)
    reader = csv.DictReader(_lines(path), strict=True)
    number = 0
    try:
        names = reader.fieldnames or []
        if len(set(names)) != len(names):
            raise InputError(f"{path.name}: two columns have the same name")
        for number, row in enumerate(reader, start=1):
            if None in row or None in row.values():
                raise InputError(f"{path.name}: record {number}: not as many fields as the header has")
            yield number, row
    except csv.Error:
        raise InputError(f"{path.name}: record {number + 1}: not valid CSV") from None


def records(path: Path) -> Iterator[Record]:
    """Rows of a table as (record number from 1, mapping), by the file's ending."""
    if not path.is_file():
        raise InputError(f"{path.name}: no such file")
    name = path.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        return _json_records(path)
    if name.endswith(".csv"):
        return _csv_records(path)
    raise InputError(f"{path.name}: unknown kind of file; expected .jsonl, .jsonl.gz, .csv or .csv.gz")


def _identifier(row: Mapping[str, Any], column: str, number: int, faults: Faults, seen: set[str]) -> str | None:
    value = row.get(column)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        faults.add(number, column, "missing" if value is None or value == "" else "must be text or a whole number")
    elif not _encodable(value):
        faults.add(number, column, _HALF)
    elif value in seen:
        faults.add(number, column, "the same id occurs in an earlier record")
    else:
        seen.add(value)
        return value
    return None


def _encodable(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _spans(row: Mapping[str, Any], length: int, number: int, faults: Faults) -> tuple[Span, ...]:
    found = []
    raw = row.get("spans") or ()
    if isinstance(raw, str | Mapping) or not isinstance(raw, Sequence):
        faults.add(number, "spans", "must be a list")
        return ()
    for span in raw:
        start, end = (span.get("start"), span.get("end")) if isinstance(span, Mapping) else (None, None)
        if type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
            faults.add(number, "spans", "start and end must be offsets within the text")
            return ()
        said = [str(span.get(key) or "") for key in ("label", "kind", "entity")]
        if not all(map(_encodable, said)):
            faults.add(number, "spans", _HALF)
            return ()
        found.append(Span(start, end, *said))
    return tuple(sorted(found))


def read_documents(path: Path, columns: Columns | None = None) -> list[Document]:
    """All documents of a JSONL or CSV table, validated whole before any is returned; faults raise InputError."""
    columns = columns or Columns()
    faults, seen, documents = Faults(path), set[str](), []
    known = {columns.id, *columns.text, columns.person, columns.split, "spans"}
    for number, row in records(path):
        identifier = _identifier(row, columns.id, number, faults, seen)
        texts = [row.get(column) for column in columns.text]
        for column, value in zip(columns.text, texts, strict=True):
            if not isinstance(value, str):
                faults.add(number, column, "missing" if value is None else "must be text")
            elif not _encodable(value):
                faults.add(number, column, _HALF)
        for column in (columns.person, columns.split):
            value = row.get(column)
            if isinstance(value, bool) or not isinstance(value, str | int | None):
                faults.add(number, column, "must be text or a whole number")
            elif isinstance(value, str) and not _encodable(value):
                faults.add(number, column, _HALF)
        for column, value in row.items():
            if column not in known and not (_encodable(column) and _encodable(str(value))):
                faults.add(number, column.encode(errors="replace").decode(), _HALF)
        if identifier is None or not all(isinstance(value, str) and _encodable(value) for value in texts):
            continue
        text = "\n\n".join(str(value) for value in texts)
        person, split = (None if row.get(c) in (None, "") else str(row[c]) for c in (columns.person, columns.split))
        rest = {k: str(v) for k, v in row.items() if k not in known and isinstance(v, str | int | float | bool)}
        documents.append(Document(identifier, text, person, split, _spans(row, len(text), number, faults), rest))
    faults.raise_any()
    if not documents:
        raise InputError(f"{path.name}: holds no documents")
    return documents


def _field_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return " | ".join(str(item) for item in value)
    return None


def read_profiles(path: Path, *, id_column: str = "id") -> list[Profile]:
    """All profiles of a JSONL (`{"id", "fields"}` or flat) or CSV table; empty fields are left out."""
    faults, seen, profiles = Faults(path), set[str](), []
    for number, row in records(path):
        identifier = _identifier(row, id_column, number, faults, seen)
        raw = row["fields"] if "fields" in row else {k: v for k, v in row.items() if k != id_column}
        if not isinstance(raw, Mapping):
            faults.add(number, "fields", "must be an object of field names and values")
            continue
        fields: dict[str, str] = {}
        for name, value in raw.items():
            text = _field_text(value)
            if value in (None, "", []):
                continue
            if text is None:
                faults.add(number, name, "must be text, a number or a list of these")
            elif not _encodable(name) or not _encodable(text):
                faults.add(number, name, _HALF)
            else:
                fields[name] = text
        if identifier is not None:
            profiles.append(Profile(identifier, fields))
    faults.raise_any()
    if not profiles:
        raise InputError(f"{path.name}: holds no profiles")
    return profiles


def read_triples(path: Path) -> list[tuple[str, str, str]]:
    """(person, relation, value) triples of a tab-separated file, plain or gzipped."""
    if not path.is_file():
        raise InputError(f"{path.name}: no such file")
    triples = []
    for number, line in enumerate(_lines(path), start=1):
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != 3 or not all(cells):
            raise InputError(f"{path.name}: record {number}: expected person, relation and value, parted by tabs")
        triples.append((cells[0], cells[1], cells[2]))
    return triples


def read_lines(path: Path) -> list[str]:
    """Non-empty lines of a UTF-8 text file, without their ends; lines that start with # are comments."""
    if not path.is_file():
        raise InputError(f"{path.name}: no such file")
    return [line.strip() for line in _lines(path) if line.strip() and not line.lstrip().startswith("#")]


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]], *, private: bool = False) -> None:
    """Write rows as JSON lines, atomically."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    write_atomically(path, "".join(lines).encode(), private=private)


def write_json(path: Path, value: Mapping[str, Any], *, private: bool = False) -> None:
    """Write one JSON object, indented, atomically."""
    content = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=False) + "\n"
    write_atomically(path, content.encode(), private=private)
