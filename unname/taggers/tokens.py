"""Sentences, tokens and BIO labels: the input and output of every learned tagger.

Tokens are cut finely, so that no border of an identifier lies inside one: letters, digits and each other sign apart
("25yo" is two tokens, "12/03/2019" five), and a capital after a small letter begins anew ("RuizTel" is two).
Source: Friedrich 2019, §5.1 (preprocessing).
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from unname import languages
from unname.types import Span

# A word of letters with the marks on them (capitals, then others), a run of digits, or any single sign.
_TOKEN = re.compile(
    r"(?:[A-ZÀ-ÖØ-Þ][\u0300-\u036f]*)*(?:[^\W\d_A-ZÀ-ÖØ-Þ][\u0300-\u036f]*)+|(?:[A-ZÀ-ÖØ-Þ][\u0300-\u036f]*)+"
    r"|\d+|[^\w\s]|_"
)
# A sentence ends after its stop where a space and anything but a small letter follow, and at every line end.
_END = re.compile(r"(?<=[.!?])['\")\]»”]*\s+(?=[^\sa-zà-öø-ÿ])|[\r\n]+")
_LINE_END = re.compile(r"[\r\n]+")
MOST_TOKENS = 400
OUTSIDE = "O"


class Token(NamedTuple):
    """An occurrence `[start, end)` of a token in a text."""

    start: int
    end: int


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Every token of a text, or of a stretch of it, in order."""
    return [Token(m.start(), m.end()) for m in _TOKEN.finditer(text, start, len(text) if end is None else end)]


def sentences(text: str) -> list[list[Token]]:
    """The tokens of a text by sentence, none empty; a sentence of more than 400 tokens is read in parts.

    A line end always ends a sentence: clinical notes are lists and forms more than prose.
    """
    return _rows(text, [m.span() for m in _END.finditer(text) if not _goes_on(text, m.start(), m[0])])


def lines(text: str) -> list[list[Token]]:
    """The tokens of a text by line, none empty; a line of more than 400 tokens is read in parts.

    Stops do not end a line: of the streets and names of a form, many have a stop in them.
    A second reading (`across_lines`) finds names that are broken over two lines.
    """
    return _rows(text, [m.span() for m in _LINE_END.finditer(text)])


def _goes_on(text: str, stop: int, gap: str) -> bool:
    """Check whether an apparent end of a sentence only ends an abbreviation."""
    return text[stop - 1] == "." and "\n" not in gap and "\r" not in gap and is_short(text, stop - 1, 6)


@cache
def _short_forms() -> frozenset[str]:
    """Short forms after which a stop is no end (`languages/shortforms.toml`)."""
    return frozenset(word for words in languages.read("shortforms").values() for word in words.split())


def is_short(text: str, stop: int, longest: int) -> bool:
    """Check whether a stop ends an abbreviation or an initial, of up to so many letters, rather than a sentence."""
    start = stop
    while start > max(0, stop - longest) and text[start - 1].isalpha():
        start -= 1
    word = text[start:stop]
    return word.lower() in _short_forms() or (len(word) == 1 and word.isupper())


def _rows(text: str, ends: Sequence[tuple[int, int]]) -> list[list[Token]]:
    rows: list[list[Token]] = []
    at = 0
    for end, after in [*ends, (len(text), len(text))]:
        row = tokens(text, at, end)
        rows += [row[i : i + MOST_TOKENS] for i in range(0, len(row), MOST_TOKENS)]
        at = after
    return rows


def encode(rows: Sequence[Sequence[Token]], spans: Iterable[Span]) -> list[list[str]]:
    """BIO labels of sentences of tokens: a token that a span touches is in it. Spans are disjoint and in order."""
    left = sorted(spans)
    at = 0
    labels: list[list[str]] = []
    for row in rows:
        labels.append([])
        last: Span | None = None
        for token in row:
            while at < len(left) and left[at].end <= token.start:
                at += 1
            span = left[at] if at < len(left) and left[at].start < token.end else None
            labels[-1].append(OUTSIDE if span is None else f"{'I' if span is last else 'B'}-{span.label}")
            last = span
    return labels


def decode(
    rows: Sequence[Sequence[Token]], labels: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]
) -> list[Span]:
    """The spans of BIO labels, in order; an I that continues nothing begins one. A span scores as its worst token."""
    spans: list[Span] = []
    for row, row_labels, sure in zip(rows, labels, scores, strict=True):
        before = OUTSIDE
        for token, label, score in zip(row, row_labels, sure, strict=True):
            if label == OUTSIDE:
                before = label
                continue
            if label[0] == "I" and before != OUTSIDE and before[2:] == label[2:]:
                last = spans[-1]
                spans[-1] = Span(last.start, token.end, last.label, score=min(last.score, score))
            else:
                spans.append(Span(token.start, token.end, label[2:], score=score))
            before = label
    return spans
