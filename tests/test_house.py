"""The house stays plain: few parameters, short files, plain words, and names that are where the layout says.

Some rules do not hold everywhere yet. `LEFT` counts by room what is left, exactly: whoever mends a room lowers its numbers.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import unname

PACKAGE = Path(unname.__file__).parent
MOST_PARAMETERS, MOST_POSITIONAL, MOST_LINES = 7, 4, 600

# A docstring says what a thing is or does; one that opens like this asks.
QUESTION = re.compile(r"(what|who|whom|whose|how|whether|which|why|where|when)(ever)?\b", re.IGNORECASE)
# Words of ours that gave way to terms of the field: worker pool, shared memory, training example, known, stated.
ABOLISHED = re.compile(r"(?<![a-z])(crew|parcel|board|hider|course|lesson|told)s?(?![a-z])")

# By room: names and docstrings with an abolished word; times that something is called `found`; functions of more than four
# positional parameters; functions for other rooms with `Any` in their signature.
LEFT: dict[str, tuple[int, int, int, int]] = {
    "attacking": (0, 0, 2, 0),
    "auditing": (0, 7, 4, 5),
    "dates": (0, 0, 1, 0),
    "hashing": (0, 0, 0, 1),
    "inputs": (0, 0, 1, 0),
    "job": (0, 0, 0, 1),
    "knowledge": (0, 0, 3, 0),
    "languages": (0, 0, 0, 1),
    "masking": (0, 6, 6, 0),
    "neural": (0, 0, 1, 11),
    "option": (0, 0, 0, 5),
    "pages": (0, 0, 0, 1),
    "protecting": (0, 4, 0, 1),
    "reidentifiers": (0, 9, 15, 2),
    "scoring": (0, 3, 0, 0),
    "sharing": (3, 10, 8, 1),
    "statistics": (0, 0, 0, 2),
    "storage": (0, 5, 5, 12),
    "taggers": (0, 0, 9, 0),
    "terminal": (0, 0, 0, 2),
    "types": (0, 0, 1, 0),
    "verbs": (3, 11, 16, 1),
    "verifying": (0, 0, 1, 0),
    "writing": (0, 0, 1, 1),
}


@dataclass
class File:
    """The facts about one file that the rules ask for, gathered in one walk."""

    room: str
    module: str
    lines: int
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=list)
    docstrings: list[str] = field(default_factory=list)
    identifiers: Counter[str] = field(default_factory=Counter)
    classes: list[str] = field(default_factory=list)
    imported: list[tuple[str, str]] = field(default_factory=list)
    loose: set[str] = field(default_factory=set)


def read(source: str, room: str = "", module: str = "") -> File:
    """The facts about one source."""
    tree = ast.parse(source)
    file = File(room, module, len(source.splitlines()))
    for node in ast.walk(tree):
        if named := _NAMED.get(type(node)):
            file.identifiers[getattr(node, named)] += 1
        elif not isinstance(node, ast.stmt | ast.Module):
            continue
        elif isinstance(node, ast.ImportFrom):
            file.imported += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if text := ast.get_docstring(node, clean=False):
                file.docstrings.append(text)
            if isinstance(node, ast.ClassDef):
                file.classes.append(node.name)
            elif not isinstance(node, ast.Module):
                file.functions.append(node)
            if not isinstance(node, ast.Module):
                file.identifiers[node.name] += 1
    file.loose = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_loose(node)}
    return file


_NAMED: dict[type, str] = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg"}


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """The number of all parameters, the object itself aside, and of the positional ones among them."""
    given = function.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    many = len(positional) - (positional[:1] in (["self"], ["cls"]))
    return many + len(given.kwonlyargs), many


def is_loose(function: ast.FunctionDef) -> bool:
    """True if `Any` stands in the signature."""
    given = function.args
    annotations = [each.annotation for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)] + [
        function.returns
    ]
    return any(getattr(part, "id", "") == "Any" for each in annotations if each for part in ast.walk(each))


@cache
def files() -> tuple[File, ...]:
    """Every file of the package, read once."""
    made = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        module = ".".join(("unname", *parts)).removesuffix(".__init__")
        made.append(read(path.read_text("utf-8"), parts[0], module))
    return tuple(made)


def words_of(identifier: str) -> str:
    """A name's words in small letters, parted by underscores."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", identifier).lower()


def abolished(file: File) -> Iterator[str]:
    """Names, each once, and docstrings with a word that was abolished."""
    yield from (name for name in file.identifiers if ABOLISHED.search(words_of(name)))
    yield from (text for text in file.docstrings if ABOLISHED.search(text.lower()))


def counted() -> dict[str, tuple[int, int, int, int]]:
    """Numbers of what is left by room, as in `LEFT`; rooms with nothing left are absent."""
    for_others = {(of, name) for file in files() for of, name in file.imported if file.room not in of.split(".")[:2]}
    rows: dict[str, list[int]] = defaultdict(lambda: [0] * 4)
    for file in files():
        row = rows[file.room]
        row[0] += len(list(abolished(file)))
        row[1] += file.identifiers["found"]
        row[2] += sum(parameters(function)[1] > MOST_POSITIONAL for function in file.functions)
        row[3] += sum((file.module, name) in for_others for name in file.loose)
    return {room: (a, b, c, d) for room, (a, b, c, d) in sorted(rows.items()) if any((a, b, c, d))}


def test_no_function_takes_more_than_seven_parameters() -> None:
    assert not [
        f"{file.module}:{function.name}" for file in files()
        for function in file.functions if parameters(function)[0] > MOST_PARAMETERS
    ]  # fmt: skip
    assert [*map(parameters, read("def f(self, a, b, *, c): ...\ndef g(a): ...").functions)] == [(3, 2), (1, 1)]


def test_no_file_is_longer_than_a_long_read() -> None:
    assert len(files()) > 150 and not {file.module for file in files() if file.lines > MOST_LINES}


def test_no_docstring_opens_with_a_question() -> None:
    assert not [(file.module, text) for file in files() for text in file.docstrings if QUESTION.match(text.strip())]


def test_what_is_left_of_old_habits_only_gets_less() -> None:
    assert counted() == LEFT, "as it is now:\n" + "\n".join(f"    {room!r}: {row}," for room, row in counted().items())


def test_a_class_name_means_one_thing_in_the_package() -> None:
    names = Counter(name for file in files() for name in file.classes)
    assert not [name for name, times in names.items() if times > 1]


def test_the_rules_see_what_they_are_for() -> None:
    asks = read('"""Whether it holds."""\nclass A:\n    """The whole of it."""\ndef f(x): "Whoever does."')
    assert [bool(QUESTION.match(text)) for text in asks.docstrings] == [True, False, True]
    old = read(
        'def taught_by_lessons(_told): ...\nclass MostTold:\n    """Lessons for a tagger."""\ncrewel = holders = 1'
    )
    assert sorted(abolished(old)) == ["Lessons for a tagger.", "MostTold", "_told", "taught_by_lessons"]
    assert read("found = f(found=1).found\ndef found(found): ...").identifiers["found"] == 4
    assert read("def f(a: dict[str, Any]): ...\ndef g(*, b: int) -> Any: ...\ndef h(c: 'int'): ...").loose == {"f", "g"}
