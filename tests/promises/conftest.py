"""Fixtures of the promise tests: a small town, and one release of it that many tests look at."""

from pathlib import Path

import pytest
from promise_support import FAST, Canaries, Files, write_canaries, write_town

from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.verbs.deidentify.files import Released, deidentify_files


@pytest.fixture(scope="session")
def town() -> Town:
    return fictional_town(people=30, seed=1)


@pytest.fixture(scope="session")
def town_files(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_town(tmp_path_factory.mktemp("town") / "input", town)


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret") / "key"
    path.write_text("0123456789abcdef" * 4 + "\n", encoding="ascii")
    path.chmod(0o600)
    return path


@pytest.fixture(scope="session")
def released(town_files: Files, key_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Released:
    """A small release; look at it, never change it."""
    return deidentify_files(
        make_job(
            town_files.documents,
            town_files.people,
            tmp_path_factory.mktemp("release") / "out",
            accept_risk="a test",
            masking=Deidentification(k=3),
            attackers=FAST,
            key=key_file,
        )
    )


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return write_canaries(tmp_path / "input")
