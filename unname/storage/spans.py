"""Annotated spans as records: one check of what they hold, wherever they are read or written.

Other tools call the same things otherwise, and count offsets in other units: what is quoted beside a span tells which. A
span whose offsets cut words, and would cut none if they counted UTF-16 units or bytes, is refused where nothing is quoted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any

from unname.errors import InputError
from unname.storage.faults import Faults, flaw
from unname.types import Document, Span

KINDS = ("direct", "quasi", "no_mask")
_KNOWN = f"must be {', '.join(KINDS)} or absent"
# What stands for start and end, in tools other than ours; of an offset and a length the end is their sum.
_BORDERS = (
    ("start", "end"), ("start_offset", "end_offset"), ("start_char", "end_char"), ("begin", "end"),
    ("startOffset", "endOffset"), ("BeginOffset", "EndOffset"), ("begin_offset", "end_offset"), ("offset", "length"),
)  # fmt: skip
_LABELS = ("label", "entity_type", "entity_group", "labels", "type", "Type", "category", "tag")
_SCORES = ("score", "Score", "confidence", "confidenceScore")
_QUOTES = ("text", "quote", "surface", "span_text", "Text", "covered_text")
_MISQUOTED = "the text does not have at its offsets what it quotes, in characters, UTF-16 units or bytes"
Unit = Callable[[str], int]


def _utf16(sign: str) -> int:
    return 1 + (sign > "\uffff")


def _bytes(sign: str) -> int:
    return len(sign.encode("utf-8", "surrogatepass"))


# What other programs count in place of characters.
UNITS: tuple[tuple[str, Unit], ...] = (("UTF-16 units", _utf16), ("bytes", _bytes))


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


def looks_like_spans(value: Any) -> bool:
    """Whether a value is a list of what any tool would call spans: offsets and a label each."""
    if not isinstance(value, list):
        return False
    return bool(value) and all(
        (isinstance(item, list) and len(item) in (3, 4) and type(item[0]) is type(item[1]) is int)
        or (isinstance(item, Mapping) and _borders(item) is not None)
        for item in value
    )


def _borders(span: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((pair for pair in _BORDERS if pair[0] in span and pair[1] in span), None)


def _as_ours(span: Any) -> tuple[Mapping[str, Any], str | None]:
    """A span in our words, and what it quotes."""
    if isinstance(span, list) and len(span) in (3, 4):
        return dict(zip(("start", "end", "label", "score"), span, strict=False)), None
    if not isinstance(span, Mapping):
        return {}, None
    made, first, last = dict(span), *(_borders(span) or ("start", "end"))
    start, end = span.get(first), span.get(last)
    if last == "length" and type(start) is type(end) is int:
        end = start + end
    made |= {"start": start, "end": end}
    key = next((key for key in _LABELS if key in span), "label")
    label = span.get(key)
    made["label"] = label[0] if key == "labels" and isinstance(label, list) and len(label) == 1 else label
    if (score := next((key for key in _SCORES if key in span), None)) is not None:
        made["score"] = span[score]
    if score is not None and score != "score" and made["score"] is None:
        del made["score"]
    quote = next((span[key] for key in _QUOTES if isinstance(span.get(key), str)), None)
    return made, quote


def spans_of(row: Mapping[str, Any], text: str, number: int, faults: Faults, *, gold: bool = True) -> tuple[Span, ...]:
    """A record's `spans` over its text, sorted; what is wrong with one is a fault.

    Offsets in UTF-16 units or bytes are made ours where what is quoted tells so. Without quotes `gold` ones that cut words
    as they stand, and none if they counted these, are a fault.
    """
    raw, found = row["spans"], []
    if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Sequence):
        faults.add(number, "spans", "must be a list")
        return ()
    made: list[tuple[Mapping[str, Any], str | None]] = [_as_ours(span) for span in raw]
    places, problem = _in_characters(made, text, gold)
    if problem:
        faults.add(number, "spans", problem)
        return ()
    for place, (span, _) in enumerate(made, start=1):
        start, end = places[place - 1] if places else (span.get("start", -1), span.get("end", -1))
        if wrong := span_fault({**span, "start": start, "end": end}, len(text)):
            faults.add(number, "spans", f"span {place}: {' '.join(wrong)}")
            return ()
        kind, entity = span.get("kind") or "", span.get("entity")
        entity = "" if entity is None else str(entity)
        found.append(Span(start, end, span["label"], kind, entity, float(span.get("score", 1.0))))
    return tuple(sorted(found))


Places = list[tuple[int, int]]


def _in_characters(
    spans: Sequence[tuple[Mapping[str, Any], str | None]], text: str, gold: bool
) -> tuple[Places | None, str]:
    """(offsets in characters where they were in other units, else None; what is wrong, else empty)."""
    stated = [(span.get("start"), span.get("end")) for span, _ in spans]
    if not all(type(start) is type(end) is int for start, end in stated):
        return None, ""  # told of each span
    offsets: Places = [(int(start), int(end)) for start, end in stated]  # type: ignore[arg-type]
    quotes = [quote for _, quote in spans]
    if _misquoted(offsets, quotes, text) is None and (text.isascii() or any(quotes) or not gold):
        return None, ""
    for name, unit in () if text.isascii() else UNITS:
        places = counted_in(offsets, text, unit)
        if places is None or places == offsets or _misquoted(places, quotes, text) is not None:
            continue
        if any(quotes):
            return places, ""
        moved = [(one, other) for one, other in zip(offsets, places, strict=True) if one != other]
        if all(_cuts(text, *one) and not _cuts(text, *other) for one, other in moved) and any(
            _within(text, *one) for one, _ in moved
        ):
            return None, (
                f"offsets cut words, and would cut none if they counted {name}: make them count characters (code points), "
                "or quote under 'text' what each marks"
            )
    wrong = _misquoted(offsets, quotes, text)
    return None, "" if wrong is None else f"span {wrong + 1}: {_MISQUOTED}"


def _misquoted(places: Places, quotes: Sequence[str | None], text: str) -> int | None:
    """The place of the first span that does not mark what it quotes; white space may be written otherwise."""
    for place, ((start, end), quote) in enumerate(zip(places, quotes, strict=True)):
        if quote is not None and 0 <= start < end <= len(text) and text[start:end].split() != quote.split():
            return place
        if quote is not None and end > len(text):
            return place
    return None


def counted_in(offsets: Sequence[tuple[int, int]], text: str, unit: Unit) -> Places | None:
    """Offsets in characters for offsets in another unit; None where one lies within a character or outside the text."""
    places = {at: place for place, at in enumerate(accumulate(map(unit, text), initial=0))}
    found = [(places.get(start), places.get(end)) for start, end in offsets]
    return (
        [(a, b) for a, b in found if a is not None and b is not None]
        if not any(None in each for each in found)
        else None
    )


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends within a word, in white space or outside the text."""
    if not 0 <= start < end <= len(text):
        return True
    return _within(text, start, end) or text[start].isspace() or text[end - 1].isspace()


def _within(text: str, start: int, end: int) -> bool:
    return any(0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum() for at in (start, end))


def require_readable(document: Document, number: int) -> None:
    """InputError where a document to write has a span that would be refused when it is read."""
    for place, span in enumerate(document.spans, start=1):
        if problem := span_fault(asdict(span), len(document.text)):
            raise InputError(f"document {number}: field 'spans': span {place}: {' '.join(problem)}")
