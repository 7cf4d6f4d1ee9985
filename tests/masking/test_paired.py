"""A search that hides from a reidentifier of words and pairs: what it follows is what the released string says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tests.masking.made_cases import VOCABULARY, case_of, random_case
from unname.masking.base import Case
from unname.masking.paired import PairedConstraint
from unname.masking.search import Greedy
from unname.masking.search_state import SearchState
from unname.reidentifiers.base import PairedIndex, crowd
from unname.reidentifiers.learned.static_index import FieldFeatures, StaticIndex
from unname.reidentifiers.terms.neighbours import joined
from unname.text import MASK_TOKEN


def index_of(people: int, seed: int = 0) -> StaticIndex:
    """An index with drawn vectors of the words and of all pairs of them."""
    draw = np.random.default_rng(seed)
    words = [word.casefold() for word in VOCABULARY]
    tokens = [*words, *(joined((a, b)) for a in words for b in words), "#25:75"]
    vectors = [draw.integers(-20, 20, (rows, 4)).astype(np.float32) for rows in (len(tokens), people)]
    fields = FieldFeatures(0, sparse.csr_array((0, 0), dtype=np.float32), np.zeros((0, 4), np.float32))
    known = {token: row for row, token in enumerate(tokens)}
    return StaticIndex([str(i) for i in range(people)], known, *vectors, 10, fields)


def paired(case: Case, people: int, seed: int = 0) -> Case:
    return replace(case, ensemble={}, local={"static.v1": index_of(people, seed)})


def texts_of(state: SearchState) -> list[str]:
    return [state.text_of(document) for document in range(len(state.case.documents))]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), texts=st.integers(1, 3), unit=st.sampled_from(["word", "occurrence"]))
def test_scores_and_crowds_are_those_of_the_text_after_any_moves(seed: int, texts: int, unit: str) -> None:
    case = paired(random_case(seed, texts=texts), 6, seed)
    state, draw = SearchState(case, unit=unit), np.random.default_rng(seed)
    index = case.local["static.v1"]
    for _ in range(12):
        if not state.units:
            return
        number = int(draw.integers(len(state.units)))
        (state.give_back if state.hidden[number] else state.hide)(number)
        read = [index.scores(text) for text in texts_of(state)]
        for constraint in state.constraints:
            assert isinstance(constraint, PairedConstraint)
            now = sum(read) if constraint.document is None else read[constraint.document]
            assert (constraint.scores == now).all() and constraint.crowd() == crowd(np.asarray(now), case.column)


def test_a_crowd_under_who_learned_is_twice_as_large_but_no_more_than_a_quarter_of_all_others() -> None:
    """Whoever attacks has learned from others, and sees people elsewhere."""
    for people, k, wanted in ((41, 3, 6), (41, 8, 10), (41, 12, 12), (6, 3, 3)):
        (constraint,) = SearchState(paired(random_case(1, people=people, k=k), people)).constraints
        assert isinstance(constraint, PairedConstraint) and constraint.target == wanted, (people, k)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_gain_of_a_word_is_how_far_ln_p_falls_when_the_text_is_read_without_it(seed: int) -> None:
    case = paired(random_case(seed, people=6, k=5), 6, seed)
    state = SearchState(case)
    (constraint,) = state.constraints
    if not state.units or constraint.crowd() >= constraint.target:
        return
    gains = np.zeros(len(state.units))
    constraint.add_gains(gains, 8.0)

    def left() -> float:
        light = constraint.scores / (1 << 21)
        return float(light[case.column] - np.log(np.exp(light - light.max()).sum()) - light.max())

    before = left()
    for number in range(len(state.units)):
        state.hide(number)
        assert gains[number] == pytest.approx(before - left(), abs=1e-9)
        state.give_back(number)


def test_a_word_that_stays_beside_the_text_still_counts_when_it_is_hidden() -> None:
    case = case_of(["x"] * 6, ["ada byron mill"], k=3)
    case = replace(paired(case, 6), kept=(frozenset({"byron"}),), beside=("byron",))
    state = SearchState(case)
    byron = next(n for n, unit in enumerate(state.units) if state.words[unit.word] == "byron")
    state.hide(byron)
    assert (state.constraints[0].scores == case.local["static.v1"].scores(f"ada {MASK_TOKEN} mill\n\nbyron")).all()


def test_the_search_reaches_its_crowd_on_the_released_string() -> None:
    reached = 0
    for seed in range(40):
        case = paired(random_case(seed, people=6, k=3), 6, seed)
        (mask,) = Greedy().mask(case)
        text = case.documents[0].text
        for span in reversed(mask.spans):
            text = text[: span.start] + MASK_TOKEN + text[span.end :]
        reached += crowd(case.local["static.v1"].scores(text), case.column) >= 3
    assert reached >= 38  # with everything hidden everybody is alike


def test_it_is_seen_as_what_it_is() -> None:
    assert isinstance(index_of(3), PairedIndex)


def test_of_very_many_people_a_crowd_is_never_overstated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unname.masking.paired._MANY", 3)
    for seed in range(20):
        case = paired(random_case(seed, people=6, k=2), 6, seed)
        state = SearchState(case)
        (constraint,) = state.constraints
        for number in range(len(state.units)):
            state.hide(number)
            text = texts_of(state)[0]
            assert constraint.crowd() <= crowd(case.local["static.v1"].scores(text), case.column)
