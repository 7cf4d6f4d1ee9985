"""The board: moves are exact in any order, and its crowds are the crowds of the released string."""

from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_cases import THE_MILL, board_masks, case_of, cases, hard_cases, recounted, rendered

from unname.masking.base import Case
from unname.masking.constraints import LIKELIEST
from unname.masking.search_state import Board, masks_from
from unname.reidentifiers.base import SCALE
from unname.stopwords import LANGUAGES
from unname.text import words
from unname.types import MaskSpan

units = st.sampled_from(["word", "occurrence"])


def crowds_of(board: Board) -> dict[tuple[str, int | None], int]:
    return {(c.member, c.document): n for c, n in zip(board.constraints, board.crowds(), strict=True)}


@given(cases, units, st.randoms(use_true_random=False))
def test_hiding_and_giving_back_in_any_order_leaves_no_residue(case: Case, unit: str, draw: Random) -> None:
    board = Board(case, unit=unit, stop_words="mask")
    before = [c.scores.copy() for c in board.constraints]
    chosen = [u for u in range(len(board.units)) if draw.random() < 0.6]
    for number in draw.sample(chosen, len(chosen)):
        board.hide(number)
    for number in draw.sample(chosen, len(chosen)):
        board.give_back(number)
    assert not board.hidden.any()
    assert all(np.array_equal(c.scores, b) for c, b in zip(board.constraints, before, strict=True))


@given(cases, units, st.randoms(use_true_random=False))
def test_crowds_on_the_board_are_crowds_of_the_released_string(case: Case, unit: str, draw: Random) -> None:
    board = Board(case, unit=unit, stop_words="mask")
    for number in range(len(board.units)):
        if draw.random() < 0.5:
            board.hide(number)
        assert crowds_of(board) == recounted(case, rendered(case, board_masks(board)))


@given(cases)
def test_scores_on_the_board_are_scores_of_the_released_string_to_the_last_digit(case: Case) -> None:
    board = Board(case, stop_words="mask")
    for number in range(0, len(board.units), 2):
        board.hide(number)
    texts = rendered(case, board_masks(board))
    for constraint in board.constraints:
        index = case.ensemble[constraint.member]
        shown = texts if constraint.document is None else [texts[constraint.document]]
        assert np.array_equal(constraint.scores, np.sum([index.scores(t) for t in shown], axis=0))


@given(cases)
def test_when_everything_is_hidden_everybody_else_is_in_the_crowd(case: Case) -> None:
    board = Board(case, stop_words="mask")
    for number in range(len(board.units)):
        board.hide(number)
    assert set(board.crowds()) <= {len(next(iter(case.ensemble.values())).people) - 1}
    assert board.satisfied()


@given(cases, units)
def test_units_part_the_words_of_each_document(case: Case, unit: str) -> None:
    board = Board(case, unit=unit, stop_words="mask")
    for document, text in enumerate(case.documents):
        mine = [u for u in board.units if u.document == document]
        assert sorted(w.start for u in mine for w in u.occurrences) == [w.start for w in words(text.text)]
        assert all({w.folded for w in u.occurrences} == {board.words[u.word]} for u in mine)
        assert unit == "word" or all(len(u.occurrences) == 1 for u in mine)
        assert unit == "occurrence" or len({u.word for u in mine}) == len(mine)


def slow_gain(board: Board, number: int, temperature: float) -> float:
    """How far log p(true) falls when a word goes from its document wholly, per occurrence still readable."""

    def log_p() -> float:
        total = 0.0
        for constraint in board.constraints:
            values = [int(v) / SCALE / temperature for v in constraint.scores]
            highest = max(values)
            total += values[board.case.column] - highest - log(sum(exp(v - highest) for v in values))
        return total

    mine = board.units[number]
    same = [
        i for i, u in enumerate(board.units)
        if (u.document, u.word) == (mine.document, mine.word) and not board.hidden[i]
    ]  # fmt: skip
    readable = sum(len(board.units[i].occurrences) for i in same)
    before = log_p()
    for i in same:
        board.hide(i)
    after = log_p()
    for i in same:
        board.give_back(i)
    return (before - after) / readable


@given(cases, units, st.sampled_from([0.5, 1.0, 4.0]), st.randoms(use_true_random=False))
def test_gains_are_differences_of_log_softmax_per_hidden_word(
    case: Case, unit: str, temperature: float, draw: Random
) -> None:
    board = Board(case, unit=unit, stop_words="mask")
    for number in range(len(board.units)):
        if draw.random() < 0.3:
            board.hide(number)
    left = np.flatnonzero(board.evidence & ~board.hidden)
    if not len(left):
        return
    slow = [slow_gain(board, int(number), temperature) for number in left]
    assert board.gains(left, temperature) == pytest.approx(slow, rel=1e-9, abs=2e-9)


def test_gains_among_many_people_leave_out_only_the_least_likely() -> None:
    crowd_of_others = [f"x{i} mill" for i in range(LIKELIEST + 500)]
    case = case_of(["Ada Byron mill", "Ada mill", *crowd_of_others], ["Ada Byron mill"], members=("bm25",))
    board = Board(case, stop_words="mask")
    left = np.arange(3)
    slow = [slow_gain(board, number, 1.0) for number in range(3)]
    found = board.gains(left, 1.0)
    assert np.argsort(found).tolist() == np.argsort(slow).tolist()
    assert found == pytest.approx(slow, abs=0.25)


def test_a_repeated_word_in_unit_occurrence_counts_until_its_last_occurrence_goes() -> None:
    case = case_of(["Ada mill", "mill"], ["Ada saw Ada and Ada"], members=("bm25",))
    board = Board(case, unit="occurrence", stop_words="mask")
    scores = board.constraints[0].scores
    original = scores.copy()
    ada = [i for i, u in enumerate(board.units) if board.words[u.word] == "ada"]
    board.hide(ada[1])
    board.hide(ada[0])
    assert np.array_equal(scores, original)
    board.hide(ada[2])
    assert scores[0] < original[0]
    board.give_back(ada[0])
    assert np.array_equal(scores, original)


def test_a_word_in_two_documents_counts_in_each_and_twice_for_the_person() -> None:
    case = case_of(["Ada mill", "Byron"], ["Ada", "Ada"], members=("bm25",))
    board = Board(case, stop_words="mask")
    assert [(c.document, int(c.scores[0] > 0)) for c in board.constraints] == [(0, 1), (1, 1), (None, 1)]
    one, two, both = board.constraints
    assert np.array_equal(both.scores, one.scores + two.scores)
    board.hide(0)
    assert not one.scores.any() and np.array_equal(both.scores, two.scores)


def test_a_person_with_one_document_has_no_sum_to_watch() -> None:
    assert [c.document for c in Board(case_of(["Ada", "Karl"], ["Ada"]), stop_words="mask").constraints] == [0, 0]


def test_targets_are_those_of_the_documents_and_of_the_person() -> None:
    made = case_of(["Ada", "Karl", "York"], ["Ada", "Ada"], members=("bm25",))
    case = Case(made.documents, made.profile, 0, made.ensemble, (1, 2), 0)
    assert [c.target for c in Board(case, stop_words="mask").constraints] == [1, 2, 0]


def test_the_floor_is_hidden_already_and_no_unit() -> None:
    case = case_of(["Ada Byron", "Karl"], ["Ada Byron Ada"], floor=[[(0, 3)]])
    board = Board(case, unit="occurrence", stop_words="mask")
    assert sorted(w.start for u in board.units for w in u.occurrences) == [4, 10]
    assert crowds_of(board) == recounted(case, ["[MASK] Byron Ada"])
    board.hide(next(i for i, u in enumerate(board.units) if u.occurrences[0].start == 10))
    assert crowds_of(board) == recounted(case, ["[MASK] Byron [MASK]"])


def test_never_words_and_skipped_stop_words_stay_but_count() -> None:
    case = case_of(["Ada of the mill", "Karl"], ["Ada of the mill"], never=["mill"])
    board = Board(case, stop_words="skip")
    assert {board.words[u.word] for u in board.units} == {"ada"}
    assert {"of", "the"} <= LANGUAGES["en"]
    board.hide(0)
    assert crowds_of(board) == recounted(case, ["[MASK] of the mill"])


@given(hard_cases, units)
def test_the_budget_is_a_share_of_each_documents_words_floor_included(case: Case, unit: str) -> None:
    board = Board(case, unit=unit, stop_words="mask")
    for number in range(len(board.units)):
        if board.affordable(number):
            board.hide(number)
    spent = [0] * len(case.documents)
    for number, hidden in enumerate(board.hidden):
        spent[board.units[number].document] += len(board.units[number].occurrences) if hidden else 0
    for number, hidden in enumerate(board.hidden):
        unit_ = board.units[number]
        total = len(words(case.documents[unit_.document].text))
        assert spent[unit_.document] <= case.budget * total + 1e-9
        assert hidden or spent[unit_.document] + len(unit_.occurrences) > case.budget * total - 1e-9


def test_the_floor_uses_up_the_budget() -> None:
    case = case_of(["Ada", "Karl"], ["Ada Byron mill York"], floor=[[(0, 3)]], budget=0.5)
    board = Board(case, stop_words="mask")
    assert board.affordable(0)
    board.hide(0)
    assert not board.affordable(1)
    board.give_back(0)
    assert board.affordable(1)


@given(cases)
def test_evidence_is_what_counts_for_the_person_under_some_member(case: Case) -> None:
    board = Board(case, stop_words="mask")
    for number, unit in enumerate(board.units):
        alone = [index.scores(board.words[unit.word])[case.column] > 0 for index in case.ensemble.values()]
        assert board.evidence[number] == any(alone)


@given(cases)
def test_hiding_a_word_that_is_no_evidence_never_makes_a_crowd_larger(case: Case) -> None:
    board = Board(case, stop_words="mask")
    for number in np.flatnonzero(~board.evidence):
        before = board.crowds()
        board.hide(int(number))
        assert all(now <= was for now, was in zip(board.crowds(), before, strict=True))


def test_hiding_one_more_word_can_shrink_a_crowd() -> None:
    """The mill says more for the man of whom nothing else is known than for her; without it, she leads."""
    case = case_of(THE_MILL, ["the mill"], members=("bm25",))
    board = Board(case, stop_words="mask")
    assert board.crowds() == [1]
    board.hide(next(i for i, u in enumerate(board.units) if board.words[u.word] == "mill"))
    assert board.crowds() == [0] == list(recounted(case, ["the [MASK]"]).values())


def test_a_board_shows_no_words() -> None:
    board = Board(case_of(["Ada", "Karl"], ["Ada Ada"]), stop_words="mask")
    assert "ada" not in repr(board.units).casefold() + repr(board.constraints).casefold() + repr(board).casefold()


def test_crowds_by_member_are_those_of_one_document() -> None:
    board = Board(case_of(["Ada", "Karl", "York"], ["Ada", "York"]), stop_words="mask")
    crowds = list(range(len(board.constraints)))
    wanted = {c.member: n for n, c in enumerate(board.constraints) if c.document == 1}
    assert board.member_crowds(crowds, 1) == wanted and len(wanted) == 2


def test_masks_hold_the_floor_and_the_spans_sorted_and_disjoint() -> None:
    case = case_of(["Ada", "Karl"], ["Ada Byron", "York"], floor=[[(4, 9)], []])
    masks = masks_from(case, [MaskSpan(0, 4, "m"), MaskSpan(0, 5, "m")], [1, 0])
    assert [[(s.start, s.end, s.method) for s in m.spans] for m in masks] == [
        [(0, 5, "m"), (5, 9, "rule")],
        [(0, 4, "m")],
    ]
