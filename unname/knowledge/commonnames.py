"""Common given and family names: enough to see by its values that a column holds names.

No library that may be installed here knows names of people in thirty languages; the words are data, a few dozen of each
(`unname/languages/names.toml`).
"""

import re
from collections.abc import Iterator
from functools import cache

from unname.knowledge.nicknames import NICKNAMES
from unname.languages import read
from unname.text import folded_runs

# Names of East Asia in one piece, family name first; Korean ones nearly always have three syllables.
_UNBROKEN = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2,5}|[\uac00-\ud7af]{3}")
_LONGEST_FAMILY_NAME = 3


@cache
def common_names() -> frozenset[str]:
    """Common names of all languages whose words stand apart, folded."""
    return frozenset(_words("common")) | frozenset(_words("further"))


@cache
def given_names() -> frozenset[str]:
    """Common given names of large languages, folded."""
    table = read("names")["common"]
    return frozenset(folded_runs(table["given"])) | (frozenset(NICKNAMES) - frozenset(folded_runs(table["family"])))


@cache
def _family_names() -> frozenset[str]:
    return frozenset(_words("unbroken"))


def _words(table: str) -> Iterator[str]:
    for row in read("names")[table].values():
        yield from folded_runs(row)


def holds_common_name(value: str) -> bool:
    """Check whether a common name is a word of a value, or begins one in a script without blanks."""
    row = folded_runs(value)
    return not common_names().isdisjoint(row) or any(map(_begins_with_family_name, row))


def _begins_with_family_name(word: str) -> bool:
    if not _UNBROKEN.fullmatch(word):
        return False
    return any(word[:size] in _family_names() for size in range(1, min(len(word), _LONGEST_FAMILY_NAME + 1)))
