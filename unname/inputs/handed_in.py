"""Spans that were handed in for the documents of a run: read, matched to their documents, and made one more tagger.

A document that the file says nothing of is an error: that nothing was found there, an empty list says.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.job import Deidentification
from unname.protecting.parts import MaskingParts, with_tagger
from unname.storage.annotated import found_nothing, in_our_shape, left_open
from unname.storage.documents import Columns, document_faults, identifier_of
from unname.storage.faults import Faults, shown_name
from unname.storage.formats import detect_format, format_records
from unname.storage.ids import Ids
from unname.storage.rows import records
from unname.storage.spans import Borders, spans_of
from unname.taggers.foreign.labels import read_label_map
from unname.taggers.given import GivenSpans, given_spans
from unname.types import Document, Span


def with_spans(
    parts: MaskingParts, settings: Deidentification, documents: Sequence[Document], *, every: bool = True
) -> MaskingParts:
    """Parts that hide what was handed in for these documents as well, where the settings name any.

    Unless the documents are `every` one that there is, the file may say more than is asked.
    """
    if settings.spans is None:
        return parts
    return with_tagger(parts, spans_tagger(settings.spans, documents, settings.label_map, every=every))


def spans_tagger(
    path: Path, documents: Sequence[Document], label_map: Path | None = None, *, every: bool = True
) -> GivenSpans:
    """The spans that a file lists for documents, as a tagger."""
    return given_spans(documents, read_spans(path, documents, every=every), read_label_map(label_map))


def read_spans(path: Path, documents: Sequence[Document], *, every: bool = True) -> list[tuple[Span, ...]]:
    """The spans of each document, in order, from a file of any shape that annotated documents come in.

    A record belongs to the document with its id; where it has a text that is not this one's, to the documents with its text,
    white space aside. InputError: a record of no document (if the documents are `every` one), a document without a record,
    spans that do not fit.
    """
    columns = Columns(format=detect_format(path))
    faults, borders = document_faults(path, columns), Borders()
    places, texts = _known(documents)
    by_place: dict[int, tuple[Span, ...]] = {}
    ids, strangers = Ids(), 0
    for number, row in _rows(path, columns.format, faults):
        text = row.get("text") if isinstance(row.get("text"), str) else None
        before = faults.count
        named = text is None or row.get("id") not in (None, "")
        name = identifier_of(row, "id", number, faults, ids) if named else None
        if faults.count > before:
            continue
        about = _about(places.get(str(name)), text, texts)
        if about is None:
            faults.add(number, "text", "is not that of the document with this id, nor of any other")
        elif not about:
            strangers += 1
            if every:
                faults.add(number, "id", "no document of the run has this id")
        elif row.get("spans") is None and not found_nothing(row):
            faults.add(number, "spans", "missing")
        else:
            own = documents[about[0]].text
            read = spans_of({**row, "spans": row.get("spans") or []}, own if text is None else text, number, faults,
                            borders=borders)  # fmt: skip
            spans = read if text in (None, own) else tuple(_moved(read, str(text), own))
            for place in about:
                by_place[place] = (*by_place.get(place, ()), *spans)
    faults.raise_any()
    if wrong := borders.fault():
        raise InputError(f"{shown_name(path)}: {wrong}")
    _require_all(path, documents, by_place, strangers)
    return [by_place[place] for place in range(len(documents))]


def _rows(path: Path, format: str | None, faults: Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if format is not None:
        return iter(format_records(path, format, faults))
    if path.is_dir():
        raise InputError(f"{shown_name(path)}: holds no annotated documents of a format that is known")
    return in_our_shape(_closed(records(path, faults=faults), faults), faults)


def _closed(rows: Iterator[tuple[int, Mapping[str, Any]]], faults: Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The records that somebody has annotated: the silence of others is not that nothing is there."""
    for number, row in rows:
        if left_open(row):
            faults.add(number, "annotations", "nobody has annotated this text, or the annotation was rejected")
        else:
            yield number, row


def _known(documents: Sequence[Document]) -> tuple[dict[str, int], dict[bytes, list[int]]]:
    """Places of documents by id, and by text."""
    places: dict[str, int] = {}
    texts: dict[bytes, list[int]] = {}
    for place, document in enumerate(documents):
        places[document.id] = place
        texts.setdefault(_bare(document.text), []).append(place)
    return places, texts


def _bare(text: str) -> bytes:
    """A key that is the same for texts that differ in white space alone."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "surrogatepass")).digest()


def _about(place: int | None, text: str | None, texts: Mapping[bytes, list[int]]) -> list[int] | None:
    """The documents that a record is about: that with its id, or those with its text; None where these say otherwise."""
    if text is None:
        return [] if place is None else [place]
    same = texts.get(_bare(text), [])
    if place is None:
        return same
    return [place] if place in same else same or None


def _moved(spans: Sequence[Span], text: str, own: str) -> Iterator[Span]:
    """Spans of a text where the same signs stand in another that differs in white space."""
    numbers, at = [0], 0
    for sign in text:
        at += not sign.isspace()
        numbers.append(at)
    places = [place for place, sign in enumerate(own) if not sign.isspace()]
    for span in spans:
        first, after = numbers[span.start], numbers[span.end]
        if first < after:
            yield Span(places[first], places[after - 1] + 1, span.label, span.kind, span.entity, span.score)


def _require_all(path: Path, documents: Sequence[Document], covered: Mapping[int, object], strangers: int) -> None:
    left = [place for place in range(len(documents)) if place not in covered]
    if left:
        more = f"; {strangers} records are about documents that are not in the run" if strangers else ""
        raise InputError(
            f"{shown_name(path)}: {len(left)} of {len(documents)} documents have no record here, the first of them is "
            f"document {left[0] + 1}: a missing record does not mean that nothing was found; a document without "
            f"identifiers needs an empty list of spans{more}"
        )
