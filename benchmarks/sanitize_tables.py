"""The tables and figures of sanitizing in rounds, over four folds of each corpus (`benchmarks.sanitize`)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.results import load_rows
from benchmarks.sanitize import Spread
from unname.statistics import percent
from unname.verbs.sanitize.game import RATIOS, Claim, Turn, best_found

CORPORA = {
    "meddocan": "MEDDOCAN", "btc": "BTC", "wikigold": "wikigold", "wnut17": "WNUT17",
}  # fmt: skip
CHOICES = {
    "crf": "CRF", "svm": "SVM", "ensemble": "Ensemble", "judging": "Ensemble of the paper", "selection": "Selection",
    "crf in-sample": "CRF, stopping in-sample", "svm in-sample": "SVM, stopping in-sample",
}  # fmt: skip
PAPER = ("crf", "svm", "ensemble")
COMPARED = ("selection", "default", "weighed")
BUDGETS = (10, 30, 100, 300, 1000, 3000)
FIGURES = Path(__file__).parents[1] / "docs" / "figures"


class Ended(NamedTuple):
    """The end of one fold's chain, and what it leaves of the documents that it had not seen."""

    rounds: int
    state: dict[str, Any]

    @property
    def sensitive(self) -> Spread:
        """Sensitive words that can be read, of all."""
        return Spread(*self.state["sensitive"])

    @property
    def others(self) -> Spread:
        """The same of other words."""
        return Spread(*self.state["others"])

    def claims(self, *, leaning: bool) -> list[Claim]:
        """The claims of each attacker."""
        found = self.state.get("attacks", {})
        return [Claim(name, *pair) for name, pair in found.items() if leaning or name in PAPER]

    def best(self, worth: Callable[[Claim], float], *, leaning: bool) -> float:
        """The largest worth of any attacker's claim; 0 without attackers."""
        return max((worth(claim) for claim in self.claims(leaning=leaning)), default=0.0)

    def found(self, budget: int, *, leaning: bool) -> float:
        """Sensitive words found among so many that are read."""

        turn = Turn(self.sensitive.x, self.others.x, Claim("", 0, 0), kept=False)
        return best_found(turn, self.claims(leaning=leaning), budget)


def folds(corpus: str, choice: str) -> list[dict[str, Any]]:
    """The rows of a corpus and choice, of folds in which all that is compared was measured; none of fewer than two."""
    rows = load_rows("sanitize")
    whole = [
        number for number in range(4) if all(f"{corpus} fold {number} {one}" in rows for one in (*PAPER, *COMPARED))
    ]
    found = [rows.get(f"{corpus} fold {number} {choice}") for number in whole]
    return [row for row in found if row] if len(whole) > 1 and all(found) else []


def titled(corpus: str) -> str:
    """A corpus's title, with the number of folds where it was not measured on all four."""
    many = len(folds(corpus, "selection"))
    return CORPORA[corpus] if many in (0, 4) else f"{CORPORA[corpus]} ({many} of 4 folds)"


def ended(row: dict[str, Any], ratio: float) -> Ended:
    """The end of a game at a ratio of losses."""
    rounds = 0
    for turn in row["game"]["turns"]:
        if not turn["kept"] or ratio * turn["claim"]["sensitive"] <= turn["claim"]["others"]:
            break
        rounds += 1
    return Ended(rounds, next(state for state in row["states"] if state["links"] == rounds))


def once(row: dict[str, Any]) -> Ended:
    """The first learner alone, as everybody else stops."""
    return Ended(1, next(state for state in row["states"] if state["links"] == 1))


def added(spreads: Sequence[Spread]) -> Spread:
    """One spread of several."""
    total = spreads[0]
    for spread in spreads[1:]:
        total = total.plus(spread)
    return total


def shown(spread: Spread, digits: int = 1) -> str:
    """A share with its interval."""
    low, high = spread.interval()
    return f"{100 * spread.share:.{digits}f} ({100 * low:.{digits}f}–{100 * high:.{digits}f})"


def true_positives(ends: Sequence[Ended]) -> int | None:
    """True positives of the best attacker of the paper's kinds, over all folds; None where nobody attacked."""
    if not all(end.claims(leaning=False) for end in ends):
        return None
    return round(sum(end.best(lambda claim: claim.sensitive, leaning=False) for end in ends))


def blocks() -> dict[str, list[str]]:
    """Every table by name, for those that have been measured."""
    made = {
        "sanitize": summary(), "sanitize-ratios": ratios(), "sanitize-leaning": leaning(),
        "sanitize-budgets": budgets(), "sanitize-types": types(),
    }  # fmt: skip
    return {name: rows for name, rows in made.items() if len(rows) > 2}


def summary() -> list[str]:
    """Each learner: rounds, what is published, what is left, and what attackers are right in, at L/C of 1, 10 and 100."""
    lines = [
        "| | learner | rounds at L/C = 1, 10, 100 | other words readable, % | sensitive words left, %: used once | "
        "L/C = 10 | L/C = 100 | best attacker right in: used once | L/C = 1 | 10 | 100 |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for corpus in CORPORA:
        title = titled(corpus)
        for choice, said in CHOICES.items():
            rows = folds(corpus, choice)
            if not rows:
                continue
            at = {ratio: [ended(row, ratio) for row in rows] for ratio in RATIOS}
            single = [once(row) for row in rows]
            rounds = ", ".join(f"{sum(end.rounds for end in at[ratio]) / len(rows):.3g}" for ratio in (1, 10, 100))
            left = [shown(added([end.sensitive for end in ends])) for ends in (single, at[10], at[100])]
            right = ["–" if r is None else f"{r}" for r in map(true_positives, (single, at[1], at[10], at[100]))]
            readable = shown(added([end.others for end in at[100]]), 2)
            lines.append(f"| {title} | {said} | {rounds} | {readable} | {' | '.join(left)} | {' | '.join(right)} |")
    return lines


def ratios() -> list[str]:
    """Selection at every ratio."""
    lines = [
        "| | L/C | rounds, by fold | other words readable, % | sensitive words left, % | best attacker right in |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for corpus in CORPORA:
        title = titled(corpus)
        rows = folds(corpus, "selection")
        for ratio in RATIOS if rows else ():
            ends = [ended(row, ratio) for row in rows]
            lines.append(
                f"| {title} | {ratio} | {', '.join(str(end.rounds) for end in ends)} | "
                f"{shown(added([end.others for end in ends]), 2)} | {shown(added([end.sensitive for end in ends]))} | "
                f"{true_positives(ends)} |"
            )
    return lines


def leaning() -> list[str]:
    """At L/C = 10: games of learners that do not lean, single classifiers that do, and games of such."""
    lines = [
        "| | | other words readable, % | sensitive words left, % | publisher's loss | most that an attacker gains | of 100 "
        "words read, sensitive |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for corpus in CORPORA:
        title = titled(corpus)
        for name, ends in _at_ten(corpus).items():
            left, readable = added([end.sensitive for end in ends]), added([end.others for end in ends])
            loss = 10 * left.x + readable.y - readable.x
            attacked = all(end.claims(leaning=True) for end in ends)
            gain = sum(max(0.0, end.best(lambda claim: claim.utility(10, 1), leaning=True)) for end in ends)
            found = sum(end.found(100, leaning=True) for end in ends) / len(ends)
            said = (f"{gain:.0f}", f"{found:.1f}") if attacked else ("–", "–")
            lines.append(f"| {title} | {name} | {shown(readable)} | {shown(left)} | {loss} | {' | '.join(said)} |")
    return lines


def _at_ten(corpus: str) -> dict[str, list[Ended]]:
    """The games compared at L/C = 10, by title."""
    found: dict[str, list[Ended]] = {}
    selection, default, weighed = (folds(corpus, choice) for choice in ("selection", "default", "weighed"))
    if selection:
        found["best of three, used once"] = [once(row) for row in selection]
        found["in rounds (the paper's game)"] = [ended(row, 10) for row in selection]
    if weighed:
        said = {"crf": "one CRF, leaning", "svm": "one SVM, leaning", "svm, class weights": "one SVM, class weights"}
        found |= {title: [Ended(1, row["weighed"][f"{name} 10"]) for row in weighed] for name, title in said.items()}
    if default:
        found["**`unname sanitize`**: in rounds, leaning"] = [ended(row, 10) for row in default]
    return found


def budgets() -> list[str]:
    """Sensitive words found by budget at L/C = 10, a fold."""
    lines = [
        "| | publisher | " + " | ".join(f"{budget:,}" for budget in BUDGETS) + " | by chance at 100 |",
        "|---|---|" + "---:|" * (len(BUDGETS) + 1),
    ]
    for corpus in CORPORA:
        title = titled(corpus)
        for choice, said in {**CHOICES, "default": "**`unname sanitize`**"}.items():
            rows = folds(corpus, choice)
            if rows and "in-sample" not in choice:
                ends = [ended(row, 10) for row in rows]
                found = [sum(end.found(budget, leaning=True) for end in ends) / len(ends) for budget in BUDGETS]
                chance = sum(_turn(end).by_chance(100) for end in ends) / len(ends)
                lines.append(f"| {title} | {said} | {' | '.join(f'{f:.1f}' for f in found)} | {chance:.1f} |")
    return lines


def _turn(end: Ended) -> Turn:
    return Turn(end.sensitive.x, end.others.x, Claim("", 0, 0), kept=False)


def types() -> list[str]:
    """All types of MEDDOCAN: entities of which a word can be read."""
    rows = load_rows("sanitize")
    lines = [
        "| | rounds | direct identifiers leaked | all entities leaked | sensitive words left, % | other words readable, % |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for key, row in rows.items():
        if not key.startswith("types "):
            continue
        states = row["states"] if len(row["states"]) < 3 else [row["states"][0], row["states"][1], row["states"][-1]]
        for state in states[1:]:
            leaked, total = state["direct"]
            every = [sum(group[i] for group in state["groups"].values()) for i in (0, 1)]
            lines.append(
                f"| {key.removeprefix('types ')} | {state['links']} | {leaked} of {total} ({percent(leaked / total)}) | "
                f"{every[0]} of {every[1]} | {shown(Spread(*state['sensitive']), 2)} | {shown(Spread(*state['others']), 2)} |"
            )
    return lines


def draw() -> None:
    """Figures 3, 4 and 5 of the paper, on our corpora, as SVG in docs/figures."""
    import matplotlib

    matplotlib.use("svg")
    FIGURES.mkdir(exist_ok=True)
    measured = [corpus for corpus in CORPORA if folds(corpus, "selection")]
    if measured:
        _panels("attackers-over-ratio", measured, _attackers, "L/C", "words the best attacker is right in")
        _panels("published-over-ratio", measured, _published, "L/C", "other words readable, %")
        _panels("found-over-budget", measured, _found, "words read", "sensitive of the words read, %")


_COLOURS = {"crf": "#0072B2", "svm": "#D55E00", "ensemble": "#009E73", "selection": "#222222", "default": "#CC79A7"}


def _panels(name: str, corpora: Sequence[str], fill: Callable[[Any, str], None], x: str, y: str) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "unname", "svg.fonttype": "path", "font.size": 9}):
        figure = Figure(figsize=(2.6 * len(corpora) + 0.6, 3.2), layout="constrained")
        panels = figure.subplots(1, len(corpora), squeeze=False)[0]
        for axes, corpus in zip(panels, corpora, strict=True):
            fill(axes, corpus)
            axes.set_xscale("log")
            axes.set_xlabel(x)
            documents = sum(row["states"][0]["others"][5] for row in folds(corpus, "selection"))
            axes.set_title(f"{titled(corpus)}, n = {documents}", fontsize=9)
            axes.spines[["top", "right"]].set_visible(False)
        panels[0].set_ylabel(y)
        panels[-1].legend(frameon=False, fontsize=7)
        figure.savefig(FIGURES / f"sanitize-{name}.svg", metadata={"Date": None, "Creator": None})


def _attackers(axes: Any, corpus: str) -> None:
    for choice, colour in _COLOURS.items():
        rows = folds(corpus, choice)
        if rows and choice in CHOICES:
            heights = [true_positives([ended(row, ratio) for row in rows]) for ratio in RATIOS]
            axes.plot(RATIOS, heights, color=colour, marker="o", markersize=3, label=CHOICES[choice])
            axes.axhline(true_positives([once(row) for row in rows]), color=colour, linestyle="--", linewidth=0.8)
    axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))  # where nobody is right, a line at the bottom


def _published(axes: Any, corpus: str) -> None:
    rows, weighed = folds(corpus, "selection"), folds(corpus, "weighed")
    spreads = [added([ended(row, ratio).others for row in rows]) for ratio in RATIOS]
    _with_intervals(axes, spreads, "#222222", "in rounds")
    for name, colour, said in (("crf", "#0072B2", "one CRF, leaning"), ("svm", "#D55E00", "one SVM, leaning"),
                               ("svm, class weights", "#009E73", "one SVM, class weights")):  # fmt: skip
        if weighed:
            sides = [[Spread(*row["weighed"][f"{name} {ratio}"]["others"]) for row in weighed] for ratio in RATIOS]
            _with_intervals(axes, [added(side) for side in sides], colour, said)


def _with_intervals(axes: Any, spreads: Sequence[Spread], colour: str, said: str) -> None:
    heights = [100 * spread.share for spread in spreads]
    low, high = zip(*(spread.interval() for spread in spreads), strict=True)
    error = [
        [height - 100 * bound for height, bound in zip(heights, low, strict=True)],
        [100 * bound - height for height, bound in zip(heights, high, strict=True)],
    ]
    axes.errorbar(RATIOS, heights, yerr=error, color=colour, marker="o", markersize=3, capsize=2, label=said)


def _found(axes: Any, corpus: str) -> None:
    budgets = sorted({round(10 ** (step / 8)) for step in range(8, 33)})
    for choice, colour in _COLOURS.items():
        rows = folds(corpus, choice)
        if rows:
            ends = [ended(row, 10) for row in rows]
            heights = [
                100 * sum(end.found(budget, leaning=True) for end in ends) / len(ends) / budget for budget in budgets
            ]
            axes.plot(budgets, heights, color=colour, label=CHOICES.get(choice, "with leaning"))
    axes.set_ylim(bottom=0)
