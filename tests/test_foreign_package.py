"""A package of somebody else, installed with parts of every kind: the command line lists them and works with them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from promises.made_registry import notes, registry, write

from unname.testing import sample_notes

SOURCE = Path(__file__).parent / "foreign_package"
UNNAME = str(Path(sys.executable).with_name("unname"))
PEOPLE = registry()[:40]
WORKERS = ("--workers", "2")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment in which the package is installed, by pip, from its own pyproject."""
    folder = tmp_path_factory.mktemp("foreign")
    shutil.copytree(SOURCE, folder / "source")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", folder / "site", folder / "source"],
        check=True, capture_output=True,
    )  # fmt: skip
    return {**os.environ, "PYTHONPATH": str(folder / "site"), "COLUMNS": "200"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Notes about people, and the people."""
    return write(tmp_path_factory.mktemp("registry"), PEOPLE, notes(PEOPLE))


def run(environment: Mapping[str, str], *words: object, code: int = 0) -> str:
    """What the installed command prints, errors included; its exit code must be the one given."""
    done = subprocess.run(
        [UNNAME, *map(str, words)], env=dict(environment), capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def deidentify(environment: Mapping[str, str], files: tuple[Path, Path], out: Path, *more: object) -> str:
    """A small release in which a part of the package takes part."""
    return run(environment, "deidentify", files[0], "--people", files[1], "--out", out, "--k", 2, "--facts", "report",
               "--accept-risk", "a test", *more)  # fmt: skip


def read_rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_parts_of_another_package_are_listed_and_offered(installed: Mapping[str, str]) -> None:
    listed = run(installed, "methods")
    for name in ("foreign-order.v1", "foreign.v1", "foreign-words.v1"):
        assert name in listed
    assert "letters=8: Letters of a word that is hidden." in listed
    assert "pip install library_of_nobody" in listed and "pip install 'foreign-unname[model]'" in listed
    assert "collapse|delete|foreign|generalise|numbered|redact" in run(installed, "deidentify", "--help")
    assert "foreign-words" in run(installed, "train", "tagger", "--help")


def test_its_parts_mask_and_attack_in_several_processes(
    installed: Mapping[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    deidentify(installed, files, tmp_path / "out", "--method", "foreign-order(letters=6)", "--transform", "foreign",
               "--tagger", "rules", "--reidentifiers", "bm25,foreign", "--attackers", "bm25,foreign", *WORKERS)  # fmt: skip
    texts = [str(row["text"]) for row in read_rows(tmp_path / "out" / "documents.jsonl")]
    assert len(texts) == len(PEOPLE) and all("[STARS]" in text for text in texts)
    assert not any(len(word) >= 6 for text in texts for word in text.split() if word.isalpha())
    masks = (tmp_path / "out.private" / "masks.jsonl").read_text("utf-8")
    assert "foreign-order.v1" in masks
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["method"] == "foreign-order.v1(letters=6)"
    assert manifest["settings"]["reidentifiers"] == ["bm25.v1", "foreign.v1"]
    report = json.loads((tmp_path / "out.private" / "report.json").read_text("utf-8"))
    assert [row["title"] for row in report["attackers"] if row["name"] == "foreign.v1"] == ["Shared words, counted"]


def test_its_tagger_hides_what_it_finds(installed: Mapping[str, str], files: tuple[Path, Path], tmp_path: Path) -> None:
    deidentify(installed, files, tmp_path / "out", "--tagger", "foreign", "--reidentifiers", "bm25", "--rounds", 0,
               "--audit", "none", *WORKERS)  # fmt: skip
    texts = [str(row["text"]) for row in read_rows(tmp_path / "out" / "documents.jsonl")]
    assert all("[CODE]" in text and "morning" not in text for text in texts)


def test_its_attacker_is_tried_on_a_release_of_any_tool(
    installed: Mapping[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    run(installed, "audit", files[0], "--original", files[0], "--people", files[1], "--attackers", "foreign", "--out",
        tmp_path / "audit", *WORKERS)  # fmt: skip
    report = json.loads((tmp_path / "audit" / "report.json").read_text("utf-8"))
    assert [row["title"] for row in report["attackers"]] == ["Shared words, counted"]


def test_an_attacker_that_cannot_be_used_is_left_out_and_the_verdict_says_so(
    installed: Mapping[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    said = run(installed, "audit", files[0], "--original", files[0], "--people", files[1], "--audit", "quick", "--out",
               tmp_path / "audit", *WORKERS)  # fmt: skip
    report = json.loads((tmp_path / "audit" / "report.json").read_text("utf-8"))
    assert list(report["not_usable"]) == ["foreign-lacking"]
    assert "pip install library_of_nobody" in report["not_usable"]["foreign-lacking"]
    assert any("foreign-lacking" in line for line in report["headline"]["why"])
    assert "An attacker was left out that may find many more: foreign-lacking" in " ".join(said.split())
    assert "foreign-lacking" in (tmp_path / "audit" / "report.html").read_text("utf-8")


def test_its_attacker_joins_the_quick_set_and_the_rounds(installed: Mapping[str, str]) -> None:
    program = "from unname.attacking.choice import quick, serving; print(quick(), serving(()))"
    said = subprocess.run(
        [sys.executable, "-c", program], env=dict(installed), capture_output=True, text=True, check=True
    )
    assert said.stdout.count("'foreign'") == 2
    here = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "foreign" not in here.stdout


def test_its_kind_of_tagger_learns_and_is_used_from_its_folder(installed: Mapping[str, str], tmp_path: Path) -> None:
    rows = [
        {"id": d.id, "text": d.text, "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for d in sample_notes()
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(installed, "train", "tagger", corpus, "--kind", "foreign-words", "--out", tmp_path / "model")
    run(installed, "tag", corpus, "--tagger", tmp_path / "model", "--out", tmp_path / "found.jsonl")
    assert all(row["spans"] for row in read_rows(tmp_path / "found.jsonl"))
    refused = run(installed, "train", "tagger", corpus, "--kind", "foreign-words", "--epochs", 3, "--out",
                  tmp_path / "other", code=2)  # fmt: skip
    assert "foreign-words tagger has no use for epochs" in refused


@pytest.mark.parametrize(
    "name, advice",
    [("foreign-lacking", "pip install library_of_nobody"), ("foreign-asking", "pip install 'foreign-unname[model]'")],
)
def test_a_part_whose_library_is_missing_says_what_to_install(
    name: str, advice: str, installed: Mapping[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    said = run(installed, "tag", files[0], "--tagger", name, "--out", tmp_path / "found.jsonl", code=1)
    assert advice in said.replace("\n", " ") and not (tmp_path / "found.jsonl").exists()
