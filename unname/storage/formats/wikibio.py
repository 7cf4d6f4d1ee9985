"""WikiBio: infoboxes (`.box`) and what the first lines of their articles say (`.sent` and `.nb`, or `.summary`).

Files of one part, such as `train`, go line by line: an infobox each. The text is all sentences of `.sent`, of which `.nb`
tells the numbers, else the line of `.summary`; it is kept tokenised as it is. Id and person are the line of `.id`, else the
part and a number; the split is the part. `sentences` (in the metadata) says where each sentence begins. Fields of a
profile are the tokens of each key joined by one space. Source: Lebret et al. 2016.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from unname.errors import InputError
from unname.storage.faults import NOT_UTF8, Faults
from unname.storage.formats.sources import NamedFiles, Row, Rows, ending_of, opened, stem_of

ENDINGS = (".box", ".sent", ".nb", ".summary", ".id", ".title")
_NOTHING = "<none>"
_MOST_SENTENCES = 10_000
_KEY = re.compile(r"(.+)_[0-9]+", re.DOTALL)


def wikibio_records(path: Path, faults: Faults) -> Rows:
    """(number from 1, row) of every article in a folder or archive, or of the part that a file belongs to."""
    with opened(path, ENDINGS, beside=True) as source:
        number = 0
        for part, names in _parts(source).items():
            if ".summary" not in names and not {".sent", ".nb"} <= names.keys():
                raise InputError(f"{source.shown}: a part of it has no text: neither .summary nor .sent with .nb")
            for place, row in enumerate(_articles(source, names), start=1):
                number += 1
                if row is None:
                    faults.add(number, "", NOT_UTF8)
                    continue
                known = row.pop("known", f"{part}-{place}")
                yield number, {**row, "id": known, "person": known, "split": part}


def box_records(path: Path, faults: Faults) -> Rows:
    """(number from 1, {"id", "fields"}) of every infobox in a `.box` file, with the ids that its documents have."""
    with opened(path, ENDINGS, beside=True) as source:
        for part, names in _parts(source).items():
            rows = (source.lines(names[ending]) for ending in (".box", ".id") if ending in names)
            for number, cells in enumerate(_together(source, *rows), start=1):
                fields = None if cells[0] is None else _fields(cells[0])
                known = cells[1] if ".id" in names else f"{part}-{number}"
                if fields is None or known is None:
                    faults.add(number, "", NOT_UTF8 if None in cells else "must be key:token, parted by tabs")
                else:
                    yield number, {"id": known, "fields": fields}


def _parts(source: NamedFiles) -> dict[str, dict[str, str]]:
    """Names by ending of each part, in order."""
    parts: dict[str, dict[str, str]] = {}
    for name in source.names:
        names = parts.setdefault(stem_of(name, ENDINGS), {})
        if names.setdefault(ending_of(name, ENDINGS).lower(), name) != name:
            raise InputError(f"{source.shown}: two files of one part have the same ending")
    return dict(sorted(parts.items()))


def _together(source: NamedFiles, *lines: Iterator[str | None]) -> Iterator[tuple[str | None, ...]]:
    try:
        yield from zip(*lines, strict=True)
    except ValueError:
        raise InputError(f"{source.shown}: files of one part have different numbers of lines") from None


def _articles(source: NamedFiles, names: dict[str, str]) -> Iterator[Row | None]:
    """Text, sentences, title and id of each article; None where a line of it is not UTF-8."""
    endings = [ending for ending in (".title", ".id", ".nb", ".summary", ".box") if ending in names]
    long = {".sent", ".nb"} <= names.keys()
    sentences = source.lines(names[".sent"]) if long else iter(())
    for cells in _together(source, *(source.lines(names[ending]) for ending in endings)):
        record = dict(zip(endings, cells, strict=True))
        lines = [record.get(".summary")] if not long else _next(source, sentences, record[".nb"])
        said = [line for line in lines if line is not None]
        if len(said) != len(lines) or any(record.get(ending, "") is None for ending in (".title", ".id")):
            yield None
            continue
        row: Row = {"text": " ".join(said)}
        if len(said) > 1:
            row["sentences"] = " ".join(str(sum(map(len, said[:i])) + i) for i in range(len(said)))
        row |= {key: record[ending] for key, ending in (("title", ".title"), ("known", ".id")) if ending in record}
        yield row
    if next(sentences, None) is not None:
        raise InputError(f"{source.shown}: .sent has more lines than .nb tells")


def _next(source: NamedFiles, sentences: Iterator[str | None], record: str | None) -> list[str | None]:
    if record is None or not re.fullmatch(r"\s*[0-9]{1,5}\s*", record) or int(record) > _MOST_SENTENCES:
        raise InputError(f"{source.shown}: a line of .nb is no number of sentences")
    lines = []
    for _ in range(int(record)):
        try:
            lines.append(next(sentences))
        except StopIteration:
            raise InputError(f"{source.shown}: .sent has fewer lines than .nb tells") from None
    return lines


def _fields(line: str) -> dict[str, str] | None:
    """Field → its tokens joined; None where a cell is no key and token."""
    fields: dict[str, list[str]] = {}
    for cell in line.split("\t"):
        key, colon, token = cell.partition(":")
        if cell.strip() and not colon:
            return None
        if cell.strip() and token not in (_NOTHING, ""):
            numbered = _KEY.fullmatch(key)
            fields.setdefault(numbered[1] if numbered else key, []).append(token)
    return {key: " ".join(tokens) for key, tokens in fields.items()}
