"""Latent topics and translation say what words are worth: close to what happens when one goes."""

import numpy as np
import pytest

from unname.knowledge.fictional import Town
from unname.reidentifiers.base import LocalIndex
from unname.reidentifiers.learned.translation import Translation, TranslationIndex
from unname.reidentifiers.terms.latent import Latent
from unname.text import folded_words


@pytest.mark.parametrize("kind", [Latent, Translation])
def test_the_worth_of_a_word_is_about_the_loss_without_it(kind: type, small_town: Town) -> None:
    profiles = small_town.profiles
    index = kind(dimensions=40).fit(profiles, small_town.documents[:80]).index(profiles)
    assert isinstance(index, LocalIndex)
    text = small_town.documents[100].text
    row, columns = list(dict.fromkeys(folded_words(text))), np.arange(0, len(profiles), 7)
    worth = index.worth(text, [*row, "absentee"], columns)
    assert not worth[-1].any()
    whole, lost = index.scores(text)[columns], []
    for word in row:
        left = " ".join("[MASK]" if folded_words(part) == [word] else part for part in text.split())
        lost.append(whole - index.scores(left)[columns])
    # What is the same for everybody changes nobody's place.
    true = np.array(lost) - np.mean(lost, axis=1, keepdims=True)
    said = worth[:-1] - worth[:-1].mean(axis=1, keepdims=True)
    assert np.corrcoef(true.ravel(), said.ravel())[0, 1] > 0.8


def test_a_translation_too_large_to_be_placed_says_the_same(small_town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles, text = small_town.profiles, small_town.documents[100].text
    model = Translation(dimensions=40).fit(profiles, small_town.documents[:80])
    row, columns = list(dict.fromkeys(folded_words(text))), np.arange(5)
    placed = model.index(profiles).worth(text, row, columns)
    monkeypatch.setattr("unname.reidentifiers.learned.translation._PLACED_BYTES", 0)
    bare = model.index(profiles)
    assert isinstance(bare, TranslationIndex) and bare._placed is None
    assert np.allclose(bare.worth(text, row, columns), placed, rtol=1e-3, atol=50)
