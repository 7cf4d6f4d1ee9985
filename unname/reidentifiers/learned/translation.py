"""A trained reidentifier in closed form: it translates the words of a document into the words of a profile.

Term matching finds the people whom words *name*; a trained model finds those whom they *fit*. Here documents of other
people, with their profiles, teach a linear map from terms of documents (words and figures, in a few hundred latent
dimensions) to terms of profiles, so that "Whig" speaks for 1840 and "the paper mill" for a village. Source of the idea:
Morris 2022 §5, a learned p(profile | document); this is its least-squares form, trained in seconds without a neural network.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, About, FloatArray, IntArray
from unname.reidentifiers.learned.training_examples import enough_examples, training_examples
from unname.reidentifiers.terms.facts import facts
from unname.reidentifiers.terms.subspace import Subspace, main_directions, to_integers
from unname.reidentifiers.terms.tfidf import TfIdf, fit_tfidf, unit_rows
from unname.reidentifiers.terms.wordcounts import UntilIndexed, count_words
from unname.text import folded_words, visible
from unname.types import Document, Profile

# People are placed among the latent dimensions beforehand where that takes at most so much memory.
_PLACED_BYTES = 128 << 20
_BITS = 24


def _features(text: str) -> list[str]:
    return folded_words(text) + [f"#{fact}" for fact in facts(text)]


@dataclass(slots=True, repr=False)
class TranslationIndex:
    """Profiles as unit vectors of their terms (people × terms), scored against a translated document.

    `_placed` are the profiles by latent dimension, people × dimensions in multiples of 2⁻ᵇⁱᵗˢ; None if
    there are too many people for it.
    """

    people: tuple[str, ...]
    _model: "Translation"
    _vectors: sparse.csr_array
    _placed: FloatArray | None
    _bits: int

    def __repr__(self) -> str:
        return f"TranslationIndex({len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """Agreement of every profile with the translated document: (people,) int64."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Agreement of every profile with each of many texts: (texts, people) int64."""
        if self._placed is not None:
            products = to_integers(self._model.embed(texts), _BITS) @ self._placed.T
            return np.asarray(np.rint(products * (SCALE / 2.0 ** (_BITS + self._bits))), np.int64)
        expected = self._model.translate(texts)
        centred = (self._vectors @ expected.T).T - (expected @ self._model.mean_)[:, None]
        return np.rint(centred * SCALE).astype(np.int64)

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of people when a word goes, the length of the text held: (words, columns)."""
        parts = self._model.parts(text, words)
        if self._placed is not None:
            return np.asarray(parts @ self._placed[columns].T * (SCALE / 2.0**self._bits))
        expected = parts @ self._model.map_
        return np.asarray(((self._vectors[columns] @ expected.T).T - (expected @ self._model.mean_)[:, None]) * SCALE)


@dataclass(slots=True)
class Translation:
    """Ridge regression from a document's latent vector (`dimensions`) to its person's profile terms.

    Learned: `vectoriser_`, `latent_`, `map_` (dimensions × profile terms), `terms_` (their columns), `weights_`, `mean_`.
    """

    about: ClassVar[About] = About(
        "Translates words into profile words",
        "Has learned which words of documents go with which words of profiles.",
        "learned",
        in_rounds=True,
    )
    trained: ClassVar[bool] = True
    dimensions: int = 600
    ridge: float = 1.0
    seed: int = 0
    name: str = "translation.v1"
    vectoriser_: TfIdf | None = field(default=None, repr=False, compare=False)
    latent_: Subspace | None = field(default=None, repr=False, compare=False)
    terms_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    weights_: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    mean_: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    map_: FloatArray = field(default_factory=lambda: np.zeros((0, 0)), repr=False, compare=False)
    _held: UntilIndexed[sparse.csr_array] = field(default_factory=UntilIndexed, repr=False, compare=False)

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """Check whether there is one document or passage at least."""
        return enough_examples(profiles, documents, 1)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from documents whose person has a profile; if they are few, from passages of profiles as well.

        Nothing to learn from, or too few words in it, is a ModelError.
        """
        taught = training_examples(profiles, documents, seed=self.seed)
        if not taught:
            raise ModelError("translation needs documents of known people, or profiles of more than 100 words")
        try:
            return self._learn(profiles, [example.text for example in taught], [example.person for example in taught])
        except ValueError:
            raise ModelError("translation needs documents and profiles that share words among themselves") from None

    def _learn(self, profiles: Sequence[Profile], texts: Sequence[str], people: Sequence[int]) -> Self:
        vectoriser, weighed = fit_tfidf(texts, _features, rarest=2 if len(texts) > 100 else 1)
        dimensions = max(1, min(self.dimensions, min(weighed.shape) - 1))
        latent = main_directions(weighed, dimensions, seed=self.seed)
        coordinates = latent.transform(weighed)
        names, present = _present(profiles)
        frequency = np.bincount(present.indices, minlength=len(names))
        kept = np.flatnonzero(frequency >= (2 if len(profiles) > 100 else 1))
        if not len(kept):
            raise ValueError("no terms in profiles")
        self.terms_ = {names[old]: new for new, old in enumerate(kept)}
        self.weights_ = np.sqrt(np.log((1 + len(profiles)) / frequency[kept]))
        vectors = self._held.keep(profiles, self._unit(present[:, kept]))
        self.mean_ = np.asarray(vectors.mean(axis=0), np.float64).ravel()
        target = (vectors[list(people)].T @ coordinates).T - np.outer(coordinates.sum(axis=0), self.mean_)
        self.map_ = np.linalg.solve(coordinates.T @ coordinates + self.ridge * np.eye(dimensions), target)
        self.vectoriser_, self.latent_ = vectoriser, latent
        return self

    def _unit(self, present: sparse.csr_array) -> sparse.csr_array:
        weighed = self.weights_[present.indices]
        return unit_rows(sparse.csr_array((weighed, present.indices, present.indptr), shape=present.shape))

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """The places of documents in the latent space, none longer than one: (texts, dimensions) float64."""
        if self.vectoriser_ is None or self.latent_ is None:
            raise ModelError("translation must be fitted before it can be used")
        return self.latent_.transform(self.vectoriser_.transform([visible(text) for text in texts]))

    def parts(self, text: str, words: Sequence[str]) -> FloatArray:
        """The contribution of each word to a document's place in the latent space: (words, dimensions) float64."""
        if self.vectoriser_ is None or self.latent_ is None:
            raise ModelError("translation must be fitted before it can be used")
        alone, length = self.vectoriser_.alone(visible(text), words)
        return self.latent_.transform(alone) / max(length, 1e-12)

    def translate(self, texts: Sequence[str]) -> FloatArray:
        """The expected terms of the profiles of these texts' people: (texts, profile terms) float64, each in any company."""
        return np.stack([row @ self.map_ for row in self.embed(texts)])

    def index(self, profiles: Sequence[Profile]) -> TranslationIndex:
        """Make a population searchable; new profiles are described in the terms that were fitted."""
        if self.latent_ is None:
            raise ModelError("translation must be fitted before it can index")
        held = self._held.take(profiles)
        vectors = self._vectors_of(profiles) if held is None else held
        placed, bits = self._place(vectors)
        return TranslationIndex(tuple(p.id for p in profiles), self, vectors, placed, bits)

    def _vectors_of(self, profiles: Sequence[Profile]) -> sparse.csr_array:
        names, present = _present(profiles)
        known = [column for column, name in enumerate(names) if name in self.terms_]
        columns = np.array([self.terms_[names[column]] for column in known], np.int64)
        renamed = sparse.csr_array(
            (np.ones(len(known)), (np.arange(len(known)), columns)), shape=(len(known), len(self.terms_))
        )
        return self._unit(sparse.csr_array(present[:, known] @ renamed))

    def _place(self, vectors: sparse.csr_array) -> tuple[FloatArray | None, int]:
        """The profiles by latent dimension, less the mean, in multiples of 2⁻ᵇⁱᵗˢ, and those bits.

        No profile's row is longer than the whole map, so that no product with a document reaches 2⁵³.
        """
        if len(self.map_) * vectors.shape[0] * 8 > _PLACED_BYTES:
            return None, 0
        bits = 51 - _BITS - int(np.ceil(np.log2(1 + np.linalg.norm(self.map_))))
        towards = np.ascontiguousarray(self.map_.T, np.float32)
        placed = np.asarray(vectors.astype(np.float32) @ towards, np.float64)
        placed -= self.map_ @ self.mean_
        return to_integers(placed, bits), bits


def _present(profiles: Sequence[Profile]) -> tuple[list[str], sparse.csr_array]:
    """Terms, in sorted order, and the profiles that have them: (people × terms) float64 of ones."""
    stated, worded = count_words(profiles, facts), count_words(profiles)
    present = sparse.csr_array(sparse.hstack([stated.counts, worded.counts], format="csr"), dtype=np.float64)
    present.data[:] = 1
    return [f"#{fact}" for fact in stated.words] + list(worded.words), present
