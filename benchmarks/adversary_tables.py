"""Tables of what the strongest adversary is made of: what it loses without each attacker, and who plays in rounds."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.results import load_rows, shown
from unname.statistics import percent

_CORPORA = {"congress-dev": "Biographies", "tab": "Court decisions"}
_ALL = "all"


def blocks() -> dict[str, list[str]]:
    """Every block by name."""
    return {"leave-one-out": leave_one_out(), "rounds-fits": rounds_fits()}


def leave_one_out() -> list[str]:
    """The people whom the strongest adversary finds without each attacker, beside those whom it finds with all."""
    lines = ["| corpus, k | without | strongest finds | documents found with it alone / without it alone | by chance |",
             "|---|---|---:|---:|---:|"]  # fmt: skip
    for corpus, title in _CORPORA.items():
        for row, values in load_rows(f"leave_one_out_{corpus}").items():
            k, _, name = row.partition(" ")
            found = f"{title}, {k} | {'nothing' if name == _ALL else name.removeprefix('without ')}"
            lines.append(f"| {found} | {shown(values['strongest'])} | {_compared(values.get('paired'))} |")
    return lines


def rounds_fits() -> list[str]:
    """Rounds with those who masked among the attackers twice, and once."""
    lines = ["| corpus, k | members stand there | strongest finds | words hidden | rounds kept |",
             "|---|---|---:|---:|---:|"]  # fmt: skip
    for row, values in _rows_of(load_rows("rounds_fits")):
        lines.append(
            f"| {row} | {shown(values['strongest'])} | {percent(values['masked']['rate'])} | {values['rounds']} |"
        )
    return lines


def _rows_of(rows: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, values in rows.items():
        corpus, k, way = name.split()
        yield f"{_CORPORA[corpus]}, {k} | {way}", values


def _compared(paired: tuple[int, int, float] | None) -> str:
    return "– | –" if paired is None else f"{paired[0]} / {paired[1]} | {paired[2]:.2g}"
