"""Attackers who decode: a table, a decoder that learns, alignment from known tokens, and alignment from none.

Two kinds of people are thought of. An insider has the representer and so can represent whatever he likes. Others have
public text and its word vectors; they align the vectors that they see with these. What both know of a token's class
(casing and label, in clear) stands in `decoding.Prior`.
"""

import copy
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from unname.errors import UnsafeReleaseError
from unname.neural.lstm import BothWays
from unname.neural.trainer_state import number, seeded
from unname.sharing.decoding import Float64, Gaussians, Prior, Tokens, guess_in_parts, whitening
from unname.sharing.lessons import Lesson, gathered, lessons
from unname.sharing.pairs import Numbered
from unname.sharing.representation import Sentences
from unname.sharing.space import Float32, IntArray
from unname.taggers.lstm.network import padded
from unname.taggers.lstm.reading import CASINGS
from unname.taggers.reading import batches_of_like_length

TOO_LITTLE = "there is too little public text to attack a representer with"
# Classes of so few tokens say nothing of a mean.
_FEWEST = 5
_ROUNDS = 5
# Epochs without a better loss on held-out text after which a decoder has learned what there is.
_PATIENCE = 2
# Steps that a decoder learns at least, however little public text there is.
_FEWEST_STEPS = 300
_MOST_TOKENS = 20_000
_RIDGES = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
Represent = Callable[[Sequence[Numbered], int], list[Float32]]


def aligned(states: Float32, vectors: Float64, weights: Float64, everywhere: Float64) -> tuple[Float64, Float64]:
    """(map, covariance): vectors with a constant beside them to states, by ridge regression; what it leaves over.

    `everywhere` is the covariance of all states that were seen: where pairs are few, what is left over is like it.
    """
    mean = np.average(states, axis=0, weights=weights)
    design = np.column_stack((vectors, np.ones(len(vectors))))
    centred: Float64 = states.astype(np.float64) - mean
    maps = _solved(design, centred, weights, _ridge(design, centred, weights))
    rest = centred - design @ maps
    heavy = float(weights.sum())
    mass = len(everywhere) + 1.0
    # Freedom that the map took up is not there to judge it by.
    share = max(heavy - min(design.shape[1], heavy / 2), 1.0)
    covariance = ((rest * weights[:, None]).T @ rest * heavy / share + mass * everywhere) / (heavy + mass)
    maps[-1] += mean
    return maps, covariance


def _solved(design: Float64, states: Float64, weights: Float64, ridge: float) -> Float64:
    weighed = design * weights[:, None]
    penalty = ridge * weights.sum() / design.shape[1] * np.eye(design.shape[1])
    penalty[-1, -1] = 1e-9
    solution: Float64 = np.linalg.solve(weighed.T @ design + penalty, weighed.T @ states)
    return solution


def _ridge(design: Float64, states: Float64, weights: Float64) -> float:
    """The ridge that foretells left-out fifths best."""
    fold = np.random.default_rng(0).permutation(len(states)) % 5
    errors = []
    for ridge in _RIDGES:
        error = 0.0
        for left in range(5):
            mine, out = fold != left, fold == left
            if out.any() and mine.any():
                solution = _solved(design[mine], states[mine], weights[mine], ridge)
                error += float((weights[out, None] * (states[out] - design[out] @ solution) ** 2).sum())
        errors.append(error)
    return _RIDGES[int(np.argmin(errors))]


def along(vectors: Float64, alignment: tuple[Float64, Float64]) -> Gaussians:
    """Words where a map puts their vectors."""
    return Gaussians(np.column_stack((vectors, np.ones(len(vectors)))) @ alignment[0], whitening(alignment[1]))


def align_known(known: Tokens, cloud: Tokens, vectors: Float64) -> Gaussians:
    """Alignment from known tokens (ALGEN; Chen 2025); `cloud` is all that was seen."""
    everywhere = np.cov(cloud.states.T)
    return along(vectors, aligned(known.states, vectors[known.words], np.ones(len(known.words)), everywhere))


def surroundings(some: Tokens) -> IntArray:
    """The surroundings of each token that are in clear: its class, and the casings beside it."""
    casings = some.classes % len(CASINGS)
    same = some.sentences[1:] == some.sentences[:-1]
    none = len(CASINGS)
    before = np.concatenate(([none], np.where(same, casings[:-1], none)))
    after = np.concatenate((np.where(same, casings[1:], none), [none]))
    codes: IntArray = (some.classes * (none + 1) + before) * (none + 1) + after
    return codes


def class_means(some: Tokens, values: Float64, kinds: IntArray) -> tuple[Float64, Float64]:
    """Means of values by what stands in clear around tokens, for these kinds; and how many there are of each."""
    place = np.searchsorted(kinds, codes := surroundings(some)).clip(0, len(kinds) - 1)
    there = kinds[place] == codes
    counts = np.bincount(place[there], minlength=len(kinds)).astype(np.float64)
    sums = np.zeros((len(kinds), values.shape[1]))
    np.add.at(sums, place[there], values[there])
    return sums / np.maximum(counts, 1.0)[:, None], counts


def common_kinds(one: Tokens, other: Tokens) -> IntArray:
    """Surroundings that both have often enough."""
    first, second = (np.unique(surroundings(some), return_counts=True) for some in (one, other))
    common: IntArray = np.intersect1d(first[0][first[1] >= _FEWEST], second[0][second[1] >= _FEWEST])
    if not len(common):
        raise UnsafeReleaseError(TOO_LITTLE)
    return common


def align_unpaired(cloud: Tokens, public: Tokens, vectors: Float64, prior: Prior, *, seed: int) -> Gaussians:
    """Alignment without a single known token: means of like surroundings are matched, then words guessed and matched again.

    In the spirit of vec2vec (Jha 2025) and of bilingual dictionaries without bilingual text (Artetxe 2018).
    """
    everywhere = np.cov(cloud.states.T)
    kinds = common_kinds(cloud, public)
    seen, many = class_means(cloud, cloud.states.astype(np.float64), kinds)
    there, others = class_means(public, vectors[public.words], kinds)
    weights = many * others / np.maximum(many + others, 1.0)
    alignment = aligned(seen.astype(np.float32), there, weights, everywhere)
    alignment = (alignment[0], everywhere)
    drawn = np.random.default_rng(number(seed, 5)).permutation(len(cloud.words))[:_MOST_TOKENS]
    sample = cloud.at(drawn)
    for _ in range(_ROUNDS):
        guessed = guess_in_parts(along(vectors, alignment), sample, prior)
        alignment = aligned(sample.states, vectors[guessed], np.ones(len(guessed)), everywhere)
    return along(vectors, alignment)


def recover_rotation(cloud: Tokens, own: Tokens, gaussians: Gaussians, prior: Prior) -> Float64:
    """The rotation between what an insider represents and what he sees, by means of like surroundings (Procrustes).

    Then he guesses words by where his own lie (`gaussians`), and turns what he sees once more by these guesses.
    """
    kinds = common_kinds(cloud, own)
    seen, many = class_means(cloud, cloud.states.astype(np.float64), kinds)
    mine, others = class_means(own, own.states.astype(np.float64), kinds)
    rotation = _turn(mine, seen, many * others / np.maximum(many + others, 1.0))
    sample = cloud.at(np.arange(min(_MOST_TOKENS, len(cloud.words))))
    for _ in range(_ROUNDS):
        turned = sample._replace(states=(sample.states @ rotation.T).astype(np.float32))
        guessed = guess_in_parts(gaussians, turned, prior)
        rotation = _turn(gaussians.means[guessed], sample.states.astype(np.float64), np.ones(len(guessed)))
    return rotation


def _turn(mine: Float64, seen: Float64, weights: Float64) -> Float64:
    """The rotation that brings `mine` nearest to what is `seen` (Schönemann 1966)."""
    left, _, right = np.linalg.svd((mine * weights[:, None]).T @ seen)
    rotation: Float64 = left @ right
    return rotation


class Decoder(nn.Module):
    """Reads vectors, casings and labels both ways and says which words they may stand for."""

    def __init__(self, d: int, classes: int, vectors: Float32, *, units: int = 128) -> None:
        super().__init__()
        self.classes = nn.Embedding(classes, 16)
        self.lstm = BothWays(d + 16, units=units, layers=1, dropout=0.1)
        self.towards = nn.Linear(2 * units + d, vectors.shape[1])
        self.words = nn.Linear(vectors.shape[1], len(vectors))
        with torch.no_grad():
            self.words.weight.copy_(torch.from_numpy(vectors))

    def forward(self, states: torch.Tensor, classes: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(sentences, tokens, d) to vectors near those of the words meant, (sentences, tokens, width)."""
        read = self.lstm(torch.cat((states, self.classes(classes)), 2), lengths)
        towards_words: torch.Tensor = self.towards(torch.cat((read, states), 2))
        return towards_words


class Taught(NamedTuple):
    """A sentence as a decoder learns it."""

    lesson: Lesson
    words: IntArray

    def __repr__(self) -> str:
        return f"Taught({len(self.words)} tokens)"


def teach_decoder(
    public: Sequence[Numbered], held_out: Sequence[Numbered], represent: Represent, vectors: Float32, *,
    classes: int, epochs: int, seed: int,
) -> Decoder:  # fmt: skip
    """A decoder that an insider teaches by what he represents himself, drawn anew in each epoch."""
    width = represent(public[:1], 0)[0].shape[1]
    with seeded(seed, 2):
        decoder = Decoder(width, classes, vectors)
    optimiser = torch.optim.Adam(decoder.parameters(), lr=0.002)
    epochs = max(epochs, _FEWEST_STEPS * 32 // len(public))
    best, kept, worse = np.inf, copy.deepcopy(decoder.state_dict()), 0
    for epoch in range(epochs):
        random = np.random.default_rng(number(seed, epoch, 3))
        taught = _taught(public, represent(public, number(seed, epoch)))
        decoder.train()
        for at, some in enumerate(batches_of_like_length(taught, 32, random, lambda one: len(one.words))):
            with seeded(seed, epoch, at):
                loss = _decoding_loss(decoder, some)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        decoder.eval()
        with torch.no_grad():
            stopping = _taught(held_out, represent(held_out, number(seed, -1)))
            rows = [stopping[at : at + 32] for at in range(0, len(stopping), 32)]
            lost = float(np.mean([float(_decoding_loss(decoder, some)) for some in rows]))
        if lost < best - 1e-3:
            best, kept, worse = lost, copy.deepcopy(decoder.state_dict()), 0
        elif (worse := worse + 1) >= _PATIENCE:
            break
    decoder.load_state_dict(kept)
    return decoder.eval()


def _taught(sentences: Sequence[Numbered], states: Sequence[Float32]) -> list[Taught]:
    return [Taught(one, s.words) for one, s in zip(lessons(sentences, states), sentences, strict=True)]


def _read(decoder: Decoder, some: Sequence[Lesson]) -> tuple[torch.Tensor, Sentences]:
    states, sentences, gold = gathered(some)
    return decoder(states, gold * len(CASINGS) + sentences.casings, sentences.lengths), sentences


def _decoding_loss(decoder: Decoder, some: Sequence[Taught]) -> torch.Tensor:
    vectors, sentences = _read(decoder, [one.lesson for one in some])
    real = torch.arange(vectors.shape[1]) < sentences.lengths[:, None]
    words = padded([one.words for one in some])
    return nn.functional.cross_entropy(decoder.words(vectors[real]), words[real])


def decoded(decoder: Decoder, some: Sequence[Lesson]) -> Float32:
    """log p(word | vectors and what is in clear) of every token of lessons, in order: (tokens, words)."""
    rows = []
    with torch.no_grad():
        for at in range(0, len(some), 32):
            vectors, sentences = _read(decoder, some[at : at + 32])
            real = torch.arange(vectors.shape[1]) < sentences.lengths[:, None]
            rows.append(torch.log_softmax(decoder.words(vectors[real]), 1).numpy())
    return np.concatenate(rows)
