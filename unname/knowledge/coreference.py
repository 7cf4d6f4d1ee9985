"""Mentions of people in one text that mean the same person: full names, parts of them, initials, titles, nicknames.

"Anna Holm", "Dr Holm", "A. Holm", "Annie" and "anna.holm@example.org" are one person where nobody else of the text fits as
well, or nobody else was named before. Any other mention that fits several people stays apart: a wrong link would lend one
person the facts of another, a missing one only makes a text harder to follow. Rules alone, in the order of what they can be
sure of: longer names first.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

from unname.knowledge.fieldnames import word_set
from unname.knowledge.nicknames import NICKNAMES
from unname.languages import phrases, read
from unname.text import folded_runs, without_accents

WOMAN, MAN = "woman", "man"
DOCTOR, NURSE = "doctor", "nurse"
# Languages whose names end with two family names.
_TWO_FAMILY_NAMES = frozenset(("es", "pt", "ca", "gl"))
_MAIL = re.compile(r"^\s*(?P<box>[^\s@]+)@\S+\s*$")
_GENITIVE = re.compile(r"['’ʼ`]s?\s*$")
_PARTICLES = word_set("da das de del della der den di dos du el la le les ten ter van von vom zu zum zur af av")
_GENERATIONS = {
    "jr": "junior",
    "junior": "junior",
    "sr": "senior",
    "senior": "senior",
    "ii": "ii",
    "iii": "iii",
    "iv": "iv",
}
_BEHIND = word_set("md phd msc bsc").union(_GENERATIONS)
_VOWEL = re.compile("[aeiouyäöüáéíóúàèìòù]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, repr=False)
class NameParts:
    """The parts of a mention, folded, without accents: given names or initials, family name with particles, a title's sense.

    `only` is a single word that may be either name; a `mailbox` is what stands before the @ of an address. A `trait` is a
    calling that the title says, `generation` what stands behind a name to tell father and son apart. Behind a `forename`
    title ("Don", "Schwester") a single word is a given name.
    """

    given: tuple[str, ...] = ()
    family: str = ""
    only: str = ""
    sex: str = ""
    titled: bool = False
    forename: bool = False
    trait: str = ""
    generation: str = ""
    mailbox: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"NameParts({len(self.given)} given)"

    @property
    def words(self) -> list[str]:
        """Its words, in order."""
        return [*self.given, *self.family.split(), *self.only.split()]

    @property
    def rank(self) -> int:
        """The order in which mentions are settled: those that say most first."""
        written_out = sum(len(name) > 1 for name in self.given)
        if self.family and not self.forename:
            return 0 if written_out else 1 if self.given else 2
        return 4 if self.mailbox else 3


@dataclass
class _Somebody:
    """A person of the text, as far as the mentions that were settled say; `known` are words of their names in a table."""

    given: list[str] = field(default_factory=list)
    family: str = ""
    sex: str = ""
    only: str = ""
    generation: str = ""
    traits: set[str] = field(default_factory=set)
    known: frozenset[str] = frozenset()
    first: float = inf

    def names(self) -> set[str]:
        """Every word by which a mention may mean this person."""
        return {*self.given, *self.family.split(), self.only, *self.known} - {""}


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
    """The sex that the fields of a profile state in words of the language of the field's name; empty if they do not."""
    table, sexes = read("sexes"), set[str]()
    for name, value in fields.items():
        asked, said = " ".join(folded_runs(name)), value.strip().casefold()
        for language, names in table["field"].items():
            if asked in _phrases(names):
                for words, sex in (("women", WOMAN), ("men", MAN)):
                    if said in _phrases(f"{table[words].get('any', '')}, {table[words].get(language, '')}"):
                        sexes.add(sex)
    return sexes.pop() if len(sexes) == 1 else ""


def _phrases(row: str) -> list[str]:
    return [part.strip() for part in row.split(",") if part.strip()]


def parts_of(mention: str, language: str = "en") -> NameParts:
    """The parts of a name as it stands in a text of a language, or of an e-mail address.

    In Spanish and its neighbours the last two words of three or more are family names.
    """
    if address := _MAIL.match(mention):
        box = tuple(part for part in re.split(r"[\W\d_]+", without_accents(address["box"].casefold())) if part)
        return NameParts(mailbox=box)
    bare, about = _without_titles(_GENITIVE.sub("", mention), language)
    turned = [part.strip() for part in bare.split(",", 1)]
    if len(turned) == 2 and turned[1] and not _BEHIND.intersection(folded_runs(turned[1])):
        return replace(about, given=tuple(name_words(turned[1])), family=" ".join(name_words(turned[0])))
    row = name_words(bare)
    generation = next((_GENERATIONS[word] for word in reversed(row[1:]) if word in _GENERATIONS), "")
    about = replace(about, generation=generation)
    row = [word for word in row if word not in _BEHIND]
    if not row:
        return about
    if _family_in_capitals(bare):
        return replace(about, given=tuple(row[1:]), family=row[0])
    first = len(row) - 1
    if language in _TWO_FAMILY_NAMES and first > 1 and row[first - 1] not in _PARTICLES:
        first -= 1
    while first > 1 and row[first - 1] in _PARTICLES:
        first -= 1
    if first == 0 or (len(row) > 1 and row[0] in _PARTICLES):
        whole = " ".join(row)
        return replace(about, family=whole) if about.titled else replace(about, only=whole)
    return replace(about, given=tuple(row[:first]), family=" ".join(row[first:]), forename=False)


def name_words(name: str) -> list[str]:
    """The words of a name, folded and without accents; those of a hyphened name apart, no figures."""
    apart = without_accents(name).replace("’", "'").replace("-", " ")
    return [word for word in folded_runs(apart) if not word.isdecimal()]


def _family_in_capitals(name: str) -> bool:
    """True for "HOLM Anna": the family name first, and in capitals to say so; "TJ" are initials."""
    first, _, rest = name.strip().partition(" ")
    capitals = first.isupper() and (len(first) > 2 or (len(first) > 1 and bool(_VOWEL.search(first))))
    return capitals and bool(rest.strip()) and rest.strip().istitle() and "." not in first


@cache
def _titles() -> frozenset[str]:
    tables = ("title", "small_title", "of_nurses")
    return frozenset(title.casefold().rstrip(".") for table in tables for title in phrases("titles", table))


@cache
def _titles_that_say(table: str) -> frozenset[str]:
    return frozenset(phrases("titles", table))


def is_title(word: str, language: str = "en") -> bool:
    """True of titles before names, as they stand in a text of a language; French "M." is one, elsewhere it is an initial."""
    bare = word.casefold().rstrip(".,")
    return bare in _titles() or (language == "fr" and word == "M.")


def is_doctors_title(word: str) -> bool:
    """True of a title of doctors; written small, only of a short form ("dr"), for the whole word may be any doctor's."""
    bare = word.casefold().rstrip(".")
    return bare in _titles_that_say("of_doctors") and (word[:1].isupper() or len(bare) <= 3)


def _without_titles(mention: str, language: str) -> tuple[str, NameParts]:
    """A mention without the titles before it, and what these state."""
    row, about = mention.split(), NameParts()
    while len(row) > 1 and is_title(row[0], language):
        title = row[0].casefold().rstrip(".,")
        sexes = [(WOMAN, "of_women"), (MAN, "of_men")]
        sex = next((sex for sex, table in sexes if title in _titles_that_say(table)), "")
        if (title == "dr" and language in _TWO_FAMILY_NAMES) or row[0] == "M.":
            sex = MAN
        trait = DOCTOR if is_doctors_title(row[0]) else NURSE if title in _titles_that_say("of_nurses") else ""
        forename = about.forename or title in _titles_that_say("of_given_names")
        about = NameParts(
            sex=about.sex or sex, titled=True, forename=forename, trait=about.trait or trait
        )  # fmt: skip
        row = row[1:]
    return " ".join(row), about


def same_people(mentions: Sequence[str], called: KnownAs = UNKNOWN, *, language: str = "en") -> list[int]:
    """A number for each mention, the same for those that mean one person; mentions are in the order of the text.

    Each distinct mention means one person throughout a text. Where it fits several, it means the only one of them who was
    named before, or else the one who has the calling that its title says, or the known person if of that sex, or else
    somebody else. `called` is the known person, of whom the text is known to speak, and whose number is 0.
    """
    parts = {mention: parts_of(mention, language) for mention in mentions}
    return _Settled(_without_genitives(parts, called.words), called).numbers(mentions)


class _Settled:
    """The people of a text while mentions are settled one after another, found by the words that may mean them."""

    def __init__(self, parts: Mapping[str, NameParts], called: KnownAs) -> None:
        self._parts = parts
        self._people: list[_Somebody] = []
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._sexes: dict[str, set[str]] = defaultdict(set)
        for name in parts.values():
            if name.sex:
                self._sexes[name.family].add(name.sex)
        if called.words:
            self._people.append(_Somebody(first=-1, known=called.words, sex=called.sex))
            self._reach(0)

    def numbers(self, mentions: Sequence[str]) -> list[int]:
        """The number of each mention's person."""
        of = dict[str, int]()
        first = {mention: place for place, mention in reversed(list(enumerate(mentions)))}
        for mention in self._in_turn():
            name = self._parts[mention]
            number = self._meant(name, first[mention])
            if number is None:
                number = len(self._people)
                self._people.append(_Somebody())
            of[mention] = number
            one = self._people[number]
            one.first = min(one.first, first[mention])
            _learn(one, name)
            self._reach(number)
        return [of[mention] for mention in mentions]

    def _in_turn(self) -> list[str]:
        """All mentions, those first that say most; a short form or an initial after all names of which it may be one."""
        by_family: dict[str, set[str]] = defaultdict(set)
        for name in self._parts.values():
            by_family[name.family].update(name.given)

        def vague(name: NameParts) -> int:
            others = by_family[name.family] if name.family else ()
            short = any(given in NICKNAMES.get(other, ()) for given in name.given for other in others)
            return 2 if short else int(any(len(given) == 1 for given in name.given))

        return sorted(
            self._parts,
            key=lambda each: (
                self._parts[each].rank, vague(self._parts[each]), -len(self._parts[each].words), each,
            ),
        )  # fmt: skip

    def _meant(self, name: NameParts, place: int) -> int | None:
        """The person whom a name means that stands first at a place of the text, if that can be said."""
        fitting = [number for number in sorted(self._near(name)) if _fits(name, self._people[number])]
        people = [(number, self._people[number]) for number in fitting]
        # An initial may be that of somebody who is named later.
        before = [number for number, one in people if one.first < place and min(map(len, name.given), default=2) > 1]
        # Of anybody but the known person a sex is known by chance: because they happen to have had a title.
        of_sex = [number for number, one in people if one.known and name.sex and one.sex == name.sex]
        of_calling = [number for number, one in people if name.trait and name.trait in one.traits]
        sure = next((row for row in (fitting, of_calling, before, of_sex) if len(row) == 1), None)
        return None if sure is None or self._is_doubtful(name, self._people[sure[0]]) else sure[0]

    def _near(self, name: NameParts) -> set[int]:
        """People with a word of a name, a form of it, its initial, or its mailbox; all others cannot be meant."""
        keys = set[str]()
        for word in name.words:
            keys |= {word, f"{word[0]}."} if len(word) > 1 else {f"{word}*"}
            keys.update(NICKNAMES.get(word, ()))
        keys.update(f"{joined}@" for joined in ["".join(name.mailbox)] if joined)
        return set[int]().union(*(self._by_word[key] for key in keys if key in self._by_word))

    def _reach(self, number: int) -> None:
        """Note by which words a person can be meant now."""
        one = self._people[number]
        for word in one.names():
            self._by_word[word].add(number)
            self._by_word[f"{word[0]}*"].add(number)
            if len(word) == 1:
                self._by_word[f"{word}."].add(number)
            for short in NICKNAMES.get(word, ()):
                self._by_word[short].add(number)
        for box in _boxes(one):
            self._by_word[f"{box}@"].add(number)

    def _is_doubtful(self, name: NameParts, one: _Somebody) -> bool:
        """True if a name without a given name could be a relative's who is not mentioned in full.

        So it is where the text has the name with a title of the other sex too, and names nobody in full who is of that sex.
        """
        if not (name.family and not name.given and name.sex and not one.sex):
            return False
        others = self._sexes[name.family] - {name.sex}
        called = [self._people[number] for number in self._by_word.get(name.family, ())] if others else []
        return bool(others.difference(each.sex for each in called if each.given or each.known))


def _without_genitives(parts: Mapping[str, NameParts], known: frozenset[str]) -> dict[str, NameParts]:
    """Names without an s at the end where the text, or what is known, has the same name without it ("Kerns Befund")."""
    bare = {(part.family or part.only) for part in parts.values()}
    bare |= {name.rpartition(" ")[2] for name in bare} | known

    def ending(name: str) -> str:
        return name[:-1] if name.endswith("s") and name[:-1].rpartition(" ")[2] in bare else name

    return {
        mention: replace(part, family=ending(part.family), only=ending(part.only)) for mention, part in parts.items()
    }


def _fits(name: NameParts, one: _Somebody) -> bool:
    if (name.sex and one.sex and name.sex != one.sex) or not _may_have(name, one):
        return False
    if name.generation and one.generation and name.generation != one.generation:
        return False
    if name.mailbox:
        return "".join(name.mailbox) in _boxes(one)
    if _fits_known(name, one.known):
        return True
    if name.only or name.forename:
        # An initial of somebody is no reason to take a word of that letter for their name.
        names = (*one.given, one.family, *one.family.split(), one.only) if name.only else (*one.given[:1], one.only)
        return any(_alike(name.only or name.family, each) for each in names if len(each) > 1)
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


def _may_have(name: NameParts, one: _Somebody) -> bool:
    """False for a part of a name behind a calling that somebody, who is named in full, is never said to have.

    A doctor may be named in full without a title, but hardly whom the documents are about.
    """
    if not name.trait or (name.given and name.family) or name.trait in one.traits:
        return True
    return not one.known and (name.trait == DOCTOR or not one.given)


def _fits_known(name: NameParts, known: frozenset[str]) -> bool:
    """True if each word of a name is another one of those known, or a short form or the initial of it; one is a whole one."""
    row = sorted((word for word in name.words if word not in _PARTICLES or len(word) == 1), key=len, reverse=True)
    left, whole = set(known), False
    for word in row:
        fitting = word if word in left else next((each for each in sorted(left) if _alike(word, each)), None)
        if fitting is None:
            return False
        left.discard(fitting)
        whole = whole or len(word) > 1
    return whole


def _boxes(one: _Somebody) -> set[str]:
    """All that may stand before the @ of somebody's address, without signs."""
    family = one.family.replace(" ", "")
    pairs = {(one.given[0], family)} if family and one.given else set()
    pairs |= {(a, b) for a in one.known for b in one.known if a != b}
    return {
        box for given, last in pairs
        for box in (given + last, last + given, given[0] + last, last + given[0], f"{given}{last[0]}")
    }  # fmt: skip


def _alike(a: str, b: str) -> bool:
    """True if two given names may be the same: equal, one an initial of the other, or a short form of it."""
    if a == b:
        return True
    short, long = sorted((a, b), key=len)
    if len(short) == 1:
        return long.startswith(short)
    return a in NICKNAMES.get(b, ()) or b in NICKNAMES.get(a, ())


def _learn(one: _Somebody, name: NameParts) -> None:
    one.sex = one.sex or name.sex
    one.generation = one.generation or name.generation
    one.only = one.only or name.only
    if name.trait:
        one.traits.add(name.trait)
    if name.forename:
        one.given = one.given or [name.family]
        return
    if not name.family:
        return
    if len(name.family) > len(one.family):
        one.family = name.family
    for place, given in enumerate(name.given):
        if place >= len(one.given):
            one.given.append(given)
        elif len(given) > len(one.given[place]) and len(one.given[place]) == 1:
            one.given[place] = given
