"""I6: the audit imports no method and no transform, so any tool's output can be audited and no attacker peeks."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from promise_support import Files, json_rows

import unname

PACKAGE = Path(unname.__file__).parent
STARTS = (
    "unname.auditing",
    "unname.attacking",
    "unname.scoring",
    "unname.verbs.audit.in_memory",
    "unname.verbs.audit.files",
)
FORBIDDEN = (
    "unname.masking",
    "unname.transforms",
    "unname.sharing",
    "unname.verbs.deidentify.in_memory",
    "unname.verbs.deidentify.files",
)


def modules(package: Path) -> dict[str, Path]:
    """Every module of the package by name."""
    found = {}
    for path in package.rglob("*.py"):
        parts = ("unname", *path.relative_to(package).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _body(tree: ast.AST) -> list[ast.AST]:
    """All nodes, but none that only a type checker sees."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        found += [node, *_body(node)]
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """Modules of ours that a module imports anywhere in it, in functions too, or names in a string."""
    found: set[str] = set()
    for node in _body(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and path.stem != "__init__":
            named = node.value.partition(":")[0]
            if named in known and known[named].stem != "__init__":  # a room's name alone may be an entry point group
                found.add(named)
    return found & set(known)


def require_no_method(package: Path) -> int:
    """Nothing that the audit reaches, through however many modules, is a method or transform; returns how many."""
    known = modules(package)
    todo = [name for name in known if name in STARTS or name.startswith("unname.auditing.")]
    reached = {name: name for name in todo}
    while todo:
        name = todo.pop()
        for other in imports(known[name], known):
            if other not in reached:
                reached[other] = f"{reached[name]} -> {other}"
                todo.append(other)
    for name, way in reached.items():
        assert not name.startswith(FORBIDDEN), f"the audit imports {way}"
    return len(reached)


def test_no_import_leads_from_the_audit_to_a_method() -> None:
    assert require_no_method(PACKAGE) > 15


AUDIT = """
import sys
from unname.apps.cli import run
{planted}
code = run(sys.argv[1:])
print("loaded", *(m for m in sys.modules if m.startswith(("unname.masking", "unname.transforms"))))
sys.exit(code)
"""


def loaded_by_an_audit(files: Files, out: Path, *more: str, planted: str = "") -> list[str]:
    """Modules of methods and transforms that a whole audit loads; of every attacker unless told otherwise."""
    done = subprocess.run(
        [sys.executable, "-c", AUDIT.replace("{planted}", planted), "audit", str(files.documents),
         "--original", str(files.documents), "--people", str(files.people), "--out", str(out), *more],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()[-1].split()[1:]


def test_a_whole_audit_loads_no_method(town_files: Files, tmp_path: Path) -> None:
    small = Files(tmp_path, tmp_path / "documents.jsonl", town_files.people)
    rows = town_files.documents.read_bytes().splitlines(keepends=True)[:12]
    small.documents.write_bytes(b"".join(rows))
    assert len(json_rows(small.documents)) == 12
    assert loaded_by_an_audit(small, tmp_path / "audit") == []
    planted = loaded_by_an_audit(
        small, tmp_path / "other", "--attackers", "bm25,facts", planted="import unname.masking.search"
    )
    assert "unname.masking.search" in planted


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("auditing/verdict.py", "from unname.masking.search import Greedy"),
        ("attacking/attackers.py", "def f():\n    import unname.transforms.redact"),
        ("reidentifiers/terms/bm25.py", "from unname.masking import base"),
        ("verbs/audit/in_memory.py", "x = importlib.import_module('unname.masking.search_state')"),
        ("knowledge/population.py", "from unname.verbs.deidentify.in_memory import deidentify"),
    ],
)
def test_the_check_notices_an_import_of_a_method(path: str, line: str, tmp_path: Path) -> None:
    copy = tmp_path / "unname"
    for name, source in modules(PACKAGE).items():
        target = copy / source.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        assert name.startswith("unname")
    require_no_method(copy)
    with (copy / path).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{line}\n")
    with pytest.raises(AssertionError, match="the audit imports"):
        require_no_method(copy)
