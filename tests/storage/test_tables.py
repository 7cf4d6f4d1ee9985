"""Tables: good input is read as it is meant; bad input is refused by file, record and field, and never quoted."""

import csv
import datetime
import gzip
import io
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError, SettingsError, StateError
from unname.storage.dialects import Dialect
from unname.storage.documents import Columns, read_documents
from unname.storage.faults import MOST_FAULTS
from unname.storage.people import read_lines, read_profiles, read_triples
from unname.storage.tables import plain_cell, write_json, write_jsonl, write_table
from unname.types import Document, Profile, Span

CANARY = "Canarybird"


def jsonl(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def refused(read: Callable[..., Any], path: Path, *parts: str, **options: Any) -> str:
    """Reading fails with an InputError that names the file and these parts, and holds nothing of the content."""
    with pytest.raises(InputError) as caught:
        read(path, **options)
    error = caught.value
    assert path.name in str(error) and all(part in str(error) for part in parts), str(error)
    assert CANARY.casefold() not in str(error).casefold() and CANARY not in repr(error.args)
    assert error.__cause__ is None and (error.__suppress_context__ or error.__context__ is None)
    return str(error)


GOOD = {"id": "1", "text": "fine"}
DEEP = "[" * 100_000 + "]" * 100_000
BAD_DOCUMENTS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "missing id": (jsonl(GOOD, {"text": CANARY}), ("record 2", "'id'", "missing")),
    "null id": (jsonl({"id": None, "text": CANARY}), ("record 1", "'id'", "missing")),
    "empty id": (jsonl({"id": "", "text": CANARY}), ("record 1", "'id'", "missing")),
    "id of another kind": (jsonl({"id": [CANARY], "text": "x"}), ("record 1", "'id'", "whole number")),
    "id that is a fraction": (jsonl({"id": 1.5, "text": CANARY}), ("record 1", "'id'", "whole number")),
    "id that is a truth value": (jsonl({"id": True, "text": CANARY}), ("record 1", "'id'", "whole number")),
    "duplicate id": (jsonl({"id": CANARY, "text": "a"}, {"id": CANARY, "text": "b"}), ("record 2", "'id'", "earlier")),
    "same id as a number": (jsonl({"id": 7, "text": "a"}, {"id": "7", "text": CANARY}), ("record 2", "'id'", "earlier")),
    "missing text": (jsonl({"id": CANARY}), ("record 1", "'text'", "missing")),
    "text that is a number": (jsonl(GOOD, {"id": CANARY, "text": 5}), ("record 2", "'text'", "must be text")),
    "text that is a list": (jsonl({"id": CANARY, "text": [CANARY]}), ("record 1", "'text'", "must be text")),
    "text that is an object": (jsonl({"id": "1", "text": {CANARY: CANARY}}), ("record 1", "'text'", "must be text")),
    "half a surrogate in text": (jsonl({"id": "1", "text": CANARY + "\ud800"}), ("record 1", "'text'", "surrogate")),
    "half a surrogate in id": (jsonl({"id": CANARY + "\udfff", "text": "x"}), ("record 1", "'id'", "surrogate")),
    "half a surrogate in person": (jsonl(GOOD | {"person": CANARY + "\udfff"}), ("record 1", "'person'", "surrogate")),
    "half a surrogate in split": (jsonl(GOOD | {"split": CANARY + "\udfff"}), ("record 1", "'split'", "surrogate")),
    "half a surrogate elsewhere": (jsonl(GOOD | {"ward": CANARY + "\ud800"}), ("record 1", "'metadata'", "surrogate")),
    "half a surrogate in a label": (
        jsonl(GOOD | {"spans": [{"start": 0, "end": 1, "label": CANARY + "\ud800"}]}), ("record 1", "'spans'"),
    ),
    "person that is a list": (jsonl(GOOD | {"person": [CANARY]}), ("record 1", "'person'", "must be text")),
    "person that is a fraction": (jsonl(GOOD | {"person": 1.5, "note": CANARY}), ("record 1", "'person'")),
    "person that is a truth value": (jsonl(GOOD | {"person": True}), ("record 1", "'person'")),
    "split that is an object": (jsonl(GOOD | {"split": {CANARY: 1}}), ("record 1", "'split'", "must be text")),
    "bad JSON": (jsonl(GOOD) + b'{"id": "2", "text": "Canarybird"\n', ("record 2", "not valid JSON")),
    "two objects in a line": (b'{"id": "1", "text": "Canarybird"} {}\n', ("record 1", "not valid JSON")),
    "JSON that is a list": (jsonl(GOOD, [CANARY]), ("record 2", "not a JSON object")),
    "JSON that is a string": (jsonl(CANARY), ("record 1", "not a JSON object")),
    "JSON that is null": (b"null\n", ("record 1", "not a JSON object")),
    "nested too deep": (b'{"id": "1", "text": ' + DEEP.encode() + b"}\n", ("record 1", "not valid JSON")),
    "a number of too many figures": (b'{"id": ' + b"9" * 5000 + b', "text": "x"}\n', ("record 1", "not valid JSON")),
    "not UTF-8": (jsonl(GOOD) + b'{"id": "2", "text": "Canarybird \xe9"}\n', ("2", "not UTF-8")),
    "UTF-16": (jsonl(GOOD | {"text": CANARY}).decode().encode("utf-16"), ("1", "not UTF-8")),
    "spans that are text": (jsonl(GOOD | {"spans": CANARY}), ("record 1", "'spans'", "must be a list")),
    "spans that are an object": (jsonl(GOOD | {"spans": {CANARY: 1}}), ("record 1", "'spans'", "must be a list")),
    "spans that are a number": (jsonl(GOOD | {"spans": 3}), ("record 1", "'spans'", "must be a list")),
    "a span that is text": (jsonl(GOOD | {"spans": [CANARY]}), ("record 1", "'spans'", "offsets")),
    "a span without end": (jsonl(GOOD | {"spans": [{"start": 0, "label": CANARY}]}), ("record 1", "'spans'", "offsets")),
    "a span beyond the text": (jsonl(GOOD | {"spans": [{"start": 0, "end": 5}]}), ("record 1", "'spans'", "within")),
    "a span before the text": (jsonl(GOOD | {"spans": [{"start": -1, "end": 2}]}), ("record 1", "'spans'", "within")),
    "a span backwards": (jsonl(GOOD | {"spans": [{"start": 3, "end": 2}]}), ("record 1", "'spans'", "within")),
    "a span of fractions": (jsonl(GOOD | {"spans": [{"start": 0.0, "end": 1.0}]}), ("record 1", "'spans'", "offsets")),
    "a span of truth values": (jsonl(GOOD | {"spans": [{"start": False, "end": True}]}), ("record 1", "'spans'")),
    "a NUL in a text": (jsonl(GOOD, {"id": "2", "text": CANARY + "\0"}), ("record 2", "'text'", "NUL")),
    "a NUL in an id": (jsonl({"id": CANARY + "\0", "text": "x"}), ("record 1", "'id'", "NUL")),
    "a NUL in a person": (jsonl(GOOD | {"person": CANARY + "\0"}), ("record 1", "'person'", "NUL")),
    "a NUL in metadata": (jsonl(GOOD | {"ward": CANARY + "\0"}), ("record 1", "'metadata'", "NUL")),
    "a raw NUL": (b'{"id": "1", "text": "Canarybird\0"}\n', ("record 1", "not valid JSON")),
    "a number that is none": (b'{"id": "1", "text": "x", "Canarybird": NaN}\n', ("record 1", "not valid JSON")),
    "a number without bounds": (b'{"id": "1", "text": "x", "a": -Infinity}\n', ("record 1", "not valid JSON")),
    "a key twice": (b'{"id": "1", "text": "x", "text": "Canarybird"}\n', ("record 1", "the same key twice")),
    "a key twice further down": (b'{"id": "1", "text": "x", "a": [{"b": 1, "b": 2}]}\n', ("record 1", "same key")),
    "a span with a label that is a list": (
        jsonl(GOOD | {"spans": [{"start": 0, "end": 1, "label": [CANARY]}]}), ("record 1", "'spans'", "label")
    ),
    **{
        f"a span with {name}": (
            jsonl(GOOD | {"spans": [{"start": 0, "end": 1, "label": "X"}, {"start": 0, "end": 1, "label": "X"} | part]}),
            ("record 1", "'spans'", f"span 2: {said}"),
        )
        for name, part, said in (
            ("no label", {"label": None}, "label is missing"),
            ("an empty label", {"label": ""}, "label is missing"),
            ("a blank label", {"label": " \t"}, "label is blank"),
            ("a number for a label", {"label": 5}, "label must be text"),
            ("half a surrogate in its entity", {"entity": CANARY + "\ud800"}, "entity holds half a surrogate"),
            ("an entity that is a list", {"entity": [CANARY]}, "entity must be text or a whole number"),
            ("no length", {"end": 0}, "start and end must be offsets within the text, start before end"),
            ("a kind that nobody knows", {"kind": CANARY}, "kind must be direct, quasi, no_mask or absent"),
            ("a kind that is misspelt", {"kind": "no-mask"}, "kind must be direct, quasi, no_mask or absent"),
            ("a kind in capitals", {"kind": "DIRECT"}, "kind must be direct, quasi, no_mask or absent"),
            ("a number for a kind", {"kind": 0}, "kind must be direct, quasi, no_mask or absent"),
        )
    },
    "spans that are an empty object": (jsonl(GOOD | {"spans": {}}), ("record 1", "'spans'", "must be a list")),
    "spans that are nought": (jsonl(GOOD | {"spans": 0}), ("record 1", "'spans'", "must be a list")),
    "empty file": (b"", ("holds no documents",)),
    "blank lines only": (b"\n  \n\n", ("holds no documents",)),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_DOCUMENTS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_a_bad_document_is_refused_by_record_and_field_and_never_quoted(
    tmp_path: Path, name: str, packed: bool
) -> None:
    content, parts = BAD_DOCUMENTS[name]
    path = tmp_path / ("notes.jsonl.gz" if packed else "notes.jsonl")
    path.write_bytes(gzip.compress(content) if packed else content)
    refused(read_documents, path, *parts)


BAD_TABLES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "too few fields": (b"id,text\n1,fine\n2\n", ("record 2", "not as many fields")),
    "too many fields": (b"id,text\n1,Canarybird,Canarybird\n", ("record 1", "not as many fields")),
    "two columns of one name": (b"id,text,text\n1,Canarybird,b\n", ("two columns",)),
    "an open quote": (b'id,text\n1,fine\n2,"Canarybird\n', ("record 2", "not valid CSV")),
    "text after a quote": (b'id,text\n1,"fine"Canarybird\n', ("record 1", "not valid CSV")),
    "no id column": (b"name,text\n1,Canarybird\n", ("no column 'id'", "columns: name, text", "--id-column")),
    "no text column": (b"id,note\n1,Canarybird\n", ("no column 'text'", "columns: id, note", "--text-column")),
    "duplicate id": (b"id,text\nCanarybird,a\nCanarybird,b\n", ("record 2", "'id'", "earlier")),
    "empty id": (b"id,text\n,Canarybird\n", ("record 1", "'id'", "missing")),
    "not UTF-8": (b"id,text\n1,Canarybird \xff\n", ("not UTF-8",)),
    "header that is not UTF-8": (b"id,text\xff\n1,Canarybird\n", ("not UTF-8",)),
    "spans as text": (b"id,text,spans\n1,a,Canarybird\n", ("record 1", "'spans'", "must be a list")),
    "header alone": (b"id,text\n", ("holds no documents",)),
    "empty file": (b"", ("holds no documents",)),
    "a NUL in a text": (b"id,text\n1,fine\n2,Canarybird\0\n", ("record 2", "'text'", "NUL")),
    "a NUL in a name": (b"id,text,to\0wn\n1,fine,Canarybird\n", ("the header", "NUL")),
    "half of a UTF-16": ("id,text\n1,Canarybird\n".encode("utf-16")[:-1], ("not utf-16",)),
    "ends of lines of old among others": (b"id,text\n1,Canarybird\r2,b\n", ("not valid CSV", "a carriage return")),
}


@pytest.mark.parametrize("name", BAD_TABLES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_a_bad_csv_table_is_refused_and_never_quoted(tmp_path: Path, name: str, packed: bool) -> None:
    content, parts = BAD_TABLES[name]
    path = tmp_path / ("notes.csv.gz" if packed else "notes.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    refused(read_documents, path, *parts)


BAD_PEOPLE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "missing id": (jsonl({"fields": {"name": CANARY}}), ("record 1", "'id'", "missing")),
    "duplicate id": (jsonl({"id": CANARY, "fields": {}}, {"id": CANARY, "fields": {}}), ("record 2", "'id'", "earlier")),
    "fields that are text": (jsonl({"id": "1", "fields": CANARY}), ("record 1", "'fields'", "object")),
    "fields that are a list": (jsonl({"id": "1", "fields": [CANARY]}), ("record 1", "'fields'", "object")),
    "a list within an object": (jsonl({"id": "1", "town": {CANARY: [[1]]}}), ("record 1", "'town'", "must be text")),
    "objects within objects": (
        jsonl({"id": "1", "town": json.loads('{"a":' * 50 + '"Canarybird"' + "}" * 50)}), ("record 1", "'town'", "deeply"),
    ),
    "half a surrogate in a nested name": (jsonl({"id": "1", "town": {CANARY + "\ud800": "x"}}), ("'town'", "surrogate")),
    "a nested list": (jsonl({"id": "1", "fields": {"town": [[CANARY]]}}), ("record 1", "'town'", "must be text")),
    "a list with a gap": (jsonl({"id": "1", "fields": {"town": [CANARY, None]}}), ("record 1", "'town'", "must be")),
    "half a surrogate": (jsonl({"id": "1", "town": CANARY + "\udc00"}), ("record 1", "'town'", "surrogate")),
    "half a surrogate in a name": (jsonl({"id": "1", "fields": {"town\ud800": CANARY}}), ("record 1", "surrogate")),
    "half a surrogate in id": (jsonl({"id": CANARY + "\udc00", "town": "x"}), ("record 1", "'id'", "surrogate")),
    "a NUL": (jsonl({"id": "1", "fields": {"town": CANARY + "\0"}}), ("record 1", "'town'", "NUL")),
    "deep nesting": (b'{"id": "1", "fields": {"town": ' + DEEP.encode() + b"}}\n", ("record 1", "not valid JSON")),
    "nested some way": (jsonl({"id": "1", "town": json.loads("[" * 50 + "]" * 50)}), ("record 1", "'town'")),
    "empty file": (b"", ("holds no profiles",)),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_PEOPLE)
def test_a_bad_profile_is_refused_by_record_and_field_and_never_quoted(tmp_path: Path, name: str) -> None:
    content, parts = BAD_PEOPLE[name]
    path = tmp_path / "people.jsonl"
    path.write_bytes(content)
    refused(read_profiles, path, *parts)


READERS = [read_documents, read_profiles, read_triples, read_lines]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("damage", ["cut", "garbled", "not gzip", "trailing"])
def test_damaged_gzip_is_refused(tmp_path: Path, read: Callable[..., Any], damage: str) -> None:
    packed = gzip.compress(jsonl(*({"id": str(i), "text": CANARY * 50} for i in range(2000))))
    content = {
        "cut": packed[: len(packed) // 2], "garbled": packed[:60] + b"\x00\xff" * 40 + packed[140:],
        "not gzip": jsonl({"id": "1", "text": CANARY}), "trailing": packed + CANARY.encode(),
    }[damage]  # fmt: skip
    path = tmp_path / "notes.jsonl.gz"
    path.write_bytes(content)
    refused(read, path)


@pytest.mark.parametrize("read", READERS)
def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path, read: Callable[..., Any]) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    refused(read, tmp_path / "none.jsonl", "no such file")
    if read is not read_documents:  # for documents a folder is one of text files
        refused(read, tmp_path / "folder.jsonl", "no such file")


@pytest.mark.parametrize("name", ["notes.txt", "notes.dat", "notes", "notes.gz"])
def test_an_unknown_kind_of_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(CANARY)
    refused(read_documents, tmp_path / name, "unknown kind", ".jsonl")


def test_many_faults_are_told_at_once_but_not_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    bad = [
        {"id": f"{CANARY}{i}", "text": "a", "spans": [{"start": 0, "end": 1, "label": "X"}] * i + [{}]}
        for i in range(50)
    ]
    path.write_bytes(jsonl(*bad))
    told = refused(read_documents, path, "record 1:", "record 20:", f"… and {50 - MOST_FAULTS} more")
    assert len(told.splitlines()) == MOST_FAULTS + 1


def test_a_fault_that_many_records_have_is_told_once_with_its_first_records_and_their_number(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    rows = [{"id": f"{CANARY}{i}", "text": i} for i in range(50)]
    path.write_bytes(jsonl({"id": "a", "text": "a"}, *rows, {"text": "b"}, {"text": 1}))
    told = refused(read_documents, path)
    assert told.splitlines() == [
        "notes.jsonl: record 2: field 'text': must be text (also 3, 4 and 48 more)",
        "notes.jsonl: record 52: field 'id': missing (also 53)",
    ]


def test_faults_of_one_record_are_told_by_field(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl({"text": 3, "person": [CANARY]}))
    refused(read_documents, path, "field 'id'", "field 'text'", "field 'person'")


# --- good input

ROWS = [
    {"id": "a", "text": "Zoë met\nAda, \"the\" poet", "person": "p1", "split": "dev", "ward": "3"},
    {"id": "b/2", "text": "", "person": "", "split": "", "ward": ""},
]  # fmt: skip
AS_READ = [
    Document("a", ROWS[0]["text"], "p1", "dev", (), {"ward": "3"}),
    Document("b/2", "", None, None, (), {"ward": ""}),
]


def as_csv(rows: list[dict[str, str]], *, line_end: str = "\r\n") -> bytes:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator=line_end)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "byte order mark"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("kind", ["jsonl", "csv", "csv-unix"])
def test_the_same_documents_are_read_from_every_kind_of_file(
    tmp_path: Path, kind: str, packed: bool, mark: bytes
) -> None:
    content = mark + (jsonl(*ROWS) if kind == "jsonl" else as_csv(ROWS, line_end="\n" if "unix" in kind else "\r\n"))
    path = tmp_path / f"notes.{kind.partition('-')[0]}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(content) if packed else content)
    assert read_documents(path) == AS_READ


def test_blank_lines_between_records_are_skipped_and_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"\n" + jsonl(GOOD) + b"\n \n" + jsonl({"id": "2"}))
    refused(read_documents, path, "record 2:", "'text'")
    path.write_bytes(b"\n" + jsonl(GOOD) + b"\n \n" + b'{"Canarybird"\n')
    refused(read_documents, path, "record 2:", "not valid JSON")
    path = tmp_path / "notes.csv"
    path.write_bytes(b"\nid,text\n\n1,fine\n\n\n2\n")
    refused(read_documents, path, "record 2:", "not as many fields")


def test_other_column_names_and_several_text_columns(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(b"nr,history,findings,patient,part\n1,old,new,p1,dev\n")
    columns = Columns(id="nr", text=("findings", "history"), person="patient", split="part")
    assert read_documents(path, columns) == [Document("1", "new\n\nold", "p1", "dev")]


def test_a_text_column_that_is_absent_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(b"id,history\n1,Canarybird\n")
    refused(read_documents, path, "no column 'findings'", columns=Columns(text=("history", "findings")))


def test_whole_numbers_serve_as_ids_and_persons(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl({"id": 0, "text": "a", "person": 12, "split": 3}, {"id": -5, "text": "b"}))
    assert [(d.id, d.person, d.split) for d in read_documents(path)] == [("0", "12", "3"), ("-5", None, None)]


def test_spans_are_read_sorted_with_all_they_say(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    spans = [
        {"start": 4, "end": 5, "label": "X", "kind": ""},
        {"start": 0, "end": 3, "label": "NAME", "kind": "direct", "entity": "e1", "x": 1},
    ]
    path.write_bytes(jsonl({"id": "1", "text": "Ada \U0001f600", "spans": spans}, GOOD | {"id": "2", "spans": None}))
    one, other = read_documents(path)
    assert one.spans == (Span(0, 3, "NAME", "direct", "e1"), Span(4, 5, "X")) and other.spans == ()


def test_real_annotations_pass_the_check_of_spans_whole(data: Path) -> None:
    wanted = {
        "tab/documents": (113, 5186), "wikipedia553/documents": (276, 3710), "wikipedia553/typed": (51, 1277),
        "synthetic_pii/generated_large": (2109, 4055), "synthetic_pii/synth_dataset_v2": (1500, 2863),
    }  # fmt: skip
    read = {name: read_documents(data / f"{name}.jsonl.gz") for name in wanted}
    assert {name: (len(rows), sum(len(d.spans) for d in rows)) for name, rows in read.items()} == wanted


def test_spans_may_say_how_sure_somebody_was(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    spans = [{"start": 0, "end": 1, "label": "X", **more} for more in ({"score": 0}, {"score": 0.25}, {"score": 1}, {})]
    path.write_bytes(jsonl(GOOD | {"spans": spans}))
    assert sorted(s.score for s in read_documents(path)[0].spans) == [0.0, 0.25, 1.0, 1.0]


@pytest.mark.parametrize("score", [-0.1, 1.5, "1", None, True, [CANARY], 10**400])
def test_a_score_is_a_number_from_0_to_1(score: Any, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(
        jsonl(GOOD | {"id": "0"}, GOOD | {"spans": [{"start": 0, "end": 1, "label": "X", "score": score}]})
    )
    refused(read_documents, path, "record 2", "'spans'", "score must be a number from 0 to 1")


def test_what_else_a_record_holds_is_metadata_if_it_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(jsonl(GOOD | {"ward": 3, "date": "2020", "nested": {"a": 1}, "none": None, "list": [1]}))
    assert read_documents(path)[0].metadata == {"ward": "3", "date": "2020"}


def test_profiles_come_with_fields_or_flat(tmp_path: Path) -> None:
    fields = {"name": "Ada", "born": 1815, "alive": False, "towns": ["London", 3], "none": None, "empty": "", "no": []}
    wanted = [Profile("1", {"name": "Ada", "born": "1815", "alive": "no", "towns": "London | 3"})]
    nested, flat, table = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz", tmp_path / "c.csv"
    nested.write_bytes(jsonl({"id": 1, "fields": fields, "ignored": 3}))
    flat.write_bytes(gzip.compress(jsonl({"id": 1, **fields})))
    table.write_bytes(b"id,name,born,alive,towns,none\n1,Ada,1815,no,London | 3,\n")
    assert read_profiles(nested) == read_profiles(flat) == read_profiles(table) == wanted


def test_values_of_records_within_a_record_are_fields_by_their_path(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    name = [{"use": "official", "given": ["Ada", "May"], "family": "Quill"}, {"given": ["Addie"], "family": None}]
    telecom = [{"system": "phone", "value": "0555 570 101", "rank": 1}, {"system": "email", "value": "a@post.example"}]
    row = {"id": "1", "name": name, "telecom": telecom, "address": {"line": ["4 Elm St"], "period": {}}, "active": True}
    path.write_bytes(jsonl(row))
    flat = {
        "name.use": "official", "name.given": "Ada | May | Addie", "name.family": "Quill", "telecom.system": "phone | email",
        "telecom.value": "0555 570 101 | a@post.example", "telecom.rank": "1", "address.line": "4 Elm St", "active": "yes",
    }  # fmt: skip
    assert read_profiles(path) == [Profile("1", flat)]
    table = tmp_path / "people.csv"
    with table.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "name", "telecom", "note", "other"])
        writer.writerow(["1", json.dumps(name), json.dumps(telecom), "[not JSON", "[1, 2]"])
    found = read_profiles(table)[0].fields
    assert found == {key: value for key, value in flat.items() if key.startswith(("name", "telecom"))} | {
        "note": "[not JSON", "other": "[1, 2]"
    }  # fmt: skip


def test_the_id_column_of_people_may_have_another_name(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"nr,id,name\n7,x,Ada\n")
    assert read_profiles(path, id_column="nr") == [Profile("7", {"id": "x", "name": "Ada"})]


ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(st.tuples(ANY.filter(bool), ANY), min_size=1, max_size=5, unique_by=lambda r: r[0]))
def test_any_text_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "notes.jsonl"
    write_jsonl(path, [{"id": name, "text": text} for name, text in rows])
    assert [(d.id, d.text) for d in read_documents(path)] == rows


def test_triples_are_three_cells_parted_by_tabs(tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv.gz"
    path.write_bytes(gzip.compress("p1\tborn in\tZoë town\r\np1\tborn in\tYork\n".encode()))
    assert read_triples(path) == [("p1", "born in", "Zoë town"), ("p1", "born in", "York")]
    for bad in ("p1\tborn\n", "p1\t\tCanarybird\n", "p1\ta\tb\tCanarybird\n", "\n"):
        path.write_bytes(gzip.compress(b"a\tb\tc\n" + bad.encode()))
        refused(read_triples, path, "record 2", "parted by tabs")


def test_lines_are_read_without_blanks_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff# names\n Ada \r\n\n  # more\nZoë#1\n".encode())
    assert read_lines(path) == ["Ada", "Zoë#1"]
    path.write_bytes(b"\xff Canarybird")
    refused(read_lines, path, "not UTF-8")


# --- writing


@pytest.mark.parametrize("private, mode", [(False, 0o644), (True, 0o600)])
def test_json_is_written_whole_and_privately_where_asked(tmp_path: Path, private: bool, mode: int) -> None:
    rows, value = [{"id": "Zoë", "n": 1}, {"id": "\u2028"}], {"b": 1, "a": ["Zoë"]}
    write_jsonl(tmp_path / "rows.jsonl", iter(rows), private=private)
    write_json(tmp_path / "value.json", value, private=private)
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_bytes().splitlines()] == rows
    assert json.loads((tmp_path / "value.json").read_bytes()) == value
    assert {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()} == {mode}


def test_rows_that_cannot_be_written_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"old")
    for bad in ([{"a": object()}], [{"a": "\ud800"}]):
        with pytest.raises((TypeError, ValueError)):
            write_jsonl(path, bad)
    with pytest.raises(StateError):
        write_jsonl(tmp_path / "none" / "rows.jsonl", [])
    assert [p.name for p in tmp_path.iterdir()] == ["rows.jsonl"] and path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("a.docx", "plain text"),
        ("a.PDF", "plain text"),
        ("a.xls", ".xlsx"),
        ("a.sav", ".xlsx"),
        ("a.zip", "--format"),
    ],
)
def test_what_people_have_in_place_of_a_table_is_named_with_what_to_do(tmp_path: Path, name: str, advice: str) -> None:
    (tmp_path / name).write_bytes(b"Canarybird")
    refused(read_documents, tmp_path / name, advice)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_bytes(b"Canarybird")
    with pytest.raises(InputError, match="file 1") as caught:
        read_documents(folder)
    assert advice in str(caught.value) or "--format" in str(caught.value)


WORLDLY = [
    {"id": "1", "text": "Größe; «señor», 5\u202f€", "person": "p 1"},
    {"id": "2", "text": 'zwei\r\nZeilen, "x"', "person": ""},
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("told", [False, True], ids=["by a look", "said"])
def test_csv_is_read_as_the_world_writes_it(tmp_path: Path, encoding: str, delimiter: str, told: bool) -> None:
    rows = [{**row, "text": row["text"].replace("\u202f", " ")} for row in WORLDLY]
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, ["id", "text", "person"], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path = tmp_path / "a.csv"
    path.write_bytes(stream.getvalue().encode(encoding))
    dialect = Dialect(encoding.removesuffix("-sig"), delimiter) if told else Dialect()
    documents = read_documents(path, Columns(dialect=dialect))
    assert [(d.id, d.text, d.person) for d in documents] == [(r["id"], r["text"], r["person"] or None) for r in rows]


def test_a_first_line_that_tells_excel_the_separator_is_no_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sep=;\nid;text\n1;a, b, c\n")
    assert read_documents(tmp_path / "a.csv")[0].text == "a, b, c"


def test_a_text_full_of_other_separators_does_not_mislead(tmp_path: Path) -> None:
    rows = "".join(f'{i},"one; two; three | four\tfive"\n' for i in range(30))
    (tmp_path / "a.csv").write_text("id,text\n" + rows)
    assert len(read_documents(tmp_path / "a.csv")) == 30


@pytest.mark.parametrize("bad", ["klingon", "utf-99"])
def test_an_encoding_that_is_none_is_an_error(bad: str) -> None:
    with pytest.raises(SettingsError, match="no such encoding"):
        Dialect(bad)
    with pytest.raises(SettingsError, match="one character"):
        Dialect(None, "::")


def test_excel_tables_are_read_and_what_is_none_refused(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["id", "name", "born", "weight"])
    book.active.append([7, "Ada", datetime.datetime(1984, 8, 2), 70.5])
    book.active.append([])
    book.active.append(["x1", "Zoë", None, None])
    book.save(tmp_path / "people.xlsx")
    assert read_profiles(tmp_path / "people.xlsx") == [
        Profile("7", {"name": "Ada", "born": "1984-08-02", "weight": "70.5"}), Profile("x1", {"name": "Zoë"}),
    ]  # fmt: skip
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04Canarybird")
    refused(read_profiles, tmp_path / "bad.xlsx", "not an Excel workbook")
    book.active.append(["x2", "Bo", None, None, "Canarybird"])
    book.save(tmp_path / "people.xlsx")
    refused(read_profiles, tmp_path / "people.xlsx", "record 3", "beyond the columns")


def test_a_workbook_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (80 << 20))
    refused(read_profiles, tmp_path / "a.xlsx", "unpacks to 80 MiB")


def test_whom_a_document_is_about_may_stand_in_its_name_or_in_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    for name in ("12_letter", "13_letter", "other"):
        (folder / f"{name}.txt").write_text("x")
    read = read_documents(folder, Columns(person_pattern=r"^(\d+)_"))
    assert [(d.id, d.person) for d in read] == [("12_letter", "12"), ("13_letter", "13"), ("other", None)]
    (tmp_path / "persons.csv").write_text("id;person\nother;p9\n12_letter;p1\n")
    read = read_documents(folder, Columns(person_pattern=r"^(\d+)_", persons=tmp_path / "persons.csv"))
    assert [d.person for d in read] == ["p1", "13", "p9"]
    with pytest.raises(SettingsError, match="person-pattern"):
        read_documents(folder, Columns(person_pattern="("))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "a"])
def test_what_is_written_as_a_table_is_read_back(tmp_path: Path, name: str) -> None:
    rows = [{"id": "b1", "text": 'a "b", c\r\n=1+2'}, {"id": "c1", "text": "=1+2"}, {"id": "d1", "text": "'=x"}]
    write_table(tmp_path / name, rows, columns=("id", "text"))
    restored = plain_cell if name == "a.csv" else str
    assert [(d.id, restored(d.text)) for d in read_documents(tmp_path / name)] == [(r["id"], r["text"]) for r in rows]
    if name == "a.csv":
        assert b"\nc1,'=1+2" in (tmp_path / name).read_bytes().replace(b"\r", b"")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_a_cell_is_never_a_formula_and_comes_back_as_it_was(value: str) -> None:
    from unname.storage.tables import _cell

    assert plain_cell(_cell(value)) == value and not _cell(value).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_gzipped_table_of_blank_lines_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unname.storage.lines.MOST_BLANK", 1000)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"id": "1", "text": "x"}\n' + b"\n" * 5000))
    refused(read_documents, tmp_path / "a.jsonl.gz", "nothing but blank lines after record 1")


def test_a_key_that_few_people_have_is_a_value_and_no_name_of_a_field(tmp_path: Path) -> None:
    """It may be a name of somebody; names of fields are shown."""
    path = tmp_path / "people.jsonl"
    kin = [{"Ada Quill": "sister"}, {"Ben Marl": "brother"}, *({"sister": "Ida"} for _ in range(298))]
    write_jsonl(
        path, [{"id": f"p{i}", "kin": row, "name": {"given": "Zeno"}, "no. 1": "x"} for i, row in enumerate(kin)]
    )
    read = [dict(profile.fields) for profile in read_profiles(path)]
    rest = {"name.given": "Zeno", "no. 1": "x"}
    assert read[:3] == [
        {"kin": "Ada Quill sister"} | rest,
        {"kin": "Ben Marl brother"} | rest,
        {"kin.sister": "Ida"} | rest,
    ]
