"""Writing results: figures with versions, seed and machine, kept after every row so that a long run can be resumed."""

import json
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from unname.statistics import Rate
from unname.storage.manifest import versions

FOLDER = Path(__file__).parent / "results"


def machine() -> dict[str, Any]:
    """The machine that produced the figures, without its name."""
    return {"cores": os.cpu_count(), "system": platform.system(), "processor": platform.machine()}


def load_rows(name: str, *, fresh: bool = False) -> dict[str, Any]:
    """The rows of an earlier run of a benchmark, none if there was no such run; `fresh` throws them away."""
    path = FOLDER / f"{name}.json"
    if fresh:
        path.unlink(missing_ok=True)
    rows: dict[str, Any] = json.loads(path.read_text())["rows"] if path.exists() else {}
    return rows


def save(name: str, rows: dict[str, Any], **about: Any) -> None:
    """Write these rows beside those that another process has written meanwhile."""
    FOLDER.mkdir(exist_ok=True)
    rows |= {row: value for row, value in load_rows(name).items() if row not in rows}
    content = {"benchmark": name, "versions": versions(), "machine": machine(), **about, "rows": rows}
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def shown(figures: Mapping[str, Any] | None) -> str:
    """A rate of a results file with its interval."""
    if figures is None or figures["rate"] is None or figures["ci"] is None:
        return "not measured"
    low, high = figures["ci"]
    return str(Rate(figures["rate"], low, high, figures["n"], figures["people"]))


def worst(row: dict[str, Any]) -> dict[str, Any] | None:
    """The rate of the strongest single adversary: with or without knowledge of private models, whichever is higher."""
    known = [row[name] for name in ("strongest", "strongest_without_models") if row.get(name)]
    return max(known, key=lambda figures: figures["rate"], default=None)


def paired(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[int, int, float] | None:
    """Documents found before alone, after alone, and how likely so uneven a split is by chance (McNemar, exact, two-sided).

    None where a row was written without `hits`.
    """
    if not before.get("hits") or not after.get("hits"):
        return None
    changed = [was for was, now in zip(before["hits"], after["hits"], strict=True) if was != now]
    lost, won = changed.count("1"), changed.count("0")
    return lost, won, float(binomtest(lost, lost + won).pvalue) if changed else 1.0


def say(*parts: Any) -> None:
    """A line of progress."""
    print(*parts, file=sys.stderr, flush=True)
