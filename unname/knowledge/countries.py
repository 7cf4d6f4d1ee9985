"""Countries by their names and those of their people, and the states of North America by their abbreviations.

Names of countries are those of CLDR in seven languages; CLDR does not have the names of their people: those are data
(`unname/languages/countries.toml`), in English.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from unname.knowledge.lazily import Lazily
from unname.languages import read
from unname.text import folded_words, without_accents

_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl")
# Shorter names in other languages, and these, are words that say nothing of a country.
_SHORTEST = 4
_ORDINARY = frozenset(["island"])


def _countries() -> Mapping[str, tuple[str, ...]]:
    """Every name and adjective of a country → all of that country."""
    forms: dict[str, list[str]] = defaultdict(list)
    for code, row in read("countries")["countries"].items():
        forms[code] += [form.strip() for form in row.split(",")]
    for code, name in _of_cldr():
        if code in forms:
            forms[code].append(name)
    rows = [tuple(dict.fromkeys(row)) for row in forms.values()]
    return {form: row for row in rows for form in row}


def _of_cldr() -> Iterator[tuple[str, str]]:
    from babel import Locale

    for language in _LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            plain = " ".join(without_accents(word) for word in folded_words(name))
            if language == "en" or (len(plain) >= _SHORTEST and plain not in _ORDINARY):
                yield code, plain


def _regions() -> Mapping[str, tuple[str, ...]]:
    return {short: (name,) for short, name in read("countries")["regions"].items()}


COUNTRIES: Mapping[str, tuple[str, ...]] = Lazily(_countries)
# A short name of a state → its name.
REGIONS: Mapping[str, tuple[str, ...]] = Lazily(_regions)
