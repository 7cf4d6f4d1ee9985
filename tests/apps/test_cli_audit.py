"""`unname audit` with what is known beside the release: options reach the audit, and faults stop it."""

import json
from pathlib import Path

import pytest
from made_files import write_rows, write_town

from unname.apps.cli import run
from unname.knowledge.fictional import fictional_town

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Documents, people and a release of forty people, and an earlier one."""
    town = fictional_town(people=40, seed=6)
    write_town(town, tmp_path)
    write_rows(tmp_path / "now.jsonl", [{"id": d.id, "text": d.text[:20], "year": 2020} for d in town.documents])
    write_rows(tmp_path / "old.jsonl", [{"id": d.id, "text": d.text} for d in town.documents])
    return tmp_path


def audited(files: Path, *more: str) -> int:
    """Exit code of an audit."""
    return run(
        ["audit", str(files / "now.jsonl"), "--original", str(files / "documents.jsonl"),
         "--people", str(files / "people.jsonl"), "--out", str(files / "out"), "--attackers", "bm25,names",
         "--used", "bm25", "--k", "3", *more]
    )  # fmt: skip


def test_options_reach_the_audit(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people, old = str(files / "people.jsonl"), str(files / "old.jsonl")
    more = ["--attacker-people", people, "--previous", old, "--sensitive", "sex,village", "--sensitive", "hobby"]
    assert audited(files, *more) == 0
    report = json.loads((files / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["attacker_people"] == 40 and report["kept"]["columns"] == ["year"]
    assert report["previous"]["releases"] == 1
    assert [row["field"] for row in report["sensitive"]] == ["sex", "village", "hobby"]
    assert "Worse with 1 earlier release" in capsys.readouterr().out


def test_the_terminal_says_that_documents_a_release_lacks_count_as_withheld(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (files / "now.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (files / "now.jsonl").write_text("".join(lines[:15]), encoding="utf-8")
    assert audited(files) == 0
    told = f"15 of {len(lines)} documents are in the release; the other {len(lines) - 15} count as withheld"
    assert told in " ".join(capsys.readouterr().out.split())


def test_wrong_names_are_usage_errors_that_say_what_is_known(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audited(files, "--sensitive", "nosuch") == 2
    said = capsys.readouterr().err
    assert "nosuch" in said and "village" in said
    assert audited(files, "--previous-private", str(files)) == 2
    assert "previous release" in capsys.readouterr().err
    assert not (files / "out").exists()


def test_a_settings_file_may_hold_them(files: Path) -> None:
    settings = files / "audit.toml"
    settings.write_text(f'sensitive = "sex,village"\nprevious = "{files / "old.jsonl"}"\n', encoding="utf-8")
    assert audited(files, "--settings", str(settings)) == 0
    report = json.loads((files / "out" / "report.json").read_text(encoding="utf-8"))
    assert len(report["sensitive"]) == 2 and report["previous"]["releases"] == 1


def test_why_nobody_outside_holds_documents_of_others_reaches_report_and_page(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audited(files, "--others-private", " the <b>ward</b> keeps them ") == 0
    report = json.loads((files / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["read"] == 0 and report["others_private"] == "the <b>ward</b> keeps them"
    said = "Nobody outside is said to hold documents about other people: the"
    assert f"{said} <b>ward</b> keeps them." in " ".join(capsys.readouterr().out.split())
    page = (files / "out" / "report.html").read_text(encoding="utf-8")
    assert f"{said} &lt;b&gt;ward&lt;/b&gt; keeps them." in page and "beside these" in page
    assert audited(files, "--replace") == 0
    assert "others_private" not in json.loads((files / "out" / "report.json").read_text(encoding="utf-8"))
