"""Sentences in numbers, and pairs of them for an adversary: the same words twice, or once with one token replaced.

Source: Friedrich 2019, §5.3. Of the false pairs half differ at an identifier's token, where the sentence has one.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch

from unname.sharing.representation import Sentences
from unname.sharing.space import IntArray, Space
from unname.taggers.lstm.network import padded
from unname.taggers.lstm.reading import UNKNOWN, WORDS_FROM, casing, key
from unname.taggers.reading import batches_of_like_length, read
from unname.types import Document

MOST_TOKENS = 96


class Numbered(NamedTuple):
    """A sentence: words of a space, casings, numbers of BIO labels, at which tokens identifiers stand, and whose it is."""

    words: IntArray
    casings: IntArray
    gold: IntArray
    held: IntArray
    person: int = 0

    def __repr__(self) -> str:
        return f"Numbered({len(self.words)} tokens)"


def numbered(documents: Sequence[Document], space: Space, labels: Sequence[str]) -> list[Numbered]:
    """The sentences of documents, as a tagger reads them; a very long one in parts.

    An identifier of a label that is not among those given counts as held, though nobody can learn to tell it. People are
    numbered in order of appearance.
    """
    people = {person: place for place, person in enumerate(dict.fromkeys(d.person or d.id for d in documents))}
    places = {label: number for number, label in enumerate(labels)}
    sentences: list[Numbered] = []
    for document in documents:
        reading = read(document.text)
        shown = [reading.normalised.text[t.start : t.end] for t in reading.tokens]
        words = np.array([space.places.get(key(word), UNKNOWN - WORDS_FROM) + WORDS_FROM for word in shown], np.int64)
        casings = np.array([casing(word) for word in shown], np.int64)
        gold = np.array([places.get(label, -1) for label in reading.gold(document.spans)], np.int64)
        for start, end in pairwise((*reading.starts, len(shown))):
            for at in range(start, end, MOST_TOKENS):
                some = slice(at, min(at + MOST_TOKENS, end))
                sentence = _numbered(words[some], casings[some], gold[some], len(labels) // 2)
                sentences.append(sentence._replace(person=people[document.person or document.id]))
    return sentences


def distinct(sentences: Sequence[Numbered]) -> list[Numbered]:
    """Each sentence once: what stands in several places would have noise drawn for each, and could be averaged."""
    return list({tuple(row.tobytes() for row in s[:3]): s for s in sentences}.values())


def _numbered(words: IntArray, casings: IntArray, gold: IntArray, kinds: int) -> Numbered:
    """A part of a sentence; an identifier that it cuts begins anew."""
    gold, held = np.maximum(gold, 0), np.flatnonzero(gold)
    if len(gold) and gold[0] > kinds:
        gold[0] -= kinds
    return Numbered(words, casings, gold, held)


def together(sentences: Sequence[Numbered]) -> tuple[Sentences, torch.Tensor]:
    """Sentences as a batch, and their gold labels."""
    lengths = torch.tensor([len(sentence.words) for sentence in sentences])
    words, casings, gold = (padded([*rows]) for rows in zip(*(s[:3] for s in sentences), strict=True))
    return Sentences(words, casings, lengths), gold


def batches(sentences: Sequence[Numbered], size: int, random: np.random.Generator) -> list[list[Numbered]]:
    """All sentences once, in an order that is drawn, those of like length together."""
    return batches_of_like_length(sentences, size, random, lambda sentence: len(sentence.words))


class Neighbours:
    """The words near each word, without itself, looked up when they are first needed."""

    def __init__(self, space: Space, many: int) -> None:
        self._space, self._many = space, many
        self._known: dict[int, IntArray] = {}
        self._sign = np.ones(WORDS_FROM + len(space.words), bool)
        self._sign[space.plain + WORDS_FROM] = False
        self._sign[UNKNOWN] = False

    def of(self, word: int) -> IntArray:
        """Numbers of the neighbours of a word; of one without a vector, of all words."""
        if word < WORDS_FROM:
            return self._space.plain + WORDS_FROM
        if word not in self._known:
            near = self._space.near(self._space.vectors[word - WORDS_FROM], self._many + 1, None) + WORDS_FROM
            self._known[word] = near[near != word][: self._many]
        return self._known[word]

    def replaceable(self, words: IntArray) -> IntArray:
        """At which tokens no sign stands; all of them where there is nothing else."""
        places = np.flatnonzero(~self._sign[words])
        return places if len(places) else np.arange(len(words))


def faked(sentence: Numbered, near: Neighbours, random: np.random.Generator, *, identifiers: float = 0.5) -> IntArray:
    """The words of a sentence with one replaced: an identifier's, if it has one, so often."""
    words = sentence.words.copy()
    places = near.replaceable(words)
    held = np.intersect1d(places, sentence.held)
    others = np.setdiff1d(places, held)
    pick = held if len(held) and (not len(others) or random.random() < identifiers) else others
    at = int(pick[random.integers(len(pick))])
    near_by = near.of(int(words[at]))
    words[at] = near_by[random.integers(len(near_by))]
    return words


class Pairs(NamedTuple):
    """Words of sentences on two sides (sentences, tokens), and which pairs are of one sentence (bool)."""

    one: torch.Tensor
    other: torch.Tensor
    real: torch.Tensor

    def __repr__(self) -> str:
        return f"Pairs({len(self.real)})"


def paired(
    sentences: Sequence[Numbered], near: Neighbours, random: np.random.Generator, *, balanced: bool = True
) -> Pairs:
    """For each sentence a pair: the same on both sides, or differing at one token.

    Balanced, either side is as often one with a replaced token in true pairs as in false ones, so that neither tells
    anything alone. Otherwise, as in the paper, only the other side of a false pair has one; who sees the words of that side
    alone then already knows three pairs of four, for a neighbour seldom fits its sentence.
    """
    real, turned = random.random(len(sentences)) < 0.5, random.random(len(sentences)) < 0.5
    fakes = [faked(sentence, near, random) for sentence in sentences]
    one = [
        fake if balanced and turn else s.words for s, fake, turn in zip(sentences, fakes, turned.tolist(), strict=True)
    ]
    other = [
        mine if same else (fake if mine is s.words else s.words)
        for s, fake, mine, same in zip(sentences, fakes, one, real.tolist(), strict=True)
    ]
    return Pairs(padded(one), padded(other), torch.from_numpy(real))
