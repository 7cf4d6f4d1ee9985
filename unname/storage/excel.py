"""Rows of one sheet of an Excel workbook, one at a time; what a cell shows is its value, never a formula.

The sheet is read whole: what it states of its own range is not believed, and a cell or row may lack its coordinates. Each
cell of a merged range has the value of the range. An error (#N/A, #REF!) is an empty cell. What was read so is said.
"""

import datetime
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.births import is_of_births
from unname.storage.faults import Faults, shown_name
from unname.storage.notices import counted, notice
from unname.storage.rows import Record, require_header

# A workbook is an archive: what it may unpack to, and how many times its size.
MOST_BYTES, MOST_RATIO = 2 << 30, 200
MOST_MERGED = 100_000
_SMALL = 64 << 20
_BLOCK, _OVERLAP, _ROWS_AT_ONCE = 1 << 20, 1 << 14, 256
_MERGED = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^>]{0,200}?ref\s?=\s?[\"']([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})[\"']", re.ASCII
)
# A formula that no program has ever calculated: nothing stands in place of its value. An empty text has its type.
_UNCALCULATED = re.compile(
    rb"<(\w{1,20}:)?c(\s[^>]{0,200})?>\s{0,20}<(?:\w{1,20}:)?f(?:\s[^>]{0,200})?(?:/>|>[^<]{0,9000}</(?:\w{1,20}:)?f\s?>)"
    rb"\s{0,20}(?:<(?:\w{1,20}:)?v\s?(?:/>|></(?:\w{1,20}:)?v\s?>)\s{0,20})?</(?:\w{1,20}:)?c\s?>",
    re.ASCII,
)
_TEXT_CELL = re.compile(rb"\st\s?=\s?[\"']str[\"']")
# Formats of numbers that have leading zeros, such as 0000000 or 000-00-0000.
_FILLED = re.compile(r'0(?:0|\\?[ -]|"[ -]")*0')
_FIRST_OF_1904, _LAST_DAY = datetime.date(1904, 1, 1), 71_600
Cell = dict[str, Any]


def excel_records(path: Path, faults: Faults) -> Iterator[Record]:
    """(row number from 1 below the header, {column: value}) of an `.xlsx`; empty rows are passed over.

    Of several sheets the first that is not hidden is read, and the others are named. Dates become ISO 8601 text, whole
    numbers stay such. InputError: no workbook, a damaged one, one that unpacks to far more than its size, formulas that
    were never calculated, or columns without or with the same names.
    """
    try:
        yield from _records(path, faults)
    except InputError:
        raise
    except Exception:  # whatever a reader of hostile XML raises, and it may quote content
        raise InputError(f"{shown_name(path)}: not an Excel workbook, or a damaged one") from None


def _records(path: Path, faults: Faults) -> Iterator[Record]:
    sheet = _Sheet(path)
    names, born = list[str](), list[int]()
    number, errors = 0, Counter[str]()
    for cells in _quietly(sheet.rows()):
        if all(_is_blank(cell["value"]) for cell in cells.values()):
            continue
        if not names:
            names = _header(path, [sheet.plain(cells[place]) if place in cells else "" for place in _columns(cells)])
            born = [at for at, name in enumerate(names, start=1) if sheet.counts_from_1904 and is_of_births(name)]
            continue
        number += 1
        if any(not _is_blank(cell["value"]) for place, cell in cells.items() if place > len(names)):
            faults.add(number, "", "has values beyond the columns that the header names")
            continue
        for at in born:
            if at in cells:
                cells[at]["value"] = _from_1904(cells[at]["value"])
        row = {name: sheet.plain(cells[at]) if at in cells else None for at, name in enumerate(names, start=1)}
        for at, cell in cells.items():
            if cell["data_type"] == "e" and at <= len(names):
                row[names[at - 1]] = ""
                errors[names[at - 1]] += 1
        yield number, row
    if errors:
        held = ", ".join(f"{name!r} ({many})" for name, many in errors.most_common(9))
        notice(path, f"{counted(errors.total(), 'cell')} with an error such as #N/A, read as empty, in {held}")


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _columns(cells: dict[int, Cell]) -> range:
    return range(1, max(cells) + 1)


def _quietly(rows: Iterator[dict[int, Cell]]) -> Iterator[dict[int, Cell]]:
    """The same rows without the reader's warnings, which quote cells."""
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            some = list(islice(rows, _ROWS_AT_ONCE))
        yield from some
        if len(some) < _ROWS_AT_ONCE:
            return


class _Sheet:
    """The sheet of a workbook that is read: its rows as they come, and what its cells show."""

    def __init__(self, path: Path) -> None:
        from openpyxl.reader.excel import ExcelReader  # a quarter of a second

        _require_modest(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader: Any = ExcelReader(path, read_only=True, data_only=True, keep_links=False)
            reader.read_chartsheet = lambda *_: None  # a sheet that is a chart holds no cells, and may lack its drawing
            reader.read()
            self._book: Any = reader.wb
        sheets = self._book.worksheets
        chosen = next((place for place, sheet in enumerate(sheets) if sheet.sheet_state == "visible"), 0)
        self._sheet = sheets[chosen]
        self._filled: dict[int, str] = {}
        if len(sheets) > 1:
            which = " (the first that is not hidden)" if chosen else ""
            others = "the other is not" if len(sheets) == 2 else f"the other {len(sheets) - 1} are not"
            notice(
                path, f"sheet {chosen + 1} of {len(sheets)}{which} is read, {others}; save each as a file of its own"
            )
        self._merged, uncalculated = self._scanned(path)
        if uncalculated:
            raise InputError(
                f"{shown_name(path)}: {counted(uncalculated, 'formula')} without a value, as no program has calculated them: "
                "open the workbook in one and save it, or save it as .csv"
            )
        if self._merged:
            notice(path, f"each cell of {counted(len(self._merged), 'merged range')} is read with the range's value")

    @property
    def counts_from_1904(self) -> bool:
        """True if the workbook's days are counted from 1904, as programs of the Macintosh did."""
        return bool(self._book.epoch.year == 1904)

    def _scanned(self, path: Path) -> tuple[list[tuple[int, int, int, int]], int]:
        """Merged ranges as (first column, first row, last column, last row), and how many formulas have no value."""
        from openpyxl.utils import range_boundaries

        ranges: set[bytes] = set()
        places: set[int] = set()
        at, kept = 0, b""
        with self._sheet._get_source() as source:
            while block := source.read(_BLOCK):
                block = kept + block
                ranges.update(found[1] for found in _MERGED.finditer(block))
                places.update(
                    at + found.start()
                    for found in _UNCALCULATED.finditer(block)
                    if not _TEXT_CELL.search(found[2] or b"")
                )
                kept = block[-_OVERLAP:]
                at += len(block) - len(kept)
        if len(ranges) > MOST_MERGED:
            raise InputError(f"{shown_name(path)}: more than {MOST_MERGED} merged ranges, more than a table may have")
        return sorted(range_boundaries(each.decode()) for each in ranges), len(places)

    def rows(self) -> Iterator[dict[int, Cell]]:
        """Cells by column, from 1, of each row that the sheet holds; a merged range has its value in each cell."""
        from openpyxl.worksheet._reader import WorkSheetParser

        book = self._book
        open_ranges: list[tuple[int, int, int, Cell]] = []
        widest = 0
        waiting = sorted(self._merged, key=lambda each: each[1], reverse=True)
        with self._sheet._get_source() as source:
            # The reader itself, and not the rows it makes of it: those end where the sheet says that it ends.
            parser = WorkSheetParser(
                source, self._sheet._shared_strings, data_only=True, epoch=book.epoch,
                date_formats=book._date_formats, timedelta_formats=book._timedelta_formats,
            )  # fmt: skip
            for number, row in parser.parse():
                cells: dict[int, Cell] = {cell["column"]: cell for cell in row}
                widest = max(widest, *cells, 0)
                open_ranges = [each for each in open_ranges if each[2] >= number]
                while waiting and waiting[-1][1] <= number:
                    left, _, right, bottom = waiting.pop()
                    if left in cells and bottom >= number and len(open_ranges) <= widest:  # ranges do not overlap
                        open_ranges.append((left, right, bottom, cells[left]))
                own = any(cell["value"] not in (None, "") for cell in row)
                for column, cell in (
                    (column, cell)
                    for left, right, _, cell in open_ranges
                    if own
                    for column in range(left, min(right, widest) + 1)
                ):
                    if cells.get(column, _NOTHING)["value"] is None:
                        cells[column] = cell
                yield cells

    def plain(self, cell: Cell) -> Any:
        """The value that a cell shows, as plain text, number or nothing."""
        value, style = cell["value"], cell["style_id"]
        if style and type(value) is int and value >= 0:
            if style not in self._filled:
                format = self._book._number_formats, self._book._cell_styles[style].numFmtId
                self._filled[style] = _zeros(*format)
            if pattern := self._filled[style]:
                return _with_zeros(value, pattern)
        return _plain(value)


_NOTHING: Cell = {"value": None}


def _from_1904(value: Any) -> Any:
    """A number of days without the format of a date as the day that it is; anything else as it stands."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= _LAST_DAY:
        return value
    return _FIRST_OF_1904 + datetime.timedelta(days=int(value))


def _zeros(formats: Sequence[str], number: int) -> str:
    """A number's format as 0 and what stands between, where it is one with leading zeros; else nothing."""
    custom = number - 164
    name = formats[custom] if 0 <= custom < len(formats) else ""
    return name.replace("\\", "").replace('"', "") if len(name) < 100 and _FILLED.fullmatch(name) else ""


def _with_zeros(value: int, pattern: str) -> str:
    digits = list(str(value).zfill(pattern.count("0")))
    shown = "".join(digits.pop() if sign == "0" else sign for sign in reversed(pattern))[::-1]
    return "".join(digits) + shown


def _header(path: Path, cells: Sequence[Any]) -> list[str]:
    names = [("" if cell is None else str(cell)).strip() for cell in cells]
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
    if isinstance(value, float):
        # Fifteen digits are what Excel keeps; the rest is how a binary fraction is written.
        value = float(f"{value:.15g}")
        return int(value) if value.is_integer() else value
    return value if isinstance(value, str | int) or value is None else str(value)


def _require_modest(path: Path) -> None:
    """InputError where what the archive claims to hold is beyond what such a table may be."""
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        packed = sum(entry.compress_size for entry in archive.infolist())
    if size > MOST_BYTES or (size > _SMALL and size > MOST_RATIO * max(packed, 1)):
        raise InputError(f"{shown_name(path)}: unpacks to {size >> 20} MiB, more than a table may")
