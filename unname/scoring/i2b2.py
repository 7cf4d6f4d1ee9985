"""Scores as the official scorer of i2b2 2014 counts them: tokens inside spans, and whole spans.

Source: Kotfila's i2b2 2014 evaluation scripts (`PHITrackEvaluation`), as Friedrich 2019 used them. Each document's items
are sets, counts are pooled over documents (its "micro", the primary figure), and "macro" is the mean over documents.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from unname.scoring.scores import Item, Scores, score_items
from unname.types import Document, Span

TOKEN = re.compile("[a-zA-Z0-9]+")
# Types that HIPAA protects, of NAME, LOCATION, DATE, CONTACT, ID and AGE.
_HIPAA = """
PATIENT CITY STREET ZIP ORGANIZATION DATE PHONE FAX EMAIL SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE
BIOID IDNUM AGE
"""
HIPAA = frozenset(_HIPAA.split())
# The published scorer never matches IDNUM: a space follows it in its table.
PUBLISHED_HIPAA = HIPAA - {"IDNUM"}
SLACK = 2
Predicted = Sequence[Sequence[Span]]
Place = tuple[int, str, int]


def wanted(spans: Iterable[Span], labels: Collection[str] | None) -> list[Span]:
    """Spans of these labels (of any, if None) that are identifiers: what is marked `no_mask` is not."""
    return [s for s in spans if (labels is None or s.label in labels) and s.kind != "no_mask"]


def token_items(
    text: str, spans: Iterable[Span], *, pattern: re.Pattern[str] = TOKEN, as_published: bool = False
) -> set[Item]:
    """The tokens inside of spans, as ((start, end), label); a border cuts a token.

    As published, a span without any token counts as one empty token at its end.
    """
    items: set[Item] = set()
    for span in spans:
        places = [m.span() for m in pattern.finditer(text[span.start : span.end])]
        if as_published and not places:
            places = [(span.end - span.start, span.end - span.start)]
        items |= {((span.start + a, span.start + b), span.label) for a, b in places}
    return items


def token_scores(
    documents: Sequence[Document],
    predicted: Predicted,
    *,
    labels: Collection[str] | None = HIPAA,
    typed: bool = False,
    pattern: re.Pattern[str] = TOKEN,
    as_published: bool = False,
) -> Scores:
    """Token-based scores of spans predicted for each document: binary, or `typed` with the same label.

    The default is the *token-based binary HIPAA F1* ("Binary HIPAA Token") of the literature; `labels=None` takes all.
    `as_published` repeats what the published scorer does otherwise: IDNUM is no HIPAA type, and empty tokens count.
    """
    chosen = PUBLISHED_HIPAA if as_published and labels == HIPAA else labels
    pairs = [
        (
            token_items(document.text, wanted(document.spans, chosen), pattern=pattern, as_published=as_published),
            token_items(document.text, wanted(spans, chosen), pattern=pattern, as_published=as_published),
        )
        for document, spans in zip(documents, predicted, strict=True)
    ]
    return score_items("tokens, same label" if typed else "tokens, any label", pairs, typed=typed)


def span_scores(
    documents: Sequence[Document],
    predicted: Predicted,
    *,
    labels: Collection[str] | None = None,
    typed: bool = True,
    slack: int = 0,
) -> Scores:
    """Scores of whole spans: same start, same end and, if `typed`, same label ("Strict").

    With `slack` the end may be off by as many characters ("Relaxed", 2 there). Where spans of a label share a start they
    are then matched one to one, as many as can be; the published scorer leaves it to the order of its sets.
    """
    pairs = []
    for document, spans in zip(documents, predicted, strict=True):
        gold, guess = wanted(document.spans, labels), wanted(spans, labels)
        ends = _matched_ends(gold, guess, slack, typed=typed) if slack else {}
        pairs.append(
            (
                {((s.start, s.end), s.label) for s in gold},
                {((s.start, ends.get(_place(s, typed=typed), s.end)), s.label) for s in guess},
            )
        )
    name = "spans, same label" if typed else "spans, any label"
    return score_items(f"{name}, end ±{slack}" if slack else name, pairs, typed=typed)


def _place(span: Span, *, typed: bool) -> Place:
    return span.start, span.label if typed else "", span.end


def _matched_ends(gold: Iterable[Span], guess: Iterable[Span], slack: int, *, typed: bool) -> dict[Place, int]:
    """For each predicted place the end of the gold span it is matched with, or one that nothing has."""
    left: dict[tuple[int, str], list[int]] = defaultdict(list)
    for start, label, end in sorted({_place(span, typed=typed) for span in gold}):
        left[start, label].append(end)
    ends: dict[Place, int] = {}
    alone = 0
    for start, label, end in sorted({_place(span, typed=typed) for span in guess}):
        row = left[start, label]
        while row and row[0] < end - slack:
            row.pop(0)
        if row and row[0] <= end + slack:
            ends[start, label, end] = row.pop(0)
        else:
            alone -= 1
            ends[start, label, end] = alone
    return ends
