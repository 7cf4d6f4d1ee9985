"""How the additive reidentifier learns: full softmax over the people who are taught, other words hidden every time.

Gradients are written out: the model is a product of two sums. What is kept is a running mean of the weights, of the
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
from unname.reidentifiers.descent import Adam, Float32Array, RunningMean, ones, softmax
from unname.reidentifiers.training_examples import MaskPrior

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
    """How long and how carefully to learn. A text loses random words by `prior`, and each other word or feature by chance.

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
class Learned:
    """Vectors of words and of features (rows × dimensions, float32), and weights of fields."""

    words: Float32Array
    features: Float32Array
    matches: Float32Array

    def __repr__(self) -> str:
        return f"Learned({len(self.words)} words, {len(self.features)} features)"


@dataclass(frozen=True, slots=True, repr=False)
class KnownPeople:
    """The people whom texts are about: `ids`, `described` as features of their profiles (people × features).

    `said` are the words of each person by field, of `fields`; `rarity` is what a match of a word weighs beforehand.
    """

    ids: Sequence[str]
    described: sparse.csr_array
    said: Sequence[Mapping[str, Collection[str]]]
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
) -> Learned:
    """Learn from texts `read` as distinct folded words, about `people` (rows of those known, some of whom are held out).

    The same for a seed on the same machine; one thread, so that it does not matter who else is at work.
    """
    with threadpool_limits(1):
        learning = _Learning(read, people, vocabulary, known, training, seed)
        return learning.run(_held_out([known.ids[person] for person in people], seed))


class _Learning:
    """What does not change while learning, and the weights that do."""

    def __init__(
        self,
        read: Sequence[Sequence[str]],
        people: Sequence[int],
        vocabulary: Mapping[str, int],
        known: KnownPeople,
        training: AdditiveTraining,
        seed: int,
    ) -> None:
        self.read, self.people, self.training, self.seed = read, np.array(people), training, seed
        self.vocabulary, self.known = vocabulary, [frozenset().union(*row.values()) for row in known.said]
        self.described = known.described
        self._match(known)
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

    def _match(self, known: KnownPeople) -> None:
        """Which words each field of each person says, as one inverted index (words × people) a field, in rarity."""
        words = sorted(set().union(*self.known)) if self.known else []
        self.matchable = {word: row for row, word in enumerate(words)}
        shape = (len(words), len(known.said))
        self.by_field: list[sparse.csr_array] = []
        for name in known.fields:
            pairs = [(self.matchable[w], person) for person, row in enumerate(known.said) for w in row.get(name, ())]
            rows, columns = np.array(pairs, np.int32).reshape(-1, 2).T
            data = np.array([known.rarity[words[row]] for row in rows], np.float32)
            self.by_field.append(sparse.csr_array((data, (rows, columns)), shape=shape))

    def run(self, held: npt.NDArray[np.bool_]) -> Learned:
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
        return Learned(*best)

    def _step(self, chosen: IntArray, random: np.random.Generator) -> None:
        """One step of gradient descent on the cross entropy of who each masked text is about."""
        training, (words, features, fields) = self.training, self.weights
        kept = [self._masked(i, random, training.prior) for i in chosen]
        bags = ones([[self.vocabulary[w] for w in row if w in self.vocabulary] for row in kept], len(self.vocabulary))
        bags.data *= random.random(len(bags.data)) >= training.dropout
        described = self.described.copy()
        described.data = described.data * (random.random(len(described.data)) >= training.dropout)
        said = ones([[self.matchable[w] for w in row if w in self.matchable] for row in kept], len(self.matchable))
        texts, profiles = bags @ words, described @ features
        error = texts @ profiles.T
        error += (said @ self._matches(fields)).toarray()
        softmax(error)
        error -= training.smoothing / error.shape[1]
        error[np.arange(len(chosen)), self.people[chosen]] -= 1 - training.smoothing
        error /= len(chosen)
        some = min(_MATCHED, len(chosen))
        by_field = np.array([_inner(said[:some] @ held, error) for held in self.by_field], np.float32)
        self.optimiser.step(
            [bags.T @ (error @ profiles), described.T @ (error.T @ texts), by_field * (len(chosen) / some)]
        )
        self.mean.take()

    def _masked(self, place: int, random: np.random.Generator, prior: MaskPrior) -> list[str]:
        """The words of a text that can be read this time."""
        row = self.read[place]
        gone = prior.hidden(row, self.known[self.people[place]], random)
        return [word for word in row if word not in gone]

    def _matches(self, fields: Float32Array) -> sparse.csr_array:
        """What each word weighs for each person whose profile says it: (words × people) float32."""
        found = sparse.csr_array(self.by_field[0] * fields[0])
        for held, weight in zip(self.by_field[1:], fields[1:], strict=True):
            found = sparse.csr_array(found + held * weight)
        return found

    def _exam(self, held: IntArray) -> list[tuple[IntArray, list[list[str]]]]:
        """Texts of the people held out, masked once for all epochs: at random, and without what the profiles say."""
        random = np.random.default_rng([self.seed, 2])
        prior = self.training.prior
        papers = [replace(prior, lexical=0.0)] + ([MaskPrior("none", lexical=1.0)] if prior.lexical else [])
        return [(held, [self._masked(int(i), random, paper) for i in held]) for paper in papers]

    def _grade(self, exam: Sequence[tuple[IntArray, list[list[str]]]]) -> float:
        """The geometric mean of the accuracies, so that a model good at one kind of masked text alone is none."""
        return float(np.exp(np.mean([np.log(self._accuracy(*paper) + 0.01) for paper in exam])))

    def _accuracy(self, held: IntArray, kept: Sequence[Sequence[str]]) -> float:
        """Share of texts whose person comes first, ties shared, among all whom the texts are about."""
        words, features, fields = self.mean.values()
        profiles, matches = self.described @ features, self._matches(fields)
        found = 0.0
        for start in range(0, len(held), self.training.batch):
            rows = kept[start : start + self.training.batch]
            bags = ones([[self.vocabulary[w] for w in row if w in self.vocabulary] for row in rows], len(words))
            said = ones([[self.matchable[w] for w in row if w in self.matchable] for row in rows], len(self.matchable))
            scores = (bags @ words) @ profiles.T + (said @ matches).toarray()
            own = scores[np.arange(len(rows)), self.people[held[start : start + len(rows)]]][:, None]
            first = (scores > own).sum(axis=1) == 0
            found += float((first / (scores == own).sum(axis=1)).sum())
        return found / len(held)


def _epochs(batch: int, texts: int) -> int:
    """In how many epochs there are enough steps for so many texts."""
    fewest, more = (-(-steps * batch // texts) for steps in (_FEWEST_STEPS, _MORE_STEPS))
    return max(fewest, min(_MORE_EPOCHS, more))


def _held_out(people: Sequence[str], seed: int) -> npt.NDArray[np.bool_]:
    """Which texts are of people who are only examined: one in twenty, drawn by hash; none where few would be left."""
    drawn = np.array([draw("held out", seed, person)[0] < 13 for person in people])
    few = len(people) < _LEAST_TO_HOLD_OUT or drawn.mean() > 0.5
    return np.zeros(len(people), np.bool_) if few else drawn


def _inner(held: sparse.csr_array, error: Float32Array) -> float:
    """The sum over a sparse matrix's cells times those of `error`."""
    rows = np.repeat(np.arange(held.shape[0]), np.diff(held.indptr))
    return float(np.dot(held.data, error[rows, held.indices]))
