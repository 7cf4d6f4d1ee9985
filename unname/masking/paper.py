"""Algorithm 1 of Morris 2022 as printed: the yardstick for the search that is the default."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unname.masking.base import Case, readable_text
from unname.masking.search_state import masks_from
from unname.option import option
from unname.reidentifiers.base import SCALE, FloatArray, crowd
from unname.shared_options import stop_words_option
from unname.stopwords import stop_words_of
from unname.text import Word
from unname.types import Mask, MaskSpan


@dataclass(frozen=True, slots=True)
class Paper:
    """At every step hide the word that most lowers p(true person), each tried through every model; stop out of the top k.

    p is a softmax over all profiles at temperature 1, of several models the product. Words go with all their occurrences,
    whatever their number; nothing is given back, and each document is masked by itself. With a `beam` the best so many
    masks are kept at every step (Appendix B), none of them twice. `stop_words` other than `skip` are words like any.
    Source: Morris 2022, Algorithm 1 and Appendix B.
    """

    beam: int = option(1, "Masks that are kept at every step.", least=1)
    stop_words: str = stop_words_option("mask")
    name: str = "paper.v1"
    seeks_crowd: ClassVar[bool] = True
    keyed_targets: ClassVar[bool] = False

    def mask(self, case: Case) -> list[Mask]:
        """One mask a document, each by itself."""
        spans: list[tuple[int, MaskSpan]] = []
        for document in range(len(case.documents)):
            order, words = self.search(case, document).order, case.free_words(document)
            steps = {word: step for step, word in enumerate(order, start=1)}
            spans += [
                (document, MaskSpan(w.start, w.end, self.name, steps[w.folded])) for w in words if w.folded in steps
            ]
        return masks_from(case, spans)

    def search(self, case: Case, document: int) -> "BeamResult":
        """The words to hide in order, and how many texts went through the models for it."""
        reader = _ModelReader(case, document)
        stops = stop_words_of(w.folded for w in case.words[document]) if self.stop_words == "skip" else frozenset()
        free = dict.fromkeys(w.folded for w in reader.words)
        hideable = [word for word in free if word not in case.never and word not in stops]
        target = case.targets[document]
        total, often = len(case.words[document]), Counter(w.folded for w in reader.words)
        room = int(case.budget * total + 1e-9) - (total - len(reader.words))
        beams: list[tuple[str, ...]] = [()]
        crowds, _ = reader.read([()])
        tried: set[frozenset[str]] = {frozenset()}
        while crowds[0] < target:
            grown = [(*beam, word) for beam in beams for word in hideable if word not in beam]
            grown = [mask for mask in grown if sum(often[word] for word in mask) <= room]
            fresh = list({key: mask for mask in grown if (key := frozenset(mask)) not in tried}.values())
            if not fresh:
                break
            tried.update(map(frozenset, fresh))
            crowds, chances = reader.read(fresh)
            best = np.argsort(chances, kind="stable")[: self.beam].tolist()
            # A mask that is enough ends the search, whichever of the beam it is.
            best.sort(key=lambda place: (crowds[place] < target, chances[place]))
            beams, crowds = [fresh[place] for place in best], [crowds[place] for place in best]
        return BeamResult(beams[0], crowds[0], reader.evaluations)


@dataclass(frozen=True, slots=True, repr=False)
class BeamResult:
    """The words of a mask in the order in which they went, the smallest crowd then, and what it took to find them."""

    order: tuple[str, ...]
    crowd: int
    evaluations: int


class _ModelReader:
    """One document through every model, with some words hidden."""

    def __init__(self, case: Case, document: int) -> None:
        self._case, self._text = case, case.documents[document].text
        self.words: list[Word] = case.free_words(document)
        self._mandatory = [(span.start, span.end) for span in case.mandatory[document]]
        self._beside = " ".join(sorted(case.kept[document]))
        self.evaluations = 0

    def _shown(self, mask: Sequence[str]) -> str:
        hidden = frozenset(mask)
        own = [(word.start, word.end) for word in self.words if word.folded in hidden]
        return readable_text(self._text, [*self._mandatory, *own], self._beside)

    def read(self, masks: Sequence[Sequence[str]]) -> tuple[list[int], FloatArray]:
        """Of each mask the smallest crowd under any model, and log p(true person) under all of them together."""
        texts, column = [self._shown(mask) for mask in masks], self._case.column
        self.evaluations += len(texts)
        crowds = np.full(len(texts), np.iinfo(np.int64).max)
        chances = np.zeros(len(texts))
        for index in (*self._case.ensemble.values(), *self._case.local.values()):
            for row, scores in enumerate(index.scores_of(texts)):
                light = scores / SCALE
                chances[row] += light[column] - light.max() - np.log(np.exp(light - light.max()).sum())
                crowds[row] = min(crowds[row], crowd(scores, column))
        return crowds.tolist(), chances
