"""The facts of a release that no table holds: what the mask hid of them, and what is left for readers who look things up."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unname.facts.stated import Fact, days_of, facts_in
from unname.protecting.result import Deidentified
from unname.taggers.base import all_found
from unname.types import MaskSpan


@dataclass(frozen=True, slots=True, repr=False)
class DocumentFacts:
    """The facts of the document at a place of the input: those that are hidden, and those that stand in its release."""

    place: int
    hidden: tuple[Fact, ...]
    left: tuple[Fact, ...]

    def __repr__(self) -> str:
        return f"DocumentFacts({len(self.hidden)} hidden, {len(self.left)} left)"


def facts_of(made: Deidentified) -> Iterator[DocumentFacts]:
    """The facts of every released document, in input order; of a withheld one nothing stands anywhere."""
    settings = made.mandatory.facts
    for place, outcome in enumerate(made.outcomes()):
        if outcome.release is None or settings is None:
            continue
        text = made.documents[place].text
        facts = facts_in(text, all_found(made.taggers, text), settings)
        masked = Masked(outcome.mask.spans)
        hidden = [masked.hides(fact, text) for fact in facts]
        yield DocumentFacts(
            place,
            tuple(fact for fact, gone in zip(facts, hidden, strict=True) if gone),
            tuple(fact for fact, gone in zip(facts, hidden, strict=True) if not gone),
        )


class Masked:
    """The spans of a mask, disjoint and in order, looked up by place."""

    def __init__(self, spans: Sequence[MaskSpan]) -> None:
        self._starts = [span.start for span in spans]
        self._ends = [span.end for span in spans]

    def hides(self, fact: Fact, text: str) -> bool:
        """Whether a fact cannot be told any more: no letter or digit of it is left, or of a full date none of its day."""
        if fact.kind != "date":
            return self._covers(fact.start, fact.end, text)
        days = days_of(text[fact.start : fact.end])
        return all(self._covers(fact.start + start, fact.start + end, text) for start, end in days)

    def _covers(self, start: int, end: int, text: str) -> bool:
        at, place = bisect_right(self._ends, start), start
        while place < end:
            hidden = self._starts[at] if at < len(self._starts) else end
            if any(letter.isalnum() for letter in text[place : min(hidden, end)]):
                return False
            place, at = (self._ends[at] if at < len(self._ends) else end), at + 1
        return True
