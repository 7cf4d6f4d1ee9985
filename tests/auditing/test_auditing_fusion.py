"""The fused attacker weighs its members by what they are worth; the mask-aware one reads what a stopping rule gives away."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unname.auditing.aware import CrowdPattern, all_crowds, smallest_feasible
from unname.auditing.fusion import fit_weights, fuse, standardised
from unname.auditing.statistics import credit
from unname.protecting.keys import target_crowd

PEOPLE = 60
score_rows = hnp.arrays(np.int64, st.integers(1, 30), elements=st.integers(-3, 6))


def corpus(strengths: list[float], count: int, seed: int) -> tuple[list[np.ndarray], list[int]]:
    """Documents' scores (members, people): noise, and the true person raised by each member's strength."""
    rng = np.random.default_rng(seed)
    documents, people = [], []
    for _ in range(count):
        scores = rng.normal(size=(len(strengths), PEOPLE))
        person = int(rng.integers(PEOPLE))
        scores[:, person] += strengths
        documents.append(scores)
        people.append(person)
    return documents, people


def found(documents: list[np.ndarray], people: list[int], weights: np.ndarray) -> float:
    return float(np.mean([credit(fuse(d, weights), p) for d, p in zip(documents, people, strict=True)]))


# --- fusion


def test_weights_single_out_the_useful_member_and_leave_noise_aside() -> None:
    weights = fit_weights(*corpus([3.0, 0.0, 0.0], 150, 1))
    assert weights[0] > 5 * max(weights[1], weights[2], 0.01)
    assert (weights >= 0).all()


def test_a_member_that_always_points_away_gets_no_weight() -> None:
    weights = fit_weights(*corpus([2.0, -2.0], 150, 2))
    assert weights[1] == 0 and weights[0] > 0.5


def test_the_fused_guess_is_better_than_each_of_two_members_that_know_different_things() -> None:
    weights = fit_weights(*corpus([2.0, 2.0, 0.0], 150, 3))
    documents, people = corpus([2.0, 2.0, 0.0], 400, 4)
    alone = [found(documents, people, np.eye(3)[i]) for i in range(3)]
    assert found(documents, people, weights) > max(alone) + 0.1


def test_the_fused_guess_among_noise_is_no_worse_than_chance() -> None:
    weights = fit_weights(*corpus([0.0, 0.0], 100, 5))
    documents, people = corpus([0.0, 0.0], 3000, 6)
    chance = 1 / PEOPLE
    assert found(documents, people, weights) >= chance - 3 * math.sqrt(chance / 3000)


def test_the_fit_is_the_least_of_the_loss_in_every_direction() -> None:
    """The loss written out a second time; no small step away from the fitted weights lowers it."""
    documents, people = corpus([1.5, 0.7, 0.0], 60, 7)

    def loss(weights: np.ndarray) -> float:
        total = 0.0
        for scores, person in zip(documents, people, strict=True):
            mixed = sum(w * (r - r.mean()) / r.std() for w, r in zip(weights, scores, strict=True))
            total -= math.log(math.exp(mixed[person]) / sum(math.exp(v) for v in mixed))
        return total / len(documents) + 0.0005 * float(weights @ weights)

    weights = fit_weights(documents, people)
    best = loss(weights)
    for i in range(3):
        for step in (-0.05, 0.05):
            moved = weights.copy()
            moved[i] = max(0.0, moved[i] + step)
            assert loss(moved) >= best - 1e-7


def test_scales_of_members_do_not_matter() -> None:
    documents, people = corpus([2.0, 1.0], 60, 8)
    scaled = [d * np.array([[1000.0], [0.001]]) + 17 for d in documents]
    assert np.allclose(fit_weights(documents, people), fit_weights(scaled, people), atol=1e-3)


def test_a_member_that_scores_all_people_alike_says_nothing() -> None:
    scores = np.vstack([np.full(5, 7.0), np.arange(5.0)])
    assert (standardised(scores)[0] == 0).all()
    assert np.isfinite(fuse(scores, np.ones(2))).all()


def test_without_documents_to_learn_from_every_member_counts_the_same() -> None:
    assert fit_weights([], [], members=3).tolist() == [1, 1, 1]


# --- crowds of everybody


@given(score_rows)
def test_the_crowd_of_every_profile_is_what_counting_gives(scores: np.ndarray) -> None:
    expected = [sum(other >= own for other in scores) - 1 for own in scores]
    assert all_crowds(scores).tolist() == expected


@given(
    hnp.arrays(np.int64, st.tuples(st.integers(1, 3), st.just(20)), elements=st.integers(0, 19)),
    st.integers(1, 12),
)
def test_the_smallest_feasible_guess_has_the_least_crowd_that_is_k_or_more(crowds: np.ndarray, k: int) -> None:
    least = [min(column) for column in crowds.T]
    feasible = [c for c in least if c >= k]
    scores = smallest_feasible(crowds, k)
    best = {i for i in range(len(least)) if scores[i] == scores.max()}
    if feasible:
        assert best == {i for i, c in enumerate(least) if c == min(feasible)}
    else:
        assert len(best) == len(least), "where nobody is feasible, everybody is as likely"


# --- the tell


def masked_scores(rng: np.random.Generator, crowd: int, people: int = 200) -> tuple[np.ndarray, int]:
    """Scores without ties in which the true person has exactly this crowd."""
    order = rng.permutation(people)
    scores = np.empty(people, np.int64)
    scores[order] = np.arange(people, 0, -1)
    return scores, int(order[crowd])


def attack_with_tell(crowd_of: list[int], *, seed: int) -> float:
    """Learn from half of the documents, attack the other half."""
    rng = np.random.default_rng(seed)
    tell, credits = CrowdPattern(), []
    for i, crowd in enumerate(crowd_of):
        scores, person = masked_scores(rng, crowd)
        crowds = all_crowds(scores)[None, :]
        if i < len(crowd_of) // 2:
            tell.learn(crowds, person)
        else:
            credits.append(credit(tell.scores(crowds), person))
    return float(np.mean(credits))


def test_a_search_that_stops_at_exactly_k_gives_everybody_away() -> None:
    assert attack_with_tell([10] * 800, seed=1) > 0.99


def test_keyed_targets_leave_about_one_in_k_plus_one() -> None:
    k = 10
    crowds = [target_crowd(b"s" * 32, f"document\0{i}", k=k, span=4.0, most=199) for i in range(6000)]
    rate = attack_with_tell(crowds, seed=2)
    assert 0.5 / (k + 1) < rate < 1.25 / (k + 1)
    rng = np.random.default_rng(3)
    cases = [masked_scores(rng, crowd) for crowd in crowds[:2000]]
    smallest = float(np.mean([credit(smallest_feasible(all_crowds(s)[None, :], k), p) for s, p in cases]))
    assert smallest < 1.25 / (k + 1)


def test_smallest_feasible_finds_everybody_where_targets_are_not_keyed() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        scores, person = masked_scores(rng, 10)
        assert credit(smallest_feasible(all_crowds(scores)[None, :], 10), person) == 1


def test_a_tell_that_learned_nothing_guesses_by_lot() -> None:
    crowds = np.array([[0, 5, 9, 3], [1, 1, 1, 1]])
    assert len(set(CrowdPattern().scores(crowds).tolist())) == 1


@pytest.mark.parametrize("members", [1, 2, 3])
def test_the_tell_is_the_log_likelihood_ratio_of_counted_crowds(members: int) -> None:
    """Counted anew for crowds below 32, where each crowd is a bin of its own."""
    rng = np.random.default_rng(9)
    tell, seen = CrowdPattern(), []
    for _ in range(25):
        crowds = rng.integers(0, 30, (members, 12))
        person = int(rng.integers(12))
        tell.learn(crowds, person)
        seen.append((crowds, person))
    asked = rng.integers(0, 30, (members, 12))
    expected = np.zeros(12)
    for pick in (min, max)[: 1 if members == 1 else 2]:
        true = np.full(96, 0.5)
        everyone = np.full(96, 0.5)
        for crowds, person in seen:
            values = [pick(column) for column in crowds.T.tolist()]
            true[values[person]] += 1
            for value in values:
                everyone[value] += 1 / 12
        for i, column in enumerate(asked.T.tolist()):
            value = pick(column)
            expected[i] += math.log(true[value] / true.sum()) - math.log(everyone[value] / everyone.sum())
    assert np.allclose(tell.scores(asked), expected)
