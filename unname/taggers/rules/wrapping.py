"""Line ends that only wrap a line: the words around one may be one name.

A form's lines look much like a wrapped sentence ("Name: Ada" above "Byron Age: 36"), so a tagger reads such a text twice,
as it stands and with a blank for each line end that may be none, and keeps spans of the second that cross a line end.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from unname.normalised import normalised
from unname.taggers.base import without_overlaps
from unname.taggers.tokens import is_short
from unname.types import Span

# A word before, maybe with a sign that ends nothing; a letter, digit or bracket after, which begins no list's item.
_SOFT = re.compile(
    r"(?<=[^\W_])[,;/.-]?(?P<gap>[ \t]{0,3}(?:\r\n|\r|\n)[ \t]{0,8})(?!(?:\d{1,2}|[^\W\d_])[.)][ \t])(?=[^\W_]|\()"
)
_LONGEST = 5


def unwrapped(text: str) -> str:
    """The text with a blank for each character of a line end that may only wrap a line; of the same length."""

    def joined(match: re.Match[str]) -> str:
        if text[match.start()] == "." and not is_short(text, match.start(), _LONGEST):
            return match[0]
        return text[match.start() : match.start("gap")] + " " * len(match["gap"])

    return _SOFT.sub(joined, text)


def _with(spans: list[Span], over: list[Span]) -> list[Span]:
    """Spans with others in the place of those that they hold whole; one that would cut a span is not taken."""
    taken: list[Span] = []
    left: list[Span] = []
    at = 0
    for span in over:
        first = bisect_right(spans, span.start, key=lambda f: f.end)
        after = max(first, bisect_left(spans, span.end, key=lambda f: f.start))
        if all(span.start <= f.start and f.end <= span.end for f in spans[first:after]):
            taken.append(span)
            left += spans[at:first]
            at = after
    return sorted([*left, *spans[at:], *taken])


def _names_a_field(text: str, span: Span) -> bool:
    """Check whether the part of a span in its last line is the name of a form's field."""
    last = max(text.rfind("\n", span.start, span.end), text.rfind("\r", span.start, span.end))
    return ":" in text[last : span.end + 2]


def across_lines(tag: Callable[[Sequence[str]], list[list[Span]]], texts: Sequence[str]) -> list[list[Span]]:
    """The spans of a tagger in texts as they stand, and its spans across line ends when these are taken for blanks."""
    spans_of = tag(texts)
    again = {}
    for place, text in enumerate(texts):
        folded = normalised(text)
        if (other := unwrapped(folded.text)) != folded.text:
            again[place] = folded, other
    second = tag([other for _, other in again.values()]) if again else []
    for (place, (folded, other)), spans in zip(again.items(), second, strict=True):
        over = [
            Span(*folded.original(s.start, s.end), s.label, score=s.score)
            for s in spans
            if folded.text[s.start : s.end] != other[s.start : s.end] and not _names_a_field(folded.text, s)
        ]
        spans_of[place] = _with(spans_of[place], without_overlaps(over))
    return spans_of
