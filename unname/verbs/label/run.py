"""Labels without annotators: what k-anonymity over a knowledge graph hides of each document (Papadopoulou 2022, §3)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from unname.errors import InputError, SettingsError
from unname.knowledge.graph import Graph, Triple, build_graph, facts_of, open_graph
from unname.knowledge.population import Population
from unname.knowledge.variants import Term, term_of
from unname.log import Progress, silent
from unname.masking.anonymity import GRAPH, PERSON, Anonymity
from unname.masking.base import Case
from unname.other_jobs import GraphSources, Labelling
from unname.storage.documents import Columns, document_faults, iter_documents
from unname.storage.faults import shown_name
from unname.storage.files import INDEX, parents_made, require_absent, require_apart, staged_folders
from unname.storage.lines import text_lines
from unname.storage.people import iter_triples, read_lines, read_profiles
from unname.storage.tables import write_jsonl
from unname.types import Document, Mask, Profile
from unname.verbs.tag.run import columns_for

LABEL = "MASK"


@dataclass(frozen=True, slots=True)
class Labelled:
    """How many documents were labelled, with how many spans, and in how many of them the person was not in the graph."""

    documents: int
    spans: int
    strangers: int


def index_files(sources: GraphSources, out: Path, *, replace: bool = False, progress: Progress = silent) -> Graph:
    """`unname index`: the inverted index of triples, people and texts, as a folder that `--graph` takes."""
    require_apart(out, inputs=sources.files())
    require_absent(out, replace=replace, kind=INDEX)
    progress("index", 1)
    graph = graph_from(sources)
    with staged_folders((out, True), replace=replace, kinds=(INDEX,)) as (aside,):
        graph.save(aside)
    return graph


def graph_from(sources: GraphSources) -> Graph:
    """The index of all that is said to be known: made of triples, people and texts, or opened where one is kept."""
    folders = [path for path in sources.graph if path.is_dir()]
    if folders:
        if len(sources.graph) > 1 or sources.people or sources.graph_texts or sources.variants:
            raise SettingsError("a graph that `unname index` wrote stands alone: give people, texts, variants to that")
        return open_graph(folders[0])
    parts: list[Iterable[Triple]] = [iter_triples(path) for path in sources.graph]
    if sources.people is not None:
        profiles = read_profiles(sources.people, id_column=sources.people_id_column)
        parts.append(facts_of(Population(tuple(profiles)), texts=sources.graph_texts))
    if not parts:
        raise SettingsError("name what is known of people: --graph, --people, or both")
    graph = build_graph(chain(*parts), user=None if sources.variants is None else read_variants(sources.variants))
    if not len(graph.terms):
        raise InputError("nothing is stated of anybody: the graph has no terms")
    return graph


def read_variants(path: Path) -> dict[Term, list[Term]]:
    """Further forms of terms, one pair a line, parted by a tab: how the graph has it, and how a text may."""
    found: dict[Term, list[Term]] = {}
    for number, line in text_lines(path):
        cells = [term_of(cell) for cell in line.rstrip("\r\n").split("\t")]
        if len(cells) != 2 or not all(cells):
            raise InputError(f"{shown_name(path)}: record {number}: expected two forms of a term, parted by a tab")
        found.setdefault(cells[0], []).append(cells[1])
    return found


def label_files(
    documents: Path, out: Path, labelling: Labelling, *, columns: Columns | None = None, progress: Progress = silent
) -> Labelled:
    """`unname label`: write what must go of each document, one JSON line each, as `tag` does; it names no text.

    A span says besides how many people have all of the terms that it was hidden for (`people`), and where in the document
    the others of them stand (`with`).
    """
    require_apart(out, inputs=[documents, *labelling.sources.files()])
    graph = graph_from(labelling.sources)
    method = anonymity_of(labelling, graph)
    columns = columns_for(documents, columns)
    faults = document_faults(documents, columns)
    advance = progress("label", 0)
    count, spans, strangers = 0, 0, 0

    def rows() -> Iterator[Mapping[str, Any]]:
        nonlocal count, spans, strangers
        for _, document in iter_documents(documents, columns, faults=faults):
            mask = label(method, document)
            count, spans = count + 1, spans + len(mask.spans)
            strangers += document.person is None or graph.column(document.person) is None
            advance(1)
            yield {"id": document.id, "spans": said_of(mask)}
        faults.raise_any()
        if labelling.whose == PERSON and strangers == count:
            raise InputError(
                f"{shown_name(documents)}: whose person: the graph knows the person of no document (--person-column)"
            )

    with parents_made(out):
        write_jsonl(out, rows(), private=True, fresh=True)
    return Labelled(count, spans, strangers)


def anonymity_of(labelling: Labelling, graph: Graph) -> Anonymity:
    """The method that labels."""
    white = frozenset(map(term_of, read_lines(labelling.white_list))) if labelling.white_list else frozenset()
    return Anonymity(
        graph, k=labelling.k, strategy=labelling.strategy, whose=labelling.whose, generic=labelling.generic,
        seed=labelling.seed, white_list=frozenset(" ".join(term) for term in white),
    )  # fmt: skip


def label(method: Anonymity, document: Document) -> Mask:
    """What must go of one document."""
    profile = Profile(document.person or "", {})
    return method.mask(Case((document,), profile, 0, {}, (0,), 0))[0]


def said_of(mask: Mask) -> list[dict[str, Any]]:
    """Spans as they are written."""
    return [
        {
            "start": s.start, "end": s.end, "label": LABEL, "score": 1.0, "terms": s.step,
            "people": s.crowd_before.get(GRAPH, 0) + 1, "with": [list(place) for place in s.combination],
        }
        for s in mask.spans
    ]  # fmt: skip
