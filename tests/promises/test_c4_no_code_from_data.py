"""C4: no code runs from data: nothing in the package can load a pickle, evaluate a string or trust remote code."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import unname

HOME = Path(unname.__file__).parent
MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "jsonpickle"}
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
METHODS = {("torch", "load"), ("torch", "hub"), ("yaml", "load"), ("os", "system"), ("os", "popen"), ("np", "loads")}
SWITCHES = {"trust_remote_code", "allow_pickle", "shell", "weights_only"}
SAFE_SWITCH = {"trust_remote_code": False, "allow_pickle": False, "shell": False, "weights_only": True}


def dangers(source: str) -> Iterator[str]:
    """Every construct of a module by which data could become code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (f"import {a.name}" for a in node.names if a.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").partition(".")[0] in MODULES:
                yield f"import from {node.module}"
            elif node.module in ("torch", "torch.hub"):
                yield from (f"import of torch.{a.name}" for a in node.names if a.name in ("load", "hub"))
        elif isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.Constant) and node.value in SWITCHES - {"shell"}:
            yield f"{node.value} as a string"


def _of_call(node: ast.Call) -> Iterator[str]:
    function = node.func
    if isinstance(function, ast.Name) and function.id in CALLS:
        yield f"call of {function.id}"
    if isinstance(function, ast.Attribute):
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        if (owner, function.attr) in METHODS or (owner == "builtins" and function.attr in CALLS):
            yield f"call of {owner}.{function.attr}"
    for keyword in node.keywords:
        if keyword.arg in SWITCHES:
            safe = isinstance(keyword.value, ast.Constant) and keyword.value.value is SAFE_SWITCH[keyword.arg]
            if not safe:
                yield f"{keyword.arg} set"


def require_no_code_from_data(folder: Path) -> int:
    """No module below a folder holds such a construct; returns how many were read."""
    sources = sorted(folder.rglob("*.py"))
    for path in sources:
        found = list(dangers(path.read_text(encoding="utf-8")))
        assert not found, f"{path.name}: {found[0]}"
    return len(sources)


def test_nothing_in_the_package_runs_code_from_data() -> None:
    assert require_no_code_from_data(HOME) > 40


@pytest.mark.parametrize(
    "line",
    [
        "import pickle", "from joblib import load", "import torch\nmodel = torch.load('x')", "from torch import load",
        "import yaml", "x = eval('1')", "exec(open('x').read())", "import marshal", "__import__('os')",
        "make(trust_remote_code=True)", "make(**{'trust_remote_code': True})", "np.load('x', allow_pickle=True)",
        "flag = True\nmake(trust_remote_code=flag)", "def f():\n    from pickle import loads", "os.system('x')",
        "subprocess.run('x', shell=True)", "torch.load('x', weights_only=False)",
    ],
)  # fmt: skip
def test_the_check_notices_code_from_data(line: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"module\.py"):
        require_no_code_from_data(tmp_path)


def test_the_check_lets_harmless_code_pass(tmp_path: Path) -> None:
    harmless = "import re, json\njson.loads('1')\nre.compile('x')\nnp.load('x', allow_pickle=False)\n"
    (tmp_path / "module.py").write_text(harmless, encoding="utf-8")
    assert require_no_code_from_data(tmp_path) == 1
