"""The state: moves are exact in any order, and its crowds are the crowds of the released string."""

from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_cases import THE_MILL, board_masks, case_of, cases, hard_cases, recounted, rendered

from unname.masking.base import Case
from unname.masking.constraints import LIKELIEST
from unname.masking.search_state import SearchState, masks_from
from unname.reidentifiers.base import SCALE
from unname.stopwords import function_words
from unname.text import words
from unname.types import MaskSpan

units = st.sampled_from(["word", "occurrence"])


def crowds_of(state: SearchState) -> dict[tuple[str, int | None], int]:
    return {(c.member, c.document): n for c, n in zip(state.constraints, state.crowds(), strict=True)}


@given(cases, units, st.randoms(use_true_random=False))
def test_hiding_and_giving_back_in_any_order_leaves_no_residue(case: Case, unit: str, draw: Random) -> None:
    state = SearchState(case, unit=unit, stop_words="mask")
    before = [c.scores.copy() for c in state.constraints]
    chosen = [u for u in range(len(state.units)) if draw.random() < 0.6]
    for number in draw.sample(chosen, len(chosen)):
        state.hide(number)
    for number in draw.sample(chosen, len(chosen)):
        state.give_back(number)
    assert not state.hidden.any()
    assert all(np.array_equal(c.scores, b) for c, b in zip(state.constraints, before, strict=True))


@given(cases, units, st.randoms(use_true_random=False))
def test_crowds_on_the_board_are_crowds_of_the_released_string(case: Case, unit: str, draw: Random) -> None:
    state = SearchState(case, unit=unit, stop_words="mask")
    for number in range(len(state.units)):
        if draw.random() < 0.5:
            state.hide(number)
        assert crowds_of(state) == recounted(case, rendered(case, board_masks(state)))


@given(cases)
def test_scores_on_the_board_are_scores_of_the_released_string_to_the_last_digit(case: Case) -> None:
    state = SearchState(case, stop_words="mask")
    for number in range(0, len(state.units), 2):
        state.hide(number)
    texts = rendered(case, board_masks(state))
    for constraint in state.constraints:
        index = case.ensemble[constraint.member]
        shown = texts if constraint.document is None else [texts[constraint.document]]
        assert np.array_equal(constraint.scores, np.sum([index.scores(t) for t in shown], axis=0))


@given(cases)
def test_when_everything_is_hidden_everybody_else_is_in_the_crowd(case: Case) -> None:
    state = SearchState(case, stop_words="mask")
    for number in range(len(state.units)):
        state.hide(number)
    assert set(state.crowds()) <= {len(next(iter(case.ensemble.values())).people) - 1}
    assert state.satisfied()


@given(cases, units)
def test_units_part_the_words_of_each_document(case: Case, unit: str) -> None:
    state = SearchState(case, unit=unit, stop_words="mask")
    for document, text in enumerate(case.documents):
        mine = [u for u in state.units if u.document == document]
        assert sorted(w.start for u in mine for w in u.occurrences) == [w.start for w in words(text.text)]
        assert all({w.folded for w in u.occurrences} == {state.words[u.word]} for u in mine)
        assert unit == "word" or all(len(u.occurrences) == 1 for u in mine)
        assert unit == "occurrence" or len({u.word for u in mine}) == len(mine)


def slow_gain(state: SearchState, number: int, temperature: float) -> float:
    """How far log p(true) falls when a word goes from its document wholly, per occurrence still readable."""

    def log_p() -> float:
        total = 0.0
        for constraint in state.constraints:
            values = [int(v) / SCALE / temperature for v in constraint.scores]
            highest = max(values)
            total += values[state.case.column] - highest - log(sum(exp(v - highest) for v in values))
        return total

    mine = state.units[number]
    same = [
        i for i, u in enumerate(state.units)
        if (u.document, u.word) == (mine.document, mine.word) and not state.hidden[i]
    ]  # fmt: skip
    readable = sum(len(state.units[i].occurrences) for i in same)
    before = log_p()
    for i in same:
        state.hide(i)
    after = log_p()
    for i in same:
        state.give_back(i)
    return (before - after) / readable


@given(cases, units, st.sampled_from([0.5, 1.0, 4.0]), st.randoms(use_true_random=False))
def test_gains_are_differences_of_log_softmax_per_hidden_word(
    case: Case, unit: str, temperature: float, draw: Random
) -> None:
    state = SearchState(case, unit=unit, stop_words="mask")
    for number in range(len(state.units)):
        if draw.random() < 0.3:
            state.hide(number)
    left = np.flatnonzero(state.evidence & ~state.hidden)
    if not len(left):
        return
    slow = [slow_gain(state, int(number), temperature) for number in left]
    assert state.gains(left, temperature) == pytest.approx(slow, rel=1e-9, abs=2e-9)


def test_gains_among_many_people_leave_out_only_the_least_likely() -> None:
    crowd_of_others = [f"x{i} mill" for i in range(LIKELIEST + 500)]
    case = case_of(["Ada Byron mill", "Ada mill", *crowd_of_others], ["Ada Byron mill"], members=("bm25",))
    state = SearchState(case, stop_words="mask")
    left = np.arange(3)
    slow = [slow_gain(state, number, 1.0) for number in range(3)]
    found = state.gains(left, 1.0)
    assert np.argsort(found).tolist() == np.argsort(slow).tolist()
    assert found == pytest.approx(slow, abs=0.25)


def test_a_repeated_word_in_unit_occurrence_counts_until_its_last_occurrence_goes() -> None:
    case = case_of(["Ada mill", "mill"], ["Ada saw Ada and Ada"], members=("bm25",))
    state = SearchState(case, unit="occurrence", stop_words="mask")
    scores = state.constraints[0].scores
    original = scores.copy()
    ada = [i for i, u in enumerate(state.units) if state.words[u.word] == "ada"]
    state.hide(ada[1])
    state.hide(ada[0])
    assert np.array_equal(scores, original)
    state.hide(ada[2])
    assert scores[0] < original[0]
    state.give_back(ada[0])
    assert np.array_equal(scores, original)


def test_a_word_in_two_documents_counts_in_each_and_twice_for_the_person() -> None:
    case = case_of(["Ada mill", "Byron"], ["Ada", "Ada"], members=("bm25",))
    state = SearchState(case, stop_words="mask")
    assert [(c.document, int(c.scores[0] > 0)) for c in state.constraints] == [(0, 1), (1, 1), (None, 1)]
    one, two, both = state.constraints
    assert np.array_equal(both.scores, one.scores + two.scores)
    state.hide(0)
    assert not one.scores.any() and np.array_equal(both.scores, two.scores)


def test_a_person_with_one_document_has_no_sum_to_watch() -> None:
    assert [c.document for c in SearchState(case_of(["Ada", "Karl"], ["Ada"]), stop_words="mask").constraints] == [0, 0]


def test_targets_are_those_of_the_documents_and_of_the_person() -> None:
    made = case_of(["Ada", "Karl", "York"], ["Ada", "Ada"], members=("bm25",))
    case = Case(made.documents, made.profile, 0, made.ensemble, (1, 2), 0)
    assert [c.target for c in SearchState(case, stop_words="mask").constraints] == [1, 2, 0]


def test_a_member_with_targets_of_its_own_has_those() -> None:
    made = case_of(["Ada", "Karl", "York"], ["Ada", "Ada"], members=("bm25", "ngrams"))
    case = Case(made.documents, made.profile, 0, made.ensemble, (1, 2), 0, own_targets={"ngrams.v1": (2, 0, 1)})
    wanted = {(c.member, c.document): c.target for c in SearchState(case, stop_words="mask").constraints}
    assert wanted == {("bm25.v1", 0): 1, ("bm25.v1", 1): 2, ("bm25.v1", None): 0,
                      ("ngrams.v1", 0): 2, ("ngrams.v1", 1): 0, ("ngrams.v1", None): 1}  # fmt: skip


def test_the_floor_is_hidden_already_and_no_unit() -> None:
    case = case_of(["Ada Byron", "Karl"], ["Ada Byron Ada"], mandatory=[[(0, 3)]])
    state = SearchState(case, unit="occurrence", stop_words="mask")
    assert sorted(w.start for u in state.units for w in u.occurrences) == [4, 10]
    assert crowds_of(state) == recounted(case, ["[MASK] Byron Ada"])
    state.hide(next(i for i, u in enumerate(state.units) if u.occurrences[0].start == 10))
    assert crowds_of(state) == recounted(case, ["[MASK] Byron [MASK]"])


def test_never_words_and_skipped_stop_words_stay_but_count() -> None:
    case = case_of(["Ada of the mill", "Karl"], ["Ada of the mill"], never=["mill"])
    state = SearchState(case, stop_words="skip")
    assert {state.words[u.word] for u in state.units} == {"ada"}
    assert {"of", "the"} <= function_words()["en"]
    state.hide(0)
    assert crowds_of(state) == recounted(case, ["[MASK] of the mill"])


@given(hard_cases, units)
def test_the_budget_is_a_share_of_each_documents_words_floor_included(case: Case, unit: str) -> None:
    state = SearchState(case, unit=unit, stop_words="mask")
    for number in range(len(state.units)):
        if state.affordable(number):
            state.hide(number)
    spent = [0] * len(case.documents)
    for number, hidden in enumerate(state.hidden):
        spent[state.units[number].document] += len(state.units[number].occurrences) if hidden else 0
    for number, hidden in enumerate(state.hidden):
        unit_ = state.units[number]
        total = len(words(case.documents[unit_.document].text))
        assert spent[unit_.document] <= case.budget * total + 1e-9
        assert hidden or spent[unit_.document] + len(unit_.occurrences) > case.budget * total - 1e-9


def test_the_floor_uses_up_the_budget() -> None:
    case = case_of(["Ada", "Karl"], ["Ada Byron mill York"], mandatory=[[(0, 3)]], budget=0.5)
    state = SearchState(case, stop_words="mask")
    assert state.affordable(0)
    state.hide(0)
    assert not state.affordable(1)
    state.give_back(0)
    assert state.affordable(1)


@given(cases)
def test_evidence_is_what_counts_for_the_person_under_some_member(case: Case) -> None:
    state = SearchState(case, stop_words="mask")
    for number, unit in enumerate(state.units):
        alone = [index.scores(state.words[unit.word])[case.column] > 0 for index in case.ensemble.values()]
        assert state.evidence[number] == any(alone)


@given(cases)
def test_hiding_a_word_that_is_no_evidence_never_makes_a_crowd_larger(case: Case) -> None:
    state = SearchState(case, stop_words="mask")
    for number in np.flatnonzero(~state.evidence):
        before = state.crowds()
        state.hide(int(number))
        assert all(now <= was for now, was in zip(state.crowds(), before, strict=True))


def test_hiding_one_more_word_can_shrink_a_crowd() -> None:
    """The mill says more for the man of whom nothing else is known than for her; without it, she leads."""
    case = case_of(THE_MILL, ["the mill"], members=("bm25",))
    state = SearchState(case, stop_words="mask")
    assert state.crowds() == [1]
    state.hide(next(i for i, u in enumerate(state.units) if state.words[u.word] == "mill"))
    assert state.crowds() == [0] == list(recounted(case, ["the [MASK]"]).values())


def test_a_board_shows_no_words() -> None:
    state = SearchState(case_of(["Ada", "Karl"], ["Ada Ada"]), stop_words="mask")
    assert "ada" not in repr(state.units).casefold() + repr(state.constraints).casefold() + repr(state).casefold()


def test_crowds_by_member_are_those_of_one_document() -> None:
    state = SearchState(case_of(["Ada", "Karl", "York"], ["Ada", "York"]), stop_words="mask")
    crowds = list(range(len(state.constraints)))
    wanted = {c.member: n for n, c in enumerate(state.constraints) if c.document == 1}
    assert state.member_crowds(crowds, 1) == wanted and len(wanted) == 2


def test_masks_hold_the_floor_and_the_spans_sorted_and_disjoint() -> None:
    case = case_of(["Ada", "Karl"], ["Ada Byron", "York"], mandatory=[[(4, 9)], []])
    masks = masks_from(case, [(1, MaskSpan(0, 4, "m")), (0, MaskSpan(0, 5, "m"))])
    assert [[(s.start, s.end, s.method) for s in m.spans] for m in masks] == [
        [(0, 5, "m"), (5, 9, "rule")],
        [(0, 4, "m")],
    ]
