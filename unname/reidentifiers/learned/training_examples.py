"""Training examples of trained reidentifiers: texts of known people, and the words that are hidden meanwhile.

A model that learns to find people by whole texts finds nobody once the telling words are gone; so in every epoch each
text loses other words. Source: Morris 2022 §4 (word dropout), and METHODS for masks that hide the words a text shares with
the profile.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unname.draws import draw
from unname.errors import SettingsError
from unname.reidentifiers.base import FloatArray, profile_text
from unname.text import GAP, WORD, fold, in_words, places, visible
from unname.types import Document, Profile

# With fewer documents profiles lend passages; with fewer of both nothing is learned that holds for others.
FEW_DOCUMENTS = 1000
FEWEST_EXAMPLES = 50
FOLDS = 2
_PASSAGE_WORDS = 100
Flags = npt.NDArray[np.bool_]


class TrainingExample(NamedTuple):
    """A text with its placeholders taken out, and the row of the profile of the person it is about."""

    text: str
    person: int

    def __repr__(self) -> str:
        return f"TrainingExample({len(self.text)} characters)"


def training_examples(
    profiles: Sequence[Profile], documents: Sequence[Document], *, seed: int = 0
) -> list[TrainingExample]:
    """Documents whose person has a profile; if they are fewer than 1,000, passages of profiles as well.

    In an order of their own, so that the order of documents and of profiles changes nothing. Profiles are known to
    everybody, so their passages teach whatever fold of people the documents come from.
    """
    rows = {profile.id: row for row, profile in enumerate(profiles)}
    known = sorted((d.person, d.id, d.text) for d in documents if d.person is not None and d.person in rows)
    examples = [TrainingExample(visible(text), rows[person]) for person, _, text in known]
    if len(examples) < FEW_DOCUMENTS:
        examples += passages(profiles, 2 * FEW_DOCUMENTS - len(examples), seed)
    return examples


def enough_examples(profiles: Sequence[Profile], documents: Sequence[Document], fewest: int) -> bool:
    """Check whether there are so many training examples; passages are made only if documents do not suffice."""
    people = {profile.id for profile in profiles}
    known = sum(document.person in people for document in documents)
    return known >= fewest or len(training_examples(profiles, documents)) >= fewest


def text_digest(text: str) -> str:
    """A digest that tells one id or text from another without revealing it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def trained_on(profiles: Sequence[Profile], documents: Sequence[Document]) -> frozenset[str]:
    """Digests of the documents that teach something of these profiles, and of the ids of the people they are about."""
    known = {profile.id for profile in profiles}
    return frozenset(text_digest(t) for d in documents if d.person in known for t in (str(d.person), d.text))


def passages(profiles: Sequence[Profile], most: int, seed: int) -> list[TrainingExample]:
    """At most so many stretches of 100 words of long profiles, drawn at random, in order of their ids."""
    examples = []
    for row, profile in sorted(enumerate(profiles), key=lambda pair: pair[1].id):
        text = profile_text(profile)
        starts = [start for start, _ in places(text)][::_PASSAGE_WORDS]
        if len(starts) > 1:
            examples += [TrainingExample(text[a:b], row) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    return at_most(examples, most, seed)


def at_most(examples: Sequence[TrainingExample], most: int, seed: int) -> list[TrainingExample]:
    """All examples, or so many of them drawn at random, in their order."""
    drawn = np.random.default_rng(seed).permutation(len(examples))[:most]
    return [examples[i] for i in sorted(drawn)]


def fold_of(person: str, split: str, folds: int = FOLDS) -> int:
    """The person-disjoint fold of a split (its name, seed included) that a person is in; the same for everybody."""
    return int.from_bytes(draw("fold", split, person)[: 1 if folds == FOLDS else 4]) % folds


def by_fold(documents: Sequence[Document], split: str, folds: int = FOLDS) -> list[list[Document]]:
    """The documents of each fold of people."""
    folds_of_documents: list[list[Document]] = [[] for _ in range(folds)]
    for document in documents:
        folds_of_documents[fold_of(str(document.person), split, folds)].append(document)
    return folds_of_documents


@dataclass(frozen=True, slots=True)
class MaskPrior:
    """The number and choice of a text's distinct words that are hidden in an epoch; every occurrence of a word goes together.

    `kind` is `uniform` (l ~ Uniform{0…N} words, all alike), `idf` (as many, rare words likelier) or `none`. A share
    `lexical` of the texts loses beforehand all words that occur in the profile too.
    """

    kind: str = "uniform"
    lexical: float = 0.0
    rarity: Mapping[str, float] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in ("uniform", "idf", "none"):
            raise SettingsError(f"unknown mask prior {self.kind!r}; choose uniform, idf or none")
        if not 0 <= self.lexical <= 1:
            raise SettingsError("the share of texts that lose lexical matches must lie between 0 and 1")

    def hidden(self, words: Sequence[str], known: Collection[str], random: np.random.Generator) -> set[str]:
        """The words to hide now, of a text's distinct folded `words`; `known` are the folded words of the profile."""
        rarity = np.array([self.rarity.get(w, 1.0) for w in words]) if self.kind == "idf" else None
        gone = self.gone(np.fromiter(map(known.__contains__, words), np.bool_, len(words)), random, rarity)
        return {words[place] for place in np.flatnonzero(gone).tolist()}

    def gone(self, known: Flags, random: np.random.Generator, rarity: FloatArray | None = None) -> Flags:
        """The same by place: (words,) bool, from flags of a text's distinct words that are `known`; `rarity` is for `idf`."""
        lexical = self.lexical and random.random() < self.lexical
        gone = known.copy() if lexical else np.zeros(len(known), np.bool_)
        rest = np.flatnonzero(~gone)
        if self.kind == "none" or not len(rest):
            return gone
        many = int(random.integers(0, len(rest) + 1))
        weights = None if rarity is None else rarity[rest] / rarity[rest].sum()
        gone[rest[random.choice(len(rest), many, replace=False, p=weights)]] = True
        return gone


def hide_words(text: str, hidden: set[str]) -> str:
    """A text with every occurrence of these folded words hidden, exactly as `visible` shows a released text."""
    if not hidden:
        return text
    return WORD.sub(lambda m: "".join(f" {GAP} " if fold(w) in hidden else w for w in in_words((m[0],))), text)
