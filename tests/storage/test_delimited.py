"""Tables and JSON as other programs write them: read as they are meant, or refused with what is the matter."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage import jsonrows
from unname.storage.documents import Columns, read_documents
from unname.storage.jsonrows import at_path, json_objects
from unname.storage.people import read_profiles
from unname.types import Document

CANARY = "Canarybird"
WANTED = [("1", "Dr Abel", "p1"), ("2", "Dr Cole", "p2")]


def read(path: Path, content: str | bytes, **columns: Any) -> list[tuple[str, str, str | None]]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [(d.id, d.text, d.person) for d in read_documents(path, Columns(**columns))]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_may_end_in_a_carriage_return(encoding: str, packed: bool, tmp_path: Path) -> None:
    text = 'id,text,person\r1,Dr Abel,p1\r\r2,Dr Cole,p2\r3,"Grüße,\rzwei",p3\r'
    content = text.encode(encoding)
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    assert read(path, gzip.compress(content) if packed else content) == [*WANTED, ("3", "Grüße,\rzwei", "p3")]
    path = tmp_path / "a.jsonl"
    assert read(path, b'{"id": 1, "text": "a"}\r{"id": 2, "text": "b"}\r') == [("1", "a", None), ("2", "b", None)]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_quotes_within_quotes_may_stand_behind_a_backslash(sign: str, tmp_path: Path) -> None:
    rows = ["id,text,person", '1,"He said \\"Dr Abel\\", came",p1', '2,"C:\\dir\\, ""no"" \\"end\\"",p2', "3,plain,p3"]
    content = "\n".join(sign.join(row.split(",")) if sign != "," else row for row in rows)
    if sign != ",":
        content = content.replace(f'\\"{sign} came', '\\", came').replace(f"dir\\{sign} ", "dir\\, ")
    texts = [text for _, text, _ in read(tmp_path / "a.csv", content)]
    assert texts == ['He said "Dr Abel", came', 'C:\\dir\\, "no" "end"', "plain"]


def test_a_backslash_before_a_closing_quote_is_itself_where_quotes_are_doubled(tmp_path: Path) -> None:
    content = 'id,text,person\n1,"in C:\\dir\\",p1\n2,"a ""b"", c",p2\n'
    assert [text for _, text, _ in read(tmp_path / "a.csv", content)] == ["in C:\\dir\\", 'a "b", c']


@pytest.mark.parametrize(
    "content, said",
    [
        ('id,text\n1,"a ""b"""\n' * 1 + '2,"x \\"Canarybird\\" y"\n3,a,b\n', r"stands behind a backslash"),
        ("id,text\n1,a\r2,Canarybird\n", "a carriage return stands outside of quotes"),
        ('id,text\n1,"fine"Canarybird\n', "text follows a closing quote"),
        ('id,text\n1,"Canarybird\n', "a quote is left open"),
    ],
)
def test_what_cannot_be_read_is_told_apart(content: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"a.csv: record [12]: not valid CSV: .*{said}") as caught:
        read(tmp_path / "a.csv", content)
    assert CANARY not in str(caught.value)


def test_rows_and_columns_that_are_empty_are_no_part_of_a_table(tmp_path: Path) -> None:
    content = "id,text,person,,\n1,Dr Abel,p1,,\n,,,,\n2,Dr Cole,p2\n,,\n,,,,,,\n"
    assert read(tmp_path / "a.csv", content) == WANTED
    with pytest.raises(InputError, match="record 2: not as many fields"):
        read(tmp_path / "a.csv", content.replace("p2\n", "p2,,,x\n"))


def test_a_column_without_a_name_is_the_numbers_of_rows_or_refused(tmp_path: Path) -> None:
    for numbers in (("0", "1"), ("1", "2"), ("7", "44"), ("", "1"), ("0.0", "1.0")):
        content = f",id,text,person\n{numbers[0]},1,Dr Abel,p1\n{numbers[1]},2,Dr Cole,p2\n"
        assert read(tmp_path / "a.csv", content) == WANTED
    for cell in ("Canarybird", "7055433", "-1", "1.5"):
        with pytest.raises(InputError, match=r"a\.csv: column 3 has no name in the first row"):
            read(tmp_path / "a.csv", f"id,text,,person\n1,Dr Abel,{cell},p1\n2,Dr Cole,{cell},p2\n")
    with pytest.raises(InputError, match="column 1 has no name"):
        read(tmp_path / "a.csv", ",id,text,person\n41,1,Dr Abel,p1\n30,2,Dr Cole,p2\n")


@pytest.mark.parametrize(
    "content",
    [
        'id,person,text\nd1,p1,"Dr Abel\nd2,p2,Dr Cole\nd3,p3,Dr Quill"\nd4,p4,Dr Vane\n',
        'name,id,person,text\nAbel,x,p1,"Dr Abel\nCole,y,p2,Dr Cole"\nVane,z,p4,Dr Vane\n',
        'id;text;person\r\n7;Dr Abel;"p1\r\n8;Dr Cole;p2"\r\n9;Dr Vane;p4\r\n',
    ],
)
def test_a_stray_quote_does_not_swallow_rows(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.csv: record 1: .*a cell in quotes holds rows of the table"):
        read(tmp_path / "a.csv", content)


def test_lines_of_a_text_are_no_rows(tmp_path: Path) -> None:
    text = "Seen, heard, sent home.\nCalm, dry, clean.\n12 mg, twice, with food."
    assert read(tmp_path / "a.csv", f'id,text,person\nd1,"{text}",p1\n') == [("d1", text, "p1")]
    assert read(tmp_path / "a.csv", f'text,id,person\n"{text}",d1,p1\n') == [("d1", text, "p1")]
    assert read(tmp_path / "a.csv", 'id,text\n7,"Dose:\n10,5 mg"\n') == [("7", "Dose:\n10,5 mg", None)]


def test_names_of_columns_may_have_blanks_and_marks_around_them(tmp_path: Path) -> None:
    content = "\ufeff\ufeffid , text, person\n1,Dr Abel,p1\n2,Dr Cole,p2\n"
    assert read(tmp_path / "a.csv", content) == WANTED
    assert read(tmp_path / "a.tsv", "sep=\t\nid\ttext\tperson\n1\tDr Abel\tp1\n2\tDr Cole\tp2\n") == WANTED


ROWS = [{"id": "1", "text": "Dr Abel", "person": "p1"}, {"id": "2", "text": "Dr Cole", "person": "p2"}]


@pytest.mark.parametrize(
    "value", [ROWS, {"documents": ROWS}, {"meta": {"a": [1, {}]}, "tags": ["x"], "rows": ROWS, "n": 2}], ids=str
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_a_file_of_json_is_a_table(value: Any, packed: bool, tmp_path: Path) -> None:
    content = json.dumps(value, indent=1).encode()
    assert (
        read(tmp_path / ("a.json.gz" if packed else "a.json"), gzip.compress(content) if packed else content) == WANTED
    )
    (tmp_path / "p.json").write_bytes(content)
    assert [p.fields["text"] for p in read_profiles(tmp_path / "p.json")] == ["Dr Abel", "Dr Cole"]


@pytest.mark.parametrize(
    "content, said",
    [
        ('{"a": [{"id": 1}], "b": [{"id": 2}]}', "it holds several"),
        ('{"id": "Canarybird", "text": "x"}', "not a list of JSON objects"),
        ('"Canarybird"', "not a list of JSON objects"), ('[{"id": "Canarybird"', "not valid JSON"),
        ('[{"id": "1", "text": "x"}] Canarybird', "goes on after its end"), ("", "not a list"),
        ('[{"id": "1", "text": "Canarybird"} {}]', "not valid JSON"), ("[" * 100_000, "not valid JSON"),
        ('[{"id": 1, "id": 2}]', "the same key twice"), ('["Canarybird"]', "record 1: not a JSON object"),
        ('{"a" [{}]}', "not valid JSON"), ('[{"id": NaN}]', "not valid JSON"),
    ],
)  # fmt: skip
def test_json_that_is_no_table_is_refused_and_never_quoted(content: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path / "a.json", content)
    assert CANARY not in str(caught.value) and "a.json: record" in str(caught.value)


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=9), max_size=3), max_size=6))
def test_objects_come_one_by_one_as_json_itself_reads_them(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    patch = pytest.MonkeyPatch()
    with patch.context() as changed:
        changed.setattr(jsonrows, "_BLOCK", 7)
        assert [value for _, value in json_objects(path)] == rows


def test_a_value_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonrows, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(jsonrows, "_BLOCK", 100)
    with pytest.raises(InputError, match="record 2: longer than"):
        read(tmp_path / "a.json", json.dumps([{"id": "1", "text": "x"}, {"id": "2", "text": CANARY * 1000}]))


def test_values_are_found_by_their_path(tmp_path: Path) -> None:
    row = {"id": 7, "a.b": "plain", "note": {"text": "one"}, "parts": [{"text": "x"}, {"text": "y"}, {}], "n": {"m": 1}}
    assert [at_path(row, path) for path in ("a.b", "note.text", "parts.text", "n.m", "no", "no.way", "id.x")] == [
        "plain", "one", ["x", "y"], 1, None, None, None,
    ]  # fmt: skip
    columns = Columns(id="id", text=("note.text", "parts.text"), person="subject.id")
    (tmp_path / "a.jsonl").write_text(json.dumps(row | {"subject": {"id": "p1"}}))
    assert read_documents(tmp_path / "a.jsonl", columns) == [
        Document("7", "one\n\nx\n\ny", "p1", metadata={"a.b": "plain"})
    ]
    with pytest.raises(InputError, match=r"'note\.title': missing"):
        read_documents(tmp_path / "a.jsonl", Columns(text=("note.title",)))
