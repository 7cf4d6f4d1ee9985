"""Function words by language, and which of them a text is written in.

Function words say nothing of anybody, and a text from which they are hidden cannot be read. Which words are such depends
on the language: "die" is an article in German and none in English.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from unname import languages
from unname.text import without_accents

# Of a text's words so many are function words of its language; a second language counts with most of the first's.
_SHARE, _BESIDE = 0.1, 0.8


@cache
def function_words() -> Mapping[str, frozenset[str]]:
    """The function words of each language (`languages/functionwords.toml`)."""
    return {name: frozenset(words.split()) for name, words in languages.read("functionwords").items()}


@cache
def every_function_word() -> frozenset[str]:
    """The function words of all languages."""
    return frozenset[str]().union(*function_words().values())


@cache
def bare_function_words() -> frozenset[str]:
    """The function words of all languages, without accents."""
    return frozenset(without_accents(word) for words in function_words().values() for word in words)


def languages_of(folded: Iterable[str]) -> tuple[str, ...]:
    """The languages that folded words are of, by their function words; English where nothing tells."""
    row = list(folded)
    counts = {name: sum(word in known for word in row) for name, known in function_words().items()}
    most = max(counts.values())
    if not row or most < _SHARE * len(row):
        return ("en",)
    return tuple(name for name, count in counts.items() if count >= _BESIDE * most)


def stop_words_of(folded: Iterable[str]) -> frozenset[str]:
    """The function words of the languages that folded words are of."""
    return _together(languages_of(folded))


@lru_cache(maxsize=128)
def _together(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(function_words()[name] for name in names))
