"""One-to-one assignment, against every way in which so few people could be matched."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking import matching
from unname.attacking.matching import Shortlist, one_to_one


def listed(chances: dict[int, float]) -> Shortlist:
    """A shortlist of columns and the logarithms of their chances."""
    columns = sorted(chances)
    return np.array(columns, np.int64), np.log(np.array([chances[c] for c in columns])).astype(np.float32)


def value(shortlist: Shortlist, column: int) -> float:
    """What matching with a column is worth; whoever is not listed comes three below the last (and below certainty)."""
    held = dict(zip(shortlist[0].tolist(), shortlist[1].tolist(), strict=True))
    return held.get(column, min([0.0, *held.values()]) - 3)


@st.composite
def towns(draw: st.DrawFn) -> tuple[list[Shortlist | None], int]:
    """A few people released, some withheld, among no more than six."""
    people = draw(st.integers(1, 6))
    count = draw(st.integers(1, people))
    chances = st.dictionaries(st.integers(0, people - 1), st.integers(1, 99).map(lambda n: n / 100), max_size=people)
    return draw(st.lists(st.none() | chances.map(listed), min_size=count, max_size=count)), people


@given(towns())
def test_no_other_matching_is_worth_more(town: tuple[list[Shortlist | None], int]) -> None:
    shortlists, people = town
    shown = [place for place, one in enumerate(shortlists) if one is not None]
    found = one_to_one(shortlists, people)
    if not shown or len(shown) / people < 0.2:
        assert found is None
        return
    assert found is not None and len(found) == len(shortlists)
    assert all((guess == -1) == (one is None) for guess, one in zip(found, shortlists, strict=True))
    matched = [found[place] for place in shown]
    assert len(set(matched)) == len(matched), "nobody is matched twice"

    def worth(columns: tuple[int, ...]) -> float:
        return sum(value(shortlists[p] or listed({}), c) for p, c in zip(shown, columns, strict=True))

    best = max(worth(columns) for columns in permutations(range(people), len(shown)))
    assert worth(tuple(matched)) == pytest.approx(best, abs=1e-4)


def test_a_person_whom_one_text_fits_best_is_no_longer_a_candidate_for_the_others() -> None:
    sure, torn = listed({0: 0.98, 1: 0.01}), listed({0: 0.5, 1: 0.49})
    assert one_to_one([torn, sure], 2) == [1, 0]
    assert one_to_one([sure, torn], 2) == [0, 1]


def test_a_withheld_person_is_matched_with_nobody() -> None:
    assert one_to_one([None, listed({1: 0.9}), None], 3) == [-1, 1, -1]


def test_somebody_outside_every_shortlist_is_better_than_nobody() -> None:
    assert sorted(one_to_one([listed({0: 0.9}), listed({0: 0.9}), listed({0: 0.9})], 3) or []) == [0, 1, 2]


@pytest.mark.parametrize("released, matched", [(0, False), (1, False), (2, True), (10, True)])
def test_matching_needs_a_fifth_of_the_people(released: int, matched: bool) -> None:
    shortlists = [listed({place: 0.9}) if place < released else None for place in range(10)]
    found = one_to_one(shortlists, 10)
    assert (found is not None) == matched
    if found is not None:
        assert found == [*range(released), *[-1] * (10 - released)]


def test_too_large_a_matching_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    shortlists: list[Shortlist | None] = [listed({place: 0.9}) for place in range(4)]
    monkeypatch.setattr(matching, "_MOST_CELLS", 16)
    assert one_to_one(shortlists, 4) == [0, 1, 2, 3]
    monkeypatch.setattr(matching, "_MOST_CELLS", 15)
    assert one_to_one(shortlists, 4) is None


def test_nobody_is_found_because_people_stand_in_one_order_in_documents_and_profiles() -> None:
    alike = [(np.arange(40), np.zeros(40, np.float32)) for _ in range(40)]
    matched = one_to_one(alike, 40)
    assert matched is not None and sorted(matched) == list(range(40))
    assert sum(place == column for place, column in enumerate(matched)) <= 5
