"""Writing results: figures with versions, seed and machine, kept after every row so that a long run can be resumed."""

import json
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from unname.auditing import report
from unname.storage.manifest import versions

FOLDER = Path(__file__).parent / "results"


def machine() -> dict[str, Any]:
    """What the figures were measured on, without naming it."""
    return {"cores": os.cpu_count(), "system": platform.system(), "processor": platform.machine()}


def load_rows(name: str, *, fresh: bool) -> dict[str, Any]:
    """What an earlier run of a benchmark left; `fresh` throws it away."""
    path = FOLDER / f"{name}.json"
    if fresh:
        path.unlink(missing_ok=True)
    return json.loads(path.read_text())["rows"] if path.exists() else {}


def save(name: str, rows: dict[str, Any], **about: Any) -> None:
    """Write these rows beside those that another process has written meanwhile."""
    FOLDER.mkdir(exist_ok=True)
    rows |= {row: value for row, value in load_rows(name, fresh=False).items() if row not in rows}
    content = {"benchmark": name, "versions": versions(), "machine": machine(), **about, "rows": rows}
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def shown(figures: Mapping[str, Any] | None) -> str:
    """A rate of a results file with its interval."""
    absent = {"rate": None, "ci": None, "n": 0, "people": 0}
    return report.shown(None if figures is None else SimpleNamespace(**absent | figures))


def say(*parts: Any) -> None:
    """A line of progress."""
    print(*parts, file=sys.stderr, flush=True)
