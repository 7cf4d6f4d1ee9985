"""A verb is a folder: the command line takes what is there, and misses nothing of a verb that is gone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_files import write_town

import unname
from unname.apps.cli import cli
from unname.knowledge.fictional import fictional_town

VERBS = Path(unname.__file__).parent / "verbs"
# Those that another verb, or the public surface of the package, uses.
USED = {"audit", "deidentify", "demo", "evaluate", "index", "reidentify"}


def folders() -> set[str]:
    return {path.parent.name for path in VERBS.glob("*/command.py")}


def test_every_folder_of_the_verbs_brings_the_command_of_its_name() -> None:
    assert folders() == set(cli.commands) == {path.parent.name for path in VERBS.glob("*/__init__.py")}


@pytest.fixture(scope="module")
def without_guess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that has no verb `guess`."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(VERBS.parent, root / "unname", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(root / "unname" / "verbs" / "guess")
    return root


def run(root: Path, *words: object) -> str:
    """What a command of a copy says; it is that copy which runs."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "unname", *map(str, words)]
    return subprocess.run(command, cwd=root.parent, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_verb_whose_folder_is_deleted_is_gone_and_the_others_work(without_guess: Path, tmp_path: Path) -> None:
    shown = run(without_guess, "--help")
    assert "\n  guess " not in shown and "\n  reidentify " in shown
    documents, people = write_town(fictional_town(people=12, seed=5), tmp_path)
    run(without_guess, "reidentify", documents, "--people", people, "--out", tmp_path / "who.jsonl")
    assert (tmp_path / "who.jsonl").read_text(encoding="utf-8").count("\n") >= 12


def test_no_verb_needs_one_that_nothing_uses(without_guess: Path) -> None:
    for name in folders() - USED - {"guess"}:
        shutil.rmtree(without_guess / "unname" / "verbs" / name)
    shown = run(without_guess, "--help")
    assert all(f"\n  {name} " in shown for name in USED) and "\n  sanitize " not in shown
