"""Fixtures for command lines."""

import json

import pytest
from made_commands import Run, Said, Town

from unname.apps import cli
from unname.knowledge.fictional import fictional_town


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def go(*arguments: object) -> Said:
        capfd.readouterr()
        code = cli.run([str(a) for a in arguments])
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return go


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Town:
    folder, made = tmp_path_factory.mktemp("cli"), fictional_town(people=12, seed=5)
    documents = [json.dumps({"id": d.id, "text": d.text, "person": d.person, "split": "test" if i % 4 else "train"})
                 for i, d in enumerate(made.documents)]  # fmt: skip
    people = [json.dumps({"id": p.id, "fields": dict(p.fields)}) for p in made.profiles]
    (folder / "d.jsonl").write_text("\n".join(documents) + "\n", encoding="utf-8")
    (folder / "p.jsonl").write_text("\n".join(people) + "\n", encoding="utf-8")
    return Town(folder / "d.jsonl", folder / "p.jsonl")
