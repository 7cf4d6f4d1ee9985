"""Mentions of people in one text that mean the same person: full names, parts of them, initials, titles, nicknames.

"Anna Holm", "Dr Holm", "A. Holm", "Annie" and "anna.holm@example.org" are one person where nobody else of the text fits as
well, or nobody else was named before. Any other mention that fits several people stays apart: a wrong link would lend one
person the facts of another, a missing one only makes a text harder to follow. Rules alone, in the order of what they can be
sure of: longer names first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import ClassVar, Protocol

from unname.knowledge.commonnames import common_names
from unname.knowledge.fieldnames import word_set
from unname.knowledge.nicknames import NICKNAMES
from unname.languages import phrases
from unname.text import Stretch, folded_runs, without_accents

# Labels of names of people, and those of them that say nothing more.
NAME_LABEL = re.compile(r"NAME|^PER|PERSON|PATIENT|DOCTOR|NOMBRE")
PLAIN_LABELS = frozenset(("", "NAME", "PER", "PERSON"))
_MAIL_LABEL = re.compile(r"MAIL|CORREO")
_MAIL = re.compile(r"^\s*(?P<box>[^\s@]+)@\S+\s*$")
# Signs between two words of one name.
_WITHIN_NAME = re.compile(
    r"(?:(?<=(?<!\w)\w)\.|(?<=(?<!\w)\w\w)\.)?[ \u00a0]?|[ \u00a0]?-[ \u00a0]?|['’ʼ]|[ \u00a0]?\r?\n[ \u00a0]?"
)
_COMMA = re.compile(r",[ \u00a0]?")
_WORD_BEFORE = re.compile(r"(?<!\w)(?P<word>\w[\w.]*)[ \u00a0]{1,2}$")
_GENITIVE = re.compile(r"['’ʼ`]s?\s*$")
_MOST_TITLES = 3
_PARTICLES = word_set("da das de del della der den di dos du el la le les ten ter van von vom zu zum zur af av")
_BEHIND = word_set("jr sr ii iii iv junior senior md phd msc bsc")
WOMAN, MAN = "woman", "man"


@dataclass(frozen=True, slots=True, repr=False)
class NameParts:
    """The parts of a mention, folded, without accents: given names or initials, family name with particles, a title's sense.

    `only` is a single word that may be either name; a `mailbox` is what stands before the @ of an address.
    """

    given: tuple[str, ...] = ()
    family: str = ""
    only: str = ""
    sex: str = ""
    titled: bool = False
    mailbox: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"NameParts({len(self.given)} given)"

    @property
    def length(self) -> int:
        """The number of its words."""
        return len([*self.given, *self.family.split(), *self.only.split()])

    @property
    def rank(self) -> int:
        """The order in which mentions are settled: those that say most first."""
        written_out = sum(len(name) > 1 for name in self.given)
        if self.family:
            return 0 if written_out else 1 if self.given else 2
        return 4 if self.mailbox else 3


@dataclass
class _Somebody:
    """A person of the text, as far as the mentions that were settled say."""

    given: list[str] = field(default_factory=list)
    family: str = ""
    sex: str = ""
    only: str = ""
    known: frozenset[str] = frozenset()
    first: float = inf


def parts_of(mention: str, *, two_family_names: bool = False) -> NameParts:
    """The parts of a name as it stands in a text, or of an e-mail address.

    With `two_family_names` the last two words of three or more are family names, as in Spanish.
    """
    if address := _MAIL.match(mention):
        box = tuple(part for part in re.split(r"[\W\d_]+", without_accents(address["box"].casefold())) if part)
        return NameParts(mailbox=box)
    bare, sex, titled = _without_titles(_GENITIVE.sub("", mention))
    turned = [part.strip() for part in bare.split(",", 1)]
    if len(turned) == 2 and turned[1] and not _BEHIND.intersection(folded_runs(turned[1])):
        family, given = name_words(turned[0]), name_words(turned[1])
        return NameParts(tuple(given), " ".join(family), sex=sex, titled=titled)
    row = [word for word in name_words(bare) if word not in _BEHIND]
    if not row:
        return NameParts(sex=sex, titled=titled)
    if _family_in_capitals(bare):
        return NameParts(tuple(row[1:]), row[0], sex=sex, titled=titled)
    first = len(row) - 1
    if two_family_names and first > 1 and row[first - 1] not in _PARTICLES:
        first -= 1
    while first > 1 and row[first - 1] in _PARTICLES:
        first -= 1
    if first == 0 or (len(row) > 1 and row[0] in _PARTICLES):
        whole = " ".join(row)
        return NameParts(only="" if titled else whole, family=whole if titled else "", sex=sex, titled=titled)
    return NameParts(tuple(row[:first]), " ".join(row[first:]), sex=sex, titled=titled)


def name_words(name: str) -> list[str]:
    """The words of a name, folded and without accents; those of a hyphened name apart, no figures."""
    apart = without_accents(name).replace("’", "'").replace("-", " ")
    return [word for word in folded_runs(apart) if not word.isdecimal()]


def _family_in_capitals(name: str) -> bool:
    """True for "HOLM Anna": the family name first, and in capitals to say so."""
    first, _, rest = name.strip().partition(" ")
    return len(first) > 1 and first.isupper() and bool(rest.strip()) and rest.strip().istitle() and "." not in first


@cache
def _titles() -> frozenset[str]:
    tables = ("title", "small_title")
    return frozenset(title.casefold().rstrip(".") for table in tables for title in phrases("titles", table))


@cache
def _titles_of_sex() -> dict[str, str]:
    return {title: sex for table, sex in (("of_women", WOMAN), ("of_men", MAN)) for title in phrases("titles", table)}


def _without_titles(mention: str) -> tuple[str, str, bool]:
    """A mention without the titles before it, the sex that these state, and whether there was one."""
    row, sex, titled = mention.split(), "", False
    while len(row) > 1:
        title = row[0].casefold().rstrip(".,")
        if title not in _titles():
            break
        sex = sex or _titles_of_sex().get(title, "")
        titled = True
        row = row[1:]
    return " ".join(row), sex, titled


@dataclass(frozen=True, slots=True, repr=False)
class KnownAs:
    """All that somebody is called in a people table, and the sex that it states (`WOMAN`, `MAN`, or nothing)."""

    names: tuple[str, ...] = ()
    sex: str = ""

    def __repr__(self) -> str:
        return f"KnownAs({len(self.names)} names)"

    @property
    def words(self) -> frozenset[str]:
        """The words of these names, folded and without accents; initials and "Jr" are left out."""
        return frozenset(
            word for name in self.names for word in name_words(name) if len(word) > 1 and word not in _BEHIND
        )


UNKNOWN = KnownAs()


def stated_sex(fields: Mapping[str, str]) -> str:
    """The sex that the fields of a profile state in a word; empty where none does, or they disagree."""
    asked = frozenset(phrases("sexes", "field"))
    said = {value.strip().casefold() for name, value in fields.items() if " ".join(folded_runs(name)) in asked}
    sexes = {sex for table, sex in (("women", WOMAN), ("men", MAN)) if not said.isdisjoint(phrases("sexes", table))}
    return sexes.pop() if len(sexes) == 1 else ""


def same_people(mentions: Sequence[str], called: KnownAs = UNKNOWN, *, two_family_names: bool = False) -> list[int]:
    """A number for each mention, the same for those that mean one person; mentions are in the order of the text.

    Each distinct mention means one person throughout a text. Where it fits several, it means the only one of them who was
    named before, or else the only one who is known to be of the sex that its title says, or somebody else.
    `called` is somebody of whom the text is known to speak, whose number is 0.
    """
    known = called.words
    parts = {mention: parts_of(mention, two_family_names=two_family_names) for mention in mentions}
    parts = _without_genitives(parts, known)
    first = {mention: place for place, mention in reversed(list(enumerate(mentions)))}
    people, of = [_Somebody(first=-1, known=known, sex=called.sex)] if known else [], dict[str, int]()
    for mention in sorted(parts, key=lambda each: (parts[each].rank, -parts[each].length, each)):
        fitting = [number for number, one in enumerate(people) if _fits(parts[mention], one)]
        before = [number for number in fitting if people[number].first < first[mention]]
        of_sex = [number for number in fitting if parts[mention].sex and people[number].sex == parts[mention].sex]
        fitting = next((row for row in (fitting, before, of_sex) if len(row) == 1), [])
        if not fitting or _doubtful(parts[mention], people[fitting[0]], parts.values(), people):
            fitting = [len(people)]
            people.append(_Somebody())
        of[mention] = fitting[0]
        people[fitting[0]].first = min(people[fitting[0]].first, first[mention])
        _learn(people[fitting[0]], parts[mention])
    return [of[mention] for mention in mentions]


def _without_genitives(parts: dict[str, NameParts], known: frozenset[str]) -> dict[str, NameParts]:
    """Names without an s at the end where the text, or what is known, has the same name without it ("Kerns Befund")."""
    bare = {(part.family or part.only) for part in parts.values()}
    bare |= {name.rpartition(" ")[2] for name in bare} | known

    def ending(name: str) -> str:
        return name[:-1] if name.endswith("s") and name[:-1].rpartition(" ")[2] in bare else name

    return {
        mention: replace(part, family=ending(part.family), only=ending(part.only)) for mention, part in parts.items()
    }


def _fits_known(name: NameParts, known: frozenset[str]) -> bool:
    """True if every word of a name is one of those known, a short form of one or its initial, and one is more than that."""
    row = [*name.given, *name.family.split(), *name.only.split()]
    written = [word for word in row if len(word) > 1 and word not in _PARTICLES]
    return bool(written) and all(
        word in known or word in _PARTICLES or any(_alike(word, each) for each in known) for word in row
    )


def _fits(name: NameParts, one: _Somebody) -> bool:
    if name.sex and one.sex and name.sex != one.sex:
        return False
    if not name.mailbox and _fits_known(name, one.known):
        return True
    if name.mailbox:
        return _is_box_of(name.mailbox, one)
    if name.only:
        # An initial of somebody is no reason to take a word of that letter for their name.
        names = (each for each in (*one.given, one.family, *one.family.split(), one.only) if len(each) > 1)
        return any(_alike(name.only, each) for each in names)
    if not name.family:
        return False
    row, known = [*name.given, *name.family.split()], [*one.given, *one.family.split()]
    # Two family names, or one in two words; the first of several names.
    if len(row) > 1 and ((name.titled and row == known[-len(row) :]) or row == known[: len(row)]):
        return True
    families = {one.family, *one.family.split()} if one.family else {one.only}
    if name.family not in families and name.family.rpartition(" ")[2] not in families:
        return False
    return all(_alike(a, b) for a, b in zip(name.given, one.given, strict=False))


def _is_box_of(box: Sequence[str], one: _Somebody) -> bool:
    family = one.family.replace(" ", "")
    if not (family and one.given):
        return False
    joined = "".join(box)
    first = one.given[0]
    return joined in {first + family, family + first, first[0] + family, family + first[0], f"{first}{family[0]}"}


def _alike(a: str, b: str) -> bool:
    """True if two given names may be the same: equal, one an initial of the other, or a short form of it."""
    if a == b:
        return True
    short, long = sorted((a, b), key=len)
    if len(short) == 1:
        return long.startswith(short)
    return a in NICKNAMES.get(b, ()) or b in NICKNAMES.get(a, ())


def _doubtful(name: NameParts, one: _Somebody, every: Iterable[NameParts], people: Sequence[_Somebody]) -> bool:
    """True if a name without a given name could be a relative's who is not mentioned in full.

    So it is where the text has the name with a title of the other sex too, and names nobody in full who is of that sex.
    """
    if not (name.family and not name.given and name.sex and not one.sex):
        return False
    others = {each.sex for each in every if each.family == name.family and each.sex} - {name.sex}
    in_full = (other for other in people if other.given or other.known)
    return bool(others.difference(each.sex for each in in_full if name.family in {*each.known, *each.family.split()}))


def _learn(one: _Somebody, name: NameParts) -> None:
    one.sex = one.sex or name.sex
    one.only = one.only or name.only
    if not name.family:
        return
    if len(name.family) > len(one.family):
        one.family = name.family
    for place, given in enumerate(name.given):
        if place >= len(one.given):
            one.given.append(given)
        elif len(given) > len(one.given[place]) and len(one.given[place]) == 1:
            one.given[place] = given


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text, `[start, end)`, and whom it means: a number, the same for one person throughout the text.

    `SUBJECT` is the number of the person whose names were known.
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


def mentions_in(
    text: str, spans: Sequence[LabelledStretch], called: KnownAs = UNKNOWN, *, two_family_names: bool = False
) -> tuple[NameMention, ...]:
    """The names among some stretches of a text (in order, disjoint), those of one name joined, and whom each means.

    A stretch is a name by its label; without one, by being a word of what the person of the text is `called`, of another
    name of the text, or a common given name beside one. Whoever is so called is number 0. An e-mail address means whoever
    is called as what stands before the @.
    """
    stretches = _joined(text, spans, called.words)
    titled = [_with_title(text, start, end) for start, end in stretches]
    numbers = same_people(titled, called, two_family_names=two_family_names)
    first = NameMention.SUBJECT if called.words else NameMention.SUBJECT + 1
    return tuple(NameMention(start, end, first + who) for (start, end), who in zip(stretches, numbers, strict=True))


def _joined(text: str, spans: Sequence[LabelledStretch], known: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches that are names or e-mail addresses, in order; those of one name are one."""
    stretches: list[tuple[int, int]] = []
    last: LabelledStretch | None = None
    for span, is_name in zip(spans, _names_among(text, spans, known), strict=True):
        if is_name and last is not None and _one_name(text, last, span):
            stretches[-1] = (stretches[-1][0], span.end)
        elif is_name or (is_address(span.label) and _MAIL.match(text[span.start : span.end])):
            stretches.append((span.start, span.end))
        last = span if is_name else None
    return list(_turned(text, stretches, known))


def _names_among(text: str, spans: Sequence[LabelledStretch], known: frozenset[str]) -> list[bool]:
    """True for each span that is a name: by its label, its words, or as the beginning of the name beside it."""
    rows = [name_words(text[span.start : span.end]) for span in spans]
    labelled = [bool(NAME_LABEL.search(span.label)) for span in spans]
    named = known.union(*(row for row, is_name in zip(rows, labelled, strict=True) if is_name))
    named = frozenset(word for word in named if len(word) > 1)
    capital = [not span.label and _has_capital(text[span.start]) for span in spans]
    whole = [len(row) > 1 and known.issuperset(row) for row in rows]  # whatever a tagger takes it for
    sure = [
        is_name
        or is_whole
        or (may and bool(row) and all(word in named or word.removesuffix("s") in named for word in row))
        for is_name, is_whole, may, row in zip(labelled, whole, capital, rows, strict=True)
    ]
    for place, (may, row) in enumerate(zip(capital, rows, strict=True)):
        if may and row and all(len(word) == 1 or word in common_names() for word in row):
            before = place > 0 and sure[place - 1] and _one_name(text, spans[place - 1], spans[place])
            after = place + 1 < len(spans) and sure[place + 1] and _one_name(text, spans[place], spans[place + 1])
            sure[place] = sure[place] or before or after
    return sure


def _has_capital(letter: str) -> bool:
    """True of a capital, and of letters of scripts that have none."""
    return not letter.islower()


def _turned(text: str, stretches: Sequence[tuple[int, int]], known: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The same, with "Holm, Anna" as one, where "Anna Holm" is known or a name of the text."""
    rows = [name_words(text[start:end]) for start, end in stretches]
    full = [set(row) for row in rows if len(row) > 1] + [set(known)]
    at = 0
    while at < len(stretches):
        start, end = stretches[at]
        if at + 1 < len(stretches) and _COMMA.fullmatch(text, end, stretches[at + 1][0]):
            family, given = rows[at], rows[at + 1]
            if set(family).isdisjoint(given) and any(name.issuperset(family + given) for name in full):
                end = stretches[at + 1][1]
                at += 1
        yield start, end
        at += 1


def _one_name(text: str, before: LabelledStretch, span: LabelledStretch) -> bool:
    said = {before.label, span.label} - PLAIN_LABELS
    return len(said) < 2 and bool(_WITHIN_NAME.fullmatch(text, before.end, span.start))


def _with_title(text: str, start: int, end: int) -> str:
    """A mention with the titles that stand before it."""
    first = start
    for _ in range(_MOST_TITLES):
        before = _WORD_BEFORE.search(text, max(0, first - 24), first)
        if not before or before["word"].casefold().rstrip(".,") not in _titles():
            break
        first = before.start()
    return text[first:end]


def doctors_title(text: str, place: int) -> int | None:
    """The start of a doctor's title that stands right before a place of a text."""
    before = _WORD_BEFORE.search(text, max(0, place - 24), place)
    return before.start() if before and before["word"].casefold().rstrip(".") in _doctors() else None


def is_address(label: str) -> bool:
    """True of labels of e-mail addresses."""
    return bool(_MAIL_LABEL.search(label))


@cache
def _doctors() -> frozenset[str]:
    return frozenset(phrases("titles", "of_doctors"))
