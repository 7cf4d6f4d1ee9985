"""A static reidentifier: sums of word vectors against sums of profile-feature vectors, taught by documents of others.

p(profile | document) is a softmax over profiles of one inner product. On the document's side every distinct word and
every pair of neighbours adds its vector; on the profile's side every feature does. Nothing depends on its place, so a
text is read in a fraction of a millisecond, an exact search over masks can follow, and yet paraphrase counts: a word's
vector starts from an encoder's output for the word alone. With thousands of documents about other people an adversary
finds more with this than with any term matching. Source: Morris 2022 §4 with static encoders (METHODS §5).
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from unname.draws import draw
from unname.errors import ModelError
from unname.reidentifiers.base import About, Float32Array, FloatArray, profile_text
from unname.reidentifiers.learned.additive import (
    MOST_NUMBER,
    MOST_WEIGHTS,
    field_features,
    frequent,
    json_bytes,
    profile_features,
    text_value,
    weigh,
    whole_number,
)
from unname.reidentifiers.learned.static_index import FieldFeatures, StaticIndex
from unname.reidentifiers.learned.static_training import (
    StaticExamples,
    StaticTraining,
    Vectors,
    learn_static,
    tokens_of,
)
from unname.reidentifiers.learned.training_examples import (
    FEWEST_EXAMPLES,
    TrainingExample,
    at_most,
    fold_of,
    trained_on,
    training_examples,
)
from unname.reidentifiers.learned.vectorindex import EXACT, MOST_BITS, longest, whole
from unname.reidentifiers.learned.wordtable import WordTable, word_table
from unname.reidentifiers.terms.neighbours import sequence
from unname.storage.files import MODEL, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, tensors
from unname.text import folded_words
from unname.types import Document, Profile

_NAMES = ("static.v1", "static-two.v1")
WEIGHTS = "weights.safetensors"
_FILES = (WEIGHTS, "tokens.json", "features.json")
MOST_WORDS, MOST_PAIRS, MOST_FEATURES, MOST_EXAMPLES = 50_000, 80_000, 40_000, 12_000
_HELD_OUT = 20
_LEAST_TO_HOLD_OUT = 200


@dataclass(slots=True)
class Static:
    """Vectors of words, pairs of neighbours and profile features, summed on either side.

    With several `halves` it learns from those people alone who are drawn for this `half`, so that two of them learn from
    different people. Learned: `vocabulary_` and `token_vectors_` (tokens × dimensions), `features_` and `feature_vectors_`,
    the `centre_` of the profiles' vectors, from which they are counted, the `bits_` of either side, and digests of the
    documents and of the ids of those people that it was `trained_on_` by. Fewer than `fewest` documents and passages teach
    nothing that holds. Meanings of words before learning come from a file of `word_vectors`, or from the shipped table.
    """

    trained: ClassVar[bool] = True
    training: StaticTraining = field(default_factory=StaticTraining)
    halves: int = 1
    half: int = 0
    seed: int = 0
    fewest: int = FEWEST_EXAMPLES
    word_vectors: Path | None = None
    name: str = "static.v1"
    vocabulary_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    token_vectors_: Float32Array = field(
        default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False
    )
    features_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    feature_vectors_: Float32Array = field(
        default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False
    )
    centre_: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    bits_: tuple[int, int] = field(default=(0, 0), repr=False, compare=False)
    trained_on_: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    @property
    def about(self) -> About:
        """Title, sentence, family; the title says which of two it is."""
        other = self.name.startswith("static-two")
        return About(
            f"Learned word vectors (static{', other teachers' if other else ''})",
            "Has read documents about other people, and adds up what every word and pair of neighbours says about a profile.",
            "learned",
            quick=True,
        )

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from documents whose person has a profile; if they are few, from passages of profiles as well.

        Too little to learn from is a ModelError.
        """
        taught = self._examples(profiles, documents)
        if len(taught) < max(self.fewest, 1):
            raise ModelError(
                f"static needs {self.fewest} documents of known people or passages of long profiles, to learn from; "
                f"there are {len(taught)}"
            )
        table = word_table(self.word_vectors)
        one = _taught(profiles, taught, table, self.training, self.seed)
        self.vocabulary_ = {token: row for row, token in enumerate(sorted(set(table.rows).union(one.vocabulary)))}
        self.features_ = dict(one.features)
        self.token_vectors_ = _tokens(self.vocabulary_, one, table)
        self.feature_vectors_ = one.learned.features
        about = {profiles[example.person].id for example in taught}
        self.trained_on_ = trained_on(profiles, [d for d in documents if d.person in about])
        vectors = self._vectors_of(profiles)
        # In the order of their ids: a sum of fractions shows in what order it was taken.
        self.centre_ = vectors[sorted(range(len(profiles)), key=lambda row: profiles[row].id)].mean(axis=0)
        self.bits_ = _bits(self.token_vectors_, vectors - self.centre_, one.longest)
        return self

    def _examples(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> list[TrainingExample]:
        """Its training examples: of its half of the people, of all if that would be too few."""
        taught = at_most(training_examples(profiles, documents, seed=self.seed), MOST_EXAMPLES, self.seed)
        split = f"static {self.seed}"
        own = [x for x in taught if fold_of(profiles[x.person].id, split, self.halves) == self.half]
        return own if self.halves > 1 and len(own) >= max(self.fewest, 1) else taught

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """Check whether there are enough documents of known people and passages of profiles."""
        return len(training_examples(profiles, documents, seed=self.seed)) >= max(self.fewest, 1)

    def _vectors_of(self, profiles: Sequence[Profile]) -> FloatArray:
        """Sums of the profiles' feature vectors: (profiles, dimensions) float64."""
        described = weigh([profile_features(profile) for profile in profiles], self.features_)
        return np.asarray(described @ self.feature_vectors_, np.float64)

    def index(self, profiles: Sequence[Profile]) -> StaticIndex:
        """Make a population searchable; new profiles are described by the features that were fitted."""
        if not len(self.feature_vectors_):
            raise ModelError("static must be fitted before it can index")
        vectors = self._vectors_of(profiles) - self.centre_
        left, right = self.bits_
        return StaticIndex(
            [p.id for p in profiles], self.vocabulary_, whole(self.token_vectors_, left), whole(vectors, right),
            MOST_BITS - left - right, self._fields_of(profiles),
        )  # fmt: skip

    def _fields_of(self, profiles: Sequence[Profile]) -> FieldFeatures:
        """Features by field; of one that stands for a word anywhere, each field that has the word gets a part."""
        names = sorted({name for profile in profiles for name in profile.fields})
        rows = [
            sorted(field_features(name, profile.fields.get(name, ""), alone=len(profile.fields) == 1))
            for profile in profiles for name in names
        ]  # fmt: skip
        return FieldFeatures(len(names), weigh(rows, self.features_), self.feature_vectors_)

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model: numbers as safetensors, everything else as JSON. It holds words of texts."""
        if not len(self.feature_vectors_):
            raise ModelError("static must be fitted before it can be saved")
        rows = {"tokens": self.token_vectors_, "features": self.feature_vectors_, "centre": self.centre_}
        contents = {
            WEIGHTS: save_tensors({name: np.ascontiguousarray(row) for name, row in rows.items()}),
            "tokens.json": json_bytes(sorted(self.vocabulary_, key=self.vocabulary_.__getitem__)),
            "features.json": json_bytes(sorted(self.features_, key=self.features_.__getitem__)),
        }
        about = {
            "format": f"unname-{self.name}", "name": self.name, "seed": self.seed, "bits": self.bits_,
            "taught": sorted(self.trained_on_),
            "files": {name: sha256(content).hexdigest() for name, content in contents.items()},
        }  # fmt: skip
        with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
            for name, content in (*contents.items(), ("model.json", json_bytes(about))):
                write_atomically(aside / name, content, private=True)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        require_plain(folder, frozenset((*_FILES, "model.json")))
        about = parse_json(read_bytes(folder / "model.json", MOST_JSON))
        if about.get("name") not in _NAMES or about.get("format") != f"unname-{about['name']}":
            raise ModelError("the model is of an unknown kind or version")
        contents = {name: read_bytes(folder / name, MOST_WEIGHTS if name == WEIGHTS else MOST_JSON) for name in _FILES}
        if about.get("files") != {name: sha256(content).hexdigest() for name, content in contents.items()}:
            raise ModelError("a file of the model is not the one its description names; fetch the model anew")
        try:
            made = cls._restored(about, contents)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, SafetensorError,
                RecursionError):  # fmt: skip
            raise ModelError("a model's description has a part that is missing or of the wrong kind") from None
        made._require_sound()
        return made

    @classmethod
    def _restored(cls, about: Mapping[str, Any], contents: Mapping[str, bytes]) -> Self:
        words, features = (json.loads(contents[name]) for name in _FILES[1:])
        if not all(isinstance(part, list) for part in (words, features, about["taught"])):
            raise ValueError("no list")
        made = cls(seed=whole_number(about["seed"]), name=about["name"])
        made.vocabulary_ = {text_value(word): row for row, word in enumerate(words)}
        made.features_ = {text_value(feature): row for row, feature in enumerate(features)}
        made.trained_on_ = frozenset(map(text_value, about["taught"]))
        left, right = map(whole_number, about["bits"])
        made.bits_ = (left, right)
        stated = tensors(contents[WEIGHTS])
        (width,) = stated["centre"].shape
        wanted = {"tokens": ("F32", (len(words), width)), "features": ("F32", (len(features), width)),
                  "centre": ("F64", (width,))}  # fmt: skip
        named_once = len(made.vocabulary_) == len(words) and len(made.features_) == len(features)
        if {name: (tensor.kind, tensor.shape) for name, tensor in stated.items()} != wanted or not named_once:
            raise ModelError("a model's weights are not those its description calls for")
        rows = load_tensors(contents[WEIGHTS])
        made.token_vectors_, made.feature_vectors_, made.centre_ = rows["tokens"], rows["features"], rows["centre"]
        return made

    def _require_sound(self) -> None:
        """Raise ModelError unless all numbers are such as learning gives, which sums can hold exactly."""
        left, right = self.bits_
        rows = (self.token_vectors_, self.feature_vectors_, self.centre_)
        sound = all(row.size and np.isfinite(row).all() and np.abs(row).max() < MOST_NUMBER for row in rows)
        sound = sound and -60 <= left <= 60 and -60 <= right <= 60 and left + right <= MOST_BITS
        if not sound or longest(whole(self.token_vectors_, left)) >= EXACT:
            raise ModelError("a model's weights hold something that is no number, or an absurd one")


@dataclass(frozen=True, slots=True, repr=False)
class OneStatic:
    """Learned vectors, with the rows of their tokens and features, and the number of tokens of the longest text."""

    vocabulary: Mapping[str, int]
    features: Mapping[str, int]
    learned: Vectors
    longest: int


def _taught(
    profiles: Sequence[Profile],
    taught: Sequence[TrainingExample],
    table: WordTable,
    training: StaticTraining,
    seed: int,
) -> OneStatic:
    """The weights that the examples teach."""
    people = sorted({example.person for example in taught}, key=lambda row: profiles[row].id)
    place = {person: row for row, person in enumerate(people)}
    read = [sequence(example.text) for example in taught]
    vocabulary = _vocabulary(read)
    described = [profile_features(profiles[person]) for person in people]
    # A feature that only a few people share is learned as their fingerprint, not by its meaning.
    rarest = 5 if len(people) > 1000 else 2 if len(people) > 100 else 1
    features = frequent(described, rarest=rarest, most=MOST_FEATURES)
    words = sorted({word for row in read for word in row if word in table.rows})
    profile_words = [frozenset(folded_words(profile_text(profiles[person]))) for person in people]
    about = [place[example.person] for example in taught]
    held = _held_out([profiles[person].id for person in people], seed)
    learned = learn_static(
        StaticExamples(read, about, weigh(described, features), profile_words, held[about]), vocabulary,
        dict(zip(words, table.of(words), strict=True)), _starts(features, table), training, seed=seed,
    )  # fmt: skip
    return OneStatic(vocabulary, features, learned, max((len(tokens_of(row)) for row in read), default=1))


def _vocabulary(read: Sequence[Sequence[str]]) -> dict[str, int]:
    """Rows of the words, spans of years and pairs that are learned: those of two texts, the most frequent of many."""
    frequency = Counter(token for row in read for token in tokens_of(row))
    often = sorted((-many, token) for token, many in frequency.items() if many >= 2)
    words = [token for _, token in often if " " not in token][:MOST_WORDS]
    both = [token for _, token in often if " " in token][:MOST_PAIRS]
    return {token: row for row, token in enumerate(sorted(words) + sorted(both))}


def _starts(features: Mapping[str, int], table: WordTable) -> Float32Array:
    """The starting vectors of features: those that are words at the words' entries in the table, others at zeros."""
    return table.of([name.partition("=")[2] for name in sorted(features, key=features.__getitem__)])


def _held_out(people: Sequence[str], seed: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The people who are only examined, as flags: one in twenty, drawn by hash; nobody if few would be left."""
    drawn = np.array([draw("held out", seed, person)[0] * _HELD_OUT < 256 for person in people], np.bool_)
    return drawn if len(people) >= _LEAST_TO_HOLD_OUT else np.zeros(len(people), np.bool_)


def _spread(rows: Mapping[str, int], known: Mapping[str, int], vectors: Float32Array) -> Float32Array:
    """Vectors of known terms at their rows, nothing elsewhere: (rows, dimensions) float32."""
    spread = np.zeros((len(rows), vectors.shape[1]), np.float32)
    spread[[rows[term] for term in known]] = vectors[list(known.values())]
    return spread


def _tokens(rows: Mapping[str, int], one: OneStatic, table: WordTable) -> Float32Array:
    """Vectors of all tokens: their learned ones, and the map's output for the table's words."""
    vectors = _spread(rows, one.vocabulary, one.learned.tokens)
    vectors[[rows[word] for word in table.rows]] += table.vectors @ one.learned.lift
    return vectors


def _bits(tokens: Float32Array, profiles: FloatArray, long: int) -> tuple[int, int]:
    """Binary digits after the point for either side, so that few texts are too long for single precision.

    Vectors of tokens hardly point the same way: a text is about as long as the root of their number.
    """
    usual = float(np.sqrt(long) * np.sqrt((tokens * tokens).sum(axis=1).mean()))
    one, other = max(usual, 2.0**-20), max(longest(profiles), 2.0**-20)
    together = int(max(8, min(MOST_BITS, np.floor(np.log2(EXACT / (one * other))))))
    # A single token is many times shorter than a profile.
    left = (together + 3) // 2
    while left > 2 and longest(whole(tokens, left)) >= EXACT:
        left -= 1
    return left, together - left


def static_two_v1(
    halves: int = 2, seed: int = 0, fewest: int = FEWEST_EXAMPLES, word_vectors: Path | None = None
) -> Static:
    """Another static reidentifier, taught by the other half of the people: a search hides from both."""
    return Static(halves=halves, half=1, seed=seed, fewest=fewest, word_vectors=word_vectors, name="static-two.v1")
