"""The command-line reference, made from the commands themselves: `python -m unname.apps.reference > docs/cli.md`."""

import sys
from collections.abc import Iterator

import click

from unname.apps.cli import cli
from unname.terminal.help import full_help


def _commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """All commands below a group, sorted, with the words that call them."""
    for name in sorted(group.commands):
        command = group.commands[name]
        if isinstance(command, click.Group):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def reference() -> str:
    """Every command with its own help text, as Markdown; the suite compares it with docs/cli.md."""
    parts = ["# Command line", "", "Made from the commands by `make docs`; do not edit.", "",
             "All options are here. `unname COMMAND --help` leaves out those for special cases, `--help-all` shows them.",
             ""]  # fmt: skip
    narrow = {**cli.context_settings, "terminal_width": 100, "max_content_width": 100}
    root = click.Context(cli, info_name="unname", **narrow)
    parts += ["```text", cli.get_help(root), "```", ""]
    for name, command in _commands(cli):
        context = click.Context(command, info_name=name, parent=root, **narrow)
        parts += [f"## unname {name}", "", "```text", full_help(context), "```", ""]
    parts += ["## Exit codes", "", "| code | meaning |", "|---|---|"]
    codes = ("0 | done", "1 | error in the input", "2 | wrong usage or settings", "3 | done, some documents withheld",
             "4 | release held back: not yet, weak, not measured, or unsafe",
             "5 | state: an output exists, or what is on disk was changed",
             "130 | interrupted; nothing was written")  # fmt: skip
    return "\n".join([*parts, *(f"| {code} |" for code in codes), ""])


if __name__ == "__main__":
    sys.stdout.write(reference())
