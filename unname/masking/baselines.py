"""The baselines of Morris 2022 §6: hide profile words, the rarest words, both, or words at random."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unname.masking.base import Case
from unname.masking.search_state import MaskUnit, SearchState, masks_from
from unname.reidentifiers.base import profile_text
from unname.text import folded_words
from unname.types import Mask, MaskSpan

Key = Callable[[MaskUnit], tuple[float | int | str, ...]]


def _mask_in_order(case: Case, state: SearchState, order: Sequence[int], name: str, certain: int) -> list[Mask]:
    """Hide the first `certain` units in any case, then on until every crowd has reached its target."""
    spans, owners = [], []
    for step, number in enumerate(order, start=1):
        unit = state.units[number]
        if step > certain and state.satisfied():
            break
        if not state.affordable(number):
            continue
        before = state.member_crowds(state.crowds(), unit.document)
        state.hide(number)
        after = state.member_crowds(state.crowds(), unit.document)
        spans += [MaskSpan(w.start, w.end, name, step, "", 0.0, before, after) for w in unit.occurrences]
        owners += [unit.document] * len(unit.occurrences)
    return masks_from(case, spans, owners)


def _rarity(state: SearchState, case: Case) -> dict[int, int]:
    """In how many profiles each word of the state occurs, by whole-word members; unknown words are the rarest."""
    index = case.ensemble.get("bm25.v1", next(iter(case.ensemble.values())))
    return {i: int(np.count_nonzero(index.contributions([word])[0])) for i, word in enumerate(state.words)}


def _profile_words(case: Case) -> set[str]:
    return set(folded_words(profile_text(case.profile)))


@dataclass(frozen=True, slots=True)
class Nothing:
    """Hide nothing beyond the mandatory mask: what the original gives away."""

    name: str = "none.v1"
    seeks_crowd: ClassVar[bool] = False

    def mask(self, case: Case) -> list[Mask]:
        """The mandatory mask alone."""
        return masks_from(case, [], [])


@dataclass(frozen=True, slots=True)
class Lexical:
    """Hide every word that occurs in the person's profile, whatever the crowd."""

    unit: str = "word"
    stop_words: str = "mask"
    name: str = "lexical.v1"
    seeks_crowd: ClassVar[bool] = False

    def mask(self, case: Case) -> list[Mask]:
        """All profile words and nothing else."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        known = _profile_words(case)
        order = [i for i, u in enumerate(state.units) if state.words[u.word] in known]
        return _mask_in_order(case, state, order, self.name, len(order))


@dataclass(frozen=True, slots=True)
class Idf:
    """Hide the rarest words first until the crowd is reached; words that no profile holds are the rarest."""

    unit: str = "word"
    stop_words: str = "mask"
    name: str = "idf.v1"

    def mask(self, case: Case) -> list[Mask]:
        """Rarest first, ties in order of the text."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        rarity = _rarity(state, case)
        order = sorted(range(len(state.units)), key=lambda i: (rarity[state.units[i].word], i))
        return _mask_in_order(case, state, order, self.name, 0)


@dataclass(frozen=True, slots=True)
class IdfTableAware:
    """Hide the profile's words, rarest first, then the rarest others, until the crowd is reached."""

    unit: str = "word"
    stop_words: str = "mask"
    name: str = "idf-table-aware.v1"

    def mask(self, case: Case) -> list[Mask]:
        """All profile words, then rarest first."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        rarity, known = _rarity(state, case), _profile_words(case)
        own = [state.words[u.word] in known for u in state.units]
        order = sorted(range(len(own)), key=lambda i: (not own[i], rarity[state.units[i].word], i))
        return _mask_in_order(case, state, order, self.name, sum(own))


@dataclass(frozen=True, slots=True)
class Random:
    """Hide words at random until the crowd is reached; the order comes from the seed and the document's id."""

    unit: str = "word"
    stop_words: str = "mask"
    seed: int = 0
    name: str = "random.v1"

    def mask(self, case: Case) -> list[Mask]:
        """Every unit has the same chance at each step."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)

        def draw(number: int) -> bytes:
            unit = state.units[number]
            drawn = f"{self.seed}\0{unit.occurrences[0].start}\0{case.documents[unit.document].id}"
            return hashlib.sha256(drawn.encode()).digest()

        order = sorted(range(len(state.units)), key=draw)
        return _mask_in_order(case, state, order, self.name, 0)
