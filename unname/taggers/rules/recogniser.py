"""Recognisers: a pattern, the checks on its matches, and the words it needs; parts of patterns."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

# Scores: a check digit or a cue word; a shape that few other things have; a shape alone.
CHECKED, DISTINCT, LIKELY, SHAPE = 1.0, 0.9, 0.8, 0.6
Check = Callable[[str], bool]
_NO_WORDS: frozenset[str] = frozenset()
# Beside letters of scripts that write no blanks between words (Thai, Chinese, Korean), everything stands apart. Other
# scripts end before them; a set of what is before compiles much faster, so patterns that are many use that.
SPACED, UNSPACED = "\0-\u0dff", "\u0e00-\ud7a3"
# No letter or digit.
_NOTHING = re.compile(rf"(?<![^\W_](?<=[{SPACED}]))\Z")
_SMALL = "".join(map(chr, (c for c in (*range(0xDF, 0x588), *range(0x1E00, 0x2000)) if chr(c).islower())))
# A capital, or a letter of a script that has none; what a word goes on with, marks of Indian and Thai letters too.
UPPER = rf"[^\W\d_a-z{_SMALL}]"
WITHIN = r"[\w'’\u0900-\u0dff\u0e00-\u0e7f-]"


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A `label` where `pattern` matches and `check` holds of the match; `score` is how sure that is.

    One of the `cues` must stand before a number, with nothing but `fillers` between; none of `not_after` may be among the
    last three words. A match `begins` with the number, with what is "joined" to it, or with the "cue". If a
    pattern begins with a sign, `before` matches the part of it before that sign. If a pattern cannot tell how much of the
    text behind is part of it, `cut` gives the number of characters. Without any of the characters that `needs` holds, a
    text has nothing for the pattern to find.
    """

    label: str
    pattern: re.Pattern[str]
    score: float = DISTINCT
    check: Check | None = None
    cues: frozenset[str] = _NO_WORDS
    fillers: frozenset[str] = _NO_WORDS
    not_after: frozenset[str] = _NO_WORDS
    begins: str = "number"
    before: re.Pattern[str] = _NOTHING
    cut: Callable[[str], int] | None = None
    needs: re.Pattern[str] | None = None

    def holds(self, written: str) -> bool:
        """Check whether the match of the pattern passes its check."""
        return self.check is None or self.check(written)

    def match(self, text: str, start: int, end: int | None = None) -> re.Match[str] | None:
        """The identifier that stands here, whole, if it passes its check."""
        match = self.pattern.match(text, start) if end is None else self.pattern.match(text, start, end)
        if match and self.cut:
            match = self.pattern.match(text, start, start + self.cut(match[0]))
        return match if match and self.holds(match[0]) else None


def any_of(words: Iterable[str], spell: Callable[[str], str] = re.escape) -> str:
    """A pattern of these words: letters that words begin with are looked at once. `spell` is the pattern of a character."""
    ends: dict[str, list[str]] = {}
    for word in sorted(words):
        ends.setdefault(word[:1], []).append(word[1:])
    whole = ends.pop("", None)
    rest = "|".join(spell(first) + any_of(rest, spell) for first, rest in ends.items())
    return f"(?:{rest}){'?+' if whole else ''}" if rest else ""
