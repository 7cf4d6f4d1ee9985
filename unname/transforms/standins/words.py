"""Words of texts and of languages, for all stand-ins: forms in which two ways of writing are one, and other family names."""

import unicodedata
from collections.abc import Iterable, Sequence, Set
from functools import cache, lru_cache
from typing import Any

from unname.knowledge.coreference import name_words
from unname.languages import phrases, read
from unname.stopwords import bare_function_words
from unname.text import folded_runs, without_accents
from unname.transforms.standins.draws import Draws

# Longer stretches are no name of anybody or anything but a slip of a tagger.
LONGEST = 200
# Draws before there is no other.
TRIES = 40
# Family names of a language that are enough to draw among.
_ENOUGH = 20


def plain(text: str) -> str:
    """A text's words folded and without accents, with one blank between: what two ways of writing a value share."""
    return " ".join(without_accents(word) for word in folded_runs(text))


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """The words of a text as one, folded, without accents."""
    return "".join(name_words(text))


@lru_cache(maxsize=1 << 12)
def script_of(word: str) -> str:
    """The script of a word's first letter, as Unicode calls it; empty if there is none."""
    letter = next((each for each in unicodedata.normalize("NFKC", word) if each.isalpha()), "")
    return unicodedata.name(letter, "").partition(" ")[0].lower() if letter else ""


def cased(written: str, like: str) -> str:
    """A text in capitals or small letters if another is."""
    if like.islower():
        return written.lower()
    letters = sum(map(str.isalpha, like))
    return written.upper() if like.isupper() and letters > 1 else written


def is_latin(text: str) -> bool:
    """True if all letters of a text are Latin ones."""
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in text if c.isalpha())


def telling(text: str, stay: Iterable[str] = ()) -> set[str]:
    """Plain words of a text, without function words and those that may `stay`."""
    return set(plain(text).split()) - bare_function_words() - set(stay)


@cache
def words_of(table: str) -> frozenset[str]:
    """Plain words of one table of the data on organisations, of all languages."""
    return frozenset(plain(each) for each in phrases("organisations", table))


@cache
def ends_of(subject: str) -> tuple[str, ...]:
    """Plain ends of words that say a kind ("strasse") of streets or organisations, of all languages, the longest first."""
    ends = {plain(each) for each in read("organisations")["joined"][subject].split(",")}
    return tuple(sorted(ends, key=len, reverse=True))


def end_of(word: str, subject: str) -> str:
    """The end of a plain word that says its kind, if its name is before that; else empty."""
    return next((end for end in ends_of(subject) if word.endswith(end) and len(word) > len(end) + 2), "")


@cache
def home_of(language: str) -> str:
    """The likeliest country of a language; that of English where nobody knows."""
    from babel.core import get_global

    return str(get_global("likely_subtags").get(language, "en_Latn_US").split("_")[-1])


@cache
def providers(subject: str, language: str) -> tuple[Any, ...]:
    """Faker's data of a subject for a language, its likeliest country's first; none for a language that it lacks."""
    import pkgutil
    from importlib import import_module

    package = import_module(f"faker.providers.{subject}")
    names = [each.name for each in pkgutil.iter_modules(package.__path__)]
    names = sorted(name for name in names if name.split("_")[0] == language)
    names.sort(key=lambda name: name != f"{language}_{home_of(language)}")
    return tuple(import_module(f"faker.providers.{subject}.{name}").Provider for name in names)


@cache
def family_names(language: str) -> tuple[str, ...]:
    """Family names of a language; English ones for a language without."""
    for provider in providers("person", language)[:1]:
        rows = (getattr(provider, table, ()) for table in ("last_names", "unisex_last_names"))
        names = {n for row in rows for n in row if n.isalpha() and n.istitle() and len(n) > 3 and is_latin(n)}
        if len(names) > _ENOUGH:
            return tuple(sorted(names))
    return family_names("en") if language != "en" else ()


def other_name(draws: Draws, name: str, *, avoid: Set[str], language: str) -> str | None:
    """A family name for a name that it shares no word with."""
    return drawn_apart(family_names(language), draws.under("family name", plain(name)), {*avoid, *plain(name).split()})


def drawn_apart(rows: Sequence[str], draws: Draws, avoid: Set[str]) -> str | None:
    """One of some texts that has none of the plain words to avoid; None if no such text is drawn."""
    drawn = (draws.choice(rows, str(each)) for each in range(TRIES if rows else 0))
    return next((each for each in drawn if avoid.isdisjoint(plain(each).split())), None)
