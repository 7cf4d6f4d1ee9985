"""Words of a profile that a text shows and that are missing, field by field: evidence that no single score holds.

A word that is missing where a text has gaps, or a name that stands there though the person's own is hidden, speaks for
and against candidates in ways that only who has seen other releases can weigh.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from unname.reidentifiers.base import IntArray, profile_text
from unname.reidentifiers.terms.wordcounts import count_texts
from unname.text import PLACEHOLDER, folded_words, visible
from unname.types import Profile

Features = npt.NDArray[np.float32]
# Fields beyond these are read as parts of the whole profile only.
MOST_FIELDS = 14


@dataclass(frozen=True, slots=True, repr=False)
class ProfileWords:
    """Distinct words of everybody's whole profile and of each field: rows (people · parts) of `held`, (rows, words)."""

    parts: int
    held: sparse.csr_array
    rarity: Features
    vocabulary: dict[str, int]

    def __repr__(self) -> str:
        return f"ProfileWords({len(self.vocabulary)} words, {self.parts} parts)"

    def read(self, texts: Sequence[str]) -> "Reading":
        """Profile words in released texts about one person."""
        shown, count = np.zeros(len(self.rarity), np.float32), 0
        for text in texts:
            row = folded_words(visible(text))
            count += len(row)
            shown[[place for word in row if (place := self.vocabulary.get(word, -1)) >= 0]] = 1
        gaps = sum(len(PLACEHOLDER.findall(text)) for text in texts)
        return Reading(self, shown, np.log1p(np.array([count, gaps, len(texts)], np.float32)))


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """Profile words shown by some texts, and the logarithms of the texts' words, placeholders and number."""

    profiles: ProfileWords
    shown: Features
    about: Features

    def features(self, people: IntArray) -> Features:
        """Agreement of some people's profiles (columns of the population) with what the texts show: (people, features).

        Of the whole profile the summed rarity of words shown and of words missing, their numbers, and the share shown; of
        each field the share shown, the summed rarity of words shown, and the number missing.
        """
        parts = self.profiles.parts
        rows = (np.asarray(people)[:, None] * parts + np.arange(parts)).ravel()
        held = self.profiles.held[rows]
        there, rare, ends = self.shown[held.indices], self.profiles.rarity[held.indices], held.indptr
        seen, weight, met = (_row_sums(v, ends).reshape(len(people), parts) for v in (there, rare, there * rare))
        count = np.diff(ends).reshape(len(people), parts)
        share = seen / np.maximum(count, 1)
        whole = [met[:, 0], weight[:, 0] - met[:, 0], seen[:, 0], count[:, 0] - seen[:, 0], share[:, 0]]
        fields = np.stack([share[:, 1:], met[:, 1:], count[:, 1:] - seen[:, 1:]], axis=2)
        return np.hstack([np.stack(whole, axis=1), fields.reshape(len(people), -1)]).astype(np.float32)


def _row_sums(values: Features, ends: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """Sums of stretches that end there, empty ones 0."""
    running = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    return np.asarray(running[ends[1:]] - running[ends[:-1]])


def profile_words(profiles: Sequence[Profile], fields: Sequence[str]) -> ProfileWords:
    """Read every profile once; `fields` in order of frequency, of which the first fourteen count singly."""
    chosen = list(fields)[:MOST_FIELDS] if len(fields) > 1 else []
    texts = (part for p in profiles for part in (profile_text(p), *(p.fields.get(name, "") for name in chosen)))
    counted = count_texts(texts, folded_words)
    held = counted.counts
    parts = 1 + len(chosen)
    owners = np.repeat(np.arange(held.shape[0]), np.diff(held.indptr))
    frequency = np.bincount(held.indices[owners % parts == 0], minlength=len(counted.words))
    rarity = np.log((1 + len(profiles)) / (0.5 + frequency)).astype(np.float32)
    bare = sparse.csr_array((np.ones(len(held.indices), np.int8), held.indices, held.indptr), shape=held.shape)
    return ProfileWords(parts, bare, rarity, counted.columns)
