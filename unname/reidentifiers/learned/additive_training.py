"""Learning of the additive reidentifier: full softmax over the people in training, with other words hidden every time.

Gradients are written out: the model is a product of two sums. The result is a running mean of the weights, of the
epoch that finds most people of whom it was taught nothing, from masked texts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy import sparse
from threadpoolctl import threadpool_limits

from unname.draws import draw
from unname.reidentifiers.base import IntArray
from unname.reidentifiers.learned.descent import Adam, Float32Array, Integers, RunningMean, ones, softmax
from unname.reidentifiers.learned.training_examples import Flags, MaskPrior

# Texts of a step from which the weights of fields learn, and what a step's scores may fill.
_MATCHED = 32
_CELLS = 4_000_000
# Few texts are read again until there were so many steps; up to so many epochs, until there were more. A hundred texts
# read in eighty epochs are learned by heart: that takes four times as long as 24 and finds nobody else.
_FEWEST_STEPS = 150
_MORE_STEPS, _MORE_EPOCHS = 500, 24
_LEAST_TO_HOLD_OUT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveTraining:
    """Length and care of learning. A text loses random words by `prior`, and each other word or feature by chance.

    `epochs` is the most, fewer where masked accuracy on people held out has not risen for `patience` of them.
    """

    dimensions: int = 128
    epochs: int = 14
    patience: int = 3
    batch: int = 256
    rate: float = 0.003
    field_rate: float = 0.02
    decay: float = 1.0
    averaging: float = 0.99
    smoothing: float = 0.02
    dropout: float = 0.1
    prior: MaskPrior = field(default_factory=lambda: MaskPrior("uniform", lexical=0.5))


@dataclass(frozen=True, slots=True, repr=False)
class AdditiveWeights:
    """Vectors of words and of features (rows × dimensions, float32), and weights of fields."""

    words: Float32Array
    features: Float32Array
    matches: Float32Array

    def __repr__(self) -> str:
        return f"AdditiveWeights({len(self.words)} words, {len(self.features)} features)"


@dataclass(frozen=True, slots=True, repr=False)
class KnownPeople:
    """The people whom texts are about: `ids`, `described` as features of their profiles (people × features).

    `words_by_field` are those of each person, of `fields`; `rarity` is the initial weight of a match of a word.
    """

    ids: Sequence[str]
    described: sparse.csr_array
    words_by_field: Sequence[Mapping[str, Collection[str]]]
    fields: Sequence[str]
    rarity: Mapping[str, float]

    def __repr__(self) -> str:
        return f"KnownPeople({len(self.ids)})"


def learn(
    read: Sequence[Sequence[str]],
    people: Sequence[int],
    vocabulary: Mapping[str, int],
    known: KnownPeople,
    training: AdditiveTraining,
    *,
    seed: int = 0,
) -> AdditiveWeights:
    """Learn from texts `read` as distinct folded words, about `people` (rows of those known, some of whom are held out).

    The same for a seed on the same machine; one thread, so that other work there does not matter.
    """
    with threadpool_limits(1):
        learning = _AdditiveLearning(read, people, vocabulary, known, training, seed)
        return learning.run(_held_out([known.ids[person] for person in people], seed))


@dataclass(frozen=True, slots=True, repr=False)
class _AdditiveExample:
    """A text's distinct words: flags of those in the profile of its person (`known`), and their rows, −1 if they have none.

    Rows are those of the vocabulary (`words`) and of the words that profiles say (`matches`).
    """

    known: Flags
    words: Integers
    matches: Integers

    @classmethod
    def of(
        cls,
        row: Sequence[str],
        profile_words: Collection[str],
        vocabulary: Mapping[str, int],
        matchable: Mapping[str, int],
    ) -> "_AdditiveExample":
        return cls(
            np.array([word in profile_words for word in row], np.bool_),
            *(np.array([rows.get(word, -1) for word in row], np.int32) for rows in (vocabulary, matchable)),
        )


class _AdditiveLearning:
    """The constants of learning, and the weights that change."""

    def __init__(
        self,
        read: Sequence[Sequence[str]],
        people: Sequence[int],
        vocabulary: Mapping[str, int],
        known: KnownPeople,
        training: AdditiveTraining,
        seed: int,
    ) -> None:
        self.people, self.training, self.seed = np.array(people), training, seed
        self.described = known.described
        of = [frozenset().union(*row.values()) for row in known.words_by_field]
        matchable = {word: row for row, word in enumerate(sorted(set().union(*of)))}
        about = zip(read, people, strict=True)
        self.read = [_AdditiveExample.of(row, of[person], vocabulary, matchable) for row, person in about]
        self.widths = len(vocabulary), len(matchable)
        self._match(known, matchable)
        random = np.random.default_rng([seed, 0])
        width = training.dimensions
        self.weights = [
            random.normal(0, 0.05, (len(vocabulary), width)).astype(np.float32),
            random.normal(0, 0.05, (self.described.shape[1], width)).astype(np.float32),
            np.full(len(known.fields), 0.3, np.float32),
        ]
        self.optimiser = Adam(
            self.weights, (training.rate, training.rate, training.field_rate), (training.decay,) * 2 + (0,)
        )
        self.mean = RunningMean(self.weights, training.averaging)

    def _match(self, known: KnownPeople, matchable: Mapping[str, int]) -> None:
        """Make an inverted index of the words in each field of each person (words × people × fields), in rarity."""
        words, shape = list(matchable), (len(matchable), len(known.words_by_field))
        matches = sorted(
            (matchable[word], person, field)
            for field, name in enumerate(known.fields)
            for person, row in enumerate(known.words_by_field) for word in row.get(name, ())
        )  # fmt: skip
        rows, self.persons, self.fields = np.array(matches, np.int32).reshape(-1, 3).T
        self.rarity = np.array([known.rarity[words[row]] for row in rows], np.float32)
        self.begins = np.searchsorted(rows, np.arange(len(words) + 1))
        # Several fields of a person may have a word: one cell.
        self.cells = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(self.persons, prepend=-1) != 0))
        ends = np.searchsorted(rows[self.cells], np.arange(len(words) + 1))
        self.match_weights = sparse.csr_array(
            (np.zeros(len(self.cells), np.float32), self.persons[self.cells], ends), shape=shape
        )

    def run(self, held: npt.NDArray[np.bool_]) -> AdditiveWeights:
        """Epochs until people held out (texts,) are not found more often from masked texts."""
        taught = np.flatnonzero(~held)
        exam = self._exam(np.flatnonzero(held)) if held.any() else None
        batch = int(min(self.training.batch, max(16, len(taught) // 24), max(16, _CELLS // self.described.shape[0])))
        epochs = max(self.training.epochs, _epochs(batch, len(taught)))
        best = self.mean.values()
        accuracies: list[float] = []
        for epoch in range(epochs):
            random = np.random.default_rng([self.seed, 1, epoch])
            order = random.permutation(taught)
            for start in range(0, len(order), batch):
                self._step(order[start : start + batch], random)
            if exam is None:
                best = self.mean.values()
                continue
            accuracies.append(self._grade(exam))
            if accuracies[-1] >= max(accuracies):
                best = self.mean.values()
            if epoch - int(np.argmax(accuracies)) >= self.training.patience * epochs / self.training.epochs:
                break
        return AdditiveWeights(*best)

    def _step(self, chosen: IntArray, random: np.random.Generator) -> None:
        """One step of gradient descent on the cross entropy of the people whom masked texts are about."""
        training, (words, features, fields) = self.training, self.weights
        bags, stated = self._masked(chosen, random, training.prior)
        bags.data *= random.random(len(bags.data)) >= training.dropout
        described = self.described.copy()
        described.data = described.data * (random.random(len(described.data)) >= training.dropout)
        texts, profiles = bags @ words, described @ features
        error = texts @ profiles.T
        error += (stated @ self._matches(fields)).toarray()
        softmax(error)
        error -= training.smoothing / error.shape[1]
        error[np.arange(len(chosen)), self.people[chosen]] -= 1 - training.smoothing
        error /= len(chosen)
        some = min(_MATCHED, len(chosen))
        by_field = self._felt(stated[:some], error)
        self.optimiser.step(
            [bags.T @ (error @ profiles), described.T @ (error.T @ texts), by_field * (len(chosen) / some)]
        )
        self.mean.take()

    def _masked(
        self, chosen: IntArray, random: np.random.Generator, prior: MaskPrior
    ) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Texts as they can be read this time: words of the vocabulary, and words that some profile has, as ones."""
        left = [(self.read[place], ~prior.gone(self.read[place].known, random)) for place in chosen.tolist()]
        words, matches = self.widths
        return (
            ones([text.words[there & (text.words >= 0)] for text, there in left], words),
            ones([text.matches[there & (text.matches >= 0)] for text, there in left], matches),
        )

    def _matches(self, fields: Float32Array) -> sparse.csr_array:
        """The weight of each word for each person whose profile has it: (words × people) float32, until the next call."""
        if len(self.cells):
            self.match_weights.data[:] = np.add.reduceat(self.rarity * fields[self.fields], self.cells)
        return self.match_weights

    def _felt(self, stated: sparse.csr_array, error: Float32Array) -> Float32Array:
        """The slope of the error of some texts' scores by the weight of a match in each field: (fields,) float32."""
        first, many = self.begins[stated.indices], self.begins[stated.indices + 1] - self.begins[stated.indices]
        # Of each match of a word in a text all fields of profiles that have the word.
        matches = np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
        texts = np.repeat(np.repeat(np.arange(stated.shape[0]), np.diff(stated.indptr)), many)
        felt = self.rarity[matches] * error[texts, self.persons[matches]]
        return np.bincount(self.fields[matches], felt, len(self.weights[2])).astype(np.float32)

    def _exam(self, held: IntArray) -> list[tuple[IntArray, list[tuple[sparse.csr_array, sparse.csr_array]]]]:
        """Texts of the people held out, masked once for all epochs: at random, and without the words of the profiles."""
        random = np.random.default_rng([self.seed, 2])
        prior = self.training.prior
        papers = [replace(prior, lexical=0.0)] + ([MaskPrior("none", lexical=1.0)] if prior.lexical else [])
        size = self.training.batch
        parts = [held[start : start + size] for start in range(0, len(held), size)]
        return [(held, [self._masked(part, random, paper) for part in parts]) for paper in papers]

    def _grade(self, exam: Sequence[tuple[IntArray, list[tuple[sparse.csr_array, sparse.csr_array]]]]) -> float:
        """The geometric mean of the accuracies, so that a model good at one kind of masked text alone is none."""
        return float(np.exp(np.mean([np.log(self._accuracy(*paper) + 0.01) for paper in exam])))

    def _accuracy(self, held: IntArray, kept: Sequence[tuple[sparse.csr_array, sparse.csr_array]]) -> float:
        """Share of texts whose person comes first, ties shared, among all whom the texts are about."""
        words, features, fields = self.mean.values()
        profiles, matches = self.described @ features, self._matches(fields)
        firsts = 0.0
        for number, (bags, stated) in enumerate(kept):
            start, rows = number * self.training.batch, bags.shape[0]
            scores = (bags @ words) @ profiles.T + (stated @ matches).toarray()
            own = scores[np.arange(rows), self.people[held[start : start + rows]]][:, None]
            first = (scores > own).sum(axis=1) == 0
            firsts += float((first / (scores == own).sum(axis=1)).sum())
        return firsts / len(held)


def _epochs(batch: int, texts: int) -> int:
    """The number of epochs with enough steps for so many texts."""
    fewest, more = (-(-steps * batch // texts) for steps in (_FEWEST_STEPS, _MORE_STEPS))
    return max(fewest, min(_MORE_EPOCHS, more))


def _held_out(people: Sequence[str], seed: int) -> npt.NDArray[np.bool_]:
    """The texts of people who are only examined, as flags: one in twenty, drawn by hash; none if few would be left."""
    drawn = np.array([draw("held out", seed, person)[0] < 13 for person in people])
    few = len(people) < _LEAST_TO_HOLD_OUT or drawn.mean() > 0.5
    return np.zeros(len(people), np.bool_) if few else drawn
