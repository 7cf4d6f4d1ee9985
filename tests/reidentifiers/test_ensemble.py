"""Several reidentifiers over the same people: crowds under each, and which of them a search can take apart."""

import numpy as np
import pytest

from unname.errors import ModelError, SettingsError
from unname.knowledge.fictional import Town
from unname.reidentifiers.base import AdditiveIndex, Parted, crowd
from unname.reidentifiers.ensemble import Ensemble, build_ensemble
from unname.reidentifiers.learned.additive import Additive
from unname.reidentifiers.terms.features import PassageCosine


def test_every_member_stands_under_its_versioned_name_over_the_same_people(small_town: Town) -> None:
    ensemble = build_ensemble(("bm25", "ngrams.v1"), small_town.profiles)
    assert list(ensemble.members) == ["bm25.v1", "ngrams.v1"]
    assert all(
        index.people == ensemble.people == tuple(p.id for p in small_town.profiles)
        for indexes in ensemble.members.values()
        for index in indexes
    )
    assert repr(ensemble) == "Ensemble(bm25.v1, ngrams.v1; 120 people)"


def test_crowds_are_counted_under_each_member_on_this_very_string(small_town: Town) -> None:
    ensemble = build_ensemble(("bm25", "ngrams"), small_town.profiles)
    text = small_town.documents[0].text
    for (index,) in ensemble.members.values():
        scores = index.scores(text).tolist()
        slow = sum(score >= scores[3] for row, score in enumerate(scores) if row != 3)
        assert crowd(index.scores(text), 3) == slow
        assert crowd(index.scores("[MASK]"), 3) == 119


def test_a_member_that_does_not_say_what_words_are_worth_cannot_be_searched(small_town: Town) -> None:
    index = PassageCosine().fit(small_town.profiles).index(small_town.profiles)
    assert not isinstance(index, AdditiveIndex)
    ensemble = Ensemble(index.people, {"passages.v1": (index,)})
    assert ensemble.additive() == {}
    with pytest.raises(ModelError, match=r"passages\.v1 does not say what a word is worth"):
        ensemble.local()


def test_additive_members_are_all_there(small_town: Town) -> None:
    ensemble = build_ensemble(("bm25", "ngrams"), small_town.profiles)
    assert {name: (index,) for name, index in ensemble.additive().items()} == ensemble.members


def test_an_unknown_member_is_refused(small_town: Town) -> None:
    with pytest.raises(SettingsError, match="no reidentifier is called that"):
        build_ensemble(("facts",), small_town.profiles)


@pytest.mark.usefixtures("short_training")
def test_a_member_made_in_parts_somewhere_else_is_the_one_that_fit_makes(small_town: Town) -> None:
    profiles, documents = small_town.profiles, small_town.documents
    made = build_ensemble(("bm25", "additive"), profiles, taught=(tuple(documents),), given={"seed": 5})
    whole = Additive(seed=5).fit(profiles, documents)
    found = made.fitted["additive.v1"][0]
    assert isinstance(found, Additive) and isinstance(found, Parted)
    assert np.array_equal(found.word_vectors_, whole.word_vectors_) and found.matches_ == whole.matches_
    assert np.array_equal(found.feature_vectors_, whole.feature_vectors_) and found.trained_on_ == whole.trained_on_
    text = documents[0].text
    assert np.array_equal(made.members["additive.v1"][0].scores(text), whole.index(profiles).scores(text))
