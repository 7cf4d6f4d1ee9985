"""A CRF that is asked for more than it is sure of, and a support vector machine that takes the false part back.

The SVM reads each span that the CRF proposes, its words and surroundings, how sure the CRF is and what else it proposes
nearby; it learns from what the CRF says of documents it was not taught. Source: Li 2014 (Ensemble: a CRF, then an SVM
against its false positives).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from unname.errors import ModelError
from unname.taggers import linear_folder
from unname.taggers.base import without_overlaps
from unname.taggers.crf import Crf
from unname.taggers.features import IntArray, Keys, Reading, hashed, mix
from unname.taggers.lessons import folded_spans, portions, spans_of
from unname.taggers.linear import FloatArray, Linear, matrix, vocabulary
from unname.taggers.svm import support_vectors
from unname.taggers.tokens import OUTSIDE
from unname.types import Document, Span

LEANS = (0.0, 1.0, 2.0)
_FEWEST_DOCUMENTS = 2
_WITNESS_PASSES = 50


class Proposals(NamedTuple):
    """Spans that a CRF proposes: of which text, first and last token, label, and how probable its worst token is."""

    texts: IntArray
    firsts: IntArray
    lasts: IntArray
    labels: IntArray
    sure: FloatArray


@dataclass(slots=True)
class Ensemble:
    """A CRF, then a linear SVM against its false positives.

    `folds` CRFs, each taught without a part of the documents, say what the SVM learns from; how far the CRF leans
    towards finding more (`lean_`), and from which decision value on a span is kept (`threshold_`), are those with which
    F with recall weighed `beta` times precision is best on those parts. Learned besides: `crf_` and `filter_`.
    """

    crf: Crf = field(default_factory=Crf)
    folds: int = 3
    cost: float = 0.02
    beta: float = 1.0
    seed: int = 0
    name: str = "ensemble.v1"
    crf_: Crf = field(default_factory=Crf, repr=False, compare=False)
    filter_: Linear = field(default_factory=Linear, repr=False, compare=False)
    threshold_: float = field(default=0.0, compare=False)
    lean_: float = field(default=0.0, compare=False)

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; with fewer than two there is no part to leave out, and the CRF stands alone."""
        self.crf_ = self._new().fit(documents)
        fold = np.random.default_rng(self.seed).permutation(len(documents)) % max(self.folds, 2)
        if len(documents) < _FEWEST_DOCUMENTS or not self._learn_filter(documents, fold):
            self.filter_, self.threshold_, self.lean_ = Linear(), -np.inf, 0.0
        return self

    def _new(self) -> Crf:
        return Crf(self.crf.course, self.crf.gazetteers, self.crf.fewest)

    def _witness(self) -> Crf:
        """A CRF of which only the mistakes matter, taught for fewer passes."""
        course = self.crf.course
        return Crf(course._replace(passes=min(course.passes, _WITNESS_PASSES)), self.crf.gazetteers, self.crf.fewest)

    def _learn_filter(self, documents: Sequence[Document], fold: IntArray) -> bool:
        """Learn what is false of the proposals for left-out documents; False where there is too little to learn from."""
        parts: list[tuple[list[Document], Crf]] = []
        for number in sorted(set(fold.tolist())):
            taught = [d for d, f in zip(documents, fold, strict=True) if f != number]
            try:
                parts.append(
                    ([d for d, f in zip(documents, fold, strict=True) if f == number], self._witness().fit(taught))
                )
            except ModelError:
                return False
        best = None
        for lean in LEANS:
            lessons = [proposed(crf, part, lean) for part, crf in parts]
            total = sum(many for _, _, many in lessons)
            values = self._cross_decided([(keys, right) for keys, right, _ in lessons])
            right = np.concatenate([right for _, right, _ in lessons])
            reached, threshold = best_threshold(values, right, total, self.beta)
            if len(right) and (best is None or reached > best[0]):
                best = reached, threshold, lean, lessons
        if best is None:
            return False
        _, self.threshold_, self.lean_, lessons = best
        self.filter_ = self._taught([(keys, right) for keys, right, _ in lessons])
        return True

    def _cross_decided(self, lessons: Sequence[tuple[Keys, npt.NDArray[np.bool_]]]) -> FloatArray:
        """Decision values of each part's proposals by a filter that learned from the other parts."""
        found = []
        for number, (keys, _) in enumerate(lessons):
            others = [lesson for place, lesson in enumerate(lessons) if place != number]
            found.append(self._taught(others).of_keys(keys)[:, 0])
        return np.concatenate(found)

    def _taught(self, lessons: Sequence[tuple[Keys, npt.NDArray[np.bool_]]]) -> Linear:
        keys = np.vstack([keys for keys, _ in lessons])
        right = np.concatenate([right for _, right in lessons])
        known = vocabulary([keys], 2)
        weights = support_vectors(matrix(keys, known), right.astype(np.int64), 2, cost=self.cost, seed=self.seed)
        return Linear(known, np.ascontiguousarray(weights[:, 1:]))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text; a span's score is how probable the CRF holds it. Not fitted: ModelError."""
        if not self.crf_.labels_:
            raise ModelError("ensemble must be fitted before it can tag")
        found: list[list[Span]] = []
        for some in portions(texts):
            reading, labels, probable = self.crf_.read(some, lean=self.lean_)
            proposals = propose(reading, labels, probable, self.crf_.labels_)
            sure = probable[np.arange(len(labels)), labels].round(6)
            if len(self.filter_.keys):
                values = self.filter_.of_keys(described(reading, proposals, self.crf_.labels_))[:, 0].round(9)
                labels = without(labels, proposals, values < self.threshold_, self.crf_.labels_.index(OUTSIDE))
            found += spans_of(reading, labels, self.crf_.labels_, sure)
        return found

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. Words are kept as hashes, which hides none of them: it is private."""
        if not self.crf_.labels_:
            raise ModelError("ensemble must be fitted before it can be saved")
        arrays = {
            **linear_folder.packed("linear", self.crf_.linear_), **linear_folder.packed_lists(self.crf_.lists_),
            **linear_folder.packed("filter", self.filter_), "steps": self.crf_.steps_,
            "decision": np.array([max(self.threshold_, -100.0), self.lean_]),
        }  # fmt: skip
        linear_folder.save(
            folder, arrays, name=self.name, labels=self.crf_.labels_, replace=replace,
            folds=self.folds, cost=self.cost, beta=self.beta, seed=self.seed,
            fewest=self.crf.fewest, course=list(self.crf.course),
        )  # fmt: skip

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        kept = linear_folder.load(folder, "ensemble.v1")
        made = cls()
        made.crf_ = Crf.kept(kept)
        made.filter_ = kept.linear("filter", 1)
        made.threshold_, made.lean_ = kept.square("decision", 2).tolist()
        return made


def propose(reading: Reading, labels: IntArray, probable: FloatArray, names: Sequence[str]) -> Proposals:
    """The spans that BIO labels say, by token."""
    begins, kind = _begins(reading, labels, names)
    inside = kind >= 0
    firsts = np.flatnonzero(begins)
    number = np.cumsum(begins) - 1
    lasts = np.zeros(len(firsts), np.int64)
    at = np.flatnonzero(inside)
    lasts[number[at]] = at
    sure = np.ones(len(firsts))
    np.minimum.at(sure, number[at], probable[at, labels[at]])
    many = [sum(map(len, rows)) for rows in reading.rows]
    return Proposals(np.repeat(np.arange(len(many)), many)[firsts], firsts, lasts, kind[firsts], sure)


def _begins(reading: Reading, labels: IntArray, names: Sequence[str]) -> tuple[npt.NDArray[np.bool_], IntArray]:
    """Which tokens begin a span, and of which type each token is, -1 for none."""
    types = sorted({name[2:] for name in names if name != OUTSIDE})
    kinds = np.array([-1 if name == OUTSIDE else types.index(name[2:]) for name in names], np.int64)
    opens = np.array([name.startswith("B-") for name in names])
    kind = kinds[labels]
    new_line = np.zeros(len(labels), np.bool_)
    new_line[np.cumsum(reading.lengths) - reading.lengths] = True
    before = np.concatenate([[-1], kind[:-1]]) if len(kind) else kind
    return (kind >= 0) & (opens[labels] | new_line | (before != kind)), kind


def described(reading: Reading, found: Proposals, names: Sequence[str]) -> Keys:
    """Keys of what is to be seen of each proposal: (proposals, features)."""
    types = sorted({name[2:] for name in names if name != OUTSIDE})
    label = np.array([hashed(f"type={name}") for name in types], np.uint64)[found.labels]
    every = reading.every()
    word = reading.words[reading.stream[reading.at], 0]
    columns = [mix(every[found.firsts], np.uint64(1)), mix(every[found.lasts], np.uint64(2))]
    with_label = [mix(column, label[:, None]) for column in columns]
    sure = np.ceil(np.clip(-np.log2(1 - np.minimum(found.sure, 1 - 1e-6)), 0, 20)).astype(np.uint64) + np.uint64(1)
    long = np.minimum(found.lasts - found.firsts, 15).astype(np.uint64) + np.uint64(1)
    whole = _whole(word, found)
    times, alike = _alike(whole, found)
    left, right = _beside(found, label)
    own = {
        "label": label,
        "sure": sure,
        "sure, label": mix(sure, label),
        "long": mix(long, label),
        "long, sure": mix(mix(long, sure), label),
        "whole": mix(whole, label),
        "times": mix(mix(times, alike), label),
        "left": mix(left, label),
        "right": mix(right, label),
        "beside": mix(mix(left, right), label),
        "always": np.ones(len(label), np.uint64),
    }
    keys = np.stack([mix(column, np.uint64(hashed(f"proposal {name}"))) for name, column in own.items()], axis=1)
    return np.hstack([*columns, *with_label, keys])


def _whole(word: Keys, found: Proposals) -> Keys:
    """A key of all words of each proposal."""
    whole = word[found.firsts]
    for step in range(1, int((found.lasts - found.firsts).max(initial=0)) + 1):
        there = np.minimum(found.firsts + step, found.lasts)
        whole = np.where(found.firsts + step <= found.lasts, mix(whole, word[there]), whole)
    return whole


def _alike(whole: Keys, found: Proposals) -> tuple[Keys, Keys]:
    """How often the same words are proposed in the text, and how often under the same label (up to 4, from 1)."""
    keys = mix(whole, found.texts + 1)
    _, group, times = np.unique(keys, return_inverse=True, return_counts=True)
    labelled = mix(keys, found.labels + 1)
    _, place, alike = np.unique(labelled, return_inverse=True, return_counts=True)
    return np.minimum(times[group], 4).astype(np.uint64), np.minimum(alike[place], 4).astype(np.uint64)


def _beside(found: Proposals, label: Keys) -> tuple[Keys, Keys]:
    """Label and distance of the proposals before and after each in its text."""
    far = np.uint64(hashed("alone"))
    if not len(label):
        return label, label
    same = found.texts[1:] == found.texts[:-1]
    gap = np.minimum(found.firsts[1:] - found.lasts[:-1], 6).astype(np.uint64)
    left = np.concatenate([[far], np.where(same, mix(label[:-1], gap), far)])
    right = np.concatenate([np.where(same, mix(label[1:], gap), far), [far]])
    return left, right


def without(labels: IntArray, found: Proposals, dropped: npt.NDArray[np.bool_], outside: int) -> IntArray:
    """Labels without those of the dropped proposals."""
    left = labels.copy()
    for first, last in zip(found.firsts[dropped].tolist(), found.lasts[dropped].tolist(), strict=True):
        left[first : last + 1] = outside
    return left


def proposed(crf: Crf, documents: Sequence[Document], lean: float) -> tuple[Keys, npt.NDArray[np.bool_], int]:
    """What a CRF proposes for documents with spans: its keys, which proposals are right, and how many spans there are."""
    reading, labels, probable = crf.read([document.text for document in documents], lean=lean)
    found = propose(reading, labels, probable, crf.labels_)
    types = sorted({name[2:] for name in crf.labels_ if name != OUTSIDE})
    tokens = [token for rows in reading.rows for row in rows for token in row]
    gold = folded_spans(documents, reading)
    said = {(text, s.start, s.end, s.label) for text, spans in enumerate(gold) for s in without_overlaps(spans)}
    right = [
        (text, tokens[first].start, tokens[last].end, types[label]) in said
        for text, first, last, label in zip(*(row.tolist() for row in found[:4]), strict=True)
    ]
    return described(reading, found, crf.labels_), np.array(right, np.bool_), len(said)


def best_threshold(values: FloatArray, right: npt.NDArray[Any], total: int, beta: float) -> tuple[float, float]:
    """The best F with recall weighed `beta` times precision, and the decision value from which on it is reached."""
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(right[order])
    kept = np.arange(1, len(order) + 1)
    reached = (1 + beta**2) * hits / (beta**2 * max(total, 1) + kept)
    if not len(order):
        return 0.0, -np.inf
    ends = np.concatenate([values[order][1:] < values[order][:-1], [True]])
    best = int(np.where(ends, reached, -1.0).argmax())
    after = values[order][best + 1] if best + 1 < len(order) else values[order][best] - 2.0
    return float(reached[best]), float((values[order][best] + after) / 2)
