"""Crowd sizes and what they betray: crowds one by one, patterns in plain loops, searches that give themselves away."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking.crowdsizes import CrowdPattern, all_crowds, smallest_feasible
from unname.reidentifiers.base import crowd

PEOPLE = 60
SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=25)


@given(SCORES)
def test_everybodys_crowd_is_how_many_others_score_at_least_as_high(scores: list[int]) -> None:
    found = all_crowds(np.array(scores))
    assert found.dtype == np.int64
    for person, own in enumerate(scores):
        assert found[person] == sum(s >= own for s in scores) - 1 == crowd(np.array(scores), person)


@given(st.lists(st.lists(st.integers(0, 12), min_size=13, max_size=13), min_size=1, max_size=3), st.integers(1, 12))
def test_the_smallest_feasible_crowd_is_guessed_first_and_who_has_none_last(rows: list[list[int]], k: int) -> None:
    found = smallest_feasible(np.array(rows), k)
    least = [min(column) for column in zip(*rows, strict=True)]
    for one, mine in enumerate(least):
        for other, theirs in enumerate(least):
            if mine >= k:
                assert (found[one] > found[other]) == (theirs < k or mine < theirs)
            else:
                assert found[one] <= found[other]


# --- patterns


def slow_bin(size: int) -> int:
    """Crowds below 32 one by one, larger ones in steps of a tenth."""
    return size if size < 32 else min(95, 31 + math.floor(math.log(size / 31) / math.log(1.1)))


def slow_rows(crowds: np.ndarray) -> list[list[int]]:
    """Crowds under each member, and where there are several the least and the largest."""
    rows = crowds.tolist()
    columns = list(zip(*rows, strict=True))
    return rows if len(rows) < 2 else [*rows, [min(c) for c in columns], [max(c) for c in columns]]


def spread(counts: list[float]) -> list[float]:
    """Each count given to bins near it, and half a document over all bins; as shares of the whole."""
    bell = {step: math.exp(-0.5 * (step / 1.5) ** 2) for step in range(-4, 5)}
    whole = sum(bell.values())
    found = [0.5 / 96] * 96
    for place, count in enumerate(counts):
        for step, weight in bell.items():
            if 0 <= place + step < 96:
                found[place + step] += count * weight / whole
    return [value / sum(found) for value in found]


def slow_ratios(taught: list[tuple[np.ndarray, int]], crowds: np.ndarray, *, left_out: int = -1) -> np.ndarray:
    """Logarithms of the ratio of two histograms; the true person of the document at `left_out` is not counted."""
    found = []
    for row, sizes in enumerate(slow_rows(crowds)):
        true, everybody = [0.0] * 96, [0.0] * 96
        for place, (seen, person) in enumerate(taught):
            own = slow_rows(seen)[row]
            if place != left_out:
                true[slow_bin(own[person])] += 1
            for size in own:
                everybody[slow_bin(size)] += 1 / len(own)
        one, other = spread(true), spread(everybody)
        found.append([math.log(one[slow_bin(size)] / other[slow_bin(size)]) for size in sizes])
    return np.array(found)


def drawn(seed: int, *, members: int, documents: int, people: int = PEOPLE) -> list[tuple[np.ndarray, int]]:
    """Crowds of some documents and the true person of each."""
    rng = np.random.default_rng(seed)
    return [
        (np.stack([all_crowds(rng.integers(0, 40, people)) for _ in range(members)]), int(rng.integers(people)))
        for _ in range(documents)
    ]


def learned(taught: list[tuple[np.ndarray, int]]) -> CrowdPattern:
    """A pattern of these documents."""
    pattern = CrowdPattern()
    for crowds, person in taught:
        pattern.learn(crowds, person)
    return pattern


@pytest.mark.parametrize("members, people", [(1, 60), (2, 60), (3, 300)])
def test_ratios_are_those_of_two_histograms(members: int, people: int) -> None:
    taught = drawn(members, members=members, documents=5, people=people)
    pattern = learned(taught)
    fresh = drawn(99, members=members, documents=1, people=people)[0][0]
    assert pattern.ratios(fresh) == pytest.approx(slow_ratios(taught, fresh))
    for place, (crowds, person) in enumerate(taught):
        assert pattern.ratios(crowds, known=person) == pytest.approx(slow_ratios(taught, crowds, left_out=place))


def test_of_a_document_that_taught_the_pattern_nothing_tells_whom_it_was_about() -> None:
    taught = drawn(3, members=2, documents=6)
    crowds = taught[2][0]
    found = []
    for person in (0, 17, 41):
        pattern = learned([*taught[:2], (crowds, person), *taught[3:]])
        found.append(pattern.ratios(crowds, known=person))
        assert not np.allclose(pattern.ratios(crowds), found[0]), "counted, the person would show"
    assert np.allclose(found[0], found[1]) and np.allclose(found[0], found[2])


def test_leaving_a_person_out_is_nearly_as_not_having_learned_the_document() -> None:
    """Nearly: what the sizes of everybody's crowds are was learned from the document too, which says nothing of him."""
    taught = drawn(4, members=2, documents=30)
    crowds, person = taught[7]
    without = learned(taught[:7] + taught[8:])
    left_out = np.abs(learned(taught).ratios(crowds, known=person) - without.ratios(crowds)).max()
    assert left_out < 0.05 < np.abs(learned(taught).ratios(crowds) - without.ratios(crowds)).max()


def test_who_has_learned_nothing_says_nothing() -> None:
    crowds = drawn(5, members=2, documents=1)[0][0]
    assert CrowdPattern().ratios(crowds).shape == (4, PEOPLE) and not CrowdPattern().ratios(crowds).any()
    assert not CrowdPattern().scores(crowds).any()
    assert CrowdPattern().ratios(crowds[:1]).shape == (1, PEOPLE)


def test_a_search_that_stops_at_k_is_seen_through() -> None:
    """The crowd of every true person is exactly ten: the person is among the few whose crowd is ten now."""
    rng = np.random.default_rng(6)

    def stopped() -> tuple[np.ndarray, int]:
        order = rng.permutation(PEOPLE)
        return np.argsort(order)[None, :], int(order[10])

    pattern = learned([stopped() for _ in range(20)])
    for _ in range(20):
        crowds, person = stopped()
        assert int(np.argmax(pattern.scores(crowds))) == person
        assert int(np.argmax(smallest_feasible(crowds, 10))) == person


def test_a_search_that_pushes_people_conspicuously_low_is_seen_through() -> None:
    rng = np.random.default_rng(7)

    def pushed() -> tuple[np.ndarray, int]:
        order = rng.permutation(PEOPLE)
        return np.argsort(order)[None, :], int(order[-1])

    pattern = learned([pushed() for _ in range(20)])
    crowds, person = pushed()
    scores = pattern.scores(crowds)
    assert np.count_nonzero(scores > scores[person]) <= 6 and np.median(scores) < scores[person]


def test_scores_weigh_the_least_and_the_largest_crowd() -> None:
    taught = drawn(8, members=3, documents=5)
    crowds = taught[0][0]
    found = slow_ratios(taught, crowds)
    assert learned(taught).scores(crowds) == pytest.approx(found[-1] + found[-2])
