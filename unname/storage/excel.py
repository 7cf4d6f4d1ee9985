"""Rows of the first sheet of an Excel workbook, one at a time; what a cell shows is its value, never a formula."""

import datetime
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.faults import Faults, shown_name
from unname.storage.rows import Record, require_header

# A workbook is an archive: what it may unpack to, and how many times its size.
MOST_BYTES, MOST_RATIO = 2 << 30, 200
_SMALL = 64 << 20


def excel_records(path: Path, faults: Faults) -> Iterator[Record]:
    """(row number from 1 below the header, {column: value}) of an `.xlsx`; empty rows are passed over.

    Dates become ISO 8601 text, whole numbers stay such. InputError: no workbook, a damaged one, one that unpacks to far
    more than its size, or columns without or with the same names.
    """
    from openpyxl import load_workbook  # a quarter of a second

    try:
        _require_modest(path)
        book = load_workbook(path, read_only=True, data_only=True)
        rows = book.worksheets[0].iter_rows(values_only=True)
        names: list[str] = []
        number = 0
        for cells in rows:
            if all(cell is None or cell == "" for cell in cells):
                continue
            if not names:
                names = _header(path, cells)
                continue
            number += 1
            if any(cell not in (None, "") for cell in cells[len(names) :]):
                faults.add(number, "", "has values beyond the columns that the header names")
            else:
                yield number, {name: _plain(cell) for name, cell in zip(names, cells, strict=False)}
    except InputError:
        raise
    except Exception:  # whatever a reader of hostile XML raises, and it may quote content
        raise InputError(f"{shown_name(path)}: not an Excel workbook, or a damaged one") from None


def _header(path: Path, cells: tuple[Any, ...]) -> list[str]:
    names = [str(_plain(cell) or "").strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    if any(not name for name in names):
        raise InputError(f"{shown_name(path)}: a column has no name in the first row")
    require_header(path, names)
    return names


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _require_modest(path: Path) -> None:
    """InputError where what the archive claims to hold is beyond what such a table may be."""
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        packed = sum(entry.compress_size for entry in archive.infolist())
    if size > MOST_BYTES or (size > _SMALL and size > MOST_RATIO * max(packed, 1)):
        raise InputError(f"{shown_name(path)}: unpacks to {size >> 20} MiB, more than a table may")
