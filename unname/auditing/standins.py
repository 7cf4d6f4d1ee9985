"""Stand-ins in a release of any tool: words that its original does not have, read as words and seen through.

Stand-ins mislead whoever takes them for words: the right person looks less likely, others more. Somebody who knows how a
release was made sees gaps in their place, and may find more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from unname.auditing.found import Found
from unname.text import MASK_TOKEN, Word, placeholders, words


@dataclass(frozen=True, slots=True)
class Readable:
    """Hidden stretches of a release, and those for which other transforms would write what a reader can follow.

    `numbered` has a number for each with a label or of a name, `surrogate` a stand-in for those whose kind it knows.
    """

    stretches: int
    numbered: int
    surrogate: int


@dataclass(frozen=True, slots=True)
class MovedDates:
    """The dates of a release that moved together: `people` with two or more, and those `alone` with their distances.

    Of the `documents` with such dates some name a holiday, `holidays`, beside which a moved date may be wrong.
    """

    people: int
    alone: int
    documents: int
    holidays: int


@dataclass(frozen=True, slots=True)
class StandIns:
    """The people found where stand-ins are read as words, and where each is a gap; a report's figures are those of the worse.

    `documents` have words that their originals do not have.
    """

    documents: int
    as_words: Found
    as_gaps: Found


def without_stand_ins(released: str, original: str) -> str:
    """A released text in which words that the original does not have at their place are gaps.

    Equal to the text where there are none. A part of a word that was hidden at the place is no stand-in for it.
    """
    row, before = _readable(released), [word.folded for word in words(original)]
    known, whole = frozenset(before), " ".join(before)
    if all(word.folded in known or word.folded in whole for word in row):
        return released
    parts, at = list[str](), 0
    matcher = SequenceMatcher(None, before, [word.folded for word in row], autojunk=False)
    for same, first, last, start, end in matcher.get_opcodes():
        hidden = "" if same == "equal" else " ".join(before[first:last])
        for word in row[start:end]:
            if same != "equal" and word.folded not in hidden:
                parts += [released[at : word.start], MASK_TOKEN]
                at = word.end
    return "".join((*parts, released[at:]))


def _readable(text: str) -> Sequence[Word]:
    """The words of a text outside of placeholders."""
    gone = {place for start, end in placeholders(text) for place in range(start, end)}
    return [word for word in words(text) if word.start not in gone]
