"""Annotated spans as records: one check of what they hold, wherever they are read or written."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from unname.errors import InputError
from unname.storage.faults import Faults, flaw
from unname.types import Document, Span

KINDS = ("direct", "quasi", "no_mask")
_KNOWN = f"must be {', '.join(KINDS)} or absent"


def span_fault(span: Mapping[str, Any], length: int) -> tuple[str, str] | None:
    """(key, what is wrong with it) of a span over a text of so many characters; None where it is good.

    It needs a start before its end, both within the text, and a label. A kind is one of `KINDS`; kind and entity may be
    absent, None or empty, as of spans that were never told apart.
    """
    start, end, label, kind, entity = (span.get(key) for key in ("start", "end", "label", "kind", "entity"))
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        return "start and end", "must be offsets within the text, start before end"
    if label is None or label == "":
        return "label", "is missing"
    if not isinstance(label, str):
        return "label", "must be text"
    if problem := "is blank" if label.isspace() else flaw(label):
        return "label", problem
    if not (kind is None or isinstance(kind, str)) or (kind and kind not in KINDS):
        return "kind", _KNOWN
    if entity is not None and (isinstance(entity, bool) or not isinstance(entity, str | int)):
        return "entity", "must be text or a whole number"
    if problem := flaw(str(entity)):
        return "entity", problem
    score = span.get("score", 1.0)
    if type(score) not in (int, float) or not 0 <= score <= 1:
        return "score", "must be a number from 0 to 1"
    return None


def spans_of(row: Mapping[str, Any], length: int, number: int, faults: Faults) -> tuple[Span, ...]:
    """A record's `spans` over a text of so many characters, sorted; what is wrong with one is a fault."""
    raw, found = row["spans"], []
    if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Sequence):
        faults.add(number, "spans", "must be a list")
        return ()
    for place, span in enumerate(raw, start=1):
        if problem := span_fault(span if isinstance(span, Mapping) else {}, length):
            faults.add(number, "spans", f"span {place}: {' '.join(problem)}")
            return ()
        kind, entity = span.get("kind") or "", span.get("entity")
        entity = "" if entity is None else str(entity)
        found.append(Span(span["start"], span["end"], span["label"], kind, entity, float(span.get("score", 1.0))))
    return tuple(sorted(found))


def require_readable(document: Document, number: int) -> None:
    """InputError where a document to write has a span that would be refused when it is read."""
    for place, span in enumerate(document.spans, start=1):
        if problem := span_fault(asdict(span), len(document.text)):
            raise InputError(f"document {number}: field 'spans': span {place}: {' '.join(problem)}")
