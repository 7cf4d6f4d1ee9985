"""One guess from everything: weights against a second optimiser, shortlists by sorting, second looks by what was planted."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from scipy.stats import zscore
from threadpoolctl import threadpool_limits

from unname.attacking.adversary import (
    SHORTLIST,
    Candidates,
    FirstLook,
    SecondLook,
    Seen,
    best_kind,
    candidates,
    chances,
    evidence,
    fit_weights,
    gains_of_kinds,
    learn_first,
    learn_second,
    ranking,
    shortlist,
    standardised,
)
from unname.attacking.crowdsizes import CrowdPattern, all_crowds, readings
from unname.attacking.profilewords import ProfileWords, profile_words
from unname.types import Profile

Rows = Sequence[np.ndarray]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As in a pool: threads of many small calls would wait for each other."""
    with threadpool_limits(1):
        yield


def someone_among(people: int) -> ProfileWords:
    """Words of so many people, no two alike."""
    return profile_words([Profile(str(i), {"name": f"Person{i}", "town": f"Town{i % 3}"}) for i in range(people)],
                         ["name", "town"])  # fmt: skip


# --- scores on one scale


@given(st.lists(st.lists(st.integers(-50, 50), min_size=4, max_size=4), min_size=1, max_size=5))
def test_rows_are_standardised_as_scipy_does_and_a_row_that_says_nothing_is_zero(rows: list[list[int]]) -> None:
    scores = np.array(rows, np.float64)
    told = [len(set(row)) > 1 for row in rows]
    found = standardised(scores)
    assert found[told] == pytest.approx(zscore(scores[told], axis=1) if any(told) else found[told])
    assert not found[[not one for one in told]].any()


def test_standardising_leaves_what_it_was_given_as_it_was() -> None:
    scores = np.array([[1.0, 2.0, 6.0]])
    standardised(scores)
    assert scores.tolist() == [[1.0, 2.0, 6.0]]


# --- signed weights


def slow_loss(weights: np.ndarray, cases: Rows, people: Sequence[int], penalty: float) -> float:
    """The definition, case by case."""
    losses = [logsumexp(weights @ case) - (weights @ case)[person] for case, person in zip(cases, people, strict=True)]
    return float(np.mean(losses)) + 0.5 * penalty * float(np.sum(np.square(weights)))


def drawn_cases(
    rng: np.random.Generator, strength: Sequence[float], *, many: int
) -> tuple[list[np.ndarray], list[int]]:
    """Cases of different widths whose true person stands out by so much under each member."""
    cases, people = [], []
    for _ in range(many):
        case = rng.normal(size=(len(strength), int(rng.integers(3, 7))))
        person = int(rng.integers(case.shape[1]))
        case[:, person] += strength
        cases.append(case)
        people.append(person)
    return cases, people


@pytest.mark.parametrize("seed", range(2))
def test_weights_are_those_that_a_minimiser_without_gradients_finds(seed: int) -> None:
    cases, people = drawn_cases(np.random.default_rng(seed), (1.0, 0.0, -0.7), many=25)
    found = fit_weights(cases, people, members=3, penalty=0.02)
    tight = {"xatol": 1e-7, "fatol": 1e-12, "maxiter": 5000}
    other = minimize(slow_loss, np.zeros(3), args=(cases, people, 0.02), method="Nelder-Mead", options=tight)
    assert found == pytest.approx(other.x, abs=5e-3)
    assert slow_loss(found, cases, people, 0.02) == pytest.approx(other.fun, abs=1e-5)


def test_a_member_that_pushes_the_true_person_down_gets_a_negative_weight() -> None:
    cases, people = drawn_cases(np.random.default_rng(5), (1.5, -1.5, 0.0), many=200)
    plain, pushed, idle = fit_weights(cases, people, members=3)
    assert plain > 0.5 and pushed < -0.5
    assert abs(idle) < 0.4


def test_a_stronger_penalty_makes_weights_smaller() -> None:
    cases, people = drawn_cases(np.random.default_rng(6), (1.0, -1.0), many=40)
    sizes = [float(np.linalg.norm(fit_weights(cases, people, members=2, penalty=p))) for p in (1e-3, 0.1, 10)]
    assert sizes[0] > sizes[1] > sizes[2] > 0


def test_with_nothing_to_learn_from_every_member_counts_the_same() -> None:
    assert fit_weights([], [], members=3).tolist() == [1, 1, 1]


# --- what is weighed


def test_evidence_is_scores_and_then_what_crowd_sizes_betray() -> None:
    scores = standardised(np.random.default_rng(1).normal(size=(2, 30)))
    crowds = np.stack([all_crowds(row) for row in scores])
    pattern = CrowdPattern()
    pattern.learn(crowds, 4)
    seen = Seen(scores, crowds)
    for known in (-1, 4):
        found = evidence(seen, pattern, known=known)
        assert np.array_equal(found[:2], scores)
        assert np.array_equal(found[2:], pattern.ratios(crowds, known=known))
    bare = Seen(scores, crowds[:0])
    assert np.array_equal(evidence(bare, pattern), scores)


def test_a_first_look_learns_its_pattern_and_its_weights_from_the_same_documents() -> None:
    rng = np.random.default_rng(3)
    taught = []
    for _ in range(60):
        scores, person = rng.normal(size=(2, 50)), int(rng.integers(50))
        scores[0, person] += 3
        taught.append((Seen(standardised(scores), np.stack([all_crowds(row) for row in scores])), person))
    look = learn_first(taught, 2, 2)
    pattern = CrowdPattern()
    for seen, person in taught:
        pattern.learn(seen.crowds, person)
    rows = [evidence(seen, pattern, known=person) for seen, person in taught]
    wanted = fit_weights(rows, [person for _, person in taught], members=6)
    assert look.weights == pytest.approx(wanted, abs=1e-3)
    assert np.array_equal(evidence(taught[0][0], look.pattern), evidence(taught[0][0], pattern))
    part = taught[0][0].of(np.array([4, 2]))
    assert np.array_equal(part.scores, taught[0][0].scores[:, [4, 2]]) and part.crowds.shape == (2, 2)
    assert learn_first([], 3, 2).weights.shape == (3 + readings(2),) and readings(1) == 1 and readings(0) == 0


# --- shortlists


def nothing(columns: np.ndarray) -> np.ndarray:
    """Nobody says how people agree with the texts."""
    return np.zeros((len(columns), 0), np.float32)


def looked(scores: Sequence[float], column: int, *, texts: tuple[str, ...] = ("",), k: int = 5) -> Candidates:
    """The shortlist that one member's scores make, and nothing else."""
    row = np.array([scores], np.float64)
    seen, look = Seen(row, np.zeros((0, len(scores)), np.int64)), FirstLook(np.ones(1), CrowdPattern())
    reading = someone_among(len(scores)).read(texts)
    return candidates(seen, look, reading, column, k, np.random.default_rng(0), agreement=nothing)[0]


@settings(max_examples=20)
@given(st.lists(st.integers(0, 60), min_size=SHORTLIST - 2, max_size=SHORTLIST + 60))
def test_a_shortlist_holds_the_highest_scores(scores: list[int]) -> None:
    found = looked(scores, 0).columns.tolist()
    assert found == sorted(set(found)) and len(found) == min(SHORTLIST, len(scores))
    assert sorted(scores[column] for column in found) == sorted(scores)[-len(found) :]


def test_of_people_alike_at_the_end_of_a_shortlist_some_are_drawn_by_lot() -> None:
    """First come in the population, first served, would find those people more often who stand first in a table."""
    scores = np.array([1.0] + [0.0] * 30)
    drawn = [shortlist(scores, 11, np.random.default_rng(seed)) for seed in range(600)]
    assert all(0 in columns and len(set(columns.tolist())) == 11 for columns in drawn)
    often = np.bincount(np.concatenate(drawn), minlength=31)[1:]
    assert often.sum() == 6000 and often.min() > 140 and often.max() < 260, "each of the 30 in a third of the draws"


def test_the_true_person_is_never_put_into_a_shortlist() -> None:
    scores = list(range(SHORTLIST + 100))
    left_out, stranger, there = looked(scores, 3), looked(scores, -1), looked(scores, SHORTLIST + 50)
    assert left_out.true == stranger.true == -1 and 3 not in left_out.columns
    assert there.columns[there.true] == SHORTLIST + 50
    for other in (stranger, there):
        assert np.array_equal(left_out.columns, other.columns)
        assert np.array_equal(left_out.features, other.features), "no feature may depend on who it is"


def slow_features(seen: Seen, k: int, person: int) -> list[float]:
    """Crowds under each member and the least of them, and between which multiples of k each lies."""
    own = [int(row[person]) for row in seen.crowds]
    steps = (0.25, 0.5, 0.8, 1, 1.2, 1.6, 2.2, 3, 4.5, 8)
    found: list[float] = []
    for crowd in (*own, min(own)):
        passed = sum(crowd >= step * k for step in steps)
        found += [float(np.log(1 + crowd)), *(float(passed == step) for step in range(len(steps) + 1))]
    return found


def test_features_are_scores_crowds_words_and_how_much_of_the_text_is_left() -> None:
    people, k = 40, 10
    words = someone_among(people)
    scores = standardised(np.random.default_rng(2).normal(size=(3, people)))
    crowds = np.stack([all_crowds(row) for row in scores[:2]])
    texts = ("Person3 of Town0 met [NAME_1] and [MASK].", "Town2")
    seen, weights = Seen(scores, crowds), np.array([1.0, -0.5, 0.2, 1, 1, 1, 1])
    pattern = CrowdPattern()
    pattern.learn(crowds, 7)
    reading = words.read(texts)
    lot, agreement = np.random.default_rng(0), lambda columns: np.stack([columns, -columns], axis=1).astype(np.float32)
    case, total = candidates(seen, FirstLook(weights, pattern), reading, 7, k, lot, agreement=agreement)
    rows = evidence(seen, pattern)
    assert total == pytest.approx(weights @ rows)
    compared = reading.features(np.arange(people))
    shown, gaps, many = (np.log(1 + n) for n in (6, 2, 2))
    for place, column in enumerate(case.columns.tolist()):
        wanted = [total[column] - total.max(), *rows[:, column], *slow_features(seen, k, column), *compared[column]]
        wanted += [*(compared[column, :5] * (gaps - 3)), shown, gaps, many, column, -column]
        assert case.features[place].tolist() == pytest.approx(wanted, abs=1e-4)
    assert case.first == pytest.approx(total[case.columns] - total.max(), abs=1e-5)


def test_enough_of_a_shortlist_is_kept_to_learn_from_and_the_true_one_always() -> None:
    for true in (0, SHORTLIST // 2, SHORTLIST - 1):
        case = looked(list(range(SHORTLIST)), true)
        thin, again, other = (case.thinned(np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert thin.true == 0 and thin.columns[0] == case.columns[case.true]
        assert len(thin.columns) == 31 and len(set(thin.columns.tolist())) == 31
        places = [case.columns.tolist().index(column) for column in thin.columns.tolist()]
        assert np.array_equal(thin.features, case.features[places]) and np.array_equal(thin.first, case.first[places])
        assert np.array_equal(thin.columns, again.columns) and not np.array_equal(thin.columns, other.columns)


# --- second looks


def planted(rng: np.random.Generator, kind: str, *, width: int = 30) -> Candidates:
    """A case whose first look says nothing; who is true stands in its second feature."""
    true = int(rng.integers(width))
    told = rng.normal(size=width)
    if kind == "plain":
        told[true] += 4
    if kind == "band":  # neither high nor low: nothing that a weight could say
        told = np.where(rng.random(width) < 0.5, -1, 1) * rng.uniform(1, 3, width)
        told[true] = rng.uniform(-0.2, 0.2)
    first = rng.normal(size=width).astype(np.float32)
    if kind == "first":
        first[true] += 4
    return Candidates(np.arange(width), np.stack([first, told], axis=1).astype(np.float32), first, true)


def rate_of(look: SecondLook, cases: Sequence[Candidates]) -> float:
    """How often the true one comes first."""
    return float(np.mean([int(np.argmax(look.scores(case))) == case.true for case in cases]))


def folds(kind: str, seed: int = 0) -> list[list[Candidates]]:
    """Two folds of cases."""
    rng = np.random.default_rng(seed)
    return [[planted(rng, kind) for _ in range(25)] for _ in range(2)]


def second_looks(views: Sequence[Sequence[Sequence[Candidates]]], seed: int = 0) -> list[SecondLook]:
    """Second looks of the kind that serves best in the first view."""
    kind = best_kind([gains_of_kinds(views[0], held, seed) for held in range(len(views[0]))])
    return learn_second(views, seed, kind)


@pytest.mark.parametrize("kind", ["plain", "band"])
def test_a_second_look_finds_what_the_first_cannot_see(kind: str) -> None:
    (look,) = second_looks([folds(kind)])
    fresh = folds(kind, seed=9)[0]
    assert rate_of(SecondLook(), fresh) < 0.3 and rate_of(look, fresh) > 0.7
    if kind == "band":
        assert look.trees is not None and rate_of(SecondLook(look.weights), fresh) < 0.3


def test_the_kind_that_serves_best_is_told_from_the_first_view_and_fitted_on_each() -> None:
    band, plain = folds("band"), folds("plain")
    looks = second_looks([band, plain, [[], []]])
    assert [look.trees is not None for look in looks] == [True, True, False]
    assert rate_of(looks[0], band[0]) > 0.9 and rate_of(looks[1], plain[0]) > 0.9
    assert looks[2] == SecondLook(), "who saw no cases leaves a shortlist as it was"
    assert learn_second([], 0, "both") == [] and best_kind([]) == best_kind([{}, {}]) == "first"


@pytest.mark.parametrize("few", [[[], []], [[planted(np.random.default_rng(1), "plain")] * 3, []]])
def test_too_few_cases_leave_the_shortlist_in_the_order_of_the_first_look(few: list[list[Candidates]]) -> None:
    case = planted(np.random.default_rng(2), "plain")
    (look,) = second_looks([few])
    assert look == SecondLook() and look.scores(case) == pytest.approx(case.first)


def test_cases_of_one_fold_alone_cannot_be_held_out_and_leave_the_first_look() -> None:
    assert second_looks([[folds("plain")[0], []]]) == [SecondLook()]


def test_learning_twice_gives_the_same_odds() -> None:
    case = planted(np.random.default_rng(3), "band")
    one, other = (second_looks([folds("band")], seed=4)[0] for _ in range(2))
    assert np.array_equal(one.scores(case), other.scores(case))


# --- odds and order

ODDS = st.lists(st.floats(-30, 30), min_size=1, max_size=12)


@given(ODDS)
def test_chances_are_the_softmax_of_odds(odds: list[float]) -> None:
    assert chances(np.array(odds)) == pytest.approx(softmax(odds))


@given(st.data(), ODDS)
def test_a_ranking_puts_the_shortlist_first_as_told_and_everybody_else_below_as_before(
    data: st.DataObject, odds: list[float]
) -> None:
    total = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=len(odds), max_size=20)), np.float64)
    columns = np.sort(data.draw(st.permutations(range(len(total))))[: len(odds)])
    found = ranking(total, Candidates(columns, np.zeros((len(odds), 0)), np.zeros(len(odds))), np.array(odds))
    assert found[columns].tolist() == odds
    rest = np.setdiff1d(np.arange(len(total)), columns)
    assert (found[rest] < min(odds)).all()
    assert np.array_equal(np.argsort(found[rest], kind="stable"), np.argsort(total[rest], kind="stable"))
