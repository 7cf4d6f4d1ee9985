"""Files → what a run works on, validated whole before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unname.errors import InputError
from unname.knowledge.population import Population, make_population, merge_graph
from unname.storage.tables import Columns, read_documents, read_profiles, read_triples
from unname.types import Document


@dataclass(frozen=True, slots=True, repr=False)
class Inputs:
    """Documents to work on, the others (for training attackers), the population, and graph persons without profile."""

    documents: tuple[Document, ...]
    others: tuple[Document, ...]
    population: Population
    graph_strangers: int = 0

    def __repr__(self) -> str:
        return f"Inputs({len(self.documents)} documents, {len(self.others)} others, {len(self.population)} people)"


def read_inputs(
    documents: Path,
    people: Path,
    *,
    split: str | None = None,
    limit: int | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    require_person: bool = True,
) -> Inputs:
    """Read and check documents and people; `split` chooses which rows to work on, `limit` how many of them.

    Every document to work on needs a person with a profile, unless `require_person` is false.
    """
    found = read_documents(documents, columns)
    profiles = read_profiles(people)
    strangers = 0
    if graph is not None:
        profiles, strangers = merge_graph(profiles, read_triples(graph))
    population = make_population(profiles, fields=fields, without_fields=without_fields)
    chosen = [d for d in found if split is None or d.split == split]
    if not chosen:
        raise InputError(f"{documents.name}: no document is in the split that was asked for")
    person_column = (columns or Columns()).person
    for number, document in enumerate(found if require_person else (), start=1):
        if (split is None or document.split == split) and document.person not in population.rows:
            problem = "missing" if document.person is None else "no profile has this id"
            raise InputError(f"{documents.name}: record {number}: field {person_column!r}: {problem}")
    others = [d for d in found if split is not None and d.split != split]
    return Inputs(tuple(chosen[:limit]), tuple(others), population, strangers)
