"""Learning of a static reidentifier: to find, among all people in training, the one whom a masked text is about.

Both sides are sums of vectors: of a text's words and pairs of neighbours, and of a profile's features. A word's vector
is its own plus a linear map of its entry in a table of word vectors; features that are words begin where
these words do. Gradients are written out, as for `additive`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy import sparse
from threadpoolctl import threadpool_limits

from unname.reidentifiers.base import IntArray
from unname.reidentifiers.learned.descent import Adam, Float32Array, Integers, RunningMean, ones, softmax
from unname.reidentifiers.learned.training_examples import Flags, MaskPrior
from unname.reidentifiers.terms.neighbours import distinct, joined, pairs, spans_of

_WARM_UP, _CLIP, _GRADED_EVERY = 50, 5.0, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticTraining:
    """Length and care of learning.

    There are `steps` of `batch` texts for 2,000 texts, by the square root of their number more or fewer. A text loses
    random words by `prior`, and each token or feature by chance (`dropout`). The linear map learns at `lift_rate` and begins
    with length `start`.
    """

    dimensions: int = 128
    steps: int = 200
    most_steps: int = 450
    batch: int = 256
    rate: float = 0.003
    lift_rate: float = 0.001
    decay: float = 0.01
    averaging: float = 0.97
    smoothing: float = 0.02
    dropout: float = 0.1
    start: float = 0.3
    spread: float = 0.01
    prior: MaskPrior = field(default_factory=lambda: MaskPrior("uniform", lexical=0.5))

    def steps_for(self, texts: int) -> int:
        """The number of steps for so many texts."""
        return int(min(self.most_steps, max(50, round(self.steps * (texts / 2000) ** 0.5))))


@dataclass(frozen=True, slots=True, repr=False)
class StaticExamples:
    """Texts `read` as words and gaps, about `people` (rows of those known), some of whose texts are only examined.

    Of those known there are features of profiles, `described` (people × features), and the `profile_words`.
    """

    read: Sequence[Sequence[str]]
    people: Sequence[int]
    described: sparse.csr_array
    profile_words: Sequence[Collection[str]]
    held_out: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"StaticExamples({len(self.read)} texts)"


@dataclass(frozen=True, slots=True, repr=False)
class Vectors:
    """Vectors of tokens and of features, and the map from a word's entry in the table: rows × dimensions, float32."""

    tokens: Float32Array
    features: Float32Array
    lift: Float32Array

    def __repr__(self) -> str:
        return f"Vectors({len(self.tokens)} tokens, {len(self.features)} features)"


def tokens_of(row: Sequence[str]) -> list[str]:
    """The tokens of a row of words and gaps: distinct words, the spans of years, and pairs of neighbours."""
    words = distinct(row)
    return [*words, *(span for word in words for span in spans_of(word)), *map(joined, pairs(row))]


@dataclass(frozen=True, slots=True, repr=False)
class _StaticExample:
    """A text as a training example: flags of its distinct words in its person's profile, and known tokens, in order.

    `tokens` are rows of the vocabulary, and `ends` (tokens, 2) the places of the words that must be read for each; `entries`
    rows of the table, of the words at `entered`.
    """

    known: Flags
    tokens: Integers
    ends: Integers
    entries: Integers
    entered: Integers

    @classmethod
    def of(
        cls,
        row: Sequence[str],
        profile_words: Collection[str],
        vocabulary: Mapping[str, int],
        entries: Mapping[str, int],
    ) -> "_StaticExample":
        words = distinct(row)
        place = {word: at for at, word in enumerate(words)}
        tokens = [(word, at, at) for word, at in place.items()]
        tokens += [(span, at, at) for word, at in place.items() for span in spans_of(word)]
        tokens += [(joined((one, other)), place[one], place[other]) for one, other in pairs(row)]
        known = [(vocabulary[token], one, other) for token, one, other in tokens if token in vocabulary]
        rows = np.array(known, np.int32).reshape(-1, 3)
        looked_up = [(entries[word], at) for word, at in place.items() if word in entries]
        entered = np.array(looked_up, np.int32).reshape(-1, 2)
        flags = np.fromiter((word in profile_words for word in words), np.bool_, len(words))
        return cls(flags, rows[:, 0], rows[:, 1:], entered[:, 0], entered[:, 1])

    def without(self, gone: Flags) -> tuple[Integers, Integers]:
        """Tokens and entries of the words that are not gone."""
        return self.tokens[~gone[self.ends].any(axis=1)], self.entries[~gone[self.entered]]


def learn_static(
    known: StaticExamples,
    vocabulary: Mapping[str, int],
    table: Mapping[str, Float32Array],
    start: Float32Array,
    training: StaticTraining,
    *,
    seed: int = 0,
) -> Vectors:
    """Learn to find the people whom texts are about.

    `table` has the vectors of words, `start` those at which features begin (features × width of the table). The same for a
    seed on the same machine, on one thread.
    """
    with threadpool_limits(1):
        return _StaticLearning(known, vocabulary, table, start, training, seed).run()


class _StaticLearning:
    """The constants of learning, and the weights that change."""

    def __init__(
        self,
        known: StaticExamples,
        vocabulary: Mapping[str, int],
        table: Mapping[str, Float32Array],
        start: Float32Array,
        training: StaticTraining,
        seed: int,
    ) -> None:
        self.known, self.training, self.seed = known, training, seed
        self.people = np.array(known.people)
        entries = {word: row for row, word in enumerate(table)}
        about = zip(known.read, known.people, strict=True)
        self.read = [_StaticExample.of(row, known.profile_words[person], vocabulary, entries) for row, person in about]
        self.widths = len(vocabulary), len(entries)
        self.table = np.stack(list(table.values())) if table else np.zeros((0, start.shape[1]), np.float32)
        random, width = np.random.default_rng([seed, 0]), training.dimensions
        # Table vectors are given by main directions: the first of them go over as they are.
        lift = np.zeros((start.shape[1], width), np.float32)
        np.fill_diagonal(lift, training.start)
        drawn = [random.normal(0, training.spread, (rows, width)).astype(np.float32)
                 for rows in (len(vocabulary), known.described.shape[1])]  # fmt: skip
        self.weights = [drawn[0], drawn[1] + start @ lift, lift]
        self.rates = (training.rate, training.rate, training.lift_rate)
        self.optimiser = Adam(self.weights, self.rates, (training.decay,) * 3)
        self.mean = RunningMean(self.weights, training.averaging)

    def run(self) -> Vectors:
        """Steps until they are used up; the result is the mean that found people held out best, if there are any."""
        taught, held = np.flatnonzero(~self.known.held_out), np.flatnonzero(self.known.held_out)
        batch, best, most = min(self.training.batch, len(taught)), self.mean.values(), -1.0
        exam, left, round_ = self._exam(held), np.zeros(0, np.int64), 0
        steps = self.training.steps_for(len(taught))
        for step in range(1, steps + 1):
            if len(left) < batch:
                left, round_ = np.random.default_rng([self.seed, 1, round_]).permutation(taught), round_ + 1
            self._step(left[:batch], np.random.default_rng([self.seed, 3, step]), min(1.0, step / _WARM_UP))
            left = left[batch:]
            if exam and (step % _GRADED_EVERY == 0 or step == steps) and (grade := self._grade(held, exam)) >= most:
                best, most = self.mean.values(), grade
        return Vectors(*(best if exam else self.mean.values()))

    def _step(self, chosen: IntArray, random: np.random.Generator, pace: float) -> None:
        """One step of gradient descent on the cross entropy of the people whom masked texts are about."""
        training, (tokens, features, lift) = self.training, self.weights
        bags, entries = self._masked(chosen, random, training.prior)
        described = self.known.described.copy()
        for sums in (bags, entries, described):
            sums.data = sums.data * (random.random(len(sums.data)) >= training.dropout)
        looked_up = entries @ self.table
        texts, profiles = bags @ tokens + looked_up @ lift, described @ features
        error = texts @ profiles.T
        softmax(error)
        error -= training.smoothing / error.shape[1]
        error[np.arange(len(chosen)), self.people[chosen]] -= 1 - training.smoothing
        error /= len(chosen)
        back = error @ profiles
        gradients = [bags.T @ back, described.T @ (error.T @ texts), looked_up.T @ back]
        length = np.sqrt(sum(float(np.vdot(g, g)) for g in gradients))
        if length > _CLIP:
            gradients = [g * np.float32(_CLIP / length) for g in gradients]
        self.optimiser.step(gradients, pace)
        self.mean.take()

    def _masked(
        self, chosen: IntArray, random: np.random.Generator, prior: MaskPrior
    ) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Texts as they can be read this time: their tokens, and their words' entries in the table, as rows of ones."""
        read = [self.read[place] for place in chosen.tolist()]
        left = [text.without(prior.gone(text.known, random)) for text in read]
        tokens, entries = self.widths
        return ones([one for one, _ in left], tokens), ones([other for _, other in left], entries)

    def _exam(self, held: IntArray) -> list[tuple[sparse.csr_array, sparse.csr_array]]:
        """Texts of the people held out, masked once: at random, and without the words of the profiles."""
        if not len(held):
            return []
        random, prior = np.random.default_rng([self.seed, 2]), self.training.prior
        papers = [replace(prior, lexical=0.0)] + ([MaskPrior("none", lexical=1.0)] if prior.lexical else [])
        return [self._masked(held, random, paper) for paper in papers]

    def _grade(self, held: IntArray, exam: Sequence[tuple[sparse.csr_array, sparse.csr_array]]) -> float:
        """The mean of 1 / rank among all people whom the texts are about, which is smoother than a share of hits."""
        tokens, features, lift = self.mean.values()
        profiles, own = self.known.described @ features, self.people[held]
        reciprocal_ranks = []
        for bags, entries in exam:
            scores = (bags @ tokens + (entries @ self.table) @ lift) @ profiles.T
            reciprocal_ranks.append(1 / (scores >= scores[np.arange(len(held)), own][:, None]).sum(axis=1))
        return float(np.exp(np.mean([np.log(np.mean(one)) for one in reciprocal_ranks])))
