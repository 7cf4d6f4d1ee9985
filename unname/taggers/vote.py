"""Several taggers as one: a span counts if enough of them give it, with the same borders and label."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unname.errors import SettingsError
from unname.taggers.base import Tagger, first_come
from unname.types import Span


@dataclass(frozen=True, slots=True)
class Vote:
    """The spans that at least `quorum` of the taggers give; with a quorum of one, the spans of any.

    Of spans that overlap the one with more votes stays, then the surer, the longer, the earlier. A span scores as the
    mean over all taggers, 0 for those that do not find it.
    """

    taggers: tuple[Tagger, ...]
    quorum: int = 2
    name: str = "vote.v1"

    def __post_init__(self) -> None:
        if not 0 < self.quorum <= len(self.taggers):
            raise SettingsError("a quorum is at least one and at most the number of taggers")

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, as any tagger's."""
        by_tagger = [tagger.tag(texts) for tagger in self.taggers]
        return [self._elected([spans[place] for spans in by_tagger]) for place in range(len(texts))]

    def _elected(self, ballots: Sequence[Sequence[Span]]) -> list[Span]:
        scores: dict[Span, list[float]] = defaultdict(list)
        for spans in ballots:
            for span in spans:
                scores[Span(span.start, span.end, span.label)].append(span.score)
        order = sorted(scores, key=lambda s: (-len(scores[s]), -sum(scores[s]), s.start - s.end, s))
        elected = (span for span in order if len(scores[span]) >= self.quorum)
        return first_come(replace(s, score=round(sum(scores[s]) / len(self.taggers), 6)) for s in elected)
