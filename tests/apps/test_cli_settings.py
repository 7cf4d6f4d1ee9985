"""Settings files: what they may hold, and that the command line wins over the file and the file over the default."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_commands import Run, Town

from unname.errors import InputError
from unname.job import Job
from unname.verbs.audit import files as audited
from unname.verbs.audit.options import AuditJob
from unname.verbs.deidentify import files as release


@pytest.fixture
def manifest(run: Run, town: Town, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The settings of a release made with these options."""
    made: list[Path] = []

    def go(*options: object) -> dict[str, Any]:
        made.append(tmp_path / f"out{len(made)}")
        said = run(*town.plainly(made[-1], "--attackers", "bm25,facts", *options))
        assert said.code in (0, 3), said.err
        return dict(json.loads((made[-1] / "manifest.json").read_text(encoding="utf-8"))["settings"])

    return go


def test_the_command_line_wins_over_the_file_and_the_file_over_the_default(
    manifest: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        'k = 3\nseed = 7\ntransform = "collapse"\nkeyed-target = false\ngive_back = false\n'
        'reidentifiers = ["bm25"]\ntarget-span = 2.5\n',
        encoding="utf-8",
    )
    found = manifest("--settings", file, "--seed", "8", "--give-back", "--limit", "6")
    assert found["seed"] == 8 and found["method"] == "adaptive.v1(give_back=true)", "the command line wins"
    assert (found["k"], found["keyed_target"], found["target_span"]) == (3, False, 2.5), "the file comes next"
    assert found["transform"] == "collapse.v1" and found["reidentifiers"] == ["bm25.v1"]
    assert found["protect"] == "subject", "the default comes last"


def test_no_reidentifier_is_too_few(run: Run, town: Town, tmp_path: Path) -> None:
    said = run(*town.plainly(tmp_path / "out", "--reidentifiers", ","))
    assert said.code == 2 and "at least one reidentifier" in said.err


NAMES = {
    "given twice": (["--hide", "VILLAGE", "--hide", "age", "--direct", "phone", "--direct", "record number"], ""),
    "with commas": (["--hide", "VILLAGE,age", "--direct", "phone, record number"], ""),
    "both": (["--hide", "VILLAGE,", "--hide", "age,VILLAGE", "--direct", "phone,record number"], ""),
    "in the file": ([], 'hide = ["VILLAGE", "age"]\ndirect = "phone,record number"\n'),
    "in the file, which the command line wins over": (["--hide", "VILLAGE,age"],
                                                      'hide = ["url"]\ndirect = ["phone", "record number"]\n'),
}  # fmt: skip


@pytest.mark.parametrize("how", NAMES)
def test_several_names_mean_the_same_however_they_are_given(
    how: str, run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Job] = []

    def ask(job: Job) -> None:
        asked.append(job)
        raise InputError("asked")

    monkeypatch.setattr(release, "deidentify_files", ask)
    words, settings = NAMES[how]
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    fields = ["--without-fields", "street", "--without-fields", "village", "--sensitive", "a,b", "--sensitive", "c"]
    run(*town.deidentify(tmp_path / "out", *words, *fields, "--settings", tmp_path / "settings.toml"))
    [job] = asked
    assert (job.masking.hide, job.masking.direct) == (("VILLAGE", "age"), ("phone", "record number"))
    assert job.masking.reidentifiers == ("bm25",) and job.audit.attackers == ("bm25", "facts")
    assert job.source.without_fields == ("street", "village") and job.audit.sensitive == ("a", "b", "c")


@pytest.mark.parametrize(
    ("words", "used"), [([], None), (["--used", ""], ()), (["--used", "bm25", "--used", "ngrams"], ("bm25", "ngrams"))]
)
def test_that_nothing_served_is_not_the_same_as_nothing_said(
    words: list[str], used: object, run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def ask(job: AuditJob) -> None:
        asked.append(job.release.used)
        raise InputError("asked")

    monkeypatch.setattr(audited, "audit_files", ask)
    run("audit", town.documents, "--original", town.documents, "--people", town.people, "--out", tmp_path / "a", *words)
    assert asked == [used]


def test_required_options_may_stand_in_the_file(run: Run, town: Town, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'people = "{town.people}"\nout = "{tmp_path / "who.jsonl"}"\ntop = 2\n', encoding="utf-8")
    assert run("reidentify", town.documents, "--settings", file).code == 0
    rows = [json.loads(line) for line in (tmp_path / "who.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(town.documents.read_text(encoding="utf-8").splitlines())
    assert {len(by["top"]) for row in rows for by in row["by"].values()} == {2}


def test_a_list_in_the_file_may_stand_for_an_option_that_repeats(run: Run, town: Town, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in town.documents.read_text("utf-8").splitlines()][:4]
    split = tmp_path / "split.jsonl"
    split.write_text(
        "".join(json.dumps({"id": r["id"], "person": r["person"], "a": r["text"], "b": "end"}) + "\n" for r in rows),
        encoding="utf-8",
    )
    for number, value in enumerate(('["a", "b"]', '"a"')):
        file = tmp_path / f"settings{number}.toml"
        file.write_text(f"text-column = {value}\n", encoding="utf-8")
        out = tmp_path / f"out{number}"
        said = run(*Town(split, town.people).deidentify(out, "--settings", file))
        assert said.code == 0, said.err
        texts = [json.loads(line)["text"] for line in (out / "documents.jsonl").read_text("utf-8").splitlines()]
        assert [("\n\n" in text[-12:]) for text in texts] == [number == 0] * 4


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("nonsense = 1\n", 2),
        ('method = "nonsense"\n', 2),
        ('k = "many"\n', 2),
        ("k = 0\n", 2),
        ("[deidentify]\nk = 3\n", 2),
        ("k = \n", 1),
        ("\xff", 1),
    ],
)
def test_a_bad_settings_file_is_refused(content: str, code: int, run: Run, town: Town, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(content, encoding="latin-1")
    said = run(*town.plainly(tmp_path / "out", "--settings", file))
    assert said.code == code and said.out == "" and said.err.strip() and "unexpected" not in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_parameters_stand_behind_the_names_of_parts_in_a_file_and_on_the_command_line(
    manifest: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        'method = "adaptive(unit=occurrence, rounds=0)"\nreidentifiers = ["bm25(b=0.5, k1=2)", "ngrams"]\n',
        encoding="utf-8",
    )
    lean = ("--tagger", "rules", "--tagger", "entities(lean=3)")
    found = manifest("--settings", file, *lean, "--stop-words", "mask", "--limit", "6")
    assert found["method"] == "adaptive.v1(unit=occurrence, stop_words=mask, rounds=0)"
    assert found["reidentifiers"] == ["bm25.v1(b=0.5, k1=2)", "ngrams.v1"]
    assert found["taggers"] == ["rules.v1", "entities.v1(lean=3)"]
