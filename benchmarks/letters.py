"""The time and memory that 300 letters take, and who is still found in them, with a table of people and without one.

    python -m benchmarks.letters [with] [without] [install=FOLDER]

The letters are those of a fictional town of 800 people, as files named after a hospital number and a day
(`DL_4391207_2023-01-02.txt`), and the table is an Excel sheet with the column `Hospital No`. Both commands are those of the
README, with every default. Seconds are those of the whole command, `cpu seconds` those of all its processes together, which
other work on the machine hardly changes. `install=FOLDER` counts the bytes of a virtual environment without extras.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.hospital import ID_COLUMN, write_letters, write_patients
from benchmarks.results import load_rows, save, say
from benchmarks.speed import memory_of
from unname.knowledge.fictional import fictional_town

LETTERS, PEOPLE = 300, 800
PATTERN = "^DL_([0-9]+)_"
# So many characters are short enough for a page, which shows a letter before and after.
SHOWN = 650


def released(*options: str) -> dict[str, Any]:
    """One run of the command: seconds, memory, and the figures of its report."""
    town = fictional_town(people=PEOPLE, seed=0)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_letters(folder / "letters", town, LETTERS)
        write_patients(folder / "patients.xlsx", town)
        call = [sys.executable, "-m", "unname", "deidentify", "letters", *options, "--out", "release"]
        before, started, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), 0
        process = subprocess.Popen(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            time.sleep(1)
        if process.returncode not in (0, 4):
            raise SystemExit(f"the command ended with {process.returncode}")
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        private = folder / "release.private"
        report = json.loads((private / "report.json").read_text(encoding="utf-8"))
        keys = ("documents", "persons", "people", "k", "masked", "headline", "verdict", "any_used", "any_unused", "fused",
                "strongest", "strongest_without_models")  # fmt: skip
        return {"seconds": round(seconds), "cpu seconds": round(used), "peak bytes": peak, "disk bytes": _bytes(private),
                "exit": process.returncode, **{key: report.get(key) for key in keys},
                "example": _example(folder / "letters", private)}  # fmt: skip


def _example(letters: Path, private: Path) -> dict[str, str]:
    """The short letter of which most stretches are hidden, before and after."""
    masks = [json.loads(line) for line in (private / "masks.jsonl").read_text(encoding="utf-8").splitlines()]
    texts, originals = (
        dict(_released(private)),
        {path.stem: path.read_text(encoding="utf-8") for path in letters.iterdir()},
    )
    short = [mask for mask in masks if len(originals[mask["id"]]) <= SHOWN and mask["release_id"] in texts]
    chosen = max(short, key=lambda mask: (len(mask["spans"]), mask["id"]))
    return {"id": chosen["id"], "before": originals[chosen["id"]], "after": texts[chosen["release_id"]]}


def _released(private: Path) -> Iterator[tuple[str, str]]:
    held = private / "held"
    for path in (held if held.is_dir() else private.with_suffix("")).rglob("*.txt"):
        yield path.stem, path.read_text(encoding="utf-8")


def _bytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def main(asked: Sequence[str] = ()) -> None:
    """Run what was asked for, or both."""
    rows = load_rows("letters")
    people = ("--people", "patients.xlsx", "--people-id-column", ID_COLUMN, "--person-pattern", PATTERN)
    ways: dict[str, tuple[str, ...]] = {"without": (), "with": people}
    for name in list(asked) or list(ways):
        way, _, folder = name.partition("=")
        rows[way] = {"bytes": _bytes(Path(folder))} if folder else released(*ways[name])
        say(rows[way])
        save("letters", rows)


if __name__ == "__main__":
    main(sys.argv[1:])
