"""Labels without annotators: what k-anonymity over a knowledge graph hides of each document (Papadopoulou 2022, §3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.inputs.annotated import columns_for
from unname.knowledge.graph import Graph
from unname.knowledge.variants import term_of
from unname.log import Progress, silent
from unname.masking.anonymity import GRAPH, PERSON, Anonymity
from unname.masking.base import Case
from unname.storage.documents import Columns, document_faults, iter_documents
from unname.storage.faults import shown_name
from unname.storage.files import parents_made, require_apart
from unname.storage.people import read_lines
from unname.storage.tables import write_jsonl
from unname.types import Document, Mask, Profile
from unname.verbs.index.run import graph_from
from unname.verbs.label.options import Labelling

LABEL = "MASK"


@dataclass(frozen=True, slots=True)
class Labelled:
    """The number of documents labelled, of spans, and of documents whose person was not in the graph."""

    documents: int
    spans: int
    strangers: int


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
    """The mask of one document."""
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
