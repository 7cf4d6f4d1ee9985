"""Files → what a run works on, validated whole before anything is done; documents may stay on the disk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unname.errors import InputError, SettingsError
from unname.knowledge.population import Population, make_population, merge_graph
from unname.storage.documents import Columns, document_faults, iter_documents
from unname.storage.faults import Faults, shown_name
from unname.storage.people import read_profiles, read_triples
from unname.storage.spool import Spool, document_spool
from unname.types import Document, Profile

# In place of a people table: every person's own originals are their profile.
FROM_DOCUMENTS = "from-documents"
ORIGINAL_FIELD = "original"
# Documents outside the split serve to train attackers, which need no more than so many.
MOST_OTHERS = 20_000


@dataclass(frozen=True, slots=True, repr=False)
class Inputs:
    """Documents to work on, others (for training attackers), the population, and what is to be told about them.

    `full` holds the profiles with the fields that were left out, where any were; `bad_records` are (record, field,
    problem) of records that were passed over; `graph_strangers` counts persons of the graph without a profile.
    """

    documents: Sequence[Document]
    others: Sequence[Document]
    population: Population
    full: tuple[Profile, ...] = ()
    bad_records: tuple[tuple[int, str, str], ...] = ()
    graph_strangers: int = 0

    def __repr__(self) -> str:
        return f"Inputs({len(self.documents)} documents, {len(self.others)} others, {len(self.population)} people)"


def read_inputs(
    documents: Path,
    people: Path | str,
    *,
    split: str | None = None,
    limit: int | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    require_person: bool = True,
    withhold_bad: bool = False,
    spool: Path | None = None,
) -> Inputs:
    """Read and check documents and people; `split` chooses which rows to work on, `limit` how many of them.

    Every document to work on needs a person with a profile, unless `require_person` is false or no document at all
    names a person; none in a person column that was asked for by name is an error too. `withhold_bad` passes over bad
    records instead of failing. With `spool` documents are kept in temporary files in that folder, not in memory.
    `people` is a table, or `from-documents`.
    """
    from_documents = people == FROM_DOCUMENTS
    if from_documents and (fields or without_fields or graph is not None):
        raise SettingsError("from-documents knows the originals alone: fields, without-fields and graph do not apply")
    profiles, strangers = ([], 0) if from_documents else _profiles(Path(people), graph)
    population = None if from_documents else make_population(profiles, fields=fields, without_fields=without_fields)
    read = _read_documents(documents, columns, split, limit, population, withhold_bad, spool)
    asked = (columns or Columns()).person
    if require_person and not read.named and not from_documents and asked != Columns().person:
        raise InputError(f"{shown_name(documents)}: no document to work on has a value in the column {asked!r}")
    if read.named and require_person:
        read.people_faults.raise_any()
    if population is None:
        chosen, population = _population_of(read.chosen)
        return Inputs(chosen, read.others, population, (), read.bad)
    full = tuple(profiles) if fields or without_fields else ()
    return Inputs(read.chosen, read.others, population, full, read.bad, strangers)


def with_training(inputs: Inputs, training: Path | None, columns: Columns | None) -> Inputs:
    """Inputs whose documents to learn from come from a table of their own, where one is given."""
    if training is None:
        return inputs
    others: list[Document] = []
    faults = document_faults(training, columns)
    for _, document in iter_documents(training, columns, faults=faults):
        if len(others) < MOST_OTHERS:
            others.append(document)
    faults.raise_any()
    if not any(d.person in inputs.population.rows for d in others):
        raise InputError(f"{shown_name(training)}: nothing to learn from: no document's person has a profile")
    return replace(inputs, others=others)


def _profiles(people: Path, graph: Path | None) -> tuple[list[Profile], int]:
    profiles = read_profiles(people)
    return merge_graph(profiles, read_triples(graph)) if graph is not None else (profiles, 0)


@dataclass(frozen=True, slots=True, repr=False)
class _Read:
    chosen: Sequence[Document]
    others: Sequence[Document]
    people_faults: Faults
    named: bool
    bad: tuple[tuple[int, str, str], ...]


def _read_documents(
    path: Path,
    columns: Columns | None,
    split: str | None,
    limit: int | None,
    population: Population | None,
    withhold_bad: bool,
    spool: Path | None,
) -> _Read:
    faults, strangers = document_faults(path, columns), document_faults(path, columns, listed=False)
    chosen: list[Document] | Spool[Document] = [] if spool is None else document_spool(spool)
    others: list[Document] = []
    column, named, found = (columns or Columns()).person, False, 0
    for number, document in iter_documents(path, columns, faults=faults):
        if split is not None and document.split != split:
            if len(others) < MOST_OTHERS:
                others.append(document)
            continue
        found += 1
        named = named or document.person is not None
        if population is not None and document.person not in population.rows:
            problem = "missing" if document.person is None else "no profile has this id"
            strangers.add(number, column, problem)
        if limit is None or len(chosen) < limit:
            chosen.append(document)
    if not withhold_bad:
        faults.raise_any()
    if not found:
        problem = "no document is in the split that was asked for" if split is not None else "every record is bad"
        raise InputError(f"{shown_name(path)}: {problem}")
    return _Read(chosen, others, strangers, named, tuple(faults.bad_records))


def _population_of(documents: Sequence[Document]) -> tuple[list[Document], Population]:
    """Each person's originals as their profile; a document without a person is about one of its own.

    So every other document is a candidate, and whoever holds the originals is the adversary (people: in order of their
    first document).
    """
    named = [d if d.person is not None else replace(d, person=f"document {d.id}") for d in documents]
    texts: dict[str, list[str]] = {}
    for document in named:
        texts.setdefault(str(document.person), []).append(document.text)
    profiles = tuple(Profile(person, {ORIGINAL_FIELD: "\n\n".join(row)}) for person, row in texts.items())
    return named, Population(profiles)
