"""Counting what the table of people does not cover: over all documents, whether or not an attacker is tried on them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from unname.auditing.coverage import Coverage
from unname.auditing.report import Report
from unname.draws import draw
from unname.knowledge.fieldnames import of_kin
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NameIndex, seen_words
from unname.knowledge.novalues import says_nothing
from unname.knowledge.population import Population
from unname.protecting.direct_fields import LONG_VALUE, SAMPLE, DirectFields, names_of, recognised_fields
from unname.reidentifiers.base import folded_value
from unname.text import Word, folded_words
from unname.types import Document

# A field says something of texts that state it so much more often of their own people.
_MORE_OFTEN = 0.05


def with_coverage(report: Report, coverage: Coverage | None) -> Report:
    """A report that says so; what the masking's table tells is of no account where attackers know another one."""
    if coverage is not None and report.attacker_people is not None:
        coverage = replace(coverage, telling=None)
    return replace(report, coverage=coverage)


def coverage_of_any(documents: Sequence[Document], texts: Sequence[str | None], population: Population) -> Coverage:
    """That of a release of any tool, whose options nobody knows: people lack a name where others have one."""
    direct = recognised_fields(population)
    shown = (text is not None for text in texts)
    named = "name" in name_fields(direct).values()
    return coverage_of(documents, shown, population, direct, named=named)


def coverage_of(
    documents: Sequence[Document], shown: Iterable[bool], population: Population, direct: DirectFields, *, named: bool
) -> Coverage:
    """What the table knows of those whom the documents are about; `shown` says which documents are released.

    With `named` everybody must have a name in it. `direct` are the fields that the release hides.
    """
    names = names_of(population, direct)
    fields = name_fields({**recognised_fields(population), **direct})
    about, misjoined = set[int](), 0
    columns = [population.rows.get(str(document.person), -1) for document in documents]
    known = sorted({column for column in columns if column >= 0}, key=lambda c: draw("coverage", 0, str(c)))
    read: dict[int, set[str]] = {column: set() for column in known[:SAMPLE]}
    for document, released, column in zip(documents, shown, columns, strict=True):
        if column < 0:
            continue
        if released:
            about.add(column)
        row = seen_words(document.text)
        if column in read:
            read[column].update(word.folded for word in row)
        if others := _others(row, column, names):
            single = direct_identifiers(population.full[column], fields).single
            misjoined += single.isdisjoint(word.folded for place, word in enumerate(row) if place not in others)
    nameless = sum(not direct_identifiers(population.full[column], fields).single for column in about) if named else 0
    telling = _telling(population, _stated_fields(population, direct, read), about)
    return Coverage(len(about), nameless, telling, len(documents), misjoined)


def _others(row: Sequence[Word], column: int, names: NameIndex) -> set[int]:
    """Places of the words that name other people in full; none where a text names its own person in full as well."""
    found = names.find(row)
    if any(one.column == column for one in found):
        return set()
    return {place for one in found for place in range(one.first, one.last + 1)}


def name_fields(direct: DirectFields) -> DirectFields:
    """Those of some direct fields in which people's own names may stand."""
    return {name: kind for name, kind in direct.items() if kind in ("name", "") and not of_kin(name)}


def _stated_fields(population: Population, direct: DirectFields, read: Mapping[int, Set[str]]) -> list[str]:
    """The other fields that texts state: of their own person more often than of the next one; long texts always count.

    A number of the row or the time of an entry tells everybody apart, and nothing of who is in a text. `read` are the
    words of some people's documents.
    """
    own, turned = list(read), [*list(read)[1:], *list(read)[:1]]
    found = []
    for name in population.field_names():
        if name in direct:
            continue
        values = [folded_words(population.profiles[column].fields.get(name, "")[:LONG_VALUE]) for column in own]
        common = {word for word, many in Counter(w for row in values for w in set(row)).items() if 2 * many > len(own)}
        kept = [{word for word in row if len(word) > 1} - common for row in values]
        long = sum(len(population.profiles[column].fields.get(name, "")) >= LONG_VALUE for column in own)
        right, wrong = (
            sum(not words.isdisjoint(read[of]) for words, of in zip(kept, who, strict=True)) for who in (own, turned)
        )
        if 2 * long > len(own) or right - wrong > _MORE_OFTEN * len(own):
            found.append(name)
    return found


def _telling(population: Population, rest: Sequence[str], about: set[int]) -> float | None:
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
