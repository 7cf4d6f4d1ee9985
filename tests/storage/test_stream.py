"""Streaming: documents come one by one, bad records are passed over and told by number, ids take few bytes."""

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage import delimited as delimited_module
from unname.storage import faults as faults_module
from unname.storage import ids as ids_module
from unname.storage import lines as lines_module
from unname.storage.documents import Columns, iter_documents, read_documents
from unname.storage.faults import Faults
from unname.storage.ids import Ids
from unname.storage.people import iter_profiles
from unname.storage.rows import records

CANARY = "Canarybird"


def jsonl(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


MIXED = b"\n".join(
    [
        b'{"id": "a", "text": "one"}',
        b'{"id": "b", "text": "Canarybird"',
        b"",
        b'["Canarybird"]',
        b'{"id": "c", "text": "two"}',
        b'{"id": "d", "text": "Canarybird \xff"}',
        b'{"id": "a", "text": "Canarybird"}',
        b'{"id": "e", "text": 5, "person": ["Canarybird"]}',
        b'{"id": "f", "text": "three"}',
    ]
)
MIXED_BAD = [
    (2, "", "not valid JSON"), (3, "", "not a JSON object"), (5, "", "not UTF-8"),
    (6, "id", "the same id occurs in an earlier record"), (7, "text", "must be text"),
]  # fmt: skip


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_bad_records_are_passed_over_and_told_by_number(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("notes.jsonl.gz" if packed else "notes.jsonl")
    path.write_bytes(gzip.compress(MIXED) if packed else MIXED)
    faults = Faults(path)
    read = [(number, d.id, d.text) for number, d in iter_documents(path, faults=faults)]
    assert read == [(1, "a", "one"), (4, "c", "two"), (8, "f", "three")]
    assert faults.bad_records == MIXED_BAD and faults.count == 6
    with pytest.raises(InputError, match="record 7: field 'person'") as caught:
        faults.raise_any()
    assert CANARY not in str(caught.value) and CANARY not in repr(faults)


def test_without_going_on_the_same_records_end_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(MIXED)
    with pytest.raises(InputError) as caught:
        read_documents(path)
    for number, _, problem in MIXED_BAD:
        assert f"record {number}:" in str(caught.value) and problem in str(caught.value)
    with pytest.raises(InputError, match="record 2: not valid JSON"):
        list(records(path))


def test_a_document_whose_spans_are_bad_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl({"id": "1", "text": "x", "spans": [{"start": 0, "end": 9}]}, {"id": "2", "text": "y"}))
    faults = Faults(path)
    assert [number for number, _ in iter_documents(path, faults=faults)] == [2]
    assert [bad[:2] for bad in faults.bad_records] == [(1, "spans")]


def test_bad_csv_rows_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(b'id,text\na,one\nb\nc,"two\nlines"\nd,Canarybird \xff\ne,\0Canarybird\nf,three\n')
    faults = Faults(path)
    assert [(n, d.text) for n, d in iter_documents(path, faults=faults)] == [
        (1, "one"),
        (3, "two\nlines"),
        (6, "three"),
    ]
    assert faults.bad_records == [
        (2, "", "not as many fields as the header has"), (4, "", "not UTF-8"), (5, "text", "holds a NUL character")
    ]  # fmt: skip


def test_bad_profiles_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.write_bytes(jsonl({"id": "1", "fields": [CANARY]}, {"id": "2", "town": "York"}, {"id": "2", "town": CANARY}))
    faults = Faults(path)
    assert [(n, p.fields) for n, p in iter_profiles(path, faults=faults)] == [(2, {"town": "York"})]
    assert [bad[:2] for bad in faults.bad_records] == [(1, "fields"), (3, "id")]


def test_a_file_of_bad_records_alone_is_not_called_empty(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"null\n")
    faults = Faults(path)
    assert list(iter_documents(path, faults=faults)) == [] and len(faults.bad_records) == 1
    path.write_bytes(b"")
    with pytest.raises(InputError, match="holds no documents"):
        list(iter_documents(path, faults=Faults(path)))


def test_documents_come_before_the_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl.gz"
    many = jsonl(*({"id": str(i), "text": "one " * 1000} for i in range(1000)))
    packed = gzip.compress(many) + gzip.compress(jsonl({"id": "x", "text": CANARY * 1000}))
    path.write_bytes(packed[:-20])
    stream = iter_documents(path, faults=Faults(path))
    assert isinstance(stream, Iterator) and next(stream)[0] == 1
    with pytest.raises(InputError, match=r"gzip data after record \d+"):
        list(stream)


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "LONGEST_RECORD", 100)
    path = tmp_path / "notes.jsonl"
    just = b'{"id": "1", "text": "' + b"x" * 76 + b'"}\n'
    assert len(just) == 100
    path.write_bytes(just + just.replace(b"x", b"xx", 1) + jsonl({"id": "3", "text": "fine"}) + b"y" * 500)
    faults = Faults(path)
    assert [n for n, _ in iter_documents(path, faults=faults)] == [1, 3]
    assert [(n, problem) for n, _, problem in faults.bad_records] == [
        (2, "longer than 64 MiB"),
        (4, "longer than 64 MiB"),
    ]
    monkeypatch.setattr(lines_module, "LONGEST_PASSED_OVER", 300)
    monkeypatch.setattr(lines_module, "_BLOCK", 50)
    with pytest.raises(InputError, match="record 4: longer than 64 MiB, without an end"):
        list(iter_documents(path, faults=Faults(path)))


def test_a_csv_record_that_is_too_long_ends_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited_module, "LONGEST_RECORD", 100)
    path = tmp_path / "notes.csv"
    rows = b"".join(b'%d,"%s\n%s"\n' % (i, b"x" * 40, b"y" * 40) for i in range(5))
    path.write_bytes(b"id,text\n" + rows)
    assert len(read_documents(path)) == 5
    path.write_bytes(b"id,text\n" + rows + b'6,"Canary' + b"bird\n" * 30)
    with pytest.raises(InputError, match="record 6: longer than 64 MiB; is a quote left open") as caught:
        list(iter_documents(path, faults=Faults(path)))
    assert CANARY not in str(caught.value)


def test_endless_bad_records_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults_module, "MOST_BAD_RECORDS", 10)
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"1\n" * 10 + jsonl({"id": "1", "text": "x"}))
    faults = Faults(path)
    assert len(list(iter_documents(path, faults=faults))) == 1 and len(faults.bad_records) == 10
    path.write_bytes(b"1\n" * 11)
    with pytest.raises(InputError, match="more than 10 bad records"):
        list(iter_documents(path, faults=Faults(path)))


def test_a_field_name_in_a_fault_is_short_and_printable(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl({"id": "1", "text": "x"}))
    faults = Faults(path)
    faults.add(1, "\x1b[31m" + "n" * 5000, "holds a NUL character")
    ((_, field, _),) = faults.bad_records
    assert field.startswith("\\x1b[31mnnn") and len(field) < 100
    with pytest.raises(InputError) as caught:
        faults.raise_any()
    assert len(str(caught.value)) < 200 and "\x1b" not in str(caught.value)


def test_a_key_of_a_json_record_is_not_told_for_it_may_be_anything(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl({"id": "1", "text": "x", "Canarybird": "\0"}))
    faults = Faults(path)
    list(iter_documents(path, faults=faults))
    with pytest.raises(InputError, match="record 1: field 'metadata'") as caught:
        faults.raise_any()
    assert "Canarybird" not in str(caught.value)


def test_several_text_columns_are_joined_in_the_order_asked_for(tmp_path: Path) -> None:
    from pyarrow import Table, parquet

    row = {"nr": "1", "history": "old", "findings": "new", "note": "x"}
    (tmp_path / "a.jsonl").write_bytes(jsonl(row))
    (tmp_path / "a.csv").write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    parquet.write_table(Table.from_pylist([row]), tmp_path / "a.parquet")
    for path in sorted(tmp_path.iterdir()):
        (document,) = read_documents(path, Columns(id="nr", text=("findings", "history")))
        assert document.text == "new\n\nold" and document.metadata == {"note": "x"}
        with pytest.raises(InputError, match=r"no column 'opinion'|record 1: field 'opinion': missing"):
            read_documents(path, Columns(id="nr", text=("findings", "opinion")))


# --- ids


@given(st.lists(st.text(st.characters(exclude_categories=[]), max_size=3), max_size=3000))
def test_an_id_is_new_exactly_once(values: list[str]) -> None:
    ids, seen = Ids(), set[str]()
    for value in values:
        assert ids.add(value) == (value not in seen)
        seen.add(value)
    assert len(ids._low) == len(seen)


def test_ids_that_share_half_a_digest_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half:
        def __init__(self, value: bytes, **_: Any) -> None:
            self._value = value

        def digest(self) -> bytes:
            return bytes(8) + self._value.rjust(8, b"0")

    monkeypatch.setattr(ids_module, "blake2b", Half)
    ids = Ids()
    assert [ids.add(value) for value in ("a", "b", "a", "c", "b")] == [True, True, False, True, False]


def test_ids_take_less_than_fifty_bytes_each() -> None:
    ids, count = Ids(), 100_000
    tracemalloc.start()
    try:
        for number in range(count):
            assert ids.add(f"a rather long id of a document, {number:040}")
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 40 * count and peak < 50 * count
    assert len(ids._low) == count and not ids.add(f"a rather long id of a document, {77:040}")
