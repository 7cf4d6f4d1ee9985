"""A text as neural taggers read it, normalised: its tokens, its labels, and the windows that a long text is cut into."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from unname.normalised import NormalisedText, normalised
from unname.taggers.base import in_normalised, in_original
from unname.taggers.tokens import OUTSIDE, Token, encode, sentences
from unname.types import Document, Span

# Places of a score: what company changes in the arithmetic of a batch lies beyond them.
_PLACES = 4
# In training, batches of so many are made of parts that were drawn together.
_POOL = 20
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, repr=False)
class TokenizedText:
    """A text as it is read: all its tokens in order, and where sentences begin among them."""

    normalised: NormalisedText
    tokens: tuple[Token, ...]
    starts: tuple[int, ...]

    def __repr__(self) -> str:
        return f"TokenizedText({len(self.tokens)} tokens)"

    def gold(self, spans: Iterable[Span]) -> list[str]:
        """BIO labels of spans of the original text."""
        return encode([self.tokens], in_normalised(self.normalised, spans))[0]

    def original(self, spans: Iterable[Span]) -> list[Span]:
        """Places of spans of the normalised text, disjoint and in order, in the original text."""
        return [replace(s, score=round(s.score, _PLACES)) for s in in_original(self.normalised, spans)]


def read(text: str) -> TokenizedText:
    """A normalised text in tokens; identifiers may run over an apparent end of a sentence ("Av. Mayor")."""
    seen = normalised(text)
    rows = sentences(seen.text)
    starts, at = [], 0
    for row in rows:
        starts.append(at)
        at += len(row)
    return TokenizedText(seen, tuple(token for row in rows for token in row), tuple(starts))


def bio_labels(documents: Iterable[Document]) -> tuple[str, ...]:
    """All BIO labels of the documents' spans: O, then each B, then each I, by name."""
    names = sorted({span.label for document in documents for span in document.spans})
    return (OUTSIDE, *(f"B-{name}" for name in names), *(f"I-{name}" for name in names))


def are_bio_labels(labels: Sequence[str]) -> bool:
    """Check whether these are labels as `bio_labels` gives them, though of any order of names."""
    names = [label[2:] for label in labels[1 : 1 + len(labels) // 2]]
    return list(labels) == [OUTSIDE, *(f"B-{name}" for name in names), *(f"I-{name}" for name in names)]


class Window(NamedTuple):
    """The tokens `[start, end)` are read, and the labels of `[first, last)` count."""

    text: int
    start: int
    end: int
    first: int
    last: int


def windows(lengths: Sequence[int], *, core: int, context: int, together: int) -> Iterator[list[Window]]:
    """Windows over texts of so many tokens: each `core` tokens with up to `context` more on both sides.

    They come longest first, in groups that padded have at most so many tokens `together` (or one member). A text's
    windows follow from its length alone.
    """
    all_windows = [
        Window(text, max(0, at - context), min(length, at + core + context), at, min(length, at + core))
        for text, length in enumerate(lengths)
        for at in range(0, length, core)
    ]
    group: list[Window] = []
    for window in sorted(all_windows, key=lambda w: w.start - w.end):
        if group and (group[0].end - group[0].start) * (len(group) + 1) > together:
            yield group
            group = []
        group.append(window)
    if group:
        yield group


def identity_of(
    documents: Sequence[Document], held_out: Sequence[Document], settings: Mapping[str, object]
) -> Iterator[bytes]:
    """All inputs of a training run but the weights it starts with."""
    yield repr(sorted(settings.items())).encode()
    yield str(len(documents)).encode()
    for document in chain(documents, held_out):
        spans = [(span.start, span.end, span.label) for span in document.spans]
        yield f"{document.text}\0{spans}".encode("utf-8", "surrogatepass")


def span_f1(predicted: Sequence[Sequence[Span]], documents: Sequence[Document]) -> float:
    """F1 of spans against those of documents: borders and label exact, micro over all."""
    hits = proposed = meant = 0
    for spans, document in zip(predicted, documents, strict=True):
        mine, gold = ({(s.start, s.end, s.label) for s in some} for some in (spans, document.spans))
        hits, proposed, meant = hits + len(mine & gold), proposed + len(mine), meant + len(gold)
    return 2 * hits / max(1, proposed + meant)


def batches_of_like_length(
    parts: Sequence[Part], size: int, random: np.random.Generator, length: Callable[[Part], int]
) -> list[list[Part]]:
    """Parts in batches of so many: those of a batch are of like length, and all orders are drawn."""
    order = [parts[i] for i in random.permutation(len(parts))]
    batches: list[list[Part]] = []
    for at in range(0, len(order), size * _POOL):
        near = sorted(order[at : at + size * _POOL], key=lambda part: -length(part))
        batches += [near[i : i + size] for i in range(0, len(near), size)]
    return [batches[i] for i in random.permutation(len(batches))]
