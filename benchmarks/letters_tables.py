"""What the README shows of 300 letters: one before and after, who is found in them, and how long they take."""

import textwrap
from collections.abc import Mapping
from typing import Any

from benchmarks.results import load_rows, shown, worst
from unname.statistics import percent

_WIDTH = 116
Row = Mapping[str, Any]


def blocks() -> dict[str, list[str]]:
    """Every block by name."""
    return {"letters-example": example(), "letters-found": found(), "letters-time": time()}


def example() -> list[str]:
    """A letter before and after."""
    rows = load_rows("letters")
    shown_letter = rows["with" if "[" in rows["with"]["example"]["after"] else "without"]["example"]
    lines = ["```text"]
    for name in ("before", "after"):
        text = " ".join(shown_letter[name].split())
        lines += textwrap.wrap(f"{name:<7} {text}", _WIDTH, subsequent_indent=" " * 8, break_on_hyphens=False)
    return [*lines, "```"]


def found() -> list[str]:
    """Of a hundred people how many can still be found: of letters, and of biographies, which hold nothing but facts."""
    row, lives = load_rows("letters")["with"], load_rows("teachers_congress-dev")
    small, large = (lives[f"shipped k={k}"] for k in (10, 100))
    originals = worst(load_rows("adversary_congress-dev")["originals"])
    return [
        f"This letter is one of {row['documents']} about {row['persons']} of the {row['people']} people in a table; all are "
        f"invented. Of the originals, {shown(row['any_unused']['before'])} lead an attacker who holds the table to the "
        f"right person. Of the release, {shown(worst(dict(row)))} do, at {percent(row['masked']['rate'])} of the words "
        "hidden.",
        "",
        f"Real texts are harder. Of 100 people in {small['documents']:,} real biographies, which are hardly anything but "
        f"facts, **{_of_hundred(worst(small))} could still be found** after masking by default, and "
        f"{_of_hundred(worst(large))} with `--k 100`, by an attacker who had read {small['read']:,} biographies of other "
        f"people; of the originals, {_of_hundred(originals)} "
        "([figures](docs/results/who-is-found.md#what-the-default-leaves)).",
    ]


def time() -> list[str]:
    """Time, memory and disk of 300 letters, with and without a table of people."""
    rows = load_rows("letters")
    table, none = rows["with"], rows["without"]
    return [
        f"{table['documents']} letters with a table of {table['people']} people took {table['cpu seconds'] / 60:.0f} minutes "
        f"of processor time, {_gigabytes(table['peak bytes'])} of memory and {_megabytes(table['disk bytes'])} of disk; "
        f"without a table {none['cpu seconds']} seconds, {_gigabytes(none['peak bytes'])} and "
        f"{_megabytes(none['disk bytes'])}. Unname itself takes {_gigabytes(rows['install']['bytes'])} of disk "
        "([more](docs/results/speed.md))."
    ]


def _of_hundred(figures: Row | None) -> str:
    if figures is None:
        raise ValueError("this row was not measured")
    rounded = round(100 * float(figures["rate"]))
    return "all" if rounded == 100 else str(rounded)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
