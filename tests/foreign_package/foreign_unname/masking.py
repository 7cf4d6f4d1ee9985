"""A method."""

from dataclasses import dataclass
from typing import ClassVar

from unname.masking.base import Case
from unname.option import option
from unname.types import Mask, MaskSpan


@dataclass(frozen=True)
class LongWords:
    """Hide every word of so many letters or more, whatever the crowd."""

    letters: int = option(8, "Letters of a word that is hidden.", least=1)
    name: str = "foreign-order.v1"
    seeks_crowd: ClassVar[bool] = False
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> list[Mask]:
        masks = []
        for place, document in enumerate(case.documents):
            long = [word for word in case.free_words(place) if word.end - word.start >= self.letters]
            own = [MaskSpan(word.start, word.end, self.name) for word in long]
            masks.append(Mask(document.id, tuple(sorted((*case.mandatory[place], *own), key=lambda span: span.start))))
        return masks
