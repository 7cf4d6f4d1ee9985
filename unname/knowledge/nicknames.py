"""Short and pet forms of English given names, as the package `nicknames` knows them."""

from collections.abc import Mapping

from unname.knowledge.fieldnames import word_set
from unname.knowledge.lazily import Lazily

# Forms that are ordinary words: whoever is called Seymour is not named by every "see".
_ORDINARY = word_set(
    """
    alla con court dal dann day del della duty el em es essa fall field hub jr kill left life link little mc nada nelle one
    see si than van vi von west wil
    """
)
# Forms that it lacks.
_LACKING = {
    "alfred": "alf",
    "barbara": "barb",
    "catherine": "kate",
    "katherine": "katie",
    "lewis": "lew",
    "robert": "bert",
}
_SHORTEST = 2


def _table() -> dict[str, tuple[str, ...]]:
    from nicknames import name_triplets

    short_forms: dict[str, set[str]] = {name: {short} for name, short in _LACKING.items()}
    for given, relation, short in name_triplets():
        taken = short.isalpha() and len(short) >= _SHORTEST and short not in _ORDINARY
        if relation == "has_nickname" and taken and given.isalpha():
            short_forms.setdefault(given, set()).add(short)
    return {given: tuple(sorted(short)) for given, short in sorted(short_forms.items())}


NICKNAMES: Mapping[str, tuple[str, ...]] = Lazily(_table)
