"""A time budget: what is left out for it is decided before the run, and said; the same without a budget gives the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from unname.auditing.left_out import LeftOut
from unname.errors import SettingsError
from unname.job import ALL, FAST, AuditPlan
from unname.knowledge.fictional import fictional_town
from unname.statistics import rate
from unname.verbs.deidentify.budget import planned
from unname.verbs.deidentify.estimate import Costs, Estimate

COSTS = Costs(index_s=10.0, each_s=0.1, documents=1000, team=1000, taught=True, halves=False)
ABOUT = Estimate(
    documents=1000, persons=400, people=5000, bad_records=0, unknown=0, sampled=100, masked=0.2, masked_ci=(0.1, 0.3),
    withheld=rate([0.0], ["a"]), index_bytes=1, costs=COSTS, rounds=3, workers=1,
)  # fmt: skip


def test_rounds_go_first_then_documents_to_try_then_attackers() -> None:
    plan, rest = AuditPlan(), 5.0
    made = list[tuple[int | None, int | None, bool]]()
    audits = (plan, plan, plan, AuditPlan(sample=500), AuditPlan(audit="quick", sample=500))
    for rounds, audit in zip((3, 1, None, None, None), audits, strict=True):
        most = COSTS.together_s(rounds, audit) + rest
        fits, left_out = planned(ABOUT, plan, most_s=most, spent_s=rest)
        assert fits == audit and left_out.estimated_s <= left_out.asked_s == round(most)
        made.append((left_out.rounds, left_out.audit_sample, left_out.quick))
    assert made == [(None, None, False), (1, None, False), (0, None, False), (0, 500, False), (0, 500, True)]
    with pytest.raises(SettingsError, match="would take about"):
        planned(ABOUT, plan, most_s=COSTS.together_s(None, AuditPlan(audit="quick", sample=500)) - 1)


def test_what_was_not_asked_for_is_not_left_out() -> None:
    none = AuditPlan(audit="none")
    _, left_out = planned(ABOUT, none, most_s=COSTS.together_s(None, none) + 1)
    assert (left_out.rounds, left_out.audit_sample, left_out.quick) == (0, None, False)
    few = AuditPlan(sample=100)
    fits, left_out = planned(ABOUT, few, most_s=COSTS.together_s(None, few) - 1)
    assert fits.attackers == FAST != ALL and (left_out.audit_sample, left_out.quick) == (None, True)


def test_the_line_says_how_to_do_the_same_without_a_budget() -> None:
    assert LeftOut(600, 300).said() == "Nothing was left out for a time budget of 10 min; the estimate was 5 min 0 s."
    said = LeftOut(600, 30, 0, 500, True).said()
    assert "rounds of masking, documents beyond 500" in said
    assert said.endswith("without a budget by --rounds 0 --audit-sample 500 --audit quick.")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The words of a command for 40 notes of a town."""
    home, town = tmp_path_factory.mktemp("budget"), fictional_town(people=40, seed=8)
    rows = [{"id": d.id, "person": d.person, "text": d.text} for d in town.documents[:40]]
    (home / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (home / "people.jsonl").write_text("".join(json.dumps({"id": p.id, **p.fields}) + "\n" for p in town.profiles))
    key = home / "key"
    key.write_text("7c" * 32 + "\n")
    key.chmod(0o600)
    return ["deidentify", home / "notes.jsonl", "--people", home / "people.jsonl", "--key", key, "--workers", "1"]


def _unname(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unname", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_run_with_a_budget_masks_what_its_plan_masks_without_one(asked: list[object], tmp_path: Path) -> None:
    few = ("--rounds", "0", "--audit", "quick")
    # So much time that no machine leaves anything out that is left out nowhere else.
    ran = _unname(*asked, "--out", tmp_path / "one", "--time-budget", "1h", "--k", "5", *few)
    assert ran.returncode == 4, ran.stderr
    private = tmp_path / "one.private"
    report = json.loads((private / "report.json").read_text())
    left_out = report["left_out"]
    assert left_out["asked_s"] == 3600 >= left_out["estimated_s"]
    assert json.loads((private / "held" / "manifest.json").read_text())["left_out"] == left_out
    line = LeftOut(**left_out).said()
    assert line in " ".join(ran.stdout.split()) and line in (private / "held" / "report.html").read_text()
    same = line.partition("without a budget by ")[2].rstrip(".").split()
    again = _unname(*asked, "--out", tmp_path / "two", "--k", "5", *few, *same)
    assert again.returncode == 4, again.stderr
    one, two = (tmp_path / f"{name}.private" / "held" / "documents.jsonl" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_budget_that_nothing_fits_is_refused_and_nothing_written(asked: list[object], tmp_path: Path) -> None:
    for more in (["--time-budget", "1s"], ["--time-budget", "soon"], ["--time-budget", "1s", "--dry-run"]):
        ran = _unname(*asked, "--out", tmp_path / "out", *more)
        assert ran.returncode == 2 and "time-budget" in ran.stderr
        assert not list(tmp_path.iterdir())
