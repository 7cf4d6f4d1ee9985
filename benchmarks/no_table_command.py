"""The command as a user runs it, in a process of its own, and what it hid."""

import csv
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.no_table_run import VARIABLE, digest
from benchmarks.no_table_scores import places, words_hidden
from benchmarks.world import read_lines, write_lines
from unname.types import Document, Profile

ROOT = Path(__file__).parents[1]
# Released; some withheld; held in the private folder because of the verdict.
_ENDS = (0, 3, 4)
HELD = "held"


@dataclass(frozen=True, repr=False)
class Tool:
    """A checkout of the package, and other weights for its tagger: one file, or one for each half that it has not read."""

    package: Path = ROOT
    weights: tuple[Path, ...] = ()
    halves: dict[str, int] = field(default_factory=dict)

    def arguments(self, folder: Path) -> tuple[list[str], dict[str, str]]:
        """The beginning of the command line, and the environment it runs in."""
        environment = {**os.environ, "PYTHONPATH": str(self.package)}
        if not self.weights:
            return [sys.executable, "-m", "unname"], environment
        given = folder / "weights.json"
        given.write_text(json.dumps({"weights": [str(w.resolve()) for w in self.weights], "halves": self.halves}))
        return [sys.executable, "-m", "benchmarks.no_table_run"], {**environment, VARIABLE: str(given)}

    def by_half(self, documents: Sequence[Document], halves: Sequence[int]) -> "Tool":
        """The same where each document is read with the weights of its half."""
        return Tool(self.package, self.weights, {digest(d.text): h for d, h in zip(documents, halves, strict=True)})


@dataclass(frozen=True, repr=False)
class Made:
    """A run: what it hid of each document (None: withheld), its texts, its report, the list to read first, and its time."""

    hidden: tuple[set[int] | None, ...]
    texts: tuple[str | None, ...]
    report: dict[str, Any]
    listed: list[dict[str, str]] | None
    seconds: float
    cpu_seconds: float

    def kept(self) -> list[int]:
        """Places of the documents that are not withheld."""
        return [place for place, hidden in enumerate(self.hidden) if hidden is not None]

    def gone(self) -> list[set[int]]:
        """The places hidden in each document that is not withheld."""
        return [hidden for hidden in self.hidden if hidden is not None]

    def about(self, documents: Sequence[Document]) -> dict[str, Any]:
        """The figures of a run that every row has."""
        words = words_hidden([documents[place].text for place in self.kept()], self.gone())
        return {
            "documents": len(self.hidden), "withheld": len(self.hidden) - len(self.kept()), **words,
            "hidden share": round(words["hidden"] / max(words["words"], 1), 4),
            "seconds": round(self.seconds, 1), "cpu seconds": round(self.cpu_seconds, 1),
            "listed": None if self.listed is None else len(self.listed),
        }  # fmt: skip


def deidentify(tool: Tool, documents: Sequence[Document], folder: Path, *options: str, persons: bool = False) -> Made:
    """`unname deidentify DOCUMENTS --out R`, with the documents' people only if asked."""
    write_lines(folder / "texts.jsonl", [rows_of(d, persons=persons) for d in documents])
    beginning, environment = tool.arguments(folder)
    command = [*beginning, "deidentify", "texts.jsonl", "--out", "r", "--replace", *options]
    used, started = _children(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    seconds, cpu = time.perf_counter() - started, _children() - used
    if done.returncode not in _ENDS:
        raise SystemExit(f"deidentify ended with {done.returncode}: {done.stderr[-600:]}")
    return _read(documents, folder, seconds, cpu)


def rows_of(document: Document, *, persons: bool) -> dict[str, str]:
    """A document as a user has it."""
    row = {"id": document.id, "text": document.text}
    return row | {"person": document.person} if persons and document.person else row


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _read(documents: Sequence[Document], folder: Path, seconds: float, cpu: float) -> Made:
    private = folder / "r.private"
    release = folder / "r" if (folder / "r").exists() else private / HELD
    masks = {row["id"]: row for row in read_lines(private / "masks.jsonl")}
    released = {row["id"]: row["text"] for row in read_lines(release / "documents.jsonl")}
    texts = [released.get(masks[d.id]["release_id"]) if d.id in masks else None for d in documents]
    hidden = [
        None if text is None else places((s["start"], s["end"]) for s in masks[d.id]["spans"])
        for d, text in zip(documents, texts, strict=True)
    ]
    listed = private / "read-first.csv"
    rows = None
    if listed.exists():
        with listed.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    report = json.loads((private / "report.json").read_text())
    return Made(tuple(hidden), tuple(texts), report, rows, seconds, cpu)


def audit(
    tool: Tool, documents: Sequence[Document], released: Sequence[str], folder: Path, *options: str
) -> dict[str, Any]:
    """The report of `unname audit` on texts that somebody else released."""
    write_lines(folder / "texts.jsonl", [rows_of(d, persons=True) for d in documents])
    write_lines(folder / "released.jsonl", [{"id": d.id, "text": t} for d, t in zip(documents, released, strict=True)])
    beginning, environment = tool.arguments(folder)
    command = [
        *beginning,
        "audit",
        "released.jsonl",
        "--original",
        "texts.jsonl",
        "--out",
        "audit",
        "--replace",
        *options,
    ]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in _ENDS:
        raise SystemExit(f"audit ended with {done.returncode}: {done.stderr[-600:]}")
    found: dict[str, Any] = json.loads((folder / "audit" / "report.json").read_text())
    return found


def can_search(tool: Tool) -> bool:
    """True if the command knows `--outsiders`."""
    said = subprocess.run(
        [sys.executable, "-m", "unname", "deidentify", "--help"], cwd=tool.package, capture_output=True, text=True,
        check=True, env={**os.environ, "PYTHONPATH": str(tool.package)},
    )  # fmt: skip
    return "--outsiders" in said.stdout


def write_people(path: Path, profiles: Sequence[Profile]) -> None:
    """A table of people as a user has it."""
    write_lines(path, [{"id": profile.id, **profile.fields} for profile in profiles])
