"""Transforms that take words out: a token for each, one token for neighbours, or nothing at all.

A transform is a pure function of document and mask. Characters that no span covers stay as they are, byte for byte.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from unname.errors import InputError
from unname.text import MASK_TOKEN, WORD
from unname.types import Document, Mask, Release


@runtime_checkable
class Transform(Protocol):
    """Makes the released text of a document under a mask."""

    @property
    def name(self) -> str:
        """Versioned name, such as `redact.v1`."""
        ...

    def release(self, document: Document, mask: Mask) -> Release:
        """The released text with its map back; spans out of range, unsorted or overlapping are an InputError."""
        ...


def token_for(label: str) -> str:
    """`[MASK]`, or `[NAME]` and the like where a label is known."""
    return f"[{label}]" if label else MASK_TOKEN


def _assemble(document: Document, mask: Mask, replaced: Iterable[tuple[int, int, str]]) -> Release:
    """What is released with texts in place of stretches, once the mask's spans are seen to be sorted and disjoint."""
    end = 0
    for span in mask.spans:
        if not end <= span.start < span.end <= len(document.text):
            raise InputError("a mask has a span that is out of order, empty or outside the text")
        end = span.end
    parts: list[str] = []
    pieces: list[tuple[int, int, int, int]] = []
    at = written = 0

    def put(text: str, start: int, end: int) -> None:
        nonlocal written
        parts.append(text)
        pieces.append((written, written + len(text), start, end))
        written += len(text)

    for start, end, token in replaced:
        if at < start:
            put(document.text[at:start], at, start)
        put(token, start, end)
        at = end
    if at < len(document.text):
        put(document.text[at:], at, len(document.text))
    return Release(document.id, "".join(parts), tuple(pieces))


@dataclass(frozen=True, slots=True)
class Redact:
    """Put a token in place of every hidden word."""

    name: str = "redact.v1"

    def release(self, document: Document, mask: Mask) -> Release:
        """One token for each span."""
        return _assemble(document, mask, ((s.start, s.end, token_for(s.label)) for s in mask.spans))


@dataclass(frozen=True, slots=True)
class Collapse:
    """Put one token in place of neighbouring hidden words, so that their number does not show (Morris 2022 §8.4).

    Neighbours are spans with no word between them; what stands between goes with them.
    """

    name: str = "collapse.v1"

    def release(self, document: Document, mask: Mask) -> Release:
        """One token for each run of spans; its label is kept where all agree."""
        runs: list[tuple[int, int, str]] = []
        for span in mask.spans:
            if runs and not WORD.search(document.text, runs[-1][1], span.start):
                start, _, token = runs[-1]
                runs[-1] = (start, span.end, token if token == token_for(span.label) else MASK_TOKEN)
            else:
                runs.append((span.start, span.end, token_for(span.label)))
        return _assemble(document, mask, runs)


@dataclass(frozen=True, slots=True)
class Delete:
    """Take hidden words out and leave nothing in their place; spaces and punctuation around them stay."""

    name: str = "delete.v1"

    def release(self, document: Document, mask: Mask) -> Release:
        """The text without its spans."""
        return _assemble(document, mask, ((s.start, s.end, "") for s in mask.spans))
