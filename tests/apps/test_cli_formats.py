"""The commands read annotated corpora as they read tables."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from unname.apps import cli
from unname.knowledge.fictional import fictional_town
from unname.storage.formats import write_corpus
from unname.storage.tables import write_jsonl
from unname.types import Document, Span


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    """Notes whose white space columns can hold."""
    texts = [" ".join(d.text.split()) for d in fictional_town(people=30, seed=5).documents[:20]]
    first = [Span(0, text.index(" "), "X", "direct") for text in texts]
    return [Document(f"n{i:02}", text, spans=(span,)) for i, (text, span) in enumerate(zip(texts, first, strict=True))]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "people.jsonl"
    write_jsonl(path, [{"id": p.id, "fields": dict(p.fields)} for p in fictional_town(people=30, seed=5).profiles])
    return path


@pytest.mark.parametrize("format", ["i2b2", "meddocan", "brat", "conll", "tab"])
def test_a_corpus_is_read_as_the_same_documents_in_a_table(
    format: str, corpus: list[Document], people: Path, tmp_path: Path
) -> None:
    write_corpus(tmp_path / "corpus", corpus, format=format)
    write_jsonl(tmp_path / "table.jsonl", [{"id": d.id, "text": d.text} for d in corpus])
    said = []
    for name, options in [("corpus", ["--format", format]), ("table.jsonl", [])]:
        out = tmp_path / f"{name}.out"
        command = ["reidentify", str(tmp_path / name), *options, "--people", str(people), "--out", str(out)]
        assert cli.run(command) == 0
        said.append([{k: v["top"] for k, v in json.loads(line)["by"].items()} for line in out.open(encoding="utf-8")])
    assert said[0] == said[1] and len(said[0]) == len(corpus)


def test_bad_records_of_a_corpus_are_withheld_and_listed(
    corpus: list[Document], people: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "corpus"
    write_corpus(folder, corpus, format="brat")
    (folder / "n03.ann").write_text("T1\tX 0 1\tCanarybird\n", encoding="utf-8")
    command = ["deidentify",
             "--accept-risk", "a test",
             str(folder), "--format", "brat", "--people", str(people),
               "--k", "2", "--attackers", "bm25",
               "--reidentifiers", "bm25", "--ids", "keep", "--unknown-person", "floor-only",
               "--out", str(tmp_path / "out")]  # fmt: skip
    assert cli.run(command) == 1
    said = "".join(capfd.readouterr())
    assert "corpus: file 4 (of this format, in name order): field '.ann, line 1'" in said and "Canarybird" not in said
    assert cli.run([*command, "--withhold-bad"]) == 3
    released = [json.loads(line)["id"] for line in (tmp_path / "out" / "documents.jsonl").open(encoding="utf-8")]
    failures = [json.loads(line) for line in (tmp_path / "out.private" / "failures.jsonl").open(encoding="utf-8")]
    assert [f["record"] for f in failures if f["reason"] == "bad-record"] == [4]
    assert sorted([*released, *(f["id"] for f in failures if f["id"]), "n03"]) == [d.id for d in corpus]
    options = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["options"]
    assert options["columns"]["format"] == "brat"


def test_an_unknown_format_is_a_usage_error(people: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["reidentify", str(people), "--format", "word", "--people", str(people), "--out", str(tmp_path / "o")]
    assert cli.run(command) == 2 and "--format" in capfd.readouterr().err


def test_whom_a_document_of_a_corpus_is_about_may_stand_in_its_name(corpus: list[Document], tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    write_corpus(folder, corpus, format="brat")
    from unname.storage.documents import Columns, read_documents

    read = read_documents(folder, Columns(format="brat", person_pattern=r"n(\d+)"))
    assert [d.person for d in read] == [f"{number:02}" for number in range(20)]


def patients() -> list[tuple[str, str, str, str]]:
    """(given name, family name, record number, day of birth) of made-up people."""
    given, family = ["Alma", "Bruno", "Carla", "Dario", "Edda", "Fabian"], ["Abelsen", "Brandvik", "Corvin", "Dalgaard"]
    return [(given[i % 6], family[i % 4], str(7000000 + i * 7919), f"19{40 + i}-03-1{i % 9}") for i in range(12)]


def a_bundle(path: Path) -> None:
    entries: list[dict[str, object]] = []
    for number, (given, family, record, born) in enumerate(patients()):
        person = {"resourceType": "Patient", "id": f"p{number}", "name": [{"family": family, "given": [given]}],
                  "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": record}], "birthDate": born}  # fmt: skip
        data = base64.b64encode(f"Seen {given} {family}, record {record}. Slept well.".encode()).decode()
        note = {"resourceType": "DocumentReference", "id": f"d{number}", "subject": {"reference": f"Patient/p{number}"},
                "content": [{"attachment": {"contentType": "text/plain", "data": data}}]}  # fmt: skip
        entries += [{"resource": person}, {"resource": note}]
    path.write_text(json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}))


def some_messages(path: Path) -> None:
    segments = []
    for number, (given, family, record, born) in enumerate(patients()):
        segments += [
            rf"MSH|^~\&|A|B|C|D|2024||ORU|M{number:02}", f"PID|1||{record}||{family.upper()}^{given.upper()}||{born}|F",
            f"OBX|1|TX|||Seen {given} {family}, record {record}. Slept well.",
        ]  # fmt: skip
    path.write_text("\r".join(segments) + "\r")


@pytest.mark.parametrize("format, write", [("fhir", a_bundle), ("hl7", some_messages)])
def test_people_and_documents_come_from_one_file(format: str, write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / ("in.json" if format == "fhir" else "in.hl7")
    write(path)
    command = ["deidentify", str(path), "--format", format, "--people", str(path), "--method", "none", "--k", "2",
               "--audit", "none", "--accept-risk", "a test", "--out", str(tmp_path / "out")]  # fmt: skip
    assert cli.run(command) == 0
    released = (tmp_path / "out" / "documents.jsonl").read_text()
    assert released.count("Slept well") == 12
    assert not any(word in released for row in patients() for word in row)


def test_what_is_noticed_of_a_file_is_said_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes("id,text\n1,Frau Jördis Müllenbröck schläft schlecht und möchte nach Hause.\n".encode("cp1252"))
    assert cli.run(["tag", str(path), "--tagger", "rules", "--out", str(tmp_path / "out.jsonl")]) == 0
    assert capfd.readouterr().err.count("note: in.csv: is not UTF-8 and is read as cp1252") == 1
    path.write_bytes("id,text\n1,Groß\n".encode("cp850"))
    assert cli.run(["tag", str(path), "--tagger", "rules", "--out", str(tmp_path / "two.jsonl")]) == 1
    said = capfd.readouterr().err
    assert "its encoding cannot be told; it may be" in said and "--encoding" in said
