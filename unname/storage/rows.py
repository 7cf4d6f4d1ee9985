"""Rows of JSON, CSV, Excel and Parquet as mappings, one at a time; a bad row is noted and passed over where that can be."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.delimited import delimited_records, detected, require_header
from unname.storage.dialects import Dialect
from unname.storage.faults import TOO_LONG, Faults, shown_name
from unname.storage.jsonrows import json_objects, json_value, pair_row
from unname.storage.lines import beginning, numbered_lines
from unname.storage.parquet import parquet_records

__all__ = ["Record", "advice_for", "json_value", "records", "require_header"]

Record = tuple[int, Mapping[str, Any]]


# What people have in place of a table, and what to do about it.
_ELSEWHERE = {
    ".docx": "Word", ".doc": "Word", ".odt": "OpenDocument", ".rtf": "RTF", ".pdf": "PDF", ".xls": "old Excel",
    ".ods": "OpenDocument", ".xlsb": "binary Excel", ".sav": "SPSS", ".dta": "Stata", ".sas7bdat": "SAS", ".rds": "R",
    ".feather": "Feather", ".xml": "XML", ".html": "HTML", ".htm": "HTML", ".zip": "an archive",
    ".hl7": "HL7",
}  # fmt: skip
_AS_TEXT = frozenset([".docx", ".doc", ".odt", ".rtf", ".pdf", ".html", ".htm"])


def advice_for(ending: str) -> str:
    """Advice on a file that cannot be read here; empty where nothing is known of its kind."""
    kind = _ELSEWHERE.get(ending.lower())
    if kind is None:
        return ""
    if ending.lower() in _AS_TEXT:
        return f"{kind} files are not read: save each document as plain text (.txt), one file a document, in a folder"
    if ending.lower() in (".xml", ".zip", ".hl7"):
        return f"{kind} is read only with --format"
    return f"{kind} files are not read: save the table as .csv, .xlsx, .parquet, .json or .jsonl"


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
    if name.endswith((".jsonl", ".ndjson")):
        return _json_records(path, faults)
    if name.endswith(".json"):
        return _objects(json_objects(path), faults)
    if name.lower().endswith((".csv", ".tsv")):
        return delimited_records(path, faults, detected(path, dialect or Dialect()))
    if path.name.endswith(".parquet"):
        return parquet_records(path, faults)
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        from unname.storage.excel import excel_records  # for whoever has such a table

        return excel_records(path, faults)
    advice = advice_for(path.suffix) or (
        "unknown kind of file; expected .jsonl, .json, .csv, .tsv (or any with .gz), .xlsx, .parquet, for documents a folder "
        "of .txt, or an annotated corpus with its --format"
    )
    raise InputError(f"{shown_name(path)}: {advice}")


def _json_records(path: Path, faults: Faults) -> Iterator[Record]:
    start = beginning(path, _LOOKED_AT)
    for number, line in numbered_lines(path, returns=b"\r" in start and b"\n" not in start):
        if line is None:
            faults.add(number, "", TOO_LONG)
        elif line and not line.isspace():
            problem, row = json_value(line)
            row = pair_row(row) or row
            if isinstance(row, dict):
                yield number, row
            else:
                faults.add(number, "", problem or "not a JSON object")


_LOOKED_AT = 1 << 20


def _objects(values: Iterator[tuple[int, Any]], faults: Faults) -> Iterator[Record]:
    for number, value in values:
        row = pair_row(value) or value
        if isinstance(row, dict):
            yield number, row
        else:
            faults.add(number, "", "not a JSON object")
