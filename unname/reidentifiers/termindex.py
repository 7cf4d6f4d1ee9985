"""The inverted index under the term-matching reidentifiers: integer weights of terms for people, summed over words."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from scipy import sparse

from unname.reidentifiers.base import IntArray, rounded
from unname.text import folded_words, visible


class TermIndex:
    """Weights (terms × people); a text is split into words, and `terms_of` says which terms a word consists of.

    A word counts once however often a text repeats it: places and months that recur would drown a name otherwise
    (on biographies, BM25 finds 98 % of the persons by presence and 14 % by raw counts). Satisfies `AdditiveIndex`.
    Terms that are in no profile add nothing.
    """

    def __init__(
        self,
        people: Sequence[str],
        vocabulary: dict[str, int],
        weights: sparse.csr_array,
        *,
        split: Callable[[str], Iterable[str]] = folded_words,
        terms_of: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        self._people = tuple(people)
        self._vocabulary = vocabulary
        self._weights = weights
        self._split = split
        self._terms_of = terms_of

    def __repr__(self) -> str:
        return f"TermIndex({len(self._vocabulary)} terms, {len(self._people)} people)"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        return self._people

    def contributions(self, words: Sequence[str]) -> sparse.csr_array:
        """What the presence of each folded word adds: (words, people) int64."""
        return sparse.csr_array(self._selection([(word,) for word in words]) @ self._weights)

    def scores(self, text: str) -> IntArray:
        """Summed weights of the text's distinct words, placeholders left out: (people,) int64."""
        selection = self._selection([dict.fromkeys(self._split(visible(text)))])
        return np.asarray((selection @ self._weights).toarray(), dtype=np.int64).ravel()

    def _selection(self, groups: Sequence[Iterable[str]]) -> sparse.csr_array:
        indices: list[int] = []
        ends = [0]
        for group in groups:
            for word in group:
                for term in (word,) if self._terms_of is None else self._terms_of(word):
                    row = self._vocabulary.get(term)
                    if row is not None:
                        indices.append(row)
            ends.append(len(indices))
        shape = (len(groups), self._weights.shape[0])
        ones = np.ones(len(indices), np.int64)
        return sparse.csr_array((ones, np.array(indices, np.int64), np.array(ends, np.int64)), shape=shape)


def count_terms(bags: Sequence[Counter[str]]) -> tuple[dict[str, int], sparse.csr_array]:
    """Count terms of people: row of each term, and (terms × people) float64 in sorted term order."""
    vocabulary = {term: row for row, term in enumerate(sorted(set().union(*bags)))}
    rows = [vocabulary[term] for bag in bags for term in bag]
    columns = [column for column, bag in enumerate(bags) for _ in bag]
    counts = [occurrences for bag in bags for occurrences in bag.values()]
    shape = (len(vocabulary), len(bags))
    matrix = sparse.coo_array((np.array(counts, np.float64), (rows, columns)), shape=shape)
    return vocabulary, sparse.csr_array(matrix)


def cosine_weights(
    vocabulary: Mapping[str, int], counts: sparse.csr_array, frequency: Mapping[str, int], profiles: int
) -> sparse.csr_array:
    """TF-IDF weights of a cosine whose document side holds presence: (terms × people) int64.

    Profile side: (1 + ln count) · idf at unit length; idf = ln((1 + N) / (1 + df)) + 1, applied on both sides. The
    document's own length is left out: it is the same for every profile, and without it the score is a sum.
    """
    df = np.array([frequency.get(term, 0) for term in vocabulary], np.float64)
    inverse = np.log((1 + profiles) / (1 + df)) + 1
    coo = counts.tocoo()
    terms, people = coo.coords
    own = (1 + np.log(coo.data)) * inverse[terms]
    length = np.sqrt(np.bincount(people, own * own, minlength=counts.shape[1]))
    weights = own * inverse[terms] / np.maximum(length, 1e-12)[people]
    return sparse.csr_array(sparse.coo_array((rounded(weights), (terms, people)), shape=counts.shape))
