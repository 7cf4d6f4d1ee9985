"""Taggers: texts in, scored spans of identifiers out; and the choice between spans that overlap."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from unname.normalised import NormalisedText
from unname.types import Document, Span


@runtime_checkable
class Tagger(Protocol):
    """Finds the stretches of a text that are identifiers. Deterministic; a text's spans do not depend on its company."""

    @property
    def name(self) -> str:
        """Versioned name, such as `rules.v1`."""
        ...

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, whole texts of any length: sorted, disjoint, in range, with label and score.

        Offsets are code points of the text as given. A text that cannot be read to its end raises (nobody may take a
        part for the whole).
        """
        ...


@runtime_checkable
class Proposing(Protocol):
    """A tagger that can give all its spans before overlaps are resolved."""

    def proposals(self, text: str) -> list[Span]:
        """The spans of a text, which may overlap."""
        ...


@runtime_checkable
class NamesLabels(Protocol):
    """A tagger that needs no training and has a fixed set of labels."""

    @property
    def labels(self) -> Collection[str]:
        """Every label."""
        ...


@runtime_checkable
class LearnedLabels(Protocol):
    """A tagger that has learned its labels."""

    @property
    def labels_(self) -> Collection[str]:
        """BIO labels."""
        ...


@runtime_checkable
class TrainableTagger(Tagger, Protocol):
    """A tagger that learns from annotated documents and is kept in a folder of safetensors and JSON."""

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; training stops by `held_out` ones. Nothing to learn from: ModelError."""
        ...

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. It holds words of the texts it learned from."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        ...


def tag_all(taggers: Sequence[Tagger], texts: Sequence[str]) -> list[list[Span]]:
    """The spans of several taggers in each text, disjoint."""
    by_tagger = [tagger.tag(texts) for tagger in taggers]
    return [without_overlaps(span for spans in row for span in spans) for row in zip(*by_tagger, strict=True)]


def all_found(taggers: Iterable[Tagger], text: str) -> list[Span]:
    """The spans of several taggers in a text before overlaps are resolved: no span hides one that it would beat."""
    return [
        span
        for tagger in taggers
        for span in (tagger.proposals(text) if isinstance(tagger, Proposing) else tagger.tag([text])[0])
    ]


class Remembering:
    """A tagger that remembers the last text it read, for users who need its spans twice; no text but that one."""

    def __init__(self, tagger: Tagger) -> None:
        self._tagger = tagger
        self._last: tuple[str, list[Span]] | None = None

    def __repr__(self) -> str:
        return f"Remembering({self._tagger!r})"

    @property
    def name(self) -> str:
        """That of the tagger."""
        return self._tagger.name

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The tagger's own spans; nothing is remembered."""
        return self._tagger.tag(texts)

    def proposals(self, text: str) -> list[Span]:
        """All spans of the tagger in a text."""
        if self._last is None or self._last[0] != text:
            self._last = text, all_found((self._tagger,), text)
        return list(self._last[1])


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order. Of two that overlap the longer stays, then the surer, the earlier, the first label by name.

    A loser goes as a whole where a stretch of one label is wanted; masking covers the union instead (`merge_spans`).
    """
    spans = sorted(spans, key=attrgetter("start"))
    # Most are disjoint as they come.
    if all(s.start < s.end for s in spans) and all(a.end <= b.start for a, b in pairwise(spans)):
        return spans
    return first_come(sorted(spans, key=lambda s: (s.start - s.end, -s.score, s.start, s.label)))


def disjoint(spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order that cover what the given ones do: the earlier keeps all, the other its rest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.label)):
        start = max(span.start, kept[-1].end) if kept else span.start
        if start < span.end:
            kept.append(replace(span, start=start))
    return kept


def first_come(spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order of place; of two that overlap the first stays, and empty ones go."""
    kept: list[Span] = []
    for span in spans:
        at = bisect_left(kept, span.end, key=lambda k: k.start)
        if span.start < span.end and (at == 0 or kept[at - 1].end <= span.start):
            kept.insert(at, span)
    return kept


def in_normalised(seen: NormalisedText, spans: Iterable[Span]) -> list[Span]:
    """Places of spans of the original in a normalised text, without overlaps; a span of which nothing is left goes."""
    return without_overlaps(Span(*seen.folded(s.start, s.end), s.label) for s in spans)


def in_original(seen: NormalisedText, spans: Iterable[Span]) -> list[Span]:
    """Places of spans of a normalised text, disjoint and in order, in the original.

    Two that meet in one character of the original, of which normalising made several (a ligature), share it: the first
    has it.
    """
    originals: list[Span] = []
    for span in spans:
        start, end = seen.original(span.start, span.end)
        start = max(start, originals[-1].end) if originals else start
        if start < end:
            originals.append(Span(start, end, span.label, score=span.score))
    return originals
