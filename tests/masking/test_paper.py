"""Algorithm 1 of Morris 2022 as printed, against a second version in plain Python."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.masking.made_cases import case_of, cases, random_case
from tests.masking.test_local import opaque
from unname.masking.base import Case
from unname.masking.paper import Paper
from unname.reidentifiers.base import SCALE
from unname.text import MASK_TOKEN, words


def shown(case: Case, hidden: set[str]) -> str:
    text, document = "", case.documents[0].text
    at = 0
    for word in words(document):
        text += document[at : word.start] + (MASK_TOKEN if word.folded in hidden else document[word.start : word.end])
        at = word.end
    return text + document[at:]


def chance(case: Case, hidden: set[str]) -> tuple[float, int]:
    """log p(true person) and the smallest crowd."""
    total, least = 0.0, len(case.documents[0].text) + 10**6
    for index in case.ensemble.values():
        scores = [int(x) / SCALE for x in index.scores(shown(case, hidden))]
        total += scores[case.column] - math.log(sum(math.exp(x) for x in scores))
        least = min(least, sum(x >= scores[case.column] for x in scores) - 1)
    return total, least


def obvious(case: Case) -> list[str]:
    """Hide the word after whose going p(true person) is lowest, until the crowd is there."""
    hidden: list[str] = []
    every = list(dict.fromkeys(w.folded for w in words(case.documents[0].text)))
    while chance(case, set(hidden))[1] < case.targets[0] and len(hidden) < len(every):
        left = [word for word in every if word not in hidden]
        hidden.append(min(left, key=lambda word: round(chance(case, {*hidden, word})[0], 9)))
    return hidden


@given(cases)
@settings(max_examples=40)
def test_words_go_in_the_order_of_algorithm_1(case: Case) -> None:
    case = replace(case, documents=case.documents[:1], words=(), targets=case.targets[:1], mandatory=(), kept=())
    found, wanted = Paper().search(case, 0), obvious(case)
    assert len(found.order) == len(wanted)
    for step in range(len(wanted)):
        mine, other = (chance(case, set(order[: step + 1]))[0] for order in (found.order, wanted))
        assert mine == pytest.approx(other, abs=1e-6)


def test_every_word_is_tried_at_every_step() -> None:
    case = case_of(["miller York Ada", "miller", "York", "Ada"], ["miller York Ada the"], k=3)
    found = Paper().search(case, 0)
    steps = len(found.order)
    assert found.evaluations == 1 + sum(4 - step for step in range(steps))
    assert found.crowd >= 3


def test_a_beam_tries_no_mask_twice_and_hides_no_more_words() -> None:
    for seed in range(12):
        case = random_case(seed, people=8, k=3)
        narrow, wide = (Paper(beam=beam).search(case, 0) for beam in (1, 4))
        assert len(wide.order) <= len(narrow.order)
        distinct = len({w.folded for w in words(case.documents[0].text)})
        assert wide.evaluations <= 2**distinct


def test_stop_words_may_be_skipped() -> None:
    case = case_of(["the miller of York", "smith", "Ada"], ["the miller of York"], k=1)
    assert not {"the", "of"} & set(Paper(stop_words="skip").search(case, 0).order)


def test_members_that_are_no_sums_over_words_are_read_like_the_others() -> None:
    case = random_case(3, people=8, k=3)
    assert Paper().search(opaque(case), 0).order == Paper().search(case, 0).order


def test_what_must_stay_stays_and_what_is_hidden_already_is_not_tried() -> None:
    case = case_of(["miller York", "smith"], ["miller York Ada"], k=1, mandatory=[[(11, 14)]], never=["york"])
    found = Paper().search(case, 0)
    assert set(found.order) <= {"miller"}
    assert [(span.start, span.end) for span in Paper().mask(case)[0].spans][-1] == (11, 14)


def test_no_more_is_hidden_than_the_budget_allows() -> None:
    case = case_of(["miller York Ada", "smith"], ["miller miller York Ada"], k=1, budget=0.5)
    order = Paper().search(case, 0).order
    assert sum({"miller": 2, "york": 1, "ada": 1}[word] for word in order) == 2
    assert len(Paper().search(replace(case, budget=1.0), 0).order) == 3
