"""C7: nothing goes out unprotected unsaid. Each mistake of a first-time user stops the run or keeps the release private."""

import json
from pathlib import Path
from typing import Any

import pytest
from promise_support import Files

from unname.apps import cli

HELD, WRONG, USAGE = 4, 1, 2


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str]) -> Any:
    def go(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = cli.run([str(word) for word in words])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return go


def people_of(files: Files, path: Path, change: Any) -> Path:
    rows = [json.loads(line) for line in files.people.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(change(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def base(documents: Path, people: Path, out: Path, *more: object) -> list[object]:
    return ["deidentify", documents, "--people", people, "--out", out, "--k", "2", "--reidentifiers", "bm25",
            "--attackers", "quick", "--workers", "1", *more]  # fmt: skip


def test_no_direct_field_known(town_files: Files, tmp_path: Path, said: Any) -> None:
    def quasi(row: Any) -> Any:
        return {"id": row["id"], "fields": {n: v for n, v in row["fields"].items() if n in ("village", "occupation")}}

    people = people_of(town_files, tmp_path / "p.jsonl", quasi)
    code, _, err = said(*base(town_files.documents, people, tmp_path / "out"))
    assert code == USAGE and "--direct none" in err and not (tmp_path / "out").exists()
    code, out, _ = said(*base(town_files.documents, people, tmp_path / "out", "--direct", "none"))
    assert "No field of the people table counts as a name" in out.split("found at the first guess")[0], (
        "the first lines say so"
    )


def test_no_person_matched(town_files: Files, tmp_path: Path, said: Any) -> None:
    code, _, err = said(*base(town_files.documents, town_files.people, tmp_path / "out", "--person-column", "who"))
    assert code == WRONG and "no document's person is in the people table" in err and "given name" in err
    code, out, _ = said(*base(town_files.documents, town_files.people, tmp_path / "out", "--person-column", "who",
                              "--unknown-person", "floor-only"))  # fmt: skip
    assert code == HELD and out.lstrip().startswith("Not measured") and not (tmp_path / "out").exists()


def test_duplicates_in_the_population(town_files: Files, tmp_path: Path, said: Any) -> None:
    rows = [json.loads(line) for line in town_files.people.read_text("utf-8").splitlines()]
    again = [{"id": f"again-{i}", "fields": rows[0]["fields"] | {"ward": str(i)}} for i in range(12)]
    people = tmp_path / "p.jsonl"
    people.write_text("".join(json.dumps(row) + "\n" for row in [*rows, *again]), encoding="utf-8")
    code, _, err = said(*base(town_files.documents, people, tmp_path / "out"))
    assert code == WRONG and "12 of 42 profiles" in err and "--duplicates merge" in err


def test_a_weak_audit_and_a_risk_above_the_limit(town_files: Files, tmp_path: Path, said: Any) -> None:
    code, out, _ = said(*base(town_files.documents, town_files.people, tmp_path / "a", "--max-risk", "100%"))
    assert code == HELD and "Weak evidence" in out and "fewer than 50" in out and not (tmp_path / "a").exists()
    code, out, _ = said(
        *base(town_files.documents, town_files.people, tmp_path / "b", "--method", "none", "--max-risk", "1%")
    )
    assert code == HELD and "Not yet" in out and not (tmp_path / "b").exists()


def test_persons_that_are_not_those_of_the_texts(town_files: Files, tmp_path: Path, said: Any) -> None:
    rows = [json.loads(line) for line in town_files.documents.read_text("utf-8").splitlines()]
    persons = sorted({row["person"] for row in rows})
    turned = dict(zip(persons, persons[7:] + persons[:7], strict=True))
    documents = tmp_path / "d.jsonl"
    documents.write_text(
        "".join(json.dumps(r | {"person": turned[r["person"]]}) + "\n" for r in rows), encoding="utf-8"
    )
    code, out, _ = said(*base(documents, town_files.people, tmp_path / "out"))
    assert code == HELD and "Even in the originals attackers find only" in out and "--person-column" in out
