"""Documents from a table, a folder or a corpus, checked one by one; every fault names record and field, not content."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import regex

from unname.errors import InputError, SettingsError
from unname.option import DOCUMENTS, group, option
from unname.storage.annotated import in_our_shape
from unname.storage.dialects import Dialect
from unname.storage.faults import LONGEST_FIELD_NAME, Faults, flaw, shown_name
from unname.storage.folders import folder_records
from unname.storage.ids import Ids
from unname.storage.jsonrows import at_path
from unname.storage.mojibake import is_garbled
from unname.storage.notices import counted, notice
from unname.storage.rows import Record, records
from unname.storage.spans import Borders, spans_of
from unname.types import Document, Span

_AGAIN = "the same id occurs in an earlier record"
_GARBLED = " (Ã¼ for ü): names written so may not be found in it; export it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names of the columns that hold a document's parts; several text columns are joined by a blank line.

    `format` is that of an annotated corpus (`unname.storage.formats`), which has no columns to name; our own tables are
    known by their endings whatever it says. `dialect` says how a CSV table or text files are written, where that is not
    to be told by a look. Where no column says whom a document is about, `persons` is a table that does (document id
    under `id`, person under `person`), or `person_pattern` a regular expression whose first group in the id, or all
    that it matches, is the person ("12_letter" by `^([0-9]+)_`).
    """

    GROUP: ClassVar[str] = DOCUMENTS
    id: str = option("id", "Column of document ids.", name="id_column")
    text: tuple[str, ...] = option(("text",), "Column of text; repeatable.", name="text_column", each=True)
    person: str = option("person", "Column of the person's id.", name="person_column")
    split: str = option("split", "Column of the split.", name="split_column", advanced=True)
    format: str | None = option(None, "Format of an annotated corpus, in a folder, archive or file.", kind="format")
    dialect: Dialect = group(Dialect)
    person_pattern: str | None = option(
        None, "Regular expression that finds the person's id in a document's id (a file's name): its first "
        "group, or all that it matches.",
        metavar="REGEX",
    )  # fmt: skip
    persons: Path | None = option(
        None,
        "Table that says whom each document is about (columns id and person), where no column of the documents does.",
        kind="file",
    )


def iter_documents(path: Path, columns: Columns | None = None, *, faults: Faults) -> Iterator[tuple[int, Document]]:
    """(record number from 1, document) of a table, a folder of `.txt` or a corpus, lazily; some 30 bytes an id are kept.

    A record with a fault is noted in `faults` and not yielded. It is for the caller to end, when all is read, with
    `faults.raise_any()`, or to go on without `faults.bad_records`. Of records with the same id the first is yielded and
    each later one is a fault; a record that is bad otherwise still takes its id.
    InputError: a file that cannot be read on at all, or that holds no record, good or bad.
    """
    columns = columns or Columns()
    # Columns by their own names, with what says whom a document is about.
    own = Columns(person_pattern=columns.person_pattern, persons=columns.persons)
    rows: Iterator[Record]
    if format := format_of(path, columns):
        from unname.storage.formats import format_records  # no XML, no archives where nobody asks for them

        columns, rows = own, format_records(path, format, faults)
    elif path.is_dir():
        columns, rows = own, folder_records(path, faults, columns.dialect.encoding, _detected_format)
    elif _is_fhir(path):
        raise InputError(f"{shown_name(path)}: holds FHIR resources: read them with --format fhir")
    else:
        asked = [columns.person] if columns.person != own.person else []
        options = {columns.id: "--id-column", columns.person: "--person-column"}
        rows = records(path, faults=faults, dialect=columns.dialect)
        if _is_json(path):
            rows = in_our_shape(rows, faults)
        rows = with_columns(path, rows, [columns.id, *columns.text, *asked], options)
    seen, any_read, about, garbled = Ids(), False, _about(columns), 0
    borders = None if format else Borders()
    for number, row in rows:
        document = _document(row, columns, number, faults, seen, borders)
        if document is not None:
            any_read = True
            garbled += is_garbled(document.text)
            yield number, document if document.person is not None else replace(document, person=about(document.id))
    if borders is not None and (wrong := borders.fault()):
        raise InputError(f"{shown_name(path)}: {wrong}")
    if garbled:
        what = "looks" if garbled == 1 else "look"
        notice(path, f"{counted(garbled, 'document')} {what} like UTF-8 that was read in another encoding{_GARBLED}")
    if not any_read and not faults.count:
        raise InputError(f"{shown_name(path)}: holds no documents")


def read_corpus(path: Path | str, format: str | None = None) -> list[Document]:
    """All documents of a corpus with their spans, validated whole before any is returned; faults: InputError.

    Without a format the names of the files tell it: XML, `.ann`, columns, JSON or `.box`; where they are of none of these
    it is one of our own tables or a folder of `.txt`, and where they are of several an InputError.
    """
    from unname.storage.formats import detect_format  # no XML, no archives where nobody asks for them

    path = Path(path)
    return read_documents(path, Columns(format=format or detect_format(path)))


def _detected_format(folder: Path) -> str | None:
    """The format that the names of a folder's files tell, if any."""
    from unname.storage.formats import detect_format  # no XML, no archives where nobody asks for them

    try:
        return detect_format(folder)
    except InputError:
        return None


def with_columns(
    path: Path,
    rows: Iterator[Record],
    names: Sequence[str],
    options: Mapping[str, str],
    needed: str = "a line of column names",
) -> Iterator[Record]:
    """The rows of a table that has columns of these names; where it has a header without them, an InputError.

    `options` are those by which each column is named, other than `--text-column`.
    """
    first = next(rows, None)
    if first is None:
        return
    missing = next((name for name in names if name not in first[1] and at_path(first[1], name) is None), None)
    if missing is not None and not _is_json(path):
        if _headless(first[1]):
            raise InputError(f"{shown_name(path)}: the first line looks like a record: a table needs {needed}")
        raise InputError(
            f"{shown_name(path)}: no column {missing!r}; columns: {shown_columns(first[1])} "
            f"({options.get(missing, '--text-column')} names another)"
        )
    yield first
    yield from rows


def _headless(row: Mapping[str, Any]) -> bool:
    """True if the row in place of column names looks like a record: it must not be shown."""

    def shape(value: str) -> str:
        return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", value))

    alike = [name for name, value in row.items() if re.search(r"\d", name) and shape(name) == shape(str(value))]
    return bool(alike) or any(len(name) > LONGEST_FIELD_NAME for name in row)


def shown_columns(names: Iterable[str]) -> str:
    """Names of columns as a message may show them: not too many, none too long."""
    row = [name if len(name) <= LONGEST_FIELD_NAME else f"{name[:LONGEST_FIELD_NAME]}…" for name in names]
    more = len(row) - _MOST_SHOWN
    return ", ".join(row[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "") if row else "none"


_MOST_SHOWN = 30
_PATTERN_S = 2.0


def _about(columns: Columns) -> Callable[[str], str | None]:
    """The person of a document by its id, where no column names one."""
    known = _persons(columns.persons) if columns.persons is not None else {}
    pattern = None
    if columns.person_pattern is not None:
        try:
            pattern = regex.compile(columns.person_pattern, regex.VERSION0)
        except (regex.error, OverflowError, RecursionError):
            raise SettingsError("person-pattern is not a valid regular expression") from None

    def about(identifier: str) -> str | None:
        if identifier in known:
            return known[identifier]
        try:
            match = pattern.search(identifier, timeout=_PATTERN_S) if pattern is not None else None
        except TimeoutError:
            raise SettingsError("person-pattern takes too long: write it without nested repetitions") from None
        return None if match is None else (match[1] if match.re.groups else match[0]) or None

    return about


def _persons(path: Path) -> dict[str, str]:
    """Person by document id, from a table with the columns `id` and `person`."""
    faults, persons, seen = Faults(path), {}, Ids()
    options = {"id": "--id-column", "person": "--person-column"}
    for number, row in with_columns(path, records(path, faults=faults), ["id", "person"], options):
        identifier, person = identifier_of(row, "id", number, faults, seen), _name(row, "person", number, faults)
        if identifier is not None and person is not None:
            persons[identifier] = person
    faults.raise_any()
    return persons


def read_documents(path: Path, columns: Columns | None = None) -> list[Document]:
    """All documents of a table, folder or corpus, validated whole before any is returned; faults: InputError."""
    faults = document_faults(path, columns)
    documents = [document for _, document in iter_documents(path, columns, faults=faults)]
    faults.raise_any()
    return documents


def format_of(path: Path, columns: Columns | None) -> str | None:
    """The format that a corpus is to be read in, None for our own tables and folders."""
    if columns is None or columns.format is None:
        return None
    own = path.name.removesuffix(".gz").endswith((".jsonl", ".csv", ".parquet", ".xlsx")) and not path.is_dir()
    return None if own and not (columns.format == "fhir" and _is_fhir(path)) else columns.format


def _is_json(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith((".json", ".jsonl", ".ndjson"))


def _is_fhir(path: Path) -> bool:
    if not _is_json(path):
        return False
    from unname.storage.formats.fhir import is_fhir  # for whoever has JSON

    return is_fhir(path)


def document_faults(path: Path, columns: Columns | None, *, listed: bool = True) -> Faults:
    """Faults of documents, with the right word for what their numbers count."""
    place = ""
    if format := format_of(path, columns):
        from unname.storage.formats import place_in

        place = place_in(path, format)
    return Faults(path, listed=listed, place=place)


def _document(
    row: Mapping[str, Any], columns: Columns, number: int, faults: Faults, seen: Ids, borders: Borders | None
) -> Document | None:
    before = faults.count
    identifier = identifier_of(row, columns.id, number, faults, seen)
    texts = [_text(row, column, number, faults) for column in columns.text]
    person = _name(row, columns.person, number, faults)
    split = _name(row, columns.split, number, faults)
    rest = _metadata(row, columns, number, faults)
    if identifier is None or faults.count > before:
        return None
    text = "\n\n".join(texts)
    spans: tuple[Span, ...] = ()
    if row.get("spans") not in (None, ""):
        spans = spans_of(row, text, number, faults, gold=borders is not None, borders=borders)
    return None if faults.count > before else Document(identifier, text, person, split, spans, rest)


def identifier_of(
    row: Mapping[str, Any], column: str, number: int, faults: Faults, seen: Ids, again: str = _AGAIN
) -> str | None:
    """A record's id: text or a whole number, and new; else a fault and None."""
    value = at_path(row, column)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        faults.add(number, column, "missing" if value is None or value == "" else "must be text or a whole number")
    elif problem := flaw(value):
        faults.add(number, column, problem)
    elif not seen.add(value):
        faults.add(number, column, again)
    else:
        return value
    return None


def _text(row: Mapping[str, Any], column: str, number: int, faults: Faults) -> str:
    value = at_path(row, column)
    if "." in column and column not in row and isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = "\n\n".join(value)
    if not isinstance(value, str):
        faults.add(number, column, "missing" if value is None else "must be text")
        return ""
    if problem := flaw(value):
        faults.add(number, column, problem)
    return value


def _name(row: Mapping[str, Any], column: str, number: int, faults: Faults) -> str | None:
    value = at_path(row, column)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        faults.add(number, column, "must be text or a whole number")
    elif isinstance(value, str) and (problem := flaw(value)):
        faults.add(number, column, problem)
    return str(value) if isinstance(value, str | int) else None


def _metadata(row: Mapping[str, Any], columns: Columns, number: int, faults: Faults) -> dict[str, str]:
    rest = {}
    named = {columns.id, *columns.text, columns.person, columns.split, "spans"}
    for column, value in row.items():
        if column in named:
            continue
        if problem := flaw(column) or (flaw(value) if isinstance(value, str) else None):
            faults.add(number, "metadata", problem)  # in JSON a key may be anything, also what must not be told
        elif isinstance(value, str | int | float | bool):
            rest[column] = str(value)
    return rest
