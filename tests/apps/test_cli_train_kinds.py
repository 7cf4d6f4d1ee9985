"""Kinds that learn take parameters in parentheses, as every other part does."""

import json
from pathlib import Path

import pytest
from made_commands import Run, Town
from made_files import write_rows

from unname.testing import sample_notes

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {"id": d.id, "text": d.text, "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for d in sample_notes()
    ]
    return write_rows(tmp_path_factory.mktemp("annotated") / "notes.jsonl", rows)


def test_parameters_in_parentheses_are_those_of_the_options_and_are_recorded(
    annotated: Path, town: Town, run: Run, tmp_path: Path
) -> None:
    made = {"spec": ["crf(lean=3)"], "option": ["crf", "--lean", 3], "both": ["crf(lean=3)", "--lean", 7],
            "plain": ["crf"]}  # fmt: skip
    for name, kind in made.items():
        assert run("train", "tagger", annotated, "--kind", *kind, "--out", tmp_path / name).code == 0
        about = json.loads((tmp_path / name / "model.json").read_text("utf-8"))
        assert about["name"] == "crf.v1"
        assert about["spec"] == ("crf.v1" if name == "plain" else "crf.v1(lean=3)")
    weights = {name: (tmp_path / name / "weights.safetensors").read_bytes() for name in made}
    assert weights["spec"] == weights["option"] == weights["both"] != weights["plain"]
    command = ["deidentify", town.documents, "--people", town.people, "--k", 2, "--method", "tagged", "--audit", "none",
               "--tagger", tmp_path / "spec", "--out", tmp_path / "release", "--workers", 1]  # fmt: skip
    assert run(*command).code in (0, 3, 4)
    (manifest,) = tmp_path.glob("release.private/**/manifest.json")
    taggers = json.loads(manifest.read_text("utf-8"))["settings"]["taggers"]
    assert "crf.v1(lean=3)" in taggers


@pytest.mark.parametrize(
    "kind, said",
    [
        ("crf(leen=3)", "crf has no parameter leen; its parameters: lean"),
        ("crf(lean=three)", "lean must be a number"),
        ("svm(epochs=2)", "svm has no parameter epochs"),
        ("crf(lean=0)", "lean"),
        ("nosuch(lean=3)", "no such part"),
    ],
)
def test_what_a_kind_does_not_take_is_told(kind: str, said: str, annotated: Path, run: Run, tmp_path: Path) -> None:
    told = run("train", "tagger", annotated, "--kind", kind, "--out", tmp_path / "model")
    assert told.code == 2 and said in told.err and not (tmp_path / "model").exists()
