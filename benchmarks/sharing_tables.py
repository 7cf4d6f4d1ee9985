"""The tables and figures of sharing what taggers learn from (`benchmarks.sharing`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import load_rows
from unname.sharing.card import EQUALITY, MEMBERSHIP

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
TITLES = {
    "raw": "raw text", "doubled": "raw text, each twice", "augmented": "raw text and pseudonyms",
    "pseudonymised": "pseudonyms", "published": "pseudonyms as in the paper",
    "representation": "representation, three parts (balanced pairs, our loss)",
    "narrow": "representation, a nat costs .005",
    "rising": "representation, a nat comes to cost .005", "follows": "representation, noise that follows",
    "dann": "representation, DANN",
}  # fmt: skip
_COLOURS = {
    "pseudonymised": "#0072B2", "published": "#D55E00", "representation": "#222222", "narrow": "#009E73", "rising": "#56B4E9",
}  # fmt: skip
_KINDS = ("representation", "narrow", "rising")
_SIZES = (5, 20, 100, 200, 500)


def blocks() -> dict[str, list[str]]:
    """Every table by name, for those that have been measured."""
    made = {
        "sharing": summary(), "sharing-attacks": attacks(), "sharing-sites": sites(), "sharing-blind": blind(),
        "sharing-labels": by_labels(), "sharing-once": once(),
    }  # fmt: skip
    return {name: rows for name, rows in made.items() if len(rows) > 2}


def named(name: str) -> tuple[str, str, str, str]:
    """A row's kind, d, N and seed; a dash where there is none."""
    kind, *numbers = name.split()
    d, near, seed = [*["–"] * (3 - len(numbers)), *numbers]
    return kind, d, near, seed


def chosen() -> dict[str, dict[str, Any]]:
    """Rows of taggers, in order."""
    rows = {name: row for name, row in load_rows("sharing").items() if "tokens" in row}
    kinds = list(TITLES)

    def order(name: str) -> tuple[int, ...]:
        kind, *numbers = named(name)
        return (kinds.index(kind), *(0 if number == "–" else int(number) for number in numbers))

    return {name: rows[name] for name in sorted(rows, key=order)}


def summary() -> list[str]:
    """Every way to share: token F1 on dev, and how often adversaries are right."""
    lines = [
        "| taught by | d | N | seed | token F1, % | of the tagger in training | fresh adversary right, % | continued | "
        "fresh, without noise | nats a word, at most | CPU minutes |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in chosen().items():
        kind, d, near, seed = named(name)
        own = row.get("tokens of training")
        tries = [_right(row.get(which)) for which in ("fresh", "continued", "without_noise")]
        seconds = [row.get(part, 0) for part in ("training_cpu_s", "teaching_cpu_s", "attack_cpu_s")]
        minutes = "–" if None in seconds else f"{sum(seconds) / 60:.0f}"  # A training that was killed went on.
        known = row if "tokens_told" in row else load_rows("sharing").get(f"attacks {name}", {})
        told = f"{known['tokens_told']:.2f}" if "tokens_told" in known else "–"
        lines.append(
            f"| {TITLES[kind]} | {d} | {near} | {seed} | {token_f1(row['tokens'])} | {token_f1(own) if own else '–'} | "
            f"{' | '.join(tries)} | {told} | {minutes} |"
        )
    return lines


def blind() -> list[str]:
    """Adversaries who see no representation at all."""
    row = load_rows("sharing").get("blind", {})
    lines = ["| pairs | right without any representation, % | pairs of dev |", "|---|---:|---:|"]
    return lines + [f"| {name} | {100 * found['right']:.1f} | {found['pairs']} |" for name, found in row.items()]


def by_labels() -> list[str]:
    """Adversaries who see which labels a tagger of raw text gives, beside fresh ones who see representations."""
    rows = load_rows("sharing")
    lines = [
        "| N | by labels alone | three parts | a nat costs .005 | it comes to cost that |",
        "|---:|---:|---:|---:|---:|",
    ]
    for near, found in rows.get("labels 0", {}).items():
        others = (rows.get(f"{kind} 50 {near} 0", {}).get("fresh") for kind in _KINDS)
        lines.append(f"| {near} | {_right(found)} | {' | '.join(map(_right, others))} |")
    return lines


def once() -> list[str]:
    """Each sentence once, as commands share it, and an adversary that learns while it gets better."""
    lines = ["| taught by | N | token F1, % | fresh adversary right, % | epochs |", "|---|---:|---:|---:|---:|"]
    for name, row in load_rows("sharing").items():
        if name.startswith("longer "):
            kind, _, near, _ = named(name.removeprefix("longer "))
            found, f1 = row["patient"], token_f1(row["tokens of sentences shared once"])
            low, high = (100 * end for end in found["ci"])
            lines.append(
                f"| {TITLES[kind]} | {near} | {f1} | {_right(found)} ({low:.1f}–{high:.1f}) | {len(found['curve'])} |"
            )
    return lines


def token_f1(tokens: dict[str, Any]) -> str:
    """Token F1 in per cent with its interval."""
    low, high = tokens["f1"]["ci"]
    return f"{100 * tokens['f1']['value']:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def _right(found: dict[str, Any] | None) -> str:
    return "–" if found is None else f"{100 * found['right']:.1f}"


def attacks() -> list[str]:
    """The results of each attack on each kept representer, by the way it was shared."""
    rows = {
        name.removeprefix("attacks "): row["ways"]
        for name, row in load_rows("sharing").items()
        if name.startswith("attacks ")
    }
    lines = ["| representer | attack | without vectors, % | " + " | ".join(_ways(rows)) + " |",
             "|---|---|---:|" + "---:|" * len(_ways(rows))]  # fmt: skip
    for name, row in rows.items():
        kind, d, near, _ = named(name)
        for place, attack in enumerate(row[_ways(rows)[0]]):
            found = [row[way][place] for way in _ways(rows)]
            blind = "50 (a guess)" if attack["name"] in (MEMBERSHIP, EQUALITY) else f"{100 * attack['blind']:.1f}"
            shown = " | ".join(f"{100 * one['found']:.1f}" for one in found)
            lines.append(f"| {TITLES[kind]}, d = {d}, N = {near} | {attack['name']} | {blind} | {shown} |")
    return lines


def _ways(rows: dict[str, Any]) -> Sequence[str]:
    return [*next(iter(rows.values()), {})]


def sites() -> list[str]:
    """Three sites: token F1 on dev of every way to learn together."""
    row = load_rows("sharing").get("sites", {})
    lines = ["| learned | token F1, % | CPU minutes |", "|---|---:|---:|"]
    return lines + [
        f"| {name} | {token_f1(found['tokens'])} | {found['cpu_s'] / 60:.1f} |"
        for name, found in row.items() if "tokens" in found
    ]  # fmt: skip


def draw() -> None:
    """Figures 4 and 5 of the paper on MEDDOCAN, as SVG in docs/figures."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib.figure import Figure

    rows = load_rows("sharing")
    raw = [100 * rows[name]["tokens"]["f1"]["value"] for name in rows if name.startswith("raw ")]
    if not raw:
        return
    with matplotlib.rc_context({"svg.hashsalt": "unname", "svg.fonttype": "path", "font.size": 9}):
        figure = Figure(figsize=(9.2, 3.2), layout="constrained")
        panels = figure.subplots(1, 3)
        for axes, kinds, title in zip(panels, (("pseudonymised", "published"), _KINDS),
                                      ("Pseudonyms", "Representations, d = 50"), strict=False):  # fmt: skip
            for kind in kinds:
                _curve(axes, rows, kind)
            axes.axhline(sum(raw) / len(raw), color="#888888", linestyle="--", linewidth=1, label="raw text")
            axes.set_title(f"{title}, n = 250 cases", fontsize=9)
            axes.set_ylabel("token F1, %")
            axes.set_ylim(88, 99)
        for kind in _KINDS:
            points = [(n, 100 * row["fresh"]["right"]) for n in _SIZES if (row := rows.get(f"{kind} 50 {n} 0"))]
            if points:
                panels[2].plot(
                    *zip(*points, strict=True), color=_COLOURS[kind], marker="o", markersize=3, label=_short(kind)
                )
        panels[2].axhline(50, color="#888888", linestyle="--", linewidth=1, label="chance")
        panels[2].set_title("Fresh adversaries, 50 epochs", fontsize=9)
        panels[2].set_ylabel("pairs told apart, %")
        panels[2].set_ylim(45, 100)
        for axes in panels:
            axes.set_xscale("log")
            axes.set_xticks(_SIZES, [str(n) for n in _SIZES])
            axes.minorticks_off()
            axes.set_xlabel("neighbours, N")
            axes.spines[["top", "right"]].set_visible(False)
            axes.legend(frameon=False, fontsize=7)
        figure.savefig(FIGURES / "sharing-over-neighbours.svg", metadata={"Date": None, "Creator": None})


def _short(kind: str) -> str:
    """A title without what its brackets say: legends are narrow."""
    return TITLES[kind].partition(" (")[0]


def _curve(axes: Any, rows: dict[str, Any], kind: str) -> None:
    """Token F1 over N with intervals, seed 0."""
    width = "50 " if kind in _KINDS else ""
    found = [(n, rows[name]["tokens"]["f1"]) for n in _SIZES if (name := f"{kind} {width}{n} 0") in rows]
    if not found:
        return
    heights = [100 * f1["value"] for _, f1 in found]
    error = [
        [100 * (f1["value"] - f1["ci"][0]) for _, f1 in found],
        [100 * (f1["ci"][1] - f1["value"]) for _, f1 in found],
    ]
    axes.errorbar([n for n, _ in found], heights, yerr=error, color=_COLOURS[kind], marker="o", markersize=3, capsize=2,
                  label=_short(kind))  # fmt: skip
