"""The documentation says what the commands say."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from unname import registry
from unname.apps.cli import cli
from unname.apps.reference import reference
from unname.option import GROUPS
from unname.terminal.help import full_help

ROOT = Path(__file__).parents[2]


def test_the_command_line_reference_is_what_the_commands_say() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_the_reference_has_no_word_that_was_abolished_but_in_names_of_options() -> None:
    words = re.sub(r"--[a-z-]+|told (by|apart)", "", reference())
    assert not re.findall(r"(?i)\b(?:crew|parcel|board|hider|course|lesson|told)s?\b", words)


def test_every_command_and_every_option_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name, command in cli.commands.items():
        assert f"## unname {name}" in text
        assert command.help
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{name} {parameter.name} says nothing"
                assert max(parameter.opts, key=len) in text


def _all_commands(group: click.Group) -> Iterator[click.Command]:
    for command in group.commands.values():
        yield from _all_commands(command) if isinstance(command, click.Group) else [command]


def _sections(command: click.Command, words: str) -> dict[str, list[str]]:
    """The options that help shows, by the heading that they stand under."""
    said = CliRunner().invoke(command, [words], **cli.context_settings).output
    found: dict[str, list[str]] = {}
    for line in said.splitlines():
        if line.endswith(":") and not line.startswith((" ", "Usage")):
            found[line[:-1]] = []
        elif found and re.match(r"  -", line):
            found[list(found)[-1]].append(re.findall(r"--[a-z-]+", line)[0])
    return found


def test_help_lists_every_command_in_a_line_of_80_columns_the_main_ones_first() -> None:
    said = CliRunner().invoke(cli, ["--help"], terminal_width=80).output
    listed = said.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed][:4] == ["deidentify", "audit", "release", "demo"]
    assert {line.split()[0] for line in listed} == set(cli.commands) and all(line.endswith(".") for line in listed)
    assert not [line for line in listed if line.endswith("...")]


def test_what_holds_without_an_option_stands_in_one_pair_of_brackets_with_its_smallest_value() -> None:
    text = reference()
    assert not re.search(r"\[default: [^]]*\]\s+\[", text) and "x>=" not in text


@pytest.mark.parametrize("command", ["deidentify", "tag"])
def test_help_says_how_every_tagger_of_another_library_is_named(command: str) -> None:
    (option,) = (one for one in cli.commands[command].params if one.name == "tagger")
    declared = (registry.declared(registry.TAGGERS, name) for name in registry.names(registry.TAGGERS))
    written = {getattr(tagger, "written", "") for tagger in declared} - {""}
    assert len(written) == 4 and all(name in str(getattr(option, "help", "")) for name in written)


def test_help_of_the_main_job_is_short_and_begins_with_the_dozen_that_people_need() -> None:
    sections = _sections(cli.commands["deidentify"], "--help")
    assert list(sections) == ["Most needed", *GROUPS]
    assert sum(map(len, sections.values())) <= 45
    assert len(sections["Most needed"]) <= 12 and {"--out", "--people", "--k"} <= set(sections["Most needed"])


def test_help_all_shows_every_option() -> None:
    command = cli.commands["deidentify"]
    shown = [name for names in _sections(command, "--help-all").values() for name in names]
    assert len(shown) == len(set(shown))
    assert set(shown) == {*(f"--{str(one.name).replace('_', '-')}" for one in command.params
                            if isinstance(one, click.Option) and one.name != "settings_file"),
                          "--settings", "--help", "--help-all"}  # fmt: skip


def test_many_options_stand_in_groups() -> None:
    for command in _all_commands(cli):
        sections = _sections(command, "--help")
        assert len(sections) > 1 or len(sections["Options"]) <= 15, command.name
        assert all(len(names) <= 18 for names in sections.values()), command.name


def test_what_help_leaves_out_is_still_an_option(tmp_path: Path) -> None:
    words = [__file__, "--out", str(tmp_path / "out"), "--unit", "occurrence", "--rounds", "2"]
    context = cli.commands["deidentify"].make_context("deidentify", words)
    assert (context.params["unit"], context.params["rounds"]) == ("occurrence", 2)
    assert "--unit" not in context.get_help() and "--unit" in full_help(context)


def test_every_file_that_a_release_holds_is_described() -> None:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for name in ("documents.jsonl", "report.html", "report.json", "manifest.json", "masks.jsonl", "offsets.jsonl",
                 "failures.jsonl", "`key`"):  # fmt: skip
        assert name in text


def _required() -> Iterator[tuple[str, click.Command, click.Parameter]]:
    training = cli.commands["train"]
    assert isinstance(training, click.Group)
    for name, command in (*cli.commands.items(), *training.commands.items()):
        for parameter in command.params:
            if parameter.required and parameter.param_type_name == "option":
                yield name, command, parameter


def test_a_required_option_that_is_missing_is_a_usage_error(tmp_path: Path) -> None:
    """Without people nobody could be found; `deidentify` alone knows what to do then."""
    assert {(name, parameter.name) for name, _, parameter in _required()} >= {
        (name, "people") for name in ("audit", "reidentify", "reidentifier")
    }
    for name, command, missing in _required():
        words = [
            word for other in command.params if other.required and other is not missing
            for value in [__file__ if getattr(other.type, "file_okay", False) else str(tmp_path)]
            for word in ([value] if other.param_type_name == "argument" else [other.opts[0], value])
        ]  # fmt: skip
        with pytest.raises(click.MissingParameter) as caught:
            command.make_context(name, words, **cli.context_settings)
        assert caught.value.param is missing


def test_an_option_whose_help_says_what_holds_without_it_has_no_value_unless_given() -> None:
    """Else the command would use one worker where its help promises one for each core."""
    checked = set()
    for name, command in cli.commands.items():
        context = command.make_context(name, [], resilient_parsing=True, **cli.context_settings)
        for parameter in command.params:
            if getattr(parameter, "shown", ""):
                assert not context.params[str(parameter.name)], f"{name} {parameter.name}"
                checked.add(parameter.name)
    assert "workers" in checked
