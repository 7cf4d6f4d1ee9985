"""Coverage of a release of ours by the table: the names that are asked for, and the columns kept beside the texts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from unname.auditing.coverage import Coverage, KeptColumn
from unname.dates import days_of
from unname.job import FROM_DOCUMENTS
from unname.knowledge.disguises import Disguises, disguises_of
from unname.knowledge.population import Population
from unname.protecting.direct_fields import NONE
from unname.protecting.result import Deidentified
from unname.transforms.base import seen_through
from unname.types import Document
from unname.verbs.audit.coverage import coverage_of, name_fields

# A column is nearly unique where more than this share of its documents have a value of one person's alone.
_ALONE = 0.5
# Of fewer people nobody can tell a rare value from a common one; days within so many are those of a study, not of births.
_FEWEST, _ONE_YEAR = 20, 366
# Codes of two letters are the initials of somebody by chance.
_BY_CHANCE = 0.25


def own_coverage(made: Deidentified, people: Path | str, attackers: Population | None = None) -> Coverage | None:
    """That of a release of ours; without a table of `people` of what is kept beside the texts, None where nothing is.

    Who says that no field is direct, or names those that are, answers for it that texts name nobody; and where everybody's
    own originals are what attackers know, they know the names in them. Attackers may know another table.
    """
    if not len(made.population):
        kept = kept_columns(made)
        return Coverage(0, 0, None, len(made.documents), 0, kept=kept) if kept else None
    said, only = NONE in made.settings.direct, made.settings.direct_only
    named = people != FROM_DOCUMENTS and not said and (not only or "name" in name_fields(made.direct).values())
    texts = (None if outcome.release is None else seen_through(outcome.release) for outcome in made.outcomes())
    coverage = coverage_of(made.documents, texts, made.population, made.direct, named=named, attackers=attackers)
    return replace(coverage, kept=kept_columns(made))


def kept_columns(made: Deidentified) -> tuple[KeptColumn, ...]:
    """Every column that is released beside the texts, and the ids where they are kept."""
    columns = [*(("id",) if made.settings.ids == "keep" else ()), *made.settings.keep]
    if not columns:
        return ()
    values: dict[str, list[tuple[str, str]]] = {name: [] for name in columns}
    hidden, abbreviated = dict.fromkeys(columns, 0), dict.fromkeys(columns, 0)
    known: dict[str, Disguises] = {}
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        if outcome.release is None:
            continue
        column = made.population.rows.get(str(document.person), -1)
        person = f"document {document.id}" if document.person is None else str(document.person)
        for name, value in _beside(document, columns).items():
            values[name].append((value, person))
            if column < 0:
                continue
            if person not in known:
                known = {person: disguises_of(made.population.full[column], made.direct)}
            within = known[person].within(value)
            hidden[name] += within
            abbreviated[name] += not within and known[person].abbreviates(value)
    return tuple(
        KeptColumn(
            name, len(rows), nearly_unique(rows),
            hidden[name] + (abbreviated[name] if abbreviated[name] > _BY_CHANCE * len(rows) else 0),
        )
        for name, rows in values.items()
    )  # fmt: skip


def _beside(document: Document, columns: Sequence[str]) -> Mapping[str, str]:
    """The values in these columns beside a document, where there are any."""
    every = {**document.metadata, "id": document.id}
    return {name: every[name] for name in columns if every.get(name)}


def nearly_unique(rows: Sequence[tuple[str, str]]) -> bool:
    """True if most documents have a value that one person has alone; of each row its value and its person.

    Days of about a year are no such values, though few documents share them.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    for value, person in rows:
        holders[value].add(person)
    alone = sum(len(holders[value]) == 1 for value, _ in rows)
    if len({person for _, person in rows}) <= _FEWEST or alone <= _ALONE * len(rows):
        return False
    days = [min(days_here) for value in holders if (days_here := days_of(value))]
    if len(days) < len(holders):
        return True
    first, last = min(days), max(days)
    return ((last.year or 0) - (first.year or 0)) * 365 + (last.month - first.month) * 30 > _ONE_YEAR
