"""Latent topics: profiles about the same things, even if no word agrees. Source: Deerwester et al. 1990."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, About, FloatArray, IntArray, profile_text
from unname.reidentifiers.terms.subspace import Subspace, main_directions, to_integers
from unname.reidentifiers.terms.tfidf import TfIdf, fit_tfidf
from unname.text import folded_words, visible
from unname.types import Document, Profile

_BITS = 25


@dataclass(slots=True, repr=False)
class LatentIndex:
    """Profiles as unit vectors (people × dimensions) in the latent space of the profiles, in multiples of 2⁻²⁵."""

    people: tuple[str, ...]
    _model: "Latent"
    _vectors: FloatArray

    def scores(self, text: str) -> IntArray:
        """Cosine with every profile: (people,) int64 multiples of 2⁻²⁰."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Cosines of many texts: (texts, people) int64."""
        products = to_integers(self._model.embed(texts), _BITS) @ self._vectors.T
        return np.asarray(np.rint(products * (SCALE / 4.0**_BITS)), np.int64)

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of people when a word goes, the length of the rest held: (words, columns)."""
        return np.asarray(self._model.parts(text, words) @ self._vectors[columns].T * (SCALE / 2.0**_BITS))


@dataclass(slots=True)
class Latent:
    """Latent semantic analysis of the profiles: TF-IDF of words, `dimensions` singular vectors, cosine."""

    about: ClassVar[About] = About(
        "Shared topics (latent semantic analysis)",
        "Compares what text and profile are about, even where they share no word.",
        "topics",
        in_rounds=True,
    )
    dimensions: int = 200
    seed: int = 0
    name: str = "latent.v1"
    vectoriser_: TfIdf | None = field(default=None, repr=False, compare=False)
    latent_: Subspace | None = field(default=None, repr=False, compare=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn the latent space from profiles alone; fewer than two different words in them are a ModelError."""
        vectoriser, weighed = fit_tfidf([profile_text(p) for p in profiles], folded_words)
        try:
            dimensions = max(1, min(self.dimensions, min(weighed.shape) - 1))
            self.latent_ = main_directions(weighed, dimensions, steps=5, seed=self.seed)
        except ValueError:
            raise ModelError("latent needs profiles that hold at least two different words") from None
        self.vectoriser_ = vectoriser
        return self

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors of texts: (texts, dimensions) float64; a text without known words is all zeros."""
        if self.vectoriser_ is None or self.latent_ is None:
            raise ModelError("latent must be fitted before it can be used")
        coordinates = self.latent_.transform(self.vectoriser_.transform([visible(text) for text in texts]))
        length = np.sqrt((coordinates * coordinates).sum(axis=1, keepdims=True))
        return np.asarray(coordinates / np.maximum(length, 1e-12), np.float64)

    def parts(self, text: str, words: Sequence[str]) -> FloatArray:
        """The contribution of each word to the unit vector of a text: (words, dimensions) float64."""
        if self.vectoriser_ is None or self.latent_ is None:
            raise ModelError("latent must be fitted before it can be used")
        shown = visible(text)
        # Texts are brought to length one before their directions are looked at, and after.
        alone, length = self.vectoriser_.alone(shown, words)
        whole = self.latent_.transform(self.vectoriser_.transform([shown]))[0]
        return self.latent_.transform(alone) / max(length * float(np.linalg.norm(whole)), 1e-12)

    def index(self, profiles: Sequence[Profile]) -> LatentIndex:
        """Place profiles in the latent space."""
        vectors = to_integers(self.embed([profile_text(p) for p in profiles]), _BITS)
        return LatentIndex(tuple(p.id for p in profiles), self, vectors)
