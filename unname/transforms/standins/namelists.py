"""Names that may be invented for somebody: those of the library Faker in a script, that are nobody's of a people table."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Protocol

from unname.knowledge.commonnames import given_names
from unname.knowledge.coreference import MAN, WOMAN, is_title
from unname.knowledge.spellings import spelled
from unname.languages import phrases, read
from unname.text import WORD, fold
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.words import folded, script_of

GIVEN, FAMILY = "given", "family"
# Names that are drawn for a person; whoever has more gets the first ones again.
MOST = {GIVEN: 4, FAMILY: 3}
# Scripts in which a name is written without blanks.
UNBROKEN = ("cjk", "hangul")
_TRIES, _SHORTEST = 100, 3
# Family names of nobody that are enough; people with one name among whom nobody is pointed at; names of either sex.
_ENOUGH_FREE, _CROWD, _ENOUGH_SHARED = 100, 20, 8


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
class NamePool:
    """The names from which those of one person are drawn; `banned` are forms of the person's own."""

    script: str
    language: str
    taken: Taken | None
    banned: frozenset[str]

    def may(self, name: str, families: Sequence[str]) -> bool:
        """True of names that are no form of the person's own, and no real person's beside one of some family names."""
        word = folded(name)
        if word in self.banned or not spelled(fold(name)).isdisjoint(self.banned):
            return False
        return self.taken is None or not any(self.taken.anybody(word, family) for family in families)

    def invent(self, draws: Draws, families: Draws, sex: str) -> dict[str, list[str]] | None:
        """The names of somebody, `families` draws the family's; None where the lists have too few."""
        if not sex and _listed(_locales(self.script, self.language), self.script, "last_names_female"):
            sex = draws.choice((WOMAN, MAN), "sex")
        drawn: dict[str, list[str]] = {}
        for role, own in ((FAMILY, families), (GIVEN, draws)):
            names = self._drawn(own, role, sex, [folded(name) for name in drawn.get(FAMILY, ())])
            if not names:
                return None
            drawn[role] = [names[number % len(names)] for number in range(MOST[role])]
        return drawn

    def _drawn(self, draws: Draws, role: str, sex: str, families: Sequence[str]) -> list[str]:
        """Names of one role, each another and none of those of the family."""
        pool = _given_names(self.script, self.language, sex)
        if role == FAMILY:
            pool = _family_names(self.script, self.language, sex, self.taken)
        names, chosen = list[str](), set(families)
        for number in range(MOST[role] if pool else 0):
            tries = (draws.choice(pool, role, str(number), str(attempt)) for attempt in range(_TRIES))
            name = next((each for each in tries if folded(each) not in chosen and self.may(each, families)), "")
            if name:
                names.append(name)
                chosen.add(folded(name))
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
    bearers = {name: taken.bearers(folded(name)) for name in names}
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
    shortest = 1 if script in UNBROKEN else _SHORTEST
    return frozenset(
        name for name in names
        if len(name) >= shortest and WORD.fullmatch(name) and not re.search(r"[\d_]", name)
        and not name.isupper() and name[0] == name[0].title()
        and {script_of(each) for each in name if each.isalpha()} == {script} and not stays(folded(name))
    )  # fmt: skip


@cache
def surnames(language: str) -> frozenset[str]:
    """Folded family names in Chinese characters or Hangul, by the lists of a language."""
    script = "hangul" if language == "ko" else "cjk"
    listed = map(folded, _listed(_locales(script, language), script, "last_names"))
    return frozenset(listed).union(map(folded, read("names")["unbroken"][language].split()))


@cache
def sexes_of(script: str, *languages: str) -> Mapping[str, frozenset[str]]:
    """The sexes of given names by the lists of some languages."""
    sexes: dict[str, frozenset[str]] = {}
    for language in languages:
        for sex, attribute in ((WOMAN, "first_names_female"), (MAN, "first_names_male")):
            for name in map(folded, _listed(_locales(script, language), script, attribute)):
                sexes[name] = sexes.get(name, frozenset()) | {sex}
    return sexes


def is_given(word: str, language: str) -> bool:
    """True of a folded given name, by the lists of all languages for Latin letters, else of this one."""
    return word in given_names() or word in sexes_of(script_of(word), language)


@lru_cache(maxsize=1 << 12)
def stays(word: str) -> bool:
    """True of words that are no names wherever they stand in a mention."""
    tables = ("particles", "degrees", "generations", "and", "born", "behind_titles")
    return is_title(word.capitalize()) or any(word in words_beside(table) for table in tables)


@cache
def words_beside(table: str) -> frozenset[str]:
    """Folded words that stand beside names, of one table of the data on stand-ins: degrees, particles and so on."""
    return frozenset(folded(each) or each for each in phrases("standins", table))
