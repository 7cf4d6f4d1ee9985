"""Rules and taggers hide what names anybody, then the search what still singles the person out; the default, in rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from unname.knowledge.graph import Graph
from unname.masking.anonymity import Anonymity
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

    `hide` says which labels make the mandatory mask: `direct` ones, `all`, or labels by name; with a `floor` what must go
    for k-anonymity over a knowledge graph belongs to it as well. The rest is as in `Greedy`.
    """

    taggers: tuple[Tagger, ...] = field(default_factory=rules)
    hide: tuple[str, ...] = (DIRECT,)
    give_back: bool = True
    unit: str = "word"
    stop_words: str = "spare"
    floor: Anonymity | None = None
    name: str = "composed.v1"

    def mandatory_mask(
        self, document: Document, row: Sequence[Word], never: frozenset[str] = frozenset()
    ) -> tuple[MaskSpan, ...]:
        """What the taggers find, words whole."""
        return tagged_mandatory(self.taggers, self.hide, document, row, never)

    def mask(self, case: Case) -> list[Mask]:
        """The mandatory mask, and above it what the search adds until every target is reached.

        What the search hides of one term may uncover another, so the floor reads again what is left.
        """
        case = self._mandatory(case)
        masks = self._search.mask(case)
        return masks if self.floor is None else self.floor.mask(replace(case, mandatory=tuple(m.spans for m in masks)))

    def trace(self, case: Case) -> Trace:
        """The search above the mandatory mask, as in `Greedy`."""
        return self._search.trace(self._mandatory(case))

    def cut(self, trace: Trace, targets: Sequence[int], steps: int) -> list[Mask]:
        """Masks after some steps of a trace, mandatory mask included."""
        return self._search.cut(trace, targets, steps)

    @property
    def wants_graph(self) -> bool:
        """Whether its floor has no graph yet."""
        return self.floor is not None and self.floor.wants_graph

    def knowing(self, graph: Graph) -> "Composed":
        """The same with a floor over a graph."""
        return self if self.floor is None else replace(self, floor=self.floor.knowing(graph))

    def _mandatory(self, case: Case) -> Case:
        case = with_mandatory(self, case)
        return case if self.floor is None else self.floor.applied(case)

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
    floor: Anonymity | None = None
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
    def wants_graph(self) -> bool:
        """Whether its floor has no graph yet."""
        return self._composed.wants_graph

    def knowing(self, graph: Graph) -> "Adaptive":
        """The same with a floor over a graph."""
        return replace(self, floor=self._composed.knowing(graph).floor)

    @property
    def _composed(self) -> Composed:
        return Composed(self.taggers, self.hide, self.give_back, self.unit, self.stop_words, self.floor)
