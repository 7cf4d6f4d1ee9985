"""The cost of libraries that know the world, and our own tables and checkers that they replace: before and after.

    python -m benchmarks.libraries --before CHECKOUT [--times N]

For each library: version, licence as its metadata says, installed size (its files without compiled Python), time of its
import and of its import and first use (CPU time, median of fresh interpreters), and which files of the package import it.
For each checkout: time of `import unname`, `unname --version` and `unname tag` on one sentence, and lines of word lists and
hand-written checkers (benchmarks/ownlines.py says what counts).
"""

import argparse
import ast
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distribution
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.ownlines import counted
from benchmarks.results import save, say

ROOT = Path(__file__).parents[1]
# Distribution: module, and a first use that loads what it needs.
LIBRARIES = {
    "phonenumbers": ("phonenumbers", "m.is_valid_number(m.parse('+49 30 901820'))"),
    "python-stdnum": ("stdnum", "from stdnum.nl import bsn; bsn.is_valid('111222333')"),
    "babel": ("babel", "from babel.dates import get_month_names; get_month_names('wide', locale='pl')"),
    "ftfy": ("ftfy", "m.fix_text('Ã©tÃ©')"),
    "anyascii": ("anyascii", "m.anyascii('Щербачёв')"),
    "opencc": ("opencc", "m.OpenCC('t2s').convert('國慶')"),
    "icu4py": ("icu4py", "from icu4py.breakers import WordBreaker; list(WordBreaker('ผู้ป่วยหลับดี', 'th'))"),
    "stopwordsiso": ("stopwordsiso", "m.stopwords('pl')"),
    "nicknames": ("nicknames", "m.NickNamer()"),
}


def fresh_seconds(code: str, package: Path, times: int) -> float:
    """Median CPU seconds that a statement takes in a fresh interpreter, its start left out."""
    timed = f"import time\nstarted = time.process_time()\n{code}\nprint(time.process_time() - started)"
    return median(float(_run([sys.executable, "-c", timed], package, ROOT).splitlines()[-1]) for _ in range(times))


def command_seconds(arguments: list[str], package: Path, folder: Path, times: int) -> float:
    """Median CPU seconds of a whole command."""
    spent = []
    for _ in range(times):
        (folder / "o.jsonl").unlink(missing_ok=True)
        started = _children_seconds()
        _run([sys.executable, "-m", "unname", *arguments], package, folder)
        spent.append(_children_seconds() - started)
    return median(spent)


def _children_seconds() -> float:
    """CPU seconds of all processes that this one started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(command: list[str], package: Path, folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package)}
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def licence_of(found: Distribution) -> str:
    """The licence as the metadata says it, in one line."""
    about = found.metadata
    named = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    return about["License-Expression"] or ", ".join(named) or (about["License"] or "unknown").splitlines()[0][:60]


def size_of(found: Distribution) -> float:
    """Its files in MiB, without compiled Python."""
    paths = [Path(str(found.locate_file(path))) for path in found.files or [] if path.suffix != ".pyc"]
    return round(sum(path.stat().st_size for path in paths if path.is_file()) / 2**20, 2)


def users_of(module: str, package: Path) -> list[str]:
    """Files of the package that import a module."""
    found = []
    for path in sorted((package / "unname").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
        names |= {
            argument.value for node in nodes if isinstance(node, ast.Call) and _loads(node.func)
            for argument in node.args[:1] if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        }  # fmt: skip
        if any(name.partition(".")[0] == module for name in names):
            found.append(str(path.relative_to(package)))
    return found


def _loads(function: ast.expr) -> bool:
    """True if this calls import_module."""
    return isinstance(function, ast.Name | ast.Attribute) and ast.unparse(function).endswith("import_module")


def libraries(times: int) -> dict[str, Any]:
    """A row for each library."""
    rows = {}
    for name, (module, use) in LIBRARIES.items():
        found = distribution(name)
        rows[name] = {
            "version": found.version, "licence": licence_of(found), "MiB": size_of(found),
            "import ms": round(1000 * fresh_seconds(f"import {module}", ROOT, times), 1),
            "import and first use ms": round(1000 * fresh_seconds(f"import {module} as m; {use}", ROOT, times), 1),
            "used by": users_of(module, ROOT),
        }  # fmt: skip
        say(name, rows[name])
    return rows


def package(checkout: Path, times: int) -> dict[str, Any]:
    """The row of one checkout."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = {"id": "a", "text": "Mrs Kestrelby was born on 2 August 1984, telephone 07700 900123."}
        (folder / "d.jsonl").write_text(json.dumps(text) + "\n")
        tag = ["tag", "d.jsonl", "--tagger", "rules", "--out", "o.jsonl"]
        return {
            "import unname ms": round(1000 * fresh_seconds("import unname", checkout, times), 1),
            "unname --version ms": round(1000 * command_seconds(["--version"], checkout, folder, times)),
            "unname tag ms": round(1000 * command_seconds(tag, checkout, folder, times)),
            **counted(checkout / "unname"),
        }


def main() -> None:
    """Measure the libraries and both checkouts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the package as it was")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    rows: dict[str, Any] = {"libraries": libraries(options.times)}
    for which, checkout in (("before", options.before.resolve()), ("after", ROOT)):
        rows[which] = package(checkout, options.times)
        say(which, {name: value for name, value in rows[which].items() if name != "files"})
    save("libraries", rows, times=options.times, load=round(os.getloadavg()[0], 1))


if __name__ == "__main__":
    main()
