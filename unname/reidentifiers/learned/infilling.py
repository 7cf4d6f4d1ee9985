"""An attacker that fills the gaps: a small masked language model predicts the words there, then it reads on.

Trained on texts of other people with words hidden at random, it predicts the words at the gaps of a released text. A
profile's score is that of a translation (`translation`) of the visible words, a little of their BM25 evidence, and the
BM25 evidence that the likely infills would add, times their likelihood.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from unname.errors import ModelError
from unname.reidentifiers.base import About, FloatArray, IntArray, profile_text
from unname.reidentifiers.learned.infilling_model import UNKNOWN, GapModel, frozen, input_rows, tokens
from unname.reidentifiers.learned.infilling_training import InfillingTraining, practise
from unname.reidentifiers.learned.training_examples import (
    FEWEST_EXAMPLES,
    TrainingExample,
    at_most,
    enough_examples,
    training_examples,
)
from unname.reidentifiers.learned.translation import Translation, TranslationIndex
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.termindex import TermIndex
from unname.reidentifiers.terms.wordcounts import most_frequent
from unname.text import GAP, folded_words, visible
from unname.types import Document, Profile

MOST_WORDS = 12_000
MOST_EXAMPLES = 10_000
MOST_GAPS = 2000
# More gaps than these count together as much as these: predictions of gaps among gaps are poor and not independent.
FULL_GAPS = 20
_GAPS_AT_ONCE = 256
_WEIGHT_BITS = 16
# Infills less likely than this would not be felt in any score.
_LEAST = 2.0**-12


@dataclass(slots=True, repr=False)
class InfillingIndex:
    """`_translated` and `_visible` score the visible words, `_evidence` (output rows × people) is that of infills."""

    people: tuple[str, ...]
    _infill_weight: float
    _visible_weight: float
    _model: GapModel
    _translated: TranslationIndex
    _visible: TermIndex
    _evidence: sparse.csr_array

    def __repr__(self) -> str:
        return f"InfillingIndex({len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """Evidence of visible words and expected evidence of infills, for every profile: (people,) int64."""
        return np.asarray(self._translated.scores(text) + self._matched(text))

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        scores = self._translated.scores_of(texts)
        for row, text in zip(scores, texts, strict=True):
            row += self._matched(text)
        return scores

    def _matched(self, text: str) -> IntArray:
        """Weighted BM25 evidence of the words that can be read, and of infills, each by its likelihood."""
        unit = 2.0**_WEIGHT_BITS
        visible_text = visible(text)
        read = self._visible.sum_of(dict.fromkeys(folded_words(visible_text))) * round(self._visible_weight * unit)
        likely, gaps = likelihoods(self._model, visible_text)
        weights = np.rint(likely * (self._infill_weight * min(1, FULL_GAPS / max(gaps, 1)) * unit)).astype(np.int64)
        places = np.flatnonzero(weights)
        if len(places):
            infills = sparse.csr_array((weights[places], places, [0, len(places)]), shape=(1, len(weights)))
            read += (infills @ self._evidence).toarray()[0]
        return np.asarray((read + (1 << (_WEIGHT_BITS - 1))) >> _WEIGHT_BITS)


def likelihoods(model: GapModel, text: str) -> tuple[FloatArray, int]:
    """The probability that each output row is at one gap at least of a text, (output rows,) float64; and the number of gaps.

    Gaps are taken for independent. Words that can be read in the text are left out, for a mask that hides a word hides
    all its occurrences, and of the gaps all after the first 2,000.
    """
    row = input_rows(tokens(text), model.vocabulary)
    size = len(model.vocabulary)
    places = np.flatnonzero(row == size + 1)[:MOST_GAPS]
    absent = np.zeros(size + 1)
    for start in range(0, len(places), _GAPS_AT_ONCE):
        probable = model.probabilities(row, places[start : start + _GAPS_AT_ONCE])
        likely = np.nonzero(probable > _LEAST)
        share = np.minimum(probable[likely].astype(np.float64), 1 - 1e-9)
        absent += np.bincount(likely[1], np.log1p(-share), minlength=size + 1)
    present: FloatArray = -np.expm1(absent)
    present[row[row <= size]] = 0
    present[UNKNOWN] = 0
    return present, len(places)


@dataclass(slots=True)
class Infilling:
    """A masked language model over the words of the texts it is taught, read on by translation and BM25.

    `infill_weight` and `visible_weight` weigh BM25 evidence of infills and of visible words beside the cosine
    of the translation: little of the latter, for words that were left to be read are those that mislead. `fewest` is the
    least number of texts to learn from, `training` the parameters of the training. Learned: `model_`, `bm25_`,
    `translation_`.
    """

    about: ClassVar[About] = About(
        "Guesses masked words",
        "Has learned which words stand in such places, fills the masks, and looks for profiles with those words.",
        "learned",
        needed=True,
    )
    trained: ClassVar[bool] = True
    training: InfillingTraining = field(default_factory=InfillingTraining)
    infill_weight: float = 0.1
    visible_weight: float = 0.007
    fewest: int = FEWEST_EXAMPLES
    seed: int = 0
    name: str = "infilling.v1"
    model_: GapModel | None = field(default=None, repr=False, compare=False)
    bm25_: Bm25 | None = field(default=None, repr=False, compare=False)
    translation_: Translation | None = field(default=None, repr=False, compare=False)

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """Check whether there are `fewest` documents and passages together."""
        return enough_examples(profiles, documents, self.fewest)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from documents whose person has a profile; if they are few, from passages of profiles as well.

        Fewer than `fewest` of both together, or too few words in them, are a ModelError.
        """
        taught = training_examples(profiles, documents, seed=self.seed)
        if len(taught) < self.fewest:
            raise ModelError(
                f"infilling needs {self.fewest} texts of known people to learn from; there are {len(taught)}"
            )
        translation = Translation(seed=self.seed).fit(profiles, documents)
        few = at_most(taught, MOST_EXAMPLES, self.seed)
        self.model_ = learn_gaps(few, profiles, self.training, seed=self.seed)
        self.bm25_, self.translation_ = Bm25().fit(profiles), translation
        return self

    def index(self, profiles: Sequence[Profile]) -> InfillingIndex:
        """Make a population searchable; infills are words that were seen in fitting."""
        if self.model_ is None or self.bm25_ is None or self.translation_ is None:
            raise ModelError("infilling must be fitted before it can index")
        terms = self.bm25_.index(profiles)
        return InfillingIndex(
            tuple(p.id for p in profiles), self.infill_weight, self.visible_weight, self.model_,
            self.translation_.index(profiles), terms, terms.weights_of(["", *self.model_.vocabulary]),
        )  # fmt: skip


def learn_gaps(
    taught: Sequence[TrainingExample], profiles: Sequence[Profile], training: InfillingTraining, *, seed: int = 0
) -> GapModel:
    """A model of the words at gaps, from examples about people of these profiles."""
    read = [tokens(example.text) for example in taught]
    frequency = Counter(word for row in read for word in set(row) if word != GAP)
    kept = most_frequent(frequency, rarest=2 if len(read) > 100 else 1, most=MOST_WORDS)
    vocabulary = {word: row for row, word in enumerate(kept, start=1)}
    known = {row: frozenset(folded_words(profile_text(profiles[row]))) for row in {person for _, person in taught}}
    rarity = np.ones(len(vocabulary) + 3)
    rarity[1:-2] = [np.log1p(len(read) / frequency[word]) for word in vocabulary]
    rarity[-2:] = 0
    rows = [input_rows(row, vocabulary) for row in read]
    people = [known[person] for _, person in taught]
    return frozen(vocabulary, practise(read, rows, people, len(vocabulary), rarity, training, seed=seed))
