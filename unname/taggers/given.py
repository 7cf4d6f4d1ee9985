"""Spans that were handed in, as a tagger: the spans that any tool, or a person, marked in the documents of a run."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from unname.errors import TaggingError
from unname.taggers.base import without_overlaps
from unname.taggers.foreign.labels import LabelMap
from unname.taggers.labels import NO_MASK, is_direct
from unname.types import Document, Span

# The label of a span marked as direct whose own label would leave it to a search.
SAID = "DIRECT"


@dataclass(frozen=True, repr=False)
class GivenSpans:
    """The spans of some texts, which are known by their hash. A text that nobody handed in spans for is a TaggingError."""

    by_hash: Mapping[bytes, tuple[Span, ...]]
    name: str = "spans.v1"

    def __repr__(self) -> str:
        return f"GivenSpans({len(self.by_hash)} texts)"

    @property
    def labels(self) -> frozenset[str]:
        """Every label that was handed in, in our words."""
        return frozenset(span.label for spans in self.by_hash.values() for span in spans)

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, disjoint."""
        return [without_overlaps(self.proposals(text)) for text in texts]

    def proposals(self, text: str) -> list[Span]:
        """The spans of a text as they were handed in."""
        spans = self.by_hash.get(_hash(text))
        if spans is None:
            raise TaggingError("no spans were handed in for a text; it is withheld")
        return list(spans)


def given_spans(documents: Sequence[Document], spans: Iterable[Sequence[Span]], labels_as: LabelMap) -> GivenSpans:
    """Spans by document as a tagger; documents of the same text share theirs, and `no_mask` ones are left out."""
    by_hash: dict[bytes, dict[Span, None]] = {}
    for document, row in zip(documents, spans, strict=True):
        mine = by_hash.setdefault(_hash(document.text), {})
        for span in row:
            label = labels_as.of(span.label) if span.kind != NO_MASK else ""
            if span.kind == "direct" and label and not is_direct(label):
                label = SAID
            if label:
                mine[replace(span, label=label, kind="", entity="")] = None
    return GivenSpans({key: tuple(sorted(row)) for key, row in by_hash.items()})


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
