"""CoNLL columns: a token a line, its label in the last column, a blank line after each sentence.

A document's text is its tokens joined by one space. Documents begin at `-DOCSTART-` lines; a file without any holds one in
each block of lines, as corpora of posts do. An id is the file's name and a number, or what stands in brackets, as in
`-DOCSTART- (some id)`; of CoNLL-U `# newdoc` begins one. Comments are passed over, but `# id` names what follows. Of a
document of several sentences `sentences` (in its metadata) says where each begins.

Labels are read as IOB1, IOB2, BIOES or BILOU, which need not be told apart: B, S and U begin a span, so does any label
that continues nothing, and S, U, E and L end one. They are written as IOB2. Source: Ramshaw & Marcus 1995; Tjong Kim Sang &
De Meulder 2003 (CoNLL-2003).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

from unname.errors import InputError
from unname.storage.dialects import LOOKED_AT, encoding_of, without_mark
from unname.storage.faults import NOT_UTF8, Faults
from unname.storage.formats.sources import NamedFiles, Row, Rows, opened, stem_of
from unname.storage.lines import beginning
from unname.types import Document, Span

ENDINGS = (".conll", ".conll.txt", ".iob", ".iob2", ".bio", ".tsv", ".annotated")
START = "-DOCSTART-"
_BETWEEN = re.compile(r"[ \t]+")
_TOLD = re.compile(rf"{START}[ \t]+\((.*)\)(?:[ \t].*)?", re.DOTALL)
_LABEL = re.compile(r"O|([BIESLU])-(.+)", re.DOTALL)
_TOKEN = re.compile(r"[^ \t\r\n]+")
_WHITE = " \t\r\n"
# Comments: what says something, the one that names what follows, and the one that begins a document of CoNLL-U.
_SAID = re.compile(r"#[ \t]*[\w.:-]{1,40}(?:[ \t][\w.:-]{1,40})?[ \t]*=|#[ \t]*(?:id|newdoc|newpar)(?:[ \t]|$)")
_NAMED = re.compile(r"#[ \t]*(?:doc_?id|id|document|newdoc[ \t]+id)[ \t]*[=:]?[ \t]*([^ \t]{1,500})", re.IGNORECASE)
_NEW = re.compile(r"#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=[ \t]*([^ \t]{1,500}))?", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}")
_PART = re.compile(r"[0-9]{1,6}[-.][0-9]{1,6}")


def is_table(path: Path, columns: Sequence[str]) -> bool:
    """True if a file begins as a table does: with names of columns, these among them, in place of a token and its label."""
    start = without_mark(beginning(path, LOOKED_AT))
    lines = start.decode(encoding_of(start), "replace").splitlines()
    cells = next((line for line in lines if line.strip(_WHITE)), "").split("\t")
    names = [cell.strip(_WHITE).strip('"') for cell in cells]
    known = {name.casefold() for name in columns}
    return _LABEL.fullmatch(names[-1]) is None and any(name.casefold() in known for name in names)


def conll_records(path: Path, faults: Faults) -> Rows:
    """(number from 1, row) of every document in the column files of a folder or archive, or in one file."""
    number = 0
    with opened(path, ENDINGS) as source:
        for name in source.names:
            stem, place = stem_of(name, ENDINGS), 0
            for known, lines in _documents(source, name):
                number, place = number + 1, place + 1
                made = _row(lines)
                if isinstance(made, tuple):
                    faults.add(number, *made)
                else:
                    yield number, {"id": f"{stem}-{place}" if known is None else known, **made}


Line = tuple[int, str | None]


def _documents(source: NamedFiles, name: str) -> Iterator[tuple[str | None, list[Line]]]:
    """(id where it is told, numbered lines) of each document; blank lines part sentences."""
    marked = any(line is not None and _starts(line) for line in source.lines(name))
    known: str | None = None
    kept: list[Line] = []
    for place, line in enumerate(chain(source.lines(name), (START,)), start=1):
        blank = line is not None and not line.strip(_WHITE)
        starts = line is not None and _starts(line)
        if starts or (blank and not marked):
            if known is not None or any(text is None or text for _, text in kept):
                yield known, kept
            kept = []
            told = (_TOLD.fullmatch(line) or _NEW.match(line)) if line else None
            known = told[1] if told else None
        elif line is not None and _is_comment(line):
            told = _NAMED.match(line)
            known = told[1] if told and known is None else known
        else:
            kept.append((place, "" if blank else line))


def _starts(line: str) -> bool:
    if line.startswith("#"):
        return _NEW.match(line) is not None
    return line.startswith(START) and (line == START or line[len(START)] in " \t")


def _is_comment(line: str) -> bool:
    """True if a line that begins with # is no token: it says something, or ends in no label."""
    if not line.startswith("#"):
        return False
    return _SAID.match(line) is not None or _LABEL.fullmatch(_cells(line)[-1]) is None


def _cells(line: str) -> list[str]:
    cells = line.split("\t") if "\t" in line else _BETWEEN.split(line.strip(_WHITE))
    return [cell.strip(_WHITE) for cell in cells]


def _row(lines: Iterable[Line]) -> Row | tuple[str, str]:
    """The row of a document, or (field, problem)."""
    tokens: list[str] = []
    spans: list[Row] = []
    begins: list[int] = []
    at, going, new = 0, "", True
    lines = list(lines)
    numbered = _are_numbered([line for _, line in lines])
    for place, line in lines:
        if line is None:
            return f"line {place}", NOT_UTF8
        if not line:
            going, new = "", True
            continue
        cells = _cells(line)
        if numbered and _PART.fullmatch(cells[0]):
            continue  # a word of several tokens, which follow, or one that is left out
        cells = cells[1:] if numbered and len(cells) > 1 else cells
        label = _LABEL.fullmatch(cells[-1])
        if len(cells) < 2 or label is None or not (cells[0] or label[0] == "O"):
            return f"line {place}", "must be a token and, in the last column, O or a label such as B-NAME"
        if not cells[0]:
            continue  # an empty token, as tokenisers leave of invisible characters
        if new:
            begins.append(at)
        new, end = False, at + len(cells[0])
        going = labelled(spans, going, at, end, label[1], label[2])
        tokens.append(cells[0])
        at = end + 1
    more = {"sentences": " ".join(map(str, begins))} if len(begins) > 1 else {}
    return {"text": " ".join(tokens), "spans": spans, **more}


def _are_numbered(lines: Sequence[str | None]) -> bool:
    """True if, as in CoNLL-U, the first of at least three columns counts the tokens of each sentence, from 1."""
    expected, many = 1, 0
    for line in lines:
        if not line:
            expected = 1
            continue
        cells = _cells(line)
        if len(cells) >= 3 and _PART.fullmatch(cells[0]):
            continue
        if len(cells) < 3 or not _NUMBER.fullmatch(cells[0]) or int(cells[0]) != expected:
            return False
        expected, many = expected + 1, many + 1
    return many > 0


def label_of(cell: str) -> tuple[str | None, str] | None:
    """(prefix, label) of a token's cell, (None, "") of O; None where it is neither."""
    match = _LABEL.fullmatch(cell)
    return None if match is None else (match[1], match[2] or "")


def labelled(spans: list[Row], going: str, start: int, end: int, prefix: str | None, label: str) -> str:
    """Take a token's label in; what is going on after it: `/label` of a span that may continue, else nothing."""
    if prefix is None:
        return ""
    if prefix in "BSU" or going != f"/{label}":
        spans.append({"start": start, "end": end, "label": label})
    else:
        spans[-1]["end"] = end
    return "" if prefix in "SUEL" else f"/{label}"


def in_columns(document: Document) -> Document:
    """A document as columns hold it: tokens (runs without white space, cut where spans begin and end) joined by one space.

    Spans keep their labels. For a document that `conll_lines` takes; one that came from columns stays as it is.
    """
    rows = _tokens(document)
    spans: list[Span] = []
    going, at = -1, 0
    parts = []
    for token, place in rows:
        if place >= 0 and place == going:
            spans[-1] = replace(spans[-1], end=at + len(token))
        elif place >= 0:
            spans.append(Span(at, at + len(token), document.spans[place].label))
        going, at = place, at + len(token) + 1
        parts.append(token)
    return replace(document, text=" ".join(parts), spans=tuple(spans))


def _tokens(document: Document) -> list[tuple[str, int]]:
    """(token, place of the span that it lies in or −1) in order."""
    borders = sorted({0, len(document.text), *(b for span in document.spans for b in (span.start, span.end))})
    inside = {span.start: place for place, span in enumerate(document.spans)}
    rows, place, ends = [], -1, 0
    for start, end in pairwise(borders):
        if start >= ends:
            place = inside.get(start, -1)
            ends = document.spans[place].end if place >= 0 else 0
        rows += [(match[0], place) for match in _TOKEN.finditer(document.text, start, end)]
    return rows


def conll_lines(document: Document, *, number: int) -> bytes:
    """A document as tab-separated columns of token and IOB2 label, after a `-DOCSTART-` line that tells its id.

    What it holds of a document is said by `in_columns`, and its sentences where `sentences` are told and still fit; kind,
    entity and score have no place in it. InputError: spans that overlap or hold no token, an id or a label with a line
    end or tab, a token that is `-DOCSTART-`.
    """
    where = f"document {number}: field"
    spans = document.spans
    if any(one.end > two.start for one, two in pairwise(spans)):
        raise InputError(f"{where} 'spans': some overlap, and columns have one label a token")
    if any(not _TOKEN.search(document.text, span.start, span.end) for span in spans):
        raise InputError(f"{where} 'spans': one holds no token")
    if any(c in value for value in (document.id, *(span.label for span in spans)) for c in "\t\r\n"):
        raise InputError(f"{where} 'id' or 'spans': an id and labels must have no tab and no line end in columns")
    if any(span.label != span.label.strip(" ") for span in spans):
        raise InputError(f"{where} 'spans': a label begins or ends with a space")
    rows = _tokens(document)
    if any(token == START for token, _ in rows):
        raise InputError(f"{where} 'text': a token of it is what begins a document in columns")
    begins = _sentences(document)
    lines, going, at = [f"{START} ({document.id})", ""], -1, 0
    for token, place in rows:
        if at in begins and at:
            lines.append("")
        label = "O" if place < 0 else f"{'I' if place == going else 'B'}-{spans[place].label}"
        lines.append(f"{token}\t{label}")
        going, at = place, at + len(token) + 1
    return "\n".join([*lines, "", ""]).encode()


def _sentences(document: Document) -> set[int]:
    """The places at which sentences begin, from `sentences`; none where it is absent, or does not fit the text."""
    told = document.metadata.get("sentences", "").split(" ")
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in told) or in_columns(document).text != document.text:
        return set()
    begins = {*map(int, told)}
    within = any(span.start < begin < span.end for span in document.spans for begin in begins)
    return set() if within else begins
