"""A CRF and a support vector machine that each propose spans, and a second machine that takes the false ones back.

The last one reads each span that is proposed, its words and surroundings, how sure the CRF is of it and what else is
proposed nearby; it learns from what the other two say of documents they were not taught. Source: Li 2014 (EnsembleTagger: a
CRF, then an SVM against its false positives); here the SVM tagger first adds what the CRF missed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from unname.errors import ModelError
from unname.hashing import Keys, hashed, mix
from unname.shared_options import judge_only_option
from unname.spec import spelt
from unname.taggers.linear import folder as linear_folder
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.features import EncodedTexts
from unname.taggers.linear.scores import Linear, matrix, vocabulary
from unname.taggers.linear.sequences import FloatArray, IntArray
from unname.taggers.linear.svm import Svm, left_to_right, support_vectors
from unname.taggers.linear.training_data import folded_spans, portions, spans_of
from unname.taggers.rules.wrapping import across_lines
from unname.taggers.tokens import OUTSIDE, encode
from unname.types import Document, Span

# A decision value that no proposal falls below.
KEEPS_ALL = -100.0
WITNESS_PASSES = 50


Taught = Callable[[int | None, int], tuple[Crf, Linear]]


class Proposals(NamedTuple):
    """Spans that a CRF proposes: text, first and last token, label, and the probability of the worst token."""

    texts: IntArray
    firsts: IntArray
    lasts: IntArray
    labels: IntArray
    sure: FloatArray


@dataclass(slots=True)
class EnsembleTagger:
    """The spans of a CRF or a linear SVM, without those that another linear SVM judges to be no identifier.

    `folds` pairs of CRF and SVM, each taught without a part of the documents, say what the last SVM learns from; from
    which decision value on a span is kept (`threshold_`) is that with which F with recall weighed `beta` times precision
    is best on those parts. With `judge_only` the first SVM adds nothing, as in the paper. Learned besides: `crf_`, `second_`
    (the SVM tagger's weights) and `filter_`. A span's score is how probable the CRF holds it.
    """

    learns_to_the_end: ClassVar[bool] = True
    crf: Crf = field(default_factory=Crf)
    svm: Svm = field(default_factory=Svm)
    folds: int = 3
    cost: float = 0.02
    beta: float = 1.0
    judge_only: bool = judge_only_option(False)
    seed: int = 0
    name: str = "ensemble.v1"
    crf_: Crf = field(default_factory=Crf, repr=False, compare=False)
    second_: Linear = field(default_factory=Linear, repr=False, compare=False)
    filter_: Linear = field(default_factory=Linear, repr=False, compare=False)
    threshold_: float = field(default=KEEPS_ALL, compare=False)

    @property
    def labels_(self) -> tuple[str, ...]:
        """The BIO labels that its CRF learned."""
        return self.crf_.labels_

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; if no part can be left out, all spans of either are kept."""
        fold = np.random.default_rng(self.seed).permutation(len(documents)) % max(self.folds, 2)

        def taught(without: int | None, passes: int) -> tuple[Crf, Linear]:
            return self.pair([d for d, f in zip(documents, fold, strict=True) if f != without], passes)

        return self.fit_parts(documents, fold, taught)

    def fit_parts(self, documents: Sequence[Document], part: IntArray, taught: Taught) -> Self:
        """The same, with the `part` of each document, and pairs that were `taught` without one of them, or with all."""
        self.crf_, self.second_ = taught(None, self.crf.training.passes)
        self.filter_, self.threshold_ = Linear(), KEEPS_ALL
        learned = []
        for number in np.unique(part).tolist():
            asked = [d for d, p in zip(documents, part, strict=True) if p == number]
            try:
                learned.append(_proposals_of(*taught(number, min(WITNESS_PASSES, self.crf.training.passes)), asked))
            except ModelError:
                return self
        if len(learned) < 2:
            return self
        right = np.concatenate([one.right for one in learned])
        if right.any() and not right.all():
            others = [[other for other in learned if other is not one] for one in learned]
            values = [self._weighed(o).of_keys(x.keys)[:, 0] for x, o in zip(learned, others, strict=True)]
            spans = sum(one.spans for one in learned)
            _, self.threshold_ = best_threshold(np.concatenate(values), right, spans, self.beta)
            self.filter_ = self._weighed(learned)
        return self

    def pair(self, documents: Sequence[Document], passes: int) -> tuple[Crf, Linear]:
        """A CRF and the weights of an SVM with the same labels and lists; none of the SVM if it only judges."""
        gazetteers, fewest = self.crf.gazetteers, self.crf.fewest
        crf = Crf(self.crf.training._replace(passes=passes), gazetteers, fewest).fit(documents)
        if self.judge_only:
            return crf, Linear()
        return crf, Svm(self.svm.cost, self.svm.quiet, gazetteers, fewest, self.seed).fit(documents).linear_

    def _weighed(self, learned: "Sequence[_Proposals]") -> Linear:
        """Weights that tell right proposals from false ones: (features, 1)."""
        keys = np.vstack([part.keys for part in learned])
        right = np.concatenate([part.right for part in learned]).astype(np.int64)
        known = vocabulary([keys], 2)
        weights = support_vectors(matrix(keys, known), right, 2, cost=self.cost, seed=self.seed)
        return Linear(known, np.ascontiguousarray(weights[:, 1:]))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text; a model that was not fitted is a ModelError."""
        return across_lines(self._tag, texts)

    def _tag(self, texts: Sequence[str]) -> list[list[Span]]:
        if not self.labels_:
            raise ModelError("ensemble must be fitted before it can tag")
        names = self.labels_
        spans: list[list[Span]] = []
        for some in portions(texts):
            reading, labels, probable = either(self.crf_, self.second_, some)
            sure = probable[np.arange(len(labels)), labels].round(6)
            if len(self.filter_.keys) and OUTSIDE in names:
                proposals = propose(reading, labels, probable, names)
                values = self.filter_.of_keys(described(reading, proposals, names))[:, 0].round(9)
                labels = without(labels, proposals, values < self.threshold_, names.index(OUTSIDE))
            spans += spans_of(reading, labels, names, sure)
        return spans

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. Words are kept as hashes, which hides none of them: it is private."""
        if not self.labels_:
            raise ModelError("ensemble must be fitted before it can be saved")
        arrays = {
            **linear_folder.packed("linear", self.crf_.linear_), **linear_folder.packed_lists(self.crf_.lists_),
            **linear_folder.packed("second", self.second_), **linear_folder.packed("filter", self.filter_),
            "steps": self.crf_.steps_, "threshold": np.array([self.threshold_]),
        }  # fmt: skip
        linear_folder.save(
            folder, arrays, name=self.name, labels=self.labels_, replace=replace,
            spec=spelt(self.name, self), folds=self.folds, cost=self.cost, beta=self.beta, judge_only=self.judge_only,
            seed=self.seed, fewest=self.crf.fewest, course=list(self.crf.training), svm=[self.svm.cost, self.svm.quiet],
        )  # fmt: skip

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        kept = linear_folder.load(folder, "ensemble.v1")
        made = cls()
        made.crf_ = Crf.kept(kept)
        made.second_ = kept.linear("second", len(kept.labels))
        made.filter_ = kept.linear("filter", 1)
        made.threshold_ = float(kept.square("threshold", 1)[0])
        return made


class _Proposals(NamedTuple):
    """Proposals for documents: keys, flags of the right ones, and the number of true spans."""

    keys: Keys
    right: npt.NDArray[np.bool_]
    spans: int


def either(crf: Crf, second: Linear, texts: Sequence[str]) -> tuple[EncodedTexts, IntArray, FloatArray]:
    """Texts as the CRF reads them, with the SVM's labels where it marks a span that touches none of the CRF's."""
    reading, labels, probable = crf.read(texts)
    if not len(second.keys):
        return reading, labels, probable
    by_svm, _ = left_to_right(second, reading, crf.labels_)
    proposals = propose(reading, by_svm, probable, crf.labels_)
    outside = crf.labels_.index(OUTSIDE) if OUTSIDE in crf.labels_ else -1
    taken = np.concatenate([[0], np.cumsum(labels != outside)])
    for first, last in zip(proposals.firsts.tolist(), proposals.lasts.tolist(), strict=True):
        if taken[last + 1] == taken[first]:
            labels[first : last + 1] = by_svm[first : last + 1]
    return reading, labels, probable


def propose(reading: EncodedTexts, labels: IntArray, probable: FloatArray, names: Sequence[str]) -> Proposals:
    """The spans of BIO labels, by token."""
    begins, kind = _begins(reading, labels, names)
    inside = kind >= 0
    firsts = np.flatnonzero(begins)
    number = np.cumsum(begins) - 1
    lasts = np.zeros(len(firsts), np.int64)
    at = np.flatnonzero(inside)
    lasts[number[at]] = at
    sure = np.ones(len(firsts))
    np.minimum.at(sure, number[at], probable[at, labels[at]])
    return Proposals(reading.texts[firsts], firsts, lasts, kind[firsts], sure)


def _begins(reading: EncodedTexts, labels: IntArray, names: Sequence[str]) -> tuple[npt.NDArray[np.bool_], IntArray]:
    """The tokens that begin a span (flags), and the type of each token, -1 for none."""
    types = sorted({name[2:] for name in names if name != OUTSIDE})
    kinds = np.array([-1 if name == OUTSIDE else types.index(name[2:]) for name in names], np.int64)
    opens = np.array([name.startswith("B-") for name in names])
    kind = kinds[labels]
    before = np.concatenate([[-1], kind[:-1]]) if len(kind) else kind
    return (kind >= 0) & (opens[labels] | reading.begins | (before != kind)), kind


def described(reading: EncodedTexts, proposals: Proposals, names: Sequence[str]) -> Keys:
    """Keys of the features of each proposal: (proposals, features)."""
    types = sorted({name[2:] for name in names if name != OUTSIDE})
    label = np.array([hashed(f"type={name}") for name in types], np.uint64)[proposals.labels]
    every = reading.every()
    word = reading.words[reading.stream[reading.at], 0]
    columns = [mix(every[proposals.firsts], np.uint64(1)), mix(every[proposals.lasts], np.uint64(2))]
    with_label = [mix(column, label[:, None]) for column in columns]
    sure = np.ceil(np.clip(-np.log2(1 - np.minimum(proposals.sure, 1 - 1e-6)), 0, 20)).astype(np.uint64) + np.uint64(1)
    long = np.minimum(proposals.lasts - proposals.firsts, 15).astype(np.uint64) + np.uint64(1)
    whole = _whole(word, proposals)
    times, alike = _alike(whole, proposals)
    left, right = _beside(proposals, label)
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


def _whole(word: Keys, proposals: Proposals) -> Keys:
    """A key of all words of each proposal."""
    whole = word[proposals.firsts]
    for step in range(1, int((proposals.lasts - proposals.firsts).max(initial=0)) + 1):
        there = np.minimum(proposals.firsts + step, proposals.lasts)
        whole = np.where(proposals.firsts + step <= proposals.lasts, mix(whole, word[there]), whole)
    return whole


def _alike(whole: Keys, proposals: Proposals) -> tuple[Keys, Keys]:
    """The number of proposals of the same words in the text, and of these under the same label (up to 4, from 1)."""
    keys = mix(whole, proposals.texts + 1)
    _, group, times = np.unique(keys, return_inverse=True, return_counts=True)
    labelled = mix(keys, proposals.labels + 1)
    _, place, alike = np.unique(labelled, return_inverse=True, return_counts=True)
    return np.minimum(times[group], 4).astype(np.uint64), np.minimum(alike[place], 4).astype(np.uint64)


def _beside(proposals: Proposals, label: Keys) -> tuple[Keys, Keys]:
    """Label and distance of the proposals before and after each in its text."""
    far = np.uint64(hashed("alone"))
    if not len(label):
        return label, label
    same = proposals.texts[1:] == proposals.texts[:-1]
    gap = np.minimum(proposals.firsts[1:] - proposals.lasts[:-1], 6).astype(np.uint64)
    left = np.concatenate([[far], np.where(same, mix(label[:-1], gap), far)])
    right = np.concatenate([np.where(same, mix(label[1:], gap), far), [far]])
    return left, right


def without(labels: IntArray, proposals: Proposals, dropped: npt.NDArray[np.bool_], outside: int) -> IntArray:
    """Labels without those of the dropped proposals."""
    left = labels.copy()
    for first, last in zip(proposals.firsts[dropped].tolist(), proposals.lasts[dropped].tolist(), strict=True):
        left[first : last + 1] = outside
    return left


def _proposals_of(crf: Crf, second: Linear, documents: Sequence[Document]) -> _Proposals:
    """The proposals for documents with spans.

    A proposal is right that touches a span, whatever the borders and labels: to take it back would leave a name in clear.
    """
    reading, labels, probable = either(crf, second, [document.text for document in documents])
    proposals = propose(reading, labels, probable, crf.labels_)
    lines = [
        line
        for rows, row in zip(reading.rows, folded_spans(documents, reading), strict=True)
        for line in encode(rows, row)
    ]
    gold = np.array([label != OUTSIDE for line in lines for label in line], np.int64)
    begun = sum(label.startswith("B-") for line in lines for label in line)
    inside = np.concatenate([[0], np.cumsum(gold)])
    right = inside[proposals.lasts + 1] > inside[proposals.firsts]
    return _Proposals(
        described(reading, proposals, crf.labels_), np.asarray(right, np.bool_), max(begun, int(right.sum()))
    )


def best_threshold(values: FloatArray, right: npt.NDArray[Any], total: int, beta: float) -> tuple[float, float]:
    """The best F with recall weighed `beta` times precision, and the lowest decision value that reaches it."""
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(right[order])
    kept = np.arange(1, len(order) + 1)
    reached = (1 + beta**2) * hits / (beta**2 * max(total, 1) + kept)
    ends = np.concatenate([values[order][1:] < values[order][:-1], [True]])
    best = int(np.where(ends, reached, -1.0).argmax())
    after = values[order][best + 1] if best + 1 < len(order) else values[order][best] - 2.0
    return float(reached[best]), float((values[order][best] + after) / 2)
