"""The rest of a text once some of it is hidden: later taggers read placeholders there, and their spans are led back.

Words are hidden whole; a placeholder names their label. Source: Li 2014, §II (positives are replaced by fake tokens).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from unicodedata import combining

from unname.text import WORD, placeholder
from unname.types import Document, Span


@dataclass(frozen=True, repr=False)
class Remaining:
    """An original `text` of which some spans are `hidden`: disjoint, in order, words whole."""

    text: str
    hidden: tuple[Span, ...] = ()

    def __repr__(self) -> str:
        return f"Remaining({len(self.text)} characters, {len(self.hidden)} spans hidden)"

    @cached_property
    def _pieces(self) -> tuple[tuple[int, int, int], ...]:
        """The readable pieces: (start, end) in the original, and the start in the shown text."""
        pieces, at, shown = [], 0, 0
        for span in self.hidden:
            pieces.append((at, span.start, shown))
            shown += span.start - at + len(placeholder(span.label))
            at = span.end
        return (*pieces, (at, len(self.text), shown))

    @cached_property
    def shown(self) -> str:
        """The text with a placeholder for each hidden span."""
        tokens = [*(placeholder(span.label) for span in self.hidden), ""]
        return "".join(
            chain.from_iterable((self.text[a:b], t) for (a, b, _), t in zip(self._pieces, tokens, strict=True))
        )

    def hiding(self, spans: Iterable[Span]) -> "Remaining":
        """The same with more hidden: spans of the shown text, sorted and disjoint, each widened to whole words."""
        new: list[Span] = []
        after = 0
        for span in spans:
            for start, end in self._original(span):
                if end > after:  # else it lies in a word that is hidden already
                    first, after = self._whole(max(start, after), end)
                    new.append(Span(first, after, span.label, score=span.score))
        return Remaining(self.text, tuple(sorted([*self.hidden, *new], key=lambda span: span.start)))

    def visible(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """The readable parts of some spans of the original, disjoint and in order, by their places in the shown text."""
        return tuple(
            Span(start - first + shown, end - first + shown, span.label, span.kind, span.entity)
            for span in spans
            for first, last, shown in self._between(span.start, span.end, 0)
            for start, end in self._readable(span.start, span.end, first, last)
        )

    def document(self, document: Document) -> Document:
        """A document as far as it is readable, with the rest of its own spans."""
        spans = self.visible(document.spans)
        return Document(document.id, self.shown, document.person, document.split, spans, document.metadata)

    def _original(self, span: Span) -> Iterator[tuple[int, int]]:
        """The places of a span of the shown text in the original, without placeholders in it."""
        for first, last, shown in self._between(span.start, span.end, 2):
            there = shown - first  # from the original to what is shown
            yield from self._readable(span.start - there, span.end - there, first, last)

    def _readable(self, start: int, end: int, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The part of a stretch in a piece `[first, last)`: all of it, or of a cut one the stretch of its words there."""
        if first <= start and end <= last:
            yield start, end
        else:
            word_spans = [match.span() for match in WORD.finditer(self.text, max(start, first), min(end, last))]
            if word_spans:
                yield word_spans[0][0], word_spans[-1][1]

    def _between(self, start: int, end: int, side: int) -> Sequence[tuple[int, int, int]]:
        """The pieces that a stretch may touch; its places are of the original (side 0) or of the shown text (2)."""
        first = bisect_right(self._pieces, start, key=lambda piece: piece[side]) - 1
        return self._pieces[max(first, 0) : bisect_left(self._pieces, end, key=lambda piece: piece[side])]

    def _whole(self, start: int, end: int) -> tuple[int, int]:
        """A stretch widened to whole words, with the marks on their letters."""
        while start > 0 and _in_word(self.text[start]) and _in_word(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and _in_word(self.text[end - 1]) and _in_word(self.text[end]):
            end += 1
        return start, end


def _in_word(character: str) -> bool:
    return WORD.match(character) is not None or combining(character) > 0


def hiding_all(left: Sequence[Remaining], shown_spans: Sequence[Sequence[Span]]) -> tuple[Remaining, ...]:
    """The same for several texts."""
    return tuple(one.hiding(spans) if spans else one for one, spans in zip(left, shown_spans, strict=True))
