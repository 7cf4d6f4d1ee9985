"""A release with general values, by the command: they are true, withheld nowhere, and stated in masks and manifest."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MONTHS = ("March", "May", "July", "October")
PEOPLE = [
    {"id": f"p{i}", "code": f"x{i}", "born": f"{1940 + i % 40}-{3 + 2 * (i % 3):02d}-{1 + i % 28:02d}",
     "trade": ("nurse", "baker", "welder")[i % 3]} for i in range(120)
]  # fmt: skip


def _unname(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unname", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _rows(path: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}


def _text(person: dict[str, str]) -> str:
    year, month, day = map(int, person["born"].split("-"))
    return f"The {person['trade']}, born on {day} {MONTHS[(month - 3) // 2]} {year}, was seen by Dr Kern."


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The words of a command that masks thirty notes."""
    home = tmp_path_factory.mktemp("notes")
    (home / "people.json").write_text(json.dumps(PEOPLE))
    with (home / "notes.jsonl").open("w") as file:
        for person in PEOPLE[:30]:
            file.write(json.dumps({"id": f"n{person['id']}", "person": person["id"], "text": _text(person)}) + "\n")
    return ["deidentify", home / "notes.jsonl", "--people", home / "people.json", "--direct-only", "code", "--method",
            "greedy", "--k", "4", "--reidentifiers", "bm25", "--attackers", "bm25,facts", "--tagger", "rules",
            "--facts", "report", "--accept-risk", "test", "--transform", "generalise"]  # fmt: skip


@pytest.fixture(scope="module")
def made(asked: list[object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    ran = _unname(*asked, "--out", out / "one")
    assert ran.returncode == 0, ran.stderr
    return out


def test_general_values_are_true_and_in_the_masks(made: Path) -> None:
    texts = [row["text"] for row in _rows(made / "one" / "documents.jsonl").values()]
    assert len(texts) == 30
    masks = _rows(made / "one.private" / "masks.jsonl")
    levels = [(row["id"], span) for row in masks.values() for span in row["spans"] if span.get("level")]
    assert len(levels) >= 5, "hardly a value was made general"
    years = {f"n{person['id']}": int(person["born"][:4]) for person in PEOPLE}
    originals = {f"n{person['id']}": _text(person) for person in PEOPLE}
    released = {row["id"]: row["text"] for row in _rows(made / "one" / "documents.jsonl").values()}
    for name, span in levels:
        text = released[masks[name]["release_id"]]
        assert f"{years[name] // 10 * 10}s" in text or str(years[name]) in text
        assert originals[name][span["start"] : span["end"]] not in text


def test_the_same_key_makes_the_same_release(made: Path, asked: list[object], tmp_path: Path) -> None:
    assert _unname(*asked, "--key", made / "one.private" / "key", "--out", tmp_path / "again").returncode == 0
    first, again = (place / "documents.jsonl" for place in (made / "one", tmp_path / "again"))
    assert first.read_bytes() == again.read_bytes()
    report = json.loads((made / "one.private" / "report.json").read_text())
    assert report["crowds"]["below_k"] == 0
    assert report["recounted"] == 5
    assert "stand_ins" not in report
    levels = [s for row in _rows(made / "one.private" / "masks.jsonl").values() for s in row["spans"] if s.get("level")]
    assert report["readable"]["general"] == len(levels)
    page = (made / "one" / "report.html").read_text()
    assert f"{len(levels)} say something more general" in page


def test_an_earlier_release_is_not_continued(made: Path, asked: list[object], tmp_path: Path) -> None:
    ran = _unname(*asked, "--after", made / "one.private", "--out", tmp_path / "two")
    assert (ran.returncode, (tmp_path / "two").exists()) == (2, False)
    assert "continues no earlier release" in ran.stderr


def test_without_a_table_years_and_bands_are_left(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text(json.dumps({"id": "n", "text": "Seen on 3 May 1961, aged 47, by Dr Kern."}) + "\n")
    ran = _unname("deidentify", notes, "--people", "none", "--hide", "all", "--tagger", "rules", "--audit", "none",
                  "--accept-risk", "test", "--transform", "generalise", "--out", tmp_path / "out")  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert [row["text"] for row in _rows(tmp_path / "out" / "documents.jsonl").values()] == [
        "Seen on 1961, aged 40-49, by Dr [NAME]."
    ]


def test_a_hierarchy_that_is_not_there_is_refused(asked: list[object], tmp_path: Path) -> None:
    how = f"generalise(hierarchy={tmp_path}/nothing.csv)"
    ran = _unname(*asked[:-1], how, "--out", tmp_path / "out")
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr


def test_a_graph_of_values_says_trades_more_generally(asked: list[object], tmp_path: Path) -> None:
    trades = ("welder", "baker", "potter", "nurse", "judge")
    people = [{"id": f"p{i}", "code": f"x{i}", "trade": trades[i % 5]} for i in range(100)]
    (tmp_path / "people.json").write_text(json.dumps(people))
    rows = [{"id": p["id"], "person": p["id"], "text": f"The {p['trade']} was seen by Dr Kern."} for p in people[:8]]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    graph = tmp_path / "trades.tsv"
    graph.write_text("".join(f"{trade}\tsubclass of\tmaker\n" for trade in trades[:3]) + "maker\tP279\tworker\n")
    words = ["deidentify", tmp_path / "notes.jsonl", "--people", tmp_path / "people.json", *asked[4:-1]]
    words[words.index("4")] = 25
    ran = _unname(*words, f"generalise(hierarchy={graph})", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    texts = {row["text"] for row in _rows(tmp_path / "out" / "documents.jsonl").values()}
    assert texts == {"The maker was seen by Dr Kern.", "The [MASK] was seen by Dr Kern."}, (
        "twenty people have each trade"
    )
