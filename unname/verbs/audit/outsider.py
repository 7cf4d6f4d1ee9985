"""Readers who look things up: which facts a release still states, and whom they find who search reference texts.

Nothing here knows how a release was masked: `deidentify` and `audit` both count and search so.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappush, heappushpop
from pathlib import Path

from unname.auditing.outsider import KindOfFact, Outsider, Riskiest, Searched
from unname.auditing.searching import Sought, search
from unname.errors import InputError
from unname.facts.left import FactsOfText, Hidden, asked, facts_left, facts_shown, looked_up, risk_of
from unname.facts.stated import KINDS, Fact, FactSettings, settings_for
from unname.job import AuditPlan, Source
from unname.runtime import Runtime
from unname.shared_options import USUAL_TAGGERS
from unname.storage.documents import read_documents
from unname.storage.faults import shown_name
from unname.storage.people import read_triples
from unname.taggers.base import Tagger, all_found
from unname.taggers.models import make_taggers
from unname.text import GAP, visible
from unname.types import Document, Mask, Profile

# So many of the riskiest documents are named.
RISKIEST = 10
TEXT = "text"
_LETTER = re.compile(r"[^\W\d_]")
# The one script that the taggers which come with Unname have learned.
_LATIN = re.compile(r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff\uff21-\uff5a]")


@dataclass(frozen=True, slots=True, repr=False)
class Reference:
    """Reference texts in which readers can look things up: one for each person, and `where` they are from."""

    people: tuple[Profile, ...]
    where: str

    def __repr__(self) -> str:
        return f"Reference({len(self.people)} people)"


@dataclass(frozen=True, slots=True, repr=False)
class ShownDocument:
    """A released document: its place in the input, what is hidden, and facts hidden and left.

    `text` is all that can be read of it: its release, what stands beside it, and earlier versions.
    """

    place: int
    document: Document
    hidden: Hidden
    text: str
    facts: FactsOfText

    def __repr__(self) -> str:
        return f"ShownDocument({self.place})"


def person_of(document: Document) -> str:
    """The person that a document is about; where nobody says so, its own id stands for them."""
    return document.person or document.id


def without_reference(source: Source) -> Source:
    """A source without the graph that readers search, where it is none of the table's."""
    return source if source.table is not None else replace(source, graph=None)


def read_reference(
    source: Source, plan: AuditPlan, documents: Sequence[Document], renamed: Mapping[str, str] | None = None
) -> Reference | None:
    """The reference texts of a plan, and where there is no table of people what the graph says; None: neither is given.

    Several texts of one person are joined. InputError: none is about anybody of the documents.
    """
    texts: dict[str, list[str]] = {}
    where, known = [], renamed or {}
    if plan.outsiders is not None:
        where.append("texts")
        for document in read_documents(plan.outsiders):
            texts.setdefault(known.get(person_of(document), person_of(document)), []).append(document.text)
    if source.graph is not None and source.table is None:
        where.append("graph")
        for person, _, value in read_triples(source.graph):
            texts.setdefault(person, []).append(value)
    if not where:
        return None
    if not any(person_of(document) in texts for document in documents):
        name = shown_name(plan.outsiders or source.graph or Path())
        raise InputError(
            f"{name}: no reference text is about a person of the documents: a column person (or else id) must say whom each "
            "is about, as that of the documents does"
        )
    people = tuple(Profile(person, {TEXT: "\n\n".join(parts)}) for person, parts in texts.items())
    return Reference(people, " and ".join(where))


@dataclass(slots=True, repr=False)
class _Counts:
    """Counts of one pass over all documents."""

    left: Counter[str] = field(default_factory=Counter)
    common: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    people: dict[str, set[int]] = field(default_factory=dict)
    everybody: set[int] = field(default_factory=set)
    stating: int = 0
    worst: list[tuple[float, int, int]] = field(default_factory=list)
    about: set[int] = field(default_factory=set)
    documents: int = 0
    unread: int = 0

    def add(self, shown: ShownDocument) -> None:
        """Count a document; people are distinguished by hashes, so that their ids need not be held."""
        person, facts = hash(person_of(shown.document)), shown.facts
        self.documents += 1
        self.unread += is_unread(shown.document.text)
        self.everybody.add(person)
        self.hidden.update(fact.kind for fact in facts.hidden)
        telling = [fact for fact in facts.left if looked_up(fact)]
        self.common.update(fact.kind for fact in facts.left if not looked_up(fact))
        self.left.update(fact.kind for fact in telling)
        for fact in telling:
            self.people.setdefault(fact.kind, set()).add(person)
        if telling:
            self.about.add(person)
            self.stating += 1
            keep = heappush if len(self.worst) < RISKIEST else heappushpop
            keep(self.worst, (risk_of(telling), -shown.place, len(telling)))


def outsider_of(
    shown: Iterable[ShownDocument],
    public: Callable[[int], str],
    reference: Reference | None,
    *,
    listed: str | None = None,
) -> Outsider:
    """Facts for readers who look things up, counted over released documents in one pass, and the people whom they find.

    `public` gives the released id of the document at a place.
    """
    counts = _Counts()

    def counted() -> Iterator[Sought]:
        for one in shown:
            counts.add(one)
            if reference is not None:
                yield sought(one)

    searched: Searched | None = None
    if reference is not None:
        searched = search(reference.people, counted(), where=reference.where)
    else:
        list(counted())
    kinds = {
        kind: KindOfFact(counts.left[kind], counts.common[kind], counts.hidden[kind], len(counts.people.get(kind, ())))
        for kind in KINDS if counts.left[kind] or counts.common[kind] or counts.hidden[kind]
    }  # fmt: skip
    worst = sorted(counts.worst, reverse=True)
    return Outsider(
        counts.documents, len(counts.everybody), counts.stating, len(counts.about), kinds,
        tuple(Riskiest(public(-place), many) for _, place, many in worst), listed, searched,
        counts.unread,
    )  # fmt: skip


def is_unread(text: str) -> bool:
    """True if most letters of a text are of a script that the taggers which come with Unname have not learned."""
    letters = _LETTER.findall(text)
    return 2 * len(_LATIN.findall("".join(letters))) < len(letters)


def sought(shown: ShownDocument) -> Sought:
    """The queries of a reader of an original, and of a reader of its release."""
    text, facts = shown.document.text, shown.facts
    every: tuple[Fact, ...] = (*facts.hidden, *facts.left)
    return Sought(
        person_of(shown.document), text, visible(shown.text), asked(text, every, Hidden(())),
        asked(text, facts.left, shown.hidden), _without(text, _naming(shown.hidden, every)),
    )  # fmt: skip


def _naming(hidden: Hidden, every: Iterable[Fact]) -> list[tuple[int, int]]:
    """Hidden stretches that are part of no fact: names, contacts, numbers, and what lists say."""
    stated: list[tuple[int, int]] = []
    for start, end in sorted((fact.start, fact.end) for fact in every):
        if stated and start < stated[-1][1]:
            start, end = stated[-1][0], max(end, stated.pop()[1])
        stated.append((start, end))
    facts = Hidden(stated)
    return [(start, end) for start, end in hidden.spans if not facts.touching(start, end)]


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with gaps in place of stretches, which are sorted and disjoint."""
    parts, at = [], 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    return GAP.join([*parts, text[at:]])


def shown_of_any(
    documents: Sequence[Document],
    texts: Sequence[str | None],
    masks: Sequence[Mask] | None,
    k: int,
    runtime: Runtime,
) -> Iterator[ShownDocument]:
    """The released documents of any tool with their facts: by masks where there are some, else by the words that stay."""
    settings = settings_for(documents, "report", k)
    spans = [None if masks is None else [(s.start, s.end) for s in masks[i].spans] for i in range(len(documents))]
    released = [
        (place, documents[place].text, text, spans[place]) for place, text in enumerate(texts) if text is not None
    ]
    taggers = make_taggers(USUAL_TAGGERS, ())
    facts_of = runtime.working().map(_facts, (tuple(taggers), settings), released)
    for (place, _, text, hidden), facts in zip(released, facts_of, strict=True):
        yield ShownDocument(place, documents[place], Hidden(hidden or ()), text, facts)


def _facts(
    shared: tuple[Sequence[Tagger], FactSettings], item: tuple[int, str, str, list[tuple[int, int]] | None]
) -> FactsOfText:
    (taggers, settings), (_, text, released, hidden) = shared, item
    spans = all_found(taggers, text)
    if hidden is None:
        return facts_shown(text, spans, released, settings)
    return facts_left(text, spans, Hidden(hidden), settings)
