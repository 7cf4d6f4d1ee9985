"""Mentions of people in one text that mean the same person: full names, parts of them, initials, titles, nicknames.

"Anna Holm", "Dr Holm", "A. Holm", "Annie" and "anna.holm@example.org" are one person where nobody else of the text fits as
well. A mention that fits several people stays apart: a wrong link would lend one person the facts of another, a missing
one only makes a text harder to follow. Rules alone, in the order of what they can be sure of: longer names first.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from unname.knowledge.fieldnames import word_set
from unname.knowledge.nicknames import NICKNAMES
from unname.languages import phrases
from unname.text import folded_words

_MAIL = re.compile(r"^\s*(?P<box>[^\s@]+)@\S+\s*$")
_PARTICLES = word_set("da das de del della der den di dos du el la le les ten ter van von vom zu zum zur af av")
_BEHIND = word_set("jr sr ii iii iv junior senior md phd msc bsc")
WOMAN, MAN = "woman", "man"


@dataclass(frozen=True, slots=True, repr=False)
class NameParts:
    """The parts of a mention, folded: given names or their initials, the family name with its particles, what a title says.

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


def parts_of(mention: str) -> NameParts:
    """The parts of a name as it stands in a text, or of an e-mail address."""
    if found := _MAIL.match(mention):
        box = tuple(part for part in re.split(r"[\W\d_]+", found["box"].casefold()) if part)
        return NameParts(mailbox=box)
    bare, sex, titled = _without_titles(mention)
    turned = [part.strip() for part in bare.split(",", 1)]
    if len(turned) == 2 and turned[1] and not _BEHIND.intersection(folded_words(turned[1])):
        family, given = folded_words(turned[0]), folded_words(turned[1])
        return NameParts(tuple(given), " ".join(family), sex=sex, titled=titled)
    row = [word for word in folded_words(bare.replace("’", "'").replace("-", " ")) if word not in _BEHIND]
    if not row:
        return NameParts(sex=sex, titled=titled)
    first = len(row) - 1
    while first > 1 and row[first - 1] in _PARTICLES:
        first -= 1
    if first == 0 or (len(row) > 1 and row[0] in _PARTICLES):
        return NameParts(
            only="" if titled else " ".join(row), family=" ".join(row) if titled else "", sex=sex, titled=titled
        )
    return NameParts(tuple(row[:first]), " ".join(row[first:]), sex=sex, titled=titled)


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


def same_people(mentions: Sequence[str]) -> list[int]:
    """A number for each mention, the same for those that mean one person; mentions are in the order of the text.

    Which of two people is meant does not depend on that order. Each distinct mention means one person throughout a text.
    """
    parts = {mention: parts_of(mention) for mention in mentions}
    people, of = list[_Somebody](), dict[str, int]()
    for mention in sorted(parts, key=lambda each: (parts[each].rank, -len(parts[each].given), each)):
        fitting = [number for number, one in enumerate(people) if _fits(parts[mention], one)]
        if len(fitting) != 1 or _doubtful(parts[mention], people[fitting[0]], parts.values()):
            fitting = [len(people)]
            people.append(_Somebody())
        of[mention] = fitting[0]
        _learn(people[fitting[0]], parts[mention])
    return [of[mention] for mention in mentions]


def _fits(name: NameParts, one: _Somebody) -> bool:
    if name.sex and one.sex and name.sex != one.sex:
        return False
    if name.mailbox:
        return _is_box_of(name.mailbox, one)
    if name.only:
        # An initial of somebody is no reason to take a word of that letter for their name.
        names = (each for each in (*one.given, one.family, *one.family.split(), one.only) if len(each) > 1)
        return any(_alike(name.only, each) for each in names)
    if not name.family:
        return False
    row, known = [*name.given, *name.family.split()], [*one.given, *one.family.split()]
    if name.titled and len(row) > 1 and row == known[-len(row) :]:  # two family names, or one in two words
        return True
    families = {one.family, one.family.rpartition(" ")[2]} if one.family else {one.only}
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


def _doubtful(name: NameParts, one: _Somebody, every: Iterable[NameParts]) -> bool:
    """True if a name without a given name could be a relative's who is not mentioned in full: a title of the other sex."""
    if not (name.family and not name.given and name.sex and not one.sex):
        return False
    others = {each.sex for each in every if each.family == name.family and each.sex}
    return len(others) > 1


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
