"""Names among the hidden stretches of a text, and whom each of them means."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from unname.knowledge.commonnames import common_names
from unname.knowledge.coreference import UNKNOWN, KnownAs, is_doctors_title, is_title, name_words, same_people
from unname.knowledge.nicknames import NICKNAMES
from unname.months import is_month
from unname.text import WORD, Stretch, folded_runs

# Labels of names of people, and those of them that say nothing more.
NAME_LABEL = re.compile(r"NAME|^PER|PERSON|PATIENT|DOCTOR|NOMBRE")
PLAIN_LABELS = frozenset(("", "NAME", "PER", "PERSON"))
_MAIL_LABEL = re.compile(r"MAIL|CORREO")
# Signs between two words of one name; and between two that are one name only if it is known in full.
_WITHIN_NAME = re.compile(r"(?:(?<=(?<!\w)\w)\.|(?<=(?<!\w)\w\w)\.)?[ \u00a0]?|-|['’ʼ]")
_PARTING = re.compile(r",[ \u00a0]?|[ \u00a0]?\r?\n[ \u00a0]?|[ \u00a0]-[ \u00a0]")
_WORD_BEFORE = re.compile(r"(?<!\w)(?P<word>\w[\w.]*)[ \u00a0]{1,2}$")
_MOST_TITLES, _TITLE_REACH = 3, 24
# Languages that write every noun with a capital: a word alone may be the trade as well as the name of a cook.
_NOUNS_IN_CAPITALS = frozenset(("de", "lb"))


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text, `[start, end)`, and whom it means: a number, the same for one person throughout the text.

    `SUBJECT` is the number of the person of whom it was known what they are called.
    """

    SUBJECT: ClassVar[int] = 0

    start: int
    end: int
    who: int


class LabelledStretch(Stretch, Protocol):
    """A stretch with a label, such as a span of a mask."""

    @property
    def label(self) -> str:
        """Its kind, such as `NAME`; empty where nobody says."""
        ...


def is_address(label: str) -> bool:
    """True of labels of e-mail addresses."""
    return bool(_MAIL_LABEL.search(label))


def mentions_in(
    text: str, spans: Sequence[LabelledStretch], called: KnownAs = UNKNOWN, *, language: str = "en"
) -> tuple[NameMention, ...]:
    """The names among some stretches of a text (in order, disjoint), those of one name joined, and whom each means.

    A stretch is a name by its label; without one, by being a word of what the person of the text is `called` or of another
    name of the text, or an initial or a common given name beside one. Whoever is so called is number 0. An e-mail address
    means whoever is called as what stands before the @.
    """
    stretches = _Names(text, spans, called.words, language).stretches()
    titled = [text[_titles_before(text, start, language) : end] for start, end in stretches]
    numbers = same_people(titled, called, language=language)
    first = NameMention.SUBJECT if called.words else NameMention.SUBJECT + 1
    return tuple(NameMention(start, end, first + who) for (start, end), who in zip(stretches, numbers, strict=True))


def doctors_title(text: str, place: int) -> int | None:
    """The start of a doctor's title that stands right before a place of a text."""
    before = _WORD_BEFORE.search(text, max(0, place - _TITLE_REACH), place)
    return before.start() if before and is_doctors_title(before["word"]) else None


def _titles_before(text: str, start: int, language: str) -> int:
    """The place where the titles begin that stand before a place of a text."""
    for _ in range(_MOST_TITLES):
        before = _WORD_BEFORE.search(text, max(0, start - _TITLE_REACH), start)
        if not before or not is_title(before["word"], language):
            break
        start = before.start()
    return start


class _Names:
    """The names among some spans of a text; `known` are words of what its person is called."""

    def __init__(self, text: str, spans: Sequence[LabelledStretch], known: frozenset[str], language: str) -> None:
        self._text, self._spans, self._known, self._language = text, spans, known, language
        self._rows = [name_words(text[span.start : span.end]) for span in spans]
        labelled = [bool(row) and bool(NAME_LABEL.search(s.label)) for s, row in zip(spans, self._rows, strict=True)]
        self._full: dict[str, list[set[str]]] = defaultdict(list)
        words = {*known, *(short for word in known for short in NICKNAMES.get(word, ()))}
        for row, is_name in zip(self._rows, labelled, strict=True):
            if is_name:
                words.update(word for word in row if len(word) > 1)
                self._note(row)
        self._note(list(known))
        self._words = frozenset(words)
        self._small = {folded for run in WORD.findall(text) if run.islower() for folded in folded_runs(run)} & words
        self._is_name = self._names_among(labelled)

    def _note(self, row: Sequence[str]) -> None:
        """Note a name of several words."""
        if len(row) > 1:
            name = set(row)
            for word in name:
                self._full[word].append(name)

    def _names_among(self, labelled: Sequence[bool]) -> list[bool]:
        """True for each span that is a name: by its label, its words, or as the beginning of the name beside it."""
        may = [not s.label and bool(row) and not self._text[s.start].islower()
               for s, row in zip(self._spans, self._rows, strict=True)]  # fmt: skip
        of_names = [all(w in self._words or w.removesuffix("s") in self._words for w in row) for row in self._rows]
        # A tagger may take a whole name for something else.
        names = [is_name or (len(row) > 1 and self._known.issuperset(row))
                 for is_name, row in zip(labelled, self._rows, strict=True)]  # fmt: skip
        likely = [is_name or (may[i] and of_names[i]) for i, is_name in enumerate(names)]
        for place, row in enumerate(self._rows):
            if names[place] or not may[place]:
                continue
            beside = any(likely[other] and self._touch(min(place, other), max(place, other))
                         for other in (place - 1, place + 1) if 0 <= other < len(likely))  # fmt: skip
            if of_names[place]:
                names[place] = beside or len(row) > 1 or self._is_name_alone(place)
            else:
                names[place] = beside and all(len(word) == 1 or word in common_names() for word in row)
        return names

    def _is_name_alone(self, place: int) -> bool:
        """True if a single word of a name is no other word here, as far as can be said without reading the sentence."""
        start, word = self._spans[place].start, self._rows[place][0]
        if _titles_before(self._text, start, self._language) < start:
            return True
        return not (self._language in _NOUNS_IN_CAPITALS or is_month(word) or word in self._small)

    def _touch(self, first: int, second: int) -> bool:
        a, b = self._spans[first], self._spans[second]
        return bool(_WITHIN_NAME.fullmatch(self._text, a.end, b.start)) or self._is_parted(
            a.end, b.start, first, second
        )

    def _is_parted(self, end: int, start: int, first: int, second: int) -> bool:
        """True if a comma, a line end or a dash parts two words of a name that is known in full ("Holm, Anna")."""
        one, other = self._rows[first], self._rows[second]
        if not (one and other and set(one).isdisjoint(other) and _PARTING.fullmatch(self._text, end, start)):
            return False
        both = {*one, *other}
        return any(both <= name for name in self._full.get(one[0], ()))

    def stretches(self) -> list[tuple[int, int]]:
        """Stretches that are names or e-mail addresses, in order; those of one name are one."""
        names: list[tuple[int, int]] = []
        words, last = 0, -1  # of the name so far, and the place of its last span
        for place, span in enumerate(self._spans):
            row = self._rows[place]
            if not self._is_name[place]:
                if is_address(span.label) and "@" in self._text[span.start : span.end]:
                    names.append((span.start, span.end))
                last = -1
                continue
            if last >= 0 and self._is_one(last, place, words):
                names[-1] = (names[-1][0], span.end)
                words += len(row)
            else:
                names.append((span.start, span.end))
                words = len(row)
            last = place
        return names

    def _is_one(self, last: int, place: int, words: int) -> bool:
        """True if a name goes on: two names of several words each are two people's."""
        a, b = self._spans[last], self._spans[place]
        if len({a.label, b.label} - PLAIN_LABELS) > 1:
            return False
        if _WITHIN_NAME.fullmatch(self._text, a.end, b.start):
            return words < 2 or len(self._rows[place]) < 2
        return self._is_parted(a.end, b.start, last, place)
