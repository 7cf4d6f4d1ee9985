"""The command line: help for everything, exit codes that scripts can trust, results apart from noise."""

import json
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from made_commands import Run, Town

from unname import registry
from unname.apps import cli
from unname.errors import InputError, ModelError, SettingsError, StateError, UnsafeReleaseError
from unname.terminal import progress
from unname.verbs.demo import run as demo

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

PARTS = (
    registry.METHODS,
    registry.TAGGERS,
    registry.TRAINABLE_TAGGERS,
    registry.REIDENTIFIERS,
    registry.TRAINABLE_REIDENTIFIERS,
    registry.MODELS,
    registry.ATTACKERS,
    registry.TRANSFORMS,
)


def commands() -> dict[str, click.Command]:
    return dict(cli.cli.commands)


# Help


def test_every_command_and_every_option_is_documented(run: Run) -> None:
    require_documented(cli.cli)
    assert {"deidentify", "audit", "reidentify", "demo", "methods"} <= set(commands())
    for name, command in commands().items():
        said = run(name, "--help-all" if any(getattr(one, "advanced", False) for one in command.params) else "--help")
        assert said.code == 0 and said.err == ""
        for parameter in command.params:
            shown = parameter.name.upper() if isinstance(parameter, click.Argument) else parameter.opts[-1]
            assert str(shown) in said.out, f"{name} --help does not show {shown}"
    overview = run("--help")
    assert overview.code == 0 and all(name in overview.out for name in commands())
    assert run("deidentify", "-h").code == 0
    version = run("--version")
    assert version.code == 0 and "0." in version.out


def require_documented(group: click.Group) -> None:
    """Every command has a sentence and every option a help text."""
    for name, command in group.commands.items():
        assert (command.help or "").strip(), f"the command {name} is not documented"
        for option in command.params:
            if isinstance(option, click.Option):
                assert (option.help or "").strip(), f"{name} {option.opts[0]} is not documented"


def test_the_check_notices_an_undocumented_option() -> None:
    @click.group()
    def group() -> None:
        """A group."""

    @group.command()
    @click.option("--mystery")
    def verb(mystery: str) -> None:
        """A verb."""

    with pytest.raises(AssertionError, match="--mystery"):
        require_documented(group)


def test_methods_lists_everything_that_is_registered(run: Run) -> None:
    said = run("methods")
    rows = [line.split(None, 1) for line in said.out.splitlines() if re.match(r"  \S", line)]
    assert said.code == 0 and said.err == ""
    assert [row[0] for row in rows] == [name for group in PARTS for name in registry.names(group)]
    assert all(len(row) == 2 and not row[1].startswith("partial(") for row in rows), "a part is not described"


def test_methods_lists_the_parameters_of_each_part_with_their_defaults(run: Run) -> None:
    _, _, after = run("methods").out.partition("  anonymity.v1 ")
    own = [line.strip() for line in after.partition("\n  composed.v1")[0].splitlines()[1:]]
    assert [line.partition("=")[0] for line in own] == ["strategy", "whose", "generic", "graph_texts"]
    assert own[0].startswith("strategy=greedy (greedy, random): ")


# Exit codes


def test_a_release_ends_with_0_and_says_results_on_stdout_only(run: Run, town: Town, tmp_path: Path) -> None:
    said = run(*town.deidentify(tmp_path / "out"))
    assert said.code == 0, said.err
    assert str(tmp_path / "out") in said.out and "words hidden" in said.out
    assert "stage" not in said.out and "mask " not in said.out.split("words hidden")[-1], "progress is no result"
    assert "words hidden" not in said.err and "error" not in said.err


def test_progress_goes_to_stderr(run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "ERR", type(progress.ERR)(stderr=True, force_terminal=True, width=120))
    said = run(*town.deidentify(tmp_path / "out"))
    assert "attack the release" in said.err and "attack the release" not in said.out


def test_debug_logs_stages_and_counts_to_stderr(town: Town, tmp_path: Path) -> None:
    code = "import sys; from unname.apps.cli import main; main()"
    command = [sys.executable, "-c", code, "--debug", *map(str, town.deidentify(tmp_path / "out"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    logged = [line for line in done.stderr.splitlines() if line.startswith("DEBUG")]
    assert any("stage mask: " in line for line in logged)
    assert all(line.startswith("DEBUG unname ") for line in logged), "what other libraries log is not ours to show"
    assert "DEBUG" not in done.stdout


def test_withheld_documents_end_with_3(run: Run, town: Town, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in town.documents.read_text(encoding="utf-8").splitlines()]
    never = tmp_path / "never.txt"
    never.write_text("/.*/\n", encoding="utf-8")
    said = run(*town.deidentify(tmp_path / "out", "--never", never, "--k", "11"))
    assert said.code == 3
    failures = (tmp_path / "out.private" / "failures.jsonl").read_text(encoding="utf-8").splitlines()
    released = (tmp_path / "out" / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(failures) > 0 and len(failures) + len(released) == len(rows)
    assert "withheld" in said.out


def test_an_output_that_exists_ends_with_5_and_stays(run: Run, town: Town, tmp_path: Path) -> None:
    for folder in ("out", "out.private"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine").write_text("mine", encoding="utf-8")
        said = run(*town.deidentify(tmp_path / "out"))
        assert said.code == 5 and "--replace" in said.err and said.out == ""
        assert [path.name for path in (tmp_path / folder).iterdir()] == ["mine"]
        (tmp_path / folder / "mine").unlink()
    (tmp_path / "who").write_text("mine", encoding="utf-8")
    assert run("reidentify", town.documents, "--people", town.people, "--out", tmp_path / "who").code == 5
    assert (tmp_path / "who").read_text(encoding="utf-8") == "mine"
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "mine").write_text("mine", encoding="utf-8")
    audit = [
        "audit",
        town.documents,
        "--original",
        town.documents,
        "--people",
        town.people,
        "--out",
        tmp_path / "audit",
    ]
    assert run(*audit).code == 5


def test_replace_replaces(run: Run, town: Town, tmp_path: Path) -> None:
    places = (tmp_path / "out" / "documents.jsonl", tmp_path / "out.private" / "key")
    assert run(*town.deidentify(tmp_path / "out")).code == 0
    older = [place.read_bytes() for place in places]
    assert run(*town.deidentify(tmp_path / "out", "--replace", "--method", "none")).code == 0
    assert places[0].read_bytes() != older[0] and places[1].read_bytes() == older[1], "all but the key"
    assert len(list(tmp_path.iterdir())) == 2


BAD_OPTIONS: dict[str, list[str]] = {
    "an unknown method": ["--method", "nonsense"],
    "an unknown version": ["--method", "greedy.v99"],
    "an unknown reidentifier": ["--reidentifiers", "nonsense"],
    "an unknown transform": ["--transform", "nonsense"],
    "an unknown attacker": ["--attackers", "nonsense"],
    "k of none": ["--k", "0"],
    "a k that is no number": ["--k", "many"],
    "a budget above 1": ["--budget", "1.5"],
    "a budget of none": ["--budget", "0"],
    "a target span below 1": ["--target-span", "0.5"],
    "ids of another kind": ["--ids", "plain"],
    "a unit of another kind": ["--unit", "letter"],
    "a limit of none": ["--limit", "0"],
    "an unknown option": ["--nonsense"],
    "an unknown field": ["--fields", "nonsense"],
    "an unknown field left out": ["--without-fields", "nonsense"],
    "an unknown direct field": ["--direct", "nonsense"],
    "a kept column called text": ["--keep", "text"],
    "a key file that is not there": ["--key", "/nonexistent"],
    "a settings file that is not there": ["--settings", "/nonexistent"],
}


def test_in_a_pipe_a_line_comes_now_and_then_on_stderr(
    run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.02)
    said = run(*town.plainly(tmp_path / "out"))
    assert re.search(r"^mask: \d+ of \d+.* \(\d+ s so far\)$", said.err, re.MULTILINE)
    assert "so far" not in said.out, "results apart from noise"


@pytest.mark.parametrize("fault", BAD_OPTIONS)
def test_bad_options_end_with_2_before_anything_is_written(fault: str, run: Run, town: Town, tmp_path: Path) -> None:
    said = run(*town.deidentify(tmp_path / "out", *BAD_OPTIONS[fault]))
    assert said.code == 2 and said.out == "" and said.err.strip(), "what is wrong belongs on stderr"
    assert "Traceback" not in said.err and "unexpected" not in said.err
    assert not list(tmp_path.iterdir())


def test_missing_arguments_and_unknown_commands_end_with_2(run: Run, town: Town, tmp_path: Path) -> None:
    for words in (["nonsense"], ["deidentify"], ["deidentify", town.documents], ["audit", town.documents], ["demo", "x"],
                  ["reidentify", town.documents, "--people", town.people], ["demo", "--people", "10"],
                  ["deidentify",
                           "--accept-risk", "a test",
                           tmp_path / "none.jsonl", "--people", town.people, "--out", "x"]):  # fmt: skip
        said = run(*words)
        assert said.code == 2 and said.err.strip() and said.out == ""


def test_replace_leaves_a_folder_of_somebodys_own_files_alone(run: Run, town: Town, tmp_path: Path) -> None:
    audit = ["audit", town.documents, "--original", town.documents, "--people", town.people, "--attackers", "bm25"]
    train = ["train", "reidentifier", town.documents, "--people", town.people]
    demo = ["demo", "--people", "50", "--out", tmp_path / "demo"]
    for name, words in (
        ("out", town.deidentify(tmp_path / "out")), ("out.private", town.deidentify(tmp_path / "out")),
        ("out", [*audit, "--out", tmp_path / "out"]), ("out", [*train, "--out", tmp_path / "out"]),
        ("demo/town", demo), ("demo/release", demo), ("demo/release.private", demo),
    ):  # fmt: skip
        theirs = tmp_path / name / "thesis.txt"
        theirs.parent.mkdir(parents=True)
        theirs.write_text("theirs", encoding="utf-8")
        said = run(*words, "--replace")
        assert said.code == 5 and "something else" in said.err, said.err
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == [theirs], "nothing else is written either"
        theirs.unlink()
        theirs.parent.rmdir()


def test_output_folders_that_hold_each_other_or_an_input_end_with_2(run: Run, tmp_path: Path, town: Town) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    own = Town(inputs / "d.jsonl", inputs / "p.jsonl")
    own.documents.write_bytes(town.documents.read_bytes())
    own.people.write_bytes(town.people.read_bytes())
    out = tmp_path / "out"
    for words in (
        own.deidentify(out, "--private", out), own.deidentify(out, "--private", out / "private"),
        own.deidentify(out / "release", "--private", out), own.deidentify(inputs, "--replace"),
        own.deidentify(out, "--private", inputs, "--replace"), own.deidentify(Path("/")),
        ["audit", own.documents, "--original", own.documents, "--people", own.people, "--out", inputs, "--replace"],
    ):  # fmt: skip
        said = run(*words)
        assert said.code == 2, said.err
        assert {path.name for path in tmp_path.iterdir()} == {"inputs"}
        assert {path.name for path in inputs.iterdir()} == {"d.jsonl", "p.jsonl"}, "an input must never be lost"


@pytest.mark.parametrize("folder", [".", ".."])
def test_an_output_folder_needs_a_name(
    folder: str, run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    said = run(*town.deidentify(Path(folder), "--replace"))
    assert said.code == 2 and "unexpected" not in said.err


def test_bad_input_ends_with_1(run: Run, town: Town, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "1"}\n', encoding="utf-8")
    said = run(*Town(bad, town.people).deidentify(tmp_path / "out"))
    assert said.code == 1 and "record 1: field 'text': missing" in said.err and said.out == ""
    too_large = run(*town.deidentify(tmp_path / "out", "--k", "12"))
    assert too_large.code == 1 and "12" in too_large.err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]


@pytest.mark.parametrize(
    ("error", "code"),
    [(InputError, 1), (SettingsError, 2), (ModelError, 1), (UnsafeReleaseError, 4), (StateError, 5)],
)
def test_every_error_of_ours_has_its_exit_code(
    error: type[Exception], code: int, run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error("what is wrong [and what to do]")

    monkeypatch.setattr("unname.verbs.deidentify.files.mask_all", fail)
    said = run(*town.deidentify(tmp_path / "out"))
    assert said.code == code and said.out == ""
    assert "error: what is wrong [and what to do]" in said.err


def test_a_bug_ends_with_1_and_says_where_but_not_what(
    run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.inputs import files as inputs

    monkeypatch.setattr(inputs, "read_profiles", lambda *_, **__: {}["somebody's id"])
    said = run(*town.deidentify(tmp_path / "out"))
    assert said.code == 1 and "KeyError" in said.err and "unname/inputs/files.py:" in said.err
    assert "somebody" not in said.err + said.out and "Traceback" not in said.err


def test_an_unsafe_release_ends_with_4_and_leaves_nothing(run: Run, town: Town, tmp_path: Path) -> None:
    names = {p["id"]: p["fields"]["family name"] for p in map(json.loads, town.people.read_text("utf-8").splitlines())}
    rows = [json.loads(line) for line in town.documents.read_text("utf-8").splitlines()]
    telling = tmp_path / "telling.jsonl"
    telling.write_text("".join(json.dumps({**r, "clerk": names[r["person"]]}) + "\n" for r in rows), encoding="utf-8")
    said = run(*Town(telling, town.people).deidentify(tmp_path / "out", "--keep", "clerk"))
    assert said.code == 4 and said.out == "" and "direct identifier" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["telling.jsonl"]


def test_an_interruption_ends_with_130(run: Run, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    for stage in (
        "read_inputs",
        "mask_all",
        "verify_crowds",
        "audit_own_release",
        "write_private",
        "write_documents",
        "verify_written",
        "manifest",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"unname.verbs.deidentify.files.{stage}", interrupt)
            said = run(*town.deidentify(tmp_path / "out"))
        assert said.code == 130 and said.out == "" and "interrupted" in said.err
        assert not list(tmp_path.iterdir()), "an interrupted run leaves nothing"


def test_control_c_ends_a_process_with_130(town: Town, tmp_path: Path) -> None:
    code = (
        "import sys, time, unname.verbs.deidentify.files as r\n"
        "r.mask_all = lambda *a, **n: (print('ready', flush=True), time.sleep(60))\n"
        "from unname.apps.cli import main; main()"
    )
    command = [sys.executable, "-c", code, *map(str, town.deidentify(tmp_path / "out"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in err
    assert not list(tmp_path.iterdir())


# Verbs


def test_audit_follows_a_release_through_its_private_folder(run: Run, town: Town, tmp_path: Path) -> None:
    assert run(*town.deidentify(tmp_path / "out")).code == 0
    words = [
        "audit",
        tmp_path / "out",
        "--original",
        town.documents,
        "--people",
        town.people,
        "--attackers",
        "bm25,facts",
    ]
    blind = run(*words, "--out", tmp_path / "a")
    assert blind.code == 1 and "--private" in blind.err, "keyed ids cannot be matched without the private folder"
    said = run(*words, "--out", tmp_path / "a", "--private", tmp_path / "out.private")
    assert said.code == 0, said.err
    mine = json.loads((tmp_path / "out.private" / "report.json").read_text("utf-8"))
    again = json.loads((tmp_path / "a" / "report.json").read_text("utf-8"))
    for part in ("attackers", "any_unused", "any_used", "masked", "crowds", "k"):
        assert again[part] == mine[part], f"the audit afterwards must agree on {part}"


@pytest.mark.parametrize("settings", ['"x"', "5", "null", "[1]", '{"k": "x"}', '{"k": 2, "reidentifiers": 5}'])
def test_a_damaged_manifest_is_a_clear_error(settings: str, run: Run, town: Town, tmp_path: Path) -> None:
    release = tmp_path / "release"
    release.mkdir()
    (release / "documents.jsonl").write_bytes(town.documents.read_bytes())
    (release / "manifest.json").write_text(f'{{"settings": {settings}}}', encoding="utf-8")
    said = run("audit", release, "--original", town.documents, "--people", town.people, "--out", tmp_path / "a")
    assert said.code == 1 and "manifest.json" in said.err and "unexpected" not in said.err


def test_the_demo_runs_twice_with_replace(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "make_job", partial(demo.make_job, attackers=("bm25", "facts")))
    monkeypatch.setattr(demo, "quickest", lambda: ("bm25", "facts"))
    words = ["demo", "--people", "50", "--k", "2", "--out", tmp_path / "demo"]
    assert run(*words).code == 0
    first = (tmp_path / "demo" / "release" / "documents.jsonl").read_bytes()
    assert run(*words).code == 5, "a demo that exists stays"
    assert (tmp_path / "demo" / "release" / "documents.jsonl").read_bytes() == first
    said = run(*words, "--replace")
    assert said.code == 0 and "invented" in said.out
    assert "before ──" in said.out and "[MASK]" in said.out.partition("after ──")[2], "one pair of texts is shown"
    told = [line.split() for line in said.out.partition("without attackers that learn finds:")[2].splitlines()[1:4]]
    assert [line[0] for line in told] == ["names", "term", "default"] and all(line[-1] == "hidden" for line in told)
    assert (tmp_path / "demo" / "release" / "documents.jsonl").read_bytes() == first, "the key is kept"
    assert {path.name for path in (tmp_path / "demo").iterdir()} == {"town", "release", "release.private"}


def test_fields_of_words_that_are_not_hidden_for_themselves_are_named(run: Run, town: Town, tmp_path: Path) -> None:
    """Beside the direct ones, so that somebody sees a field that should be among them."""
    tried = run(*town.deidentify(tmp_path / "out", "--dry-run"))
    (direct,) = [line for line in tried.out.splitlines() if line.startswith("direct ")]
    (left,) = [line for line in tried.out.splitlines() if line.startswith("not direct ")]
    assert "family name" in direct and "occupation" in left and "family name" not in left
    said = run(*town.deidentify(tmp_path / "out"))
    assert "Not hidden for themselves:" in said.out and "occupation" in said.out.partition("Not hidden")[2]
