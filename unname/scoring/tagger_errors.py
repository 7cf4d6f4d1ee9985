"""A tagger's errors and their kinds, for whoever may see the texts: the page made of it is private."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from unname.errors import printable
from unname.pages.template import template
from unname.scoring.i2b2 import Predicted, wanted
from unname.statistics import percent
from unname.text import WORD, fold
from unname.types import Document, Span

MISSED, PARTLY, WRONG_LABEL, BORDERS, FALSE, EXACT = "missed", "partly", "label", "borders", "false", "exact"
# What each kind of error is, the worst for the person first.
KINDS = {
    MISSED: "Missed altogether: nothing of it was found",
    PARTLY: "Partly covered: some of its words can still be read",
    WRONG_LABEL: "Wrong label: covered, under another type",
    BORDERS: "Other borders: covered, with the right type",
    FALSE: "False alarms: nothing is marked there",
}
_MOST_EXAMPLES = 3
_CONTEXT = 60  # characters on either side


@dataclass(frozen=True, slots=True, repr=False)
class Piece:
    """A piece of a passage: whether it is marked in the gold corpus, predicted, and what the error is about."""

    text: str
    gold: bool
    predicted: bool
    here: bool


@dataclass(slots=True, repr=False)
class Group:
    """Errors alike: same kind, same type, same other type, same words. `seen` says whether training had them."""

    kind: str
    label: str
    other: str
    text: str
    seen: bool | None
    count: int = 0
    score: float = 0.0
    documents: set[int] = field(default_factory=set)
    examples: list[tuple[Piece, ...]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, repr=False)
class Errors:
    """All errors of a tagger on a corpus: counts by (type, kind), exact hits too, and groups by kind, worst first."""

    documents: int
    counts: Counter[tuple[str, str]]
    groups: dict[str, list[Group]]
    trained: bool

    @property
    def labels(self) -> list[str]:
        """Every type, in order."""
        return sorted({label for label, _ in self.counts})

    def count(self, kind: str, label: str | None = None) -> int:
        """Errors of a kind, of one type or of all."""
        return sum(n for (other, what), n in self.counts.items() if what == kind and label in (None, other))

    def unseen(self, kind: str) -> int:
        """Errors of a kind whose words training did not have under that type."""
        return sum(group.count for group in self.groups[kind] if group.seen is False)


def find_errors(
    documents: Sequence[Document],
    predicted: Predicted,
    *,
    labels: Collection[str] | None = None,
    training: Iterable[Document] | None = None,
) -> Errors:
    """Compare predicted spans of each document with its own, span by span; whatever is not exact is an error.

    With `training` every group says whether its words stood there under that type. Groups of a kind are ordered by how
    often they occur, then by the tagger's score.
    """
    known = None if training is None else {_words(d, s) for d in training for s in wanted(d.spans, labels)}
    counts: Counter[tuple[str, str]] = Counter()
    groups: dict[tuple[str, str, str, str], Group] = {}
    for place, (document, spans) in enumerate(zip(documents, predicted, strict=True)):
        gold, guess = sorted(set(wanted(document.spans, labels))), sorted(set(wanted(spans, labels)))
        for span, kind, others in _judged(document.text, gold, guess):
            counts[span.label, kind] += 1
            if kind == EXACT:
                continue
            other = next((s.label for s in others if s.label != span.label), "") if kind != FALSE else ""
            words = _words(document, span)
            key = (kind, span.label, other, words[1])
            if key not in groups:
                seen = None if known is None else words in known
                groups[key] = Group(kind, span.label, other, _shown(document.text[span.start : span.end]), seen)
            group = groups[key]
            group.count += 1
            group.documents.add(place)
            group.score = max([group.score, *(s.score for s in ([span] if kind == FALSE else others))])
            if len(group.examples) < _MOST_EXAMPLES:
                group.examples.append(tuple(_passage(document.text, span, gold, guess)))
    rows: dict[str, list[Group]] = {kind: [] for kind in KINDS}
    for group in sorted(groups.values(), key=lambda g: (-g.count, -g.score, g.label, g.text)):
        rows[group.kind].append(group)
    return Errors(len(documents), counts, rows, known is not None)


def _judged(text: str, gold: Sequence[Span], guess: Sequence[Span]) -> Iterator[tuple[Span, str, list[Span]]]:
    """(span, kind, predicted spans that touch it) of every gold span, then of every predicted one that touches none."""
    for span in gold:
        touching = [s for s in guess if s.start < span.end and span.start < s.end]
        yield span, _kind(text, span, touching), touching
    for span in guess:
        if not any(s.start < span.end and span.start < s.end for s in gold):
            yield span, FALSE, [span]


def _kind(text: str, span: Span, touching: Sequence[Span]) -> str:
    if not touching:
        return MISSED
    if any((s.start, s.end, s.label) == (span.start, span.end, span.label) for s in touching):
        return EXACT
    covered = {i for s in touching for i in range(max(s.start, span.start), min(s.end, span.end))}
    if any(WORD.match(text[i]) for i in range(span.start, span.end) if i not in covered):
        return PARTLY
    return BORDERS if any(s.label == span.label for s in touching) else WRONG_LABEL


def _words(document: Document, span: Span) -> tuple[str, str]:
    return span.label, fold(" ".join(document.text[span.start : span.end].split()))


def _passage(text: str, span: Span, gold: Sequence[Span], guess: Sequence[Span]) -> Iterator[Piece]:
    """The span with its context, cut where marks begin and end."""
    first, last = max(0, span.start - _CONTEXT), min(len(text), span.end + _CONTEXT)
    sides = [[s for s in spans if s.start < last and first < s.end] for spans in (gold, guess, (span,))]
    borders = sorted({first, last} | {i for side in sides for s in side for i in (s.start, s.end) if first < i < last})
    for start, end in zip(borders, borders[1:], strict=False):
        yield Piece(_shown(text[start:end]), *(any(s.start <= start and end <= s.end for s in side) for side in sides))


def _shown(text: str) -> str:
    """Text on one line; what cannot be seen is spelled out."""
    return printable(re.sub(r"[^\S\n]+", " ", re.sub(r"\s*\n\s*", " ⏎ ", text)))


def render_errors(errors: Errors, *, most: int = 50, title: str = "What the tagger got wrong") -> str:
    """The explorer as one HTML file that needs nothing else; at most so many groups of each kind and type. It shows text."""
    gold = sum(n for (_, kind), n in errors.counts.items() if kind != FALSE)
    number = {label: place for place, label in enumerate(errors.labels)}
    shown = {kind: list(_first(groups, most)) for kind, groups in errors.groups.items()}
    return template("unname.scoring", "errors", {"percent": percent}).render(
        title=title, errors=errors, kinds=KINDS, shown=shown, gold=gold, number=number
    )


def _first(groups: Iterable[Group], most: int) -> Iterator[Group]:
    """The first so many groups of each type, in their order."""
    taken: Counter[str] = Counter()
    for group in groups:
        taken[group.label] += 1
        if taken[group.label] <= most:
            yield group
