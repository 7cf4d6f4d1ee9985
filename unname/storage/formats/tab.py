"""JSON of the Text Anonymization Benchmark: a list of court cases, each annotated by one annotator or several.

A span's label is the `entity_type`, its kind the `identifier_type` in small letters (direct, quasi, no_mask), its entity the
`entity_id`. A case is about its applicant, so that the document's person is its id. Of several annotators the first by name
is taken (`tab`), or each makes a document of its own, whose id is `case/annotator` (`tab-all`); the metadata tell the
annotator and how many there are. Source: Pilán et al. 2022, §4 and its data.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.faults import Faults
from unname.storage.formats.quotes import Quote, first_misfit, placed
from unname.storage.formats.sources import Row, Rows, opened
from unname.storage.jsonrows import json_value
from unname.storage.lines import beginning
from unname.storage.spans import KINDS, span_fault
from unname.types import Document

ENDINGS = (".json",)
LONGEST_FILE = 512 << 20
_OWN = ("id", "text", "person", "split", "spans", "annotator", "annotators", "task", "case")


# A list of cases, each with the object of its annotators, among what begins it.
_CASE = re.compile(rb'"(?:annotations|entity_mentions)"\s{0,20}:\s{0,20}[{\[]')


def is_tab(path: Path) -> bool:
    """True if a file of JSON holds no records of ours, but this benchmark's: its annotators stand in an object."""
    start = beginning(path, _LOOKED_AT)
    case = _CASE.search(start)
    return not start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{")) or (
        case is not None and case[0].startswith(b'"a') and case[0].endswith(b"{")
    )


_LOOKED_AT = 1 << 20


def tab_records(path: Path, faults: Faults, *, every_annotator: bool = False) -> Rows:
    """(number from 1, row) of every document in the `.json` files of a folder or archive, or in one file."""
    number = 0
    with opened(path, ENDINGS) as source:
        for name in source.names:
            content = source.read(name, LONGEST_FILE)
            problem, cases = (content, None) if isinstance(content, str) else json_value(content)
            del content
            if problem or not isinstance(cases, list):
                number += 1
                faults.add(number, "", problem or "not a JSON list of documents")
                continue
            for case in cases:
                for made in _rows(case, every_annotator):
                    number += 1
                    if isinstance(made, tuple):
                        faults.add(number, *made)
                    else:
                        yield number, made


def _rows(case: Any, every_annotator: bool) -> Iterator[Row | tuple[str, str]]:
    """The rows of a case, or (field, problem)."""
    if not isinstance(case, dict):
        yield "", "not a JSON object"
        return
    told, text, known = case.get("annotations"), case.get("text"), case.get("doc_id")
    if not isinstance(told, dict) or not told:
        yield "annotations", "must be an object of annotators"
        return
    if not isinstance(text, str):
        yield "text", "must be text"
        return
    meta = case.get("meta")
    more = {key: value for key, value in meta.items() if key not in _OWN} if isinstance(meta, dict) else {}
    for place, annotator in enumerate(sorted(told)[: None if every_annotator else 1], start=1):
        spans = _spans(told[annotator], text)
        if isinstance(spans, str):
            yield f"annotations, annotator {place} by name", spans
            continue
        row = {"id": known, "person": known, "text": text, "split": case.get("dataset_type"), "spans": spans}
        said = {"annotator": annotator, "annotators": len(told), "task": case.get("task")}
        if every_annotator and isinstance(known, str | int):
            row["id"] = f"{known}/{annotator}"
            said["case"] = str(known)
        yield {**more, **said, **row}


def _spans(told: Any, text: str) -> list[Row] | str:
    mentions = told.get("entity_mentions") if isinstance(told, dict) else None
    if not isinstance(mentions, list):
        return "must have a list of entity_mentions"
    spans: list[Row] = []
    quotes = []
    for place, mention in enumerate(mentions, start=1):
        if not isinstance(mention, dict):
            return f"mention {place} is no JSON object"
        start, end, said = (mention.get(key) for key in ("start_offset", "end_offset", "span_text"))
        if type(start) is not int or type(end) is not int or not isinstance(said, str | None):
            return f"mention {place}: start_offset and end_offset must be whole numbers, span_text text"
        label, kind, entity = (mention.get(key) for key in _KEYS.values())
        kind = kind.lower() if isinstance(kind, str) else kind
        quotes.append(Quote(((start, end),), said))
        kept = None if entity == mention.get("entity_mention_id") else entity
        spans.append({"start": start, "end": end, "label": label, "kind": kind, "entity": kept})
    found_at = placed([text], quotes)
    if found_at is None:
        wrong = first_misfit(text, quotes) or 0
        return f"mention {wrong + 1}: the text does not have at its offsets what it quotes"
    for span, quote in zip(spans, found_at[1], strict=True):
        ((span["start"], span["end"]),) = quote.stretches
    for place, span in enumerate(spans, start=1):
        if problem := span_fault(span, len(text)):
            return f"mention {place}: {_KEYS.get(problem[0], problem[0])} {problem[1]}"
    return spans


_KEYS = {"label": "entity_type", "kind": "identifier_type", "entity": "entity_id"}


def tab_pieces(documents: Iterable[Document]) -> Iterator[bytes]:
    """The file of some documents, in pieces. Person and score have no place in it, nor has a span without one of the kinds.

    A span without an entity has its own mention's id for one, and is read back without. InputError: a kind it has not.
    """
    comma = "[\n"
    for number, document in enumerate(documents, start=1):
        yield (comma + json.dumps(_case(document, number), ensure_ascii=False)).encode()
        comma = ",\n"
    yield b"\n]\n" if comma != "[\n" else b"[]\n"


def _case(document: Document, number: int) -> Mapping[str, Any]:
    mentions = []
    for place, span in enumerate(document.spans, start=1):
        if span.kind not in KINDS:
            raise InputError(f"document {number}: field 'spans': TAB needs a kind of each: {', '.join(KINDS)}")
        own = f"{document.id}_em{place}"
        mentions.append({
            "entity_type": span.label, "entity_mention_id": own, "start_offset": span.start, "end_offset": span.end,
            "span_text": document.text[span.start : span.end], "edit_type": "check",
            "identifier_type": span.kind.upper(), "entity_id": span.entity or own,
            "confidential_status": "NOT_CONFIDENTIAL",
        })  # fmt: skip
    meta = {key: value for key, value in document.metadata.items() if key not in _OWN}
    return {
        "annotations": {document.metadata.get("annotator", "annotator1"): {"entity_mentions": mentions}},
        "doc_id": document.id, "text": document.text, "dataset_type": document.split, "meta": meta,
        "task": document.metadata.get("task", ""), "quality_checked": False,
    }  # fmt: skip
