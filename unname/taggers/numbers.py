"""Identifiers at runs of digits: forms of their own, and numbers that the words before them explain.

Each run is looked at once, with patterns of bounded length and a window of bounded width before it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from string import ascii_letters

from unname.taggers import cues
from unname.taggers import patterns as p
from unname.taggers.checksums import iban
from unname.types import Span

# Neither in the midst of a date or a number in groups ("1,234,567"), nor short after a letter or colon within a number
# ("A1B2", "10:30"). To begin with one digit passes over text faster than with several.
_RUN = re.compile(
    r"\d(?<!\d\d)(?<!\d[./-]\d)(?!(?<=\d,\d)\d\d(?:[.,]\d{3})+(?![\d.-]))(?:(?<!\d[^\W\d_]\d)(?<!\d:\d)|(?=\d\d))\d*"
)
# What is found may have another joined to it ("1/2/1980-3/4/1981").
_JOINING, _DIGITS = frozenset("./-"), re.compile(r"\d+")
_WINDOW = 48
# Start, end, label, score: most of what is found becomes no span, for something beside it is longer.
_Found = tuple[int, int, str, float]
# Numbers after which the time is looked at, and how many characters they take up where they are many.
_AT_ONCE = 256
_DENSE = 12 * _AT_ONCE
_SIGNS = ".,:;()[]{}\"'«»“”*-–—=<>#/|"
_LETTERS = re.compile(r"[^\W\d_]+")


def in_numbers(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    """Everything that is found at a run of digits; what a span covers is not looked at again."""
    done, since, count, words, search = 0, 0, 0, _Words(text), _RUN.search
    match = search(text)
    while match:
        start, end = match.span()
        count += 1
        if count == _AT_ONCE:
            clock()
            words.many = start - since < _DENSE
            since, count = start, 0
        kind = _kind(text[start - 1 : start], end - start, text[end : end + 2])
        shaped = kind.begins.match(text, start)
        told = (words.bits if start < words.until else words.tell(start, done)) & kind.told
        found = _at_number(words, start, end, done, kind, shaped, told) if shaped or told else None
        match = None
        if found:
            first, end, label, score = found
            done = end
            yield Span(first, end, label, score=score)
            if text[end : end + 1] in _JOINING:
                match = _DIGITS.match(text, end + 1)
        match = match or search(text, end)


# What words may tell of a number; beside a number without any of them nothing else is read of its window. Everyday words
# are none of them ("in 1985", "ME 04101"): before years and postcodes the last is always read.
_AGE, _MONTH, _STREET, _ENDING, _CUE, _PLATE = 1, 2, 4, 8, 16, 32
# What words may tell of a number of so many digits; of five and more the last stands for all.
_TOLD_OF = tuple(
    _CUE | _PLATE | others
    for others in (
        0,
        _AGE | _MONTH | _STREET | _ENDING,
        _AGE | _MONTH | _STREET | _ENDING,
        _AGE | _STREET | _ENDING,
        _MONTH | _STREET | _ENDING,
        0,
    )
)


def _telling() -> dict[str, int]:
    """By letters of the words, in small letters; of several words the longest stands for all."""
    told: dict[str, int] = {}
    plates = [cue for cue, label in cues.CUES.items() if label == "PLATE"]
    for what, rows in (
        (_AGE, p.BEFORE_AGE),
        (_MONTH, p.MONTHS),
        (_STREET, cues.STREETS),
        (_CUE, cues.CUES.keys() | cues.BEFORE_APPLICATION),
        (_PLATE, plates),
    ):
        for row in rows:
            word = max(_LETTERS.findall(row.lower()), key=len)
            told[word] = told.get(word, 0) | what
    return told


_TELLING = _telling()
_TELLS = frozenset(_TELLING)
# One after the other in small letters, and ends of streets, whatever begins them.
_TELLING_WORD = re.compile(
    rf"(?=[{''.join(sorted({word[0] for word in (*_TELLING, *cues.STREET_ENDINGS)}))}])"
    rf"(?:(?<![^\W\d_]){p.any_of(_TELLING)}|{p.any_of(cues.STREET_ENDINGS)})(?![^\W\d_])"
)


@lru_cache(maxsize=1 << 10)
def _means(word: str) -> int:
    return _TELLING.get(word, 0) | (_ENDING if word.endswith(cues.STREET_ENDINGS) else 0)


# Between the fields of a record, and in their names, no blank need be.
_BETWEEN_FIELDS = re.compile(r"[;|,_]+\"?(?=[^\W\d_])")


def _may_have_fields(text: str) -> bool:
    # Nearly all commas and semicolons have a blank behind them, and to count is faster than to match.
    return text.count(",") != text.count(", ") or text.count(";") != text.count("; ") or "_" in text or "|" in text


class _Words:
    """What words before a number may say of it: the words up to it are read once, however many numbers follow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._fields = _may_have_fields(text)
        # Whether any number may have the sign for abroad before it.
        self.signed = "+" in text
        # Whether numbers are many here: then the words of a stretch are read together.
        self.many = False
        # What is told of every number up to here.
        self.until, self.bits = 0, 0
        self._ahead: list[tuple[int, int]] = []
        # Up to where words are read; where the last telling one ends, and what it and those close before it tell.
        self._read, self._told, self._says = 0, -_WINDOW, 0

    def tell(self, start: int, done: int) -> int:
        """What the words within the window before a number may tell of it; more than they do is no harm."""
        first = max(done, start - _WINDOW)
        if self.many or start < self._read:
            if start >= self._read:
                self._read_ahead(max(self._read, first), start)
            while start >= self.until:
                self.until, self.bits = self._ahead.pop()
            return self.bits
        letters = _LETTERS.findall(self.text[max(self._read, first) : start].lower())
        bits = _ENDING if letters and letters[-1].endswith(cues.STREET_ENDINGS) else 0
        if not _TELLS.isdisjoint(letters):
            for word in letters:
                bits |= _TELLING.get(word, 0)
        if bits:
            self._says = bits | (self._says if start - self._told < _WINDOW else 0)
            self._told = start
        self._read = start
        return self._says if self._told > first else 0

    def said(self, start: int, done: int) -> list[str]:
        """The last six words before a number, as they stand."""
        return self.window(start, done).rsplit(maxsplit=6)[-6:]

    def window(self, start: int, done: int) -> str:
        """What stands before a number, with blanks between fields."""
        window = self.text[max(done, start - _WINDOW) : start]
        return _BETWEEN_FIELDS.sub(" ", window) if self._fields and _may_have_fields(window) else window

    def _read_ahead(self, first: int, start: int) -> None:
        """Cut a stretch where words begin or cease to tell something."""
        self._read = start + _DENSE
        ahead: list[tuple[int, int]] = []
        # The only capital that becomes two letters is none of a telling word.
        stretch = self.text[first : self._read + _WINDOW].replace("\u0130", "I").lower()
        told, says, last = self._told, self._says, self._read - first
        for word in _TELLING_WORD.finditer(stretch):
            begin, end = word.span()
            if begin < last:
                end += first
                bits = _means(word[0])
                if end - told >= _WINDOW:
                    ahead += (told + _WINDOW, says), (end, 0)
                    says = bits
                else:
                    says |= bits
                told = end
        self._told, self._says = told, says
        ahead += (min(self._told + _WINDOW, self._read), self._says), (self._read, 0)
        self._ahead = ahead[::-1]


def _at_number(
    words: _Words, start: int, end: int, done: int, kind: "_Kind", shaped: re.Match[str] | None, told: int
) -> _Found | None:
    """The best of what is found at a run of digits: the longest, then the surest."""
    text, announced = words.text, None
    found: list[_Found] = []
    if shaped and (group := shaped.lastgroup) == "word":
        announced = shaped
    elif shaped:
        if group != "rest":
            found = _plain(text, start, kind, shaped)
        if kind.abroad and (words.signed or text[start] == "0"):
            found += _abroad(text, start)
        if kind.is_lettered and (kind.before == _LETTER or _behind_capital(text, start)):
            found += _lettered(text, start, done, kind)
        if (
            kind.behind
            and (match := kind.behind.pattern.match(text, start))
            # A while is no age.
            and (kind.behind.label != "AGE" or p.NO_AGE_AFTER.isdisjoint(_plainly(words.said(start, done)[-3:])))
        ):
            found.append((start, match.end(), kind.behind.label, kind.behind.score))
        announced = kind.announced.pattern.match(text, start) if kind.announced else None
    if told or announced:
        found += _explained(words, start, end - start, done, told, announced)
    return max(found, key=_worth) if len(found) > 1 else found[0] if found else None


def _plainly(words: Sequence[str]) -> list[str]:
    """Words in small letters and without signs around them; one is empty if there are none."""
    return [word.lower() if word.isalnum() else word.strip(_SIGNS).lower() for word in words] or [""]


# A house with its street behind it has a shape, too.
_FORMS = (*p.FORMS, *cues.HOUSES_FIRST)
# What the words behind a number alone may say that it is: an age, years, a place.
_UNTOLD = (p.YEARS_OLD, p.YEARS, cues.PLACE_AFTER)
# What one word before a number of so many digits may say.
_ANNOUNCED = {4: p.YEAR, 5: cues.ZIP}


# For each letter one that may be the first behind the same forms' digits.
_INITIALS = {form.initials for form in (*_FORMS, *_UNTOLD)}
_ALIKE = {
    a: next(b for b in ascii_letters if all((a in row) == (b in row) for row in _INITIALS)) for a in ascii_letters
}
# Signs that may stand between a number and such a letter.
_BEFORE_INITIALS = frozenset("_.,/-")
_LETTER, _BLANK, _OTHER = "a", "_", ""


class _Kind:
    """What a run of so many digits may be, behind a sign of one kind and before signs of two, of which one is a letter.

    `begins` is all that may begin there as one pattern. Its groups "f0", "f1", ... are the forms, "rest" what else has a
    shape, "word" what but one word before it explains. Most numbers are none of these, which is seen at one look.
    """

    def __init__(self, before: str, length: int, kinds: str, initial: str) -> None:
        def of_these(forms: Sequence[p.Form]) -> list[p.Form]:
            return [form for form in forms if form.may_match(length, kinds, initial)]

        self.before = before
        # Of what words before it tell, what they may tell of it.
        self.told = _TOLD_OF[min(length, 5)]
        # Where white space got lost, what few other things look like is still what it looks like.
        self.forms = [form for form in of_these(_FORMS) if before != _LETTER or form.score >= p.DISTINCT]
        self.behind = next(iter(of_these(_UNTOLD)), None)
        self.abroad = of_these(p.ABROAD) if before != _LETTER else []
        self.announced = next(iter(of_these([*_ANNOUNCED.values()])), None)
        # From the digits on, and from the letters on.
        digits, self.lettered = (of_these(f) if before != _OTHER else [] for f in (p.AFTER_LETTERS, p.LETTERED))
        self.is_lettered, self.is_account = bool(digits), any(form.label == "IBAN" for form in digits)
        self.begins = self._either(
            0, rest=[*of_these(_UNTOLD), *digits, *self.abroad], word=of_these([*_ANNOUNCED.values()])
        )
        self._further: dict[str, tuple[p.Form, re.Pattern[str] | None]] = {}

    def further(self, group: str) -> tuple[p.Form, re.Pattern[str] | None]:
        """The form of a group, and the forms behind it if there are any."""
        found = self._further.get(group)
        if found is None:
            place = int(group[1:])
            behind = self._either(place + 1) if place + 1 < len(self.forms) else None
            found = self._further[group] = self.forms[place], behind
        return found

    def _either(self, first: int, **others: Sequence[p.Form]) -> re.Pattern[str]:
        named = {f"f{place}": [form] for place, form in enumerate(self.forms) if place >= first} | others
        return _compiled(
            "|".join(
                f"(?P<{name}>{'|'.join(f'(?:{form.pattern.pattern})' for form in forms)})"
                for name, forms in named.items()
                if forms
            )
            or r"(?!)"
        )


# Signs are many, their kinds few, and patterns fewer.
_compiled = lru_cache(maxsize=1024)(re.compile)
_of_kinds = lru_cache(maxsize=1 << 14)(_Kind)
_LONG = 40


@lru_cache(maxsize=1 << 16)
def _kind(before: str, length: int, signs: str) -> _Kind:
    kinds = p.kinds_of(signs)
    initial = _ALIKE.get(signs[1:] if kinds[0] in _BEFORE_INITIALS else signs[:1], "")
    behind = _LETTER if _is_letter(before) else _BLANK if before.isspace() else _OTHER
    return _of_kinds(behind, min(length, _LONG), kinds, initial)


def _worth(found: _Found) -> tuple[int, float]:
    start, end, _, score = found
    return end - start, score


def _plain(text: str, start: int, kind: _Kind, match: re.Match[str] | None) -> list[_Found]:
    """The best of the forms that begin with a run of digits, of which the first is matched.

    What could not be the best is not checked.
    """
    found: list[_Found] = []
    most = 0, 0.0
    while match and (group := match.lastgroup):
        form, further = kind.further(group)
        opened = form.label == "PHONE" and ")" in match[0] and text[start - 1 : start] == "("
        worth = match.end() - start + opened, form.score
        if worth > most and (form.check is None or form.check(match[0])):
            found, most = [(start - opened, match.end(), form.label, form.score)], worth
        match = further.match(text, start) if further else None
    return found


def _abroad(text: str, start: int) -> list[_Found]:
    """A telephone number with the sign or the zeros for abroad before it."""
    match = p.ABROAD[0].pattern.match(text, start)
    plus = text.find("+", max(0, start - 2), start) if match else -1
    if match and (plus >= 0 or match.end() - start > 11):
        return [(plus if plus >= 0 else start, match.end(), "PHONE", p.DISTINCT)]
    return []


def _is_letter(sign: str) -> bool:
    """Whether a sign is a letter of a word: that of "nº12" is none, though Python calls it one."""
    return sign.isalpha() and sign not in "ºª"


def _behind_capital(text: str, start: int) -> bool:
    """Whether a capital stands before a number and the white space before it."""
    last = text[start - 2 : start - 1]
    return last.isupper() or (last.isspace() and text[max(0, start - 4) : start].rstrip()[-1:].isupper())


def _lettered(text: str, start: int, done: int, kind: _Kind) -> list[_Found]:
    """Forms whose digits follow letters: at most six."""
    spans: list[_Found] = []
    first, nearest, furthest = start, max(done, start - 2), max(done, start - 8)
    while first > nearest and text[first - 1].isspace():
        first -= 1
    while first > furthest and _is_letter(text[first - 1]):
        first -= 1
    if first > done and (_is_letter(text[first - 1]) or text[first - 1].isnumeric()):
        return spans
    # The number may be followed by other words: it is what its country's numbers are.
    account = p.ACCOUNTS.get(text[first : first + 2].upper()) if kind.is_account else None
    if account and (match := account.match(text, first)) and iban(match[0]):
        spans.append((first, match.end(), "IBAN", p.CHECKED))
    for form in kind.lettered:
        found = form.pattern.match(text, first)
        if found and (form.check is None or form.check(found[0])):
            spans.append((first, found.end(), form.label, form.score))
    return spans


# --- what words before a number say that it is


# What words say that need not be the last before a number.
_FROM_AFAR = _STREET
_OF_STREETS = _STREET | _ENDING


def _explained(
    words: _Words, start: int, length: int, done: int, told: int, announced: re.Match[str] | None
) -> list[_Found]:
    """What the words before a number say that it is, of what some of them may tell."""
    text = words.text
    # Behind another number.
    if text[start - 2 : start - 1].isdecimal() and text[start - 1].isspace():
        told, announced = told & _FROM_AFAR, None
    if told & _CUE and length <= 3 and not told & _PLATE and _is_of_few(text, start):
        told -= _CUE
    found: list[_Found] = []
    if not told and not announced:
        return found
    row = words.said(start, done) if announced or told & ~_OF_STREETS else []
    last = _plainly(row[-1:])[0]
    if told & _AGE:
        found += _age(text, start, row, last)
    if told & _MONTH:
        found += _after_month(text, start, row, last, done)
    if told & _OF_STREETS:
        found += _houses(words, start, done, told)
    named = _cued(text, start, row, last, done) if told & (_CUE | _PLATE) else []
    # "Patient ID 00123" is a record, though ID is a state, too.
    if announced and (
        last in p.BEFORE_YEAR if length == 4 else not named and row and row[-1].strip(_SIGNS) in cues.STATES
    ):
        form = _ANNOUNCED[length]
        found.append((start, announced.end(), form.label, form.score))
    return found + named


# At most three digits, with or without gaps, and behind them no letter and no other digit: too few for most cues.
_FEW = re.compile(r"(?<![^\W_])(?<![-/(+])\d(?:[\s().\-/]{0,3}\d){0,2}(?![\s().\-/]{0,3}\d|[/.-]?[^\W_])")


def _is_of_few(text: str, start: int) -> bool:
    """Whether a number has too few digits for most cues, with all that could belong to it."""
    return _FEW.match(text, start) is not None


def _age(text: str, start: int, row: list[str], last: str) -> list[_Found]:
    said = last in p.BEFORE_AGE or (
        last in ("of", "de", "von", "di", "is", "") and _plainly(row[-2:-1])[0] in p.BEFORE_AGE
    )
    if said and (match := p.AGE_ALONE.match(text, start)):
        return [(start, match.end(), "AGE", p.DISTINCT)]
    return []


def _cued(text: str, start: int, row: list[str], last: str, done: int) -> list[_Found]:
    """The number of something that words before it name."""
    glued = len(row) > 1 and not text[start - 1 : start].isspace()
    found: list[_Found] = []
    if glued or last in cues.CUE_ENDINGS or not last.isalnum():
        if last in cues.BEFORE_APPLICATION and (match := cues.APPLICATION.match(text, start)):
            found.append((start, match.end(), "RECORD", p.DISTINCT))
        said = _plainly(row)
        label = _label(said) or (_label(said[:-1]) if glued else "")
        if label:
            found += _value(text, start, label, done)
    return found


_BETWEEN_WORDS = re.compile(r"\W+")


def _label(said: list[str]) -> str:
    """What the last words say, fillers aside."""
    at = len(said)
    while at and (said[at - 1] in cues.FILLERS or not said[at - 1]):
        at -= 1
    if at and said[at - 1] in cues.CUE_ENDINGS:
        for first in range(max(0, at - 3), at):
            label = cues.CUES.get(" ".join(said[first:at]))
            if label:
                return label
    # "NHC-368503:" and "historia-12": a cue that a sign joins to its number or to the word before.
    glued = _BETWEEN_WORDS.split(said[at - 1])[-1] if at and not said[at - 1].isalnum() else ""
    return cues.CUES.get(glued, "") or (cues.CUES.get(said[-1], "") if said[-1] in cues.FILLERS else "")


def _value(text: str, start: int, label: str, done: int) -> list[_Found]:
    """The whole number that a cue announces."""
    first, furthest = start, max(done, start - 16)
    while first > furthest and (text[first - 1].isalnum() or text[first - 1] in "-/(+"):
        first -= 1
    if label in ("PHONE", "FAX"):
        match = p.ANY_PHONE.match(text, start)
        first = start - 1 if text[start - 1 : start] in ("+", "(") else start
    else:
        match = (cues.PLATE if label == "PLATE" else cues.VALUE).match(text, first)
    if match and match.end() > start and sum(map(str.isdigit, match[0])) >= cues.FEWEST_DIGITS[label]:
        return [(first, match.end(), label, p.DISTINCT)]
    return []


def _after_month(text: str, start: int, row: list[str], last: str, done: int) -> list[_Found]:
    """A day or year after a month."""
    word = row[-1] if row else ""
    if len(row) > 1 and last in ("de", "del", "of", ""):
        word = row[-2]
        last = _plainly([word])[0]
    if last in p.MONTHS and (match := p.AFTER_MONTH.match(text, start)):
        first = text.rfind(word.strip(_SIGNS), max(done, start - _WINDOW), start)
        return [(first, match.end(), "DATE", p.DISTINCT)]
    return []


_OPENING = "([{\"'«“"
_NO_STREETS = frozenset(("C", "c", "AV"))
_BREAK = re.compile(r"(?<=[a-zß-ÿ]{4})[.]\s+[A-Z]|[;:]|\n\s*\n")


def _has_no_street(before: str) -> bool:
    """Whether there is neither the capital nor the slash that a street has."""
    return before.islower() and "/" not in before


def _houses(words: _Words, start: int, done: int, told: int) -> list[_Found]:
    """A house number after its street, back to the word that says it is one."""
    before = words.window(start, done)
    if _has_no_street(before):
        return []
    text, window = words.text, max(done, start - _WINDOW)
    row = before.split()[0 if told & _STREET else -1 :]
    plain = _plainly(row)
    six = plain[-6:]
    if cues.STREETS.isdisjoint(six) and "c/" not in six[-1] + six[0] and not six[-1].endswith(cues.STREET_ENDINGS):
        return []
    end = len(row) - 1
    for place, word in enumerate(row):
        if plain[place] not in cues.STREETS and place < end and "/" not in word:
            continue
        word = word.lstrip(_OPENING)
        if place == end and plain[place].endswith(cues.STREET_ENDINGS):
            named = word[:1].isupper()
        elif plain[place] in cues.STREETS and place < end:
            named = word.rstrip(_SIGNS) not in _NO_STREETS and (word[:1].isupper() or row[place + 1][:1].isupper())
        else:
            named = False
        if named or word[:2] in ("c/", "C/"):
            first = text.find(word, window, start)
            match = cues.HOUSE_LAST.match(text, start)
            if match and not _BREAK.search(text, first + 4, start):
                return [(first, match.end(), "ADDRESS", p.LIKELY)]
    return []
