"""The facts of a release that no table holds: what the mask hid of them, and what is left for readers who look things up."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from unname.facts.left import Hidden, split_by_mask
from unname.facts.stated import Fact
from unname.protecting.result import Deidentified
from unname.storage.spool import Spool
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
    if settings is None:
        return
    for place, outcome in enumerate(made.outcomes()):
        if outcome.release is not None:
            facts = split_by_mask(outcome.facts, made.documents[place].text, hidden_of(outcome.mask.spans), settings)
            yield DocumentFacts(place, facts.hidden, facts.left)


def hidden_of(spans: Sequence[MaskSpan]) -> Hidden:
    """The hidden stretches of a mask."""
    return Hidden((span.start, span.end) for span in spans)


def facts_spool(dir: Path | None = None) -> Spool[DocumentFacts]:
    """An empty spool of the facts of documents; it holds places and no text."""
    return Spool(_encode, _decode, dir=dir)


def _encode(facts: DocumentFacts) -> bytes:
    parts: list[Any] = [facts.place, [astuple(one) for one in facts.hidden], [astuple(one) for one in facts.left]]
    return json.dumps(parts).encode()


def _decode(content: bytes) -> DocumentFacts:
    place, hidden, left = json.loads(content)
    return DocumentFacts(place, tuple(Fact(*one) for one in hidden), tuple(Fact(*one) for one in left))
