"""The facts of a release that no table holds: what the mask hid of them, and what is left for readers who look things up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unname.facts.stated import Fact, facts_in
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
        hidden = [fact for fact in facts if _is_hidden(fact, text, outcome.mask.spans)]
        left = [fact for fact in facts if fact not in hidden]
        yield DocumentFacts(place, tuple(hidden), tuple(left))


def _is_hidden(fact: Fact, text: str, spans: Sequence[MaskSpan]) -> bool:
    """Whether a fact cannot be told any more: no letter of it is left, or of a full date the day is gone."""
    touching = [(s.start, s.end) for s in spans if s.start < fact.end and fact.start < s.end]
    left = [
        at for at in range(fact.start, fact.end) if text[at].isalnum() and not any(a <= at < b for a, b in touching)
    ]
    if fact.kind == "date":
        return not fact.rare or (len(left) < fact.end - fact.start and bool(touching))
    return not left
