"""Confidence in guesses, by population and knowledge: thresholds gone through, populations drawn, cases counted."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking.attack import AttackResults
from unname.attacking.attackers import Tally
from unname.attacking.fieldvalues import FieldValues
from unname.attacking.learning import STRONGEST
from unname.auditing.confidence import among, at_scale, confidence, knowing_fields, over_read
from unname.auditing.report import Found, rate_of
from unname.statistics import rate


def results(sure: list[float], credits: list[float]) -> AttackResults:
    """An attack in which the strongest adversary was that sure and that right; −1: withheld."""
    return AttackResults(documents={STRONGEST: Tally(credits, credits, credits, [0] * len(sure))}, sure=sure)


def alone(count: int) -> list[str]:
    """People with one document each."""
    return [str(i) for i in range(count)]


# --- how sure

GUESSES = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=12, max_size=60).flatmap(
    lambda rows: st.tuples(st.just(rows), st.permutations(range(len(rows))))
)


@given(GUESSES)
def test_precision_and_recall_are_those_of_a_list_sorted_by_sureness(
    drawn: tuple[list[tuple[bool, float]], list[int]],
) -> None:
    rows, ranks = drawn
    sure = [-1.0 if withheld else rank / len(rows) for (withheld, _), rank in zip(rows, ranks, strict=True)]
    credits = [0.0 if withheld else credit for withheld, credit in rows]
    guesses = sorted(((s, c) for s, c in zip(sure, credits, strict=True) if s >= 0), reverse=True)
    found = confidence(results(sure, credits), alone(len(rows)))
    if len(guesses) < 10:
        assert found is None
        return
    assert found is not None
    for one, share in zip(found.surest, (0.01, 0.05, 0.1), strict=True):
        many = max(1, round(share * len(guesses)))
        assert one.share == share and one.right.n == many
        assert one.right.rate == pytest.approx(sum(c for _, c in guesses[:many]) / many, abs=1e-6)
    for precision in (0.9, 0.99):
        sums = [sum(c for _, c in guesses[:many]) for many in range(1, len(guesses) + 1)]
        kept = [total for many, total in enumerate(sums, 1) if total / many >= precision]
        assert found.recall[f"{precision:g}"] == pytest.approx(max(kept, default=0.0) / len(rows))


def test_who_is_sure_only_when_right_finds_all_that_can_be_found() -> None:
    credits = [1.0] * 12 + [0.0] * 28
    found = confidence(results([0.9] * 12 + [0.1] * 28, credits), alone(40))
    assert found is not None and found.recall == {"0.9": 0.3, "0.99": 0.3}
    assert [one.right.rate for one in found.surest] == [1, 1, 1]


def test_who_is_sure_only_when_wrong_finds_nothing_for_certain() -> None:
    found = confidence(results([0.9] * 20 + [0.1] * 20, [0.0] * 20 + [1.0] * 20), alone(40))
    assert found is not None and found.recall == {"0.9": 0, "0.99": 0}


def test_withheld_documents_are_no_guesses_and_count_as_not_found() -> None:
    found = confidence(results([0.5 + i / 100 for i in range(10)] + [-1.0] * 10, [1.0] * 10 + [0.0] * 10), alone(20))
    assert found is not None and found.recall == {"0.9": 0.5, "0.99": 0.5}
    assert confidence(results([0.5] * 9 + [-1.0] * 20, [1.0] * 9 + [0.0] * 20), alone(29)) is None


def test_surest_guesses_of_one_person_say_less_than_those_of_many() -> None:
    sure, credits = [1 - i / 200 for i in range(100)], [1.0] * 100
    many, same = (confidence(results(sure, credits), people) for people in (alone(100), ["a"] * 100))
    assert many is not None and same is not None
    wide, narrow = (found.surest[2].right for found in (same, many))
    assert wide.ci is not None and narrow.ci is not None and wide.ci[0] < narrow.ci[0]


# --- among how many


def drawn_rate(above: list[int], people: int, size: int, draws: int = 4000) -> float:
    """How often nobody of those ahead is in a random part of the people that holds the person."""
    rng = np.random.default_rng(3)
    part = rng.random((draws, people - 1)).argsort(axis=1)[:, : size - 1]
    return float(np.mean([(part >= ahead).all(axis=1).mean() if ahead >= 0 else 0.0 for ahead in above]))


def test_rates_among_fewer_people_are_those_of_parts_drawn_by_lot() -> None:
    above, people = [0, 1, 3, 12, 60, 140, -1], 151
    rows = at_scale(above, people)
    assert [row.people for row in rows] == [100, 151, 1000, 10_000, 100_000]
    assert rows[0].rate == pytest.approx(drawn_rate(above, people, 100), abs=0.01)
    assert not rows[0].extrapolated


@given(st.lists(st.integers(0, 1500), min_size=1, max_size=6), st.integers(1501, 2500))
def test_a_rate_among_a_hundred_or_a_thousand_is_a_count_of_ways_to_draw(above: list[int], people: int) -> None:
    for row in at_scale(above, people)[:2]:
        ways = math.comb(people - 1, row.people - 1)
        wanted = sum(math.comb(people - 1 - ahead, row.people - 1) / ways for ahead in above) / len(above)
        assert row.rate == pytest.approx(wanted, abs=1e-6)


@given(st.lists(st.integers(-1, 499), min_size=1, max_size=30))
def test_among_all_people_here_the_rate_is_the_share_with_nobody_ahead(above: list[int]) -> None:
    here = [row for row in at_scale(above, 500) if row.people == 500]
    if max(above) < 0:
        assert not here
    else:
        assert len(here) == 1 and not here[0].extrapolated
        assert here[0].rate == pytest.approx(above.count(0) / len(above))


@given(st.lists(st.integers(-1, 499), min_size=1, max_size=30))
def test_rates_fall_with_the_number_of_people_and_only_those_beyond_are_extrapolated(above: list[int]) -> None:
    rows = at_scale(above, 500)
    assert [row.extrapolated for row in rows] == [row.people > 500 for row in rows]
    for fewer, more in zip(rows, rows[1:], strict=False):
        assert more.rate <= fewer.rate + 2e-6 and 0 <= more.rate <= 1


def test_odds_go_on_falling_as_they_fell_from_a_quarter_to_all() -> None:
    above, people = [0, 0, 0, 1, 2, 9, 30, 200], 400
    rates = {row.people: row.rate for row in at_scale(above, people)}
    quarter, whole = rates[100], rates[400]
    assert whole == pytest.approx(3 / 8) and quarter > whole
    fall = (whole / (1 - whole)) / (quarter / (1 - quarter))
    odds = whole / (1 - whole) * fall ** (math.log(1000 / 400) / math.log(4))
    assert rates[1000] == pytest.approx(odds / (1 + odds))


def test_who_is_always_found_stays_found_among_more() -> None:
    assert [row.rate for row in at_scale([0] * 20, 300)] == pytest.approx([1.0] * 5, abs=1e-5)


@pytest.mark.parametrize("above, people", [([], 100), ([-1, -1], 100), ([0], 1)])
def test_without_guesses_or_people_no_rate_is_told(above: list[int], people: int) -> None:
    assert at_scale(above, people) == ()


def test_two_people_are_enough_for_a_rate() -> None:
    rows = at_scale([0, 1], 2)
    assert rows[0].people == 2 and rows[0].rate == pytest.approx(0.5) and rows[0].extrapolated is False


# --- knowing what


def test_known_fields_are_told_by_their_rates_most_telling_first() -> None:
    none = -1.0
    after = AttackResults(knowing=[(0.0, 1.0, none), (0.5, none, none), (0.0, 1.0, none), (0.0, 0.0, none)])
    clusters = ["a", "a", "b", "c"]
    values = FieldValues(("town", "job", "never"), np.zeros((3, 3), np.int32))
    rows = knowing_fields(after, values, clusters)
    assert [row.field for row in rows] == ["job", "town"], "a field that nobody states has no rate"
    for row, credits, people in zip(rows, ([1, 1, 0], [0, 0.5, 0, 0]), (["a", "b", "c"], clusters), strict=True):
        wanted = rate(credits, people).as_dict()
        assert (row.after.rate, row.after.n, row.after.people) == (wanted["rate"], len(credits), 3)
        assert row.after.ci == tuple(wanted["ci"])


def test_nothing_is_told_of_fields_where_nothing_was_attacked() -> None:
    assert knowing_fields(AttackResults(), FieldValues(("town",), np.zeros((1, 3), np.int32)), []) == ()


def test_a_field_of_which_most_values_are_somebodys_alone_is_left_out() -> None:
    after = AttackResults(knowing=[(1.0, 0.5)])
    values = FieldValues(("phone", "town"), np.array([[0, 1, 2, -1], [0, 1, 2, 2]], np.int32))
    assert [row.field for row in knowing_fields(after, values, ["a"])] == ["town"]


# --- among fewer people


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 4)), min_size=2, max_size=12), st.integers(0, 1000))
def test_among_a_hundred_the_rate_is_that_of_many_drawings(ranks: list[tuple[int, int]], seed: int) -> None:
    people, drawings = 130, 400
    lot = np.random.default_rng(seed)
    found = []
    for above, tied in ranks:
        # Everybody's place: those above, those tied in order of a lot, all others; the person is one of the tied.
        own = above + lot.integers(0, tied, drawings)
        ahead = np.array([np.count_nonzero(lot.choice(people - 1, 99, replace=False) < place) for place in own])
        found.append(float(np.mean(ahead == 0)))
    results = AttackResults(above=[a for a, _ in ranks], tied=[t for _, t in ranks], own=[0.0] * len(ranks))
    stated = among(results, alone(len(ranks)), people, len(ranks))
    assert stated is not None and stated.hundred is not None and stated.own is not None
    assert stated.hundred.rate == pytest.approx(np.mean(found), abs=0.08)


def test_fewer_people_are_stated_only_where_they_are_fewer() -> None:
    one = AttackResults(above=[0, 3, -1], tied=[1, 1, 1], own=[1.0, 1.0, 0.0])
    assert among(one, alone(3), 3, 3) is None and among(AttackResults(), [], 500, 3) is None
    few = among(one, alone(3), 90, 3)
    assert (
        few is not None
        and few.hundred is None
        and few.own is not None
        and few.own.rate == pytest.approx(2 / 3, abs=1e-6)
    )
    every = among(one, alone(3), 500, 500)
    assert every is not None and every.own is None and every.hundred is not None
    assert 1 / 3 < (every.hundred.rate or 0) < 2 / 3


def test_rows_that_are_added_to_the_table_never_lower_what_is_found_among_a_hundred() -> None:
    one = AttackResults(above=[0, 3, 20], tied=[1, 1, 1], own=[1.0, 0.0, 0.0])
    rates = [among(one, alone(3), people, 3) for people in (150, 600, 5000)]
    found = [rate.hundred.rate or 0 for rate in rates if rate is not None and rate.hundred is not None]
    assert len(found) == 3 and found == sorted(found)


# --- over how many documents were read


def figures(rate: float, tried: int = 200) -> Found:
    return rate_of([float(i < rate * tried) for i in range(tried)], alone(tried))


@given(st.floats(0, 0.4), st.floats(0, 0.5), st.integers(1000, 9000))
def test_documents_beyond_those_read_follow_the_odds_of_the_last_two_levels(low: float, high: float, read: int) -> None:
    rows = over_read(read, figures(high), lambda fewer: figures(low))
    levels = [level for level in (0, 250, 1000, 4000) if 2 * level <= read]
    assert [row.read for row in rows] == [*levels, read, 4 * read]
    assert [row.found for row in rows] == [figures(low)] * len(levels) + [figures(high), None]
    further = rows[-1].extrapolated
    assert further is not None and 0 < further < 1
    # A quarter of what is guessed at is what there is, and the same step of the logarithm leads from the one to the other.
    least = [min(max(row.found.rate or 0, 1 / 400), 399 / 400) for row in rows[-3:-1] if row.found]
    odds = [one / (1 - one) for one in least]
    steps = math.log(4) / math.log(read / levels[-1])
    assert further / (1 - further) == pytest.approx(odds[1] * max(1.0, odds[1] / odds[0]) ** steps)


def test_of_few_documents_nothing_is_extrapolated_and_of_fewer_nothing_tried() -> None:
    assert [row.read for row in over_read(600, figures(0.1), lambda fewer: figures(0.1))] == [0, 250, 600]
    assert over_read(499, figures(0.1), lambda fewer: pytest.fail("nobody is tried")) == ()
