"""Annotated spans as records: one check of what they hold, wherever they are read or written.

Other tools call the same things otherwise, and count offsets in other units: what is quoted beside a span tells which. A
span whose offsets cut words, and would cut none if they counted UTF-16 units or bytes, is refused where nothing is quoted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any, NamedTuple

from unname.errors import InputError
from unname.storage.faults import Faults, flaw
from unname.text import UNPARTED, without_accents
from unname.types import Document, Span

KINDS = ("direct", "quasi", "no_mask")
_KNOWN = f"must be {', '.join(KINDS)} or absent"
# What stands for start and end, in tools other than ours; of an offset and a length the end is their sum.
_BORDERS = (
    ("start", "end"), ("start_offset", "end_offset"), ("start_char", "end_char"), ("begin", "end"),
    ("startOffset", "endOffset"), ("BeginOffset", "EndOffset"), ("begin_offset", "end_offset"), ("offset", "length"),
    ("start_position", "end_position"),
)  # fmt: skip
_LABELS = ("label", "entity_type", "entity_group", "labels", "type", "Type", "category", "tag")
_SCORES = ("score", "Score", "confidence", "confidenceScore")
_QUOTES = ("text", "quote", "surface", "span_text", "Text", "covered_text")
# Of these a tool may write something else there: pieces of a word, small letters, what a word means.
_LOOSE_QUOTES = ("word", "value", "entity_value", "entity_text", "mention", "token_text")
_BOTH = (_QUOTES, _LOOSE_QUOTES)
_MISQUOTED = "the text does not have at its offsets what it quotes, in characters, UTF-16 units or bytes"
Unit = Callable[[str], int]
# Scripts without blanks between words, in which no border of a word tells anything.
_UNBROKEN = re.compile(f"[{UNPARTED}]")
_ADVICE = "make them count characters (code points), or quote under 'text' what each marks"


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
    """True if a value is a list of what any tool would call spans: offsets and a label each."""
    if not isinstance(value, list):
        return False
    return bool(value) and all(
        (isinstance(item, list) and len(item) in (3, 4) and type(item[0]) is type(item[1]) is int)
        or (isinstance(item, Mapping) and _borders(item) is not None)
        for item in value
    )


def _borders(span: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((pair for pair in _BORDERS if pair[0] in span and pair[1] in span), None)


class _Stated(NamedTuple):
    """A span in our words, what it quotes, and what it may quote in other words."""

    span: Mapping[str, Any]
    quote: str | None = None
    loose: str | None = None

    def __repr__(self) -> str:
        return f"_Stated({self.span.get('start')}, {self.span.get('end')})"


def _as_ours(span: Any) -> _Stated:
    if isinstance(span, list) and len(span) in (3, 4):
        return _Stated(dict(zip(("start", "end", "label", "score"), span, strict=False)))
    if not isinstance(span, Mapping):
        return _Stated({})
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
    quote, loose = (next((span[key] for key in keys if isinstance(span.get(key), str)), None) for keys in _BOTH)
    return _Stated(made, quote, loose)


def spans_of(
    row: Mapping[str, Any],
    text: str,
    number: int,
    faults: Faults,
    *,
    gold: bool = True,
    borders: "Borders | None" = None,
) -> tuple[Span, ...]:
    """A record's `spans` over its text, sorted; what is wrong with one is a fault.

    Offsets in UTF-16 units or bytes are made ours where what is quoted tells so. Without quotes `gold` ones that cut words
    as they stand, and none if they counted these, are a fault; `borders` gathers what those of a whole file cut.
    """
    raw, spans = row["spans"], []
    if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Sequence):
        faults.add(number, "spans", "must be a list")
        return ()
    made = [_as_ours(span) for span in raw]
    places, problem = _in_characters(made, text, gold)
    if problem:
        faults.add(number, "spans", problem)
        return ()
    for place, (span, quote, loose) in enumerate(made, start=1):
        start, end = places[place - 1] if places else (span.get("start", -1), span.get("end", -1))
        if wrong := span_fault({**span, "start": start, "end": end}, len(text)):
            faults.add(number, "spans", f"span {place}: {' '.join(wrong)}")
            return ()
        if borders is not None and quote is None and loose is None:
            borders.take(text, start, end)
        kind, entity = span.get("kind") or "", span.get("entity")
        entity = "" if entity is None else str(entity)
        spans.append(Span(start, end, span["label"], kind, entity, float(span.get("score", 1.0))))
    return tuple(sorted(spans))


Places = list[tuple[int, int]]


def _in_characters(spans: Sequence[_Stated], text: str, gold: bool) -> tuple[Places | None, str]:
    """(offsets in characters where they were in other units, else None; what is wrong, else empty)."""
    stated = [(each.span.get("start"), each.span.get("end")) for each in spans]
    if not all(type(start) is type(end) is int for start, end in stated):
        return None, ""  # told of each span
    offsets: Places = [(int(start), int(end)) for start, end in stated]  # type: ignore[arg-type]
    quotes = [each.quote for each in spans]
    misquoted = _misquoted
    if not any(quotes) and any(each.loose for each in spans):
        quotes, misquoted = [each.loose for each in spans], _loosely_misquoted
    wrong = misquoted(offsets, quotes, text)
    if any(quotes):
        if wrong is None:
            return None, ""
        for _, unit in () if text.isascii() else UNITS:
            places = counted_in(offsets, text, unit)
            if places is not None and misquoted(places, quotes, text) is None:
                return places, ""
        if misquoted is _misquoted or _told_of(quotes, text):
            return None, f"span {wrong + 1}: {_MISQUOTED}"
    return None, other_unit(offsets, text) if gold else ""


def other_unit(offsets: Sequence[tuple[int, int]], text: str) -> str:
    """The fault of offsets without quotes that seem to count something else than characters; empty where there is none."""
    for name, unit in () if text.isascii() else UNITS:
        places = counted_in(offsets, text, unit)
        moved = [(one, other) for one, other in zip(offsets, places or (), strict=False) if one != other]
        if not moved:
            continue
        if all(_cuts(text, *one) and not _cuts(text, *other) for one, other in moved) and any(
            _within(text, *one) for one, _ in moved
        ):
            return f"offsets cut words, and would cut none if they counted {name}: {_ADVICE}"
        if unit is _utf16 and all(_between_no_words(text, *place) for pair in moved for place in pair):
            return f"offsets may count characters or {name}, which no border of a word tells here: {_ADVICE}"
    return ""


def _between_no_words(text: str, start: int, end: int) -> bool:
    """True if a span begins and ends among characters of a script without blanks."""
    around = text[max(start - 1, 0) : start + 1] + text[end - 1 : end + 1]
    return 0 <= start < end <= len(text) and len(around) >= 3 and all(map(_UNBROKEN.match, around))


def _loosely_misquoted(places: Places, quotes: Sequence[str | None], text: str) -> int | None:
    """The place of the first span whose letters, whatever their case and marks, are not those that it quotes."""
    for place, ((start, end), quote) in enumerate(zip(places, quotes, strict=True)):
        if quote is not None and _letters(text[max(start, 0) : max(end, 0)]) != _letters(quote):
            return place
    return None


def _letters(text: str) -> str:
    return "".join(c for c in without_accents(text).casefold() if c.isalnum())


def _told_of(quotes: Sequence[str | None], text: str) -> bool:
    """True if the quoted words stand in the text at all: a value may also be the meaning of a word."""
    letters = _letters(text)
    said = [_letters(quote) for quote in quotes if quote]
    return sum(len(quote) > 2 and quote in letters for quote in said) > len(said) / 2


class Borders:
    """Counts of a file's spans without quotes that cut words, and of those that would not, one place off."""

    def __init__(self) -> None:
        self._spans = 0
        self._mended = dict.fromkeys(_SHIFTS, 0)

    def take(self, text: str, start: int, end: int) -> None:
        """Count one span."""
        self._spans += 1
        if _cuts(text, start, end):
            for shift, (before, behind) in _SHIFTS.items():
                self._mended[shift] += not _cuts(text, start + before, end + behind)

    def fault(self) -> str:
        """The fault of nearly all spans of the file; empty where there is none."""
        said = [shift for shift, mended in self._mended.items() if mended >= max(_NEARLY * self._spans, _FEWEST_SPANS)]
        return f"nearly all spans cut words, and would cut none if {said[0]}: {_ADVICE}" if said else ""


_NEARLY, _FEWEST_SPANS = 0.9, 5
_SHIFTS = {
    "both offsets were one less (they count from 1, perhaps)": (-1, -1),
    "the end were one more (it names the last character, perhaps)": (0, 1),
    "both offsets were one more": (1, 1),
    "the start were one less (it counts from 1, perhaps)": (-1, 0),
}


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
    pairs = [(places.get(start), places.get(end)) for start, end in offsets]
    return (
        [(a, b) for a, b in pairs if a is not None and b is not None]
        if not any(None in each for each in pairs)
        else None
    )


def _cuts(text: str, start: int, end: int) -> bool:
    """True if a span begins or ends within a word, in white space or outside the text."""
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
