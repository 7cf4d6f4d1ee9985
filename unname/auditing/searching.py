"""A reader who looks things up, as an attacker: he searches reference texts with what is left of a document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter

from unname.auditing.found import Found, rate_of
from unname.auditing.outsider import Searched, Searcher
from unname.reidentifiers.base import Index, profile_text
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.reidentifiers.terms.wordcounts import Bags
from unname.statistics import credit
from unname.stopwords import bare_function_words
from unname.text import GAP, folded_words, visible
from unname.types import Profile

# Who searches with the words of the whole text, who with all parts of its words, who with pairs of words that stand near
# each other, and who with the facts alone and the words beside them.
BY_TEXT, BY_PARTS, BY_PAIRS, BY_FACTS = "text", "parts", "pairs", "facts"
_AT_ONCE = 64
# So near each other are the words of a pair, where function words do not count.
_NEAR = 3


@dataclass(frozen=True, slots=True, repr=False)
class Sought:
    """A document about a `person` as searchers read it: its original, its release, all facts of the one and of the other.

    `unnamed` is the original without what is hidden because it names somebody; None where nobody knows what that is.
    """

    person: str
    original: str
    released: str
    facts: str
    facts_left: str
    unnamed: str | None = None

    def __repr__(self) -> str:
        return "Sought()"


def search(reference: Sequence[Profile], documents: Iterable[Sought], *, where: str = "texts") -> Searched:
    """Rates of documents that lead to their person by matching words, parts and pairs of words over the reference alone.

    A document whose person has no reference text is not sought, and counted. Ties share their credit.
    """
    rows = {profile.id: column for column, profile in enumerate(reference)}
    known_people = Bags(reference)
    words, parts = (made.fit(known_people).index(known_people) for made in (Bm25(), Ngrams()))
    near = [Profile(profile.id, {"": pairs_near(profile_text(profile))}) for profile in reference]
    pairs = Bm25().fit(near).index(near)
    how: tuple[tuple[str, Index, Callable[[Sought], str], Callable[[Sought], str]], ...] = (
        (BY_TEXT, words, attrgetter("original"), attrgetter("released")),
        (BY_PARTS, parts, attrgetter("original"), attrgetter("released")),
        (BY_PAIRS, pairs, lambda one: pairs_near(one.original), lambda one: pairs_near(one.released)),
        (BY_FACTS, words, attrgetter("facts"), attrgetter("facts_left")),
    )
    credits: list[tuple[list[float], list[float]]] = [([], []) for _ in how]
    people: list[str] = []
    bare: list[tuple[str, list[float]]] = []
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
        bare += _bare(known, (words, parts), rows)
    rates = tuple(
        Searcher(name, rate_of(before, people), rate_of(after, people))
        for (name, *_), (before, after) in zip(how, credits, strict=True)
    )
    return Searched(where, len(reference), len(people), unsought, rates, _best(bare))


def pairs_near(text: str) -> str:
    """Pairs of a text's words that stand near each other, in their order, as words; a gap parts them."""
    empty, pairs = bare_function_words(), []
    for stretch in visible(text).split(GAP):
        row = [word for word in folded_words(stretch) if word not in empty]
        for apart in range(1, _NEAR + 1):
            pairs += [f"{one}_{other}" for one, other in zip(row, row[apart:], strict=False)]
    return " ".join(pairs)


def _bare(known: Sequence[Sought], indexes: Sequence[Index], rows: Mapping[str, int]) -> list[tuple[str, list[float]]]:
    """Of each document that says what names nobody: its person, and what each index finds by that alone."""
    some = [(one.person, one.unnamed) for one in known if one.unnamed is not None]
    if not some:
        return []
    scored = [index.scores_of([text for _, text in some]) for index in indexes]
    return [(person, [credit(row[at], rows[person]) for row in scored]) for at, (person, _) in enumerate(some)]


def _best(bare: Sequence[tuple[str, Sequence[float]]]) -> Found | None:
    """The figures of who finds most by what names nobody."""
    people = [person for person, _ in bare]
    made = [rate_of(list(credits), people) for credits in zip(*(row for _, row in bare), strict=True)]
    return max(made, key=lambda one: one.rate or 0.0, default=None)
