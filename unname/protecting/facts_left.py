"""The facts of a release that no table holds: what the mask hid of them, and what is left for readers who look things up."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from unname.facts.left import Hidden, facts_left
from unname.facts.stated import Fact
from unname.parallel.pool import ONE_PROCESS, Pool, Shared
from unname.protecting.result import Deidentified
from unname.storage.spool import Spool
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


def facts_of(made: Deidentified, pool: Pool = ONE_PROCESS) -> Iterator[DocumentFacts]:
    """The facts of every released document, in input order; of a withheld one nothing stands anywhere."""
    settings = made.mandatory.facts
    if settings is None:
        return
    released = (
        (place, made.documents[place].text, [(span.start, span.end) for span in outcome.mask.spans])
        for place, outcome in enumerate(made.outcomes()) if outcome.release is not None
    )  # fmt: skip
    yield from pool.map(_facts, (made.taggers, settings), released)


def _facts(shared: Shared, item: tuple[int, str, list[tuple[int, int]]]) -> DocumentFacts:
    taggers, settings = shared
    place, text, spans = item
    found = facts_left(text, all_found(taggers, text), Hidden(spans), settings)
    return DocumentFacts(place, found.hidden, found.left)


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
