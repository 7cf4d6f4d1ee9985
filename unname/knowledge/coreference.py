"""Mentions of people in one text that mean the same person: full names, parts of them, initials, titles, nicknames.

"Anna Holm", "Mrs Holm", "A. Holm", "Annie" and "anna.holm@example.org" are one person where nobody else of the text fits as
well, or nobody else was named before. Any other mention that fits several people stays apart: a wrong link would lend one
person the facts of another, a missing one only makes a text harder to follow. Rules alone, in the order of what they can be
sure of: longer names first.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

from unname.knowledge.commonnames import given_names
from unname.knowledge.fieldnames import languages_of_sex, part_of_name, word_set
from unname.knowledge.nicknames import NICKNAMES
from unname.languages import phrases, read
from unname.text import folded_runs, without_accents

WOMAN, MAN = "woman", "man"
DOCTOR, NURSE = "doctor", "nurse"
# Languages whose names end with two family names, and those whose names take an s in the genitive.
_TWO_FAMILY_NAMES = frozenset(("es", "pt", "ca", "gl"))
_WITH_GENITIVE = frozenset(("de", "nl", "sv", "da", "no"))
_MAIL = re.compile(r"^\s*(?P<box>[^\s@]+)@\S+\s*$")
_GENITIVE = re.compile(r"['’ʼ`]s?\s*$")
# "O'Brien" is one word.
_APOSTROPHE = re.compile(r"(?<!\w)([^\W\d_]{1,2})['’ʼ`](?=[^\W\d_])")
_PARTICLES = word_set("da das de del della der den di dos du el la le les ten ter van von vom zu zum zur af av")
_GENERATIONS = {"jr": "junior", "sr": "senior"} | {each: each for each in ("junior", "senior", "ii", "iii", "iv")}
_BEHIND = word_set("md phd msc bsc").union(_GENERATIONS)
_VOWEL = re.compile("[aeiouyäöüáéíóúàèìòù]", re.IGNORECASE)
# Letters of a mailbox that is a name alone, and of a title by which two spellings of it are one ("Prof", "Professor").
_SHORTEST_BOX, _LETTERS_OF_TITLE = 3, 4


@dataclass(frozen=True, slots=True, repr=False)
class NameParts:
    """The parts of a mention, folded, without accents: given names or initials, family name with particles, a title's sense.

    `only` is a single word that may be either name; a `mailbox` is what stands before the @ of an address. `callings` are
    what titles say beside courtesy, `generation` what stands behind a name to tell father and son apart. Behind a
    `forename` title ("Don", "Schwester") a single word is a given name.
    """

    given: tuple[str, ...] = ()
    family: str = ""
    only: str = ""
    sex: str = ""
    titled: bool = False
    courtesy: bool = False
    forename: bool = False
    callings: frozenset[str] = frozenset()
    generation: str = ""
    mailbox: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"NameParts({len(self.given)} given)"

    @property
    def words(self) -> list[str]:
        """Its words, in order."""
        return [*self.given, *self.family.split(), *self.only.split()]

    @property
    def is_full(self) -> bool:
        """True if it has a given name, or an initial, and a family name."""
        return bool(self.given and self.family)

    @property
    def rank(self) -> int:
        """The order in which mentions are settled: those that say most first."""
        written_out = sum(len(name) > 1 for name in self.given)
        if self.family and not self.forename:
            return 0 if written_out else 1 if self.given else 2
        return 4 if self.mailbox else 3


@dataclass(repr=False)
class _Somebody:
    """A person of the text, as far as the mentions that were settled say; `aliases` are other names in a table."""

    given: list[str] = field(default_factory=list)
    family: str = ""
    only: str = ""
    sex: str = ""
    generation: str = ""
    courtesy: bool = False
    callings: set[str] = field(default_factory=set)
    aliases: tuple[NameParts, ...] = ()
    known: bool = False
    first: float = inf

    def forms(self) -> Iterable[tuple[list[str], str, str]]:
        """Given names, family name and single word by each of the names."""
        yield self.given, self.family, self.only
        for alias in self.aliases:
            yield list(alias.given), alias.family, alias.only

    def names(self) -> set[str]:
        """Every word by which a mention may mean this person."""
        every = {word for given, family, only in self.forms() for word in (*given, *family.split(), only)}
        return every.union("".join(given) for given, _, _ in self.forms()) - {""}


@dataclass(frozen=True, slots=True, repr=False)
class KnownAs:
    """All that somebody is called in a people table, the whole name first, and the sex that it states, if any.

    A name whose family name is known stands as "Holm, Anna".
    """

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


def whole_names(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The names of a person from fields that hold names: given and family names together, others as they stand."""
    parts: dict[str, list[str]] = {"given": [], "family": [], "": []}
    for name, value in fields.items():
        parts[part_of_name(name)] += value.split("|") if not part_of_name(name) else [value]
    given, family, others = " ".join(parts["given"]), " ".join(parts["family"]), parts[""]
    if others and bool(given) != bool(family) and set(name_words(given or family)).isdisjoint(name_words(others[0])):
        given, family, others = given or others[0], family or others[0], others[1:]
    if given and family:
        return f"{family}, {given}", *others
    single = [each for each in (given, family, *others) if each]
    if len(single) == 2 and all(len(name_words(each)) == 1 for each in single):
        return (" ".join(single),)
    return tuple(sorted(single, key=lambda each: -len(name_words(each))))


def stated_sex(fields: Mapping[str, str]) -> str:
    """The sex that the fields of a profile state in words of the language of the field's name; empty if they do not."""
    sexes = set[str]()
    for name, value in fields.items():
        for language in languages_of_sex(name):
            said = value.strip().casefold()
            sexes.update(sex for sex in (WOMAN, MAN) if said in _words_for(sex, language))
    return sexes.pop() if len(sexes) == 1 else ""


@cache
def _words_for(sex: str, language: str) -> frozenset[str]:
    table = read("sexes")["women" if sex == WOMAN else "men"]
    rows = (table.get("any", ""), table.get(language, ""))
    return frozenset(word.strip() for row in rows for word in row.split(",") if word.strip())


def parts_of(mention: str, language: str = "en") -> NameParts:
    """The parts of a name as it stands in a text of a language, or of an e-mail address.

    A hyphened given name is one word. In Spanish and its neighbours the last two words of three or more are family names.
    """
    if address := _MAIL.match(mention):
        box = tuple(part for part in re.split(r"[\W\d_]+", without_accents(address["box"].casefold())) if part)
        return NameParts(mailbox=box)
    bare, about = _without_titles(_GENITIVE.sub("", mention), language)
    family, comma, given = (part.strip() for part in bare.partition(","))
    if comma and given and not _BEHIND.intersection(folded_runs(given)):
        return replace(about, given=_given(given.split()), family=" ".join(name_words(family)))
    row = [word for word in bare.replace(",", " ").split() if name_words(word)]
    behind = [word for word in row[1:] if set(name_words(word)) <= _BEHIND]
    generation = next((_GENERATIONS[w] for word in behind for w in name_words(word) if w in _GENERATIONS), "")
    about = replace(about, generation=generation)
    row = [word for word in row if word not in behind]
    if not row:
        return about
    if _family_in_capitals(bare):
        return replace(about, given=_given(row[1:]), family=" ".join(name_words(row[0])))
    first = len(row) - 1
    small = [" ".join(name_words(word)) for word in row]
    if language in _TWO_FAMILY_NAMES and first > 1 and small[first - 1] not in _PARTICLES:
        first -= 1
    while first > 1 and small[first - 1] in _PARTICLES:
        first -= 1
    if first == 0 or (len(row) > 1 and small[0] in _PARTICLES):
        whole = " ".join(small)
        return replace(about, family=whole) if about.titled else replace(about, only=whole)
    return replace(about, given=_given(row[:first]), family=" ".join(small[first:]), forename=False)


def _given(row: Iterable[str]) -> tuple[str, ...]:
    """Given names, each without its hyphens, and initials: those of "J.R." are two."""
    names = list[str]()
    for word in row:
        parts = name_words(word)
        names += parts if "." in word else ["".join(parts)] if parts else []
    return tuple(names)


def name_words(name: str) -> list[str]:
    """The words of a name, folded and without accents; those of a hyphened name apart, no figures."""
    apart = _APOSTROPHE.sub(r"\1", without_accents(name)).replace("-", " ")
    return [word for word in folded_runs(apart) if not word.isdecimal()]


def _family_in_capitals(name: str) -> bool:
    """True for "HOLM Anna": the family name first, and in capitals to say so; "TJ" are initials."""
    first, _, rest = name.strip().partition(" ")
    capitals = first.isupper() and (len(first) > 2 or (len(first) > 1 and bool(_VOWEL.search(first))))
    return capitals and bool(rest.strip()) and rest.strip().istitle() and "." not in first


@cache
def _titles(table: str) -> frozenset[str]:
    return frozenset(title.casefold().rstrip(".") for title in phrases("titles", table))


@cache
def _every_title() -> frozenset[str]:
    tables = ("title", "small_title", "role", "of_doctors", "of_nurses", "of_courtesy")
    return frozenset[str]().union(*map(_titles, tables))


def is_title(word: str, language: str = "en") -> bool:
    """True of titles before names, as they stand in a text of a language; French "M." is one, elsewhere it is an initial.

    In English "the doctor" is any doctor's word and no title.
    """
    bare = word.casefold().rstrip(".,")
    if language == "en" and word.islower() and len(bare) > 3 and bare in _titles("of_doctors"):
        return False
    return bare in _every_title() or (language == "fr" and word == "M.")


def is_doctors_title(word: str, language: str = "en") -> bool:
    """True of a title of doctors."""
    return is_title(word, language) and word.casefold().rstrip(".,") in _titles("of_doctors")


def _without_titles(mention: str, language: str) -> tuple[str, NameParts]:
    """A mention without the titles before it, and what these state."""
    row, about = mention.split(), NameParts()
    while len(row) > 1 and is_title(row[0], language):
        title = row[0].casefold().rstrip(".,")
        about = replace(about, titled=True, forename=about.forename or title in _titles("of_given_names"))
        if title in _titles("of_courtesy") or row[0] == "M.":
            about = replace(about, courtesy=True)
        else:
            about = replace(about, callings=about.callings | {_calling(title)})
        if (title == "dr" and language in _TWO_FAMILY_NAMES) or row[0] == "M.":
            about = replace(about, sex=about.sex or MAN)
        for sex, table in ((WOMAN, "of_women"), (MAN, "of_men")):
            if title in _titles(table):
                about = replace(about, sex=about.sex or sex)
        row = row[1:]
    return " ".join(row), about


def _calling(title: str) -> str:
    for calling, table in ((DOCTOR, "of_doctors"), (NURSE, "of_nurses")):
        if title in _titles(table):
            return calling
    return title[:_LETTERS_OF_TITLE]


def same_people(mentions: Sequence[str], called: KnownAs = UNKNOWN, *, language: str = "en") -> list[int]:
    """A number for each mention, the same for those that mean one person; mentions are in the order of the text.

    A mention that fits several people means the only one of them who was named before, where no title says that this may
    be another one; or the one who has the calling that its title says; or the known person if of that sex; or somebody
    else. `called` is the known person, of whom the text is known to speak, and whose number is 0.
    """
    parts = {mention: parts_of(mention, language) for mention in mentions}
    if language in _WITH_GENITIVE:
        parts = _without_genitives(parts, called)
    return _Settled(parts, called, language).numbers(mentions)


class _Settled:
    """The people of a text while mentions are settled one after another, found by the words that may mean them."""

    def __init__(self, parts: Mapping[str, NameParts], called: KnownAs, language: str) -> None:
        self._parts = parts
        self._people: list[_Somebody] = []
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._sexes: dict[str, set[str]] = defaultdict(set)
        for name in parts.values():
            if name.sex:
                self._sexes[name.family].add(name.sex)
        if called.words:
            whole, *aliases = (parts_of(name, language) for name in called.names)
            one = _Somebody(known=True, first=-1, sex=called.sex, aliases=tuple(aliases))
            _learn(one, whole)
            self._people.append(one)
            self._reach(0)

    def numbers(self, mentions: Sequence[str]) -> list[int]:
        """The number of each mention's person."""
        first = {mention: place for place, mention in reversed(list(enumerate(mentions)))}
        of = dict[str, int]()
        for mention in self._in_turn():
            name = self._parts[mention]
            number = self._meant(name, first[mention])
            of[mention] = self._somebody_new() if number is None else number
            one = self._people[of[mention]]
            one.first = min(one.first, first[mention])
            _learn(one, name)
            self._reach(of[mention])
        return self._again(mentions, of)

    def _again(self, mentions: Sequence[str], of: Mapping[str, int]) -> list[int]:
        """The same, but a part of a name means nobody for sure once somebody else was named in full whom it fits too."""
        numbers, apart = list[int](), dict[str, int]()
        for place, mention in enumerate(mentions):
            name, number = self._parts[mention], of[mention]
            if not name.is_full and not name.mailbox and self._several(name, number, place):
                number = apart.setdefault(mention, len(self._people))
                if number == len(self._people):
                    self._somebody_new()
            numbers.append(number)
        return numbers

    def _several(self, name: NameParts, number: int, place: int) -> bool:
        """True if somebody else, named in full before a place, fits a name as well as whom it was settled on."""
        own = self._people[number]
        if not (own.given and own.family) or own.callings & name.callings or (own.known and name.sex and own.sex):
            return False
        others = (self._people[n] for n in self._near(name) if n != number)
        return any(one.first < place and one.given and one.family and _fits(name, one) for one in others)

    def _somebody_new(self) -> int:
        self._people.append(_Somebody())
        return len(self._people) - 1

    def _in_turn(self) -> list[str]:
        """All mentions, those first that say most; a short form or an initial after all names of which it may be one."""
        by_family: dict[str, set[str]] = defaultdict(set)
        for name in self._parts.values():
            by_family[name.family].update(name.given)

        def vague(name: NameParts) -> int:
            others = by_family[name.family] if name.family else ()
            short = any(given in NICKNAMES.get(other, ()) for given in name.given for other in others)
            return 2 if short else int(any(len(given) == 1 for given in name.given))

        def key(mention: str) -> tuple[int, int, int, str]:
            name = self._parts[mention]
            return name.rank, vague(name), -len(name.words), mention

        return sorted(self._parts, key=key)

    def _meant(self, name: NameParts, place: int) -> int | None:
        """The person whom a name means that stands first at a place of the text, if that can be said."""
        fitting = [number for number in sorted(self._near(name)) if _fits(name, self._people[number])]
        people = [(number, self._people[number]) for number in fitting]
        of_calling = [number for number, one in people if name.callings & one.callings]
        # Of anybody but the known person a sex is known by chance: because they happen to have had a title.
        of_sex = [number for number, one in people if one.known and name.sex and one.sex == name.sex]
        # An initial, or a title, may be that of somebody who is named later.
        bare = not name.titled and not name.mailbox and min(map(len, name.given), default=2) > 1
        before = [number for number, one in people if one.first < place] if bare else []
        sure = next((row for row in (fitting, of_calling, of_sex, before) if len(row) == 1), None)
        return None if sure is None or self._is_doubtful(name, self._people[sure[0]]) else sure[0]

    def _near(self, name: NameParts) -> set[int]:
        """People with a word of a name, a form of it, its initial, or its mailbox; all others cannot be meant."""
        keys = {"".join(name.given)}
        for word in name.words:
            keys |= {word, f"{word[0]}."} if len(word) > 1 else {f"{word}*"}
            keys.update(NICKNAMES.get(word, ()))
        if name.mailbox:
            keys.add(f"{''.join(name.mailbox)}@")
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
        return bool(others.difference(each.sex for each in called if each.given))


def _without_genitives(parts: Mapping[str, NameParts], called: KnownAs) -> dict[str, NameParts]:
    """Names without an s at the end where the text, or what is known, has the same name without it ("Kerns Befund")."""
    bare = {name.rpartition(" ")[2] for part in parts.values() for name in (part.family, part.only)} | called.words
    # Behind a title a name may well end with an s, unless somebody has it in full without one, and nobody with one.
    full = {part.family for part in parts.values() if part.is_full} | {parts_of(name).family for name in called.names}

    def ending(name: str) -> str:
        return name[:-1] if name.endswith("s") and name[:-1].rpartition(" ")[2] in bare else name

    def of_titled(part: NameParts) -> NameParts:
        genitive = part.family.endswith("s") and part.family[:-1] in full and part.family not in full
        return replace(part, family=part.family[:-1]) if genitive else part

    return {
        mention: of_titled(part) if part.titled else replace(part, family=ending(part.family), only=ending(part.only))
        for mention, part in parts.items()
    }


def _fits(name: NameParts, one: _Somebody) -> bool:
    if (name.sex and one.sex and name.sex != one.sex) or not _may_be_called(name, one):
        return False
    if name.generation and one.generation and name.generation != one.generation:
        return False
    if name.mailbox:
        return "".join(name.mailbox) in _boxes(one)
    return any(_fits_form(name, *form) for form in one.forms())


def _may_be_called(name: NameParts, one: _Somebody) -> bool:
    """False for a part of a name behind a title of somebody else: "Mr Smith" is not "Dr Smith", who is not the patient.

    Somebody named in full may be a doctor without a title, but hardly whom the documents are about, nor a nurse.
    """
    if name.is_full or name.callings & one.callings:
        return True
    if name.callings:
        plain = not (one.known or one.courtesy or one.callings)
        return plain and not (NURSE in name.callings and one.given)
    return not name.courtesy or one.courtesy or not one.callings


def _fits_form(name: NameParts, given: Sequence[str], family: str, only: str) -> bool:
    """True if a mention may be of whoever has these given names and this family name, or is called by this word alone."""
    if name.only:
        # A given name that is somebody's family name is more often another person's given name.
        families = () if name.only in given_names() and given else (family, *family.split())
        names = (*given[:1], "".join(given), *families, only)
        # An initial of somebody is no reason to take a word of that letter for their name.
        return any(_alike(name.only, each) for each in names if len(each) > 1)
    if name.forename:
        return any(_alike(name.family, each) for each in (*given[:1], only) if len(each) > 1)
    if not name.family:
        return False
    row, known = name.words, [*given, *family.split()]
    # Two family names, or one in two words; the first of several names; turned round, with nothing to say so.
    ends = len(row) > 1 and ((name.titled and row == known[-len(row) :]) or row == known[: len(row)])
    turned = len(row) == 2 and not name.callings and [*given, family] == row[::-1]
    if ends or turned:
        return True
    if not family:
        return not name.given and name.family == only
    if name.family not in (family, *family.split()) and name.family.rpartition(" ")[2] != family:
        return False
    joined = len(name.given) != len(given) and "".join(name.given) == "".join(given)
    return joined or all(_alike(a, b) for a, b in zip(name.given, given, strict=False))


def _boxes(one: _Somebody) -> set[str]:
    """All that may stand before the @ of somebody's address, without signs."""
    boxes = set[str]()
    for given, family, only in one.forms():
        last = family.replace(" ", "")
        if given and last:
            first = given[0]
            boxes |= {first + last, last + first, first[0] + last, last + first[0], f"{first}{last[0]}"}
        boxes |= {name for name in (*given[:1], last, only) if len(name) >= _SHORTEST_BOX}
    return boxes


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
    one.courtesy = one.courtesy or name.courtesy
    one.callings |= name.callings
    if name.forename:
        one.given = one.given or [name.family]
        return
    if not name.family or (one.known and one.family):
        return
    if not one.family or set(name.family.split()) > set(one.family.split()):
        one.family = name.family
    for place, given in enumerate(name.given):
        if place >= len(one.given):
            one.given.append(given)
        elif len(given) > len(one.given[place]) and len(one.given[place]) == 1:
            one.given[place] = given
