"""Scores of a tagger against a gold corpus: counts, shares with intervals by document, rows by label.

A metric says what an *item* is (a token, a span, an entity) and when two match; everything after that is here.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from unname.statistics import Z95, Rate, wilson

# What must agree for two items to match, and the label.
Item = tuple[Hashable, str]
# (documents, 4): gold items, those found, predicted items, those right.
Counts = npt.NDArray[np.int64]
Measure = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
NOTHING = Rate(math.nan, math.nan, math.nan, 0, 0)


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of items of one label, or of all where the label is empty.

    `found` of `gold` items have a match among the predicted, `right` of the `predicted` ones among the gold. They differ
    only in rows by label of a metric that asks for no label: an item found under another label is found all the same.
    """

    label: str
    gold: int
    found: int
    predicted: int
    right: int
    documents: int
    precision: Rate
    recall: Rate
    f1: Rate

    @property
    def tp(self) -> int:
        """Gold items that were found."""
        return self.found

    @property
    def fn(self) -> int:
        """Gold items that were not found."""
        return self.gold - self.found

    @property
    def fp(self) -> int:
        """Predicted items that match nothing."""
        return self.predicted - self.right

    def as_dict(self) -> dict[str, Any]:
        """Counts, documents with gold or predicted items, and each share as `{"value", "ci"}`, None if not measured."""
        counts = {"label": self.label, "tp": self.tp, "fp": self.fp, "fn": self.fn, "documents": self.documents}
        return counts | {name: share(getattr(self, name)) for name in ("precision", "recall", "f1")}


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over documents, with standard deviations; nothing predicted or nothing there is 0, as scorers print it."""

    precision: float
    precision_sd: float
    recall: float
    recall_sd: float
    f1: float


@dataclass(frozen=True, slots=True)
class Scores:
    """One metric over a corpus: pooled, by label, and as a mean over documents where scorers print one."""

    metric: str
    total: Score
    types: tuple[Score, ...] = ()
    macro: Macro | None = None

    def table(self) -> list[tuple[str, ...]]:
        """Rows of label, precision, recall, F1, found, false and missed items; all labels together first."""
        return [
            (row.label or "all", *map(str, (row.precision, row.recall, row.f1, row.tp, row.fp, row.fn)))
            for row in (self.total, *self.types)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        macro = self.macro and {name: round(getattr(self.macro, name), 6) for name in Macro.__slots__}
        rows = [row.as_dict() for row in self.types]
        return {"metric": self.metric, "total": self.total.as_dict(), "types": rows, "macro": macro}


def share(rate: Rate) -> dict[str, Any] | None:
    """A share as `{"value", "ci"}`, rounded; None where there was nothing to measure."""
    if rate.n == 0:
        return None
    return {"value": round(rate.value, 6), "ci": [round(rate.low, 6), round(rate.high, 6)]}


def score_items(metric: str, documents: Sequence[tuple[Collection[Item], Collection[Item]]], *, typed: bool) -> Scores:
    """Scores of (gold, predicted) items of each document, counted as sets; `typed` asks for the same label, too."""
    labels = {label for pair in documents for items in pair for _, label in items}
    tables = {label: np.zeros((len(documents), 4), np.int64) for label in ("", *sorted(labels))}
    for place, (gold, predicted) in enumerate(documents):
        keys = [{item if typed else item[0] for item in items} for items in (gold, predicted)]
        for column, items, others in ((0, gold, keys[1]), (2, predicted, keys[0])):
            mine: dict[str, set[Hashable]] = defaultdict(set)
            for item in items:
                for label in {"", item[1]}:
                    mine[label].add(item if typed else item[0])
            for label, own in mine.items():
                tables[label][place, column : column + 2] = len(own), len(own & others)
    return score_counts(metric, tables)


def score_counts(metric: str, tables: Mapping[str, Counts]) -> Scores:
    """Scores of counts by document; the table of the empty label is of all labels together."""
    rows = tuple(_score(label, counts) for label, counts in tables.items() if label)
    return Scores(metric, _score("", tables[""]), rows, _macro(tables[""]))


def _score(label: str, counts: Counts) -> Score:
    gold, hit, predicted, right = (int(n) for n in counts.sum(axis=0))
    seen = int(np.count_nonzero(counts[:, 0] + counts[:, 2]))
    # Over all a tagger that finds nothing has F1 0, as the scorers print it; of a type such a 0 would say nothing.
    measured = not label or (gold > 0 and predicted > 0)
    return Score(
        label, gold, hit, predicted, right, seen,
        precision=interval(lambda t: _ratio(t[..., 1], t[..., 0]), counts[:, 2:], predicted),
        recall=interval(lambda t: _ratio(t[..., 1], t[..., 0]), counts[:, :2], gold),
        f1=interval(_f1, counts, gold + predicted - min(hit, right)) if measured else NOTHING,
    )  # fmt: skip


def interval(measure: Measure, counts: npt.NDArray[Any], items: int) -> Rate:
    """A share of pooled counts (documents, columns) with its 95 % interval, clustered by document.

    `measure` maps totals (…, columns) to shares (…,), NaN where there is nothing. Its variance is the jackknife's, one
    document left out at a time; that many independent items would vary as much, at most the `items` there are, go into
    Wilson's interval, with t at documents - 1 degrees of freedom as for every rate of the house (`statistics.rate`).
    Where all are found, or none, only documents count.
    """
    rows = np.asarray(counts, np.float64)
    rows = rows[rows.any(axis=1)]
    documents, total = len(rows), rows.sum(axis=0)
    value = float(measure(total)) if documents else math.nan
    if math.isnan(value):
        return NOTHING
    effective = float(documents)
    if documents > 1 and 0 < value < 1:
        left = measure(total - rows)
        left = np.where(np.isnan(left), value, left)
        variance = (documents - 1) / documents * float(((left - left.mean()) ** 2).sum())
        effective = min(float(items), value * (1 - value) / variance) if variance else float(items)
        if documents < items:
            effective *= (Z95 / float(stdtrit(documents - 1, 0.975))) ** 2
    return Rate(value, *wilson(value, effective), items, documents)


def _ratio(part: npt.NDArray[np.float64], whole: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    shares: npt.NDArray[np.float64] = np.full(np.shape(whole), math.nan)
    return np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)


def _f1(totals: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Harmonic mean of recall and precision; 0 where one of them has nothing to measure."""
    recall = np.nan_to_num(_ratio(totals[..., 1], totals[..., 0]))
    precision = np.nan_to_num(_ratio(totals[..., 3], totals[..., 2]))
    return np.nan_to_num(_ratio(2 * precision * recall, precision + recall))


def _macro(counts: Counts) -> Macro | None:
    if not len(counts):
        return None
    rows = counts.astype(np.float64)
    recall = np.nan_to_num(_ratio(rows[:, 1], rows[:, 0]))
    precision = np.nan_to_num(_ratio(rows[:, 3], rows[:, 2]))
    p, r = float(precision.mean()), float(recall.mean())
    return Macro(p, float(precision.std()), r, float(recall.std()), 2 * p * r / (p + r) if p + r else 0.0)
