"""A release with stand-ins, by the command: evidence counts none of them, and dates move together."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from unname.knowledge.fictional import fictional_town

VISITS = (("12 March 2019", "26 March 2019"), ("4 May 2018", "1 June 2018"), ("12 April 2019", "26 April 2019"))


def _unname(*words: object, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unname", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **more})


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The words of a command that masks three letters by names and rules."""
    home = tmp_path_factory.mktemp("letters")
    people = [{"id": p.id, **p.fields} for p in fictional_town(people=40, seed=3, noted=0).profiles]
    (home / "people.json").write_text(json.dumps(people))
    with (home / "letters.jsonl").open("w") as file:
        for person, (first, second) in zip(people, VISITS, strict=False):
            name = f"{person['given name']} {person['family name']}"
            text = (f"{name} was seen by Dr Vera Kern on {first} and on {second}. Mr Karl {person['family name']} drove. "
                    f"Since Christmas {person['given name']} walks with a stick.")  # fmt: skip
            file.write(json.dumps({"id": f"l{person['id']}", "person": person["id"], "text": text}) + "\n")
    return ["deidentify", home / "letters.jsonl", "--people", home / "people.json", "--method", "greedy", "--k", "2",
            "--reidentifiers", "bm25", "--attackers", "bm25,facts", "--tagger", "rules", "--accept-risk", "test"]  # fmt: skip


def _rows(path: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}


@pytest.fixture(scope="module")
def made(asked: list[object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    assert _unname(*asked, "--transform", "surrogate", "--out", out / "one").returncode == 0
    return out


def test_letters_read_on_and_dates_keep_their_distances(made: Path, asked: list[object]) -> None:
    texts = [row["text"] for row in _rows(made / "one" / "documents.jsonl").values()]
    originals = [json.loads(line) for line in Path(str(asked[1])).read_text().splitlines()]
    assert len(texts) == len(originals) == 3
    for original in originals:
        name = original["text"].partition(" was seen")[0]
        assert not any(word in text for text in texts for word in name.split())
    for text in texts:
        assert "[NAME]" not in text
        given_name, family = text.partition(" was seen")[0].split()
        assert f" {family} drove" in text
        assert f"Christmas {given_name} walks" in text
    assert not any(day in text for text in texts for pair in VISITS for day in pair)
    report = json.loads((made / "one" / "report.json").read_text())
    # Two of three people were seen again after two weeks, the third after four.
    assert report["moved_dates"] == {"people": 3, "alone": 1, "documents": 3, "holidays": 3}


def test_who_takes_stand_ins_for_words_is_not_the_one_who_counts(made: Path) -> None:
    report = json.loads((made / "one" / "report.json").read_text())
    figures = report["stand_ins"]
    assert figures["documents"] == 3
    assert max(figures["as_words"]["rate"], figures["as_gaps"]["rate"]) >= report["fused"]["after"]["rate"]
    assert "words that their originals do not have" in (made / "one" / "report.html").read_text()


def test_a_release_that_continues_keeps_its_stand_ins(made: Path, asked: list[object]) -> None:
    again = [*asked, "--transform", "surrogate", "--after", made / "one.private", "--out", made / "two"]
    assert _unname(*again).returncode == 0
    one, two = (_rows(made / name / "documents.jsonl") for name in ("one", "two"))
    assert one == two
    versions = (made / "two.private" / "versions.jsonl").read_text().splitlines()
    assert all("Christmas [MASK] walks" in json.loads(line)["earlier"][0] for line in versions)


def test_the_default_report_says_what_others_would_keep(asked: list[object], made: Path) -> None:
    assert _unname(*asked, "--out", made / "plain").returncode == 0
    report = json.loads((made / "plain" / "report.json").read_text())
    counts = report["readable"]
    assert 0 < counts["surrogate"] <= counts["numbered"] <= counts["stretches"]
    assert "--transform surrogate" in (made / "plain" / "report.html").read_text()
    assert "moved_dates" not in report
    assert "stand_ins" not in report


def test_an_audit_of_another_tool_reads_its_stand_ins_both_ways(asked: list[object], tmp_path: Path) -> None:
    rows = [json.loads(line) for line in Path(str(asked[1])).read_text().splitlines()]
    with (tmp_path / "foreign.jsonl").open("w") as file:
        for row in rows:
            name = row["text"].partition(" was seen")[0]
            file.write(json.dumps({"id": row["id"], "text": row["text"].replace(name, "Bertha Invented")}) + "\n")
    words = ["audit", tmp_path / "foreign.jsonl", "--original", asked[1], "--people", asked[3], "--attackers", "bm25"]
    assert _unname(*words, "--out", tmp_path / "audit").returncode == 0
    figures = json.loads((tmp_path / "audit" / "report.json").read_text())["stand_ins"]
    assert figures["documents"] == 3
    assert figures["as_gaps"]["n"] == figures["as_words"]["n"] == 3


def test_without_the_lists_the_command_says_what_to_install(asked: list[object], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'faker' else find(name, *a)\n"
    )
    ran = _unname(*asked, "--transform", "surrogate", "--out", tmp_path / "out", PYTHONPATH=str(tmp_path))
    assert ran.returncode == 1
    assert "pip install 'unname[surrogates]'" in ran.stderr
    assert not (tmp_path / "out").exists()
