"""A folder for attackers outside: all that they need, nothing of the originals, and guesses that come back."""

import json
import stat
from pathlib import Path

import pytest

from unname.errors import StateError
from unname.knowledge.fictional import Town, fictional_town
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.options import make_audit_job
from unname.verbs.export.run import export_for_attack


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=60, seed=4)


@pytest.fixture
def files(town: Town, tmp_path: Path) -> tuple[Path, Path, Path]:
    """Documents, people, and a release that keeps a third of the words and a column."""
    documents, people, released = (tmp_path / f"{name}.jsonl" for name in ("documents", "people", "released"))
    rows = {
        documents: [{"id": d.id, "person": d.person, "text": d.text} for d in town.documents],
        people: [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles],
        released: [{"id": d.id, "text": " ".join(d.text.split()[::3]), "ward": "north"} for d in town.documents],
    }
    for path, held in rows.items():
        path.write_text("".join(json.dumps(row) + "\n" for row in held), encoding="utf-8")
    return documents, people, released


def test_what_is_exported_can_be_attacked_and_the_guesses_are_scored(
    files: tuple[Path, Path, Path], town: Town, tmp_path: Path
) -> None:
    documents, people, released = files
    out = tmp_path / "attack"
    assert export_for_attack(released, people, out) == len(town.documents)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    texts = [json.loads(line) for line in (out / "documents.jsonl").read_text(encoding="utf-8").splitlines()]
    known = [json.loads(line) for line in (out / "people.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in known] == [p.id for p in town.profiles]
    assert all(set(row) == {"id", "text"} and row["text"].endswith("\n\nnorth") for row in texts)
    # An attacker of a few lines: whose given name stands in the text?
    guesses = tmp_path / "guesses.jsonl"
    with guesses.open("w", encoding="utf-8") as file:
        for row in texts:
            words = set(row["text"].split())
            scores = {p["id"]: len(words & set(" ".join(p["fields"].values()).split())) for p in known}
            best = max(scores, key=lambda person: scores[person])
            file.write(json.dumps({"id": row["id"], "person": [[best, scores[best]]]}) + "\n")
    job = make_audit_job(released, documents, people, tmp_path / "audit", attackers=("bm25",), guesses=guesses)
    report = audit_files(job)
    found = next(a for a in report.attackers if a.name == "guesses").after
    assert found.rate is not None and found.rate > 0.1 and found.n == len(town.documents)


def test_nothing_is_written_over(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    _, people, released = files
    (tmp_path / "attack").mkdir()
    (tmp_path / "attack" / "mine.txt").write_text("mine")
    for replace in (False, True):
        with pytest.raises(StateError):
            export_for_attack(released, people, tmp_path / "attack", replace=replace)
    assert (tmp_path / "attack" / "mine.txt").read_text() == "mine"
