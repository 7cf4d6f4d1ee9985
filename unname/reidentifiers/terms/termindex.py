"""The inverted index under the term-matching reidentifiers: integer weights of terms for people, summed over words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from unname.errors import ModelError
from unname.reidentifiers.base import FloatArray, IntArray, rounded
from unname.reidentifiers.terms.wordcounts import WordCounts
from unname.text import folded_words, visible

# Words whose vocabulary rows an index keeps at hand; beyond that they are looked up anew each time.
REMEMBERED_WORDS = 200_000
# Words that at least one in so many people shares are added as whole rows, in at most so many bytes an index and process.
COMMON_SHARE = 16
ROW_BYTES = 192 << 20
# Postings from this length on are read in place; shorter ones are gathered together.
LONG_POSTINGS = 1024
# The cost of a step of a binary search, in readings of one posting.
BISECTION_COST = 4
# So many postings of the words asked for last are kept at hand, for what is asked of them next.
GATHERED_POSTINGS = 1 << 18
_LARGEST = 2**31 - 1
# The memory of earlier questions, which stays behind when an index is sent to another process.
_MOMENTARY = ("_known", "_features", "_rows", "_highest", "_lengths", "_last", "_asked")
# Words whose features are remembered.
_MOST_ALONE = 1 << 16
Int32Array = npt.NDArray[np.int32]


@dataclass(slots=True, repr=False, eq=False)
class _Parted:
    """Words of a question: `common` ones that have whole rows (`slots`), and all `terms` of the others with any.

    `common` and `owners` (terms,) are places of words in the question; `postings` are those of the terms, one after
    the other, as (people, weights), once they were asked for.
    """

    common: list[int]
    slots: list[int]
    owners: IntArray
    terms: IntArray
    lengths: IntArray
    postings: tuple[IntArray, Int32Array] | None = None


class TermIndex:
    """Weights (terms × people); a text is split into words, and `terms_of` gives the terms of a word.

    A word counts once however often a text repeats it: places and months that recur would drown a name otherwise
    (on biographies, BM25 finds 98 % of the persons by presence and 14 % by raw counts). Satisfies `AdditiveIndex`.
    Terms that are in no profile add nothing. Weights are 32-bit, sums 64-bit integers.
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
        weights.sort_indices()  # postings are searched
        self._people = tuple(people)
        self._vocabulary = vocabulary
        self._starts: IntArray = weights.indptr.astype(np.int64, copy=False)
        self._columns: Int32Array = weights.indices.astype(np.int32, copy=False)
        self._weights: Int32Array = weights.data.astype(np.int32, copy=False)
        self._split = split
        self._terms_of = terms_of
        self._top = int(np.abs(self._weights).max(initial=0))
        self.signed = bool(self._weights.min(initial=0) < 0)
        self._forget()

    def _forget(self) -> None:
        self._known: dict[str, IntArray | int] = {}
        self._features: dict[str, tuple[str, ...]] = {}
        self._rows: Int32Array | None = None
        self._highest: list[int] = []
        self._lengths: IntArray = np.diff(self._starts)
        self._last: tuple[frozenset[str], IntArray | None] = (frozenset(), None)
        self._asked: tuple[tuple[str, ...], _Parted | None] = ((), None)

    def __repr__(self) -> str:
        return f"TermIndex({len(self._vocabulary)} terms, {len(self._people)} people)"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        return self._people

    @property
    def size_bytes(self) -> int:
        """Bytes of the postings, the part that grows with the population."""
        return int(self._starts.nbytes + self._columns.nbytes + self._weights.nbytes)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _MOMENTARY}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def scores(self, text: str) -> IntArray:
        """Summed weights of the text's distinct words, placeholders left out: (people,) int64."""
        return self.sum_of(dict.fromkeys(self._split(visible(text))))

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Scores of many texts: (texts, people) int64."""
        scores = np.empty((len(texts), len(self._people)), np.int64)
        for row, text in enumerate(texts):
            scores[row] = self.scores(text)
        return scores

    def sum_of(self, words: Iterable[str]) -> IntArray:
        """The sum of the contributions of these words: (people,) int64; repeats count.

        Sums are exact, so a text that shares most words with the one before it (a release and its original) is scored
        by the difference.
        """
        asked = tuple(words)
        distinct = frozenset(asked)
        if len(distinct) < len(asked):
            return self._whole_sum(asked)
        last, sums = self._last
        changed = len(distinct ^ last)
        if sums is None or changed * 4 > len(distinct):
            sums = self._whole_sum(asked)
        elif changed:
            gone, come = last - distinct, distinct - last
            sums = sums - self._whole_sum(tuple(sorted(gone))) if gone else sums
            sums = sums + self._whole_sum(tuple(sorted(come))) if come else sums
        self._last = (distinct, sums)
        return sums.copy()

    def _whole_sum(self, words: tuple[str, ...]) -> IntArray:
        parted = self._parted(words)
        most = sum(map(self._highest.__getitem__, parted.slots)) + self._top * len(parted.terms)
        # In 32 bits as long as that is sure to hold.
        sums: IntArray | Int32Array = np.zeros(len(self._people), np.int32)
        if most > _LARGEST:
            sums = sums.astype(np.int64)
        if self._rows is not None:
            for slot in parted.slots:
                np.add(sums, self._rows[slot], out=sums)
        self._add_postings(sums, parted)
        return sums.astype(np.int64, copy=False)

    def contributions(self, words: Sequence[str], columns: IntArray | None = None) -> IntArray:
        """Contributions of each folded word where present, to all people or the distinct `columns`: (words, people) int64."""
        width = len(self._people) if columns is None else len(columns)
        added = np.zeros((len(words), width), np.int64)
        parted = self._parted(tuple(words))
        if parted.common and self._rows is not None:
            slots = np.array(parted.slots)
            if columns is None:
                added[parted.common] = self._rows[slots]
            elif width * 8 < len(self._people):
                added[parted.common] = self._rows[slots[:, None], columns]
            else:
                added[parted.common] = self._rows[slots].take(columns, axis=1)
        if columns is not None and parted.lengths.sum() <= GATHERED_POSTINGS:
            self._scatter_postings(added, parted, columns)
        elif len(parted.terms):
            self._fill_postings(added, parted, columns)
        return added

    def weights_of(self, words: Sequence[str]) -> sparse.csr_array:
        """The same as `contributions` to everybody, as a sparse matrix: (words, people) int64."""
        owners: list[int] = []
        terms: list[int] = []
        for place, word in enumerate(words):
            names = (word,) if self._terms_of is None else self._terms_of(word)
            known = [self._vocabulary[name] for name in names if name in self._vocabulary]
            owners += [place] * len(known)
            terms += known
        size = len(self._starts) - 1
        chosen = sparse.csr_array((np.ones(len(terms), np.int64), (owners, terms)), shape=(len(words), size))
        held = (self._weights.astype(np.int64), self._columns, self._starts)
        return sparse.csr_array(chosen @ sparse.csr_array(held, shape=(size, len(self._people))))

    def feature_worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The worth of the features that go with each folded word, for features of whole texts: (words, columns) float64.

        A feature goes with every word that is a part of it, parted by spaces, or that has it standing alone.
        """
        features = list(dict.fromkeys(self._split(visible(text))))
        place, parts = {word: row for row, word in enumerate(words)}, dict[str, list[int]]()
        for row, word in enumerate(words):
            for feature in self._alone(word):
                parts.setdefault(feature, []).append(row)
        owned = [
            (row, column) for column, feature in enumerate(features)
            for row in {*parts.get(feature, ()), *(place[w] for w in feature.split(" ") if w in place)}
        ]  # fmt: skip
        if not owned:
            return np.zeros((len(words), len(columns)))
        rows, of = np.array(owned).T
        goes = sparse.csr_array((np.ones(len(rows)), (rows, of)), shape=(len(words), len(features)))
        return np.asarray(goes @ self.contributions(features, columns), np.float64)

    def _alone(self, word: str) -> tuple[str, ...]:
        """The features of a word that stands alone: a search asks again and again what the same words are worth."""
        features = self._features.get(word)
        if features is None:
            if len(self._features) >= _MOST_ALONE:
                self._features.clear()
            features = self._features[word] = tuple(self._split(word))
        return features

    def _parted(self, words: tuple[str, ...]) -> _Parted:
        """Words that have a whole row apart from others; those asked for last are remembered."""
        last, answer = self._asked
        if answer is not None and words == last:
            return answer
        common: list[int] = []
        slots: list[int] = []
        owners: list[int] = []
        rare: list[IntArray] = []
        remembered = self._known.get
        for place, word in enumerate(words):
            known = remembered(word)
            if known is None:
                known = self._look_up(word)
            if isinstance(known, int):
                common.append(place)
                slots.append(known)
            elif len(known):
                owners.append(place)
                rare.append(known)
        terms = np.concatenate(rare) if rare else np.zeros(0, np.int64)
        owned = np.array(owners, np.int64).repeat([len(row) for row in rare])
        parted = _Parted(common, slots, owned, terms, self._lengths[terms])
        self._asked = (words, parted)
        return parted

    def _look_up(self, word: str) -> IntArray | int:
        """The slot of a common word, given while there is room, or the vocabulary rows of its terms, repeats kept."""
        names = (word,) if self._terms_of is None else self._terms_of(word)
        terms = np.array([self._vocabulary[name] for name in names if name in self._vocabulary], np.int64)
        people, slot = len(self._people), len(self._highest)
        room = ROW_BYTES // (4 * people) if people else 0
        lengths = self._lengths[terms]
        if slot < room and int(lengths.sum()) * COMMON_SHARE >= people and self._top * len(terms) <= _LARGEST:
            if self._rows is None:
                # Untouched pages of an empty array take no memory.
                self._rows = np.empty((room, people), np.int32)
            row = self._rows[slot]
            row[:] = 0
            self._add_postings(row, _Parted([], [], np.zeros(len(terms), np.int64), terms, lengths))
            self._highest.append(int(np.abs(row).max()))
            self._known[word] = slot
            return slot
        if len(self._known) < REMEMBERED_WORDS:
            self._known[word] = terms
        return terms

    def _add_postings(self, scores: IntArray | Int32Array, parted: _Parted) -> None:
        """Add all postings of the terms, repeats counting, to scores (people,) of 32 bits, where they fit, or 64."""
        long = parted.lengths >= LONG_POSTINGS
        if long.any():
            for term in parted.terms[long].tolist():
                inside = slice(int(self._starts[term]), int(self._starts[term + 1]))
                np.add.at(scores, self._columns[inside], self._weights[inside].astype(scores.dtype, copy=False))
            parted = _Parted([], [], parted.owners[~long], parted.terms[~long], parted.lengths[~long])
        people, weights = self._postings(parted)
        np.add.at(scores, people, weights.astype(scores.dtype, copy=False))

    def _postings(self, parted: _Parted) -> tuple[IntArray, Int32Array]:
        """People and weights of all postings of the terms, one after the other."""
        if parted.postings is not None:
            return parted.postings
        ends = parted.lengths.cumsum()
        if not len(ends):
            return np.zeros(0, np.int64), np.zeros(0, np.int32)
        places = np.arange(ends[-1]) + (self._starts[parted.terms] - ends + parted.lengths).repeat(parted.lengths)
        postings = self._columns[places].astype(np.int64), self._weights[places]
        if len(places) <= GATHERED_POSTINGS:
            parted.postings = postings
        return postings

    def _fill_postings(self, rows: IntArray, parted: _Parted, columns: IntArray | None) -> None:
        """Add the terms of each word to its own row of `rows` (words, columns or everybody)."""
        terms, owners, lengths = parted.terms, parted.owners, parted.lengths
        if columns is not None:
            steps = int(lengths.max()).bit_length()
            if len(terms) * len(columns) * steps * BISECTION_COST < lengths.sum():
                np.add.at(rows, owners, self._bisect(terms, columns, steps))
                return
        size = np.bincount(owners, lengths, minlength=len(rows))
        whole = size > 0 if columns is None else size * COMMON_SHARE >= len(self._people)
        for place in np.flatnonzero(whole):
            mine = owners == place
            row = np.zeros(len(self._people), np.int64)
            self._add_postings(row, _Parted([], [], owners[mine], terms[mine], lengths[mine]))
            rows[place] += row if columns is None else row[columns]
        if columns is None:
            return
        if whole.any():
            few = ~whole[owners]
            parted = _Parted([], [], owners[few], terms[few], lengths[few])
        self._scatter_postings(rows, parted, columns)

    def _scatter_postings(self, rows: IntArray, parted: _Parted, columns: IntArray) -> None:
        """Add the postings of terms to the rows (of `rows`) that own them, for the people in `columns`."""
        people, weights = self._postings(parted)
        if len(columns) == 1:
            kept = (people == columns[0]).nonzero()[0]
            flat = parted.owners.repeat(parted.lengths)[kept]
        else:
            where = np.full(len(self._people), -1, np.int32)
            where[columns] = np.arange(len(columns), dtype=np.int32)
            to = where[people]
            kept = (to >= 0).nonzero()[0]
            flat = (parted.owners * len(columns)).repeat(parted.lengths)[kept] + to[kept]
        np.add.at(rows.reshape(-1), flat, weights[kept].astype(np.int64))

    def _bisect(self, terms: IntArray, columns: IntArray, steps: int) -> IntArray:
        """Weights of terms for a few people, each looked up in its sorted postings: (terms, columns) int64."""
        low = np.repeat(self._starts[terms][:, None], len(columns), axis=1)
        end = self._starts[terms + 1][:, None]
        high, last = np.repeat(end, len(columns), axis=1), len(self._columns) - 1
        for _ in range(steps):
            middle = (low + high) >> 1
            less = (self._columns[np.minimum(middle, last)] < columns) & (low < high)
            low, high = np.where(less, middle + 1, low), np.where(less, high, middle)
        at = np.minimum(low, last)
        return np.where((low < end) & (self._columns[at] == columns), self._weights[at], 0).astype(np.int64)


class FeatureIndex:
    """A `TermIndex` over features of whole texts (phrases, figures): scores as usual, but no sum over single words."""

    def __init__(self, terms: TermIndex) -> None:
        self._terms = terms

    def __repr__(self) -> str:
        return f"FeatureIndex({self._terms!r})"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        return self._terms.people

    def scores(self, text: str) -> IntArray:
        """Summed weights of the text's distinct features: (people,) int64."""
        return self._terms.scores(text)

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Scores of many texts: (texts, people) int64."""
        return self._terms.scores_of(texts)

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of people when a word goes: features it is part of, or has alone, (words, columns)."""
        return self._terms.feature_worth(text, words, columns)


def by_term(weights: npt.NDArray[np.int64] | Int32Array, counts: sparse.csr_array) -> sparse.csr_array:
    """Weights in the order of `counts` (people × terms) as an inverted index (terms × people) int32."""
    if len(weights) and int(np.abs(weights).max()) > _LARGEST:
        raise ModelError("a term weighs more than an index can hold")
    whole = sparse.csr_array((weights.astype(np.int32), counts.indices, counts.indptr), shape=counts.shape)
    return sparse.csr_array(whole.T.tocsr())


def cosine_weights(counted: WordCounts, frequency: Mapping[str, int], profiles: int) -> sparse.csr_array:
    """TF-IDF weights of a cosine whose document side holds presence: (terms × people) int32.

    Profile side: (1 + ln count) · idf at unit length; idf = ln((1 + N) / (1 + df)) + 1, applied on both sides. The
    document's own length is left out: it is the same for every profile, and without it the score is a sum.
    """
    counts = counted.counts
    df = np.array([frequency.get(term, 0) for term in counted.words], np.float64)
    inverse = np.log((1 + profiles) / (1 + df)) + 1
    weights = np.empty(counts.nnz, np.int64)
    block = 50_000
    for first in range(0, counts.shape[0], block):
        ends = counts.indptr[first : first + block + 1]
        inside = slice(int(ends[0]), int(ends[-1]))
        rarity = inverse[counts.indices[inside]]
        own = (1 + np.log(counts.data[inside])) * rarity
        people = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        # Summed term by term in sorted order, so that two people with the same terms get the same length to the bit.
        length = np.sqrt(np.bincount(people, own * own, minlength=len(ends) - 1))
        weights[inside] = rounded(own * rarity / np.maximum(length, 1e-12)[people])
    return by_term(weights, counts)
