"""Cue words: words that explain their neighbours, such as numbers, streets, titles; in many languages.

They are data (`unname/languages/cues.toml`, `titles.toml`, `streets.toml`), read when first asked for.
"""

from collections.abc import Iterator
from functools import cache

from unname import languages

# Signs around a word that are none of its own.
SIGNS = ".,:;()[]{}\"'«»“”*-–—=<>#/|"


def _lists(subject: str, kind: str) -> Iterator[str]:
    """The words of a kind, by language."""
    yield from languages.read(subject)[kind].values()


@cache
def before_numbers(kind: str) -> frozenset[str]:
    """The phrases of a kind in their form for comparison: in small letters, words without signs around them."""
    rows = (" ".join(word.strip(SIGNS) for word in each.lower().split()) for each in languages.phrases("cues", kind))
    return frozenset(row for row in rows if row)


@cache
def words(kind: str, subject: str = "cues") -> frozenset[str]:
    """The single words of a kind, as they are written."""
    return frozenset(word for row in _lists(subject, kind) for word in row.split())


@cache
def of_names(kind: str) -> frozenset[str]:
    """The phrases of a kind that stand beside names, as they are written."""
    return frozenset(languages.phrases("titles", kind))


@cache
def of_language(kind: str, language: str) -> frozenset[str]:
    """The same of one language."""
    return frozenset(each.strip() for each in languages.read("titles")[kind][language].split(","))
