"""The agreement of a search's adversary with the first look of the attack, and the worth of words to it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from unname.attacking.attack import FUSED, Attack
from unname.attacking.attackers import AttackerRequest, TrainingTexts, fit_attackers, released_documents
from unname.attacking.combined import Adversary, CombinedIndex, can_face
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.reidentifiers.base import FloatArray, IntArray, LocalIndex
from unname.statistics import credit
from unname.text import folded_words
from unname.types import Document

NAMES = ("bm25", "ngrams", "pairs", "skeletons", "latent", "translation")


@pytest.fixture(scope="module")
def attacked(small_town: Town, townspeople: Population) -> tuple[Adversary, list[Document], list[float]]:
    """An adversary who learned from notes as they are, one a person, and what his first look finds of each."""
    documents = list({d.person: d for d in small_town.documents}.values())
    teaching = TrainingTexts(documents, released_documents(documents, [d.text for d in documents]))
    attackers = fit_attackers(AttackerRequest(NAMES, used=("bm25", "ngrams"), seed=3), townspeople, teaching)
    assert all(can_face(index) for attacker in attackers for index in attacker.indexes)
    attack, texts = Attack(townspeople, documents, 5, 3), [d.text for d in documents]
    people = tuple(p.id for p in townspeople.profiles)
    adversary = Adversary(people, tuple(attackers), tuple(attack.first_looks(texts, attackers)), 3)
    # Where the masking used nobody, no crowd sizes are looked at.
    unused = [replace(attacker, used=False) for attacker in attackers]
    return adversary, documents, attack.run(texts, unused).documents[FUSED].top1


def test_the_search_faces_what_the_attack_uses(attacked, townspeople: Population) -> None:
    adversary, documents, found = attacked
    for document, right in zip(documents, found, strict=True):
        index = adversary.facing(str(document.person))
        scores = index.scores(document.text)
        assert credit(scores, townspeople.rows[str(document.person)]) == pytest.approx(right)
        assert np.array_equal(scores, index.scores_of(["something else", document.text])[1])
    assert sum(found) > len(found) / 2


def test_an_adversary_taken_apart_says_the_same(attacked) -> None:
    adversary, documents, _ = attacked
    bare, indexes = adversary.apart()
    assert not bare.attackers and not any(attacker.indexes for attacker, _ in bare.bare)
    again = bare.together(indexes)
    for document in documents[:10]:
        one, other = (who.facing(str(document.person)).scores(document.text) for who in (adversary, again))
        assert np.array_equal(one, other)


def test_what_words_are_worth_to_all_together(attacked) -> None:
    adversary, documents, _ = attacked
    said, true = [], []
    for document in documents[:8]:
        index = adversary.facing(str(document.person))
        assert isinstance(index, LocalIndex)
        row, columns = list(dict.fromkeys(folded_words(document.text))), np.arange(0, len(index.people), 5)
        worth = index.worth(document.text, [*row, "absentee"], columns)
        assert not worth[-1].any()
        whole = index.scores(document.text)[columns]
        for word, falls in zip(row, worth, strict=False):
            left = " ".join("[MASK]" if folded_words(part) == [word] else part for part in document.text.split())
            lost = whole - index.scores(left)[columns]
            true.append(lost - lost.mean())
            said.append(falls - falls.mean())
    assert np.corrcoef(np.ravel(true), np.ravel(said))[0, 1] > 0.6


def test_an_encoder_is_asked_what_words_are_worth_before_how_the_text_scores() -> None:
    """So that it has its scores from the same reading."""
    asked: list[str] = []

    class Watched(ListedIndex):
        def scores(self, text: str) -> IntArray:
            asked.append("scores")
            return super().scores(text)

        def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
            asked.append("worth")
            return super().worth(text, words, columns)

    index = CombinedIndex(("a", "b"), np.ones(1), ((Watched(),),))
    worth = index.worth("miller of York", ["miller"], np.arange(2))
    assert asked == ["worth", "scores"] and worth[0, 0] > worth[0, 1]


class ListedIndex:
    """The first of two people is a miller."""

    people = ("a", "b")

    def scores(self, text: str) -> IntArray:
        return np.array([text.count("miller"), 0], np.int64)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        return np.stack([self.scores(text) for text in texts])

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        return np.array([[float(word == "miller"), 0.0] for word in words])[:, columns]
