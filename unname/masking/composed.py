"""Rules and taggers hide what names anybody, then the search what still singles the person out; the default, in rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from unname.masking.base import Case
from unname.masking.search import Greedy, Trace
from unname.masking.tagged import rules, tagged_mandatory, with_mandatory
from unname.taggers.base import Tagger
from unname.taggers.labels import DIRECT
from unname.text import Word
from unname.types import Document, Mask, MaskSpan


@dataclass(frozen=True, slots=True)
class Composed:
    """Rules and taggers hide direct identifiers, a mandatory mask that is never given back; then the greedy search goes on.

    `hide` says which labels make the mandatory mask: `direct` ones, `all`, or labels by name. The rest is as in `Greedy`.
    """

    taggers: tuple[Tagger, ...] = field(default_factory=rules)
    hide: tuple[str, ...] = (DIRECT,)
    give_back: bool = True
    unit: str = "word"
    stop_words: str = "spare"
    name: str = "composed.v1"

    def mandatory_mask(
        self, document: Document, row: Sequence[Word], never: frozenset[str] = frozenset()
    ) -> tuple[MaskSpan, ...]:
        """What the taggers find, words whole."""
        return tagged_mandatory(self.taggers, self.hide, document, row, never)

    def mask(self, case: Case) -> list[Mask]:
        """The mandatory mask, and above it what the search adds until every target is reached."""
        return self._search.mask(with_mandatory(self, case))

    def trace(self, case: Case) -> Trace:
        """The search above the mandatory mask, as in `Greedy`."""
        return self._search.trace(with_mandatory(self, case))

    def cut(self, trace: Trace, targets: Sequence[int], steps: int) -> list[Mask]:
        """Masks after some steps of a trace, mandatory mask included."""
        return self._search.cut(trace, targets, steps)

    @property
    def _search(self) -> Greedy:
        return Greedy(give_back=self.give_back, unit=self.unit, stop_words=self.stop_words)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """As `composed`; then attackers are retrained on what is left, and what they still find is masked, in `rounds` at most.

    The rounds are made by whoever runs it, since they need a release and attackers; a trace is of the search before them.
    Sources: Li 2014, who retrains; Morris 2022 for the search.
    """

    taggers: tuple[Tagger, ...] = field(default_factory=rules)
    hide: tuple[str, ...] = (DIRECT,)
    give_back: bool = True
    unit: str = "word"
    stop_words: str = "spare"
    rounds: int = 3
    name: str = "adaptive.v1"

    def mandatory_mask(
        self, document: Document, row: Sequence[Word], never: frozenset[str] = frozenset()
    ) -> tuple[MaskSpan, ...]:
        """What the taggers find, words whole."""
        return self._composed.mandatory_mask(document, row, never)

    def mask(self, case: Case) -> list[Mask]:
        """What one round hides above the mandatory mask."""
        return self._composed.mask(case)

    def trace(self, case: Case) -> Trace:
        """The search before any round, as in `Composed`."""
        return self._composed.trace(case)

    def cut(self, trace: Trace, targets: Sequence[int], steps: int) -> list[Mask]:
        """Masks before any round, after some steps of a trace."""
        return self._composed.cut(trace, targets, steps)

    @property
    def _composed(self) -> Composed:
        return Composed(self.taggers, self.hide, self.give_back, self.unit, self.stop_words)
