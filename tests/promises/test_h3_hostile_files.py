"""H3: hostile files end in a clear error that names record and field, quotes nothing, and costs little time and memory."""

import ast
import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from promise_support import STEM, canary
from pyarrow import parquet

import unname
from unname.apps import cli
from unname.storage.faults import LONGEST_RECORD

TEXT = canary("text")
PEOPLE = "".join(
    json.dumps({"id": f"p{i}", "fields": {"name": f"{canary('value', i)} Smith", "town": "York"}}) + "\n"
    for i in range(12)
)
GOOD = b'{"id": "a", "text": "fine", "person": "p0"}\n'
MAKE = Callable[[Path], Path]


def content(name: str, *parts: bytes, times: int = 1) -> MAKE:
    """A maker of a file of that name, zipped where it says so; the last part comes that many times."""

    def make(folder: Path) -> Path:
        with gzip.open(folder / name, "wb", 1) if name.endswith(".gz") else (folder / name).open("wb") as stream:
            stream.write(b"".join(parts))
            for _ in range(times - 1):
                stream.write(parts[-1])
        return folder / name

    return make


def line(**more: Any) -> bytes:
    return json.dumps({"id": "b", "text": TEXT, "person": "p1"} | more).encode() + b"\n"


def table(name: str, columns: dict[str, Any], change: Callable[[bytes], bytes] = lambda whole: whole) -> MAKE:
    """A maker of a Parquet file whose bytes are changed afterwards."""

    def make(folder: Path) -> Path:
        parquet.write_table(pa.table(columns), folder / name)
        (folder / name).write_bytes(change((folder / name).read_bytes()))
        return folder / name

    return make


def not_utf8() -> pa.Array:
    raw = pa.array([b"fine", TEXT.encode() + b"\xff"])
    return pa.StringArray.from_buffers(2, raw.buffers()[1], raw.buffers()[2])


START = b'{"id": "b", "person": "p1", "text": "' + TEXT.encode()
ROWS = {"id": ["a", "b"], "text": ["fine", TEXT * 200], "person": ["p0", "p1"]}
DEEP = b"[" * 100_000
HOSTILE: dict[str, tuple[MAKE, tuple[str, ...]]] = {
    "deep JSON": (content("d.jsonl", GOOD, b'{"id": "b", "x": ', DEEP, b"]" * 100_000, b"}\n"), ("record 2",)),
    "deep JSON, never closed": (content("d.jsonl", GOOD, DEEP, TEXT.encode()), ("record 2", "not valid JSON")),
    "deep objects": (content("d.jsonl", GOOD, b'{"a":' * 100_000 + b"1" + b"}" * 100_000), ("record 2",)),
    "a number of a million digits": (content("d.jsonl", GOOD, b'{"id": ', b"1" * 10**6, b"}\n"), ("record 2",)),
    "NaN": (content("d.jsonl", GOOD, b'{"id": "b", "text": "', TEXT.encode(), b'", "x": NaN}\n'), ("record 2",)),
    "Infinity": (content("d.jsonl", GOOD, b'{"id": Infinity, "text": "', TEXT.encode(), b'"}\n'), ("record 2",)),
    "a key twice": (content("d.jsonl", GOOD, START, b'", "text": "x"}\n'), ("record 2", "the same key twice")),
    "NUL in a text": (content("d.jsonl", GOOD, line(text=TEXT + "\0")), ("record 2", "'text'", "NUL")),
    "NUL in an id": (content("d.jsonl", GOOD, line(id=TEXT + "\0")), ("record 2", "'id'", "NUL")),
    "NUL bytes": (content("d.jsonl", GOOD, START, b'\0"}\n'), ("record 2", "not valid JSON")),
    "UTF-16": (content("d.jsonl", (GOOD + line()).decode().encode("utf-16")), ("record 1", "not UTF-8")),
    "Latin-1": (content("d.jsonl", GOOD, START, b' caf\xe9"}\n'), ("record 2", "not UTF-8")),
    "half a surrogate": (content("d.jsonl", GOOD, START, b'\\ud800"}\n'), ("record 2", "'text'", "surrogate")),
    "a surrogate in bytes": (content("d.jsonl", GOOD, START, b'\xed\xa0\x80"}\n'), ("record 2", "not UTF-8")),
    "a line of 100 MB": (
        content("d.jsonl", GOOD, START, b"x" * 10**6, times=100), ("record 2", "longer than 64 MiB")
    ),
    "a bomb of one line": (
        content("d.jsonl.gz", GOOD, START, bytes(10**6), times=400), ("record 2", "longer than 64 MiB")
    ),
    "a bomb of bad lines": (
        content("d.jsonl.gz", GOOD, (TEXT.encode() + b"\n") * 10**3, times=900),
        ("record 2", "not valid JSON", "more"),
    ),
    "CSV with an open quote": (
        content("d.csv", b"id,text,person\na,fine,p0\nb,\"", (TEXT.encode() + b"\n") * 10**5, times=110),
        ("record 2", "longer than"),
    ),
    "CSV with an open quote in one line": (
        content("d.csv", b"id,text,person\na,fine,p0\nb,\"", b"x" * 10**6, times=100), ("record 2", "longer than")
    ),
    "CSV with NUL": (
        content("d.csv", b"id,text,person\na,fine,p0\nb,", TEXT.encode(), b"\0,p1\n"), ("record 2", "'text'", "NUL")
    ),
    "CSV in half of UTF-16": (content("d.csv", f"id,text\na,{TEXT}\n".encode("utf-16")[:-1]), ("not utf-16",)),
    "CSV in UTF-16 with surrogates": (
        content("d.csv", f"id,text\na,{TEXT}".encode("utf-16-le"), b"\x00\xd8\x0a\x00"), ("not utf-16",)
    ),
    "Parquet that is text": (content("d.parquet", TEXT.encode() * 100), ("not a Parquet file",)),
    "Parquet that is cut": (table("d.parquet", ROWS, lambda whole: whole[: len(whole) // 2]), ("not a Parquet file",)),
    "Parquet with a lying footer": (
        table("d.parquet", ROWS, lambda whole: whole[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1"),
        ("not a Parquet file",),
    ),
    "Parquet with zeros within": (
        table("d.parquet", ROWS, lambda whole: whole[:20] + bytes(len(whole) - 400) + whole[-380:]), ("damaged",)
    ),
    "Parquet not UTF-8": (
        table("d.parquet", {"id": ["a", "b"], "text": not_utf8(), "person": ["p0", "p1"]}), ("record 2", "'text'")
    ),
    "Parquet of bytes": (
        table("d.parquet", ROWS | {"text": [b"fine", TEXT.encode()]}), ("record 1", "'text'", "must be text")
    ),
    "Parquet with NUL": (table("d.parquet", ROWS | {"text": ["x", TEXT + "\0"]}), ("record 2", "'text'", "NUL")),
}  # fmt: skip


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


def require_refused(code: int, said: str, name: str, parts: Iterable[str]) -> None:
    """The command ended with 1 and an error of ours that names the file and these parts, and quotes nothing."""
    assert code == 1 and "error:" in said and "unexpected" not in said, (
        f"must be a clear error, not {code}: {said[:300]}"
    )
    assert name in said and all(part in said for part in parts), said[:500]
    assert STEM not in said.casefold(), "content is quoted"
    assert len(said) < 5_000, "an error must be short"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_a_clear_error(
    name: str, people: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make, parts = HOSTILE[name]
    path = make(tmp_path)
    began = time.monotonic()
    code = cli.run(["deidentify", str(path), "--people", str(people), "--out", str(tmp_path / "out")])
    took = time.monotonic() - began
    require_refused(code, "".join(capfd.readouterr()), path.name, parts)
    assert took < 30, f"took {took:.0f} s"
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.private").exists()


@pytest.mark.parametrize(
    "name",
    ["deep JSON", "NUL in an id", "Latin-1", "a key twice", "a number of a million digits", "Parquet that is cut"],
)
def test_hostile_people_end_in_a_clear_error(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make, parts = HOSTILE[name]
    path = make(tmp_path)
    documents = tmp_path / "documents.jsonl"
    documents.write_bytes(GOOD)
    code = cli.run(["deidentify", str(documents), "--people", str(path), "--out", str(tmp_path / "out")])
    require_refused(code, "".join(capfd.readouterr()), path.name, parts)


READ = """
import sys, time
from pathlib import Path
from unname.errors import InputError
from unname.storage.documents import iter_documents
from unname.storage.faults import Faults
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) << 10
path = Path(sys.argv[1])
before = peak()
faults = Faults(path)
try:
    for _ in iter_documents(path, faults=faults):
        pass
    problem = faults.bad_records[0][2] if faults.bad_records else "none"
except InputError as error:
    problem = str(error)
print(peak() - before, problem)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("name", "records"),
    [
        ("a line of 100 MB", 2.5),
        ("a bomb of one line", 2.5),
        ("a bomb of bad lines", 3),
        ("CSV with an open quote", 12),  # the reader of the library takes four bytes a character, and doubles
        ("CSV with an open quote in one line", 2.5),
    ],
)
def test_memory_is_bounded_by_the_longest_record_there_may_be(name: str, records: float, tmp_path: Path) -> None:
    path = HOSTILE[name][0](tmp_path)
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
    grown, problem = done.stdout.split(" ", 1)
    assert "longer than" in problem or "not valid JSON" in problem
    assert int(grown) < records * LONGEST_RECORD, f"{int(grown) >> 20} MiB more than before"


def test_a_folder_with_pipes_devices_and_loops_is_refused_and_not_waited_for(
    people: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from unname.storage.documents import iter_documents
    from unname.storage.faults import Faults

    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("fine", encoding="utf-8")
    os.mkfifo(folder / "b.txt")
    (folder / "c.txt").symlink_to("c.txt")
    (folder / "d.txt").symlink_to("/dev/zero")
    (folder / "e.txt").symlink_to(people)
    (folder / f"{TEXT}.txt").write_bytes(b"\xff")
    faults = Faults(folder)
    assert [d.id for _, d in iter_documents(folder, faults=faults)] == ["a"]
    assert [number for number, _, _ in faults.bad_records] == [2, 3, 4, 5, 6]
    command = ["reidentify", str(folder), "--people", str(people), "--out", str(tmp_path / "out")]
    assert cli.run(command) == 1
    assert STEM not in "".join(capfd.readouterr())
    for name in ("pipe.jsonl", "pipe.csv", "pipe.parquet"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(unname.errors.InputError, match="no such file"):
            list(iter_documents(tmp_path / name, faults=Faults(tmp_path / name)))


# --- corpora in the formats of others

BOMB = (
    f'<!DOCTYPE deIdi2b2 [<!ENTITY a0 "{TEXT}">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    + "]><deIdi2b2><TEXT>&a11;</TEXT><TAGS/></deIdi2b2>"
)
OUTSIDE = '<!DOCTYPE deIdi2b2 [<!ENTITY a SYSTEM "file:///etc/passwd">]><deIdi2b2><TEXT>&a;</TEXT></deIdi2b2>'


def tar_of(name: str, *, kind: bytes = tarfile.REGTYPE, size: int = 0, whole: bool = True) -> MAKE:
    """A maker of an archive with an entry of that name; without `whole` its content and its end are missing."""

    def make(folder: Path) -> Path:
        entry = tarfile.TarInfo(name)
        entry.type, entry.size, entry.linkname = kind, size, "/etc/passwd"
        with gzip.open(folder / "c.tar.gz", "wb") as stream:
            stream.write(entry.tobuf(tarfile.GNU_FORMAT) + (bytes(10240) if whole else TEXT.encode()))
        return folder / "c.tar.gz"

    return make


CORPORA: dict[str, tuple[str, MAKE, tuple[str, ...]]] = {
    "a bomb of entities": ("i2b2", content("c.xml", BOMB.encode()), ("record 1", "DOCTYPE")),
    "an external entity": ("meddocan", content("c.xml", OUTSIDE.encode()), ("record 1", "DOCTYPE")),
    "deep XML": ("i2b2", content("c.xml", b"<deIdi2b2><TEXT>", b"<a>" * 10**5, times=100), ("record 1", "deeper")),
    "XML of 100 MB": (
        "i2b2", content("c.xml", b"<deIdi2b2><TEXT>", TEXT.encode() * 10**5, times=100), ("record 1", "64 MiB")
    ),
    "XML in UTF-16": ("i2b2", content("c.xml", TEXT.encode("utf-16")), ("record 1", "not UTF-8")),
    "a name that climbs": ("i2b2", tar_of(f"../{TEXT}.xml"), ("entry 1 leads out",)),
    "an absolute name": ("brat", tar_of(f"/{TEXT}.txt"), ("entry 1 leads out",)),
    "a link in an archive": ("brat", tar_of(f"{TEXT}.txt", kind=tarfile.SYMTYPE), ("entry 1 is no plain file",)),
    "a header of 10 GB": ("tab", tar_of(f"{TEXT}.json", size=10 << 30), ("holds more than",)),
    "a header of 1 GB": ("tab", tar_of(f"{TEXT}.json", size=1 << 30, whole=False), ("damaged",)),
    "an archive that is cut": ("conll", tar_of(f"{TEXT}.conll", size=99, whole=False), ("damaged",)),
    "deep JSON in a corpus": ("tab", content("c.json", DEEP, TEXT.encode()), ("record 1", "not valid JSON")),
    "columns without an end": ("conll", content("c.conll", TEXT.encode() * 10**5, times=100), ("longer than 64 MiB",)),
    "boxes without an end": (
        "wikibio", content("c.summary", TEXT.encode() * 10**5, times=100), ("longer than 64 MiB",)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CORPORA)
def test_a_hostile_corpus_ends_in_a_clear_error(
    name: str, people: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    format, make, parts = CORPORA[name]
    path = make(tmp_path)
    began = time.monotonic()
    arguments = ["reidentify", str(path), "--format", format, "--people", str(people), "--out", str(tmp_path / "out")]
    code = cli.run(arguments)
    require_refused(code, "".join(capfd.readouterr()), path.name, parts)
    assert time.monotonic() - began < 20
    assert {p.name for p in tmp_path.iterdir()} == {path.name, people.name}


# --- XML is parsed in one place, which is held to bombs and external entities above

XML = re.compile(r"xml|lxml|defusedxml|expat|bs4|html5lib")


def imported(source: str) -> Iterator[str]:
    """Names of the modules that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_one_file_of_ours_alone_imports_an_xml_parser() -> None:
    sources = sorted(Path(unname.__file__).parent.rglob("*.py"))
    assert len(sources) > 40
    found = [(p.name, name) for p in sources for name in imported(p.read_text("utf-8")) if XML.match(name)]
    assert found == [("i2b2.py", "xml.parsers")], (
        f"hold another XML parser to bombs and external entities here: {found}"
    )


def test_the_check_notices_an_xml_parser() -> None:
    names = imported("import xml.etree.ElementTree as e\nfrom lxml import etree\nfrom defusedxml import sax\nimport re")
    assert [bool(XML.match(name)) for name in names] == [True, True, True, False]


def test_the_check_notices_an_error_that_quotes() -> None:
    with pytest.raises(AssertionError, match="quoted"):
        require_refused(1, f"error: d.jsonl: record 2: not valid JSON: {TEXT}", "d.jsonl", ("record 2",))
    with pytest.raises(AssertionError, match="clear error"):
        require_refused(1, "error: unexpected RecursionError at unname/storage/rows.py:3", "d.jsonl", ())
