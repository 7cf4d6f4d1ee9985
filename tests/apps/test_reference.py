"""The documentation says what the commands say."""

from pathlib import Path

from unname.apps.cli import cli
from unname.apps.reference import reference

ROOT = Path(__file__).parents[2]


def test_the_command_line_reference_is_what_the_commands_say() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_every_command_and_every_option_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name, command in cli.commands.items():
        assert f"## unname {name}" in text
        assert command.help
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{name} {parameter.name} says nothing"
                assert max(parameter.opts, key=len) in text


def test_every_file_that_a_release_holds_is_described() -> None:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for name in ("documents.jsonl", "report.html", "report.json", "manifest.json", "masks.jsonl", "offsets.jsonl",
                 "failures.jsonl", "`key`"):  # fmt: skip
        assert name in text


def test_links_in_the_documentation_lead_somewhere() -> None:
    import re

    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name} links to nothing"


def test_an_option_whose_help_says_what_holds_without_it_has_no_value_unless_given() -> None:
    """Else the command would use one worker where its help promises one for each core."""
    checked = set()
    for name, command in cli.commands.items():
        context = command.make_context(name, [], resilient_parsing=True)
        for parameter in command.params:
            if "[default: " in (getattr(parameter, "help", None) or ""):
                assert not context.params[str(parameter.name)], f"{name} {parameter.name}"
                checked.add(parameter.name)
    assert "workers" in checked
