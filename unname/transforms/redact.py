"""Transforms that take words out: a token for each, one token for neighbours, or nothing at all."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from unname.errors import InputError
from unname.text import MASK_TOKEN, WORD
from unname.transforms.base import Context
from unname.types import Document, Mask, Placeholder, Release

# The kind of a placeholder for a span without a label.
MASKED = "mask"


def token_for(label: str) -> str:
    """`[MASK]`, or `[NAME]` and the like where a label is known."""
    return f"[{label}]" if label else MASK_TOKEN


@lru_cache(maxsize=1 << 10)
def hidden_as(label: str) -> Placeholder:
    """The token for a span with this label."""
    return Placeholder(label.lower() or MASKED, token_for(label))


def assemble(document: Document, mask: Mask, replaced: Iterable[tuple[int, int, Placeholder]]) -> Release:
    """A release with placeholders for stretches, in order; InputError: the mask's spans overlap or are out of range.

    Every transform that leaves the rest of a text as it is can end with this.
    """
    end = 0
    for span in mask.spans:
        if not end <= span.start < span.end <= len(document.text):
            raise InputError("a mask has a span that is out of order, empty or outside the text")
        end = span.end
    parts: list[str] = []
    pieces: list[tuple[int, int, int, int]] = []
    written: dict[int, Placeholder] = {}
    at = length = 0

    def put(text: str, start: int, end: int) -> None:
        nonlocal length
        parts.append(text)
        pieces.append((length, length + len(text), start, end))
        length += len(text)

    for start, end, placeholder in replaced:
        if at < start:
            put(document.text[at:start], at, start)
        written[len(pieces)] = placeholder
        put(placeholder.text, start, end)
        at = end
    if at < len(document.text):
        put(document.text[at:], at, len(document.text))
    return Release(document.id, "".join(parts), tuple(pieces), written)


@dataclass(frozen=True, slots=True)
class Redact:
    """Put a token in place of every hidden word."""

    name: str = "redact.v1"

    def release(self, document: Document, mask: Mask, context: Context | None = None) -> Release:
        """One token for each span."""
        return assemble(document, mask, ((s.start, s.end, hidden_as(s.label)) for s in mask.spans))


@dataclass(frozen=True, slots=True)
class Collapse:
    """Put one token in place of neighbouring hidden words, so that their number does not show (Morris 2022 §8.4).

    Neighbours are spans with no word between them; what stands between goes with them.
    """

    name: str = "collapse.v1"

    def release(self, document: Document, mask: Mask, context: Context | None = None) -> Release:
        """One token for each run of spans; its label is kept where all agree."""
        runs: list[tuple[int, int, Placeholder]] = []
        for span in mask.spans:
            if runs and not WORD.search(document.text, runs[-1][1], span.start):
                start, _, token = runs[-1]
                runs[-1] = (start, span.end, token if token == hidden_as(span.label) else hidden_as(""))
            else:
                runs.append((span.start, span.end, hidden_as(span.label)))
        return assemble(document, mask, runs)


@dataclass(frozen=True, slots=True)
class Delete:
    """Take hidden words out and leave nothing in their place; spaces and punctuation around them stay."""

    name: str = "delete.v1"

    def release(self, document: Document, mask: Mask, context: Context | None = None) -> Release:
        """The text without its spans."""
        return assemble(document, mask, ((s.start, s.end, Placeholder(MASKED, "")) for s in mask.spans))
