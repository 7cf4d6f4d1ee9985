"""A linear support vector machine that labels the words of a text from left to right, each after those before it.

It reads the features of the CRF, and the classes it gave to the two words before and to the same word earlier in the text.
Source: Li 2014 (linear SVM on word, shape, morphology and previously assigned classes), one class against the rest.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy import sparse

from unname.errors import NEEDS_TAGGERS, ModelError, SettingsError
from unname.hashing import Keys, hashed, mix
from unname.shared_options import identifier_weight_option, lean_option
from unname.spec import spelt
from unname.taggers.leaning import require_lean
from unname.taggers.linear import folder as linear_folder
from unname.taggers.linear.features import EncodedTexts, read
from unname.taggers.linear.scores import Linear, matrix, sparsest, vocabulary
from unname.taggers.linear.sequences import FloatArray, IntArray
from unname.taggers.linear.training_data import TrainingData, leaning, portions, spans_of, training_data
from unname.taggers.lists import NameLists
from unname.taggers.rules.wrapping import across_lines
from unname.taggers.tokens import OUTSIDE
from unname.types import Document, Span

_START = "<start>"
# Weights this small change no decision, and are most of them.
_LEAST_WEIGHT = 1e-3


@dataclass(slots=True)
class Svm:
    """A linear SVM, one class against the rest, with previously assigned classes as features.

    `cost` is the SVM's C; of lines without an identifier the share `quiet` is learned from, drawn by `seed`. An identifier's
    token costs `identifier_weight` times another where it is missed; `lean` is as for the CRF. Learned: `labels_`,
    `linear_` (features × labels) and `lists_`. A token scores as σ(2 m) of its class's decision value m, a
    span as its worst token: an order of sureness, no probability.
    """

    leans: ClassVar[bool] = True
    learns_to_the_end: ClassVar[bool] = True
    cost: float = 0.1
    quiet: float = 0.5
    gazetteers: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    fewest: int = 2
    seed: int = 0
    identifier_weight: float = identifier_weight_option(1.0)
    lean: float = lean_option(1.0)
    name: str = "svm.v1"
    labels_: tuple[str, ...] = field(default=(), repr=False, compare=False)
    linear_: Linear = field(default_factory=Linear, repr=False, compare=False)
    lists_: NameLists = field(default_factory=NameLists, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_lean(self.lean)
        if not 0 < self.identifier_weight < math.inf:
            raise SettingsError("an identifier's weight must be above 0")

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; there is nothing to stop early, so `held_out` ones are not used."""
        data = training_data(documents, self.gazetteers)
        past = history(data.reading, data.labels, data.names)
        keys = vocabulary([data.seen, past], self.fewest)
        rows = self._drawn(data)
        features = matrix(np.hstack([data.seen[rows], past[rows]]), keys)
        heavy = {n: self.identifier_weight for n, name in enumerate(data.names) if name != OUTSIDE}
        weights = support_vectors(
            features, data.labels[rows], len(data.names), cost=self.cost, seed=self.seed, weights=heavy
        )
        self.labels_, self.lists_ = data.names, data.lists
        self.linear_ = sparsest(Linear(keys, weights), _LEAST_WEIGHT)
        return self

    def _drawn(self, data: TrainingData) -> IntArray:
        """Tokens of the lines to learn from."""
        lengths = data.reading.lengths
        of_line = np.repeat(np.arange(len(lengths)), lengths)
        inside = data.labels != data.names.index(OUTSIDE) if OUTSIDE in data.names else np.ones(len(of_line))
        telling = np.bincount(of_line, inside, len(lengths)) > 0
        drawn = np.random.default_rng(self.seed).random(len(lengths)) < self.quiet
        return np.flatnonzero((telling | drawn)[of_line])

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text; a model that was not fitted is a ModelError."""
        return across_lines(self._tag, texts)

    def _tag(self, texts: Sequence[str]) -> list[list[Span]]:
        if not self.labels_:
            raise ModelError("svm must be fitted before it can tag")
        spans: list[list[Span]] = []
        for some in portions(texts):
            reading = self.lists_.marked(read(some))
            labels, margins = left_to_right(self.linear_, reading, self.labels_, lean=self.lean)
            spans += spans_of(reading, labels, self.labels_, squashed(margins))
        return spans

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. Words are kept as hashes, which hides none of them: it is private."""
        if not self.labels_:
            raise ModelError("svm must be fitted before it can be saved")
        arrays = {**linear_folder.packed("linear", self.linear_), **linear_folder.packed_lists(self.lists_)}
        arrays |= linear_folder.packed_lean(self.lean)
        linear_folder.save(
            folder, arrays, name=self.name, labels=self.labels_, replace=replace,
            spec=spelt(self.name, self), cost=self.cost, quiet=self.quiet, fewest=self.fewest, seed=self.seed,
        )  # fmt: skip

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        kept = linear_folder.load(folder, "svm.v1")
        made = cls()
        made.labels_, made.linear_, made.lists_ = kept.labels, kept.linear("linear", len(kept.labels)), kept.lists()
        made.lean = kept.lean()
        return made


def support_vectors(
    features: sparse.csr_array, classes: IntArray, many: int, *, cost: float, seed: int,
    weights: Mapping[int, float] | None = None,
) -> FloatArray:  # fmt: skip
    """Weights (features, many) of a linear SVM that tells classes below `many` apart, each against the rest.

    `weights` are factors on the cost of missing a class. Of classes that do not occur the learned weights are nothing.
    Source: Fan 2008 (LIBLINEAR), through scikit-learn.
    """
    learned = np.zeros((features.shape[1], many))
    present = np.unique(classes)
    if len(present) > 1:
        heavy = {n: w for n in present.tolist() if (w := (weights or {}).get(n, 1.0)) != 1.0}
        machine = _linear_svc()(
            C=cost, fit_intercept=False, tol=0.05, max_iter=200, random_state=seed, class_weight=heavy or None
        )
        with catch_warnings():  # so many rounds are enough for it, and every figure was measured with them
            simplefilter("ignore", _convergence_warning())
            machine.fit(features, classes)
        rows = np.asarray(machine.coef_, np.float64)
        learned[:, present] = (np.vstack([-rows, rows]) if len(present) == 2 else rows).T
    elif features.shape[0]:
        learned[:, present[0]] = 1.0
    return learned


def _linear_svc() -> Any:
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise ModelError(NEEDS_TAGGERS) from None
    return LinearSVC


def _convergence_warning() -> type[Warning]:
    from sklearn.exceptions import ConvergenceWarning

    warning: type[Warning] = ConvergenceWarning
    return warning


def squashed(margins: FloatArray) -> FloatArray:
    """σ(2 m) of decision values, rounded to six places."""
    return np.asarray(1 / (1 + np.exp(np.clip(-2 * margins, -500, 500))), np.float64).round(6)


def history(reading: EncodedTexts, labels: IntArray, names: Sequence[str]) -> Keys:
    """Keys of the classes of the two tokens before, and of the same word's last occurrence: (tokens, 3)."""
    label_hashes = np.array([hashed(f"label={name}") for name in (*names, _START)], np.uint64)
    start = len(names)
    lengths = reading.lengths
    into = np.arange(len(labels)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    one = np.where(into > 0, np.concatenate([[start], labels[:-1]]), start) if len(labels) else labels
    two = np.where(into > 1, np.concatenate([[start, start], labels])[: len(labels)], start)
    last = np.full(len(labels), -1)
    seen: dict[int, int] = {}
    for at, group in enumerate(_same_word(reading).tolist()):
        last[at] = seen.get(group, -1)
        seen[group] = int(labels[at])
    before = np.where(last < 0, np.uint64(0), label_hashes[last])
    return np.stack(_label_keys(label_hashes[one], label_hashes[two], before), axis=1)


def _label_keys(one: Keys, two: Keys, before: Keys) -> tuple[Keys, Keys, Keys]:
    """Keys of the class before, of the two classes before, and of the class that the same word had."""
    return (
        mix(one, np.uint64(hashed("class before"))),
        mix(mix(two, one), np.uint64(hashed("classes before"))),
        mix(before, np.uint64(hashed("class of the same word"))),
    )


def _same_word(reading: EncodedTexts) -> IntArray:
    """A number for each word type in each text, by token."""
    _, group = np.unique(mix(reading.words[reading.stream[reading.at], 0], reading.texts + 1), return_inverse=True)
    return np.asarray(group, np.int64)


def left_to_right(
    linear: Linear, reading: EncodedTexts, names: Sequence[str], *, lean: float = 1.0
) -> tuple[IntArray, FloatArray]:
    """The class of the highest decision value for each token after those before it, and that value: (tokens,) each."""
    label_hashes = np.array([hashed(f"label={name}") for name in (*names, _START)], np.uint64)
    start, nothing = len(names), np.zeros(1, np.uint64)
    pairs: dict[tuple[int, int], FloatArray] = {}
    again = linear.of_keys(
        np.stack(_label_keys(np.zeros_like(label_hashes), np.zeros_like(label_hashes), label_hashes), axis=1)
    )
    labels: list[int] = []
    margins: list[float] = []
    seen: dict[int, int] = {}
    begins = reading.begins.tolist()
    # Twice a decision value are its odds' logarithm (see `squashed`).
    first = leaning(linear.scores(reading), names, math.sqrt(lean))
    one = two = start
    for row, group, begin in zip(first, _same_word(reading).tolist(), begins, strict=True):
        if begin:
            one = two = start
        pair = pairs.get((two, one))
        if pair is None:
            keys = np.stack(_label_keys(label_hashes[one : one + 1], label_hashes[two : two + 1], nothing), axis=1)
            pair = pairs[two, one] = linear.of_keys(keys)[0]
        row += pair
        if group in seen:
            row += again[seen[group]]
        two, one = one, int(row.argmax())
        seen[group] = one
        labels.append(one)
        margins.append(float(row[one]))
    return np.array(labels, np.int64), np.array(margins, np.float64)
