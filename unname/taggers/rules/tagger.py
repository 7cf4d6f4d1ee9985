"""Identifiers by rule: stretches with a shape, a check digit, or a cue word before them.

The text is read as its normalised text, so disguises do not help, and spans are those of the original. Each run of digits,
each "@", each ":" is looked at once, with patterns of bounded length: the time is linear.

Scores: 1.0 if check digits hold, .9 for a shape that little else has or a cue word, .8 for a shape in a usual place,
.6 for a shape alone, 1.0 for the caller's own phrases.
"""

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter

from unname.errors import TaggingTimeoutError
from unname.normalised import normalised
from unname.taggers.base import without_overlaps
from unname.taggers.phrases import Tree, find_phrases, phrase_tree
from unname.taggers.rules.names import NAMES, in_names
from unname.taggers.rules.numbers import in_numbers
from unname.taggers.rules.patterns import ANYWHERE, RECOGNISERS
from unname.taggers.rules.recogniser import Recogniser
from unname.taggers.rules.segments import in_segments
from unname.text import words
from unname.types import Span

Clock = Callable[[], None]
_OLD = 89
_SOFT_HYPHEN = re.compile(r"(?<=\d)\xad(?=\d)")
# So far back what belongs to a sign is looked for.
_REACH = 256


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """Direct identifiers by shape, check digits and cue words, and the caller's own lists of phrases.

    `phrases` are (phrase, label) to find as whole words; `allow` phrases are never tagged: a span that lies within one
    is dropped. `names` finds names after titles and in form fields. `old_only` leaves ages up to 89 (HIPAA). A text on
    which more than `timeout_s` seconds of computing are spent (a MB or part of one) raises TaggingTimeoutError.
    """

    phrases: tuple[tuple[str, str], ...] = ()
    allow: tuple[str, ...] = ()
    names: bool = True
    old_only: bool = False
    timeout_s: float = 10.0
    name: str = field(default="rules.v1", init=False)

    @property
    def labels(self) -> frozenset[str]:
        """The labels of its spans."""
        return frozenset(row.label for row in RECOGNISERS) | {label for _, label in self.phrases}

    def __repr__(self) -> str:
        return f"Rules({len(self.phrases)} phrases, {len(self.allow)} allowed)"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text: sorted, disjoint, in range. Too slow a text raises TaggingTimeoutError."""
        return [_cut(self.proposals(text), text) for text in texts]

    def proposals(self, text: str) -> list[Span]:
        """Everything that any rule matches in a text, also where it overlaps: for users who hide some labels only."""
        clock = _clock(self.timeout_s * (1 + len(text) // 1_000_000))
        folded = normalised(text)
        clock()
        characters = "".join(set(folded.text))
        spans = list(in_numbers(folded.text, clock, characters))
        for row in (*ANYWHERE, *(NAMES if self.names else ())):
            if row.needs is None or row.needs.search(characters):
                spans += _matches(row, folded.text, clock)
        if self.names:
            spans += in_names(folded.text, clock)
        spans += [s for s in in_segments(folded.text, clock) if self.names or s.label != "NAME"]
        if self.old_only:
            spans = [s for s in spans if s.label != "AGE" or _is_old(folded.text[s.start : s.end])]
        if self.phrases or self.allow:
            spans = self._by_phrases(folded.text, spans)
        clock()
        if folded.text is not text:
            spans = [Span(*folded.original(s.start, s.end), s.label, score=s.score) for s in spans]
        return [*spans, *_between_soft_hyphens(text, clock)] if "\xad" in text else spans

    def _by_phrases(self, text: str, spans: list[Span]) -> list[Span]:
        row = words(text)
        spans = spans + [Span(a, b, label) for a, b, label in find_phrases(_tree(self.phrases), row)]
        allowed = list(find_phrases(_tree(tuple((phrase, "") for phrase in self.allow)), row)) if spans else []
        return [s for s in spans if not _within(s, allowed)] if allowed else spans


def _between_soft_hyphens(text: str, clock: Clock) -> Iterator[Span]:
    """Numbers whose groups soft hyphens part; within a word, as anything invisible, they say nothing."""
    if _SOFT_HYPHEN.search(text):
        seen = normalised(_SOFT_HYPHEN.sub("-", text))
        for span in in_numbers(seen.text, clock):
            yield Span(*seen.original(span.start, span.end), span.label, score=span.score)


def _within(span: Span, stretches: Sequence[tuple[int, int, str]]) -> bool:
    """Check whether one of these stretches, disjoint and in order, holds a span."""
    at = bisect_right(stretches, span.start, key=itemgetter(0)) - 1
    return at >= 0 and span.end <= stretches[at][1]


def _cut(spans: list[Span], text: str) -> list[Span]:
    """Disjoint spans; the rest of a loser beside the winners stays, for it was matched as well."""
    kept = without_overlaps(spans)
    won = set(map(id, kept))
    rest = [piece for span in spans if id(span) not in won for piece in _beside(span, kept, text)]
    return without_overlaps([*kept, *rest])


def _beside(span: Span, kept: Sequence[Span], text: str) -> Iterator[Span]:
    """The parts of a span that no other covers, from letter or digit to letter or digit."""
    at, place = span.start, bisect_right(kept, span.start, key=lambda k: k.end)
    while at < span.end:
        winner = kept[place] if place < len(kept) else Span(span.end, span.end)
        left, right = at, min(winner.start, span.end)
        while left < right and not text[left].isalnum():
            left += 1
        while left < right and not text[right - 1].isalnum():
            right -= 1
        if left < right:
            yield Span(left, right, span.label, score=span.score)
        at, place = max(winner.end, winner.start + 1), place + 1


@lru_cache(maxsize=8)
def _tree(phrases: tuple[tuple[str, str], ...]) -> Tree:
    return phrase_tree(phrases)


def _clock(limit_s: float) -> Clock:
    """A clock to call now and then that raises when the time is over: a thread's processor time, whatever else runs there."""
    end = time.thread_time() + limit_s

    def check() -> None:
        if time.thread_time() > end:
            raise TaggingTimeoutError(
                f"the rules took more than {limit_s:g} s of computing for a text; withhold it, or raise timeout_s"
            )

    return check


def _is_old(age: str) -> bool:
    return int(re.findall(r"\d+", age)[0]) > _OLD


def _matches(row: Recogniser, text: str, clock: Clock) -> Iterator[Span]:
    """All matches of a recogniser anywhere in a text; of a name, without the title."""
    done, match = 0, row.pattern.search(text)
    while match:
        clock()
        before = row.before.search(text, max(done, match.start() - _REACH), match.start())
        if before:
            start = match.start("name") if row.pattern.groups else before.start()
            value = text[start : match.end()].rstrip(" \n\r\t\u00a0,")
            if row.holds(value):
                done = start + len(value)
                yield Span(start, done, row.label, score=row.score)
        match = row.pattern.search(text, max(done, match.start() + 1))
