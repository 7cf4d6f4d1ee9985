"""Line ends that only wrap a line: what is written around one may be one name.

A form's lines look much like a wrapped sentence ("Name: Ada" above "Byron Age: 36"), so a tagger reads such a text twice,
as it stands and with a blank for each line end that may be none, and keeps of the second what goes over a line end.
"""

import re
from collections.abc import Callable, Sequence

from unname.taggers.base import without_overlaps
from unname.types import Span

# A word before, maybe with a comma, or an abbreviation or initial; a letter or digit after, which begins no list's item.
_SOFT = re.compile(
    r"(?:(?<=[^\W_])[,;]?|(?<=\b[^\W\d_])\.|(?<=\b[A-Z][a-z])\.|(?<=\b[A-Z][a-z][a-z])\.)"
    r"([ \t]{0,3}(?:\r\n|\r|\n)[ \t]{0,8})(?!(?:\d{1,2}|[^\W\d_])[.)][ \t])(?=[^\W_])"
)


def unwrapped(text: str) -> str:
    """The text with a blank for each character of a line end that may only wrap a line; of the same length."""
    return _SOFT.sub(lambda m: m[0][: m.start(1) - m.start()] + " " * len(m[1]), text)


def across_lines(tag: Callable[[Sequence[str]], list[list[Span]]], texts: Sequence[str]) -> list[list[Span]]:
    """What a tagger finds in texts as they stand, and what it finds over line ends when these are taken for blanks."""
    found = tag(texts)
    again = {place: other for place, text in enumerate(texts) if (other := unwrapped(text)) != text}
    for place, spans in zip(again, tag([*again.values()]) if again else (), strict=True):
        text, other = texts[place], again[place]
        over = [s for s in spans if text[s.start : s.end] != other[s.start : s.end]]
        if over:
            found[place] = without_overlaps([*found[place], *over])
    return found
