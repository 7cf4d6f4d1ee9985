"""The part of the mandatory mask that taggers find."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from unname import registry
from unname.knowledge.mentions import seen_words
from unname.knowledge.whoiswho import NAME_LABEL
from unname.taggers.base import Tagger, all_found
from unname.taggers.labels import DIRECT, wanted
from unname.taggers.safe_harbor import to_hide
from unname.text import Word, token_label, words
from unname.types import Document, MaskSpan, Span, merge_spans

# Characters of an identifier that is worth looking for elsewhere: an initial would take every "a" with it.
SHORTEST = 3
# Letters of a name's word that is looked for alone; digits of a number that is known by its last ones, and how many.
SHORTEST_NAME = 4
FEWEST_DIGITS, TAIL = 7, 4
_GROUPED = re.compile(r"\d(?:[\s().\-/\u2010-\u2015]?\d){3,30}")


def rules() -> tuple[Tagger, ...]:
    """The taggers of whoever names none."""
    return (registry.create(registry.TAGGERS, "rules"),)


def tagged_mandatory(
    taggers: Sequence[Tagger],
    hide: Sequence[str],
    document: Document,
    row: Sequence[Word],
    *,
    never: frozenset[str] = frozenset(),
) -> tuple[MaskSpan, ...]:
    """The same as `tagged_spans`, disjoint."""
    return merge_spans(tagged_spans(taggers, hide, document, row, never=never))


def tagged_spans(
    taggers: Sequence[Tagger],
    hide: Sequence[str],
    document: Document,
    row: Sequence[Word],
    *,
    never: frozenset[str] = frozenset(),
) -> list[MaskSpan]:
    """Mask spans of all that taggers find of the labels to hide: the union, whole words, less words never to be hidden.

    Where a direct identifier is hidden, so is the same everywhere else in the document, and so are its other forms: a
    tagger that sees a name at one place and not at another would leave it readable. A name's own words count alone, a
    number however its digits are grouped and by its last ones, an e-mail address by what stands before the @.
    """
    hidden: list[MaskSpan] = []
    direct: list[tuple[int, int, MaskSpan]] = []
    for tagger in taggers:
        # Before overlaps are resolved: a label that is left to the search must not take the place of one to hide.
        for span in (p for each in all_found((tagger,), document.text) for p in to_hide(each, document.text, hide)):
            spans = whole_words(span, row, tagger.name, never)
            hidden += spans
            if spans and wanted(span.label, (DIRECT,)):
                direct.append((span.start, span.end, spans[0]))
    others = chain(_elsewhere(direct, document.text, seen_words(document.text, row)), _numbers(direct, document.text))
    for start, end, like in others if direct else ():
        again = Span(start, end, like.label, score=like.score)
        hidden += whole_words(again, row, like.method, never)
    return hidden


def whole_words(span: Span, row: Sequence[Word], name: str, never: frozenset[str] = frozenset()) -> list[MaskSpan]:
    """A span widened to whole words, in parts around words that must stay."""
    first, after = _touched(row, span.start, span.end)
    label = token_label(span.label)
    if first == after:  # signs alone, which may spell a name all the same
        return [MaskSpan(span.start, span.end, name, 0, label, round(span.score, 6))]
    start, end = min(span.start, row[first].start), max(span.end, row[after - 1].end)
    if never.isdisjoint(word.folded for word in row[first:after]):
        return [MaskSpan(start, end, name, 0, label, round(span.score, 6))]
    left = [word for word in row[first:after] if word.folded not in never]
    return [MaskSpan(word.start, word.end, name, 0, label, round(span.score, 6)) for word in left]


def _touched(row: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """The half-open range of words that a stretch touches."""
    first = bisect_left(row, start + 1, key=lambda word: word.end)
    return first, max(first, bisect_left(row, end, key=lambda word: word.start))


def _elsewhere(
    direct: Iterable[tuple[int, int, MaskSpan]], text: str, row: Sequence[Word]
) -> Iterator[tuple[int, int, MaskSpan]]:
    """Every occurrence of the word sequences of some stretches, with the span that each is like; `row` is undisguised."""
    folded = [word.folded for word in row]
    known: dict[tuple[str, ...], MaskSpan] = {}
    lengths: dict[str, set[int]] = {}
    names: dict[str, MaskSpan] = {}
    for start, end, span in direct:
        first, after = _touched(row, start, end)
        for sequence in _forms(span.label, text[start:end], folded[first:after]):
            if sum(map(len, sequence)) >= SHORTEST:
                known.setdefault(sequence, span)
                lengths.setdefault(sequence[0], set()).add(len(sequence))
        if NAME_LABEL.search(span.label):
            names.update((word, span) for word in folded[first:after] if len(word) >= SHORTEST_NAME)
    for at, word in enumerate(folded):
        for length in lengths.get(word, ()):
            sequence = tuple(folded[at : at + length])
            if sequence in known:
                yield row[at].start, row[at + len(sequence) - 1].end, known[sequence]
        # Written small, it may be any word.
        like = names.get(word) or names.get(word.removesuffix("s"))  # a genitive
        if like is not None and text[row[at].start].isupper():
            yield row[at].start, row[at].end, like


def _forms(label: str, written: str, sequence: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The word sequences by which an identifier is known: its own, and of an e-mail address what stands before the @."""
    if sequence:
        yield tuple(sequence)
    box, at, _ = written.partition("@")
    if at and label in ("EMAIL", "CONTACT") and (mailbox := tuple(word.folded for word in words(box))):
        yield mailbox


def _numbers(direct: Iterable[tuple[int, int, MaskSpan]], text: str) -> Iterator[tuple[int, int, MaskSpan]]:
    """Every number that is one of some stretches, its digits grouped otherwise, or the end of a long one."""
    known: dict[str, MaskSpan] = {}
    for start, end, span in direct:
        figures = "".join(c for c in text[start:end] if c.isdecimal())
        if len(figures) >= FEWEST_DIGITS:
            known.update((figures[at:], span) for at in range(len(figures) - TAIL + 1))
    for match in _GROUPED.finditer(text) if known else ():
        figures = "".join(c for c in match[0] if c.isdecimal())
        if figures in known:
            yield *match.span(), known[figures]
