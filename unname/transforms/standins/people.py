"""Invented people: one for a person of a text, whose name stands wherever the text names that person, in the same way.

"Holm, Anna", "Mrs HOLM", "A. Holm's" and "anna.holm84@…" become "Brandt, Maria", "Mrs BRANDT", "M. Brandt's" and
"maria.brandt29@example.org". Names are those of the library Faker in the script of the name and the text's language.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from typing import Protocol

from unname.knowledge.commonnames import given_names
from unname.knowledge.coreference import MAN, WOMAN, is_title, name_words, parts_of
from unname.knowledge.nicknames import NICKNAMES
from unname.knowledge.spellings import other_forms, spelled
from unname.languages import phrases, read
from unname.text import WORD, fold, without_accents
from unname.transforms.standins.draws import Draws

GIVEN, FAMILY, EITHER = "given", "family", "either"
# Names that are drawn for a person; whoever has more gets the first ones again.
_MOST = {GIVEN: 4, FAMILY: 3}
_LONGEST, _TRIES = 200, 100
# Family names of nobody that are enough; people with one name among whom nobody is pointed at; names of either sex.
_ENOUGH_FREE, _CROWD, _ENOUGH_SHARED = 100, 20, 8
_UNBROKEN = ("cjk", "hangul")
_SHORTEST, _LONGEST_SHORT = 3, 4
_WITH_GENITIVE = frozenset(("de", "nl", "sv", "da", "no"))
_APOSTROPHE = "['’ʼ`]"
_TOKEN = re.compile(
    rf"(?:(?<!\w)[^\W\d_]{{1,2}}{_APOSTROPHE}(?=[^\W\d_]))?(?:{WORD.pattern}|(?<=\w)[\u0300-\u036f]+\w*)+"
)
_TAIL = re.compile(rf"{_APOSTROPHE}s?\s*$", re.IGNORECASE)
_CHUNK, _GLUED = re.compile(r"[^\s,;]+"), re.compile(r"[^\W\d_]{2,}\.(?=\w)")
_MAIL = re.compile(r"(?P<box>[^\s@]{1,64})@[\w.-]+")
_RUN = re.compile(r"\d|[^\W\d_]+")
_VOWEL = re.compile("[aeiouy]")
_SIBILANT = ("s", "x", "z", "ß")


class Taken(Protocol):
    """The names of a people table, so that no stand-in points at somebody real; words are as `name_words` gives them.

    What is asked of one object is remembered by its identity or hash.
    """

    def bearers(self, word: str) -> int:
        """The number of people with this word in their name."""
        ...

    def anybody(self, given: str, family: str) -> bool:
        """True if somebody has both words in their name."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, repr=False)
class _NameWord:
    """A word of a mention, `[start, end)`, its form for comparisons, its role and its place among those of that role.

    Particles that go have the place −1.
    """

    start: int
    end: int
    word: str
    role: str
    place: int = 0


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
        parts = [part for part in _read(mention, self.language, ()) if part.place >= 0]
        # One word of a name is no form of another: "Иванов Иван".
        for part in [part for part in parts if not self._known(part)]:
            if (len(part.word) > 1 or _script(part.word) in _UNBROKEN) and part.word not in self.words:
                role = self._role(part)
                self.of[role][part.word] = self._free(role, part)

    def _free(self, role: str, part: _NameWord) -> int:
        """The place itself, where it is free or has another spelling of the word; else the next that is free."""
        place, slots = part.place % _MOST[role], self.of[role]
        there = [word for word, number in slots.items() if number == place]
        if not there or any(word[0] == part.word[0] for word in there):
            return place
        return next((number for number in range(_MOST[role]) if number not in slots.values()), place)

    def number(self, part: _NameWord) -> tuple[str, int, bool]:
        """The role and number of the name that stands for a word, and if the word has an s of the genitive."""
        if known := self._known(part):
            return known
        role = self._role(part)
        return role, part.place % _MOST[role], False

    def _known(self, part: _NameWord) -> tuple[str, int, bool] | None:
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

    def _role(self, part: _NameWord) -> str:
        if part.role != EITHER:
            return part.role
        return GIVEN if _is_given(part.word, self.language) else FAMILY


@dataclass(frozen=True, slots=True, repr=False)
class StandIn:
    """An invented person in place of one of a text: names by script and role, for each way in which the text says them."""

    draws: Draws
    invented: Mapping[str, Mapping[str, Sequence[str]]]
    slots: _Slots
    own: frozenset[str]

    def said_as(self, mention: str) -> str | None:
        """A mention with the invented names; None where none can be made, or the person's own name would be left in it."""
        if len(mention) > _LONGEST:
            return None
        address = _MAIL.search(mention)
        said = self._mailed(mention, address) if address else self._named(mention)
        return None if said is None or not self.own.isdisjoint(name_words(said)) else said

    def _named(self, mention: str) -> str | None:
        parts = _read(mention, self.slots.language, self.slots.words)
        names = self.invented.get(_script(parts[0].word) if parts else "")
        if names is None or any(_script(part.word) not in self.invented for part in parts):
            return None
        done, at, new = list[str](), 0, ""
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            done.append(mention[at : part.start])
            at = part.end
            if part.place < 0 and after:
                at = after.start
                continue
            new, genitive = self._new(mention, part, self.invented[_script(part.word)])
            done.append(new)
            if genitive:
                mark = "'" if self.slots.language == "de" else ""
                done.append(mark if new.casefold().endswith(_SIBILANT) else _s_as(new))
        return "".join((*done, self._tail(mention[at:], new)))

    def _new(self, mention: str, part: _NameWord, names: Mapping[str, Sequence[str]]) -> tuple[str, bool]:
        """The invented word for one of a mention, and if that had an s of the genitive."""
        old = mention[part.start : part.end]
        role, number, genitive = self.slots.number(part)
        short = not (genitive or part.word in self.slots.words or _script(part.word) in _UNBROKEN)
        if short and old.isupper() and 1 < len(old) < _LONGEST_SHORT and self._are_initials(part):
            letters = (_NameWord(0, 0, letter, part.role, place) for place, letter in enumerate(part.word))
            numbers = [self.slots.number(letter) for letter in letters]
            return "".join(names[role][number][0].upper() for role, number, _ in numbers), False
        if len(part.word) == 1 and short:
            return _cased(names[role][number][0], old, self.slots.language), False
        if short and role == GIVEN and len(old) < _LONGEST_SHORT and mention[part.end : part.end + 1] == ".":
            return names[role][number][0], False
        return _cased(names[role][number], old, self.slots.language), genitive

    def _are_initials(self, part: _NameWord) -> bool:
        """True of "TJ", and of "AM" where somebody is called Anna Maria."""
        firsts = {word[0] for word in self.slots.words}
        return firsts.issuperset(part.word) or (part.role == GIVEN and not _VOWEL.search(part.word))

    def _tail(self, rest: str, new: str) -> str:
        """The rest of a mention behind its last name, the apostrophe of a genitive as the new name takes it."""
        tail = _TAIL.search(rest)
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
        part = _NameWord(0, 0, word, FAMILY if last else EITHER)
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
    names = [name for name in dict.fromkeys(names) if len(name) <= _LONGEST]
    slots, boxes = _Slots(language), set[str]()
    for name in names:
        if _MAIL.search(name):
            boxes.update(parts_of(name).mailbox)
        else:
            slots.learn(name)
    mine = {word for word in (*own, *boxes) if len(word) > 1 and not _stays(word)} | slots.words
    banned, drawn = frozenset[str]().union(*map(_banned, mine)), dict[str, Mapping[str, Sequence[str]]]()
    for script in dict.fromkeys(map(_script, slots.words)) or ("latin",):
        lists = _Lists(script, language, taken, banned)
        of_family, stated = (families or draws).under(script), sex or _sex(names, slots, script)
        if names_of_script := lists.invent(draws.under(script), of_family, stated):
            drawn[script] = names_of_script
    return StandIn(draws, drawn, slots, frozenset(mine))


def _read(mention: str, language: str, called: Collection[str]) -> list[_NameWord]:
    """The words of a mention that are names, without titles, degrees and generations; `called` are words that are one."""
    end = tail.start() if (tail := _TAIL.search(mention)) else len(mention)
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(mention, 0, end) if name_words(m[0])]
    if tokens and _script(mention[tokens[0][0]]) in _UNBROKEN:
        return _unbroken(mention, tokens, language, called)
    staying, leading = _staying(mention[:end], tokens, language, called)
    kept = [token for token in tokens if token not in staying]
    borns = (token for token in tokens if token in staying and _folded(mention[slice(*token)]) in _words_of("born"))
    born = next(borns, (end, end))
    front = [token for token in kept if token < born]
    # Words that stay are gone for `parts_of`, but for titles in front, which say what a single word is.
    bare = list(mention[: born[0]].rstrip(", \u00a0"))
    for start, stop in tokens:
        if (start, stop) in staying and (
            start >= leading or _folded(mention[start:stop]) in _words_of("behind_titles")
        ):
            bare[start:stop] = " " * len(bare[start:stop])
        elif start >= leading and is_title(mention[start:stop], language):
            bare[start:stop] = "Q" + "q" * (stop - start - 1)
    roles = _roles("".join(bare), mention, front, language) + [FAMILY] * (len(kept) - len(front))
    return list(_placed(mention, kept, roles))


def _staying(
    mention: str, tokens: Sequence[tuple[int, int]], language: str, called: Collection[str]
) -> tuple[set[tuple[int, int]], int]:
    """The words of a mention that are no names, and where those in front of the name end."""
    chunks = [(m.start(), m.end()) for m in _CHUNK.finditer(mention)]
    gone, leading, lead = list[tuple[int, int]](), 0, True
    last = len(chunks) - 1
    while last > 0 and _is_behind(mention[slice(*chunks[last])], called):
        gone.append(chunks[last])
        last -= 1
    for place, (start, stop) in enumerate(chunks[: last + 1]):
        glued = _GLUED.match(mention, start, stop)
        word = _folded(mention[start:stop])
        behind_title = place > 0 and chunks[place - 1] in gone and word in _words_of("behind_titles")
        if lead and word not in called and place < last and (behind_title or _is_title(mention[start:stop], language)):
            gone.append((start, stop))
            leading = stop if place == 0 or leading == chunks[place - 1][1] else leading
        elif lead and glued and _folded(glued[0]) not in called and _is_title(glued[0], language):
            gone.append((start, glued.end()))
            lead = False
        elif 0 < place < last and word not in called and _is_between(mention[start:stop]):
            gone.append((start, stop))
        else:
            lead = mention[stop : stop + 1] == ","
    inside = {token for token in tokens if any(a <= token[0] and token[1] <= b for a, b in gone)}
    return inside, leading if chunks and chunks[0] in gone else 0


def _roles(bare: str, mention: str, tokens: Sequence[tuple[int, int]], language: str) -> list[str]:
    """The role of each word of a name."""
    parts, many = parts_of(bare, language), len(tokens)
    comma = bare.find(",")
    if many and parts.given and parts.family and tokens[0][0] < comma < tokens[-1][0]:
        return [FAMILY if start < comma else GIVEN for start, _ in tokens]
    if parts.only or not parts.given:
        return [GIVEN if parts.forename else FAMILY if parts.family else EITHER] * many
    words, family = [_folded(mention[slice(*token)]) for token in tokens], parts.family.split()
    size = min(len(family), many - 1)
    first = words[:size] == family and words[-size:] != family
    turned = many > 1 and language in _words_of("family_first") and not _is_given(words[0], language)
    if turned and _is_given(words[1], language):
        first, size = True, 1
    return [FAMILY if (place < size if first else place >= many - size) else GIVEN for place in range(many)]


def _placed(mention: str, tokens: Sequence[tuple[int, int]], roles: Sequence[str]) -> Iterator[_NameWord]:
    """The words with their places; particles before another word have none, and say that a family name follows."""
    places, particle = {GIVEN: 0, FAMILY: 0, EITHER: 0}, False
    for (start, end), role, after in zip(tokens, roles, [*roles, ""][1:], strict=True):
        word = _folded(mention[start:end])
        if role == after and (word in _words_of("particles") or re.match(_APOSTROPHE, mention[end : end + 1])):
            yield _NameWord(start, end, word, role, -1)
            particle = True
            continue
        yield _NameWord(start, end, word, FAMILY if particle and role == EITHER else role, places[role])
        places[role] += 1


def _unbroken(
    mention: str, tokens: Sequence[tuple[int, int]], language: str, called: Collection[str]
) -> list[_NameWord]:
    """The same of a name in Chinese characters or Hangul, family name first, a title joined to it left out."""
    spoken = "ko" if _script(mention[tokens[0][0]]) == "hangul" else language if language in ("zh", "ja") else "zh"
    kept = list[tuple[int, int, str]]()
    for start, end in tokens:
        word = _folded(mention[start:end])
        title = next((each for each in _joined_titles(spoken) if word not in called and word.endswith(each)), "")
        if len(word) > len(title) and len(word) == end - start:
            kept.append((start, end - len(title), word.removesuffix(title) if title else word))
    if len(kept) != 1:
        roles = [FAMILY, *[GIVEN] * len(kept)][: len(kept)]
        return [_NameWord(*row, role, max(0, at - 1)) for at, (row, role) in enumerate(zip(kept, roles, strict=True))]
    start, end, word = kept[0]
    if word in called or len(word) < 2:
        return [_NameWord(start, end, word, EITHER if word in called else FAMILY)]
    surnames = _surnames(spoken)
    unknown = 0 if spoken == "ja" else 1
    size = next((size for size in (3, 2, 1) if size < len(word) and word[:size] in surnames), unknown)
    if not size or len(word) > _LONGEST_SHORT + 1:
        return [_NameWord(start, end, word, FAMILY)]
    cut = start + size
    return [_NameWord(start, cut, word[:size], FAMILY), _NameWord(cut, end, word[size:], GIVEN)]


@dataclass(frozen=True, slots=True, repr=False)
class _Lists:
    """The names from which those of one person are drawn; `banned` are forms of the person's own."""

    script: str
    language: str
    taken: Taken | None
    banned: frozenset[str]

    def may(self, name: str, families: Sequence[str]) -> bool:
        """True of names that are no form of the person's own, and no real person's beside one of some family names."""
        word = _folded(name)
        if word in self.banned or not spelled(fold(name)).isdisjoint(self.banned):
            return False
        return self.taken is None or not any(self.taken.anybody(word, family) for family in families)

    def invent(self, draws: Draws, families: Draws, sex: str) -> dict[str, list[str]] | None:
        """The names of somebody, `families` draws the family's; None where the lists have too few."""
        if not sex and _listed(_locales(self.script, self.language), self.script, "last_names_female"):
            sex = draws.choice((WOMAN, MAN), "sex")
        drawn: dict[str, list[str]] = {}
        for role, own in ((FAMILY, families), (GIVEN, draws)):
            names = self._drawn(own, role, sex, [_folded(name) for name in drawn.get(FAMILY, ())])
            if not names:
                return None
            drawn[role] = [names[number % len(names)] for number in range(_MOST[role])]
        return drawn

    def _drawn(self, draws: Draws, role: str, sex: str, families: Sequence[str]) -> list[str]:
        """Names of one role, each another and none of those of the family."""
        pool = _given_names(self.script, self.language, sex)
        if role == FAMILY:
            pool = _family_names(self.script, self.language, sex, self.taken)
        names, chosen = list[str](), set(families)
        for number in range(_MOST[role] if pool else 0):
            tries = (draws.choice(pool, role, str(number), str(attempt)) for attempt in range(_TRIES))
            name = next((each for each in tries if _folded(each) not in chosen and self.may(each, families)), "")
            if name:
                names.append(name)
                chosen.add(_folded(name))
        return names


@lru_cache(maxsize=1 << 8)
def _given_names(script: str, language: str, sex: str) -> tuple[str, ...]:
    locales = _locales(script, language)
    women, men = _listed(locales, script, "first_names_female"), _listed(locales, script, "first_names_male")
    everybody = women | men or _listed(locales, script, "first_names")
    both = women & men
    rows = {WOMAN: women, MAN: men}.get(sex, both if len(both) >= _ENOUGH_SHARED else everybody)
    return tuple(sorted(rows or everybody))


@lru_cache(maxsize=1 << 8)
def _family_names(script: str, language: str, sex: str, taken: Taken | None) -> tuple[str, ...]:
    locales = _locales(script, language)
    of_sex = _listed(locales, script, "last_names_female" if sex == WOMAN else "last_names_male")
    names = sorted(of_sex or _listed(locales, script, "last_names", "unisex_last_names"))
    if taken is None:
        return tuple(names)
    bearers = {name: taken.bearers(_folded(name)) for name in names}
    free = [name for name in names if not bearers[name]]
    if len(free) >= _ENOUGH_FREE:
        return tuple(free)
    return tuple(name for name in names if not bearers[name] or bearers[name] >= _CROWD) or tuple(names)


@cache
def _locales(script: str, language: str) -> tuple[str, ...]:
    rows = read("standins")["lists"].get(script, {})
    return tuple(str(rows.get(language, rows.get("any", ""))).split())


@cache
def _listed(locales: tuple[str, ...], script: str, *attributes: str) -> frozenset[str]:
    """The plain names that lists have under the first of some attributes that they have of their own."""
    from faker.providers.person import Provider as Common

    names, common = set[str](), (Common.last_names, Common.first_names)
    for locale in locales:
        provider = import_module(f"faker.providers.person.{locale}").Provider
        rows = (getattr(provider, each, None) for each in attributes)
        own = (row for row in rows if isinstance(row, Collection) and row not in common)
        names.update(unicodedata.normalize("NFC", str(name)) for name in next(own, ()))
    shortest = 1 if script in _UNBROKEN else _SHORTEST
    return frozenset(
        name for name in names
        if len(name) >= shortest and WORD.fullmatch(name) and not re.search(r"[\d_]", name)
        and not name.isupper() and name[0] == name[0].title()
        and {_script(each) for each in name if each.isalpha()} == {script} and not _stays(_folded(name))
    )  # fmt: skip


@cache
def _surnames(language: str) -> frozenset[str]:
    script = "hangul" if language == "ko" else "cjk"
    listed = map(_folded, _listed(_locales(script, language), script, "last_names"))
    return frozenset(listed).union(map(_folded, read("names")["unbroken"][language].split()))


@cache
def _joined_titles(language: str) -> tuple[str, ...]:
    titles = read("titles")
    rows = (titles[table].get(language, "").split(",") for table in ("title_joined", "title_of_one"))
    said = {_folded(each) for row in rows for each in row if each.strip()}
    return tuple(sorted(said, key=lambda each: (-len(each), each)))


@cache
def _sexes(script: str, *languages: str) -> Mapping[str, frozenset[str]]:
    """The sexes of given names by the lists of some languages."""
    sexes: dict[str, frozenset[str]] = {}
    for language in languages:
        for sex, attribute in ((WOMAN, "first_names_female"), (MAN, "first_names_male")):
            for name in map(_folded, _listed(_locales(script, language), script, attribute)):
                sexes[name] = sexes.get(name, frozenset()) | {sex}
    return sexes


def _is_given(word: str, language: str) -> bool:
    return word in given_names() or word in _sexes(_script(word), language)


def _sex(names: Sequence[str], slots: _Slots, script: str) -> str:
    """The sex that titles say, or given names: by the lists of the language, or by all of them; empty if none is clear."""
    titled = {parts_of(name, slots.language).sex for name in names} - {""}
    if len(titled) == 1:
        return titled.pop()
    given = sorted(slots.of[GIVEN], key=lambda word: slots.of[GIVEN][word])
    for languages in ((slots.language,), tuple(read("standins")["lists"].get(script, ()))):
        for sexes in (_sexes(script, *languages).get(word, ()) for word in given):
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


@lru_cache(maxsize=1 << 16)
def _folded(text: str) -> str:
    """The words of a text as one, folded, without accents."""
    return "".join(name_words(text))


@lru_cache(maxsize=1 << 12)
def _script(word: str) -> str:
    """The script of a word's first letter, as Unicode calls it; empty if there is none."""
    letter = next((each for each in unicodedata.normalize("NFKC", word) if each.isalpha()), "")
    return unicodedata.name(letter, "").partition(" ")[0].lower() if letter else ""


@cache
def _words_of(table: str) -> frozenset[str]:
    return frozenset(_folded(each) or each for each in phrases("standins", table))


def _is_between(chunk: str) -> bool:
    """True of "née" and "y", but not of the initial "Y"."""
    return chunk.islower() and (_folded(chunk) in _words_of("and") or _folded(chunk) in _words_of("born"))


def _is_behind(chunk: str, called: Collection[str]) -> bool:
    """True of degrees, which have capitals, and generations."""
    word, capitals = _folded(chunk), sum(each.isupper() for each in chunk)
    is_one = word in _words_of("generations") or (word in _words_of("degrees") and capitals > 1)
    return is_one and word not in called


@lru_cache(maxsize=1 << 12)
def _is_title(chunk: str, language: str) -> bool:
    """True of titles; one of a given name ("Don") only in the language that has it."""
    if not is_title(chunk, language):
        return False
    title, of_given = fold(chunk.rstrip(".,")), read("titles")["of_given_names"]
    rows = [spoken for spoken, row in of_given.items() if title in map(str.strip, row.split(","))]
    return not rows or language in rows


@lru_cache(maxsize=1 << 12)
def _stays(word: str) -> bool:
    """True of words that are no names wherever they stand in a mention."""
    tables = ("particles", "degrees", "generations", "and", "born", "behind_titles")
    return is_title(word.capitalize()) or any(word in _words_of(table) for table in tables)


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
