"""How close the estimate of a dry run comes to the time that the run takes, and what a time budget leaves out.

    python -m benchmarks.estimates [--fresh]

For each corpus the estimate is made first, as `--dry-run` makes it, then the command runs with every default. An estimate
is a range, for it cannot be known how many rounds of masking pay; the ratio is that of the time for as many rounds as the run
made. Every corpus is run once more with half of the time as its budget. Other work on the machine makes both wrong.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import closed_world
from benchmarks.hospital import ID_COLUMN, write_letters, write_patients
from benchmarks.letters import PATTERN
from benchmarks.results import load_rows, save, say
from unname.job import make_job
from unname.knowledge.fictional import fictional_town
from unname.runtime import Runtime
from unname.verbs.deidentify.files import estimate_files

Options = dict[str, Any]
BIOGRAPHIES, LETTERS, PATIENTS, SEED = 300, 140, 800, 4


def _rows(path: Path, rows: Iterator[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def notes(people: int) -> Callable[[Path], tuple[Path, Path, Options]]:
    """The notes of a town of so many people."""

    def made(home: Path) -> tuple[Path, Path, Options]:
        town = fictional_town(people=people, seed=SEED)
        documents = ({"id": d.id, "person": d.person, "text": d.text} for d in town.documents)
        table = ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles)
        return _rows(home / "notes.jsonl", documents), _rows(home / "people.jsonl", table), {}

    return made


def letters(home: Path) -> tuple[Path, Path, Options]:
    """Letters of a hospital as files."""
    town = fictional_town(people=PATIENTS, seed=SEED)
    write_letters(home / "letters", town, LETTERS)
    write_patients(home / "patients.xlsx", town)
    return home / "letters", home / "patients.xlsx", {"people_id_column": ID_COLUMN, "person_pattern": PATTERN}


def biographies(home: Path) -> tuple[Path, Path, Options]:
    """Biographies of members of Congress among the people of their part."""
    world = closed_world("dev")
    documents = ({"id": d.id, "person": d.person, "text": d.text} for d in world.documents[:BIOGRAPHIES])
    table = ({"id": p.id, "fields": dict(p.fields)} for p in world.population.profiles)
    return _rows(home / "documents.jsonl", documents), _rows(home / "people.jsonl", table), {}


CORPORA: dict[str, Callable[[Path], tuple[Path, Path, Options]]] = {
    "notes of 24 people": notes(24), "140 letters": letters, "notes of 150 people": notes(150),
    "notes of 300 people": notes(300), "300 biographies": biographies,
}  # fmt: skip


def measured(make: Callable[[Path], tuple[Path, Path, Options]]) -> dict[str, Any]:
    """The estimate, the time that the run took, and the run that had half of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        documents, people, options = make(home)
        # As many processes as the command takes.
        job = make_job(documents, people, home / "unused", runtime=Runtime(0), **options)
        began = time.perf_counter()
        about, _ = estimate_files(job)
        row: dict[str, Any] = {"documents": about.documents, "people": about.people, "workers": about.workers,
                               "dry_run_s": round(time.perf_counter() - began, 1)}  # fmt: skip
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        call = ["deidentify", documents, "--people", people, *words]
        took, report = _ran(home, "whole", *call)
        rounds = max(len(report.get("rounds") or ()) - 1, 0)
        # Few documents teach nobody: then nobody judges either.
        made = (0, rounds, about.rounds) if about.rounds else (None, None, None)
        seconds = [about.costs.together_s(each, job.audit) for each in made]
        row |= {
            "least_s": round(seconds[0], 1),
            "most_s": round(seconds[2], 1),
            "rounds": rounds,
            "took_s": round(took, 1),
        }
        row |= {"ratio": round(seconds[1] / took, 3), "found": report["strongest"]}
        half = max(round(took / 2), 1)
        took, report = _ran(home, "half", *call, "--time-budget", f"{half}s")
        row["half"] = {"asked_s": half, "took_s": round(took, 1), **({"refused": True} if not report else {
            "left_out": report["left_out"], "found": report["strongest"]})}  # fmt: skip
        return row


def _ran(home: Path, name: str, *words: object) -> tuple[float, dict[str, Any]]:
    """Seconds of the command, and its report; none where it refused."""
    out = home / name
    command = [str(Path(sys.executable).with_name("unname")), *map(str, words), "--out", str(out)]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode == 2 and "time-budget" in done.stderr:
        return took, {}
    if done.returncode not in (0, 3, 4):
        raise SystemExit(f"deidentify ended with {done.returncode}")
    report: dict[str, Any] = json.loads((home / f"{name}.private" / "report.json").read_text(encoding="utf-8"))
    return took, report


def blocks() -> dict[str, list[str]]:
    """The figures as a block of the page."""
    lines = ["| what | documents, people | estimate (s) | took (s) | estimate : time | with half of the time |"]
    lines.append("|---|---|---|---|---|---|")
    for name, row in load_rows("estimates").items():
        half = row["half"]
        said = "refused" if half.get("refused") else f"{half['took_s']:.0f} s of {half['asked_s']}"
        cells = [name, f"{row['documents']:,}, {row['people']:,}", f"{row['least_s']:.0f} to {row['most_s']:.0f}",
                 f"{row['took_s']:.0f}", f"{row['ratio']:.2f}", said]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return {"estimates": lines}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fresh", action="store_true", help="throw away the rows of earlier runs")
    rows = load_rows("estimates", fresh=asked.parse_args().fresh)
    for name, make in CORPORA.items():
        if name not in rows:
            rows[name] = measured(make)
            say(name, *(f"{key} {value}" for key, value in rows[name].items()))
            save("estimates", rows, seed=SEED)


if __name__ == "__main__":
    main()
