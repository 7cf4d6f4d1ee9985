"""Within-word character n-grams, which match parts of words (names inflected, joined, misspelt)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Self

from scipy import sparse

from unname.errors import ModelError
from unname.option import option
from unname.reidentifiers.base import About
from unname.reidentifiers.terms.termindex import TermIndex, cosine_weights
from unname.reidentifiers.terms.wordcounts import UntilIndexed, WordCounts, count_texts, count_words
from unname.types import Document, Profile


def word_ngrams(word: str, shortest: int, longest: int) -> list[str]:
    """All n-grams of a word between borders ("·ann·"); a word shorter than n counts once, whole."""
    padded = f"\x02{word}\x03"
    ngrams: list[str] = []
    for size in range(shortest, longest + 1):
        ngrams += [padded[i : i + size] for i in range(max(len(padded) - size, 0) + 1)]
        if len(padded) <= size:
            break
    return ngrams


@dataclass(slots=True)
class Ngrams:
    """TF-IDF over within-word n-grams: logarithmic counts and unit length on the profile side, presence on the other."""

    about: ClassVar[About] = About(
        "Shared parts of words (n-grams)",
        "Compares three to five letters at a time, so that endings and spellings matter less.",
        "words",
        quick=True,
        in_rounds=True,
    )
    shortest: int = option(3, "Letters of the shortest n-grams.", least=1)
    longest: int = option(5, "Letters of the longest n-grams.", least=1)
    name: str = "ngrams.v1"
    profiles_: int = field(default=0, repr=False)
    frequency_: dict[str, int] = field(default_factory=dict, repr=False)
    _counted: UntilIndexed[WordCounts] = field(default_factory=UntilIndexed, repr=False, compare=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn the number of profiles that each n-gram occurs in."""
        counted = self._counted.keep(profiles, self._count(profiles))
        self.profiles_, self.frequency_ = len(profiles), counted.frequency
        return self

    def _count(self, profiles: Sequence[Profile]) -> WordCounts:
        """N-grams in sorted order and counts (people × n-grams): words are taken apart once each."""
        counted = count_words(profiles)
        of_words = count_texts(counted.words, partial(word_ngrams, shortest=self.shortest, longest=self.longest))
        counts = sparse.csr_array(counted.counts @ of_words.counts)
        counts.sort_indices()
        return WordCounts(of_words.words, counts)

    def index(self, profiles: Sequence[Profile]) -> TermIndex:
        """Weigh every n-gram of every profile; n-grams unseen in fitting count as in no profile."""
        if not self.profiles_:
            raise ModelError("ngrams must be fitted before it can index")
        counted = self._counted.take(profiles) or self._count(profiles)
        matrix = cosine_weights(counted, self.frequency_, self.profiles_)
        terms_of = partial(word_ngrams, shortest=self.shortest, longest=self.longest)
        return TermIndex([p.id for p in profiles], counted.columns, matrix, terms_of=terms_of)
