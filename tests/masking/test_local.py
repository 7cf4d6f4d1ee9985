"""Members that are no sums over words: proposals by what a word is worth, crowds by what is read of the text that is left."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.masking.made_cases import case_of, cases, ensemble_of, random_case
from unname.masking.base import Case
from unname.masking.local import CountedIndex, LocalConstraint
from unname.masking.search import Greedy
from unname.masking.search_state import SearchState
from unname.reidentifiers.base import AdditiveIndex, FloatArray, IntArray, LocalIndex, crowd
from unname.text import MASK_TOKEN, folded_words, visible
from unname.types import Mask


@dataclass
class Opaque:
    """An index that hides that it is a sum over words; what it says of a word's worth is true, nothing or the opposite."""

    inner: AdditiveIndex
    honesty: float = 1.0
    repeats: bool = False
    read: list[str] = field(default_factory=list)

    @property
    def people(self) -> tuple[str, ...]:
        return self.inner.people

    def scores(self, text: str) -> IntArray:
        self.read.append(text)
        if self.repeats:  # every occurrence counts
            return self.inner.sum_of(folded_words(visible(text)))
        return self.inner.scores(text)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        return np.stack([self.scores(text) for text in texts])

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        return self.honesty * self.inner.contributions(words, columns).astype(np.float64)


def opaque(case: Case, *, honesty: float = 1.0, repeats: bool = False) -> Case:
    """The same case with all its members opaque."""
    made = {name: Opaque(index, honesty, repeats) for name, index in case.ensemble.items()}
    return replace(case, ensemble={}, local=made)


def released(case: Case, masks: Sequence[Mask]) -> list[str]:
    texts = []
    for document, mask in zip(case.documents, masks, strict=True):
        text = document.text
        for span in reversed(mask.spans):
            text = text[: span.start] + MASK_TOKEN + text[span.end :]
        texts.append(text)
    return texts


def least_crowd(case: Case, masks: Sequence[Mask]) -> int:
    """The smallest crowd by brute force: every member, every document and all together."""
    found = []
    for index in case.local.values():
        scores = [index.scores(text) for text in released(case, masks)]
        found += [crowd(row, case.column) for row in (*scores, np.sum(scores, axis=0))]
    return min(found)


@given(cases, st.sampled_from([1.0, 0.0, -1.0]), st.sampled_from(["word", "occurrence"]))
def test_crowds_are_reached_whatever_a_member_says_of_the_worth_of_words(case: Case, honesty: float, unit: str) -> None:
    case = opaque(case, honesty=honesty, repeats=unit == "occurrence")
    masks = Greedy(unit=unit).mask(case)
    assert least_crowd(case, masks) >= case.person_target


@given(cases, st.sampled_from(["word", "occurrence"]))
def test_a_stated_crowd_is_what_is_read_of_the_text_that_is_left(case: Case, unit_of: str) -> None:
    case = opaque(case, repeats=True)
    state = SearchState(case, unit=unit_of, stop_words="mask")
    state.crowds()
    for unit in range(0, len(state.units), 2):
        state.hide(unit)
    for constraint in state.constraints:
        constraint.target = 0
    texts = [state.text_of(d) for d in range(len(case.documents))]
    for constraint in state.constraints:
        assert isinstance(constraint, LocalConstraint)
        chosen = texts if constraint.document is None else [texts[constraint.document]]
        index = case.local[constraint.member]
        assert constraint.crowd() == crowd(np.sum([index.scores(t) for t in chosen], axis=0), case.column)


def test_most_words_are_chosen_without_reading_the_text_again() -> None:
    words = [f"w{i}" for i in range(240)]
    people = [" ".join(words), *(" ".join(words[: 4 * i]) for i in range(1, 30))]
    case = opaque(case_of(people, [" ".join(words)], k=20, members=("bm25",)))
    counted = {name: CountedIndex(index) for name, index in case.local.items()}
    trace = Greedy(give_back=False, stop_words="mask").trace(replace(case, local=counted))
    assert least_crowd(case, Greedy(stop_words="mask").mask(case)) >= 20
    assert len(trace.order) > 20
    assert 0 < counted["bm25.v1"].readings < 2 * len(trace.order)
    assert counted["bm25.v1"].people == case.local["bm25.v1"].people


def test_in_a_short_text_words_are_chosen_by_reading_it_without_them() -> None:
    """Also where estimates say nothing."""
    people = ["red miller York", "red York", "red York", "York"]
    case = opaque(case_of(people, ["red York miller"], k=2, members=("bm25",)), honesty=0.0)
    trace = Greedy(give_back=False, stop_words="mask").trace(case)
    assert [trace.state.words[trace.state.units[unit].word] for unit in trace.order] == ["miller"]
    long = " ".join(f"w{i}" for i in range(300))
    case = opaque(
        case_of([f"{p} {long}" for p in people], [f"red York miller {long}"], k=2, members=("bm25",)), honesty=0.0
    )
    state = SearchState(case, stop_words="mask")
    assert not any(isinstance(c, LocalConstraint) and c.careful for c in state.constraints)


def test_the_same_words_go_as_where_the_member_is_known_to_be_a_sum() -> None:
    same = 0
    for seed in range(40):
        case = random_case(seed, people=8, k=2)
        case = replace(case, ensemble=ensemble_of([case.profile], members=())) if seed < 0 else case
        plain, other = Greedy(stop_words="mask").mask(case), Greedy(stop_words="mask").mask(opaque(case))
        hidden = [sum(len(mask.spans) for mask in masks) for masks in (plain, other)]
        same += hidden[1] <= hidden[0] + 1
    assert same >= 36


def test_what_is_released_beside_a_text_is_read_and_cannot_be_hidden() -> None:
    case = case_of(["miller York", "smith Leeds", "smith York"], ["the smith"], members=("bm25",))
    case = replace(opaque(case), kept=(frozenset({"miller"}),), beside=("miller",))
    state = SearchState(case, stop_words="mask")
    assert state.text_of(0).endswith("miller")
    masks = Greedy(stop_words="mask").mask(case)
    assert min(SearchState(replace(case, mandatory=(masks[0].spans,)), stop_words="mask").crowds()) == 0


def test_opaque_members_are_local_indexes() -> None:
    case = opaque(random_case(1))
    assert all(isinstance(index, LocalIndex) for index in case.local.values())
    assert not any(isinstance(index, AdditiveIndex) for index in case.local.values())


@pytest.mark.parametrize("trust", [True, False])
def test_estimates_pass_for_counts_only_where_they_are_trusted(trust: bool) -> None:
    case = opaque(case_of(["miller York Ada", "miller", "York"], ["miller York Ada"], k=2, members=("bm25",)))
    state = SearchState(case, stop_words="mask")
    index = case.local["bm25.v1"]
    assert isinstance(index, Opaque)
    total = np.zeros(len(state.units))
    state.constraints[0].add_gains(total, 1.0)
    before = len(index.read)
    state.trust(trust)
    for unit in range(len(state.units)):
        state.hide(unit)
    state.satisfied()
    assert (len(index.read) == before) is trust


def test_hiding_one_of_a_words_occurrences_is_read_as_well() -> None:
    case = opaque(case_of(["mill", "York"], ["mill mill York"], members=("bm25",)), repeats=True)
    state = SearchState(case, unit="occurrence", stop_words="mask")
    assert state.crowds() == [0]
    state.hide(0)
    state.constraints[0].target = 0
    assert state.crowds() == [1]


def softly(case: Case, *, honesty: float = 1.0, share: float = 1.0) -> Case:
    """The same case, whose members want a crowd as far as it can be had."""
    made = opaque(case, honesty=honesty)
    return replace(made, soft=dict.fromkeys(made.local, share))


def counted(case: Case, masks: Sequence[Mask]) -> list[int]:
    """The smallest crowd of each document as it is released."""
    return [
        min(crowd(index.scores(text), case.column) for index in case.local.values()) for text in released(case, masks)
    ]


@given(cases, st.sampled_from([1, 5, 400]), st.sampled_from([0.15, 1.0]))
def test_a_soft_member_gets_the_crowd_or_what_can_be_had(case: Case, near: int, most: float) -> None:
    """And never hides anything where every crowd is there already."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("unname.masking.local._NEAREST", near)
        patched.setattr("unname.masking.local._MOST", most)
        soft = softly(case)
        masks = Greedy().mask(soft)
        before = counted(soft, [Mask(d.id, m) for d, m in zip(case.documents, case.mandatory, strict=True)])
        enough = len(case.documents) == 1 and before[0] >= case.targets[0]
        hidden = sum(len(m.spans) for m in masks) - sum(map(len, case.mandatory))
        assert not enough or hidden == 0
        # It is content at once, or after as many steps as there are words.
        state = Greedy().trace(soft).state
        assert all(c.crowd() >= c.target for c in state.constraints) or not len(state.candidates())


def test_a_soft_member_spends_no_more_than_its_share_of_the_distinct_words() -> None:
    case = random_case(3, people=60, most_words=40)
    hopeless = replace(softly(case), targets=(59,) * len(case.documents), person_target=59)
    for unit in ("word", "occurrence"):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("unname.masking.local._MOST", 0.1)
            trace = Greedy(unit=unit, give_back=False).trace(hopeless)
            words = {(trace.state.units[u].document, trace.state.units[u].word) for u in trace.order}
            distinct = {(u.document, u.word) for u in trace.state.units}
            assert len(words) <= 0.1 * len(distinct) + 2


def test_half_a_crowd_is_half_the_target() -> None:
    case = random_case(5, people=60, most_words=40)
    state = SearchState(softly(case, share=0.5))
    assert {c.target for c in state.constraints if c.document == 0} == {max(1, round(0.5 * case.targets[0]))}
    assert not state.member_crowds(state.crowds(), 0)
