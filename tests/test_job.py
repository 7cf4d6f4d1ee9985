"""Jobs and settings: what makes no sense is refused, and command line, file and Python say the same."""

import dataclasses
import doctest
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from unname import job
from unname.apps.cli import cli
from unname.errors import InputError, SettingsError
from unname.job import AuditPlan, Deidentification, Output, Source, make_job
from unname.option import options_of
from unname.runtime import Runtime
from unname.terminal.settings import read_settings


def test_the_examples_hold() -> None:
    tried = doctest.testmod(job)
    assert tried.attempted >= 1 and not tried.failed


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0}, {"k": -3}, {"budget": 0.0}, {"budget": 1.01}, {"budget": -0.5}, {"budget": float("nan")},
        {"target_span": 0.99}, {"target_span": float("nan")}, {"ids": "hashed"}, {"unit": "sentence"},
        {"stop_words": "keep"}, {"reidentifiers": ()},
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong)).replace("_", "-") + "|reidentifier"):
        Deidentification(**wrong)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: Source(Path("d"), None), "people must be"), (lambda: Source(Path("d"), "none", limit=-1), "limit must be"),
        (lambda: Source(Path("d"), "none", limit="3"), "limit must be a whole number or none, not str"),
        (lambda: Source(Path("d"), "none", fields="village"), "fields must be several names"),
        (lambda: Source(Path("d"), "none", duplicates="x"), "duplicates must be refuse, merge or keep"),
        (lambda: Source(Path("d"), "none", withhold_bad="false"), "withhold-bad must be true or false"),
        (lambda: Output(Path("o"), out_format="xlsx"), "out-format must be"),
        (lambda: Output(Path("o"), accept_risk=3), "accept-risk must be text"),
        (lambda: AuditPlan(others_private=3), "others-private must be text"),
        (lambda: Output(Path("o"), replace="no"), "replace must be true or false"),
        (lambda: AuditPlan(max_risk="15%"), "max-risk must be a number"), (lambda: AuditPlan(sample=0), "audit-sample"),
        (lambda: Runtime(workers=-1), "workers"), (lambda: Runtime(workers="2"), "workers"),
        (lambda: Source(3, "none"), "documents must be a path"), (lambda: Output(3), "out must be a path"),
        (lambda: Deidentification(models=[1]), "model must be several"),  # type: ignore[list-item]
        (lambda: Deidentification(gazetteers=["x"]), "gazetteer must be several"),  # type: ignore[list-item]
        (lambda: make_job(Path("d"), None, Path("o")), "people must be given"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_every_part_of_a_job_is_checked_when_it_is_made(made: Callable[[], Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        made()


def test_lists_and_texts_become_what_the_fields_promise() -> None:
    named = ["none"]
    plan = AuditPlan(attackers=named)  # type: ignore[arg-type]
    named.append("facts")
    assert plan.attackers == ("none",)
    with pytest.raises(SettingsError, match="audit and attackers"):
        AuditPlan(audit="quick", attackers=["facts"])  # type: ignore[arg-type]
    assert AuditPlan(audit="quick", attackers=["all"]).attackers == ("quick",)  # type: ignore[arg-type]
    assert Deidentification(keep=("note", "note")).keep == ("note",)
    assert Output(Path("o"), key="k").key == Path("k")  # type: ignore[arg-type]
    assert Deidentification(models=["m"], k=np.int64(5)).models == (Path("m"),)  # type: ignore[list-item]
    job = make_job("d.jsonl", "none", "out", limit=np.int64(3))  # type: ignore[arg-type]
    assert (job.source.documents, job.output.out, job.source.limit) == (Path("d.jsonl"), Path("out"), 3)


def test_settings_are_frozen_and_change_only_by_replacement_which_checks_again() -> None:
    settings = Deidentification(k=5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.k = 3  # type: ignore[misc]
    with pytest.raises(SettingsError):
        dataclasses.replace(settings, k=0)


def test_settings_are_plain_values_for_a_manifest() -> None:
    values = Deidentification(k=7, reidentifiers=("bm25",)).as_dict()
    again = json.loads(json.dumps(values))
    made = Deidentification(**{k: tuple(v) if isinstance(v, list) else v for k, v in again.items()})
    assert made == Deidentification(k=7, reidentifiers=("bm25",))


def test_a_file_takes_long_option_names_with_dashes_or_underscores(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('target-span = 2.5\nstop_words = "skip"\nk = 20\nreidentifiers = ["bm25", "ngrams"]\n')
    assert read_settings(file) == {"target_span": 2.5, "stop_words": "skip", "k": 20, "reidentifiers": "bm25,ngrams"}


def test_a_file_with_tables_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[deidentify]\nk = 3\n")
    with pytest.raises(SettingsError, match="'deidentify' is a table"):
        read_settings(file)


@pytest.mark.parametrize("content", [b"k = ", b"k = 1\nk = 2", b"\xff\xfe", b"canary"])
def test_a_file_that_is_not_toml_is_refused_without_quoting_it(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    with pytest.raises(InputError, match="not valid TOML") as caught:
        read_settings(file)
    assert "canary" not in str(caught.value) and caught.value.__suppress_context__


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_settings(tmp_path / "none.toml")


@pytest.mark.parametrize("value", ["[]", '""'])
def test_an_empty_list_in_a_file_says_nothing_and_an_empty_name_on_the_command_line_says_none(
    tmp_path: Path, value: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"tagger = {value}\n")
    words = [str(file), "--people", "none", "--out", str(tmp_path / "out")]
    command = cli.commands["deidentify"]
    assert (
        command.make_context("deidentify", [*words, "--settings", str(file)], **cli.context_settings).params["tagger"]
        is None
    )
    assert command.make_context("deidentify", [*words, "--tagger", ""], **cli.context_settings).params["tagger"] == (
        "",
    )


# --- one job


def test_a_job_takes_options_as_the_command_has_them_and_groups_whole(tmp_path: Path) -> None:
    job = make_job(
        tmp_path / "d.csv", "none", tmp_path / "out", k=7, audit="quick", split="test", text_column=("a", "b")
    )
    assert (job.masking.k, job.audit.attackers, job.source.split) == (7, ("quick",), "test")
    assert job.source.columns.text == ("a", "b") and job.masking.unknown_person == "floor-only"
    whole = make_job(
        tmp_path / "d.csv", "none", tmp_path / "out", masking=Deidentification(k=9, unit="occurrence"), k=4
    )
    assert (whole.masking.k, whole.masking.unit) == (4, "occurrence")
    with pytest.raises(SettingsError, match="no option is called 'crowd-size'"):
        make_job(tmp_path / "d.csv", "none", tmp_path / "out", crowd_size=3)


def test_what_does_not_fit_together_is_refused_where_the_job_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be held out"):
        make_job(tmp_path / "d", "none", tmp_path / "out", model=(tmp_path / "m",), attacker_model=(tmp_path / "m",))
    with pytest.raises(SettingsError, match="audit and attackers"):
        make_job(tmp_path / "d", "none", tmp_path / "out", audit="quick", attackers=("facts",))
    with pytest.raises(SettingsError, match="ids must be"):
        make_job(tmp_path / "d", "none", tmp_path / "out", ids="hashed")


def test_no_value_of_a_job_shows_a_word_of_the_users(tmp_path: Path) -> None:
    job = make_job(
        tmp_path / "zqxd", tmp_path / "zqxp", tmp_path / "zqxo", always=("zqxword",), gazetteer=(("A", tmp_path),)
    )
    shown = f"{job!r} {job.source!r} {job.output!r} {job.audit!r} {job.masking!r} {job.runtime!r}"
    assert "zqx" not in shown and "zqx" not in json.dumps(job.masking.as_dict()) + json.dumps(job.as_options())


def test_every_option_of_the_main_command_is_a_field_of_a_job_with_its_one_help_text() -> None:
    fields = {
        name: about for kind in (Source, Output, Deidentification, AuditPlan, Runtime)
        for name, _, about in options_of(kind)
    }  # fmt: skip
    command = cli.commands["deidentify"]
    given = {p.name: p for p in command.params if isinstance(p, click.Option)}
    assert given.keys() - fields.keys() == {"out", "dry_run", "settings_file"}
    assert fields.keys() <= given.keys()
    for name, about in fields.items():
        start = about.help.split(".")[0].split(":")[0]
        assert (given[name].help or "").startswith(start), name


def test_a_target_span_without_end_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="target-span"):
        Deidentification(target_span=float("inf"))
