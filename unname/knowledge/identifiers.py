"""Identifiers of one person alone, from the direct fields of their profile."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from unname.dates import Day, days_of
from unname.knowledge.commonnames import common_names
from unname.knowledge.fieldnames import Kind, field_kind, word_set
from unname.knowledge.leaks import DirectIdentifiers, only_digits
from unname.knowledge.novalues import names_nobody, says_nothing
from unname.knowledge.pieces import MAIL, name_words, pieces_of
from unname.knowledge.spellings import cased
from unname.languages import read
from unname.text import Word, fold, words
from unname.types import Profile

_PARTICLES = word_set(
    "da de del della der den di dos du el la le les van von und zu of the and jr sr ii iii iv dr mr mrs ms st "
    "geb geborene née nee born roz rozená"
)
# Mailboxes of offices, which name nobody.
_OFFICES = word_set("info office mail contact admin post hello service kontakt buero praxis correo contacto")
_NUMBER = re.compile(r"\d{6,}")
_HOUSE = re.compile(r"^\W*\d+\w?\W+|\W+\d+\s?\w?(?:\W.*)?$")
_STREET = re.compile(r"stra(?:ss|ß)e$")
_POSTCODE = re.compile(r"\d{4,}")
_STREET_PARTS = re.compile(r"[,;\n]")
_FEWEST_DIGITS, _SHORTEST_MAILBOX, _LONGER_THAN_POSTCODES, _FEWEST_AT_HOME = 4, 4, 9, 7
_BESIDE_NAMES = word_set("jr sr ii iii iv dr mr mrs ms st the of and geb geborene née nee born roz rozená")
_FIGURES = re.compile(r"\d+")
_APOSTROPHE = re.compile("['’‘ʼ`´]")
_WITH_APOSTROPHE = re.compile("(?<!\\w)[^\\W\\d_]{1,2}['’‘ʼ`´][^\\W\\d_]{2,}")
# A whole Chinese or Korean name in one piece: the family name, of one character but for these, and a given name of two.
_TWO_CHARACTERS = (
    "欧阳|歐陽|司马|司馬|诸葛|諸葛|上官|东方|東方|皇甫|尉迟|尉遲|公孙|公孫|慕容|令狐|司徒|夏侯|남궁|황보|제갈|선우|독고"
)
_FAMILY_FIRST = re.compile(
    rf"(?P<family>{_TWO_CHARACTERS}|[\u3400-\u9fff\uac00-\ud7af])(?P<given>[\u3400-\u9fff\uac00-\ud7af]{{1,2}})"
)


def direct_identifiers(profile: Profile, fields: Mapping[str, Kind] | Sequence[str]) -> DirectIdentifiers:
    """Everything that must not survive of a person: from the id, and from the direct `fields` by the kind of each.

    Of a name each word of two letters or more counts alone, particles ("de", "van", "Jr") and figures aside. A day
    counts in every spelling. A number or contact counts as a sequence of words and, from four digits on, as its
    digits however they are grouped; an e-mail address also by its part before the @; an address whole, as street
    and house, and as the street alone. In a field of unknown kind, a value without a digit or @ is a name,
    and any other is both a number and, by its capitalised words, a name. A value that says nothing ("unknown") is none.
    """
    made = _Parts()
    made.number(profile.id)
    for name in fields:
        kind: Kind = fields[name] if isinstance(fields, Mapping) else ""
        for part in profile.fields.get(name, "").split("|"):
            made.value(part, kind)
    return DirectIdentifiers(
        frozenset(made.single),
        frozenset(made.sequences),
        frozenset(made.digits),
        frozenset(made.days),
        frozenset(made.short),
    )


class _Parts:
    """The identifiers gathered of one person so far."""

    def __init__(self) -> None:
        self.single: set[str] = set()
        self.sequences: set[tuple[str, ...]] = set()
        self.digits: set[str] = set()
        self.days: set[Day] = set()
        self.short: set[str] = set()

    def value(self, part: str, kind: Kind) -> None:
        """Take in one value of a field, each piece of it by its kind."""
        if says_nothing(part) or (kind in ("name", "") and names_nobody(part)):
            return
        for mailbox, host in MAIL.findall(part):
            self._mail(mailbox, host)
        figured = any(c.isdigit() or c == "@" for c in part)
        days = days_of(part, dated=kind == "date")
        self.days |= days
        if days and (kind == "date" or not (kind or part.strip().isdecimal())):
            return  # a day alone; of any other field eight figures may be a number that looks like one
        pieces = pieces_of(part, dated=kind in ("name", "date", ""))
        self.days |= pieces.days
        if kind == "address":
            self._address(part)
        elif kind != "name" and (figured or kind):
            self.number(part)
        if kind == "contact":
            self.digits.update(filter(None, map(_at_home, pieces.numbers or (part,))))
        for number in pieces.numbers:
            if kind != "address" or len(only_digits(number)) >= _LONGER_THAN_POSTCODES:
                self._figures(number)
        if kind in ("contact", "number", ""):
            self.digits.update(only_digits(run) for run in _NUMBER.findall(part))
        named: list[Word] = []
        for text in pieces.texts:
            row = name_words(text, part)
            if kind == "name" or not (figured or kind):
                named += row
            elif not kind or (kind == "contact" and pieces.several and _of_somebody(row, pieces.relations)):
                named += [word for word in row if _is_named(text[word.start : word.end])]
        self._names(named)
        if kind == "name":
            self._apostrophes(part)

    def _figures(self, number: str) -> None:
        """Take in figures however they are grouped."""
        figures = only_digits(number)
        self.sequences.add(tuple(word.folded for word in words(number)))
        self.digits.add(figures)

    def number(self, part: str) -> None:
        """Take in a number, contact or id, whole."""
        if row := tuple(word.folded for word in words(part)):
            self.sequences.add(row)
        figures = only_digits(part)
        if len(figures) >= _FEWEST_DIGITS and not any(c.isalpha() for c in part):
            self.digits.add(figures)

    def _names(self, row: Sequence[Word]) -> None:
        """Take in the words of a name, those with figures ("Ada697") also by their letters."""
        letters = (_FIGURES.sub("", word.folded) for word in row)
        named = list(
            dict.fromkeys([*filter(None, letters), *(word.folded for word in row if not word.folded.isdecimal())])
        )
        self.single.update(name for name in named if len(name) > 1 and name not in _PARTICLES)
        # One letter beside other names is an initial; one character may be a whole family name, and so may a particle.
        self.short.update(name for name in named if len(name) == 1 and (len(named) == 1 or not cased(name)))
        if named and named[-1] in _PARTICLES - _BESIDE_NAMES:
            self.short.add(named[-1])
        for name in named if len(named) == 1 else ():
            if whole := _FAMILY_FIRST.fullmatch(name):
                self.short.update(part for part in whole.groups() if len(part) == 1)
                self.single.update(part for part in whole.groups() if len(part) > 1)

    def _apostrophes(self, text: str) -> None:
        """Take in names that are also written without their apostrophe ("O'Neal", "Oneal")."""
        self.single.update(fold(_APOSTROPHE.sub("", match[0])) for match in _WITH_APOSTROPHE.finditer(text))

    def _mail(self, mailbox: str, host: str) -> None:
        box = tuple(word.folded for part in mailbox.split("_") for word in words(part))
        self.sequences.add((*box, *(word.folded for word in words(host))))
        if sum(map(len, box)) >= _SHORTEST_MAILBOX and _OFFICES.isdisjoint(box):
            self.sequences.add(box)

    def _otherwise(self, row: tuple[str, ...]) -> None:
        """Take in a street and house with other words for its kind ("12 Elm St", "12 Elm Street"), and with none."""
        for place, word in enumerate(row):
            joined = {f"{word[:-3]}strasse"} if word.endswith("str") else {_STREET.sub("str", word)} - {word}
            for other in _streets().get(word, joined):
                self.sequences.add((*row[:place], other, *row[place + 1 :]))
            bare = (*row[:place], *row[place + 1 :])
            if word in _streets() and sum(len(each) for each in bare if each.isalpha()) > _FEWEST_DIGITS:
                self.sequences.add(bare)

    def _address(self, part: str) -> None:
        self.sequences.add(tuple(word.folded for word in words(part)))
        for piece in _STREET_PARTS.split(part):
            if not any(c.isdigit() for c in piece) or not any(c.isalpha() for c in piece):
                continue
            street = tuple(word.folded for word in words(_HOUSE.sub("", piece)))
            self.sequences.add(tuple(word.folded for word in words(piece)))
            if _POSTCODE.search(piece):
                continue  # the rest of it is a town
            self._otherwise(tuple(word.folded for word in words(piece)))
            if len(street) > 1 or sum(map(len, street)) > _FEWEST_DIGITS:
                self.sequences.add(street)
                if short := _STREET.sub("str", "".join(street)):
                    self.sequences.add((short,))


@cache
def _streets() -> Mapping[str, frozenset[str]]:
    """The other spellings of each word for a kind of street; folded."""
    spellings: dict[str, set[str]] = {}
    for rows in read("streets").values():
        for row in rows:
            kinds = [fold(kind) for kind in row.split()]
            for kind in kinds:
                spellings.setdefault(kind, set()).update(kinds)
    return {kind: frozenset(others) for kind, others in spellings.items()}


def _at_home(phone: str) -> str:
    """The figures of a phone number that stay the same wherever it is dialled from: without country and trunk prefix.

    Empty where these are too few to tell it from other numbers.
    """
    written = phone.strip().removeprefix("(")
    figures = only_digits(written)
    if written.startswith("+") or figures.startswith("00"):
        from phonenumbers import NumberParseException, parse  # for numbers that are written so

        try:
            figures = str(parse(f"+{figures.lstrip('0')}").national_number)
        except NumberParseException:
            return ""
    elif len(figures) in (9, 11) and figures.startswith("8"):  # how Lithuania and Russia begin a number at home
        figures = figures[1:]
    elif len(figures) == 11 and figures.startswith("06"):  # Hungary
        figures = figures[2:]
    figures = figures.lstrip("0")
    return figures if len(figures) >= _FEWEST_AT_HOME else ""


def _is_named(word: str) -> bool:
    """Check whether a word beside figures may be one of a name: letters alone, the first a capital; not "Tel" or "Mobile"."""
    if not word.isalpha() or field_kind(word):
        return False
    if word.lower() == word.upper():
        return len(word) > 1
    return len(word) > 2 and word[0].isupper() and (word[1:].islower() or word.isupper())


def _of_somebody(row: Sequence[Word], relations: int) -> bool:
    """Check whether words beside a phone name somebody: a relation or a common name is among them."""
    return len(row) > 1 and (relations > 0 or any(word.folded in common_names() for word in row))
