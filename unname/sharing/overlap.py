"""Overlap of texts, however they are written: by folded words, a few in a row (shingles).

Source: Broder 1997, "On the resemblance and containment of documents".
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from unname.normalised import normalised
from unname.text import WORD, fold, without_accents
from unname.types import Document

Shingle = tuple[str, ...]
_IN_A_ROW = 5
# Shares of the shorter text's shingles: where an identifier is among them, and whatever is among them.
_MUCH, _NEARLY_ALL = 0.3, 0.9


def plain_words(text: str) -> list[str]:
    """The words of a text, folded and without accents, whatever stands between them."""
    return WORD.findall(without_accents(fold(normalised(text).text)))


def shingles(text: str) -> set[Shingle]:
    """All rows of a few words of a text; of one that has fewer, all its words."""
    words = plain_words(text)
    return {tuple(words[at : at + _IN_A_ROW]) for at in range(max(1, len(words) - _IN_A_ROW + 1))} if words else set()


def is_covered_by(documents: Sequence[Document], others: Iterable[str]) -> bool:
    """True if any other text says much of what a document says, an identifier among it, or nearly all of it.

    A form that many fill in is no sign: there it is the identifiers that differ.
    """
    rows = [shingles(document.text) for document in documents]
    having: dict[Shingle, list[int]] = {}
    for place, row in enumerate(rows):
        for shingle in row:
            having.setdefault(shingle, []).append(place)
    telling = [_identifiers(document) for document in documents]
    for other in others:
        mine = shingles(other)
        common: Counter[int] = Counter()
        named = set[int]()
        for shingle in mine & having.keys():
            common.update(having[shingle])
            named.update(place for place in having[shingle] if not telling[place].isdisjoint(shingle))
        for place, many in common.items():
            share = many / min(len(mine), len(rows[place]))
            if share >= _NEARLY_ALL or (share >= _MUCH and place in named):
                return True
    return False


def _identifiers(document: Document) -> set[str]:
    return {word for span in document.spans for word in plain_words(document.text[span.start : span.end])}
