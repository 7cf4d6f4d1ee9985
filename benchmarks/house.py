"""A checkout measured from outside: lines, words in lists, options, parameters, classes, and the way of one document.

    python -m benchmarks.house CHECKOUT [CHECKOUT …]

Each checkout needs its own environment. Printed is a row per figure and a column per checkout. *The way of one document*
is the main job (`deidentify`, one worker, no audit, the tagger of rules) on one document about one of thirty made-up people:
the files of the package whose functions are called, and how often the way goes from one file into another.
"""

import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.ownlines import counted
from benchmarks.results import say
from unname.knowledge.fictional import fictional_town
from unname.storage.tables import write_jsonl

QUESTIONS = frozenset(("What", "Who", "Whom", "Whose", "How", "Whether", "Which", "Why", "Where", "When"))
_TRACED = """
import json, sys
from unname.apps import cli
seen, last, steps = set(), "", 0
def follow(frame, event, arg):
    global last, steps
    code = frame.f_code
    if event == "call" and "/unname/" in code.co_filename and code.co_name != "<module>":
        seen.add(frame.f_code.co_filename)
        steps += frame.f_code.co_filename != last
        last = frame.f_code.co_filename
sys.setprofile(follow)
try:
    cli.run(sys.argv[1:])
finally:
    sys.setprofile(None)
    print(json.dumps({"files": len(seen), "steps from file to file": steps}), file=sys.stderr)
"""


def of_source(package: Path) -> dict[str, Any]:
    """Figures of the package's Python files."""
    files = sorted(package.rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    with_docs = [*functions, *classes]
    openings = [(ast.get_docstring(node) or "-").split()[0].strip(",:") for node in with_docs]
    taken = [len(f.args.args) + len(f.args.kwonlyargs) - (f.args.args[:1] != [] and f.args.args[0].arg in ("self", "cls"))
             for f in functions]  # fmt: skip
    sizes = sorted(((node.end_lineno or 0) - node.lineno + 1 for node in classes), reverse=True)
    names = [node.name for node in classes]
    lists = counted(package)
    return {
        "Python files": len(files), "lines of Python": sum(len(text.splitlines()) for text in texts),
        "lines of the longest file": max(len(text.splitlines()) for text in texts),
        "lines of word lists in Python": lists["lines of lists"], "lines of data files": lists["lines of data files"],
        "functions": len(functions), "parameters each": round(mean(taken), 2),
        "functions with more than four": sum(number > 4 for number in taken),
        "most parameters": max(taken), "lines of the largest classes": sizes[:5],
        "class names used twice": len({name for name in names if names.count(name) > 1}),
        "docstrings that open with a question word": sum(word in QUESTIONS for word in openings),
    }  # fmt: skip


def of_one_document(checkout: Path) -> dict[str, Any]:
    """The way of one document through the main job, and the options that its help shows."""
    town = fictional_town(people=30, seed=4)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_jsonl(home / "d.jsonl", ({"id": d.id, "person": d.person, "text": d.text} for d in town.documents[:1]))
        write_jsonl(home / "p.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles))
        job = ("deidentify", "d.jsonl", "--people", "p.jsonl", "--out", "o", "--k", "3", "--audit", "none", "--workers", "1",
               "--tagger", "rules", "--accept-risk", "measured")  # fmt: skip
        python = str(checkout / ".venv" / "bin" / "python")
        done = subprocess.run(
            [python, "-c", _TRACED, *job], cwd=home, capture_output=True, text=True, check=False, timeout=300
        )
        way = json.loads(done.stderr.splitlines()[-1])
    unname = str(checkout / ".venv" / "bin" / "unname")
    shown = subprocess.run([unname, "deidentify", "--help"], capture_output=True, text=True, check=True).stdout
    options = len(re.findall(r"(?m)^ +(?:-\w, )?--[\w-]+(?: |$)", shown))
    return {f"one document: {key}": value for key, value in way.items()} | {"options that help shows": options}


def main() -> None:
    """Print the figures of each checkout side by side."""
    checkouts = [Path(word).resolve() for word in sys.argv[1:]]
    columns = [of_source(checkout / "unname") | of_one_document(checkout) for checkout in checkouts]
    for key in columns[0]:
        say(key, *(column[key] for column in columns))


if __name__ == "__main__":
    main()
