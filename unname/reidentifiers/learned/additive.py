"""A trained additive reidentifier: documents of other people teach it the words that fit each person.

p(profile | document) is a softmax over profiles of a sum over the document's distinct words: each word's vector times
the profile's, which is the sum of its features' vectors, and a learned weight for every field that says the same word.
"Whig" then speaks for 1840 and "Yale" for Connecticut, and because the score is a sum over words, an exact search over
masks can serve it. Source: Morris 2022 §4 (full softmax over profiles, word dropout), with linear encoders.

One model alone is fooled by noise: a word that happens to count for others makes a crowd where there is none. So the
score is the mean of several models', each taught by half of the people; that is one model again, with longer vectors.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors
from scipy import sparse

from unname.errors import ModelError
from unname.reidentifiers.base import About, FloatArray, rounded
from unname.reidentifiers.learned.additive_training import AdditiveTraining, AdditiveWeights, KnownPeople, learn
from unname.reidentifiers.learned.descent import Float32Array
from unname.reidentifiers.learned.training_examples import (
    FEW_DOCUMENTS,
    FEWEST_EXAMPLES,
    FOLDS,
    at_most,
    enough_examples,
    fold_of,
    trained_on,
    training_examples,
)
from unname.reidentifiers.learned.vectorindex import EXACT, MOST_BITS, VectorIndex, fitting_bits, longest, whole
from unname.reidentifiers.terms.facts import facts
from unname.reidentifiers.terms.termindex import TermIndex, by_term
from unname.reidentifiers.terms.wordcounts import most_frequent
from unname.storage.files import MODEL, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, tensors
from unname.text import folded_words
from unname.types import Document, Profile

FORMAT = "unname-additive.v1"
WEIGHTS = "weights.safetensors"
_FILES = (WEIGHTS, "words.json", "features.json", "frequency.json")
MOST_NUMBER = 1e4
MOST_WEIGHTS = 1 << 30
MOST_WORDS = 50_000
MOST_FEATURES = 40_000
MOST_EXAMPLES = 12_000
MODELS = 4
_FEW_WORDS = 8
_LONG_ENOUGH = 4
_SHORT = 256


def profile_features(profile: Profile) -> list[str]:
    """The features of a profile, by field and anywhere in it: words, and figures with their neighbourhoods, sorted.

    Of fields of a few words also the beginning and end of each word: these a rare name shares with others of the same
    sex and origin.
    """
    alone = len(profile.fields) == 1
    return sorted({term for name, value in profile.fields.items() for term in field_features(name, value, alone=alone)})


def field_features(name: str, value: str, *, alone: bool = False) -> tuple[str, ...]:
    """The features of one field of a profile; of a field that is `alone`, only those bound to the field."""
    return (_remembered if len(value) <= _SHORT else _field_features)(name, value, alone)


def _field_features(name: str, value: str, alone: bool) -> tuple[str, ...]:
    words = folded_words(value)
    terms = [*words, *(f"#{fact}" for fact in facts(value))]
    features = [f"={word}" for word in terms] + ([] if alone else [f"{name}={word}" for word in terms])
    if len(words) <= _FEW_WORDS:
        letters = [word for word in words if len(word) >= _LONG_ENOUGH and word.isalpha()]
        features += [f"{name}^{word[:3]}" for word in letters]
        features += [f"{name}${word[-length:]}" for word in letters for length in (2, 3)]
    return tuple(dict.fromkeys(features))


# Everybody who learns or is asked reads the same profiles: most of their values are short, and many alike.
_remembered = lru_cache(maxsize=1 << 16)(_field_features)


def frequent(rows: Sequence[Sequence[str]], *, rarest: int, most: int) -> dict[str, int]:
    """Column of each term that at least `rarest` rows hold, the most frequent ones if there are too many."""
    frequency = Counter(term for row in rows for term in row)
    return {term: column for column, term in enumerate(most_frequent(frequency, rarest=rarest, most=most))}


@dataclass(slots=True)
class Additive:
    """Word vectors times profile-feature vectors, and learned weights of same-word matches by profile field.

    `models` are taught, two by two by either half of the people; where there are fewer than 1,000 texts only two, by all.
    Learned: `vocabulary_` and `word_vectors_` (words × dimensions of all models), `features_` and `feature_vectors_`,
    `matches_` (by field), `frequency_` (the number of the `profiles_` with each word), the `centre_` of the profiles'
    vectors, from which they are counted, so that a word speaks for people it fits better than the average, the `bits_` of
    either side, and digests of the documents and of the ids of those people that it was `trained_on_` by.
    Fewer than `fewest` documents and passages teach nothing that holds.
    """

    about: ClassVar[About] = About(
        "Learned word associations",
        "Has learned which words fit which kind of person, beyond those that a profile says.",
        "learned",
        needed=True,
        in_rounds=True,
    )
    trained: ClassVar[bool] = True
    training: AdditiveTraining = field(default_factory=AdditiveTraining)
    models: int = MODELS
    seed: int = 0
    fewest: int = FEWEST_EXAMPLES
    name: str = "additive.v1"
    vocabulary_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    word_vectors_: Float32Array = field(default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False)
    features_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    feature_vectors_: Float32Array = field(
        default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False
    )
    matches_: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    frequency_: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    profiles_: int = field(default=0, repr=False, compare=False)
    centre_: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    bits_: tuple[int, int] = field(default=(0, 0), repr=False, compare=False)
    trained_on_: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from documents whose person has a profile; if they are few, from passages of profiles as well.

        Too little to learn from is a ModelError.
        """
        return self.join(profiles, documents, [self.part(profiles, documents, n) for n in range(self.models)])

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        """Check whether there are `fewest` documents and passages together."""
        return enough_examples(profiles, documents, max(self.fewest, 1))

    def part(self, profiles: Sequence[Profile], documents: Sequence[Document], number: int) -> "OneModel | None":
        """One of the models, taught by its half of the people, None if it is not needed; errors as of `fit`."""
        taught = at_most(training_examples(profiles, documents, seed=self.seed), MOST_EXAMPLES, self.seed)
        if len(taught) < max(self.fewest, 1):
            raise ModelError(
                f"additive needs {self.fewest} documents of known people or passages of long profiles, to learn from; "
                f"there are {len(taught)}"
            )
        if len(taught) < FEW_DOCUMENTS and number >= FOLDS:
            return None
        split = f"half {self.seed} {number // FOLDS}"
        half = [x for x in taught if fold_of(profiles[x.person].id, split) == number % FOLDS]
        if (
            len(taught) >= FEW_DOCUMENTS
            and FEWEST_EXAMPLES <= len(half) <= len(taught) - FEWEST_EXAMPLES
            and self.models > 1
        ):
            taught = half
        people = sorted({example.person for example in taught}, key=lambda row: profiles[row].id)
        place = {person: row for row, person in enumerate(people)}
        read = [list(dict.fromkeys(folded_words(example.text))) for example in taught]
        described = [profile_features(profiles[person]) for person in people]
        vocabulary = frequent(read, rarest=2 if len(read) > 100 else 1, most=MOST_WORDS)
        # A feature that only a few people share is learned as their fingerprint, not by its meaning.
        rarest = 5 if len(people) > 1000 else 2 if len(people) > 100 else 1
        features = frequent(described, rarest=rarest, most=MOST_FEATURES)
        names = sorted({name for person in people for name in profiles[person].fields})
        known = KnownPeople(
            [profiles[person].id for person in people], weigh(described, features),
            [_words_by_field(profiles[person]) for person in people], names, _rarity(_frequency(profiles), len(profiles)),
        )  # fmt: skip
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        about = [place[example.person] for example in taught]
        learned = learn(read, about, vocabulary, known, self.training, seed=seed)
        return OneModel(vocabulary, features, names, learned)

    def join(
        self, profiles: Sequence[Profile], documents: Sequence[Document], made: Sequence["OneModel | None"]
    ) -> Self:
        """Become one model whose scores are the mean of those of several that `part` made; returns self."""
        parts = [part for part in made if part is not None]
        self.profiles_, self.frequency_ = len(profiles), _frequency(profiles)
        share = np.float32(1 / len(parts))
        self.vocabulary_ = {word: row for row, word in enumerate(sorted(set().union(*(p.vocabulary for p in parts))))}
        self.features_ = {name: row for row, name in enumerate(sorted(set().union(*(p.features for p in parts))))}
        self.word_vectors_ = _side_by_side(self.vocabulary_, [(p.vocabulary, p.learned.words * share) for p in parts])
        self.feature_vectors_ = _side_by_side(self.features_, [(p.features, p.learned.features) for p in parts])
        weights: dict[str, list[float]] = {}
        for part in parts:
            for name, weight in zip(part.names, part.learned.matches.tolist(), strict=True):
                weights.setdefault(name, []).append(weight)
        self.matches_ = {name: sum(row) / len(row) for name, row in sorted(weights.items())}
        self.trained_on_ = trained_on(profiles, documents)
        vectors = self._vectors_of(profiles)
        # In the order of their ids: a sum of fractions shows in what order it was taken.
        self.centre_ = vectors[sorted(range(len(profiles)), key=lambda row: profiles[row].id)].mean(axis=0)
        self.bits_ = fitting_bits(self.word_vectors_, vectors - self.centre_)
        return self

    def _vectors_of(self, profiles: Sequence[Profile]) -> FloatArray:
        """Sums of the profiles' feature vectors: (profiles, dimensions) float64."""
        described = weigh([profile_features(profile) for profile in profiles], self.features_)
        return np.asarray(described @ self.feature_vectors_, np.float64)

    def index(self, profiles: Sequence[Profile]) -> VectorIndex:
        """Make a population searchable; new profiles are described by the features that were fitted."""
        if not len(self.feature_vectors_):
            raise ModelError("additive must be fitted before it can index")
        vectors = self._vectors_of(profiles) - self.centre_
        left, right = self.bits_
        return VectorIndex(
            [p.id for p in profiles], self.vocabulary_, whole(self.word_vectors_, left), whole(vectors, right),
            MOST_BITS - left - right, self._matches_of(profiles),
        )  # fmt: skip

    def _matches_of(self, profiles: Sequence[Profile]) -> TermIndex:
        """The weights of profiles' words when a document has them too; a field unknown in fitting counts as the average."""
        rarity = _rarity(self.frequency_, self.profiles_)
        unseen = float(np.log1p(self.profiles_))
        usual = sum(self.matches_.values()) / len(self.matches_) if self.matches_ else 0.0
        vocabulary: dict[str, int] = {}
        columns: list[int] = []
        weights: list[float] = []
        ends = [0]
        for profile in profiles:
            total: dict[str, float] = {}
            for name, words in _words_by_field(profile).items():
                weight = self.matches_.get(name, usual)
                for word in words:
                    total[word] = total.get(word, 0.0) + weight
            for word in sorted(total):
                columns.append(vocabulary.setdefault(word, len(vocabulary)))
                weights.append(total[word] * rarity.get(word, unseen))
            ends.append(len(columns))
        counts = sparse.csr_array(
            (np.ones(len(columns), np.int32), np.array(columns, np.int32), np.array(ends)),
            shape=(len(profiles), len(vocabulary)),
        )
        data: FloatArray = np.array(weights, np.float64)
        return TermIndex([p.id for p in profiles], vocabulary, by_term(rounded(data), counts))

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model: numbers as safetensors, everything else as JSON. It holds words of texts."""
        if not len(self.feature_vectors_):
            raise ModelError("additive must be fitted before it can be saved")
        rows = {"words": self.word_vectors_, "features": self.feature_vectors_, "centre": self.centre_}
        contents = {
            WEIGHTS: save_tensors({name: np.ascontiguousarray(row) for name, row in rows.items()}),
            "words.json": json_bytes(sorted(self.vocabulary_, key=self.vocabulary_.__getitem__)),
            "features.json": json_bytes(sorted(self.features_, key=self.features_.__getitem__)),
            "frequency.json": json_bytes(self.frequency_),
        }
        about = {
            "format": FORMAT, "name": self.name, "seed": self.seed, "profiles": self.profiles_, "bits": self.bits_,
            "matches": self.matches_, "taught": sorted(self.trained_on_),
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
        if about.get("format") != FORMAT or about.get("name") != "additive.v1":
            raise ModelError("the model is of an unknown kind or version")
        contents = {name: read_bytes(folder / name, MOST_WEIGHTS if name == WEIGHTS else MOST_JSON) for name in _FILES}
        if about.get("files") != {name: sha256(content).hexdigest() for name, content in contents.items()}:
            raise ModelError("a file of the model is not the one its description names; fetch the model anew")
        try:
            made = cls._restored(about, contents)
        except (
            KeyError,
            IndexError,
            TypeError,
            ValueError,
            AttributeError,
            OverflowError,
            RecursionError,
            SafetensorError,
        ):
            raise ModelError("a model's description has a part that is missing or of the wrong kind") from None
        made._require_sound()
        return made

    @classmethod
    def _restored(cls, about: Mapping[str, Any], contents: Mapping[str, bytes]) -> Self:
        words, features, frequency = (json.loads(contents[name]) for name in _FILES[1:])
        if not all(isinstance(part, list) for part in (words, features, about["taught"])):
            raise ValueError("no list")
        made = cls(seed=whole_number(about["seed"]))
        made.vocabulary_ = {text_value(word): row for row, word in enumerate(words)}
        made.features_ = {text_value(feature): row for row, feature in enumerate(features)}
        made.frequency_ = {word: whole_number(held) for word, held in frequency.items()}
        made.matches_ = {name: float(_number(weight)) for name, weight in about["matches"].items()}
        made.profiles_, made.trained_on_ = whole_number(about["profiles"]), frozenset(map(text_value, about["taught"]))
        left, right = map(whole_number, about["bits"])
        made.bits_ = (left, right)
        stated = tensors(contents[WEIGHTS])
        (width,) = stated["centre"].shape
        wanted = {"words": ("F32", (len(words), width)), "features": ("F32", (len(features), width)),
                  "centre": ("F64", (width,))}  # fmt: skip
        named_once = len(made.vocabulary_) == len(words) and len(made.features_) == len(features)
        if {name: (tensor.kind, tensor.shape) for name, tensor in stated.items()} != wanted or not named_once:
            raise ModelError("a model's weights are not those its description calls for")
        rows = load_tensors(contents[WEIGHTS])
        made.word_vectors_, made.feature_vectors_, made.centre_ = rows["words"], rows["features"], rows["centre"]
        return made

    def _require_sound(self) -> None:
        """Raise ModelError unless all numbers are such as learning gives, which sums can hold exactly."""
        left, right = self.bits_
        rows = (self.word_vectors_, self.feature_vectors_, self.centre_)
        sound = all(row.size and np.isfinite(row).all() and np.abs(row).max() < MOST_NUMBER for row in rows)
        sound = sound and all(np.isfinite(w) and abs(w) < MOST_NUMBER for w in self.matches_.values())
        sound = sound and -60 <= left <= 60 and -60 <= right <= 60 and left + right <= MOST_BITS
        sound = sound and min((self.profiles_, *self.frequency_.values())) > 0
        if not sound or longest(whole(self.word_vectors_, left)) >= EXACT:
            raise ModelError("a model's weights hold something that is no number, or an absurd one")


@dataclass(frozen=True, slots=True, repr=False)
class OneModel:
    """One of the models, with the columns of its words and features, and the fields it has weights for."""

    vocabulary: Mapping[str, int]
    features: Mapping[str, int]
    names: Sequence[str]
    learned: AdditiveWeights


def _side_by_side(rows: Mapping[str, int], parts: Sequence[tuple[Mapping[str, int], Float32Array]]) -> Float32Array:
    """Vectors of each part beside one another, nothing where a part does not know a term: (rows, all dimensions)."""
    vectors_of = np.zeros((len(rows), sum(vectors.shape[1] for _, vectors in parts)), np.float32)
    at = 0
    for known, vectors in parts:
        width = vectors.shape[1]
        vectors_of[[rows[term] for term in known], at : at + width] = vectors[list(known.values())]
        at += width
    return vectors_of


def whole_number(value: Any) -> int:
    """A whole number that JSON gave; ValueError for anything else, or an absurd one."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 1 << 53:
        raise ValueError("no whole number of a bearable size")
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError("no number")
    return value


def text_value(value: Any) -> str:
    """A string that JSON gave; ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def json_bytes(content: Any) -> bytes:
    """JSON on one line, as a file holds it."""
    return (json.dumps(content, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def _words_by_field(profile: Profile) -> dict[str, frozenset[str]]:
    """The distinct folded words of each field."""
    return {name: frozenset(folded_words(value)) for name, value in profile.fields.items()}


def _frequency(profiles: Sequence[Profile]) -> dict[str, int]:
    """The number of profiles that each word is in."""
    word_sets = (frozenset().union(*_words_by_field(profile).values()) for profile in profiles)
    return dict(sorted(Counter(word for words in word_sets for word in words).items()))


def _rarity(frequency: Mapping[str, int], profiles: int) -> dict[str, float]:
    """ln(1 + N / df) of every word in a profile."""
    return {word: float(np.log1p(profiles / held)) for word, held in frequency.items()}


def weigh(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> sparse.csr_array:
    """Features of profiles, all of a profile alike, together as long as √32: (profiles × features) float32."""
    known = [[columns[term] for term in row if term in columns] for row in rows]
    lengths = np.array([len(row) for row in known], np.int64)
    data = np.repeat(np.sqrt(32 / np.maximum(lengths, 1)), lengths).astype(np.float32)
    places = np.fromiter((place for row in known for place in row), np.int32, len(data))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_array((data, places, ends), shape=(len(rows), len(columns)))
