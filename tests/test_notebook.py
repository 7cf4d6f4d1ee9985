"""The example for notebooks runs as it stands in the docs."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "notebook.md"


def test_the_notebook_example_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102 (our own page)
    said = capsys.readouterr().out
    assert "withheld" in said and "family name" in said and "facts" in said
