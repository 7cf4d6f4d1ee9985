"""Invented people: one for a person of a text, whose name stands wherever the text names that person, in the same way.

"Holm, Anna", "Mrs HOLM", "A. Holm's" and "anna.holm84@…" become "Brandt, Maria", "Mrs BRANDT", "M. Brandt's" and
"maria.brandt29@example.org". Names are those of the library Faker in the script of the name and the text's language.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from unname.knowledge.coreference import name_words, parts_of
from unname.knowledge.nicknames import NICKNAMES
from unname.knowledge.spellings import other_forms, spelled
from unname.languages import read
from unname.text import without_accents
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.namelists import (
    FAMILY,
    GIVEN,
    MOST,
    UNBROKEN,
    NamePool,
    Taken,
    is_given,
    sexes_of,
    stays,
)
from unname.transforms.standins.namewords import EITHER, TAIL, NameWord, read_mention
from unname.transforms.standins.words import LONGEST, script_of

# Shorter words in capitals may be initials, and before a stop a short form.
_LONGEST_SHORT = 4
_WITH_GENITIVE = frozenset(("de", "nl", "sv", "da", "no"))
_MAIL = re.compile(r"(?P<box>[^\s@]{1,64})@[\w.-]+")
_RUN = re.compile(r"\d|[^\W\d_]+")
_VOWEL = re.compile("[aeiouy]")
_SIBILANT = ("s", "x", "z", "ß")


@dataclass(frozen=True, slots=True, repr=False)
class _Slots:
    """The words that a person is called, each with the number of the invented name that stands for it."""

    language: str
    of: Mapping[str, dict[str, int]] = field(default_factory=lambda: {GIVEN: {}, FAMILY: {}})

    @property
    def words(self) -> set[str]:
        """All of them."""
        return {*self.of[GIVEN], *self.of[FAMILY]}

    def learn(self, mention: str) -> None:
        """Take note of a way to call the person."""
        parts = [part for part in read_mention(mention, self.language, ()) if part.place >= 0]
        # One word of a name is no form of another: "Иванов Иван".
        for part in [part for part in parts if not self._known(part)]:
            if (len(part.word) > 1 or script_of(part.word) in UNBROKEN) and part.word not in self.words:
                role = self._role(part)
                self.of[role][part.word] = self._free(role, part)

    def _free(self, role: str, part: NameWord) -> int:
        """The place itself, where it is free or has another spelling of the word; else the next that is free."""
        place, slots = part.place % MOST[role], self.of[role]
        there = [word for word, number in slots.items() if number == place]
        if not there or any(word[0] == part.word[0] for word in there):
            return place
        return next((number for number in range(MOST[role]) if number not in slots.values()), place)

    def number(self, part: NameWord) -> tuple[str, int, bool]:
        """The role and number of the name that stands for a word, and if the word has an s of the genitive."""
        if known := self._known(part):
            return known
        role = self._role(part)
        return role, part.place % MOST[role], False

    def _known(self, part: NameWord) -> tuple[str, int, bool] | None:
        roles = (FAMILY, GIVEN) if part.role == FAMILY else (GIVEN, FAMILY)
        for role in roles:
            if part.word in self.of[role]:
                return role, self.of[role][part.word], False
        if self.language in _WITH_GENITIVE and part.word.endswith("s"):
            for role in roles:
                if part.word[:-1] in self.of[role]:
                    return role, self.of[role][part.word[:-1]], True
        # An initial behind a family name is that of a given name; no other initial, nor a form, is of the other kind.
        own = roles if part.role == EITHER or (part.role == FAMILY and len(part.word) == 1) else roles[:1]
        for role in own:
            slots = sorted(self.of[role].items(), key=lambda slot: slot[1] != part.place)
            for word, number in slots:
                if (
                    word.startswith(part.word)
                    if len(part.word) == 1
                    else part.word in _forms(word) or word in _forms(part.word)
                ):
                    return role, number, False
        return None

    def _role(self, part: NameWord) -> str:
        if part.role != EITHER:
            return part.role
        return GIVEN if is_given(part.word, self.language) else FAMILY


@dataclass(frozen=True, slots=True, repr=False)
class StandIn:
    """An invented person in place of one of a text: names by script and role, for each way in which the text says them."""

    draws: Draws
    invented: Mapping[str, Mapping[str, Sequence[str]]]
    slots: _Slots
    own: frozenset[str]

    def said_as(self, mention: str) -> str | None:
        """A mention with the invented names; None where none can be made, or the person's own name would be left in it."""
        if len(mention) > LONGEST:
            return None
        address = _MAIL.search(mention)
        said = self._mailed(mention, address) if address else self._named(mention)
        return None if said is None or not self.own.isdisjoint(name_words(said)) else said

    def _named(self, mention: str) -> str | None:
        parts = read_mention(mention, self.slots.language, self.slots.words)
        names = self.invented.get(script_of(parts[0].word) if parts else "")
        if names is None or any(script_of(part.word) not in self.invented for part in parts):
            return None
        done, at, new = list[str](), 0, ""
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            done.append(mention[at : part.start])
            at = part.end
            if part.place < 0 and after:
                at = after.start
                continue
            new, genitive = self._new(mention, part, self.invented[script_of(part.word)])
            done.append(new)
            if genitive:
                mark = "'" if self.slots.language == "de" else ""
                done.append(mark if new.casefold().endswith(_SIBILANT) else _s_as(new))
        return "".join((*done, self._tail(mention[at:], new)))

    def _new(self, mention: str, part: NameWord, names: Mapping[str, Sequence[str]]) -> tuple[str, bool]:
        """The invented word for one of a mention, and if that had an s of the genitive."""
        old = mention[part.start : part.end]
        role, number, genitive = self.slots.number(part)
        short = not (genitive or part.word in self.slots.words or script_of(part.word) in UNBROKEN)
        if short and old.isupper() and 1 < len(old) < _LONGEST_SHORT and self._are_initials(part):
            letters = (NameWord(0, 0, letter, part.role, place) for place, letter in enumerate(part.word))
            numbers = [self.slots.number(letter) for letter in letters]
            return "".join(names[role][number][0].upper() for role, number, _ in numbers), False
        if len(part.word) == 1 and short:
            return _cased(names[role][number][0], old, self.slots.language), False
        if short and role == GIVEN and len(old) < _LONGEST_SHORT and mention[part.end : part.end + 1] == ".":
            return names[role][number][0], False
        return _cased(names[role][number], old, self.slots.language), genitive

    def _are_initials(self, part: NameWord) -> bool:
        """True of "TJ", and of "AM" where somebody is called Anna Maria."""
        firsts = {word[0] for word in self.slots.words}
        return firsts.issuperset(part.word) or (part.role == GIVEN and not _VOWEL.search(part.word))

    def _tail(self, rest: str, new: str) -> str:
        """The rest of a mention behind its last name, the apostrophe of a genitive as the new name takes it."""
        tail = TAIL.search(rest)
        if not tail:
            return rest
        said = tail[0].rstrip()
        without, hissing = self.slots.language in _WITH_GENITIVE, new.casefold().endswith(_SIBILANT)
        if len(said) == 1 and not hissing:
            said = ("" if without else said) + _s_as(new)
        elif hissing and without:
            said = said[0]
        return rest[: tail.start()] + said + tail[0][len(tail[0].rstrip()) :]

    def _mailed(self, mention: str, address: re.Match[str]) -> str | None:
        """The pattern of a mailbox with the names in Latin letters and other figures, at a host that is nobody's."""
        names = next(iter(self.invented.values()), None)
        if names is None:
            return None
        latin, box = {role: [_in_ascii(name) for name in row] for role, row in names.items()}, address["box"]
        runs = list(_RUN.finditer(box))
        letters = [run for run in runs if not run[0].isdecimal()]
        done, at = list[str](), 0
        for number, run in enumerate(runs):
            if run[0].isdecimal():
                new = str((int(run[0]) + 1 + self.draws.number(9, "figure", box, str(number))) % 10)
            else:
                new = self._boxed(run[0], run is letters[-1] and len(letters) > 1, latin)
            done += [box[at : run.start()], new]
            at = run.end()
        made = "".join((*done, box[at:]))
        if not letters or not made.isascii() or not all(map(all, latin.values())):
            return None
        return f"{mention[: address.start()]}{made}@example.org{mention[address.end() :]}"

    def _boxed(self, run: str, last: bool, latin: Mapping[str, Sequence[str]]) -> str:
        """One run of letters of a mailbox: a word, an initial, or several of them joined."""
        word = "".join(name_words(run))
        part = NameWord(0, 0, word, FAMILY if last else EITHER)
        joined = None if word in self.slots.words else self._joined(word, latin)
        if joined is None:
            role, number, _ = self.slots.number(part)
            joined = latin[role][number][:1] if len(word) == 1 else latin[role][number]
        return joined.upper() if run.isupper() else joined.capitalize() if run[0].isupper() else joined

    def _joined(self, word: str, latin: Mapping[str, Sequence[str]]) -> str | None:
        for one, two in ((GIVEN, FAMILY), (FAMILY, GIVEN)):
            for a, i in self.slots.of[one].items():
                for b, j in self.slots.of[two].items():
                    x, y = latin[one][i], latin[two][j]
                    made = {a + b: x + y, a[0] + b: x[0] + y, a + b[0]: x + y[0], a[0] + b[0]: x[0] + y[0]}
                    if word in made:
                        return made[word]
        return None


def stand_in_for(
    draws: Draws,
    names: Sequence[str],
    *,
    language: str,
    sex: str = "",
    taken: Taken | None = None,
    own: frozenset[str] = frozenset(),
    families: Draws | None = None,
) -> StandIn:
    """The invented person for one who is called by `names`, the whole name first, and has the words `own` in their name.

    Which names are drawn depends on the draws, script, language, sex, `taken` and own words, not on the number of names.
    People with the same `families` have the same family names.
    """
    names = [name for name in dict.fromkeys(names) if len(name) <= LONGEST]
    slots, boxes = _Slots(language), set[str]()
    for name in names:
        if _MAIL.search(name):
            boxes.update(parts_of(name).mailbox)
        else:
            slots.learn(name)
    mine = {word for word in (*own, *boxes) if len(word) > 1 and not stays(word)} | slots.words
    banned, drawn = frozenset[str]().union(*map(_banned, mine)), dict[str, Mapping[str, Sequence[str]]]()
    for script in dict.fromkeys(map(script_of, (*slots.of[GIVEN], *slots.of[FAMILY]))) or ("latin",):
        lists = NamePool(script, language, taken, banned)
        of_family, stated = (families or draws).under(script), sex or _sex(names, slots, script)
        if names_of_script := lists.invent(draws.under(script), of_family, stated):
            drawn[script] = names_of_script
    return StandIn(draws, drawn, slots, frozenset(mine))


def _sex(names: Sequence[str], slots: _Slots, script: str) -> str:
    """The sex that titles say, or given names: by the lists of the language, or by all of them; empty if none is clear."""
    titled = {parts_of(name, slots.language).sex for name in names} - {""}
    if len(titled) == 1:
        return titled.pop()
    given = sorted(slots.of[GIVEN], key=lambda word: slots.of[GIVEN][word])
    for languages in ((slots.language,), tuple(read("standins")["lists"].get(script, ()))):
        for sexes in (sexes_of(script, *languages).get(word, ()) for word in given):
            if len(sexes) == 1:
                return next(iter(sexes))
    return ""


@lru_cache(maxsize=1 << 12)
def _forms(word: str) -> frozenset[str]:
    """Other forms of a name: short, inflected, as it may be typed."""
    return frozenset((*NICKNAMES.get(word, ()), *spelled(word), *other_forms(word))) if len(word) > 2 else frozenset()


@lru_cache(maxsize=1 << 12)
def _banned(word: str) -> frozenset[str]:
    """Forms of a word of somebody's name that none of their invented names may be, nor be with an s of the genitive."""
    short = (word, *NICKNAMES.get(word, ()))
    return frozenset(form for each in short for form in (*spelled(each), f"{each}s", each.removesuffix("s")))


def _in_ascii(name: str) -> str:
    from anyascii import anyascii  # for addresses alone

    return "".join(each for each in anyascii(without_accents(name)).lower() if each.isascii() and each.isalpha())


def _s_as(name: str) -> str:
    return "S" if name.isupper() and len(name) > 1 else "s"


def _cased(new: str, like: str, language: str) -> str:
    """A name in capitals, or small, as another is."""
    if like.isupper() and (len(like) > 1 or len(new) == 1):
        return (new.replace("i", "İ") if language == "tr" else new).upper()
    return new.lower() if like.islower() else new
