"""The attacker that understands: sentences of the text against the statements of each profile, by a frozen sentence encoder.

Each sentence is compared with a statement of each field ("I work as …") and with passages of long values. A field's
evidence is a soft best over the sentences, less the usual evidence of texts of others; fields count the same.
Source: METHODS §5 (authors); Staab 2024 for what texts without names give away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from unname.reidentifiers.base import SCALE, About, FloatArray, IntArray
from unname.reidentifiers.encoders.statements import one_line, sentences, statements
from unname.reidentifiers.encoders.understanding import Understanding
from unname.types import Document, Profile

# The factor by which the best sentences outweigh the others.
_SHARPNESS = 10.0
# Differences below this are rounding of what everybody shares.
_ROUNDING = 1e-9
# Passages of all people together, more or less; each has some.
_MOST_PASSAGES, _FEWEST_PASSAGES = 8_000, 4
# Texts of other people that say how likely a statement is to be met.
_MOST_TEXTS = 300


@dataclass(frozen=True, slots=True, repr=False)
class _Field:
    """Vectors of a field's statements, the first of each person's (sorted by `people`), and their owners.

    If people share statements, `codes` are the statement of each, −1 for none; else `starts` is each person's first one.
    """

    vectors: npt.NDArray[np.float32]
    codes: IntArray
    starts: IntArray | None = None

    def evidence(self, text: npt.NDArray[np.float32]) -> FloatArray:
        """The nearness of each statement, or of anybody's best passage, as a soft best over a text's sentences."""
        return np.asarray(np.log(self.raised(text).mean(axis=0)) / _SHARPNESS)

    def raised(self, text: npt.NDArray[np.float32]) -> FloatArray:
        """The terms of a soft best, before their mean: (sentences, statements or people)."""
        near = (text @ self.vectors.T).astype(np.float64)
        if self.starts is not None:
            near = np.maximum.reduceat(near, self.starts, axis=1)
        return np.asarray(np.exp(_SHARPNESS * near))


@dataclass(slots=True, repr=False)
class MeaningIndex:
    """Statements of a population as vectors, field by field, and the usual evidence for each."""

    people: tuple[str, ...]
    _model: "Meaning"
    _fields: tuple[_Field, ...]
    _usual: tuple[FloatArray, ...]

    def __repr__(self) -> str:
        return f"MeaningIndex({len(self.people)} people, {len(self._fields)} fields)"

    def scores(self, text: str) -> IntArray:
        """Summed evidence of all fields: (people,) int64 multiples of 2⁻²⁰."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64; no text changes another's scores."""
        scores = np.zeros((len(texts), len(self.people)), np.int64)
        for row, vectors in enumerate(self._model.embed_texts(texts)):
            if not len(vectors):
                continue
            total = np.zeros(len(self.people))
            for held, usual in zip(self._fields, self._usual, strict=True):
                total += _for_people(held.evidence(vectors) - usual, held.codes)
            scores[row] = np.rint(total * SCALE)
        return scores

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of people when a word goes: its tokens leave each sentence's mean, (words, columns)."""
        falls, place = np.zeros((len(words), len(columns))), {word: row for row, word in enumerate(words)}
        parts = self._model.taken_apart(sentences(text))
        rows = [(at, n, place[w]) for at, part in enumerate(parts) for n, w in enumerate(part.words) if w in place]
        if not rows:
            return falls
        whole = unit_length(np.stack([part.total for part in parts]))
        left = [part.without() for part in parts]
        less = unit_length(np.stack([left[at][n] for at, n, _ in rows]))
        sentence, word = (np.array([row[i] for row in rows], np.int64) for i in (0, 2))
        for held, usual in zip(self._fields, self._usual, strict=True):
            stated = held.codes >= 0
            now = held.raised(whole)
            total = now.sum(axis=0)
            values = (np.log(total / len(now)) / _SHARPNESS - usual)[held.codes[stated]]
            spread = values.std() if len(values) else 0.0
            if spread <= _ROUNDING:
                continue
            change = np.zeros((len(words), now.shape[1]))
            np.add.at(change, word, held.raised(less) - now[sentence])
            # Of a sentence nothing may be left: what remains of the sum is kept above nothing.
            fall = -np.log1p(np.maximum(change / total, -0.999)) / _SHARPNESS
            fall = (fall - fall[:, held.codes[stated]].mean(axis=1, keepdims=True)) / spread
            codes = held.codes[columns]
            falls[:, codes >= 0] += fall[:, codes[codes >= 0]]
        return np.asarray(falls * SCALE)


def unit_length(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows at length one; empty ones stay empty."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def _for_people(evidence: FloatArray, codes: IntArray) -> FloatArray:
    """A field's evidence for everybody, at mean 0 and deviation 1; 0 for people without a value."""
    stated = codes >= 0
    values = evidence[codes[stated]]
    spread = values.std() if len(values) else 0.0
    standardised = np.zeros(len(codes))
    if spread > _ROUNDING:
        standardised[stated] = (values - values.mean()) / spread
    return standardised


@dataclass(slots=True)
class Meaning(Understanding):
    """Compares each sentence of a text with the statements of each profile, by a frozen sentence encoder.

    `fit` reads texts of other people, without their ids, for the usual nearness of texts to each statement.
    """

    about: ClassVar[About] = About(
        "Meaning of sentences",
        "Holds each sentence against what a profile says, as a language model understands both.",
        "neural",
        quick=True,
        in_rounds=True,
    )
    trained: ClassVar[bool] = True
    name: str = "meaning.v1"
    texts_: tuple[str, ...] = field(default=(), repr=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Remember texts of other people; a missing encoder is a SettingsError, one that is no good a ModelError."""
        ordered = sorted(documents, key=lambda document: document.id)
        step = max(1, len(ordered) // _MOST_TEXTS)
        self.texts_ = tuple(document.text for document in ordered[::step][:_MOST_TEXTS])
        self.embed(())
        return self

    def index(self, profiles: Sequence[Profile]) -> MeaningIndex:
        """Embed the statements of everybody's profile; statements that people share once."""
        names = sorted({name for profile in profiles for name in profile.fields})
        most = max(_FEWEST_PASSAGES, _MOST_PASSAGES // max(1, len(profiles)))
        fields = [self._field([statements(name, p.fields.get(name, ""), most) for p in profiles]) for name in names]
        if len(names) > 1:
            short = [[(n, v) for n, v in profile.fields.items() if 0 < len(v.split()) <= 12] for profile in profiles]
            fields.append(self._field([[one_line(row)] if row else [] for row in short]))
        taught = self.embed_texts(self.texts_)
        taught = [vectors for vectors in taught if len(vectors)]
        usual = tuple(
            np.mean([held.evidence(vectors) for vectors in taught], axis=0) if taught else np.zeros(_width(held))
            for held in fields
        )
        return MeaningIndex(tuple(p.id for p in profiles), self, tuple(fields), usual)

    def _field(self, statements_of: Sequence[Sequence[str]]) -> _Field:
        if all(len(row) <= 1 for row in statements_of):
            distinct = {row[0]: 0 for row in statements_of if row}
            place = {statement: number for number, statement in enumerate(distinct)}
            codes = np.array([place[row[0]] if row else -1 for row in statements_of], np.int64)
            return _Field(self.embed(list(distinct)), codes)
        stated = [row for row in statements_of if row]
        starts = np.cumsum([0, *(len(row) for row in stated)])[:-1]
        codes = np.cumsum([1 if row else 0 for row in statements_of]) - 1
        codes[[not row for row in statements_of]] = -1
        vectors = self.embed([statement for row in stated for statement in row])
        return _Field(vectors, codes.astype(np.int64), starts.astype(np.int64))


def _width(held: _Field) -> int:
    return len(held.vectors) if held.starts is None else len(held.starts)
