"""The README's figures of 300 letters: one before and after, who is found in them, and how long they take."""

import textwrap
from collections.abc import Mapping
from typing import Any

from benchmarks.results import load_rows, shown, worst
from unname.statistics import percent

_WIDTH, _LINES = 100, 4
Row = Mapping[str, Any]


def blocks() -> dict[str, list[str]]:
    """Every block by name."""
    return {"letters-example": example(), "letters-found": found(), "letters-time": time()}


def example() -> list[str]:
    """The first lines of a letter before and after."""
    letter = load_rows("letters")["with"]["example"]
    lines = ["```text"]
    for name in ("before", "after"):
        said = textwrap.wrap(" ".join(letter[name].split()), _WIDTH, break_on_hyphens=False)
        more = " …" if len(said) > _LINES else ""
        lines += [name, *(f"    {line}" for line in said[:_LINES])]
        lines[-1] += more
    return [*lines, "```"]


def found() -> list[str]:
    """Of a hundred people how many can still be found: of letters, and of biographies, which hold nothing but facts."""
    row, lives = load_rows("letters")["with"], load_rows("teachers_congress-dev")
    small, large = (lives[f"shipped k={k}"] for k in (10, 100))
    originals, told = _found(load_rows("adversary_congress-dev")["originals"]), row["headline"]
    return [
        f"This letter is one of "
        f"{row['documents']} about {row['persons']} of the {row['people']} people in a table; all are "
        f"invented. An attacker who holds the table and reads the originals finds {shown(told['before'])} of these people; "
        f"after {percent(row['masked']['rate'])} of the words were masked, {shown(told['after'])} "
        "(95 % intervals in brackets). The report calls that weak evidence, because its attackers had read nothing about "
        "other people.",
        "",
        f"Real texts are harder. In {small['documents']:,} real biographies, which consist almost entirely of facts, "
        f"**{_of_hundred(_found(small))} of every 100 people could still be found** after masking by default, and "
        f"{_of_hundred(_found(large))} with `--k 100`, by an attacker who had read {small['read']:,} biographies of other "
        f"people; before masking, {_of_hundred(originals)} of them could be "
        "([figures](docs/results/who-is-found.md#what-the-default-leaves)).",
    ]


def time() -> list[str]:
    """Time, memory and disk of 300 letters, with and without a table of people."""
    rows = load_rows("letters")
    table, none = rows["with"], rows["without"]
    return [
        f"{table['documents']} letters with a table of {table['people']} people took {table['seconds']} seconds on "
        f"two cores, {_gigabytes(table['peak bytes'])} of memory and {_megabytes(table['disk bytes'])} of disk; "
        f"without a table {none['seconds']} seconds, {_gigabytes(none['peak bytes'])} and {_megabytes(none['disk bytes'])}. "
        f"Unname itself takes {_gigabytes(rows['install']['bytes'])} of disk ([more](docs/results/speed.md))."
    ]


def _found(row: Row) -> Row | None:
    """The highest rate of a single adversary, guesses matched one to one included."""
    known = [figures for figures in (worst(dict(row)), row.get("matched")) if figures]
    return max(known, key=lambda figures: float(figures["rate"]), default=None)


def _of_hundred(figures: Row | None) -> str:
    if figures is None:
        raise ValueError("this row was not measured")
    rounded = round(100 * float(figures["rate"]))
    return "all" if rounded == 100 else str(rounded)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
