"""Pictures of an audit as inline SVG: units, sample sizes and, for rates, intervals."""

from collections.abc import Sequence

import matplotlib

from unname.auditing.report import Crowds, Curve, Found
from unname.pages.figures import AFTER, ALONE, BEFORE, STYLE, legend, new_figure, svg


def rates_figure(rows: Sequence[tuple[str, Found | None, Found]], bound: float | None) -> str:
    """Bars of persons found, before and after, with 95 % intervals: rows of (label, before, after)."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 0.9 + 0.42 * len(rows))
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
        legend(figure, handles)
        return svg(figure, "People found before and after")


def crowds_figure(histogram: Crowds, k: int) -> str:
    """Bars: the number of documents by smallest crowd."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 2.8)
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
        return svg(figure, "Crowds of the released documents")


def curve_figure(curve: Curve) -> str:
    """Words hidden against people found, one point for each k."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 3.4)
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
        for figures, colour, marker, label in sides:
            known = [(100 * f.rate, 100 * f.ci[0], 100 * f.ci[1]) for f in figures if f.rate is not None and f.ci]
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
        legend(figure)
        axes.set_title(f"n = {curve.documents} documents, 95 % intervals", fontsize=9, loc="left")
        return svg(figure, "Privacy against cost over k")
