"""Checks that a release, its private folder and the originals belong together; where not, an audit would count wrong."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from unname.errors import InputError, StateError
from unname.protecting.earlier import Earlier
from unname.storage.manifest import file_hash
from unname.storage.rows import records
from unname.text import WORD
from unname.types import Document, Mask, MaskSpan
from unname.writing.layout import DOCUMENTS

Pieces = Sequence[tuple[int, int, int, int]]
_SAME_RUN = "release, private folder and originals (with their columns) must be those of one run"


def require_unchanged(table: Path, files: Mapping[str, str]) -> None:
    """StateError where a released table is not, to the bit, the one that its manifest's `files` tell the hash of."""
    stated = files.get(table.name)
    if stated is None and len(files) and table.suffix:  # a table of its own is called otherwise than in its folder
        stated = files.get(f"{DOCUMENTS}{table.suffix}")
    if stated is not None and file_hash(table) != stated:
        raise StateError(
            f"{table.name} is not the file that manifest.json beside it describes: one of them was changed since the "
            "release was written"
        )


def require_fitting(
    originals: Sequence[Document],
    texts: Mapping[str, str],
    names: Mapping[str, str],
    masks: Mapping[str, Mask],
    private: Path,
) -> None:
    """StateError where released `texts` (by public id) are not what `masks` leave of the originals.

    `names` gives public ids by id, in the order of the private folder's masks. Outside of masks a text must be its
    original's, character by character; what stands for a mask may be anything. With the folder's `offsets.jsonl` places
    are exact; without, the stretches between masks must follow each other in the text. Originals that were not masked and
    records of documents that are not among the originals are passed over.
    """
    lacking = sum(names.get(d.id, d.id) in texts for d in originals if d.id not in masks)
    if lacking:
        raise StateError(f"masks.jsonl: {lacking} released documents have no record in it; {_SAME_RUN}")
    known = {d.id: d.text for d in originals}
    for number, mask in enumerate(masks.values(), start=1):
        if mask.document in known and not _in_order(mask.spans, len(known[mask.document])):
            raise StateError(f"masks.jsonl: record {number}: a mask lies outside of its original; {_SAME_RUN}")
    left = {name for name, public in names.items() if name in known and public in texts}
    offsets = private / "offsets.jsonl"
    if offsets.is_file():
        for name, pieces in _piece_rows(offsets):
            if name in left and _maps(known[name], texts[names[name]], masks[name].spans, pieces):
                left.discard(name)
    else:
        left = {name for name in left if not _follows(known[name], texts[names[name]], masks[name].spans)}
    if left:
        first = next(number for number, name in enumerate(names, start=1) if name in left)
        raise StateError(
            f"masks.jsonl: record {first}: what was released is not what these masks leave of the original "
            f"({len(left)} such documents); {_SAME_RUN}"
        )


def require_continuable(documents: Sequence[Document], earlier: Earlier, key: bytes) -> None:
    """Refuse an earlier run that did not publish what its masks leave of these documents, where their texts are the same.

    InputError: it published none of them. StateError: something else was published of an unchanged text.
    """
    known = 0
    for number, document in enumerate(documents, start=1):
        shown = earlier.of(document.id)
        known += shown is not None
        if shown is None or not shown.is_of(document, key):
            continue
        sound = _in_order(shown.spans, len(document.text))
        if not sound or (shown.released is not None and not _follows(document.text, shown.released, shown.spans)):
            raise StateError(
                f"documents: record {number}: what was published of it is not what masks.jsonl of the earlier release "
                "leaves; masks.jsonl and versions.jsonl must be those of one run"
            )
    if not known and len(earlier.rows):
        raise InputError(
            "the earlier release published none of these documents: name the private folder of a release of the same "
            "documents, under the same ids"
        )


def _piece_rows(path: Path) -> Iterator[tuple[str, Pieces]]:
    for number, row in records(path):
        name, pieces = row.get("id"), row.get("pieces")
        if (
            not isinstance(name, str)
            or not isinstance(pieces, list)
            or any(not isinstance(p, list) or len(p) != 4 or any(type(b) is not int for b in p) for p in pieces)
        ):
            raise InputError(f"{path.name}: record {number}: not the pieces of a release")
        yield name, pieces


def _in_order(spans: Sequence[MaskSpan], length: int) -> bool:
    """True if spans are sorted, disjoint, not empty and within a text, as transforms ask."""
    borders = [0, *(b for span in spans for b in (span.start, span.end)), length]
    return all(a <= b for a, b in pairwise(borders)) and all(span.start < span.end for span in spans)


def _maps(original: str, text: str, spans: Sequence[MaskSpan], pieces: Pieces) -> bool:
    """True if pieces cover both texts, those without a mask say the same in both, and the others hold no word but masks."""
    out = read = 0
    ends = [span.end for span in spans]
    for out_start, out_end, start, end in pieces:
        if (out_start, start) != (out, read) or out_end < out or end < read:
            return False
        out, read = out_end, end
        first = bisect_left(ends, start + 1)
        inside = [s for s in spans[first : bisect_left(ends, end) + 1] if s.start < end]
        if not inside and text[out_start:out_end] != original[start:end]:
            return False
        borders = [start, *(b for span in inside for b in (span.start, span.end)), end]
        if inside and any(WORD.search(original, a, b) for a, b in zip(borders[::2], borders[1::2], strict=True)):
            return False
    return (out, read) == (len(text), len(original))


def _follows(original: str, text: str, spans: Sequence[MaskSpan]) -> bool:
    """True if the text between masks follows in the released text, its first and last stretch at its ends.

    Stretches without a word may be gone: neighbouring masks may share what stands for them.
    """
    borders = [0, *(b for span in spans for b in (span.start, span.end)), len(original)]
    stretches = list(zip(borders[::2], borders[1::2], strict=True))
    if not spans:
        return text == original
    first, last = original[: spans[0].start], original[spans[-1].end :]
    at, stop = len(first), len(text) - len(last)
    if at > stop or not text.startswith(first) or not text.endswith(last):
        return False
    for a, b in stretches[1:-1]:
        if WORD.search(original, a, b):
            place = text.find(original[a:b], at, stop)
            if place < 0:
                return False
            at = place + b - a
    return True
