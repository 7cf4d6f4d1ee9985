"""A reader who looks things up, as an attacker: he searches reference texts with what is left of a document."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from unname.auditing.found import found
from unname.auditing.outsider import Searched, Searcher
from unname.auditing.statistics import credit
from unname.reidentifiers.bm25 import Bm25
from unname.types import Profile

# Who searches with the whole text, and who with the facts alone and the words beside them.
BY_TEXT, BY_FACTS = "text", "facts"
_AT_ONCE = 64


@dataclass(frozen=True, slots=True, repr=False)
class Sought:
    """What is read of a document about a `person`: its original, its release, all facts of the one and of the other."""

    person: str
    original: str
    released: str
    facts: str
    facts_left: str

    def __repr__(self) -> str:
        return "Sought()"


def search(reference: Sequence[Profile], documents: Iterable[Sought], *, where: str = "texts") -> Searched:
    """How many documents lead to their person by term matching over the reference alone, which nobody of the house wrote.

    A document whose person has no reference text is not sought, and counted. Ties share their credit.
    """
    rows = {profile.id: column for column, profile in enumerate(reference)}
    index = Bm25().fit(reference).index(reference)
    credits: tuple[list[float], ...] = ([], [], [], [])
    people: list[str] = []
    unsought = 0
    waiting = iter(documents)
    while batch := list(islice(waiting, _AT_ONCE)):
        known = [one for one in batch if one.person in rows]
        unsought += len(batch) - len(known)
        people += [one.person for one in known]
        for row, texts in zip(credits, zip(*map(_asked, known), strict=True), strict=bool(known)):
            scores = index.scores_of(texts)
            row += [credit(own, rows[one.person]) for own, one in zip(scores, known, strict=True)]
    rates = [found(row, people) for row in credits]
    both = (Searcher(BY_TEXT, rates[0], rates[1]), Searcher(BY_FACTS, rates[2], rates[3]))
    return Searched(where, len(reference), len(people), unsought, both)


def _asked(document: Sought) -> tuple[str, str, str, str]:
    return document.original, document.released, document.facts, document.facts_left
