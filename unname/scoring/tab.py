"""The metrics of the Text Anonymization Benchmark: whole entities hidden, and how much of what was hidden had to be.

Source: Pilán et al. 2022 and the benchmark's code. That code asks a tagger for parts of speech; here closed lists of
English function words stand for ADP, PART, CCONJ and DET, so that a word is judged without its sentence.
"""

import math
import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unname.scoring.i2b2 import Predicted
from unname.scoring.scores import Counts, Scores, interval, score_counts, share
from unname.statistics import Rate
from unname.text import WORD
from unname.types import Document, Span

Place = tuple[int, int]
# Text and tokens [start, end) of it → the weight of each token.
Weights = Callable[[str, Sequence[Place]], Sequence[float]]
_ANNOTATOR = re.compile(r"_(a\d+)_e\d+$")

_ADPOSITIONS = """
about above across after against along alongside amid among around as at before behind below beneath beside besides
between beyond by concerning despite down during except following for from in including inside into like near of off on
onto opposite out outside over past per regarding since than through throughout till to toward towards under until up
upon versus via with within without
"""
_PARTICLES = "not to"
_CONJUNCTIONS = "and both but either neither nor or plus"
_DETERMINERS = """
a all an another any both each either every half neither no some such that the these this those what which
"""
_TITLES = "mr mrs ms no nr about"
IGNORED = frozenset(f"{_ADPOSITIONS} {_PARTICLES} {_CONJUNCTIONS} {_DETERMINERS} {_TITLES}".split())


@dataclass(frozen=True, slots=True)
class Entity:
    """One annotator's view of one person, place, …: mentions that need masking and their kind, direct or quasi."""

    label: str
    kind: str
    mentions: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class TabScores:
    """Recall of entities by kind and type, and precision of tokens by kind of weight; and beside the benchmark's own:

    recall of single `mentions`, `tokens` with recall and F1, and whole `spans`, where wider borders are right.
    """

    recall: Scores
    precision: Mapping[str, Rate]
    mentions: Scores
    tokens: Scores
    spans: Scores

    def leak(self, kind: str) -> float | None:
        """1 − recall of the entities of a kind, `direct` or `quasi`; None where there are none."""
        return next((1 - row.recall.value for row in self.recall.types if row.label == kind), None)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        rows = [
            {
                "label": row.label,
                "masked": row.tp,
                "left": row.fn,
                "documents": row.documents,
                "recall": share(row.recall),
            }
            for row in (self.recall.total, *self.recall.types)
        ]
        leaks = {kind: None if (value := self.leak(kind)) is None else round(value, 6) for kind in ("direct", "quasi")}
        precision = {name: share(rate) for name, rate in self.precision.items()}
        beside = {name: getattr(self, name).as_dict() for name in ("mentions", "tokens", "spans")}
        return {"metric": self.recall.metric, "entities": rows, "leak": leaks, "precision": precision, **beside}


def uniform(text: str, tokens: Sequence[Place]) -> Sequence[float]:
    """Every token weighs the same."""
    return [1.0] * len(tokens)


def annotator_of(span: Span) -> str:
    """The annotator of a span, by the benchmark's entity ids (`…_a2_e17`); others have one annotator without a name."""
    match = _ANNOTATOR.search(span.entity)
    return match[1] if match else ""


def entities(document: Document) -> list[Entity]:
    """The entities of a document that need masking, each annotator's apart; a span without entity is one by itself.

    An entity is direct if any mention is; its type is that of its first mention.
    """
    groups: dict[object, list[Span]] = defaultdict(list)
    for place, span in enumerate(document.spans):
        groups[span.entity or place].append(span)
    marked = []
    for spans in groups.values():
        needed = [span for span in spans if span.kind != "no_mask"]
        if needed:
            kind = next((kind for kind in ("direct", "quasi") if any(s.kind == kind for s in needed)), "other")
            marked.append(Entity(spans[0].label, kind, tuple((s.start, s.end) for s in needed)))
    return marked


class _Cover:
    """The stretches that spans cover, disjoint and in order; spans that touch are one."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted((s.start, s.end) for s in spans):
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def holds(self, start: int, end: int) -> bool:
        """True if all of `[start, end)` is covered."""
        at = bisect_right(self.starts, start) - 1
        return at >= 0 and end <= self.ends[at]


def _is_masked(text: str, mention: Place, cover: _Cover) -> bool:
    """True if nothing of a mention can be read but function words, titles, punctuation and space."""
    start, end = mention
    if cover.holds(start, end):
        return True
    if any(not cover.holds(*m.span()) and not _ignorable(text, *m.span()) for m in WORD.finditer(text, start, end)):
        return False
    signs = (i for i in range(start, end) if not WORD.match(text[i]) and unicodedata.category(text[i])[0] not in "PZC")
    return all(cover.holds(i, i + 1) for i in signs)


def _ignorable(text: str, start: int, end: int) -> bool:
    word = text[start:end].casefold()
    return word in IGNORED or (word == "s" and text[max(0, start - 1) : start] in ("'", "’"))


def entity_recall(documents: Sequence[Document], predicted: Predicted) -> Scores:
    """Share of entities whose mentions are all masked, pooled over documents and annotators, by kind and by type.

    Rows are labelled `direct`, `quasi` and `direct CODE`, …; only gold counts are filled, so that precision is not measured.
    """
    rows = []
    for document, spans in zip(documents, predicted, strict=True):
        cover = _Cover(spans)
        rows.append([(e, all(_is_masked(document.text, m, cover) for m in e.mentions)) for e in entities(document)])
    names = sorted({name for row in rows for e, _ in row for name in (e.kind, f"{e.kind} {e.label}".strip())})
    tables: dict[str, Counts] = {name: np.zeros((len(documents), 4), np.int64) for name in ("", *names)}
    for place, row in enumerate(rows):
        for entity, masked in row:
            for name in {"", entity.kind, f"{entity.kind} {entity.label}".strip()}:
                tables[name][place, :2] += 1, masked
    return score_counts("entities masked", tables)


def mention_recall(documents: Sequence[Document], predicted: Predicted) -> Scores:
    """Share of single mentions that are masked, each annotator's apart, by kind."""
    tables: dict[str, Counts] = defaultdict(lambda: np.zeros((len(documents), 4), np.int64))
    for place, (document, spans) in enumerate(zip(documents, predicted, strict=True)):
        cover = _Cover(spans)
        for entity in entities(document):
            masked = sum(_is_masked(document.text, mention, cover) for mention in entity.mentions)
            for name in ("", entity.kind):
                tables[name][place, :2] += len(entity.mentions), masked
    return score_counts("mentions masked", {"": tables[""], **dict(sorted(tables.items()))})


def masked_tokens(documents: Sequence[Document], predicted: Predicted) -> Scores:
    """Tokens that each annotator wants masked against tokens that are: precision, recall and F1, pooled over annotators."""
    counts = np.zeros((len(documents), 4), np.int64)
    for place, (document, spans) in enumerate(zip(documents, predicted, strict=True)):
        masked = _tokens_in(document.text, spans)
        annotators = {annotator_of(span) for span in document.spans}
        gold = {
            (annotator_of(s), m.span())
            for s in document.spans if s.kind != "no_mask" for m in WORD.finditer(document.text, s.start, s.end)
        }  # fmt: skip
        hidden = set(masked)
        covered = sum(token in hidden for _, token in gold)
        counts[place] = len(gold), covered, len(masked) * len(annotators), sum(_agreeing(document, masked))
    return score_counts("tokens masked", {"": counts})


def _tokens_in(text: str, spans: Iterable[Span]) -> list[Place]:
    """The tokens of a text within spans, each once, in order."""
    return sorted({m.span() for s in spans for m in WORD.finditer(text, s.start, s.end)})


def covered_spans(documents: Sequence[Document], predicted: Predicted) -> Scores:
    """Gold spans that predicted ones cover, and predicted ones that cover a gold one or lie within it.

    So wider borders ("from Winnipeg") count as right, as in Papadopoulou 2022, §5.
    """
    counts = np.zeros((len(documents), 4), np.int64)
    for place, (document, spans) in enumerate(zip(documents, predicted, strict=True)):
        gold = {(s.start, s.end) for s in document.spans if s.kind != "no_mask"}
        mine = {(s.start, s.end) for s in spans}
        cover = _Cover(spans)
        right = sum(any((a <= c and d <= b) or (c <= a and b <= d) for c, d in gold) for a, b in mine)
        counts[place] = len(gold), sum(cover.holds(*span) for span in gold), len(mine), right
    return score_counts("spans, wider borders allowed", {"": counts})


def token_precision(documents: Sequence[Document], predicted: Predicted, *, weights: Weights = uniform) -> Rate:
    """Share of masked tokens that had to be masked, each weighed and seen by every annotator of its document.

    An annotator agrees where one mention that needs masking holds the whole token. Documents without any annotated
    span have no annotator and do not count. A weight is −ln of how probable the token is, if a language model gives them.
    """
    counts, tokens = np.zeros((len(documents), 2)), 0
    for place, (document, spans) in enumerate(zip(documents, predicted, strict=True)):
        masked = _tokens_in(document.text, spans)
        annotators = {annotator_of(span) for span in document.spans}
        if not annotators or not masked:
            continue
        agree = _agreeing(document, masked)
        tokens += len(masked)
        for weight, count in zip(weights(document.text, masked), agree, strict=True):
            counts[place] += weight * count, weight * len(annotators)
    return interval(lambda t: np.asarray(t[..., 0] / np.where(t[..., 1] > 0, t[..., 1], np.nan)), counts, tokens)


def _agreeing(document: Document, tokens: Sequence[Place]) -> list[int]:
    """For each token how many annotators mask it."""
    agree: dict[Place, set[str]] = {token: set() for token in tokens}
    starts = [start for start, _ in tokens]
    for span in document.spans:
        if span.kind != "no_mask":
            for token in tokens[bisect_right(starts, span.start - 1) :]:
                if token[0] >= span.end:
                    break
                if token[1] <= span.end:
                    agree[token].add(annotator_of(span))
    return [len(agree[token]) for token in tokens]


def tab_scores(
    documents: Sequence[Document], predicted: Predicted, *, weights: Mapping[str, Weights] | None = None
) -> TabScores:
    """Entity recall and token precision, uniform and under every kind of weight that is given by name."""
    kinds = {"uniform": uniform, **(weights or {})}
    precision = {name: token_precision(documents, predicted, weights=weigh) for name, weigh in kinds.items()}
    return TabScores(
        entity_recall(documents, predicted), precision, mention_recall(documents, predicted),
        masked_tokens(documents, predicted), covered_spans(documents, predicted),
    )  # fmt: skip


def unigram(documents: Sequence[Document]) -> Weights:
    """−ln of a word's share of all words of these documents: a heuristic stand-in where there is no language model."""
    counts = Counter(m[0].casefold() for document in documents for m in WORD.finditer(document.text))
    total = counts.total()

    def weigh(text: str, tokens: Sequence[Place]) -> Sequence[float]:
        return [-math.log(max(counts[text[start:end].casefold()], 1) / max(total, 2)) for start, end in tokens]

    return weigh
