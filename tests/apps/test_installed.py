"""The command as it is installed."""

import os
import subprocess
import sys
from pathlib import Path

from made_files import write_town

from unname.knowledge.fictional import fictional_town

ROOT = Path(__file__).parents[2]


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("unname")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 0 and "unname" in done.stdout


def test_the_package_runs_as_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "unname", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("python -m unname, version ")


def test_worker_processes_find_the_package_where_the_user_stands_in_its_checkout(tmp_path: Path) -> None:
    documents, people = write_town(fictional_town(people=12, seed=5), tmp_path)
    command = [sys.executable, "-m", "unname", "deidentify", documents, "--people", people, "--out", tmp_path / "out",
               "--method", "greedy", "--reidentifiers", "bm25", "--k", "2", "--audit", "none", "--workers", "2",
               "--accept-risk", "a test"]  # fmt: skip
    ran = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
