"""Hand-written paragraphs with marks and gaps, and the texts with spans that they become.

`[LABEL words]` is a span. `((words))` are what a fact cannot do without. `{name}` is a gap that the caller fills, with a
value or with another marked paragraph; a value inside of a span has no span of its own. `{60-95}` and `{1.2-3.4}` are
drawn numbers, `{=one;two}` is a drawn choice, `<he/she>` depends on who speaks.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from unname.types import Span

_TOKEN = re.compile(r"\(\(|\)\)|\[([A-Z]+) |\]|\{([^{}]*)\}|<([^/<>]*)/([^<>]*)>")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Value:
    """The filling of a gap: its words, label and entity of their span, a mark for the caller, and unmarked text after it."""

    text: str
    label: str = ""
    entity: str = ""
    mark: str = ""
    tail: str = ""


class Writer:
    """A text that grows, with its spans, with the stretches of facts and with the values that had a mark."""

    def __init__(self, draw: Random, gap: Callable[[str], Value | str], *, male: bool) -> None:
        self._draw, self._gap, self._male = draw, gap, male
        self._parts: list[str] = []
        self._open: list[tuple[int, str]] = []
        self._fact = 0
        self.length = 0
        self.spans: list[Span] = []
        self.facts: list[tuple[int, int]] = []
        self.marks: list[tuple[int, int, str]] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def fill(self, paragraph: str) -> None:
        """Append a paragraph, its gaps filled."""
        at = 0
        for token in _TOKEN.finditer(paragraph):
            self._put(paragraph[at : token.start()])
            self._take(token)
            at = token.end()
        self._put(paragraph[at:])

    def _take(self, token: re.Match[str]) -> None:
        label, gap, his, hers = token.groups()
        if label:
            self._open.append((self.length, label))
        elif gap is not None:
            self._fill_gap(gap)
        elif his is not None:
            self._put(his if self._male else hers)
        elif token[0] == "((":
            self._fact = self.length
        elif token[0] == "))":
            self.facts.append((self._fact, self.length))
        elif self._open:
            start, label = self._open.pop()
            self.spans.append(Span(start, self.length, label))
        else:
            self._put(token[0])

    def _fill_gap(self, gap: str) -> None:
        value = self._drawn(gap) or self._gap(gap)
        if isinstance(value, str):
            self.fill(value)
            return
        start = self.length
        self._put(value.text)
        if value.label and not self._open:
            self.spans.append(Span(start, self.length, value.label, entity=value.entity))
        if value.mark:
            self.marks.append((start, self.length, value.mark))
        self._put(value.tail)

    def _drawn(self, gap: str) -> Value | None:
        if gap.startswith("="):
            return Value(self._draw.choice(gap[1:].split(";")))
        ends = _RANGE.fullmatch(gap)
        if ends is None:
            return None
        digits = len(ends[1].partition(".")[2])
        low, high = (round(float(end) * 10**digits) for end in ends.groups())
        return Value(f"{self._draw.randint(low, high) / 10**digits:.{digits}f}")

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def sections(name: str) -> Iterator[tuple[str, str]]:
    """Title and body of every section of a text file of this folder; titles may come more than once."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        yield title, body.strip("\n")
