"""Following the nearest profiles only: crowds stay exact over everybody, and the search is the slow, obvious one."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_cases import VOCABULARY, board_masks, case_of, cases, recounted, rendered

from unname.masking import constraints as module
from unname.masking.base import Case, Mention
from unname.masking.constraints import CrowdConstraint, _nearest
from unname.masking.search import Greedy
from unname.masking.search_state import SearchState
from unname.reidentifiers.base import SCALE
from unname.text import fold, visible, words
from unname.types import MaskSpan

FEW = 3


@contextmanager
def following(few: int = FEW) -> Iterator[None]:
    """Follow so few profiles that a handful of people are more than that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LIKELIEST", few)
        patch.setattr(module, "FEWEST", few)
        yield


def drawn_case(seed: int, *, people: int = 9, k: int = 3) -> Case:
    """A case with everything a search may have to heed: several documents, masks, kept words, people who are named."""
    draw = random.Random(seed)
    notes = [" ".join(draw.choices(VOCABULARY, k=draw.randint(0, 7))) for _ in range(people)]
    texts = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, 9))) for _ in range(draw.choice([1, 1, 2, 3]))]
    rows = [words(text) for text in texts]
    mandatory = [[(w.start, w.end) for w in row if draw.random() < 0.1] for row in rows]
    case = case_of(notes, texts, k=k, mandatory=mandatory)
    kept = tuple(frozenset(fold(w) for w in VOCABULARY if draw.random() < 0.05) for _ in texts)
    mentions = []
    for document, row in enumerate(rows):
        if draw.random() < 0.4:
            first, last = sorted((draw.randrange(len(row)), draw.randrange(len(row))))
            column = draw.randrange(1, people)
            mentions.append(Mention(document, column, row[first].start, row[last].end, draw.randint(1, k)))
    return replace(case, kept=kept, mentions=tuple(mentions))


drawn_cases = st.integers(0, 10**6).map(drawn_case)


# --- crowds


@given(cases, st.randoms(use_true_random=False))
def test_crowds_are_exact_over_everybody_however_few_are_followed(case: Case, draw: random.Random) -> None:
    with following():
        state = SearchState(case, stop_words="mask")
        for number in range(len(state.units)):
            if draw.random() < 0.7:
                state.hide(number)
            found = {(c.member, c.document): n for c, n in zip(state.constraints, state.crowds(), strict=True)}
            assert found == recounted(case, rendered(case, board_masks(state)))
        for number in np.flatnonzero(state.hidden):
            state.give_back(int(number))
            found = {(c.member, c.document): n for c, n in zip(state.constraints, state.crowds(), strict=True)}
            assert found == recounted(case, rendered(case, board_masks(state)))


def slow_crowds(case: Case, hidden: set[tuple[int, str]]) -> list[tuple[int, int]]:
    """(crowd, target) of every constraint: members first, then documents, the person, and people who are named."""
    return [
        (sum(score >= row[column] for at, score in enumerate(row) if at != column), target)
        for _, column, target, row in slow_scores(case, hidden)
    ]


def free_rows(case: Case) -> list[list[tuple[int, str]]]:
    """(start, folded) of every word that the mandatory mask leaves, by document."""
    return [
        [(w.start, w.folded) for w in words(d.text) if not any(s.start < w.end and w.start < s.end for s in mandatory)]
        for d, mandatory in zip(case.documents, case.mandatory, strict=True)
    ]


def slow_scores(case: Case, hidden: set[tuple[int, str]]) -> list[tuple[str, int, int, list[int]]]:
    """(member, column, target, scores of everybody) of each constraint, scored from scratch as texts."""
    rows = free_rows(case)
    left = [{w for _, w in row if (d, w) not in hidden} | case.kept[d] for d, row in enumerate(rows)]
    found = []
    for name, index in case.ensemble.items():
        scores = [index.scores(" ".join(sorted(shown))) for shown in left]
        found += [(name, case.column, case.targets[d], row.tolist()) for d, row in enumerate(scores)]
        if len(scores) > 1:
            found.append((name, case.column, case.person_target, np.sum(scores, axis=0).tolist()))
        for m in case.mentions:
            inside = {w for start, w in rows[m.document] if m.start <= start < m.end and (m.document, w) not in hidden}
            found.append((name, m.column, m.target, index.scores(" ".join(sorted(inside))).tolist()))
    return found


@given(drawn_cases, st.randoms(use_true_random=False))
def test_crowds_with_kept_words_and_named_people_are_those_of_what_can_be_read(case: Case, draw: random.Random) -> None:
    with following(draw.choice([FEW, 2000])):
        state = SearchState(case, stop_words="mask")
        hidden = set()
        for number in np.flatnonzero(state.evidence):
            if draw.random() < 0.5:
                state.hide(int(number))
                hidden.add((state.units[number].document, state.words[state.units[number].word]))
        crowds = [(n, c.target) for n, c in zip(state.crowds(), state.constraints, strict=True)]
        assert crowds == slow_crowds(case, hidden)


def falls_below_the_bound(case: Case) -> bool:
    """Whether the person ever scores so low that everybody must be counted, and it matters."""
    state = SearchState(case, stop_words="mask")
    for number in range(len(state.units)):
        state.hide(number)
    return any(c._scores[c._own] <= c._bound for c in state.constraints)


def test_drawn_cases_reach_the_count_over_everybody_and_the_check_notices_one_that_stops_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def short(self: CrowdConstraint) -> int:
        return int(np.count_nonzero(self._scores >= self._scores[self._own])) - 1

    with following():
        low = [case for seed in range(40) if falls_below_the_bound(case := drawn_case(seed))]
        assert len(low) > 20
        wrong = 0
        for case in low:
            state = SearchState(case, stop_words="mask")
            for number in range(len(state.units)):
                state.hide(number)
            exact = state.crowds()
            with monkeypatch.context() as patch:
                patch.setattr(CrowdConstraint, "crowd", short)
                wrong += state.crowds() != exact
        assert wrong > 20


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.integers(1, 8), st.data())
def test_the_nearest_are_the_highest_scores_ties_by_place_and_the_person(
    scores: list[int], most: int, data: st.DataObject
) -> None:
    column = data.draw(st.integers(0, len(scores) - 1))
    near, bound = _nearest(np.array(scores, np.int64), column, most)
    best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:most]
    assert near.tolist() == sorted({*best, column})
    assert all(scores[i] <= bound for i in range(len(scores)) if i not in near), "the bound is one on everybody else"
    assert len(near) == len(scores) or bound <= min(scores[i] for i in best)


def test_fewer_profiles_are_followed_where_documents_are_long_and_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEWEST", 4)
    case = case_of([f"x{i} mill" for i in range(40)], ["x0 mill Ada", "mill x0"], members=("bm25",))
    for cells, followed in ((10**9, 40), (100, 10), (1, 4)):
        monkeypatch.setattr(module, "CELLS", cells)
        state = SearchState(case, stop_words="mask")
        assert {len(c._near) for c in state.constraints} == {followed}


# --- the search


def slow_greedy(case: Case, *, few: int, give_back: bool, temperature: float = 8.0) -> set[tuple[int, str]]:
    """What greedy search hides, every profile scored from scratch at every step, from the definition of the gain."""
    rows = free_rows(case)
    order = [(d, w) for d, row in enumerate(rows) for w in dict.fromkeys(w for _, w in row)]
    cost = {(d, w): sum(v == w for _, v in rows[d]) for d, w in order}

    def counts(word: str, column: int) -> bool:
        return any(index.scores(word)[column] > 0 for index in case.ensemble.values())

    def named(document: int, word: str) -> bool:
        inside = [(m, w) for m in case.mentions for s, w in rows[document] if m.start <= s < m.end]
        return any(m.document == document and w == word and counts(w, m.column) for m, w in inside)

    candidates = [(d, w) for d, w in order if (counts(w, case.column) and w not in case.kept[d]) or named(d, w)]
    near = []
    for _, column, _, row in slow_scores(case, set()):
        near.append({*sorted(range(len(row)), key=lambda i: (-row[i], i))[:few], column})

    def log_p(hidden: set[tuple[int, str]]) -> float:
        total = 0.0
        for likely, (_, column, _, row) in zip(near, slow_scores(case, hidden), strict=True):
            values = {i: row[i] / SCALE / temperature for i in likely}
            highest = max(values.values())
            total += values[column] - highest - log(sum(exp(v - highest) for v in values.values()))
        return total

    def enough(hidden: set[tuple[int, str]]) -> bool:
        return all(crowd >= target for crowd, target in slow_crowds(case, hidden))

    hidden: set[tuple[int, str]] = set()
    steps = []
    while not enough(hidden) and len(hidden) < len(candidates):
        now = log_p(hidden)
        gains = [
            (round((now - log_p({*hidden, unit})) / cost[unit], 9), -candidates.index(unit))
            for unit in candidates if unit not in hidden
        ]  # fmt: skip
        steps.append(candidates[-max(gains)[1]])
        hidden.add(steps[-1])
    for _ in range(2 if give_back and enough(hidden) else 0):
        for unit in sorted([u for u in steps if u in hidden], key=lambda u: -cost[u]):
            if enough(hidden - {unit}):
                hidden.remove(unit)
    return hidden


def hidden_by_greedy(case: Case, *, give_back: bool) -> set[tuple[int, str]]:
    """The same as words by document, from the masks of `greedy.v1`; whole words, all occurrences or none."""
    found: set[tuple[int, str]] = set()
    for document, mask in enumerate(Greedy(give_back=give_back, stop_words="mask").mask(case)):
        spans = {(s.start, s.end) for s in mask.spans if s.method != "rule"}
        row = case.free_words(document)
        found |= {(document, w.folded) for w in row if (w.start, w.end) in spans}
        assert spans == {(w.start, w.end) for w in row if (document, w.folded) in found}
    return found


@pytest.mark.parametrize("give_back", [True, False])
@given(case=drawn_cases)
def test_the_search_hides_what_scoring_everybody_from_scratch_at_each_step_hides(case: Case, give_back: bool) -> None:
    assert hidden_by_greedy(case, give_back=give_back) == slow_greedy(case, few=10**6, give_back=give_back)


@settings(max_examples=200)
@given(st.integers(0, 10**6).map(lambda seed: drawn_case(seed, people=12, k=5)), st.integers(1, 5))
def test_the_search_among_the_nearest_is_the_slow_one_with_the_same_few(case: Case, few: int) -> None:
    with following(few):
        assert hidden_by_greedy(case, give_back=True) == slow_greedy(case, few=few, give_back=True)


def test_the_check_notices_a_search_that_follows_others() -> None:
    differ = 0
    for seed in range(60):
        case = drawn_case(seed, people=12, k=5)
        with following(1):
            differ += hidden_by_greedy(case, give_back=False) != slow_greedy(case, few=4, give_back=False)
    assert differ > 0


def test_what_stays_readable_beside_the_text_is_hidden_in_it_only_where_it_names_somebody_else() -> None:
    tested = 0
    for seed in range(80):
        case = drawn_case(seed)
        bare = replace(case, kept=(frozenset(),) * len(case.documents), mentions=())
        for document, word in sorted(hidden_by_greedy(bare, give_back=False))[:1]:
            kept = tuple(frozenset({word} if d == document else ()) for d in range(len(case.documents)))
            assert (document, word) not in hidden_by_greedy(replace(bare, kept=kept), give_back=False)
            tested += 1
    assert tested > 40


def test_a_passage_that_names_somebody_is_hidden_until_they_too_have_their_crowd() -> None:
    people = ["Ada York 1897", "Byron Leeds smith", "York", "Leeds", "1897 smith", "mill", "mill smith"]
    case = case_of(people, ["York. Byron Leeds smith."], k=1, members=("bm25",))
    start = case.documents[0].text.index("Byron")
    named = replace(case, mentions=(Mention(0, 1, start, len(case.documents[0].text), 2),))
    assert not hidden_by_greedy(case, give_back=True)
    hidden = hidden_by_greedy(named, give_back=True)
    assert hidden and all(word in ("byron", "leeds", "smith") for _, word in hidden)


def test_hidden_words_are_spans_that_a_placeholder_replaces() -> None:
    case = drawn_case(5)
    masks = Greedy().mask(case)
    assert any(m.spans for m in masks) and all(isinstance(s, MaskSpan) for m in masks for s in m.spans)
    for text, mask, row in zip(rendered(case, masks), masks, case.words, strict=True):
        assert [w.folded for w in words(visible(text))] == [w.folded for w in row if not mask.covers(w.start, w.end)]
