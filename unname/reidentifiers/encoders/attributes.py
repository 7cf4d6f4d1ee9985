"""The attacker that has learned to read people: from the meaning of a text to each field of its author or subject.

Every field has a reader, taught by texts of other people: ridge regression from a text's mean sentence vector to the
value, which is a number, one of a few values, or the meaning of a statement. People whose value lies nearer to the reading
than values usually do gain as much as the reader has proved to be worth on texts that it had not seen.
Source: Staab 2024 (what language models read from texts without names); ridge with exact leave-one-out, Allen 1974.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, About, FloatArray, IntArray, folded_value
from unname.reidentifiers.encoders.statements import statements
from unname.reidentifiers.encoders.understanding import Understanding
from unname.types import Document, Profile

# With fewer texts nothing is learned that holds for others.
FEWEST_TEXTS = 30
# A field of more different values than this is read by what they mean.
_FEW_VALUES = 12
_MOST_TEXTS = 3000
_RIDGES = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
# A number with its thousands and decimals; a day such as 1.2.1990 is several.
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d.,]*\d)|\d{1,12}(?:\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True, repr=False)
class _FieldReader:
    """A field's reader: the `kind` of its values (number, one of the `names`, or meaning), and weights to read them.

    `weights` (texts that taught, dimensions of the value), `mean` of the values that taught; `error` is the mean squared
    error on unseen texts in each dimension, `spread` the same error of guessing the mean.
    """

    name: str
    kind: str
    names: tuple[str, ...]
    weights: FloatArray
    mean: FloatArray
    scale: float
    error: float
    spread: float

    def gains(self, values: FloatArray, read: FloatArray) -> FloatArray:
        """Log likelihood ratios: the reading's fit of each value, against that of people at large; (people,)."""
        near = ((values - read) ** 2).sum(axis=1) / self.error
        usual = ((values - self.mean) ** 2).sum(axis=1) / self.spread
        return np.asarray((usual - near) / 2)


@dataclass(slots=True, repr=False)
class AttributesIndex:
    """Everybody's values, field by field, beside readers."""

    people: tuple[str, ...]
    _model: "Attributes"
    _values: tuple[tuple[FloatArray, IntArray], ...]

    def __repr__(self) -> str:
        return f"AttributesIndex({len(self.people)} people, {len(self._values)} fields)"

    def scores(self, text: str) -> IntArray:
        """Summed gains over all fields: (people,) int64 multiples of 2⁻²⁰."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64; no text changes another's scores."""
        totals = np.zeros((len(texts), len(self.people)))
        for row, near in enumerate(self._model.near(texts)):
            for reader, (values, stated) in zip(self._model.readers_, self._values, strict=True):
                totals[row, stated] += reader.gains(values, reader.mean + near @ reader.weights)
        return np.rint(totals * SCALE).astype(np.int64)


@dataclass(slots=True)
class Attributes(Understanding):
    """A reader for every field of a profile, on top of a frozen sentence encoder.

    Learned: `taught_` (texts, width) unit vectors, `centre_` (width,), `readers_` of the fields that can be read at all.
    """

    about: ClassVar[About] = About(
        "Reads people's fields",
        "Has learned from other people's texts what a way of writing tells of each field.",
        "neural",
    )
    trained: ClassVar[bool] = True
    fewest: int = FEWEST_TEXTS
    name: str = "attributes.v1"
    taught_: FloatArray = field(default_factory=lambda: np.zeros((0, 0)), repr=False, compare=False)
    centre_: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    readers_: tuple[_FieldReader, ...] = field(default=(), repr=False, compare=False)

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """Check whether there are `fewest` texts of known people."""
        people = {profile.id for profile in profiles}
        return sum(document.person in people for document in documents) >= self.fewest

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Teach a reader for each field; a ModelError with fewer than `fewest` texts of known people."""
        row = {profile.id: profile for profile in profiles}
        known = sorted((d.id, d.text, d.person) for d in documents if d.person in row)
        step = max(1, -(-len(known) // _MOST_TEXTS))
        known = known[::step]
        if len(known) < self.fewest:
            raise ModelError(f"attributes needs at least {self.fewest} documents of known people to learn from")
        means = self._means([text for _, text, _ in known])
        self.centre_ = means.mean(axis=0)
        self.taught_ = means - self.centre_
        values, vectors = np.linalg.eigh(self.taught_ @ self.taught_.T)
        about = [row[str(person)] for _, _, person in known]
        names = sorted({name for profile in profiles for name in profile.fields})
        made = [self._reader(name, profiles, about, np.maximum(values, 0), vectors) for name in names]
        self.readers_ = tuple(reader for reader in made if reader is not None)
        return self

    def _means(self, texts: Sequence[str]) -> FloatArray:
        """The mean sentence vector of each text, at length one."""
        width = self.embed(["x"]).shape[1]
        rows = [v.mean(axis=0, dtype=np.float64) if len(v) else np.zeros(width) for v in self.embed_texts(texts)]
        means = np.array(rows).reshape(len(texts), width)
        return np.asarray(means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9))

    def near(self, texts: Sequence[str]) -> FloatArray:
        """The nearness of texts to each of those that taught: (texts, taught)."""
        return np.asarray((self._means(texts) - self.centre_) @ self.taught_.T)

    def _reader(
        self, name: str, profiles: Sequence[Profile], about: Sequence[Profile], values: FloatArray, vectors: FloatArray
    ) -> _FieldReader | None:
        """The field's reader, with the ridge that proves best; None if none is better than guessing."""
        kind, names, scale = _kind(name, profiles)
        wanted, stated = self._as_vectors(kind, name, names, scale, about)
        if len(stated) < max(self.fewest, len(about) // 2):
            return None
        if len(stated) < len(about):
            some = self.taught_[stated]
            values, vectors = np.linalg.eigh(some @ some.T)
            values = np.maximum(values, 0)
        mean = wanted.mean(axis=0)
        rest = wanted - mean
        spread = float((rest**2).mean())
        best, residuals = (np.inf, 0.0), rest
        for ridge in _RIDGES:
            # Allen's identity: residuals of leaving one out, from the hat matrix alone.
            shrunk = values / (values + ridge)
            hat = (vectors * shrunk) @ vectors.T
            left = (rest - hat @ rest) / np.maximum(1 - np.diag(hat) - 1 / len(stated), 1e-6)[:, None]
            if (error := float((left**2).mean())) < best[0]:
                best, residuals = (error, ridge), left
        if not best[0] < 0.995 * spread:
            return None
        solved = (vectors / (values + best[1])) @ vectors.T @ rest
        weights = np.zeros((len(about), wanted.shape[1]))
        weights[stated] = solved
        # Errors of one dimension go with those of others: they count for as many as are independent.
        squares = np.linalg.eigvalsh(
            residuals.T @ residuals if wanted.shape[1] < len(rest) else residuals @ residuals.T
        )
        independent = float(squares.sum() ** 2 / (squares**2).sum())
        beside = wanted.shape[1] / independent
        return _FieldReader(name, kind, names, weights, mean, scale, best[0] * beside, spread * beside)

    def _as_vectors(
        self, kind: str, name: str, names: Sequence[str], scale: float, people: Sequence[Profile]
    ) -> tuple[FloatArray, IntArray]:
        """Values as vectors, and places of the people who have one."""
        folded = [folded_value(profile, name) for profile in people]
        if kind == "number":
            numbers = [_number(value) for value in folded]
            stated = [i for i, number in enumerate(numbers) if number is not None]
            return np.array([[numbers[i]] for i in stated], np.float64).reshape(-1, 1) / scale, np.array(
                stated, np.int64
            )
        if kind == "values":
            stated = [i for i, value in enumerate(folded) if value in names]
            return np.array([[float(folded[i] == one) for one in names] for i in stated]), np.array(stated, np.int64)
        stated = [i for i, value in enumerate(folded) if value]
        lines = [statements(name, people[i].fields[name], 1)[0] for i in stated]
        return self.embed(lines).astype(np.float64), np.array(stated, np.int64)

    def index(self, profiles: Sequence[Profile]) -> AttributesIndex:
        """Everybody's values as the readers read them."""
        held = tuple(self._as_vectors(r.kind, r.name, r.names, r.scale, profiles) for r in self.readers_)
        return AttributesIndex(tuple(p.id for p in profiles), self, held)


def _number(value: str) -> float | None:
    """The one number of a value."""
    numbers = _NUMBER.findall(value)
    return float(numbers[0].replace(",", "")) if len(numbers) == 1 else None


def _kind(name: str, profiles: Sequence[Profile]) -> tuple[str, tuple[str, ...], float]:
    """The kind of a field's values: numbers (and their spread), one of a few values (and which), or anything."""
    values = [value for profile in profiles if (value := folded_value(profile, name))]
    counted = Counter(values)
    if len(counted) <= _FEW_VALUES:
        return "values", tuple(sorted(counted)), 1.0
    numbers = [number for value in values if (number := _number(value)) is not None and value[0].isdigit()]
    if len(numbers) >= 0.9 * len(values) and float(np.std(numbers)) > 0:
        return "number", (), float(np.std(numbers))
    return "meaning", (), 1.0
