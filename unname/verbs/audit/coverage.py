"""Counting what the table of people does not cover: over all documents, whether or not an attacker is tried on them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise

from unname.auditing.coverage import Coverage
from unname.draws import draw
from unname.knowledge.commonnames import common_names
from unname.knowledge.fieldnames import of_kin
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NameIndex, seen_words
from unname.knowledge.novalues import says_nothing
from unname.knowledge.population import Population
from unname.protecting.direct_fields import SAMPLE, DirectFields, names_of, of_texts, recognised_fields
from unname.reidentifiers.base import folded_value
from unname.text import Word, folded_words, visible
from unname.types import Document

# A field says something of texts that state it so much more often of their own people.
_MORE_OFTEN = 0.05
# Letters of a value that are read for it.
_MOST_READ = 20_000


def coverage_of_any(
    documents: Sequence[Document],
    texts: Sequence[str | None],
    population: Population,
    *,
    attackers: Population | None = None,
) -> Coverage:
    """That of a release of any tool, whose options nobody knows: people lack a name where others have one."""
    direct = recognised_fields(population)
    named = "name" in name_fields(direct).values()
    return coverage_of(documents, texts, population, direct, named=named, attackers=attackers)


def coverage_of(
    documents: Sequence[Document],
    texts: Iterable[str | None],
    population: Population,
    direct: DirectFields,
    *,
    named: bool,
    attackers: Population | None = None,
) -> Coverage:
    """The table's coverage of the people whom the documents are about; `texts` are the documents' released texts.

    With `named` everybody must have a name in it. `direct` are the fields that the release hides. What can be known of
    people beside these is that of the `attackers`' own table, where they have one.
    """
    names, naming = names_of(population, direct), not of_texts(population)
    fields = name_fields({**recognised_fields(population), **direct})
    about, misjoined, readable, unmatched = set[int](), 0, 0, 0
    columns = [population.rows.get(str(document.person), -1) for document in documents]
    known = sorted({column for column in columns if column >= 0}, key=lambda c: draw("coverage", 0, str(c)))
    read: dict[int, set[str]] = {column: set() for column in known[:SAMPLE]}
    for document, text, column in zip(documents, texts, columns, strict=True):
        if column < 0:
            continue
        row, single = seen_words(document.text), direct_identifiers(population.full[column], fields).single
        if column in read:
            read[column].update({word.folded for word in row} - single)
        if others := _others(row, column, names):
            misjoined += single.isdisjoint(word.folded for place, word in enumerate(row) if place not in others)
        if text is not None:
            about.add(column)
            left = seen_words(visible(text))
            readable += any(one.column == column for one in names.find(left))
            unknown = naming and single.isdisjoint(word.folded for word in row)
            unmatched += unknown and _names_somebody(visible(text), left)
    nameless = sum(not direct_identifiers(population.full[column], fields).single for column in about) if named else 0
    table = population if attackers is None else attackers
    hidden = direct if attackers is None else {**recognised_fields(attackers), **direct}
    own = {table.rows.get(population.full[column].id, -1): words for column, words in read.items()}
    own.pop(-1, None)
    sought = [table.rows[name] for column in about if (name := population.full[column].id) in table.rows]
    rest = _stated_fields(table, hidden, own)
    return Coverage(
        people=len(about), nameless=nameless, telling=_telling(table, rest, sought), documents=len(documents),
        misjoined=misjoined, readable=readable, unmatched=unmatched, strangers=len(about) - len(sought),
        blank=sum(not any(_said(table, column, name) for name in rest) for column in sought) if rest else 0,
    )  # fmt: skip


def _said(population: Population, column: int, field: str) -> bool:
    return not says_nothing(folded_value(population.profiles[column], field))


def _names_somebody(text: str, row: Sequence[Word]) -> bool:
    """True if a common given name stands before another capitalised word, with a blank between."""
    return any(
        a.folded in common_names() and text[a.start].isupper() and text[b.start].isupper() and b.start == a.end + 1
        for a, b in pairwise(row)
    )


def _others(row: Sequence[Word], column: int, names: NameIndex) -> set[int]:
    """Places of the words that name other people in full; none where a text names its own person in full as well."""
    people = names.find(row)
    if any(one.column == column for one in people):
        return set()
    return {place for one in people for place in range(one.first, one.last + 1)}


def name_fields(direct: DirectFields) -> DirectFields:
    """Those of some direct fields in which people's own names may stand."""
    return {name: kind for name, kind in direct.items() if kind in ("name", "") and not of_kin(name)}


def _stated_fields(population: Population, direct: DirectFields, read: Mapping[int, Set[str]]) -> list[str]:
    """The other fields that texts state: they share more with those of their own person, more often than with the next one's.

    A number of the row or the time of an entry tells everybody apart, and nothing of who is in a text. `read` are the
    words of some people's documents.
    """
    own, turned = list(read), [*list(read)[1:], *list(read)[:1]]
    stated = []
    for name in population.field_names():
        if name in direct:
            continue
        values = [set(folded_words(population.profiles[c].fields.get(name, "")[:_MOST_READ])) for c in own]
        common = {word for word, many in Counter(w for row in values for w in row).items() if 2 * many > len(own)}
        kept = [{word for word in row if len(word) > 1} - common for row in values]
        shared = [(len(words & read[a]), len(words & read[b])) for words, a, b in zip(kept, own, turned, strict=True)]
        more, less = sum(right > wrong for right, wrong in shared), sum(right < wrong for right, wrong in shared)
        if more - less > _MORE_OFTEN * len(own):
            stated.append(name)
    return stated


def _telling(population: Population, rest: Sequence[str], about: Sequence[int]) -> float | None:
    """The share of these people whom these fields tell apart from all others, at best: 1/n of n who have the same."""
    if not about:
        return None
    # Hashes: profiles may be long texts.
    rows = [
        hash(tuple("" if says_nothing(value := folded_value(profile, name)) else value for name in rest))
        for profile in population.profiles
    ]
    alike = Counter(rows)
    return round(sum(1 / alike[rows[column]] for column in about) / len(about), 6)
