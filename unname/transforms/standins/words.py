"""Words of texts and of languages that all stand-ins need, and other family names."""

import unicodedata
from collections.abc import Iterable, Sequence, Set
from functools import cache, lru_cache

from unname.knowledge.coreference import name_words
from unname.knowledge.faker import family_names
from unname.languages import phrases, read
from unname.stopwords import bare_function_words
from unname.text import plain
from unname.transforms.standins.draws import Draws

# Longer stretches are no name of anybody or anything but a slip of a tagger.
LONGEST = 200
# Draws before there is no other.
TRIES = 40


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


def other_name(draws: Draws, name: str, *, avoid: Set[str], language: str) -> str | None:
    """A family name for a name that it shares no word with."""
    return drawn_apart(family_names(language), draws.under("family name", plain(name)), {*avoid, *plain(name).split()})


def drawn_apart(rows: Sequence[str], draws: Draws, avoid: Set[str]) -> str | None:
    """One of some texts that has none of the plain words to avoid; None if no such text is drawn."""
    drawn = (draws.choice(rows, str(each)) for each in range(TRIES if rows else 0))
    return next((each for each in drawn if avoid.isdisjoint(plain(each).split())), None)
