"""Readers who look things up: what a release still states that no table of people holds, and how many they find by it.

Aggregates only: counts by kind, released ids of the riskiest documents, and rates where somebody searched reference texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from unname.auditing.found import Found


@dataclass(frozen=True, slots=True)
class KindOfFact:
    """Facts of a kind: `left` ones could be looked up, `common` ones are left and hardly can be, the others are hidden.

    `people` are those whose texts state one that could be looked up.
    """

    left: int = 0
    common: int = 0
    hidden: int = 0
    people: int = 0


@dataclass(frozen=True, slots=True)
class Riskiest:
    """A document by its released id, and how many facts it still states that could be looked up."""

    id: str
    facts: int


@dataclass(frozen=True, slots=True)
class Searcher:
    """The figures of one searcher: by the originals, and by the release."""

    name: str
    before: Found
    after: Found


@dataclass(frozen=True, slots=True)
class Searched:
    """A search in reference texts of so many `people`: of `documents` about them, each searcher's figures.

    `unnamed` is what is found at best by the originals without what names somebody in them, None where that is not known.

    `unsought` released documents are about nobody of whom there is a text, so they were not sought. `where` says what was
    searched: `texts`, `graph`, or both.
    """

    where: str
    people: int
    documents: int
    unsought: int
    searchers: tuple[Searcher, ...]
    unnamed: Found | None = None

    @property
    def worst(self) -> Searcher:
        """The searcher that finds most in the release."""
        return max(self.searchers, key=lambda one: (one.after.rate or 0.0, most_of(one.after)))

    @property
    def before(self) -> float:
        """The largest share that any of them finds by the originals."""
        return max((one.before.rate or 0.0 for one in self.searchers), default=0.0)

    @property
    def most(self) -> float:
        """The largest share that any of them may find: an upper limit."""
        return max((most_of(one.after) for one in self.searchers), default=0.0)


@dataclass(frozen=True, slots=True)
class Outsider:
    """Clues for readers who look things up: counted in released `documents` about so many `people`.

    `stating` documents, of `stating_people`, still state a fact that could be looked up. `listed` is the file of the private
    folder that lists them, None where there is none. `searched` is None where nobody searched. `unread` documents are mostly
    in a script that the taggers which come with Unname have not learned.
    """

    documents: int
    people: int
    stating: int
    stating_people: int
    kinds: Mapping[str, KindOfFact] = field(default_factory=dict)
    riskiest: tuple[Riskiest, ...] = ()
    listed: str | None = None
    searched: Searched | None = None
    unread: int = 0

    @property
    def measured(self) -> Searched | None:
        """The search, if anybody could be sought."""
        return self.searched if self.searched and self.searched.documents else None

    def of_few(self) -> "Outsider":
        """The part that may be published of few people: counts, and no document of theirs."""
        return replace(self, riskiest=())


def most_of(figures: Found) -> float:
    """The upper limit of a rate; 0 where nothing was measured."""
    return figures.ci[1] if figures.ci else 0.0
