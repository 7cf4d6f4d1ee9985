"""A reidentifier, which is an attacker as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unname.reidentifiers.base import SCALE, About
from unname.reidentifiers.terms.termindex import TermIndex, by_term
from unname.reidentifiers.terms.wordcounts import count_words
from unname.types import Document, Profile


@dataclass
class SharedWords:
    """The profile that shares most words with the text, common words or rare."""

    about: ClassVar[About] = About(
        "Shared words, counted", "Counts the words that text and profile share.", "words", quick=True, in_rounds=True
    )
    name: str = "foreign.v1"

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        return self

    def index(self, profiles: Sequence[Profile]) -> TermIndex:
        counted = count_words(profiles)
        ones = np.full(counted.counts.nnz, SCALE, np.int64)
        return TermIndex([profile.id for profile in profiles], counted.columns, by_term(ones, counted.counts))
