"""Agreement of two maskings of the same documents beyond chance: Cohen's κ over characters and over words."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unname.text import WORD
from unname.types import Document, Span


def agreement(
    documents: Sequence[Document], first: Sequence[Sequence[Span]], second: Sequence[Sequence[Span]]
) -> dict[str, float]:
    """κ of two maskings by `characters` and by `words`, all documents together; NaN where both hide all or nothing.

    A word is hidden if any of its characters is. Source: Cohen 1960; Papadopoulou 2022, §5, compares annotators so.
    """
    counts = {"characters": np.zeros((2, 2)), "words": np.zeros((2, 2))}
    for document, one, other in zip(documents, first, second, strict=True):
        hidden = [_hidden(len(document.text), spans) for spans in (one, other)]
        _add(counts["characters"], *hidden)
        places = [m.span() for m in WORD.finditer(document.text)]
        words = [np.array([row[a:b].any() for a, b in places], np.bool_) for row in hidden]
        _add(counts["words"], *words)
    return {name: _kappa(table) for name, table in counts.items()}


def _hidden(length: int, spans: Sequence[Span]) -> npt.NDArray[np.bool_]:
    covered = np.zeros(length, np.bool_)
    for span in spans:
        covered[span.start : span.end] = True
    return covered


def _add(table: npt.NDArray[np.float64], one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> None:
    np.add.at(table, (one.astype(int), other.astype(int)), 1)


def _kappa(table: npt.NDArray[np.float64]) -> float:
    total = table.sum()
    if not total:
        return math.nan
    agreed = float(np.trace(table) / total)
    chance = float((table.sum(axis=0) * table.sum(axis=1)).sum() / total**2)
    return (agreed - chance) / (1 - chance) if chance < 1 else math.nan
