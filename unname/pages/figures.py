"""The common style of all figures: colours that are safe for the colour-blind, a legend, and SVG that a page can hold."""

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

BEFORE, AFTER, ALONE = "#999999", "#0072B2", "#D55E00"
STYLE: Any = {
    "svg.hashsalt": "unname",
    "svg.fonttype": "path",
    "font.size": 10,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches, and its axes."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def legend(figure: Figure, handles: Sequence[Any] | None = None) -> None:
    """A legend of the colours, in a row above the axes, where it covers nothing that is drawn."""
    handles = figure.axes[0].get_legend_handles_labels()[0] if handles is None else handles
    if handles:
        figure.legend(handles=handles, loc="outside upper right", ncols=len(handles), frameon=False, fontsize=9)


def svg(figure: Figure, title: str) -> str:
    """The figure as an SVG element, to be read aloud as its title."""
    stream = io.StringIO()
    # As `savefig` would, without the trial drawing that it begins with: one drawing finds the layout as well. matplotlib
    # says no types of it.
    metadata = {"Date": None, "Creator": None, "Title": title}
    FigureCanvasSVG(figure).print_svg(stream, metadata=metadata)  # type: ignore[no-untyped-call]
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1), count=1
    )
    # Ids must stay apart when several pictures share a page; styles become attributes so that the page needs no rules.
    prefix = re.sub(r"\W+", "-", title.lower())[:24]
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    return text.replace("<svg", f'<svg role="img" aria-label="{title}"', 1)
