"""brat standoff: a text in `.txt` and its annotations in an `.ann` of the same name.

Every T line is a span, one of several stretches (`0 3;8 12`) as many spans that share an entity, which is the line's id.
Relations, events, attributes, modifications, equivalences, normalisations and notes are passed over and not written back.
Source: brat's description of its standoff format.

The text is the file as it is, with its line ends and a byte order mark. Where what the lines quote fits only without the
mark, or with CR LF as one character, that reading is taken. A document whose id is no harmless file name has it in a note.
"""

import json
import re
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from unname.errors import InputError
from unname.storage.faults import NOT_UTF8, Faults
from unname.storage.formats.quotes import Quote, first_misfit, placed, plain
from unname.storage.formats.sources import NamedFiles, Row, Rows, ending_of, opened, stem_of
from unname.types import Document, Span

ENDINGS = (".txt", ".ann")
_LINE = re.compile(r"(T[0-9]+)\t(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)\t(.*)", re.DOTALL)
_PASSED_OVER = re.compile(r"[REAMN][0-9]+\t|\*\t|#")
_ID = re.compile(r"#[0-9]+\tDocumentId [^\t]*\t(.*)", re.DOTALL)
_PART = re.compile(r"T[0-9]+")
_MARK = "\ufeff"


def brat_records(path: Path, faults: Faults) -> Rows:
    """(number of the pair of files from 1 in name order, row) of a folder, an archive, or one pair named by either file."""
    with opened(path, ENDINGS, beside=True) as source:
        pairs: dict[str, dict[str, str]] = {}
        for name in source.names:
            ending = ending_of(name, ENDINGS)
            pairs.setdefault(name.removesuffix(ending), {})[ending.lower()] = name
        for number, base in enumerate(sorted(pairs), start=1):
            row = _pair(source, pairs[base])
            if isinstance(row, tuple):
                faults.add(number, *row)
            else:
                yield number, {"id": stem_of(base, ()), **row}


def _pair(source: NamedFiles, names: dict[str, str]) -> Row | tuple[str, str]:
    """The row of a pair of files, or (field, problem)."""
    if ".txt" not in names:
        return ".ann", "has no .txt of the same name"
    if ".ann" not in names:
        return ".txt", "has no .ann of the same name; an empty one says that nothing is annotated"
    parts: dict[str, str] = {}
    for ending, name in names.items():
        content = source.read(name)
        if isinstance(content, str):
            return ending, content
        try:
            parts[ending] = content.decode()
        except UnicodeDecodeError:
            return ending, NOT_UTF8
    return _row(parts[".txt"], parts[".ann"])


def _row(written: str, annotations: str) -> Row | tuple[str, str]:
    quotes: list[Quote] = []
    marks: list[tuple[str, str]] = []
    places, seen, row = [], set(), Row()
    for place, line in enumerate(annotations.removeprefix(_MARK).split("\n"), start=1):
        line = line.removesuffix("\r")
        if match := _ID.fullmatch(line):
            row["id"] = _told_id(match[1])
            continue
        if not line.strip() or _PASSED_OVER.match(line):
            continue
        made = _LINE.fullmatch(line)
        if made is None:
            return f".ann, line {place}", "is no annotation of brat's"
        name, label, offsets, said = made.groups()
        if name in seen:
            return f".ann, line {place}", "has the id of an earlier line"
        seen.add(name)
        stretches = tuple((int(a), int(b)) for a, b in (pair.split(" ") for pair in offsets.split(";")))
        quotes.append(Quote(stretches, said))
        places.append(place)
        marks.append((label, name if len(stretches) > 1 else ""))
    unmarked = written.removeprefix(_MARK)
    found_at = placed((written, unmarked, unmarked.replace("\r\n", "\n")), quotes)
    if found_at is None:
        wrong = places[first_misfit(written, quotes) or 0]
        return f".ann, line {wrong}", "the text does not have at its offsets what the line quotes"
    text, quotes = found_at
    spans = [
        {"start": a, "end": b, "label": label, "entity": entity}
        for (label, entity), quote in zip(marks, quotes, strict=True) for a, b in quote.stretches
    ]  # fmt: skip
    return row | {"text": text, "spans": spans}


def _told_id(said: str) -> object:
    """An id as we write it; whatever is no text is a fault where ids are checked."""
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def brat_files(document: Document, *, name: str, number: int) -> dict[str, bytes]:
    """Ending → content of a document's two files. Spans that share label and an entity such as T3 are one line of T3.

    Kind, other entities and score have no place in it. InputError: a label that is empty or has white space, such an
    entity of two labels.
    """
    if any(not re.fullmatch(r"\S+", span.label) for span in document.spans):
        raise InputError(f"document {number}: field 'spans': brat's labels are not empty and have no white space")
    lines = [] if name == document.id else [f"#1\tDocumentId T0\t{json.dumps(document.id)}"]
    for known, group in _lines(document.spans):
        if any(span.label != group[0].label for span in group):
            raise InputError(
                f"document {number}: field 'spans': two labels share an entity that is one of brat's lines"
            )
        offsets = ";".join(f"{span.start} {span.end}" for span in group)
        said = plain(" ".join(document.text[span.start : span.end] for span in group))
        lines.append(f"{known}\t{group[0].label} {offsets}\t{said}")
    return {".txt": document.text.encode(), ".ann": "".join(f"{line}\n" for line in lines).encode()}


def _lines(spans: Iterable[Span]) -> list[tuple[str, list[Span]]]:
    """(id, stretches) of each T line: an entity such as T3 of several spans is one, any other span stands alone."""
    groups: dict[str, list[Span]] = {}
    for place, span in enumerate(spans):
        groups.setdefault(span.entity if _PART.fullmatch(span.entity) else f"alone {place}", []).append(span)
    taken = {entity for entity, group in groups.items() if len(group) > 1}
    free = (name for name in map("T{}".format, count(1)) if name not in taken)
    return [(entity if entity in taken else next(free), group) for entity, group in groups.items()]
