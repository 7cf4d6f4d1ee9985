"""The baselines of Morris 2022 §6: hide profile words, the rarest words, both, or words at random."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar

from unname.draws import draw
from unname.knowledge.population import Population
from unname.masking.base import Case
from unname.masking.search_state import SearchState, masks_from
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.terms.wordcounts import Rarity, rarity_of
from unname.shared_options import idf_threshold_option, stop_words_option, unit_option
from unname.text import folded_words
from unname.types import Document, Mask, MaskSpan


def _mask_in_order(state: SearchState, order: Sequence[int], name: str, certain: int = 0) -> list[Mask]:
    """Hide the first `certain` units in any case, then on until every crowd has reached its target."""
    spans: list[tuple[int, MaskSpan]] = []
    for step, number in enumerate(order, start=1):
        if step > certain and state.satisfied():
            break
        if not state.affordable(number):
            continue
        before = state.crowds()
        state.hide(number)
        spans += state.spans(number, name, step, before, state.crowds())
    return masks_from(state.case, spans)


def _profile_words(case: Case) -> set[str]:
    return set(folded_words(profile_text(case.profile)))


@dataclass(frozen=True, slots=True)
class Nothing:
    """Hide nothing beyond the mandatory mask: what the original gives away."""

    name: str = "none.v1"
    seeks_crowd: ClassVar[bool] = False
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> list[Mask]:
        """The mandatory mask alone."""
        return masks_from(case)


@dataclass(frozen=True, slots=True)
class Lexical:
    """Hide every word that occurs in the person's profile, whatever the crowd."""

    unit: str = unit_option("word")
    stop_words: str = stop_words_option("spare")
    name: str = "lexical.v1"
    seeks_crowd: ClassVar[bool] = False
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> list[Mask]:
        """All profile words and nothing else."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        known = _profile_words(case)
        order = [i for i, u in enumerate(state.units) if state.words[u.word] in known]
        return _mask_in_order(state, order, self.name, len(order))


@dataclass(frozen=True, slots=True)
class Idf:
    """Hide the rarest words first until the crowd is reached, or every word whose IDF is at least `idf_threshold`.

    Rarity is inverse document frequency over all documents and profiles (Morris 2022 §6). With `profile_first` the words
    of the person's profile go before all others, whatever the crowd.
    """

    unit: str = unit_option("word")
    stop_words: str = stop_words_option("spare")
    idf_threshold: float | None = idf_threshold_option()
    profile_first: bool = False
    counted: Rarity = field(default=Rarity(), repr=False)
    name: str = "idf.v1"
    keyed_targets: ClassVar[bool] = True

    @property
    def seeks_crowd(self) -> bool:
        """With a threshold it hides what it hides, whatever the crowd."""
        return self.idf_threshold is None

    def informed(self, documents: Iterable[Document], population: Population) -> "Idf":
        """The same, counting how rare words are in these documents and profiles."""
        texts = chain((document.text for document in documents), map(profile_text, population.profiles))
        return replace(self, counted=rarity_of(texts))

    def mask(self, case: Case) -> list[Mask]:
        """Rarest first, ties in order of the text."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)
        certain = _profile_words(case) if self.profile_first else set()
        idf = [self.counted.idf(word) for word in state.words]
        own = [state.words[u.word] in certain for u in state.units]
        order = sorted(range(len(own)), key=lambda i: (not own[i], -idf[state.units[i].word], i))
        if self.idf_threshold is None:
            return _mask_in_order(state, order, self.name, sum(own))
        threshold = self.idf_threshold
        cut = sum(o or idf[u.word] >= threshold for o, u in zip(own, state.units, strict=True))
        return _mask_in_order(state, order[:cut], self.name, cut)


@dataclass(frozen=True, slots=True)
class Random:
    """Hide words at random until the crowd is reached; the order comes from the seed and the document's id."""

    unit: str = unit_option("word")
    stop_words: str = stop_words_option("spare")
    seed: int = 0
    name: str = "random.v1"
    seeks_crowd: ClassVar[bool] = True
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> list[Mask]:
        """Every unit has the same chance at each step."""
        state = SearchState(case, unit=self.unit, stop_words=self.stop_words)

        def drawn(number: int) -> bytes:
            unit = state.units[number]
            return draw(str(self.seed), unit.occurrences[0].start, case.documents[unit.document].id)

        order = sorted(range(len(state.units)), key=drawn)
        return _mask_in_order(state, order, self.name)
