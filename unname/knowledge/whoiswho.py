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

# Labels of names of people, those of them that are no names of people, and those that say nothing more.
NAME_LABEL = re.compile(r"NAME|^PER|PERSON|PATIENT|DOCTOR|NOMBRE")
_OTHER_LABEL = re.compile(r"USER|COMPANY|ORG|HOSPITAL_?NAME|PERIOD|PERCENT|STREET|PLACE|HOST|DOMAIN|FILE")
_PLAIN_LABEL = re.compile(r"|(?:(?:FIRST|LAST|GIVEN|FAMILY|MIDDLE|FULL|SUR|FORE)_?)?NAME|PER|PERSON")
_MAIL_LABEL = re.compile(r"MAIL|CORREO")
# Signs between two words of one name, behind an initial, and in a name that is turned round.
_WITHIN_NAME, _BEHIND_INITIAL = re.compile(r"[ \u00a0]?|-|['’ʼ]"), re.compile(r"\.?[ \u00a0]?")
_COMMA = re.compile(r",[ \u00a0]?")
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


def names_somebody(label: str) -> bool:
    """True of labels of names of people."""
    return bool(NAME_LABEL.search(label)) and not _OTHER_LABEL.search(label)


def is_plain(label: str) -> bool:
    """True of labels that say no more than that somebody is named, or nothing."""
    return bool(_PLAIN_LABEL.fullmatch(label))


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
    titled = [text[titles_before(text, start, language) : end] for start, end in stretches]
    numbers = same_people(titled, called, language=language)
    first = NameMention.SUBJECT if called.words else NameMention.SUBJECT + 1
    return tuple(NameMention(start, end, first + who) for (start, end), who in zip(stretches, numbers, strict=True))


def doctors_title(text: str, place: int, language: str = "en") -> int | None:
    """The start of a doctor's title that stands right before a place of a text."""
    before = _WORD_BEFORE.search(text, max(0, place - _TITLE_REACH), place)
    return before.start() if before and is_doctors_title(before["word"], language) else None


def titles_before(text: str, start: int, language: str) -> int:
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
        labelled = [bool(row) and names_somebody(s.label) for s, row in zip(spans, self._rows, strict=True)]
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
            beside = any(likely[other] and self._are_beside(min(place, other), max(place, other))
                         for other in (place - 1, place + 1) if 0 <= other < len(likely))  # fmt: skip
            if of_names[place]:
                names[place] = beside or len(row) > 1 or self._is_name_alone(place)
            else:
                names[place] = beside and all(len(word) == 1 or word in common_names() for word in row)
        return names

    def _is_name_alone(self, place: int) -> bool:
        """True if a single word of a name is no other word here, as far as can be said without reading the sentence."""
        start, word = self._spans[place].start, self._rows[place][0]
        if titles_before(self._text, start, self._language) < start:
            return True
        return not (self._language in _NOUNS_IN_CAPITALS or is_month(word) or word in self._small)

    def _are_beside(self, first: int, second: int) -> bool:
        return self._touch(first, second) or self._is_turned(first, second)

    def _touch(self, first: int, second: int) -> bool:
        """True if the second of two spans goes on with a name that the first ends."""
        end, start = self._spans[first].end, self._spans[second].start
        initials = all(len(word) == 1 for word in self._rows[first])
        return bool((_BEHIND_INITIAL if initials else _WITHIN_NAME).fullmatch(self._text, end, start))

    def _is_turned(self, first: int, second: int) -> bool:
        """True if a comma turns round a name that is known in full ("Holm, Anna"): one without a title, that ends there."""
        one, other, span = self._rows[first], self._rows[second], self._spans[first]
        if not (one and other and set(one).isdisjoint(other)):
            return False
        if not _COMMA.fullmatch(self._text, span.end, self._spans[second].start):
            return False
        if titles_before(self._text, span.start, self._language) < span.start:
            return False
        if second + 1 < len(self._spans) and self._rows[second + 1] and self._touch(second, second + 1):
            return False
        both = {*one, *other}
        return any(both <= name for name in self._full.get(one[0], ()))

    def stretches(self) -> list[tuple[int, int]]:
        """Stretches that are names or e-mail addresses, in order; those of one name are one."""
        names: list[tuple[int, int]] = []
        name, last = list[str](), -1  # the words of the name so far, and the place of its last span
        for place, span in enumerate(self._spans):
            row = self._rows[place]
            if not self._is_name[place]:
                if is_address(span.label) and "@" in self._text[span.start : span.end]:
                    names.append((span.start, span.end))
                last = -1
                continue
            if last >= 0 and self._is_one(last, place, name):
                names[-1] = (names[-1][0], span.end)
                name += row
            else:
                names.append((span.start, span.end))
                name = list(row)
            last = place
        return names

    def _is_one(self, last: int, place: int, name: Sequence[str]) -> bool:
        """True if a name goes on: two names of several words each are two people's, and so are two callings."""
        labels = {self._spans[last].label, self._spans[place].label}
        if sum(not is_plain(label) for label in labels) > 1:
            return False
        if self._touch(last, place):
            initials = all(len(word) == 1 for word in name)
            return initials or (
                bool(_WITHIN_NAME.fullmatch(self._text, self._spans[last].end, self._spans[place].start))
                and min(len(name), len(self._rows[place])) < 2
            )
        return self._is_turned(last, place) and len(name) == len(self._rows[last])
