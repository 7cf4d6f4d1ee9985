"""The tables of languages, of the rules' precision and speed, and of what the libraries cost: before and after."""

from collections.abc import Mapping
from typing import Any

from benchmarks.results import load_rows
from benchmarks.world import OPEN_KINDS
from benchmarks.worldforms import KINDS
from unname.statistics import percent

STATES = ("before", "after")
COLUMNS = [("table", kind) for kind in KINDS] + [("nobody", kind) for kind in OPEN_KINDS]
NAMES = {
    "name": "name",
    "inflected": "inflected",
    "transliterated": "other letters",
    "date": "date",
    "phone": "phone",
    "id": "id",
}
OPEN_NAMES = {"date": "any date", "phone": "any phone", "id": "any id"}
Row = Mapping[str, Any]


def blocks() -> dict[str, list[str]]:
    """Every table by name, for those that have been measured."""
    made = {
        "world": recall(), "world-precision": precision(), "rules-precision": rules(), "rules-speed": speed(),
        "libraries": libraries(), "own-lines": own_lines(),
    }  # fmt: skip
    return {name: rows for name, rows in made.items() if len(rows) > 2}


def states(rows: Row) -> list[Row]:
    """The states that have been measured, before first."""
    return [rows[state] for state in STATES if state in rows]


def arrow(cells: list[str]) -> str:
    """Before → after; what was measured once stands alone."""
    return " → ".join(cells) if cells else "–"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f}"


def recall() -> list[str]:
    """Shares of forms hidden, in per cent, by language and kind, with the totals and their intervals."""
    rows = states(load_rows("world"))
    head = [NAMES[kind] if mode == "table" else OPEN_NAMES[kind] for mode, kind in COLUMNS]
    lines = ["| | " + " | ".join(head) + " |", "|---|" + "---:|" * len(head)]
    if not rows:
        return lines
    for state, row in zip(STATES, rows, strict=False):
        cells = []
        for mode, kind in COLUMNS:
            total = row["total"][mode][kind]
            low, high = total["recall"]["ci"]
            withheld = f", {total['withheld']} withheld" if total["withheld"] else ""
            cells.append(
                f"{percent(total['recall']['value'])} ({100 * low:.0f}–{100 * high:.0f}) of {total['of']:,}{withheld}"
            )
        lines.append(f"| **all, {state}** | " + " | ".join(cells) + " |")
    for code, language in _by_name(rows[-1]):
        cells = [
            arrow([_share(row["languages"][code][mode][kind]["recall"]) for row in rows if code in row["languages"]])
            for mode, kind in COLUMNS
        ]
        lines.append(f"| {language} | " + " | ".join(cells) + " |")
    return lines


def _by_name(row: Row) -> list[tuple[str, str]]:
    """Codes and names of the languages, in the order of their names."""
    return sorted(((code, each["language"]) for code, each in row["languages"].items()), key=lambda pair: pair[1])


def precision() -> list[str]:
    """Shares of masked words that belong to a form, and words masked in tempting sentences."""
    rows = states(load_rows("world"))
    head = [NAMES[kind] if mode == "table" else OPEN_NAMES[kind] for mode, kind in COLUMNS]
    head += ["masked of tempting words", "tagged of tempting words"]
    lines = ["| | " + " | ".join(head) + " |", "|---|" + "---:|" * len(head)]
    if not rows:
        return lines
    for state, row in zip(STATES, rows, strict=False):
        cells = [percent(row["total"][mode][kind]["precision"]) for mode, kind in COLUMNS]
        for mode in ("table", "nobody"):
            total = row["total"][mode]["tempting"]
            cells.append(f"{total['false words']} of {total['words']:,} ({total['false per 1,000']} per 1,000)")
        lines.append(f"| **all, {state}** | " + " | ".join(cells) + " |")
    for code, language in _by_name(rows[-1]):
        each = [row["languages"][code] for row in rows if code in row["languages"]]
        cells = [arrow([_share(row[mode][kind]["precision"]) for row in each]) for mode, kind in COLUMNS]
        for mode in ("table", "nobody"):
            said = arrow([str(row["tempting"][mode]["false words"]) for row in each])
            cells.append(f"{said} of {each[-1]['tempting'][mode]['words']}")
        lines.append(f"| {language} | " + " | ".join(cells) + " |")
    return lines


def rules() -> list[str]:
    """False positives of the rules on annotated corpora, and the direct identifiers that they cover."""
    rows = load_rows("precision")
    lines = ["| corpus | words | false words per 1,000 | false words by label | direct identifiers covered |",
             "|---|---:|---:|---|---:|"]  # fmt: skip
    measured = states(rows)
    for corpus in measured[-1] if measured else ():
        each = [row[corpus] for row in measured]
        labels = sorted({label for row in each for label in row["false words"]})
        by_label = ", ".join(
            f"{name} {arrow([str(row['false words'].get(name, 0)) for row in each])}" for name in labels
        )
        covered = arrow([percent(row["recall of direct"]["value"]) for row in each])
        lines.append(
            f"| {corpus} | {each[-1]['words']:,} | {arrow([str(row['false per 1,000']) for row in each])} | "
            f"{by_label or 'none'} | {covered} of {each[-1]['direct']:,} |"
        )
    return lines


def speed() -> list[str]:
    """Characters per CPU second of the rules."""
    lines = [
        "| corpus | characters per CPU second, before | after | CPU time, after over before |",
        "|---|---:|---:|---:|",
    ]
    for corpus, row in load_rows("precision").get("speed", {}).items():
        after = f"{row['after']:,}" if "after" in row else "–"
        corpus = "all, the first time (libraries and words are loaded)" if corpus == "first pass" else corpus
        lines.append(f"| {corpus} | {row['before']:,} | {after} | {row.get('time after / before', '–')} |")
    return lines


def libraries() -> list[str]:
    """Each library's licence, size, cost and users."""
    lines = ["| library | licence | MiB | import, ms | import and first use, ms | imported by |",
             "|---|---|---:|---:|---:|---|"]  # fmt: skip
    for name, row in load_rows("libraries").get("libraries", {}).items():
        users = ", ".join(f"`{path.removeprefix('unname/')}`" for path in row["used by"]) or "–"
        lines.append(
            f"| {name} {row['version']} | {row['licence']} | {row['MiB']} | {row['import ms']} | "
            f"{row['import and first use ms']} | {users} |"
        )
    return lines


def own_lines() -> list[str]:
    """Lines of our own tables and checkers, and how long the program takes to start."""
    rows = states(load_rows("libraries"))
    lines = ["| | " + " | ".join(STATES[: len(rows)]) + " |", "|---|" + "---:|" * len(rows)]
    if not rows:
        return lines
    named = {
        "lines of lists": "lines of word lists in Python", "words in lists": "words in them",
        "lines of checkers": "lines of hand-written checkers", "lines of data files": "lines of data files",
        "words in data files": "words in them", "import unname ms": "`import unname`, ms",
        "unname --version ms": "`unname --version`, ms", "unname tag ms": "`unname tag` of one sentence, ms",
    }  # fmt: skip
    return lines + [f"| {said} | " + " | ".join(f"{row[key]:,}" for row in rows) + " |" for key, said in named.items()]
