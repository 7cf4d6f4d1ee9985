"""Pictures of an audit, and of a game of sanitizing, as inline SVG: units, sample sizes and, for rates, intervals.

Colours are safe for the colour-blind.
"""

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unname.auditing.report import Crowds, Curve, Found
from unname.auditing.sanitizing import Game

BEFORE, AFTER, ALONE = "#999999", "#0072B2", "#D55E00"
_STYLE: Any = {
    "svg.hashsalt": "unname",
    "svg.fonttype": "path",
    "font.size": 10,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _legend(figure: Figure, handles: Sequence[Any] | None = None) -> None:
    """What the colours mean, in a row above the axes, where it covers nothing that is drawn."""
    handles = figure.axes[0].get_legend_handles_labels()[0] if handles is None else handles
    if handles:
        figure.legend(handles=handles, loc="outside upper right", ncols=len(handles), frameon=False, fontsize=9)


def _svg(figure: Figure, title: str) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1), count=1
    )
    # Ids must stay apart when several pictures share a page; styles become attributes so that the page needs no rules.
    prefix = re.sub(r"\W+", "-", title.lower())[:24]
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    return text.replace("<svg", f'<svg role="img" aria-label="{title}"', 1)


def rates_figure(rows: Sequence[tuple[str, Found | None, Found]], bound: float | None) -> str:
    """Bars of persons found, before and after, with 95 % intervals: rows of (label, before, after)."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 0.9 + 0.42 * len(rows))
        for place, (_, before, after) in enumerate(reversed(rows)):
            for shift, figures, colour in ((0.19, before, BEFORE), (-0.19, after, AFTER)):
                if figures is None or figures.rate is None or figures.ci is None:
                    continue
                value, (low, high) = figures.rate, figures.ci
                axes.barh(place + shift, 100 * value, 0.36, color=colour)
                error = [[100 * (value - low)], [100 * (high - value)]]
                axes.errorbar(100 * value, place + shift, xerr=error, color="#222222", linewidth=1, capsize=2)
                axes.annotate(
                    f"{100 * value:.1f}" if value else f"≤ {100 * high:.1f}",
                    (100 * high, place + shift), (4, 0), textcoords="offset points", va="center", fontsize=8,
                )  # fmt: skip
        axes.set_yticks(range(len(rows)), [label for label, _, _ in reversed(rows)], fontsize=9)
        axes.set_xlim(0, 108)
        axes.set_xlabel("people found at the first guess, % (lines: 95 % interval)")
        if bound is not None:
            axes.axvline(100 * bound, color=ALONE, linewidth=1, linestyle="--")
            axes.annotate(
                "1/(k+1)",
                (100 * bound, len(rows) - 0.45),
                (3, 0),
                textcoords="offset points",
                color=ALONE,
                fontsize=8,
                annotation_clip=False,
            )
        handles = [matplotlib.patches.Patch(color=c, label=t) for c, t in ((BEFORE, "original"), (AFTER, "release"))]
        _legend(figure, handles)
        return _svg(figure, "People found before and after")


def crowds_figure(histogram: Crowds, k: int) -> str:
    """How many documents have which smallest crowd."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 2.8)
        edges, counts = histogram.edges, histogram.counts
        labels = [f"{a}" if b - a == 1 else f"{a}–{b - 1}" for a, b in zip(edges, edges[1:], strict=False)]
        labels.append(f"≥ {edges[-1]}")
        colours = [ALONE if edge < k else AFTER for edge in edges]
        axes.bar(range(len(counts)), counts, color=colours)
        for place, count in enumerate(counts):
            if count:
                axes.annotate(str(count), (place, count), (0, 2), textcoords="offset points", ha="center", fontsize=8)
        axes.set_xticks(range(len(labels)), labels, rotation=35, ha="right", fontsize=8)
        axes.set_xlabel(f"crowd: other people at least as likely (orange: below k = {k})")
        axes.set_ylabel(f"documents (n = {sum(counts)})")
        return _svg(figure, "Crowds of the released documents")


def curve_figure(curve: Curve) -> str:
    """Words hidden against people found, one point for each k."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 3.4)
        masked = [100 * point.masked for point in curve.points]
        sides = (
            ([p.any_unused for p in curve.points], ALONE, "o", "any held-out attacker"),
            ([p.any_used for p in curve.points], AFTER, "s", "any attacker used in masking"),
            (
                [p.worst() for p in curve.points if p.fused or p.strongest],
                BEFORE,
                "D",
                "one adversary who combines all",
            ),
        )
        for found, colour, marker, label in sides:
            known = [(100 * f.rate, 100 * f.ci[0], 100 * f.ci[1]) for f in found if f.rate is not None and f.ci]
            if len(known) == len(curve.points):
                rates = [rate for rate, _, _ in known]
                error = [[rate - low for rate, low, _ in known], [high - rate for rate, _, high in known]]
                axes.errorbar(masked, rates, yerr=error, color=colour, marker=marker, capsize=2, label=label)
        for x, point in zip(masked, curve.points, strict=True):
            axes.annotate(
                f"k={point.k}", (x, 100 * (point.any_unused.rate or 0)), (4, 6), textcoords="offset points", fontsize=8
            )
        axes.set_ylim(bottom=0)
        axes.set_xlabel("words hidden, %")
        axes.set_ylabel("people found, %")
        _legend(figure)
        axes.set_title(f"n = {curve.documents} documents, 95 % intervals", fontsize=9, loc="left")
        return _svg(figure, "Privacy against cost over k")


def turns_figure(game: Game) -> str:
    """Sensitive words that are left, and others that are hidden, before each turn."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 3.0)
        places = range(len(game.turns))
        left = [100 * turn.left_sensitive / max(game.sensitive, 1) for turn in game.turns]
        hidden = [100 * (game.others - turn.left_others) / max(game.others, 1) for turn in game.turns]
        axes.plot(places, left, color=ALONE, marker="o", label=f"sensitive words left (of {game.sensitive})")
        axes.plot(places, hidden, color=AFTER, marker="s", label=f"other words hidden (of {game.others})")
        for heights in (left, hidden):
            for place, height in zip(places, heights, strict=True):
                axes.annotate(f"{height:.1f}", (place, height), (4, 5), textcoords="offset points", fontsize=8)
        axes.set_xticks(places, ["at first", *(f"after round {place}" for place in places[1:])])
        axes.set_ylim(bottom=0)
        axes.set_ylabel("%")
        _legend(figure)
        axes.set_title(f"n = {game.documents} documents", fontsize=9, loc="left")
        return _svg(figure, "What is left after each round")


def ratios_figure(games: Sequence[Game]) -> str:
    """What stays readable over L/C: the same game as it would have ended at smaller ones."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 3.0)
        ratios = [game.loss / game.cost for game in games]
        leaked, lost = [100 * game.leaked for game in games], [100 * (1 - game.published) for game in games]
        axes.plot(ratios, leaked, color=ALONE, marker="o", label="sensitive words left")
        axes.plot(ratios, lost, color=AFTER, marker="s", label="other words hidden")
        axes.set_xscale("log")
        axes.set_xticks(ratios, [f"{ratio:g}" for ratio in ratios])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.set_xlabel("L/C: how many needless masks a leak is worth")
        axes.set_ylabel("%")
        _legend(figure)
        axes.set_title(f"n = {games[-1].documents} documents", fontsize=9, loc="left")
        return _svg(figure, "What stays readable over the price of a leak")


def budgets_figure(game: Game) -> str:
    """Sensitive words that an attacker finds over the words that he reads, beside reading at random."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(8.2, 3.0)
        budgets = game.budgets()
        axes.plot(budgets, [game.found(budget) for budget in budgets], color=ALONE, label="claims of learners first")
        chance = [game.last.by_chance(budget) for budget in budgets]
        axes.plot(budgets, chance, color=BEFORE, linestyle="--", label="in any order")
        axes.axhline(game.last.left_sensitive, color="#222222", linewidth=1, linestyle=":")
        axes.annotate(
            f"all {game.last.left_sensitive}",
            (budgets[0], game.last.left_sensitive),
            (2, 3),
            textcoords="offset points",
            fontsize=8,
        )
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"words that are read, of {game.last.left_sensitive + game.last.left_others}")
        axes.set_ylabel("sensitive words found (expected)")
        _legend(figure)
        axes.set_title(f"n = {game.documents} documents", fontsize=9, loc="left")
        return _svg(figure, "What an attacker finds with a budget")
