"""Texts as sentences, and profiles as sentences that somebody might write of themselves.

An encoder of sentences compares like with like: "on call at the clinic" lies nearer to "I work as a nurse." than to the
word "nurse".
"""

import re
from collections.abc import Sequence

from unname.text import GAP, WORD, visible

# Words of a field's name, and the template of its value. The first match wins.
_TEMPLATES: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(words.split()), template)
    for words, template in (
        ("name phone telephone fax email number id address street mail url", "My {field} is {}."),
        ("employer company workplace", "I work for {}."),
        ("occupation job profession work position beruf ocupacion profesion metier", "I work as {}."),
        ("birthplace birth born hometown grew geburtsort nacimiento", "I grew up in {}."),
        ("home residence city town village lives wohnort residencia ciudad", "I live in {}."),
        ("education degree studies school university ausbildung educacion", "I have a {}."),
        ("age alter edad", "I am {} years old."),
        ("relationship marital married partner sex gender familienstand geschlecht sexo", "I am {}."),
        ("income salary earnings einkommen", "I earn {}."),
        ("nationality citizenship", "I am {}."),
        ("party", "I belong to the {} party."),
        ("hobby hobbies interests", "I like {}."),
        ("illness disease diagnosis condition", "I have {}."),
    )
)
_END = re.compile(r"\n+|(?<=[.!?…])\s+")
# A stretch without an end of a sentence is cut there, and so is a long value.
_LONGEST_WORDS = 40
# Sentences are read alone and with their neighbours.
_TOGETHER = 3


def sentences(text: str) -> list[str]:
    """Sentences of a text and every three in a row, placeholders left out; those of fewer than two words are none."""
    single: list[str] = []
    for part in _END.split(visible(text).replace(GAP, " ")):
        row = part.split()
        pieces = [" ".join(row[at : at + _LONGEST_WORDS]) for at in range(0, len(row), _LONGEST_WORDS)]
        single += [piece for piece in pieces if len(WORD.findall(piece)) >= 2]
    rows = [" ".join(single[at : at + _TOGETHER]) for at in range(len(single) - _TOGETHER + 1)]
    return list(dict.fromkeys([*single, *rows]))


def statements(field: str, value: str, most: int) -> list[str]:
    """A value as a statement of somebody's own, or, if it is long, at most so many passages of it."""
    row = value.split()
    if len(row) <= _LONGEST_WORDS:
        return [_template_of(field).format(" ".join(row))] if row else []
    passages = [" ".join(row[at : at + _LONGEST_WORDS]) for at in range(0, len(row), _LONGEST_WORDS)]
    return passages[:most]


def one_line(fields: Sequence[tuple[str, str]]) -> str:
    """A whole profile of short values, in one line."""
    return " ".join(_template_of(name).format(value) for name, value in fields)


def _template_of(field: str) -> str:
    words = set(re.findall(r"[^\W\d_]+", field.casefold()))
    plain = field.replace("{", "").replace("}", "")
    for known, template in _TEMPLATES:
        if words & known and "year" not in words and "date" not in words:
            return template.replace("{field}", plain)
    return f"My {plain} is {{}}."
