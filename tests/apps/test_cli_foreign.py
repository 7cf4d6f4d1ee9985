"""Taggers from elsewhere and spans that were handed in, on the command line."""

import json
import sys
from pathlib import Path

import pytest
from made_commands import Run

from unname.taggers.foreign import gliner, presidio

TEXT = "Seen by Dr. Ada Byron. Zorbax came along."


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"id": "a", "text": TEXT}) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    at = TEXT.index("Zorbax")
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps({"id": "a", "spans": [[at, at + 6, "Haustier"]]}) + "\n", encoding="utf-8")
    return path


def test_tag_takes_spans_beside_taggers_or_alone(run: Run, notes: Path, spans: Path, tmp_path: Path) -> None:
    label_map = tmp_path / "map.txt"
    label_map.write_text("Haustier=PET\n", encoding="utf-8")
    for name, more, labels in (
        ("both", ("--tagger", "rules"), ["NAME", "HAUSTIER"]),
        ("mapped", ("--label-map", label_map), ["PET"]),
    ):
        out = tmp_path / f"{name}.jsonl"
        done = run("tag", notes, "--spans", spans, *more, "--out", out)
        assert done.code == 0, done.err
        assert [span["label"] for span in json.loads(out.read_text("utf-8"))["spans"]] == labels


def test_what_makes_no_sense_is_told_and_nothing_is_written(run: Run, notes: Path, spans: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    for more, said in (
        ((), "name at least one tagger, such as rules or entities, or hand in spans"),
        (("--tagger", "rules", "--label-map", spans), "label-map is for taggers from elsewhere"),
        (("--tagger", "spacy"), "spacy:NAME"),
        (("--tagger", "nothing"), "nor one from elsewhere"),
        (("--tagger", "presidio:xx"), ""),
        (("--tagger", f"hf:{tmp_path}"), ""),
    ):
        done = run("tag", notes, *more, "--out", out)
        assert done.code in (1, 2) and said in done.err and not out.exists(), more
        assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "library, name", [("spacy", "spacy:x"), ("presidio_analyzer", "presidio"), ("gliner", "gliner:x")]
)
def test_a_library_that_is_not_installed_is_named(
    library: str, name: str, run: Run, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    presidio.pipelines.cache_clear()
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(gliner, "require_sound", lambda folder: None)
    done = run("tag", notes, "--tagger", name, "--out", tmp_path / "out.jsonl")
    assert done.code == 1 and f"pip install '{library.replace('_', '-')}'" in done.err
    presidio.pipelines.cache_clear()
