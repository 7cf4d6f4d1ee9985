"""Excel workbooks are read whole, whatever they state of themselves, and what was taken for empty is said."""

import datetime
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from unname.errors import InputError
from unname.storage.documents import read_documents
from unname.storage.people import read_profiles
from unname.storage.rows import records

CANARY = "Canarybird"


def written(path: Path, *rows: Sequence[Any], change: Callable[[Any], None] = lambda book: None) -> Path:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    change(book)
    book.save(path)
    return path


def rewritten(path: Path, change: Callable[[bytes], bytes]) -> Path:
    """The same workbook with the XML of its first sheet changed."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, change(content) if name.endswith("sheet1.xml") else content)
    return path


def rows_of(path: Path) -> list[Mapping[str, Any]]:
    return [row for _, row in records(path)]


PEOPLE = (["id", "town", "name", "mrn"], ["p1", "York", "Abel", 7001], ["p2", "Hull", "Cole", 7002])
READ = [
    {"id": "p1", "town": "York", "name": "Abel", "mrn": 7001}, {"id": "p2", "town": "Hull", "name": "Cole", "mrn": 7002},
]  # fmt: skip


@pytest.mark.parametrize("stated", ["A1", "A1:B2", "A1:D2", "A1:B3", "C2:C2", "A1:XFD1048576"])
def test_a_sheet_is_read_whole_whatever_range_it_states(stated: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", *PEOPLE)
    rewritten(path, lambda xml: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="%s"' % stated.encode(), xml))
    assert rows_of(path) == READ


@pytest.mark.parametrize(
    "without", [rb' r="[A-Z]+[0-9]+"', rb' r="[0-9]+"', rb' r="[A-Z]*[0-9]+"', rb"<dimension[^>]*>"]
)
def test_cells_and_rows_need_no_coordinates(without: bytes, tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", *PEOPLE)
    assert rows_of(rewritten(path, lambda xml: re.sub(without, b"", xml))) == READ


def test_rows_and_cells_out_of_order_are_not_lost(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", *PEOPLE)

    def turned(xml: bytes) -> bytes:
        first, second = re.findall(rb"<row r=\"[23]\".*?</row>", xml)
        cells = re.findall(rb"<c .*?</c>", first)
        swapped = first.replace(b"".join(cells), b"".join(reversed(cells)))
        return xml.replace(first + second, second + swapped)

    assert rows_of(rewritten(path, turned)) == READ[::-1]


def test_errors_are_empty_and_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(
        tmp_path / "a.xlsx", ["id", "text", "person"], [1, "x", "p1"], [2, "#REF!", "p2"], [3, "#N/A", "#N/A"]
    )
    assert [(d.id, d.text, d.person) for d in read_documents(path)] == [
        ("1", "x", "p1"),
        ("2", "", "p2"),
        ("3", "", None),
    ]
    assert "a.xlsx: 3 cells with an error such as #N/A, read as empty, in 'text' (2), 'person' (1)" in caplog.text


def test_each_row_of_a_merged_range_has_its_value(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = ["id", "name", "town"], ["p1", "Abel", "York"], ["p2", None, "Hull"], ["p3", "Cole", None]
    path = written(tmp_path / "a.xlsx", *rows, change=lambda book: book.active.merge_cells("B2:B3"))
    assert [row["name"] for row in rows_of(path)] == ["Abel", "Abel", "Cole"]
    assert "1 merged range" in caplog.text


def test_the_first_sheet_that_is_not_hidden_is_read_and_the_others_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def three(book: Any) -> None:
        book.active.sheet_state = "hidden"
        for name in (CANARY, "Other"):
            book.create_sheet(name).append(["id", "name"])
        book.worksheets[1].append(["p9", "Abel"])
        book.active = 1

    path = written(tmp_path / "a.xlsx", ["id", "name"], ["p1", "Cole"], change=three)
    assert [p.id for p in read_profiles(path)] == ["p9"]
    assert "sheet 2 of 3 (the first that is not hidden) is read" in caplog.text and CANARY not in caplog.text


def test_numbers_are_read_as_they_are_shown(tmp_path: Path) -> None:
    def formats(book: Any) -> None:
        for cell, format in {
            "A2": "0000000",
            "B2": "000\\-00\\-0000",
            "C2": "0.00",
            "D2": "#,##0",
            "E2": '00"-"000',
        }.items():
            book.active[cell].number_format = format

    row = [1234, 12345678, 0.1 + 0.2, 7055433.0, 123]
    path = written(tmp_path / "a.xlsx", list("abcde"), row, change=formats)
    assert rows_of(path) == [{"a": "0001234", "b": "012-34-5678", "c": 0.3, "d": 7055433, "e": "00-123"}]


def test_days_are_those_of_the_workbooks_own_calendar(tmp_path: Path) -> None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    day = datetime.date(1984, 8, 2)
    path = written(tmp_path / "a.xlsx", ["id"], change=lambda book: setattr(book, "epoch", CALENDAR_MAC_1904))
    assert rows_of(path) == []

    def old(book: Any) -> None:
        book.epoch = CALENDAR_MAC_1904
        book.active.append(["id", "born"])
        book.active.append([1, day])

    assert rows_of(written(tmp_path / "b.xlsx", change=old)) == [{"id": 1, "born": "1984-08-02"}]


def test_a_number_of_days_since_1904_is_the_day_of_birth_that_it_is(tmp_path: Path) -> None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    def old(book: Any) -> None:
        book.epoch = CALENDAR_MAC_1904

    rows = ["id", "birth_date", "mrn"], [1, 29434, 29434], [2, 29434.5, 29434], [3, "unknown", None], [4, True, 0]
    path = written(tmp_path / "a.xlsx", *rows, change=old)
    assert [row["birth_date"] for row in rows_of(path)] == ["1984-08-02", "1984-08-02", "unknown", True]
    assert [row["mrn"] for row in rows_of(path)] == [29434, 29434, None, 0]
    assert rows_of(written(tmp_path / "b.xlsx", *rows))[0]["birth_date"] == 29434


def test_elements_may_have_a_prefix_and_attributes_single_quotes(tmp_path: Path) -> None:
    def prefixed(xml: bytes) -> bytes:
        xml = re.sub(rb"<(/?)(\w)", rb"<\1x:\2", xml).replace(b"xmlns=", b"xmlns:x=")
        return re.sub(rb'ref="([A-Z0-9:]+)"', rb"ref='\1'", xml)

    path = written(tmp_path / "a.xlsx", ["id", "name"], ["p1", '="Abel"'], ["p2", '=A1&"x"'])
    with pytest.raises(InputError, match="2 formulas without a value"):
        read_profiles(rewritten(path, prefixed))
    rows = ["id", "name"], ["p1", "Abel"], ["p2", None]
    path = written(tmp_path / "b.xlsx", *rows, change=lambda book: book.active.merge_cells("B2:B3"))
    assert [row["name"] for row in rows_of(rewritten(path, prefixed))] == ["Abel", "Abel"]


def test_a_sheet_that_is_a_chart_is_none_of_the_sheets(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", *PEOPLE, change=lambda book: book.create_chartsheet("Chart", 0))
    assert rows_of(path) == READ


def test_a_day_that_is_none_is_an_error_cell_and_never_quoted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    def far(book: Any) -> None:
        book.active["B2"].number_format = "yyyy-mm-dd"

    assert rows_of(written(tmp_path / "a.xlsx", ["id", "born"], [1, 9876543210], change=far)) == [{"id": 1, "born": ""}]
    assert "1 cell with an error" in caplog.text
    assert not any("9876543210" in str(each.message) for each in recwarn.list)


def test_formulas_that_nobody_calculated_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", ["id", "name"], ["p1", '=A1&"x"'], ["p2", "=A2"])
    with pytest.raises(InputError, match="2 formulas without a value"):
        read_profiles(path)
    rewritten(path, lambda xml: re.sub(rb"<v\s*/>|<v></v>", b"<v>7</v>", xml))
    assert [p.fields for p in read_profiles(path)] == [{"name": "7"}, {"name": "7"}]


def test_empty_rows_behind_the_table_are_no_records(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xlsx", *PEOPLE, [], ["", None, ""], [None] * 9, [None, " "], [""] * 4 + [" "])
    assert rows_of(path) == READ
