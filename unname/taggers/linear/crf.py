"""A conditional random field over the words of each line: learned by CRFsuite, read by our own decoder.

A saved model is keys, weights and labels; the base install is enough to use it. Source: Lafferty 2001; features of
Liu 2015; lists made of annotations leave each document out of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from unname.errors import ModelError
from unname.shared_options import lean_option
from unname.spec import spelt
from unname.taggers.leaning import require_lean
from unname.taggers.linear import crfsuite
from unname.taggers.linear import folder as linear_folder
from unname.taggers.linear.features import EncodedTexts, read
from unname.taggers.linear.scores import Linear, matrix, sparsest, vocabulary
from unname.taggers.linear.sequences import FloatArray, IntArray, likeliest
from unname.taggers.linear.training_data import leaning, portions, spans_of, training_data
from unname.taggers.lists import NameLists
from unname.taggers.rules.wrapping import across_lines
from unname.types import Document, Span


@dataclass(slots=True)
class Crf:
    """A linear-chain CRF on words, shapes, affixes, context, lines, the rest of the document, and lists of names.

    `gazetteers` are lists of the caller's by name; lists are also made of what the documents annotate. Features seen
    fewer than `fewest` times are left out. With a `lean` of 10 each token's odds to be of an identifier are taken to be ten
    times those that were learned: more is found, and more that is none. Learned: `labels_`, `linear_` (features × labels),
    `steps_` (labels × labels) and `lists_`. A span scores as the least probable of its tokens' labels.
    """

    leans: ClassVar[bool] = True
    learns_to_the_end: ClassVar[bool] = True
    training: crfsuite.CrfSettings = field(default_factory=crfsuite.CrfSettings)
    gazetteers: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    fewest: int = 2
    lean: float = lean_option(1.0)
    name: str = "crf.v1"
    labels_: tuple[str, ...] = field(default=(), repr=False, compare=False)
    linear_: Linear = field(default_factory=Linear, repr=False, compare=False)
    steps_: FloatArray = field(default_factory=lambda: np.zeros((0, 0)), repr=False, compare=False)
    lists_: NameLists = field(default_factory=NameLists, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_lean(self.lean)

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; training itself decides when to stop, not the `held_out` ones."""
        data = training_data(documents, self.gazetteers)
        keys = vocabulary([data.seen], self.fewest)
        features, lengths = matrix(data.seen, keys), data.reading.lengths
        states, steps = crfsuite.learn(features, data.labels, lengths, len(data.names), self.training)
        self.labels_, self.steps_, self.lists_ = data.names, steps, data.lists
        self.linear_ = sparsest(Linear(keys, states))
        return self

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text; a model that was not fitted is a ModelError."""
        return across_lines(self._tag, texts)

    def _tag(self, texts: Sequence[str]) -> list[list[Span]]:
        spans: list[list[Span]] = []
        for some in portions(texts):
            reading, labels, probable = self.read(some)
            sure = probable[np.arange(len(labels)), labels].round(6)
            spans += spans_of(reading, labels, self.labels_, sure)
        return spans

    def read(self, texts: Sequence[str]) -> tuple[EncodedTexts, IntArray, FloatArray]:
        """Texts as read, each token's label and the probabilities of all labels: (tokens,) and (tokens, labels)."""
        if not self.labels_:
            raise ModelError("crf must be fitted before it can tag")
        reading = self.lists_.marked(read(texts))
        states = leaning(self.linear_.scores(reading), self.labels_, self.lean)
        return reading, *likeliest(states, self.steps_, reading.lengths)

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. Words are kept as hashes, which hides none of them: it is private."""
        if not self.labels_:
            raise ModelError("crf must be fitted before it can be saved")
        packed = linear_folder.packed("linear", self.linear_)
        arrays = {**packed, **linear_folder.packed_lists(self.lists_), "steps": self.steps_}
        arrays |= linear_folder.packed_lean(self.lean)
        linear_folder.save(
            folder, arrays, name=self.name, labels=self.labels_, replace=replace,
            spec=spelt(self.name, self), fewest=self.fewest, course=list(self.training),
        )  # fmt: skip

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        return cls.kept(linear_folder.load(folder, "crf.v1"))

    @classmethod
    def kept(cls, kept: linear_folder.StoredModel) -> Self:
        """The CRF of a folder that was read."""
        many = len(kept.labels)
        made = cls()
        made.labels_, made.linear_, made.lists_ = kept.labels, kept.linear("linear", many), kept.lists()
        made.steps_, made.lean = kept.square("steps", many, many), kept.lean()
        return made
