"""Parquet: the same documents as from other tables; what lies, is cut or garbled is refused and never quoted."""

import datetime
import decimal
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from unname.errors import InputError
from unname.storage import parquet as parquet_module
from unname.storage import parquet_probe
from unname.storage.documents import Columns, iter_documents, read_documents
from unname.storage.faults import Faults
from unname.storage.people import read_profiles
from unname.storage.rows import records
from unname.types import Document, Profile, Span

CANARY = "Canarybird"


def refused(read: Callable[..., Any], path: Path, *parts: str) -> None:
    with pytest.raises(InputError) as caught:
        read(path)
    assert path.name in str(caught.value) and all(part in str(caught.value) for part in parts), str(caught.value)
    assert CANARY.casefold() not in str(caught.value).casefold()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def write(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    parquet.write_table(pa.table(columns), path, **options)
    return path


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
@pytest.mark.parametrize("packed", ["none", "zstd"])
def test_texts_of_every_kind_are_read(tmp_path: Path, kind: pa.DataType, packed: str) -> None:
    texts = ["Zoë \U0001f600", "", "two\r\nlines"]
    columns = {
        "id": pa.array(["a", "b", "c"]).cast(kind), "text": pa.array(texts).cast(kind),
        "person": pa.array(["p", None, ""]).cast(kind), "ward": pa.array([3, None, 4]),
        "late": pa.array([True, False, None]), "mark": pa.array([1.5, None, float("nan")]),
    }  # fmt: skip
    path = write(tmp_path / "a.parquet", columns, compression=packed)
    assert read_documents(path) == [
        Document("a", texts[0], "p", None, (), {"ward": "3", "late": "True", "mark": "1.5"}),
        Document("b", "", None, None, (), {"late": "False"}),
        Document("c", texts[2], None, None, (), {"ward": "4"}),
    ]


def test_whole_numbers_serve_as_ids_and_spans_may_be_nested(tmp_path: Path) -> None:
    spans = [[{"start": 4, "end": 7, "label": "VERB", "kind": None}, {"start": 0, "end": 3, "label": "NAME"}], [], None]
    columns = {"nr": [1, 2, 3], "text": ["Ada saw"] * 3, "spans": spans, "who": [7, 8, None]}
    path = write(tmp_path / "a.parquet", columns)
    read = read_documents(path, Columns(id="nr", person="who"))
    assert [(d.id, d.person) for d in read] == [("1", "7"), ("2", "8"), ("3", None)]
    assert [d.spans for d in read] == [(Span(0, 3, "NAME"), Span(4, 7, "VERB")), (), ()]


PEOPLE = [{"name": "Ada", "born": 1815, "alive": False, "towns": ["London", "York"], "none": None}, {"name": "Zoë"}]
WANTED = [
    Profile("1", {"name": "Ada", "born": "1815", "alive": "no", "towns": "London | York"}),
    Profile("2", {"name": "Zoë"}),
]


def test_people_come_flat_or_with_nested_fields_or_as_a_map(tmp_path: Path) -> None:
    flat = pa.Table.from_pylist([{"id": i, **fields} for i, fields in enumerate(PEOPLE, start=1)])
    nested = pa.Table.from_pylist([{"id": str(i), "fields": fields} for i, fields in enumerate(PEOPLE, start=1)])
    for name, table in (("flat", flat), ("nested", nested)):
        parquet.write_table(table, tmp_path / f"{name}.parquet")
        assert read_profiles(tmp_path / f"{name}.parquet") == WANTED
    pairs = pa.array([[("name", "Ada"), ("town", "York")], [("name", None)]], pa.map_(pa.string(), pa.string()))
    path = write(tmp_path / "map.parquet", {"id": ["1", "2"], "fields": pairs})
    assert read_profiles(path) == [Profile("1", {"name": "Ada", "town": "York"}), Profile("2", {})]


def test_dates_times_and_decimals_become_text(tmp_path: Path) -> None:
    day, moment = datetime.date(1815, 12, 10), datetime.datetime(2020, 1, 2, 3, 4, 5)
    columns = {"id": ["1"], "born": [day], "seen": [moment], "sum": [decimal.Decimal("1.50")], "at": [moment.time()]}
    fields = read_profiles(write(tmp_path / "a.parquet", columns))[0].fields
    assert fields == {"born": "1815-12-10", "seen": "2020-01-02T03:04:05", "sum": "1.50", "at": "03:04:05"}


def test_rows_are_numbered_on_over_batches_and_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_probe, "MOST_ROWS_AT_ONCE", 3)
    texts = [None if i in (5, 17) else f"text {i}" for i in range(20)]
    path = write(tmp_path / "a.parquet", {"id": [str(i) for i in range(20)], "text": texts}, row_group_size=8)
    faults = Faults(path)
    read = [(number, d.id) for number, d in iter_documents(path, faults=faults)]
    assert read == [(i + 1, str(i)) for i in range(20) if i not in (5, 17)]
    assert faults.bad_records == [(6, "text", "missing"), (18, "text", "missing")]


def garbled_texts(path: Path) -> Path:
    """Three rows of which the second's text is not UTF-8, in a column that says it is text."""
    raw = pa.array([b"fine", b"Canarybird \xff", b"good"])
    text = pa.StringArray.from_buffers(3, raw.buffers()[1], raw.buffers()[2])
    return write(path, {"id": ["1", "2", "3"], "text": text})


def test_a_text_that_is_not_utf8_is_a_fault_of_its_record(tmp_path: Path) -> None:
    path = garbled_texts(tmp_path / "a.parquet")
    refused(read_documents, path, "record 2", "'text'", "not UTF-8")
    refused(lambda p: list(records(p)), path, "record 2", "'text'", "not UTF-8")
    faults = Faults(path)
    assert [n for n, _ in iter_documents(path, faults=faults)] == [1, 3]
    assert faults.bad_records == [(2, "text", "not UTF-8")]


def test_bytes_are_no_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"id": ["1"], "text": [CANARY.encode()]})
    refused(read_documents, path, "record 1", "'text'", "must be text")
    path = write(tmp_path / "b.parquet", {"id": ["1"], "town": [CANARY.encode()]})
    refused(read_profiles, path, "record 1", "'town'", "must be text")


def test_faults_in_parquet_name_record_and_field(tmp_path: Path) -> None:
    texts = ["a", CANARY]
    path = write(tmp_path / "a.parquet", {"id": ["1", "1"], "text": texts})
    refused(read_documents, path, "record 2", "'id'", "earlier")
    path = write(tmp_path / "b.parquet", {"id": [1.0, 2.0], "text": texts})
    refused(read_documents, path, "record 1", "'id'", "whole number")
    path = write(tmp_path / "c.parquet", {"id": ["1", "2"], "text": ["a", CANARY + "\0"]})
    refused(read_documents, path, "record 2", "'text'", "NUL")
    path = write(tmp_path / "d.parquet", {"nr": ["1", "2"], "text": texts})
    refused(read_documents, path, "no column 'id'")
    path = write(tmp_path / "e.parquet", {"id": pa.array([], pa.string()), "text": pa.array([], pa.string())})
    refused(read_documents, path, "holds no documents")
    table = pa.Table.from_arrays([pa.array(["1"]), pa.array([CANARY]), pa.array([CANARY])], ["id", "text", "text"])
    parquet.write_table(table, tmp_path / "f.parquet")
    refused(read_documents, tmp_path / "f.parquet", "two columns have the same name")


def test_a_page_that_unpacks_to_more_than_fits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = pa.array([CANARY * 1_000_000] * 20, pa.large_string())
    path = write(
        tmp_path / "a.parquet", {"id": list(range(20)), "text": text}, compression="zstd", use_dictionary=False
    )
    assert path.stat().st_size < 200_000
    assert len(read_documents(path)) == 20, "it is as it should be, but for its size"
    monkeypatch.setattr(parquet_probe, "MOST_MEMORY", 256 << 20)
    refused(read_documents, path, "too much memory or time")


def test_a_file_at_which_the_library_gives_up_ends_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seen with damaged footers: the C++ library ends its whole process, and says why on standard error."""
    path = write(tmp_path / "a.parquet", {"id": ["1"], "text": [CANARY]})
    script = tmp_path / "script.py"
    script.write_text(f"import os, sys; sys.stderr.write('{CANARY}'); sys.stderr.flush(); os.abort()")
    monkeypatch.setattr(parquet_probe, "__file__", str(script))
    refused(read_documents, path, "damaged")
    assert CANARY not in "".join(capfd.readouterr())


def test_one_long_value_for_many_rows_is_never_unpacked_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_probe, "MOST_BYTES_AT_ONCE", 2 << 20)
    monkeypatch.setattr(parquet_module, "LONGEST_RECORD", 2 << 20)
    columns = {"id": [str(i) for i in range(200)], "text": ["x" * (1 << 20)] * 200}
    path = write(tmp_path / "a.parquet", columns, compression="zstd", dictionary_pagesize_limit=1 << 30)
    assert max(batch.num_rows for batch in parquet_probe.batches(path)) <= 2, "200 MiB at once would be too many"
    assert len(read_documents(path)) == 200
    path = write(tmp_path / "b.parquet", {"id": ["1"], "text": [CANARY * 300_000]})
    refused(read_documents, path, "record 1", "'text'", "longer than")


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "cut footer", "magic alone", "long footer", "encrypted"])
def test_what_is_not_parquet_is_refused(tmp_path: Path, damage: str) -> None:
    good = write(tmp_path / "good.parquet", {"id": ["1", "2"], "text": [CANARY * 50, "b"]}).read_bytes()
    path = tmp_path / "a.parquet"
    path.write_bytes({
        "empty": b"", "text": CANARY.encode(), "cut": good[: len(good) // 2], "cut footer": good[:-20],
        "magic alone": b"PAR1PAR1", "long footer": good[:-8] + b"\xff\xff\xff\x7fPAR1", "encrypted": good[:-4] + b"PARE",
    }[damage])  # fmt: skip
    refused(read_documents, path, "not a Parquet file")


def test_a_parquet_file_damaged_anywhere_is_read_or_refused_and_never_more(tmp_path: Path) -> None:
    columns = {
        "id": [str(i) for i in range(300)], "text": [f"{CANARY} {i}" * 5 for i in range(300)],
        "spans": [[{"start": 0, "end": 3, "label": "x"}]] * 300,
    }  # fmt: skip
    path = tmp_path / "a.parquet"
    outcomes = {True: 0, False: 0}
    for number, compression in enumerate(["none", "snappy", "zstd"] * 14):
        chance = random.Random(number)
        content = bytearray(write(path, columns, compression=compression, row_group_size=100).read_bytes())
        near_end = chance.random() < 0.6
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(max(0, len(content) - 2500) if near_end else 0, len(content))
            content[place] = chance.randrange(256)
        path.write_bytes(content)
        try:
            read_documents(path)
            outcomes[True] += 1
        except InputError as error:
            outcomes[False] += 1
            assert CANARY not in str(error) and path.name in str(error)
    assert outcomes[False] > 12, "the damage must be felt"


def test_reading_leaves_no_file_open(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"id": [str(i) for i in range(1000)], "text": ["x"] * 1000})

    def open_files() -> int:
        return sum(1 for link in Path("/proc/self/fd").iterdir() if link.exists() and link.resolve() == path.resolve())

    stream = iter_documents(path, faults=Faults(path))
    next(stream)
    assert open_files() == 1
    stream.close()
    assert open_files() == 0
    read_documents(path)
    assert open_files() == 0


def test_a_file_that_takes_too_long_to_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unname.storage.parquet_probe.MOST_SECONDS", 0.001)
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"id": ["1"], "text": ["x"]}), path)
    refused(read_documents, path, "too much memory or time")
