"""Stand-ins in a release of any tool: words that its original does not have, read as words and seen through.

Stand-ins mislead whoever takes them for words: the right person looks less likely, others more. Somebody who knows how a
release was made sees gaps in their place, and may find more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from unname.auditing.found import Found
from unname.reidentifiers.base import IntArray
from unname.text import MASK_TOKEN, Word, placeholders, words

# Words of an original from which on it is long.
_LONG = 5_000


@dataclass(frozen=True, slots=True)
class Readable:
    """Hidden stretches of a release, and those for which other transforms would write what a reader can follow.

    `numbered` has a number for each with a label or of a name, `surrogate` a stand-in for those whose kind it knows. For
    `general` ones the release has a general value.
    """

    stretches: int
    numbered: int
    surrogate: int
    general: int = 0


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


@dataclass(frozen=True, slots=True, repr=False)
class ReadTwice:
    """Released texts as they stand, and with gaps in place of what was invented; None where withheld.

    Where values were made general, they are gaps as well, and `among` has by document the people whom they fit, as columns
    of the attackers' population; None: everybody.
    """

    as_words: Sequence[str | None]
    as_gaps: Sequence[str | None]
    among: Sequence[IntArray | None] = ()

    def __repr__(self) -> str:
        return f"ReadTwice({len(self.as_words)} texts)"

    @property
    def parts(self) -> tuple[Sequence[str | None], Sequence[str | None], Sequence[IntArray | None]]:
        """The texts as words, as gaps, and who fits."""
        return self.as_words, self.as_gaps, self.among


def without_stand_ins(released: str, original: str) -> str:
    """A released text in which words that the original does not have at their place are gaps.

    Equal to the text where there are none. A part of a word that was hidden at the place is no stand-in for it.
    """
    row, before = _readable(released), [word.folded for word in words(original)]
    if _is_left_of(row, before, released):
        return released
    parts, at = list[str](), 0
    for word in _invented(row, before):
        parts += [released[at : word.start], MASK_TOKEN]
        at = word.end
    return "".join((*parts, released[at:]))


def new_stretches(released: str, original: str) -> list[str]:
    """The stretches of a released text of words beside each other that the original does not have at their place."""
    row = _readable(released)
    place = {word.start: number for number, word in enumerate(row)}
    stretches = list[tuple[int, int]]()
    for word in _invented(row, [word.folded for word in words(original)]):
        last = stretches[-1] if stretches else None
        if last is not None and place[word.start] and row[place[word.start] - 1].end == last[1]:
            stretches[-1] = last[0], word.end
        else:
            stretches.append((word.start, word.end))
    return [released[start:end] for start, end in stretches]


def _invented(row: Sequence[Word], before: Sequence[str]) -> Iterator[Word]:
    """Words that an original, of the words `before`, does not have at their place; in a long text, that it has nowhere.

    To look for places takes time that grows with the square of the length.
    """
    if len(before) > _LONG or len(row) > _LONG:
        known = frozenset(before)
        yield from (word for word in row if word.folded not in known)
        return
    matcher = SequenceMatcher(None, before, [word.folded for word in row], autojunk=False)
    for same, first, last, start, end in matcher.get_opcodes():
        hidden = "" if same == "equal" else " ".join(before[first:last])
        yield from (word for word in row[start:end] if same != "equal" and word.folded not in hidden)


def _is_left_of(row: Sequence[Word], before: Sequence[str], released: str) -> bool:
    """True if words are those of an original in their order, some left out; of a word that was hidden in part, the rest."""
    at = 0
    for word in row:
        part = "]" in released[max(0, word.start - 1) : word.start] or "[" in released[word.end : word.end + 1]
        while at < len(before) and before[at] != word.folded and not (part and word.folded in before[at]):
            at += 1
        if at == len(before):
            return False
        at += 1
    return True


def _readable(text: str) -> Sequence[Word]:
    """The words of a text outside of placeholders."""
    gone = {place for start, end in placeholders(text) for place in range(start, end)}
    return [word for word in words(text) if word.start not in gone]
