"""Reidentifiers: parts that score every profile of a population for a text.

A reidentifier is *fitted* once on a population (frequencies, lengths) and can then *index* any population, the same or
a grown one. Scores are integers, sums over the words of the text: weights are rounded to multiples of 2⁻²⁰ when the
index is built, and from there on all arithmetic is exact. A score that is built up, run down word by word, or computed
anew from the rest is the same number, so equal evidence gives exact ties and a crowd is a count, not an estimate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from unname.log import Progress, silent
from unname.types import Document, Profile

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
SCALE = 1 << 20


@dataclass(frozen=True, slots=True)
class About:
    """A reidentifier's description for readers of a report: a title, one plain sentence, and its family.

    Families: `words` (shared words or their parts), `topics`, `learned` (from documents of other people), `neural`.
    As an attacker it says as well where it takes part: in the `quick` audit; in every audit whose evidence is to count
    (`needed`; the quick ones are in any case); and `in_rounds`, where attackers learn from a release before it is masked
    again.
    """

    title: str
    sentence: str
    family: str
    quick: bool = False
    needed: bool = False
    in_rounds: bool = False


# What is said of a reidentifier that does not say it.
UNKNOWN = About("", "", "unknown")


@runtime_checkable
class Described(Protocol):
    """A reidentifier that describes itself in plain words."""

    @property
    def about(self) -> About:
        """Title, sentence, family."""
        ...


@runtime_checkable
class Index(Protocol):
    """A population made searchable by one reidentifier; column i of every array is person i."""

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the profiles, in column order."""
        ...

    def scores(self, text: str) -> IntArray:
        """Evidence for every profile: (people,) int64, higher is likelier."""
        ...

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts at once: (texts, people) int64; no text changes another's scores."""
        ...


@runtime_checkable
class AdditiveIndex(Index, Protocol):
    """An index whose score of a text is the sum over its distinct words, which is what a search over masks needs."""

    @property
    def signed(self) -> bool:
        """True if a word can count against somebody, so that hiding it raises their score."""
        ...

    def sum_of(self, words: Iterable[str]) -> IntArray:
        """The sum of the contributions of these folded words: (people,) int64; repeats count."""
        ...

    def contributions(self, words: Sequence[str], columns: IntArray | None = None) -> IntArray:
        """Contributions of each folded word where present, to all people or the distinct `columns`: (words, people) int64."""
        ...


@runtime_checkable
class LocalIndex(Index, Protocol):
    """An index that is no sum over words, but can weigh each word of a text in its place.

    A search proposes words by that, and counts crowds by `scores` of the masked text: an estimate decides no crowd.
    """

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of the people in `columns` when every occurrence of a folded word goes: (words, columns).

        In units of scores, float64; 0 for a word that is not there.
        """
        ...


@runtime_checkable
class PairedIndex(LocalIndex, Protocol):
    """An index whose score of a text is the sum over its distinct words and pairs of neighbours, all of them vectors.

    A search can then follow it exactly: a word that goes takes along the pairs it is in.
    """

    def words(self, words: Sequence[str]) -> Float32Array:
        """Vectors of folded words, in whole numbers: (words, dimensions) float32."""
        ...

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Float32Array:
        """Vectors of pairs of neighbours, in whole numbers: (pairs, dimensions) float32."""
        ...

    def against(self, vectors: Float32Array, columns: IntArray | None = None) -> IntArray:
        """Scores that sums of such vectors give everybody, or the people in `columns`: (rows, people) int64, exact."""
        ...


@runtime_checkable
class FieldIndex(Index, Protocol):
    """An index that can measure the agreement of each word of a text with each field of somebody's profile."""

    def agreement(self, texts: Sequence[str], columns: IntArray) -> FloatArray:
        """The agreement of the texts with people's profiles, field by field: (people, fields, 4) float64.

        The sum over all words and pairs, and the three largest of one of them.
        """
        ...


@runtime_checkable
class GradedIndex(LocalIndex, Protocol):
    """A `LocalIndex` with a gradient, which is a better guide to the word to hide than its worth in its place."""

    def falls(
        self, text: str, words: Sequence[str], columns: IntArray, own: int, beside: IntArray, way: float
    ) -> FloatArray:
        """The estimated fall of ln p of the person at `own` among `columns` when a folded word goes: (words,) float64.

        p is a softmax of scores, those `beside` (columns,) of the person's other documents added; 0 for a word that is
        not there. The gradient is taken a part of the `way` (0 to 1) from the text to one of gaps alone.
        """
        ...


@runtime_checkable
class Reidentifier(Protocol):
    """A scorer of the people whom a document may be about: parameters first, then `fit`, then `index` on a population."""

    @property
    def name(self) -> str:
        """Versioned name, such as `bm25.v1`."""
        ...

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from profiles and, if the kind can be trained, from documents whose person is known; returns self."""
        ...

    def index(self, profiles: Sequence[Profile]) -> Index:
        """Make a population searchable with what was fitted; no refit for new profiles."""
        ...


@runtime_checkable
class LearnsFromDocuments(Protocol):
    """A kind of reidentifier that learns from documents, not from profiles alone, and takes a `seed`."""

    @property
    def trained(self) -> bool:
        """True."""
        ...


@runtime_checkable
class CountsExamples(Protocol):
    """A learner that counts, before it learns, if documents are enough to learn from."""

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """False if `fit` on the same would find too little to learn from."""
        ...


@runtime_checkable
class RecordsTraining(Protocol):
    """A reidentifier that records the documents it was trained on."""

    @property
    def trained_on_(self) -> frozenset[str]:
        """Digests of the documents, and of the ids of the people they are about."""
        ...


@runtime_checkable
class Saved(Protocol):
    """A reidentifier that can be kept in a folder."""

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model."""
        ...


@runtime_checkable
class Embeds(Protocol):
    """A reidentifier that has a vector for each profile."""

    def embed_to(
        self, profiles: Sequence[Profile], path: Path, *, progress: Progress = silent, fresh: bool = False
    ) -> object:
        """Write the vectors as `.npy`, and a `.json` beside it that says of which model and people they are."""
        ...


@runtime_checkable
class KeepsRows(Protocol):
    """An index under which every move of a search asks for a word's row, and which keeps it at hand."""

    def row(self, word: str) -> IntArray:
        """The contribution of a folded word to everybody: (people,) int64."""
        ...


@runtime_checkable
class Sized(Protocol):
    """An index that knows how much memory it takes."""

    @property
    def size_bytes(self) -> int:
        """Bytes of its arrays."""
        ...


@runtime_checkable
class Parted(Reidentifier, Protocol):
    """A reidentifier whose `fit` is the `join` of so many parts, each of which can be made somewhere else."""

    @property
    def models(self) -> int:
        """The number of parts."""
        ...

    def part(self, profiles: Sequence[Profile], documents: Sequence[Document], number: int) -> Any:
        """The part of learning that does not depend on the other parts."""
        ...

    def join(self, profiles: Sequence[Profile], documents: Sequence[Document], made: Sequence[Any]) -> Self:
        """Become what `fit` on the same would have become; returns self."""
        ...


def profile_text(profile: Profile) -> str:
    """All field values of a profile as one text; field names say nothing about the person."""
    return "\n".join(profile.fields.values())


def folded_value(profile: Profile, name: str) -> str:
    """A value in its form for comparison: case and spaces folded; "" for none."""
    return " ".join(profile.fields.get(name, "").casefold().split())


def rounded(weights: FloatArray) -> IntArray:
    """Weights as integer multiples of 1 / SCALE."""
    return np.rint(weights * SCALE).astype(np.int64)


def crowd(scores: IntArray, person: int) -> int:
    """The number of *other* profiles that score at least as high as the person at this column (docs/concepts.md)."""
    return int(np.count_nonzero(scores >= scores[person])) - 1


def best(scores: IntArray, most: int) -> IntArray:
    """Columns of the `most` highest scores, highest first, ties in population order."""
    above = np.arange(len(scores))
    if most < len(scores):
        above = np.flatnonzero(scores >= np.partition(scores, len(scores) - most)[len(scores) - most])
    return np.asarray(above[np.argsort(-scores[above], kind="stable")][:most])
