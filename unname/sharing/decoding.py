"""Words that a representation can stand for: priors, a Gaussian around each word, and a language model between words.

Everything here is the attackers'. What leaves the house beside the vectors is in clear (casings and labels), so no attacker
is worse than who guesses from these alone; every decoder here begins with that guess and adds what vectors say.
Sources: Höhmann 2021 (InvBERT), Chen 2025 (ALGEN), BeamClean 2025 for the kinds of attack; the maths is our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from unname.sharing.pairs import Numbered
from unname.sharing.space import Float32, IntArray
from unname.taggers.lstm.reading import CASINGS

Float64 = npt.NDArray[np.float64]

# A word never seen at tokens of a class counts there as so many tokens spread as in the whole text.
_SPREAD = 0.5
# Candidates of a token that a language model chooses among.
_CANDIDATES = 30
# Scores that are held at a time: tokens times words.
_MOST_SCORES = 1 << 24


class Tokens(NamedTuple):
    """Tokens one after the other: vectors (tokens, d), words, classes in clear, and the sentence of each; (tokens,) int64."""

    states: Float32
    words: IntArray
    classes: IntArray
    sentences: IntArray
    held: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"Tokens({len(self.words)})"

    def at(self, places: IntArray | slice) -> "Tokens":
        """Some of them."""
        return Tokens(
            self.states[places], self.words[places], self.classes[places], self.sentences[places], self.held[places]
        )


def tokens(sentences: Sequence[Numbered], states: Sequence[Float32]) -> Tokens:
    """Sentences and their vectors, token by token. A class is a label with a casing."""
    lengths = [len(sentence.words) for sentence in sentences]
    held = [np.isin(np.arange(length), s.held) for s, length in zip(sentences, lengths, strict=True)]
    return Tokens(
        np.concatenate(states).astype(np.float32),
        np.concatenate([sentence.words for sentence in sentences]),
        np.concatenate([sentence.gold * len(CASINGS) + sentence.casings for sentence in sentences]),
        np.repeat(np.arange(len(sentences)), lengths),
        np.concatenate(held),
    )


@dataclass(frozen=True, repr=False)
class Prior:
    """log p(word | class), (classes, words) float32, as public text has it; one row for classes it does not have."""

    table: Float32
    places: IntArray

    def of(self, classes: IntArray) -> Float32:
        """Rows of tokens of these classes: (tokens, words)."""
        known = np.minimum(classes, len(self.places) - 1)
        return self.table[self.places[known]]


def learn_prior(words: IntArray, classes: IntArray, many: int, most: int) -> Prior:
    """From the words and classes of public tokens; `many` words and `most` classes there are in all."""
    whole = np.bincount(words, minlength=many) + 0.01
    whole = whole / whole.sum()
    kinds = np.unique(classes)
    places = np.full(most + 1, len(kinds), np.int64)
    places[kinds] = np.arange(len(kinds))
    counts = sparse.csr_array((np.ones(len(words)), (places[classes], words)), shape=(len(kinds) + 1, many)).toarray()
    table = counts + _SPREAD * whole
    return Prior(np.log(table / table.sum(axis=1, keepdims=True)).astype(np.float32), places)


@dataclass(frozen=True, repr=False)
class Gaussians:
    """Distributions of each word's vectors: means (words, d) and what whitens their common covariance, (d, d)."""

    means: Float64
    whitening: Float64

    def trusted(self, share: float) -> "Gaussians":
        """The same, with log p(vector | word) that counts so much: a map of few tokens is less right than it looks."""
        return Gaussians(self.means, self.whitening * np.sqrt(share))

    def likely(self, states: Float32) -> Float32:
        """log p(vector | word) up to what all words share: (tokens, words)."""
        seen, mine = states @ self.whitening, self.means @ self.whitening
        scores: Float32 = (seen @ mine.T - 0.5 * (mine**2).sum(axis=1)).astype(np.float32)
        return scores


def whitening(covariance: Float64) -> Float64:
    """A matrix that turns vectors with this covariance into ones whose parts are independent, of deviation 1."""
    values, vectors = np.linalg.eigh(covariance)
    whitened: Float64 = vectors / np.sqrt(np.maximum(values, values.max() * 1e-6))
    return whitened


def mean_gaussians(known: Tokens, many: int, fallback: Float64) -> Gaussians:
    """Around the mean vector of each word among known tokens, drawn towards `fallback` (words, d) where they are few."""
    counts = np.bincount(known.words, minlength=many).astype(np.float64)
    sums = np.zeros((many, known.states.shape[1]))
    np.add.at(sums, known.words, known.states)
    means = (sums + fallback) / (counts + 1.0)[:, None]
    rest = known.states - means[known.words]
    return Gaussians(means, whitening(np.cov(rest.T) + 1e-9 * np.eye(rest.shape[1])))


def at_a_time(words: int) -> int:
    """The number of tokens scored against so many words at a time."""
    return max(1, _MOST_SCORES // words)


def guess(scores: Float32, asked: Tokens, prior: Prior) -> IntArray:
    """The likeliest word of each token, from log p(vector | word) and the prior of its class."""
    words: IntArray = (scores + prior.of(asked.classes)).argmax(axis=1)
    return words


def guess_in_parts(gaussians: Gaussians, asked: Tokens, prior: Prior) -> IntArray:
    """The same for many tokens."""
    guesses = [np.zeros(0, np.int64)]
    size = at_a_time(len(gaussians.means))
    for at in range(0, len(asked.words), size):
        part = asked.at(slice(at, at + size))
        guesses.append(guess(gaussians.likely(part.states), part, prior))
    return np.concatenate(guesses)


@dataclass(frozen=True, repr=False)
class Bigrams:
    """Bigram statistics: log p(word | before) - log p(word)."""

    counts: sparse.csr_array
    before: Float64
    whole: Float64

    def gain(self, before: IntArray, words: IntArray) -> Float64:
        """(words before, words): for each pair; nothing where too little was seen."""
        pairs = np.asarray(self.counts[before][:, words].todense())
        followed = self.before[before][:, None]
        own = self.whole[words][None, :]
        # Dirichlet's smoothing by the words themselves (MacKay and Peto 1995).
        gains: Float64 = np.log((pairs + 5.0 * own) / ((followed + 5.0) * own))
        return gains


def learn_bigrams(sentences: Sequence[IntArray], many: int) -> Bigrams:
    """From the words of public sentences."""
    one = np.concatenate([np.zeros(0, np.int64), *(s[:-1] for s in sentences)])
    two = np.concatenate([np.zeros(0, np.int64), *(s[1:] for s in sentences)])
    counts = sparse.coo_array((np.ones(len(one)), (one, two)), shape=(many, many)).tocsr()
    whole = np.bincount(np.concatenate([np.zeros(0, np.int64), *sentences]), minlength=many) + 0.01
    return Bigrams(counts, np.bincount(one, minlength=many).astype(np.float64), whole / whole.sum())


def best_path(scores: Sequence[Float32], bigrams: Bigrams) -> IntArray:
    """The likeliest words of one sentence, from log p(vector, word) of each token (words,) and the language (Viterbi)."""
    candidates = [np.argpartition(-row, min(_CANDIDATES, len(row) - 1))[:_CANDIDATES] for row in scores]
    best = scores[0][candidates[0]].astype(np.float64)
    came: list[IntArray] = []
    for at in range(1, len(scores)):
        total = best[:, None] + bigrams.gain(candidates[at - 1], candidates[at])
        came.append(total.argmax(axis=0))
        best = total.max(axis=0) + scores[at][candidates[at]]
    place = int(best.argmax())
    path = [int(candidates[-1][place])]
    for at in range(len(scores) - 1, 0, -1):
        place = int(came[at - 1][place])
        path.append(int(candidates[at - 1][place]))
    return np.array(path[::-1], np.int64)


def with_language(scores: Float32, asked: Tokens, bigrams: Bigrams) -> IntArray:
    """The likeliest words of whole sentences, from log p(vector, word) of every token of theirs."""
    starts = np.flatnonzero(np.diff(asked.sentences, prepend=-1))
    ends = [*starts[1:].tolist(), len(asked.sentences)]
    return np.concatenate(
        [best_path(list(scores[start:end]), bigrams) for start, end in zip(starts.tolist(), ends, strict=True)]
    )
