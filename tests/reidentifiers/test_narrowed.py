"""Indexes over some of the people say what the index of all says of them."""

import numpy as np
import pytest

from unname.reidentifiers.base import AdditiveIndex, LocalIndex, PairedIndex
from unname.reidentifiers.narrowed import narrowed
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.features import FeatureCosine, phrases
from unname.types import Profile

PEOPLE = [Profile(f"p{i}", {"note": note}) for i, note in enumerate(("Ada York", "Ben York", "Cara Leeds", "Dan Hull"))]
SOME = np.array([0, 2, 3])


@pytest.fixture
def index() -> AdditiveIndex:
    made = Bm25().fit(PEOPLE).index(PEOPLE)
    assert isinstance(made, AdditiveIndex)
    return made


def test_sums_of_some_are_those_of_all(index: AdditiveIndex) -> None:
    some = narrowed(index, SOME)
    assert isinstance(some, AdditiveIndex)
    assert some.people == ("p0", "p2", "p3")
    assert some.signed == index.signed
    assert (some.scores("Ada of Leeds") == index.scores("Ada of Leeds")[SOME]).all()
    assert (some.scores_of(["York", ""]) == index.scores_of(["York", ""])[:, SOME]).all()
    assert (some.sum_of(["ada", "hull"]) == index.sum_of(["ada", "hull"])[SOME]).all()
    assert (some.contributions(["leeds", "ada"]) == index.contributions(["leeds", "ada"])[:, SOME]).all()
    columns = np.array([1, 2])
    assert (some.contributions(["leeds"], columns) == index.contributions(["leeds"], SOME[columns])).all()


def test_features_of_whole_texts_stay_what_they_are() -> None:
    plain = FeatureCosine("phrases.v1", phrases).fit(PEOPLE).index(PEOPLE)
    some = narrowed(plain, SOME)
    assert isinstance(some, LocalIndex)
    assert not isinstance(some, AdditiveIndex | PairedIndex)
    columns = np.arange(2)
    assert (some.worth("Ada York", ["york"], columns) == plain.worth("Ada York", ["york"], SOME[columns])).all()
