"""The vocabulary: documents, profiles, masks and releases, as frozen values whose `repr` never shows text.

Offsets are code points of the original text, half open. Nothing here does I/O.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

# A plain value of JSON: what parameters of a part are, and what a transform may record.
Plain = bool | int | float | str | None


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """An annotated stretch of a text: `[start, end)` with a label, and what kind of identifier it is where known.

    `score` says how sure whoever found it is, from 0 to 1; it is no part of what makes two spans the same.
    """

    start: int
    end: int
    label: str = ""
    kind: str = ""
    entity: str = ""
    score: float = field(default=1.0, compare=False)

    def __init__(
        self, start: int, end: int, label: str = "", kind: str = "", entity: str = "", score: float = 1.0
    ) -> None:
        # What a frozen dataclass would do, in half the time: a text may have very many of these.
        _SET_START(self, start)
        _SET_END(self, end)
        _SET_LABEL(self, label)
        _SET_KIND(self, kind)
        _SET_ENTITY(self, entity)
        _SET_SCORE(self, score)


_SET_START, _SET_END, _SET_LABEL, _SET_KIND, _SET_ENTITY, _SET_SCORE = (
    getattr(Span, each.name).__set__ for each in fields(Span)
)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text about a person. `person` is the id of a profile, or None where it is not known."""

    id: str
    text: str
    person: str | None = None
    split: str | None = None
    spans: tuple[Span, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Document({len(self.text)} characters, {len(self.spans)} spans)"


@dataclass(frozen=True, slots=True, repr=False)
class Profile:
    """An adversary's possible knowledge of one person: named fields, each a text of any length."""

    id: str
    fields: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Profile({len(self.fields)} fields)"


@dataclass(frozen=True, slots=True, repr=False)
class MaskSpan:
    """One hidden stretch `[start, end)` and why: which method, at which step, and what it did to the crowd.

    `crowd_before` and `crowd_after` map a reidentifier's name to the document's crowd around this step;
    they are empty for spans that a rule set. `combination` are stretches of the same document that say too much only
    together with this one. `level` is that of the general value that may stand there, from 1, the least general; 0: none.
    """

    start: int
    end: int
    method: str
    step: int = 0
    label: str = ""
    score: float = 0.0
    crowd_before: Mapping[str, int] = field(default_factory=dict)
    crowd_after: Mapping[str, int] = field(default_factory=dict)
    combination: tuple[tuple[int, int], ...] = ()
    level: int = 0

    def __repr__(self) -> str:
        return f"MaskSpan({self.start}, {self.end}, {self.method!r}, step={self.step}, label={self.label!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """The spans to hide in one document: sorted, disjoint and in range."""

    document: str
    spans: tuple[MaskSpan, ...] = ()

    def __repr__(self) -> str:
        return f"Mask({len(self.spans)} spans)"

    def covers(self, start: int, end: int) -> bool:
        """True if `[start, end)` lies wholly inside one span."""
        return any(s.start <= start and end <= s.end for s in self.spans)


@dataclass(frozen=True, slots=True, repr=False)
class Placeholder:
    """The text that a transform wrote in place of hidden text, and its kind, such as `mask` or `name`.

    It is `invented` where it can be read and was drawn, so that it says nothing true, as a stand-in for a name does.
    `general` is the key of a value that says less than what was there, such as `year:1984`; "" where nothing is said.
    """

    kind: str
    text: str
    invented: bool = False
    general: str = ""

    def __repr__(self) -> str:
        return f"Placeholder({self.kind!r}, {len(self.text)} characters)"


@dataclass(frozen=True, slots=True, repr=False)
class Release:
    """The text that leaves the house, and the way back from it.

    `pieces` are (released start, released end, original start, original end); they cover both texts in order and are
    either identical characters or a hidden stretch with what stands for it. `written` says by place which pieces are the
    latter, and what the transform wrote there.
    """

    document: str
    text: str
    pieces: tuple[tuple[int, int, int, int], ...]
    written: Mapping[int, Placeholder] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Release({len(self.text)} characters, {len(self.pieces)} pieces)"


def merge_spans(spans: Iterable[MaskSpan]) -> tuple[MaskSpan, ...]:
    """Sort spans and drop the overlap: an earlier start wins, then the longer span; the rest of a loser is kept.

    Two spans that overlap become disjoint and together cover exactly what they covered before.
    """
    merged: list[MaskSpan] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.step)):
        start = max(span.start, merged[-1].end) if merged else span.start
        if start < span.end:
            merged.append(span if start == span.start else replace(span, start=start))
    return tuple(merged)
