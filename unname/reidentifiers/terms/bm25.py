"""BM25, which ranks profiles by the document's rare words. Source: Robertson & Zaragoza 2009; Morris 2022 §3 (IR ReID)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from unname.errors import ModelError
from unname.option import option
from unname.reidentifiers.base import About, FloatArray, rounded
from unname.reidentifiers.terms.termindex import TermIndex, by_term
from unname.reidentifiers.terms.wordcounts import count_words
from unname.types import Document, Profile


@dataclass(slots=True)
class Bm25:
    """Okapi BM25 with Lucene's always-positive inverse document frequency; the document is the query.

    A word of the document counts once (query saturation k3 = 0).
    `k1` sets the saturation of repetition in a profile, `b` the penalty on long profiles.
    """

    about: ClassVar[About] = About(
        "Shared rare words (BM25)",
        "Looks for the profile that shares the rarest words with the text.",
        "words",
        quick=True,
        in_rounds=True,
    )
    k1: float = option(1.5, "Saturation of repetition in a profile.", least=0)
    b: float = option(0.75, "Penalty on long profiles.", least=0)
    name: str = "bm25.v1"
    mean_length_: float = field(default=0.0, repr=False)
    profiles_: int = field(default=0, repr=False)
    frequency_: dict[str, int] = field(default_factory=dict, repr=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn document frequencies and the mean length (in words) of profiles."""
        counted = count_words(profiles)
        self.profiles_, self.frequency_ = len(profiles), counted.frequency
        self.mean_length_ = float(counted.counts.sum()) / max(len(profiles), 1)
        return self

    def inverse_frequency(self, terms: Sequence[str]) -> FloatArray:
        """ln(1 + (N − df + ½) / (df + ½)) of each term: (terms,) float64."""
        df = np.array([self.frequency_.get(term, 0) for term in terms], np.float64)
        return np.log1p((self.profiles_ - df + 0.5) / (df + 0.5))

    def index(self, profiles: Sequence[Profile]) -> TermIndex:
        """Weigh every word of every profile; words unseen in fitting count as in no profile."""
        if not self.profiles_:
            raise ModelError("bm25 must be fitted before it can index")
        counted = count_words(profiles)
        counts = counted.counts
        lengths = np.asarray(counts.sum(axis=1), np.float64).ravel()
        saturation = self.k1 * (1 - self.b + self.b * lengths / max(self.mean_length_, 1e-9))
        people = np.repeat(np.arange(len(profiles)), np.diff(counts.indptr))
        held = counts.data.astype(np.float64)
        weights = rounded(self.inverse_frequency(counted.words)[counts.indices] * held / (held + saturation[people]))
        return TermIndex([p.id for p in profiles], counted.columns, by_term(weights, counts))
