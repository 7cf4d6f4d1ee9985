"""Scores as MEDDOCAN 2019 counts them: entities with their type, and sensitive spans of any type.

Source: the task's evaluation script. All of its types are protected; tokens are `[A-Za-z0-9À-ÿ]+`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from unname.scoring.i2b2 import Predicted, span_scores, token_scores, wanted
from unname.scoring.scores import Scores, score_counts, score_items
from unname.taggers.tokens import sentences
from unname.types import Document, Span

TOKEN = re.compile("[A-Za-z0-9À-ÿ]+")
Place = tuple[int, int]


def count_sentences(text: str) -> int:
    """The number of sentences of a text by our own rule; the task took FreeLing's, which are not with the corpus."""
    return len(sentences(text))


def meddocan_scores(
    documents: Sequence[Document],
    predicted: Predicted,
    *,
    labels: Iterable[str] | None = None,
    as_published: bool = False,
) -> tuple[Scores, ...]:
    """Subtask 1 (entities), subtask 2 (sensitive spans, strict and merged), and tokens of any and of the same label."""
    chosen = None if labels is None else frozenset(labels)
    return (
        span_scores(documents, predicted, labels=chosen),
        span_scores(documents, predicted, labels=chosen, typed=False),
        merged_scores(documents, predicted, labels=chosen, as_published=as_published),
        token_scores(documents, predicted, labels=chosen, pattern=TOKEN),
        token_scores(documents, predicted, labels=chosen, pattern=TOKEN, typed=True),
    )


def leak(scores: Scores, documents: Sequence[Document]) -> float:
    """The task's leak score: missed entities for each sentence, pooled over documents."""
    count = sum(count_sentences(document.text) for document in documents)
    return scores.total.fn / count if count else 0.0


def merged(text: str, spans: Iterable[Span]) -> set[Place]:
    """Spans as (start, end), those joined where nothing but signs and spaces stands between them."""
    return set(_joined(text, sorted({(s.start, s.end) for s in spans}), as_published=False))


def _joined(text: str, places: Iterable[Place], *, as_published: bool) -> list[Place]:
    """As published, a joined span ends with its last part, even where an earlier part reaches further."""
    joined: list[Place] = []
    for start, end in places:
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            first, reach = joined[-1]
            joined[-1] = first, end if as_published else max(reach, end)
        else:
            joined.append((start, end))
    return joined


def merged_scores(
    documents: Sequence[Document],
    predicted: Predicted,
    *,
    labels: Iterable[str] | None = None,
    as_published: bool = False,
) -> Scores:
    """Sensitive spans of any type after both sides are merged; same start and end.

    As published: what matches strictly or merged is a hit (a merged one beside its parts), and only strict spans outside
    of all hits are false or missed.
    """
    name = "spans merged, any label"
    chosen = None if labels is None else frozenset(labels)
    texts = [document.text for document in documents]
    sides = [
        (wanted(document.spans, chosen), wanted(spans, chosen))
        for document, spans in zip(documents, predicted, strict=True)
    ]
    if as_published:
        counts = [_published(text, *side) for text, side in zip(texts, sides, strict=True)]
        return score_counts(name, {"": np.array(counts, np.int64).reshape(-1, 4)})
    pairs: list[Any] = [
        tuple({(place, "") for place in merged(text, spans)} for spans in side)
        for text, side in zip(texts, sides, strict=True)
    ]
    return score_items(name, pairs, typed=False)


def _published(text: str, gold: Sequence[Span], guess: Sequence[Span]) -> tuple[int, int, int, int]:
    strict = [{(s.start, s.end) for s in spans} for spans in (gold, guess)]
    # Spans of several types at one place stay several here, as in the script; they join at once.
    whole = [set(_joined(text, sorted((s.start, s.end) for s in spans), as_published=True)) for spans in (gold, guess)]
    hits = (strict[0] & strict[1]) | (whole[0] & whole[1])
    missed, false = (
        sum(not any(a <= place[0] and place[1] <= b for a, b in hits) for place in own - other)
        for own, other in (strict, strict[::-1])
    )
    return len(hits) + missed, len(hits), len(hits) + false, len(hits)
