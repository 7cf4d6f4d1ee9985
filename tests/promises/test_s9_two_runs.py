"""S9: of two runs on one output file one wins, the other ends with 5, and nothing is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from promise_support import Canaries, watching, written_names

from unname.apps import cli

COMMANDS: dict[str, Callable[[Canaries, Path], list[str]]] = {
    "reidentify": lambda canaries, out: canaries.reidentify(out),
    "tag": lambda canaries, out: ["tag", str(canaries.files.documents), "--tagger", "rules", "--out", str(out)],
    "label": lambda canaries, out: canaries.label(out),
    "pseudonymise": lambda canaries, out: canaries.pseudonymise(out),
    "evaluate": lambda canaries, out: canaries.evaluate("--errors", str(out)),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_another_run_wrote_meanwhile_stays_and_the_command_ends_with_5(
    command: str, canaries: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = COMMANDS[command](canaries, out)
    faster: list[str] = []

    def another_run(event: str, args: tuple[Any, ...]) -> None:
        """Writes its file when this run has begun to write its own."""
        mine = [
            name for name in written_names(event, args) if Path(name).parent == tmp_path and name.endswith(".partial")
        ]
        if mine and not faster:
            faster.append("the faster")
            out.write_text("the faster")

    with watching(another_run):
        assert cli.run(arguments) == 5
    assert "another run has written to this place" in " ".join(capsys.readouterr().err.split())
    assert out.read_text() == "the faster"
    assert {path.name for path in tmp_path.iterdir()} == {"input", "out"}
