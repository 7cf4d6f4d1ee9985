"""A reader who looks things up, as an attacker: he searches reference texts with what is left of a document."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter

from unname.auditing.found import found
from unname.auditing.outsider import Searched, Searcher
from unname.auditing.statistics import credit
from unname.reidentifiers.base import Index
from unname.reidentifiers.bm25 import Bm25
from unname.reidentifiers.ngrams import Ngrams
from unname.reidentifiers.wordcounts import Bags
from unname.types import Profile

# Who searches with the words of the whole text, who with all parts of its words, and who with the facts alone and the words
# beside them.
BY_TEXT, BY_PARTS, BY_FACTS = "text", "parts", "facts"
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
    """How many documents lead to their person by matching of words and of parts of words over the reference alone.

    A document whose person has no reference text is not sought, and counted. Ties share their credit.
    """
    rows = {profile.id: column for column, profile in enumerate(reference)}
    known_people = Bags(reference)
    words, parts = (made.fit(known_people).index(known_people) for made in (Bm25(), Ngrams()))
    how: tuple[tuple[str, Index, Callable[[Sought], str], Callable[[Sought], str]], ...] = (
        (BY_TEXT, words, attrgetter("original"), attrgetter("released")),
        (BY_PARTS, parts, attrgetter("original"), attrgetter("released")),
        (BY_FACTS, words, attrgetter("facts"), attrgetter("facts_left")),
    )
    credits: list[tuple[list[float], list[float]]] = [([], []) for _ in how]
    people: list[str] = []
    unsought = 0
    waiting = iter(documents)
    while batch := list(islice(waiting, _AT_ONCE)):
        known = [one for one in batch if one.person in rows]
        unsought += len(batch) - len(known)
        people += [one.person for one in known]
        for (_, index, *read), row in zip(how, credits, strict=True):
            for some, asked in zip(row, read, strict=True):
                scores = index.scores_of([asked(one) for one in known])
                some += [credit(own, rows[one.person]) for own, one in zip(scores, known, strict=True)]
    rates = tuple(
        Searcher(name, found(before, people), found(after, people))
        for (name, *_), (before, after) in zip(how, credits, strict=True)
    )
    return Searched(where, len(reference), len(people), unsought, rates)
