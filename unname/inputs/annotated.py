"""Annotated corpora as input: read in the format that their files tell, of one split, with spans to learn or to score."""

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from pathlib import Path

from unname.errors import InputError
from unname.storage.annotated import in_our_shape
from unname.storage.documents import Columns, identifier_of, read_corpus, read_documents
from unname.storage.faults import Faults, shown_name
from unname.storage.formats import detect_format
from unname.storage.ids import Ids
from unname.storage.rows import records
from unname.storage.spans import spans_of
from unname.taggers.labels import NO_MASK, relabelled, wanted
from unname.types import Document, Span


def columns_for(corpus: Path, columns: Columns | None) -> Columns:
    """The columns and format of a corpus: as named, else by the names of its files."""
    columns = columns or Columns()
    return columns if columns.format else changed(columns, format=detect_format(corpus, (columns.id, *columns.text)))


def in_split(documents: Iterable[Document], split: str | None, of: Path) -> list[Document]:
    """The documents of a split `of` a file or folder, or all; InputError where there are none."""
    chosen = [document for document in documents if split is None or document.split == split]
    if not chosen:
        raise InputError(f"{shown_name(of)}: no document is in the split that was asked for")
    return chosen


def read_annotated(
    corpus: Path, columns: Columns | None, *, labels: Sequence[str] = (), split: str | None = None
) -> list[Document]:
    """The documents of a corpus, or of one of its splits, with the spans of some labels; InputError where there are none."""
    documents = in_split(read_documents(corpus, columns_for(corpus, columns)), split, corpus)
    require_spans(documents, labels)
    return [relabelled(document, labels) for document in documents]


def require_spans(taught: Sequence[Document], labels: Sequence[str] = (), *, by: str = "label") -> None:
    """There are spans to learn, of every label that was asked for, with kinds where these are to be learned."""
    spans = [s for d in taught for s in d.spans if s.kind != NO_MASK]
    if not spans:
        raise InputError("the documents to learn from have no annotated spans")
    held = {s.label for s in spans}
    for number, name in enumerate(labels, start=1):
        if not any(wanted(label, [name]) for label in held):
            raise InputError(f"labels: no annotated span to learn has label {number} of those asked for")
    if by == "kind" and not any(s.kind for s in spans if not labels or wanted(s.label, labels)):
        raise InputError("the annotated spans to learn have no kind, direct or quasi; learn them by label")


def read_gold(path: Path, split: str | None = None, format: str | None = None) -> list[Document]:
    """The annotated documents of a corpus, or those of one split. InputError: there are none, or none has a span."""
    documents = in_split(read_corpus(path, format), split, path)
    if not any(document.spans for document in documents):
        problem = "no document has spans" if split is None else "no document of the split that was asked for has spans"
        raise InputError(f"{shown_name(path)}: {problem}")
    return documents


def read_predicted(path: Path, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    """The spans of a JSONL file `{"id", "spans": [{"start", "end", "label", "score"}]}`, one record a document.

    They come in the order of the documents. InputError: an id that no document has or that occurs twice, spans out of
    range, a document without a record; all are reported by record number.
    """
    faults, seen = Faults(path), Ids()
    places = {document.id: place for place, document in enumerate(documents)}
    predicted: dict[int, tuple[Span, ...]] = {}
    for number, row in in_our_shape(records(path, faults=faults), faults):
        name = identifier_of(row, "id", number, faults, seen)
        if name is None:
            continue
        if name not in places:
            faults.add(number, "id", "no document of the corpus has this id")
        elif "spans" not in row:
            faults.add(number, "spans", "missing")
        else:
            place = places[name]
            predicted[place] = spans_of(row, documents[place].text, number, faults)
    faults.raise_any()
    left = [place for place in range(len(documents)) if place not in predicted]
    if left:
        raise InputError(
            f"{shown_name(path)}: field 'id': {len(left)} documents of the corpus have no record here, the first "
            f"of them is document {left[0] + 1}; a document without identifiers needs an empty list of spans"
        )
    return [predicted[place] for place in range(len(documents))]
