"""The command as it is installed."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder
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


def test_a_wheel_brings_the_package_alone() -> None:
    """Whatever else stands in a checkout would be a package of that name to everybody who installs this one."""
    files = [file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()]
    assert {name.partition("/")[0] for name in files} == {"unname"} and "unname/auditing/report.html" in files


def test_benchmarks_run_from_a_checkout() -> None:
    """They are no part of a wheel, but the documentation names them."""
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.adversary", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 and "usage" in ran.stdout, ran.stderr


def test_every_extra_brings_what_the_package_imports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "unname").rglob("*.py"))
    modules = packages_distributions()
    # That of benchmarks/entities is for making the shipped tagger anew, not for using it.
    beside = ("dev", "test", "entities")
    for extra, needed in project["optional-dependencies"].items():
        for name in (re.split(r"[>=\[]", one)[0] for one in needed if extra not in beside):
            # What is not installed here is called like its module.
            imported = [module for module, owners in modules.items() if name in owners] or [name.replace("-", "_")]
            assert any(re.search(rf"^\s*(?:import|from) {module}\b", sources, re.M) for module in imported), (
                extra,
                name,
            )
