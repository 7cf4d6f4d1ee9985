"""Shares of what was found: counts by hand, intervals against the house's own and by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.scoring.scores import Item, interval, score_counts, score_items, share
from unname.statistics import rate, wilson

pairs = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda p: (max(p), min(p))), min_size=1, max_size=8
)


def recall(totals: np.ndarray) -> np.ndarray:
    """found ÷ gold of totals (…, 2), NaN of nothing."""
    with np.errstate(invalid="ignore"):
        return totals[..., 1] / totals[..., 0]


def test_counts_shares_and_rows_by_label_of_a_small_corpus() -> None:
    gold: list[Item] = [(1, "A"), (2, "A"), (3, "B")]
    guess: list[Item] = [(1, "A"), (3, "A"), (4, "B")]
    typed = score_items("m", [(gold, guess)], typed=True)
    assert (typed.total.tp, typed.total.fp, typed.total.fn) == (1, 2, 2)
    assert typed.total.f1.value == pytest.approx(1 / 3)
    any_label = score_items("m", [(gold, guess)], typed=False)
    assert (any_label.total.tp, any_label.total.fp, any_label.total.fn) == (2, 1, 1)
    a, b = any_label.types
    assert (a.label, a.gold, a.found, a.predicted, a.right) == ("A", 2, 1, 2, 2)
    assert (b.label, b.gold, b.found, b.predicted, b.right) == ("B", 1, 1, 1, 0)


def test_macro_is_the_mean_over_documents_and_counts_nothing_as_zero() -> None:
    documents: list[tuple[list[Item], list[Item]]] = [([(1, "A")], [(1, "A")]), ([(1, "A"), (2, "A")], []), ([], [])]
    macro = score_items("m", documents, typed=True).macro
    assert macro is not None
    assert macro.recall == macro.precision == macro.f1 == pytest.approx(1 / 3)
    assert macro.recall_sd == pytest.approx(math.sqrt(2 / 9))


def test_nothing_to_measure_says_so() -> None:
    empty = score_items("m", [([], [])], typed=True)
    assert str(empty.total.f1) == "not measured" and share(empty.total.recall) is None
    silent = score_items("m", [([(1, "A")], [])], typed=True).total
    assert silent.f1.value == silent.recall.value == 0 and math.isnan(silent.precision.value)
    assert score_items("m", [], typed=True).macro is None


@pytest.mark.parametrize("typed", [False, True])
def test_f1_of_a_type_is_measured_where_precision_and_recall_are(typed: bool) -> None:
    gold, predicted = [(1, "A"), (2, "B"), (3, "B")], [(1, "C"), (2, "B")]
    rows = {row.label: row for row in score_items("m", [(gold, predicted)], typed=typed).types}
    assert math.isnan(rows["A"].precision.value) and str(rows["A"].f1) == "not measured"
    assert math.isnan(rows["C"].recall.value) and rows["C"].as_dict()["f1"] is None
    assert rows["B"].f1.value == pytest.approx(2 / 3)


def test_views_hold_every_row() -> None:
    scores = score_items("m", [([(1, "A"), (2, "B")], [(1, "A")])], typed=True)
    assert [row[0] for row in scores.table()] == ["all", "A", "B"]
    found = scores.as_dict()
    assert found["total"]["tp"] == 1 and found["total"]["recall"]["value"] == 0.5
    assert [row["label"] for row in found["types"]] == ["A", "B"] and found["macro"]["recall"] == 0.5
    assert scores == score_counts("m", {name: np.array([c]) for name, c in
                                        (("", [2, 1, 1, 1]), ("A", [1, 1, 1, 1]), ("B", [1, 0, 0, 0]))})  # fmt: skip


def mean_or(values: list[float], else_: float) -> float:
    return sum(values) / len(values) if values else else_


@given(pairs)
def test_an_interval_is_that_of_a_slow_jackknife(rows: list[tuple[int, int]]) -> None:
    found = interval(recall, np.array(rows), sum(gold for gold, _ in rows))
    seen = [row for row in rows if row[0]]
    if not seen:
        assert found.n == 0
        return
    value = sum(f for _, f in seen) / sum(g for g, _ in seen)
    assert found.value == pytest.approx(value) and 0 <= found.low <= value <= found.high <= 1
    if len(seen) > 1 and 0 < value < 1:
        left = []
        for i in range(len(seen)):
            rest = seen[:i] + seen[i + 1 :]
            left.append(sum(f for _, f in rest) / sum(g for g, _ in rest))
        mean = sum(left) / len(left)
        variance = (len(left) - 1) / len(left) * sum((v - mean) ** 2 for v in left)
        items = sum(g for g, _ in seen)
        effective = min(items, value * (1 - value) / variance) if variance > 1e-15 else items
        if items == len(seen):
            assert (found.low, found.high) == pytest.approx(wilson(value, effective))
        else:
            assert found.high - found.low >= wilson(value, effective)[1] - wilson(value, effective)[0] - 1e-9


def test_intervals_agree_with_those_of_every_other_rate() -> None:
    random = np.random.default_rng(3)
    gold = random.integers(1, 9, 120)
    found = random.binomial(gold, random.beta(8, 2, 120))
    ours = interval(recall, np.stack([gold, found], 1), int(gold.sum()))
    credits = np.concatenate([[1.0] * f + [0.0] * (g - f) for g, f in zip(gold, found, strict=True)])
    house = rate(credits, np.repeat([f"d{i}" for i in range(120)], gold).tolist())
    assert (ours.low, ours.high) == pytest.approx((house.low, house.high), abs=0.004)
    assert (ours.n, ours.clusters) == (house.n, house.clusters)


def test_intervals_of_f1_cover_the_truth() -> None:
    random = np.random.default_rng(5)
    covered = 0
    draws = 600
    for _ in range(draws):
        skill = random.beta(9, 1, 60)
        gold = random.integers(1, 12, 60)
        found = random.binomial(gold, skill)
        false = random.poisson(0.6, 60)
        counts = np.stack([gold, found, found + false, found], 1)
        f1 = score_counts("m", {"": counts}).total.f1
        truth = 2 * 0.9 * 6 / (2 * 0.9 * 6 + 0.6 + 0.1 * 6)
        covered += f1.low <= truth <= f1.high
    assert 0.92 <= covered / draws <= 0.98
