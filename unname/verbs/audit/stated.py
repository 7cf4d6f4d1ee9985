"""General values that a release of any tool states: who reads them passes over people whom they do not fit."""

from collections.abc import Iterator, Sequence

from unname.auditing.standins import new_stretches
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.general.values import key_of
from unname.knowledge.population import Population
from unname.reidentifiers.base import IntArray
from unname.stopwords import languages_of
from unname.text import folded_words, places
from unname.types import Document

# Words of a general value, such as the name of a country.
_MOST_WORDS = 4


def people_fitting(
    originals: Sequence[Document], texts: Sequence[str | None], gaps: Sequence[str | None], people: Population
) -> Sequence[IntArray | None]:
    """By document the people whom those general values fit that its original lacks and that fit its own person.

    As columns of the population; None: everybody. `gaps` are the texts without words that the originals lack. Empty where
    no text states a general value.
    """
    rows = zip(originals, texts, gaps, strict=True)
    keys = [[] if text is None or text == bare else _keys(text, document.text) for document, text, bare in rows]
    if not any(keys):
        return ()
    fits = WhoFits(people.profiles)
    return [fits.among(own, people.rows.get(str(d.person), -1)) for own, d in zip(keys, originals, strict=True)]


def _keys(released: str, original: str) -> list[str]:
    language = languages_of(folded_words(original))[0]
    parts = (part for each in new_stretches(released, original) for part in _parts(each))
    return [key for part in dict.fromkeys(parts) if (key := key_of(part, language=language))]


def _parts(stretch: str) -> Iterator[str]:
    """Every few words in a row of a stretch: a preposition may have changed with its value."""
    row = list(places(stretch))
    yield from (stretch[a:b] for first, (a, _) in enumerate(row) for _, b in row[first : first + _MOST_WORDS])
