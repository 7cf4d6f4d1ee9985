"""The house stays plain: few parameters, short files, and names that are where the layout says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import unname

PACKAGE = Path(unname.__file__).parent
MOST_PARAMETERS, MOST_LINES = 7, 610


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and number of parameters, the object itself aside, of every function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            yield node.name, len(names) - (names[:1] in (["self"], ["cls"]))


def test_no_function_takes_more_than_seven_parameters() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}:{name}" for path in PACKAGE.rglob("*.py")
        for name, many in functions(path.read_text("utf-8")) if many > MOST_PARAMETERS
    }  # fmt: skip
    assert not found
    assert list(functions("def f(self, a, b, *, c): ...\ndef g(a): ...")) == [("f", 3), ("g", 1)]


def test_no_file_is_longer_than_a_long_read() -> None:
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")
    }
    assert len(lengths) > 150 and not {name for name, lines in lengths.items() if lines > MOST_LINES}
