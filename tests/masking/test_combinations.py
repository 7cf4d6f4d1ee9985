"""Terms that must go: the same as trying every combination, in the stated order, and safe where the order is given up."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unname.draws import draw
from unname.masking.combinations import Breach, breaches, rarest

Sets = list[set[int]]
PEOPLE = 12


def by_trying(
    sets: Sets,
    group: int,
    person: int | None,
    choose: Callable[[tuple[int, ...]], int],
    fixed: frozenset[int] = frozenset(),
) -> list[tuple[tuple[int, ...], int, int]]:
    """The algorithm as it is printed, every combination intersected; whom `fixed` terms give away is lost."""
    found = []
    stated = {p: [t for t in fixed if p in sets[t]] for p in range(PEOPLE)}
    lost = {p for p, row in stated.items() if row and len(set.intersection(*(sets[t] for t in row))) < group}
    gone = set[int]()
    for size in range(1, len(sets) + 1):
        for terms in combinations(range(len(sets)), size):
            if not gone.isdisjoint(terms):
                continue
            people = set.intersection(*(sets[term] for term in terms))
            free = tuple(term for term in terms if term not in fixed)
            hidden = people - lost if person is None else people & ({person} - lost)
            if len(people) < group and hidden and free:
                out = choose(free)
                found.append((terms, len(people), out))
                gone.add(out)
    return found


def keyed(terms: tuple[int, ...]) -> int:
    """One of the terms, drawn."""
    return min(terms, key=lambda term: draw("test", 0, f"{terms} {term}"))


def rows(sets: Sets) -> list[np.ndarray]:
    return [np.array(sorted(one), np.int32) for one in sets]


@st.composite
def worlds(draws: st.DrawFn) -> tuple[Sets, int]:
    """Who has each term, those that fewest have first, and a group."""
    members = st.sets(st.integers(0, PEOPLE - 1), min_size=1)
    sets = draws(st.lists(members, min_size=0, max_size=8))
    return sorted(sets, key=len), draws(st.integers(1, 6))


@settings(max_examples=400, deadline=None)
@given(worlds(), st.booleans(), st.sampled_from([None, 0, 3]), st.frozensets(st.integers(0, 7), max_size=3))
def test_no_difference_to_trying_every_combination(
    world: tuple[Sets, int], greedy: bool, person: int | None, stays: frozenset[int]
) -> None:
    sets, group = world
    choose, fixed = rarest if greedy else keyed, frozenset(n for n in stays if n < len(sets))
    found = breaches(rows(sets), PEOPLE, group, person=person, choose=choose, fixed=fixed)
    assert [tuple(breach[:3]) for breach in found] == by_trying(sets, group, person, choose, fixed)
    assert not any(breach.bounded for breach in found)


@settings(max_examples=200, deadline=None)
@given(worlds(), st.integers(0, 20))
def test_what_is_left_is_safe_where_the_order_is_given_up(world: tuple[Sets, int], most: int) -> None:
    sets, group = world
    gone = {breach.gone for breach in breaches(rows(sets), PEOPLE, group, most=most)}
    left = [one for term, one in enumerate(sets) if term not in gone]
    assert by_trying(left, group, None, rarest) == []


@pytest.mark.parametrize("terms", [65, 130])
def test_more_terms_than_one_number_holds(terms: int) -> None:
    rng = np.random.default_rng(0)
    sets = sorted((set(rng.choice(40, size=30, replace=False).tolist()) for _ in range(terms)), key=len)
    found = breaches(rows(sets), 40, 3, most=3000)
    gone = {breach.gone for breach in found}
    everybody = [frozenset(t for t, one in enumerate(sets) if person in one and t not in gone) for person in range(40)]
    assert gone
    assert all(sum(own <= other for other in everybody) >= 3 for own in everybody if own)


def test_a_combination_that_nobody_has_is_no_breach() -> None:
    assert breaches(rows([{0, 1}, {2, 3}]), 4, 2) == []
    assert breaches(rows([{0, 1}, {1, 2}]), 4, 2) == [Breach((0, 1), 1, 0)]


def test_terms_of_others_stay_where_one_person_counts() -> None:
    sets = rows([{1}, {0, 1, 2}])
    assert [breach.gone for breach in breaches(sets, 3, 2)] == [0]
    assert breaches(sets, 3, 2, person=0) == []
