"""Indexes that know something beside a text: a search and a count see the same sums."""

import numpy as np
import pytest

from unname.reidentifiers.base import AdditiveIndex, LocalIndex
from unname.reidentifiers.knowing import knowing, known_beside, worth_of
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.features import FeatureCosine, phrases
from unname.types import Profile

PEOPLE = [Profile(f"p{i}", {"note": note}) for i, note in enumerate(("Ada York", "Ben York", "Cara Leeds", "Dan Hull"))]
BESIDE = np.array([3, 0, 5, 0])


@pytest.fixture
def index() -> AdditiveIndex:
    made = Bm25().fit(PEOPLE).index(PEOPLE)
    assert isinstance(made, AdditiveIndex)
    return made


def test_what_is_known_is_added_once_to_a_text_and_to_no_word(index: AdditiveIndex) -> None:
    known = knowing(index, BESIDE)
    assert isinstance(known, AdditiveIndex)
    assert (known.scores("Ada of York") == index.scores("Ada of York") + BESIDE).all()
    assert (known.scores_of(["York", ""]) == index.scores_of(["York", ""]) + BESIDE).all()
    assert (known.sum_of(["ada", "york"]) == index.sum_of(["ada", "york"]) + BESIDE).all()
    assert (known.contributions(["york"]) == index.contributions(["york"])).all()
    assert (known.people, known_beside(known) is BESIDE, known_beside(index)) == (index.people, True, 0)


def test_features_of_whole_texts_stay_what_they_are() -> None:
    plain = FeatureCosine("phrases.v1", phrases).fit(PEOPLE).index(PEOPLE)
    known = knowing(plain, BESIDE)
    assert isinstance(known, LocalIndex)
    assert not isinstance(known, AdditiveIndex)
    assert (known.scores("Ada York") == plain.scores("Ada York") + BESIDE).all()
    columns = np.arange(2)
    assert (known.worth("Ada York", ["york"], columns) == plain.worth("Ada York", ["york"], columns)).all()


def test_a_value_is_worth_what_it_says_of_a_person_beside_most_people(index: AdditiveIndex) -> None:
    assert worth_of(index, "Leeds", 2) == index.scores("Leeds")[2] > 0
    assert worth_of(index, "Leeds", 0) == 0
    # Of four people two are in York: most have at least nothing.
    assert worth_of(index, "York", 0) == index.scores("York")[0]
