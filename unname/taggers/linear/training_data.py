"""Training data of linear taggers, and their answers: documents with spans as features and labels, and labels as spans."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unname.errors import NothingToLearnError
from unname.hashing import Keys
from unname.taggers.base import in_normalised, in_original
from unname.taggers.linear.features import EncodedTexts, read
from unname.taggers.linear.sequences import FloatArray, IntArray
from unname.taggers.lists import NameLists, make_lists, words_of
from unname.taggers.tokens import OUTSIDE, decode, encode
from unname.types import Document, Span

# Texts are read together up to this many characters, so that memory is bounded and short texts are not read one by one.
_TOGETHER = 1 << 17


@dataclass(frozen=True, slots=True, repr=False)
class TrainingData:
    """Documents to learn from: `seen` keys of all tokens.

    `labels` (tokens,) are places in `names`, which are BIO labels in alphabetical order.
    """

    reading: EncodedTexts
    seen: Keys
    labels: IntArray
    names: tuple[str, ...]
    lists: NameLists


def training_data(documents: Sequence[Document], gazetteers: Mapping[str, Sequence[str]] | None = None) -> TrainingData:
    """Read documents with spans; ModelError if there is nothing to learn from."""
    plain = read([document.text for document in documents])
    spans = folded_spans(documents, plain)
    labelled = [
        label for rows, row in zip(plain.rows, spans, strict=True) for line in encode(rows, row) for label in line
    ]
    names = tuple(sorted(set(labelled)))
    if not set(names) - {OUTSIDE}:
        raise NothingToLearnError(
            "a tagger learns from annotated documents; none of these has a span with a word in it"
        )
    lists = _lists(plain, spans, gazetteers or {})
    reading = lists.marked(plain, learning=True)
    place = {name: number for number, name in enumerate(names)}
    labels = np.array([place[label] for label in labelled], np.int64)
    return TrainingData(reading, reading.every(), labels, names, lists)


def folded_spans(documents: Sequence[Document], reading: EncodedTexts) -> list[list[Span]]:
    """The spans of documents by their places in the normalised texts that were read, without overlaps."""
    return [in_normalised(seen, d.spans) for d, seen in zip(documents, reading.normalised_texts, strict=True)]


def _lists(
    reading: EncodedTexts, spans: Sequence[Sequence[Span]], gazetteers: Mapping[str, Sequence[str]]
) -> NameLists:
    """The caller's lists, and one of the annotated stretches of each label."""
    stretches: dict[str, list[tuple[Sequence[str], int]]] = defaultdict(list)
    for number, (seen, row) in enumerate(zip(reading.normalised_texts, spans, strict=True)):
        for span in row:
            stretches[span.label].append((words_of(seen.text[span.start : span.end]), number))
    return make_lists(gazetteers, stretches)


def spans_of(reading: EncodedTexts, labels: IntArray, names: Sequence[str], sure: FloatArray) -> list[list[Span]]:
    """The spans of each text that was read, in the original; `labels` and the sureness of each (`sure`), by token."""
    spans: list[list[Span]] = []
    at = 0
    for seen, rows in zip(reading.normalised_texts, reading.rows, strict=True):
        labels_of_rows, scores = [], []
        for row in rows:
            labels_of_rows.append([names[label] for label in labels[at : at + len(row)].tolist()])
            scores.append(sure[at : at + len(row)].tolist())
            at += len(row)
        spans.append(in_original(seen, decode(rows, labels_of_rows, scores)))
    return spans


def leaning(scores: FloatArray, names: Sequence[str], lean: float) -> FloatArray:
    """Scores of labels (tokens, labels) in which the odds of everything but the outside are multiplied by `lean`."""
    if lean != 1.0 and OUTSIDE in names:
        scores[:, list(names).index(OUTSIDE)] -= math.log(lean)
    return scores


def portions(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts in order, in groups that are read together."""
    start, size = 0, 0
    for at, text in enumerate(texts):
        if size and size + len(text) > _TOGETHER:
            yield texts[start:at]
            start, size = at, 0
        size += len(text)
    if start < len(texts):
        yield texts[start:]
