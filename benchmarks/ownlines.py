"""Lines of word lists and of hand-written checkers in the package, counted by rule.

Counted are the Python files that recognise something: all of the package but what `OTHERS` names and the invented people of
the demo (`knowledge/fictional*.py`). A **word list** is a value with at least eight words in its strings: a literal
collection anywhere, a string that is split, or whatever a module assigns to a name (a regular expression of cue words,
too). A word is a run of two letters or more; a letter of a script without blanks counts for itself. A **checker** is a
function in a file named `check…`, or one that takes a remainder by a number that check digits use. Lines are those from the
first to the last of such a value or function, each once. **Data files** (TOML, JSON, text, CSV) in the same rooms are
counted apart: a list that only moved there is not gone.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_OTHERS = """
apps attacking auditing inputs masking neural pages parallel protecting reidentifiers scoring sharing terminal transforms
verbs writing __init__.py errors.py job.py option.py registry.py spec.py shared_options.py testing.py
"""
OTHERS = frozenset(_OTHERS.split())
FEWEST_WORDS = 8
REMAINDERS = frozenset((7, 9, 10, 11, 23, 26, 31, 36, 37, 89, 97, 101))
DATA = frozenset((".toml", ".json", ".txt", ".csv", ".tsv"))
# Ideographs, kana and Thai letters one by one; else letters in a row.
_WORD = re.compile(r"[\u0e01-\u0e2e\u3041-\u30ff\u4e00-\u9fff]|[^\W\d_]{2,}")
_SPLIT = ("split", "splitlines")


def counted(package: Path) -> dict[str, Any]:
    """Lines and words in all, and by file."""
    files: dict[str, Any] = {}
    for path in sorted(_files(package)):
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(package))
        if path.suffix == ".py":
            lists, checkers, words = of_source(text, checks=path.name.startswith("check"))
            row = {"lines of lists": len(lists), "lines of checkers": len(checkers - lists), "words in lists": words}
        else:
            row = {"lines of data files": len(text.splitlines()), "words in data files": len(_WORD.findall(text))}
        if any(row.values()):
            files[name] = row
    keys = ("lines of lists", "lines of checkers", "words in lists", "lines of data files", "words in data files")
    return {key: sum(row.get(key, 0) for row in files.values()) for key in keys} | {"files": files}


def _files(package: Path) -> Iterator[Path]:
    for path in package.rglob("*"):
        place = path.relative_to(package).parts
        apart = place[0] in OTHERS or path.name.startswith("fictional") or "__pycache__" in place
        if not apart and (path.suffix == ".py" or path.suffix in DATA):
            yield path


def of_source(text: str, *, checks: bool = False) -> tuple[set[int], set[int], int]:
    """Lines of word lists, lines of checkers (all functions, where the file is one of checks), and the words in the lists."""
    module = ast.parse(text)
    lists: set[int] = set()
    checkers: set[int] = set()
    strings: dict[int, ast.Constant] = {}
    for value in _values(module):
        inside = {
            id(node): node for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if sum(_words(node) for node in inside.values()) >= FEWEST_WORDS:
            lists |= _lines(value)
            strings |= inside
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and (checks or any(map(_is_remainder, ast.walk(node)))):
            checkers |= _lines(node)
    return lists, checkers, sum(map(_words, strings.values()))


def _values(module: ast.Module) -> Iterator[ast.expr]:
    """Whatever may be a list of words."""
    for statement in module.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement.value
    for node in ast.walk(module):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SPLIT:
            yield node.func.value


def _words(node: ast.Constant) -> int:
    return len(_WORD.findall(str(node.value)))


def _lines(node: ast.expr | ast.FunctionDef) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_remainder(node: ast.AST) -> bool:
    """True if this is a number modulo one that check digits use."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod) or isinstance(node.left, ast.Constant):
        return False
    return isinstance(node.right, ast.Constant) and node.right.value in REMAINDERS
