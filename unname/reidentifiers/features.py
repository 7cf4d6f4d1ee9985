"""Attackers that read something other than single words: figures, phrases, names, word pairs, sound.

Each is the same cosine (`termindex.cosine_weights`) over another family of features, so that what separates two of
them is what they read, not how they weigh it. None of them serves the masking; the audit holds them back for that.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from unname.errors import ModelError
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.facts import facts
from unname.reidentifiers.termindex import FeatureIndex, TermIndex, cosine_weights, count_terms
from unname.text import GAP, WORD, folded_words
from unname.types import Document, Profile

_CAPITALISED = re.compile(r"[^\W\d_a-zß-öø-ÿ]\w+(?:[\s.'’-]{1,3}[^\W\d_a-zß-öø-ÿ]\w*)*")
_SOUNDS_ALIKE = str.maketrans("zkqdbvj", "sccttfg")
Extractor = Callable[[str], list[str]]


def phrases(text: str) -> list[str]:
    """Two and three words in a row; a gap ends a row."""
    found = []
    for stretch in text.split(GAP):
        row = folded_words(stretch)
        found += [" ".join(row[i : i + size]) for size in (2, 3) for i in range(len(row) - size + 1)]
    return found


def pairs(text: str, reach: int = 5) -> list[str]:
    """Two words at most `reach` apart, in either order, over gaps as well."""
    row = folded_words(text)
    near = ((row[i], row[j]) for i in range(len(row)) for j in range(i + 1, min(i + reach + 1, len(row))))
    return [" ".join(sorted(pair)) for pair in near]


def proper_names(text: str) -> list[str]:
    """Words written with a capital, and neighbours among them."""
    found = []
    for match in _CAPITALISED.finditer(text):
        row = folded_words(match.group())
        found += row
        found += [" ".join(two) for two in zip(row, row[1:], strict=False)]
    return found


def skeletons(text: str) -> list[str]:
    """Words as they sound: first letter and consonants, near ones merged, doubled ones once."""
    found = []
    for word in folded_words(text):
        rest = re.sub(r"[aeiouyhw]+", "", word[1:])
        skeleton = re.sub(r"(.)\1+", r"\1", (word[0] + rest).translate(_SOUNDS_ALIKE))
        if len(skeleton) >= 2:
            found.append(skeleton)
    return found


def runs(text: str, size: int = 5) -> list[str]:
    """Runs of five characters that cross a border between words, punctuation included: turns of phrase and format."""
    found = []
    for stretch in text.lower().split(GAP):
        line = " ".join(stretch.split())
        found += [g for i in range(len(line) - size + 1) if not WORD.fullmatch(g := line[i : i + size])]
    return found


@dataclass(slots=True)
class FeatureCosine:
    """TF-IDF cosine over any family of features: unit length on the profile side, presence on the document's."""

    name: str
    extract: Extractor
    profiles_: int = field(default=0, repr=False)
    frequency_: dict[str, int] = field(default_factory=dict, repr=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Learn in how many profiles each feature occurs."""
        frequency: Counter[str] = Counter()
        for profile in profiles:
            frequency.update(set(self.extract(profile_text(profile))))
        self.profiles_, self.frequency_ = len(profiles), dict(frequency)
        return self

    def index(self, profiles: Sequence[Profile]) -> FeatureIndex:
        """Weigh every feature of every profile."""
        if not self.profiles_:
            raise ModelError(f"{self.name} must be fitted before it can index")
        vocabulary, counts = count_terms([Counter(self.extract(profile_text(p))) for p in profiles])
        matrix = cosine_weights(vocabulary, counts, self.frequency_, self.profiles_)
        return FeatureIndex(TermIndex([p.id for p in profiles], vocabulary, matrix, split=self.extract))


facts_v1 = partial(FeatureCosine, "facts.v1", facts)
phrases_v1 = partial(FeatureCosine, "phrases.v1", phrases)
pairs_v1 = partial(FeatureCosine, "pairs.v1", pairs)
names_v1 = partial(FeatureCosine, "names.v1", proper_names)
skeletons_v1 = partial(FeatureCosine, "skeletons.v1", skeletons)
runs_v1 = partial(FeatureCosine, "runs.v1", runs)
