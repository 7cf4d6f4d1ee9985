"""Hiding from static reidentifiers by command, taught by documents about people whom the table lacks, and the audit."""

import json
from pathlib import Path

import pytest
from made_commands import Run
from made_files import write_rows

from unname.inputs.training_documents import teaches_masking
from unname.knowledge.fictional import fictional_town
from unname.types import Document, Profile

K = 4


def _profiles(some: list[Profile]) -> list[dict[str, object]]:
    return [{"id": p.id, "fields": dict(p.fields)} for p in some]


def _rows(documents: list[Document]) -> list[dict[str, str | None]]:
    return [{"id": d.id, "person": d.person, "text": d.text} for d in documents]


@pytest.mark.usefixtures("short_training")
def test_statics_are_taught_by_documents_about_others_and_an_audit_reads_those_the_masking_did_not(
    run: Run, tmp_path: Path
) -> None:
    town = fictional_town(people=120, seed=7)
    asked = {p.id for p in town.profiles[:40]}
    mine, others = ([d for d in town.documents if (d.person in asked) == own] for own in (True, False))
    paths = {
        "mine": _rows(mine), "others": _rows(others), "people": _profiles([*town.profiles[:40]]),
        "beside": _profiles([*town.profiles[40:]]),
    }  # fmt: skip
    files = {name: write_rows(tmp_path / f"{name}.jsonl", rows) for name, rows in paths.items()}
    taught = ["--people", files["people"], "--training", files["others"], "--training-people", files["beside"]]
    out = tmp_path / "release"
    made = run("deidentify", files["mine"], *taught, "--k", K, "--audit", "quick", "--method", "composed", "--workers",
               1, "--reidentifiers", "bm25,ngrams,static,static-two", "--accept-risk", "a test", "--out", out)  # fmt: skip
    assert made.code in (0, 4), made.err
    private = tmp_path / "release.private"
    report = json.loads((private / "report.json").read_text())
    assert report["read"] == sum(not teaches_masking(d.person, 0) for d in others)
    attackers = {attacker["name"]: attacker for attacker in report["attackers"]}
    assert {"static.v1", "static-two.v1", "static.v1@release"} <= attackers.keys()
    assert all(attackers[name]["used"] for name in ("static.v1", "static-two.v1")) and report["recounted"] > 0
    released = [json.loads(line) for line in (out / "documents.jsonl").open(encoding="utf-8")]
    assert len(released) > len(mine) / 2
    again = run("audit", out, "--original", files["mine"], "--private", private, "--attackers", "bm25,static", *taught,
                "--others-private", "made up", "--out", tmp_path / "audit")  # fmt: skip
    assert again.code in (0, 4), again.err


def test_profiles_beside_the_table_must_say_something_that_the_table_says(run: Run, tmp_path: Path) -> None:
    town = fictional_town(people=20, seed=7)
    mine = write_rows(tmp_path / "mine.jsonl", _rows([d for d in town.documents if d.person == town.profiles[0].id]))
    people = write_rows(tmp_path / "people.jsonl", _profiles([*town.profiles]))
    beside = write_rows(tmp_path / "beside.jsonl", [{"id": "x", "fields": {"unheard of": "of"}}])
    made = run("deidentify", mine, "--people", people, "--training-people", beside, "--k", 2, "--out", tmp_path / "out")
    assert made.code == 1 and "no profile has a field of the table of people" in made.err
