"""A trained additive reidentifier: whom does each word fit? It is taught by documents of other people.

p(profile | document) is a softmax over profiles of a sum over the document's distinct words: each word's vector times
the profile's, which is the sum of its features' vectors, and a learned weight for every field that says the same word.
"Whig" then speaks for 1840 and "Yale" for Connecticut, and because the score is a sum over words, an exact search over
masks can serve it. Source: Morris 2022 §4 (full softmax over profiles, word dropout), with linear encoders.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from unname.errors import ModelError
from unname.reidentifiers.additive_training import Course, learn
from unname.reidentifiers.base import FloatArray, rounded
from unname.reidentifiers.facts import facts
from unname.reidentifiers.lessons import FEWEST_LESSONS, lessons
from unname.reidentifiers.termindex import TermIndex, by_term
from unname.reidentifiers.vectorindex import MOST_BITS, Float32Array, VectorIndex, fitting_bits, whole
from unname.text import folded_words
from unname.types import Document, Profile

MOST_WORDS = 50_000
MOST_FEATURES = 40_000
MOST_LESSONS = 12_000


def profile_features(profile: Profile) -> list[str]:
    """What a profile says, by field and wherever it stands: words, and figures with their neighbourhoods, sorted."""
    found: set[str] = set()
    alone = len(profile.fields) == 1
    for name, value in profile.fields.items():
        said = [*folded_words(value), *(f"#{fact}" for fact in facts(value))]
        found.update(f"={word}" for word in said)
        if not alone:
            found.update(f"{name}={word}" for word in said)
    return sorted(found)


def frequent(rows: Sequence[Sequence[str]], *, rarest: int, most: int) -> dict[str, int]:
    """Column of each term that at least `rarest` rows hold, the most frequent ones where there are too many."""
    frequency = Counter(term for row in rows for term in row)
    kept = sorted((term for term, held in frequency.items() if held >= rarest), key=lambda t: (-frequency[t], t))
    return {term: column for column, term in enumerate(sorted(kept[:most]))}


@dataclass(slots=True)
class Additive:
    """Word vectors times profile-feature vectors, and learned weights of same-word matches by profile field.

    Learned: `vocabulary_` and `word_vectors_` (words × dimensions), `features_` and `feature_vectors_`, `matches_` (by
    field), `frequency_` (in how many of the `profiles_` each word is), the `centre_` of the profiles' vectors, from which
    they are counted, so that a word speaks for whom it fits better than the average, and the `bits_` of either side.
    Fewer than `fewest` documents and passages teach nothing that holds.
    """

    trained: ClassVar[bool] = True
    course: Course = field(default_factory=Course)
    seed: int = 0
    fewest: int = FEWEST_LESSONS
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

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn from documents whose person has a profile; where they are few, from passages of profiles as well.

        Too little to learn from is a ModelError.
        """
        taught = lessons(profiles, documents, seed=self.seed)
        if len(taught) > MOST_LESSONS:
            drawn = np.random.default_rng(self.seed).permutation(len(taught))[:MOST_LESSONS]
            taught = [taught[i] for i in sorted(drawn)]
        if len(taught) < max(self.fewest, 1):
            raise ModelError(
                f"additive needs {self.fewest} documents of known people or passages of long profiles, to learn from; "
                f"there are {len(taught)}"
            )
        people = sorted({lesson.person for lesson in taught})
        place = {person: row for row, person in enumerate(people)}
        read = [list(dict.fromkeys(folded_words(lesson.text))) for lesson in taught]
        described = [profile_features(profiles[person]) for person in people]
        self.vocabulary_ = frequent(read, rarest=2 if len(read) > 100 else 1, most=MOST_WORDS)
        self.features_ = frequent(described, rarest=2 if len(people) > 100 else 1, most=MOST_FEATURES)
        self.profiles_ = len(profiles)
        said = [_said(profile) for profile in profiles]
        self.frequency_ = dict(Counter(word for row in said for word in set().union(*row.values())))
        names = sorted({name for person in people for name in profiles[person].fields})
        learned = learn(
            read, [place[lesson.person] for lesson in taught], self.vocabulary_,
            _weigh(described, self.features_), [said[person] for person in people], names, self._rarity(),
            self.course, seed=self.seed,
        )  # fmt: skip
        self.word_vectors_, self.feature_vectors_ = learned.words, learned.features
        self.matches_ = dict(zip(names, learned.matches.tolist(), strict=True))
        vectors = self._vectors_of(profiles)
        self.centre_ = vectors.mean(axis=0)
        self.bits_ = fitting_bits(self.word_vectors_, vectors - self.centre_)
        return self

    def _vectors_of(self, profiles: Sequence[Profile]) -> FloatArray:
        """Sums of the profiles' feature vectors: (profiles, dimensions) float64."""
        described = _weigh([profile_features(profile) for profile in profiles], self.features_)
        return np.asarray(described @ self.feature_vectors_, np.float64)

    def _rarity(self) -> dict[str, float]:
        """ln(1 + N / df) of every word that a profile says."""
        return {word: float(np.log1p(self.profiles_ / held)) for word, held in self.frequency_.items()}

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
        """What the words of profiles weigh where a document says them too; a field unknown in fitting as the average."""
        rarity = self._rarity()
        unseen = float(np.log1p(self.profiles_))
        usual = sum(self.matches_.values()) / len(self.matches_) if self.matches_ else 0.0
        vocabulary: dict[str, int] = {}
        columns: list[int] = []
        weights: list[float] = []
        ends = [0]
        for profile in profiles:
            total: dict[str, float] = {}
            for name, words in _said(profile).items():
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


def _said(profile: Profile) -> dict[str, frozenset[str]]:
    """The distinct folded words of each field."""
    return {name: frozenset(folded_words(value)) for name, value in profile.fields.items()}


def _weigh(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> sparse.csr_array:
    """Features of profiles, all of a profile alike, together as long as √32: (profiles × features) float32."""
    known = [[columns[term] for term in row if term in columns] for row in rows]
    lengths = np.array([len(row) for row in known], np.int64)
    data = np.repeat(np.sqrt(32 / np.maximum(lengths, 1)), lengths).astype(np.float32)
    places = np.fromiter((place for row in known for place in row), np.int32, len(data))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_array((data, places, ends), shape=(len(rows), len(columns)))
