"""Attackers that read something other than single words: figures, phrases, names, word pairs, sound.

Each is the same cosine (`termindex.cosine_weights`) over another family of features, so that two of them
differ in the features they read, not in their weights. None of them is used in masking; the audit holds them out for that.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from typing import ClassVar, Self

import numpy as np

from unname.errors import ModelError
from unname.reidentifiers.base import About, IntArray, profile_text
from unname.reidentifiers.terms.facts import facts
from unname.reidentifiers.terms.termindex import FeatureIndex, TermIndex, cosine_weights
from unname.reidentifiers.terms.wordcounts import UntilIndexed, WordCounts, count_read
from unname.text import GAP, Reader, fold, folded_words, places, words
from unname.types import Document, Profile

# A word that does not begin with a to z or a digit. The look back says where a word begins after its first letter is
# read, because a pattern that begins with a class of characters is searched for several times faster.
_NOT_PLAINLY_SMALL = re.compile(r"[^\W\d_a-z](?<!\w.)\w*")
_BETWEEN_NAMES = re.compile(r"[\s.'’-]{1,3}")
_LONG_WORD = re.compile(r"\w{5,}")
_SOUNDS_ALIKE = str.maketrans("zkqdbvj", "sccttfg")


def phrases(text: str) -> list[str]:
    """Two and three words in a row; a gap ends a row."""
    rows: list[str] = []
    for stretch in text.split(GAP):
        row = folded_words(text) if stretch == text else [word.folded for word in words(stretch)]
        rows += map(" ".join, zip(row, row[1:], strict=False))
        rows += map(" ".join, zip(row, row[1:], row[2:], strict=False))
    return rows


def pairs(text: str, reach: int = 5) -> list[str]:
    """Two words at most `reach` apart, in either order, over gaps as well."""
    row = folded_words(text)
    near = chain.from_iterable(zip(row, row[apart:], strict=False) for apart in range(1, reach + 1))
    return [f"{one} {other}" if one < other else f"{other} {one}" for one, other in near]


def proper_names(text: str) -> list[str]:
    """Words of two letters or more that begin with a capital (any letter that is not small), and neighbours of them."""
    names: list[str] = []
    last, end = "", 0
    for match in _NOT_PLAINLY_SMALL.finditer(text):
        first = match.group()[0]
        if not first.isalpha() or first.islower():
            continue
        beside = bool(last) and _BETWEEN_NAMES.fullmatch(text, end, match.start()) is not None
        if not beside and len(match.group()) < 2:
            continue
        name = fold(match.group())
        names += [name, f"{last} {name}"] if beside else [name]
        last, end = name, match.end()
    return names


def skeletons(text: str) -> list[str]:
    """Words as they sound: first letter and consonants, near ones merged, doubled ones once."""
    return [skeleton for word in folded_words(text) if len(skeleton := _skeleton(word)) >= 2]


@lru_cache(maxsize=1 << 16)
def _skeleton(word: str) -> str:
    rest = re.sub(r"[aeiouyhw]+", "", word[1:])
    return re.sub(r"(.)\1+", r"\1", (word[0] + rest).translate(_SOUNDS_ALIKE))


def runs(text: str) -> list[str]:
    """Runs of five characters that cross a border between words, punctuation included: turns of phrase and format."""
    pieces, size = [], 5
    for stretch in text.lower().split(GAP):
        line = " ".join(stretch.split())
        start = 0
        for word in _LONG_WORD.finditer(line):
            pieces += [line[i : i + size] for i in range(start, word.start())]
            start = word.end() - size + 1  # the first run that reaches beyond the word
        pieces += [line[i : i + size] for i in range(start, len(line) - size + 1)]
    return pieces


_UNNAMED = About(
    "Shared features",
    "Looks for the profile that shares the rarest features with the text.",
    "words",
)


@dataclass(slots=True)
class FeatureCosine:
    """TF-IDF cosine over any family of features: unit length on the profile side, presence on the document's."""

    name: str
    extract: Reader
    about: About = field(default=_UNNAMED, repr=False, compare=False)
    profiles_: int = field(default=0, repr=False)
    frequency_: dict[str, int] = field(default_factory=dict, repr=False)
    _counted: UntilIndexed[WordCounts] = field(default_factory=UntilIndexed, repr=False, compare=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn in how many profiles each feature occurs."""
        counted = self._counted.keep(profiles, count_read(profiles, self.extract))
        self.profiles_, self.frequency_ = len(profiles), counted.frequency
        return self

    def index(self, profiles: Sequence[Profile]) -> FeatureIndex:
        """Weigh every feature of every profile."""
        if not self.profiles_:
            raise ModelError(f"{self.name} must be fitted before it can index")
        counted = self._counted.take(profiles) or count_read(profiles, self.extract)
        matrix = cosine_weights(counted, self.frequency_, self.profiles_)
        vocabulary = counted.columns
        split = partial(_known, self.extract, vocabulary)
        return FeatureIndex(TermIndex([p.id for p in profiles], vocabulary, matrix, split=split))


def _known(extract: Reader, vocabulary: Mapping[str, int], text: str) -> list[str]:
    """Features of a text that some profile has; most have none, and an index would look each up to add nothing."""
    return [feature for feature in extract(text) if feature in vocabulary]


@dataclass(slots=True, repr=False)
class PassageIndex:
    """Scores of people as the best of their passages'; passages (columns of `_passages`) stand in person order."""

    people: tuple[str, ...]
    _passages: FeatureIndex
    _starts: IntArray

    def scores(self, text: str) -> IntArray:
        """The best passage of every profile: (people,) int64."""
        return np.asarray(self.scores_of([text])[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        return np.asarray(np.maximum.reduceat(self._passages.scores_of(texts), self._starts, axis=1))


@dataclass(slots=True)
class PassageCosine:
    """Matching with the best passage of a profile: overlapping stretches of `size` words, each weighed on its own.

    A long profile is about many things; the sentence that tells the same story drowns in it unless it stands alone.
    """

    about: ClassVar[About] = About(
        "Best-matching profile passage (phonetic)",
        "Looks for the one passage of a profile that sounds most like the text.",
        "words",
        quick=True,
    )
    size: int = 40
    extract: Reader = skeletons
    name: str = "passages.v1"
    cosine_: FeatureCosine | None = field(default=None, repr=False)
    _cuts: UntilIndexed[tuple[tuple[Profile, ...], IntArray]] = field(
        default_factory=UntilIndexed, repr=False, compare=False
    )

    def _cut(self, profiles: Sequence[Profile]) -> tuple[tuple[Profile, ...], IntArray]:
        passages: list[Profile] = []
        starts = []
        for profile in profiles:
            starts.append(len(passages))
            text = profile_text(profile)
            at = [start for start, _ in places(text)][:: self.size // 2] or [0]
            ends = [*at[2:], len(text), len(text)][: len(at)]
            # The last start would give half a passage that the one before holds already.
            pieces = list(zip(at, ends, strict=True))[: max(1, len(at) - 1)]
            passages += [Profile("", {"": text[a:b]}) for a, b in pieces]
        return tuple(passages), np.array(starts, np.int64)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn in how many passages each feature occurs."""
        passages, _ = self._cuts.keep(profiles, self._cut(profiles))
        self.cosine_ = FeatureCosine(self.name, self.extract).fit(passages)
        return self

    def index(self, profiles: Sequence[Profile]) -> PassageIndex:
        """Weigh every passage of every profile."""
        if self.cosine_ is None:
            raise ModelError("passages must be fitted before it can index")
        passages, starts = self._cuts.take(profiles) or self._cut(profiles)
        return PassageIndex(tuple(p.id for p in profiles), self.cosine_.index(passages), starts)


def facts_v1() -> FeatureCosine:
    """Matching by figures, however they are written: the same dates, years and numbers."""
    sentence = "Looks for the profile that states the same dates, years and numbers."
    return FeatureCosine(
        "facts.v1", facts, About("Shared dates and numbers", sentence, "words", quick=True, in_rounds=True)
    )


def phrases_v1() -> FeatureCosine:
    """Matching by phrases: two and three words in a row."""
    sentence = "Looks for the profile that shares two or three words in a row."
    return FeatureCosine("phrases.v1", phrases, About("Shared phrases", sentence, "words", quick=True, in_rounds=True))


def pairs_v1() -> FeatureCosine:
    """Matching by pairs: two words near each other, in either order."""
    sentence = "Looks for the profile that names the same two things near each other."
    return FeatureCosine(
        "pairs.v1", pairs, About("Shared pairs of words", sentence, "words", quick=True, in_rounds=True)
    )


def names_v1() -> FeatureCosine:
    """Matching by names: words written with a capital, and neighbours among them."""
    sentence = "Looks for the profile that shares the words written with a capital."
    about = About("Shared capitalised names", sentence, "words", quick=True, in_rounds=True)
    return FeatureCosine("names.v1", proper_names, about)


def skeletons_v1() -> FeatureCosine:
    """Matching by sound: words that are misspelt or spelt otherwise agree."""
    sentence = "Compares words by their sound, so that misspellings do not matter."
    return FeatureCosine("skeletons.v1", skeletons, About("Words that sound alike", sentence, "words", in_rounds=True))


def runs_v1() -> FeatureCosine:
    """Matching by runs of five characters across words: turns of phrase and format."""
    sentence = "Compares five characters at a time across words: turns of phrase and format."
    return FeatureCosine("runs.v1", runs, About("Shared runs of characters", sentence, "words", in_rounds=True))
