"""`unname evaluate`: options reach the scores, results go to standard output, and faults stop it."""

import json
import stat
from pathlib import Path

import pytest

from unname.apps.cli import run

WITNESS = "Quenberta"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A corpus of two documents and what a tagger found in them."""
    rows = {
        "gold.jsonl": [
            {"id": "a", "text": f"{WITNESS}, 44", "spans": [{"start": 0, "end": 9, "label": "PATIENT"},
                                                         {"start": 11, "end": 13, "label": "AGE"}]},
            {"id": "b", "text": "On 2 May", "spans": [{"start": 3, "end": 8, "label": "IDNUM"}]},
        ],
        "found.jsonl": [
            {"id": "a", "spans": [{"start": 0, "end": 9, "label": "PATIENT", "score": 0.9}]}, {"id": "b", "spans": []},
        ],
    }  # fmt: skip
    for name, values in rows.items():
        (tmp_path / name).write_text("".join(json.dumps(v) + "\n" for v in values), encoding="utf-8")
    return tmp_path


def evaluated(files: Path, *more: str) -> int:
    return run(["evaluate", str(files / "found.jsonl"), "--gold", str(files / "gold.jsonl"), *more])


def test_the_table_has_every_score_and_the_headline_by_type(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(files) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["spans,", "2", "documents", "precision", "recall", "F1", "found", "false", "missed"]
    assert lines[1].split()[-3:] == ["1", "0", "2"]
    assert [line.split()[0] for line in lines[8:]] == ["AGE", "IDNUM", "PATIENT"]


@pytest.mark.parametrize("metric", ["spans", "i2b2", "meddocan", "tab"])
def test_json_is_all_of_it_and_nothing_else(metric: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(files, "--metric", metric, "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["metric"] == metric and not said.err


def test_options_reach_the_scores(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def missed(*more: str) -> int:
        assert evaluated(files, *more) == 0
        return int(json.loads(capsys.readouterr().out)["scores"][0]["total"]["fn"])

    assert missed("--json", "--metric", "i2b2") == 3
    assert missed("--json", "--metric", "i2b2", "--as-published") == 1
    assert (
        missed("--json", "--labels", "AGE,PATIENT") == missed("--json", "--labels", "AGE", "--labels", "PATIENT") == 1
    )
    settings = files / "some.toml"
    settings.write_text('metric = "i2b2"\nas-published = true\njson = true\n', encoding="utf-8")
    assert missed("--settings", str(settings)) == 1


def test_the_page_of_errors_is_written_for_its_owner_and_the_command_says_so(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = files / "errors.html"
    more = ["--errors", str(page), "--training", str(files / "gold.jsonl"), "--most-errors", "5", "--json"]
    assert evaluated(files, *more) == 0
    said = capsys.readouterr()
    assert "shows text of the documents; only you can read it" in said.err and json.loads(said.out)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600 and "2 May" in page.read_text(encoding="utf-8")
    assert WITNESS not in said.out + said.err
    assert evaluated(files, "--errors", str(page)) == 5


def test_exit_codes_say_what_went_wrong(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluated(files, "--metric", "tab", "--as-published") == 2
    assert evaluated(files, "--metric", "bleu") == 2
    assert evaluated(files, "--labels", "NOSUCH") == 1
    (files / "found.jsonl").write_text(json.dumps({"id": WITNESS, "spans": []}) + "\n", encoding="utf-8")
    assert evaluated(files) == 1
    said = capsys.readouterr().err
    assert "found.jsonl: record 1: field 'id'" in said and WITNESS not in said
