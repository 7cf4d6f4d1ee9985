"""The privacy card of a representer: eight attacks on what it would share, and whether it may share anything.

Attacked are sentences that the representer never saw, represented once, as if they were shared. An attacker has public text
(what the representer was trained on) and sees of every token its casing and label; what words he finds of identifiers is
set beside what he would guess from these alone. Only words with letters that the
representer knows are asked about: numbers are looked up as zeros, and others all alike.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from unname.errors import ModelError, UnsafeReleaseError
from unname.log import Progress, silent
from unname.neural.trainer_state import number
from unname.sharing.decoders import TOO_LITTLE, align_known, align_unpaired, decoded, recover_rotation, teach_decoder
from unname.sharing.decoding import (
    Bigrams,
    Float64,
    Gaussians,
    Prior,
    Tokens,
    at_a_time,
    learn_bigrams,
    learn_prior,
    mean_gaussians,
    tokens,
    with_language,
)
from unname.sharing.lessons import Lesson, lessons
from unname.sharing.pairs import Neighbours, Numbered
from unname.sharing.recognising import equality, membership
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import Limits
from unname.sharing.space import Float32, IntArray
from unname.sharing.training import Attacked
from unname.statistics import Rate
from unname.taggers.lstm.reading import CASINGS, UNKNOWN, WORDS_FROM

PAIRS, TABLE, DECODER, ALIGNED, UNPAIRED = (
    "pair adversary", "nearest in the table", "trained decoder", "alignment", "unpaired alignment"
)  # fmt: skip
MEMBERSHIP, EQUALITY, LANGUAGE = "membership", "equality", "language"
NAMES = (PAIRS, TABLE, DECODER, ALIGNED, UNPAIRED, MEMBERSHIP, EQUALITY, LANGUAGE, "known", "alone")
KNOWN = (10, 100, 1000)
# Sentences with identifiers that decoders are asked about, and most epochs in which one learns.
_MOST_ASKED, _DECODER_EPOCHS, _MOST_PAIRS = 1500, 12, 4000
# How far a guess trusts a map beside what is in clear.
_TRUST = (1.0, 0.3, 0.1)
_KNOWN = re.compile(f"{ALIGNED}, ([0-9]{{1,9}}) known")
_WEIGHTS = re.compile("[0-9a-f]{64}")
_NAME = re.compile(f"(?:{'|'.join(NAMES[:8])})(?: alone|, [0-9]{{1,9}} known)?(?:, {LANGUAGE})?")


@dataclass(frozen=True, slots=True)
class AttackSuccess:
    """The success of an attack, and of the same without vectors (shares), on so many cases.

    `most` is the upper end of the 95 % interval, over people, of how much more it finds than without vectors.
    """

    name: str
    found: float
    blind: float
    cases: int
    most: float

    @property
    def known(self) -> int:
        """From how many known tokens an alignment begins; 0 for any other attack, and with a language model."""
        match = _KNOWN.fullmatch(self.name)
        return int(match[1]) if match else 0


@dataclass(frozen=True, slots=True)
class Card:
    """All attacks, the limits they are held against, and what they were made with.

    `coverage` is how many of identifiers' words the representer knows (a share), `neighbours` the N of pairs and of
    membership, `epochs` those that a fresh pair adversary learned, and `told` how many nats the vector of an identifier's
    token tells, on average, at most (`most_told`). `weights` says which representer was attacked
    (`PrivateRepresenter.weights`).
    """

    attacks: tuple[AttackSuccess, ...]
    limits: Limits
    coverage: float
    neighbours: int
    epochs: int
    told: float
    weights: str

    def beyond(self, limits: Limits | None = None) -> list[str]:
        """The limits, its own or others, that are passed, in words; none where it may be shared."""
        limits = limits or self.limits
        pairs, aligned = self._limited()
        cases = min(one.cases for one in (*pairs, aligned[0])) if pairs and aligned else 0
        known, least = aligned[0].known if aligned else 0, min(KNOWN[-1], 2 * limits.cases)
        if cases < limits.cases or known < least:
            return [f"{TOO_LITTLE}: {limits.cases} pairs and words to ask about, and {least} known words, are needed, "
                    f"and there are {cases}, and {known}"]  # fmt: skip
        passed = []
        if self.epochs < limits.epochs:
            passed.append(f"the pair adversary learned for {self.epochs} epochs, fewer than {limits.epochs}")
        if self.neighbours < limits.neighbours:
            passed.append(f"the pair adversary had to tell a word from N = {self.neighbours} others, "
                         f"fewer than {limits.neighbours}")  # fmt: skip
        if not (most := max(one.blind + one.most for one in pairs)) <= limits.pairs:
            passed.append(
                f"the pair adversary may be right in {_tenths(most)} % of pairs, more than {100 * limits.pairs:.1f} %"
            )
        if not (most := aligned[0].most) <= limits.alignment:
            passed.append(f"{aligned[0].name}, may find {_tenths(most)} points more than guessing, "
                         f"more than {100 * limits.alignment:.1f}")  # fmt: skip
        return passed

    def limit_of(self, attack: AttackSuccess) -> float | None:
        """The most that an attack may find beyond what it finds without vectors; None where it has no limit."""
        pairs, aligned = self._limited()
        if attack in pairs:
            return self.limits.pairs - attack.blind
        return self.limits.alignment if attack in aligned[:1] else None

    def _limited(self) -> tuple[list[AttackSuccess], list[AttackSuccess]]:
        """Pair adversaries, and alignments from known tokens, that from most of them first; the former and this one have
        limits."""
        pairs = [one for one in self.attacks if one.name == PAIRS]
        return pairs, sorted((one for one in self.attacks if one.known), key=lambda one: -one.known)

    def as_dict(self) -> dict[str, Any]:
        """For a file."""
        values = asdict(self)
        return values | {"attacks": list(values["attacks"])}


def read_card(values: Mapping[str, Any]) -> Card:
    """A card as `Card.as_dict` gives it; ModelError where it is none."""
    try:
        attacks = tuple(AttackSuccess(**row) for row in values["attacks"])
        if set(values["limits"]) != set(Limits.__slots__):
            raise KeyError
        card = Card(**dict(values) | {"attacks": attacks, "limits": Limits(**values["limits"])})
    except (KeyError, TypeError):
        raise ModelError("a privacy card has unknown or missing parts") from None
    shares = [value for one in card.attacks for value in (one.found, one.blind)]
    limits = card.limits
    counts = [*(one.cases for one in card.attacks), limits.cases, card.neighbours, limits.neighbours, card.epochs,
              limits.epochs]  # fmt: skip
    numbers = [*shares, limits.pairs, limits.alignment, card.coverage]
    if (
        not all(isinstance(one.name, str) and _NAME.fullmatch(one.name) for one in card.attacks)
        or not all(type(value) in (int, float) and 0 <= value <= 1 for value in numbers)
        or not all(type(one.most) in (int, float) and -1 <= one.most <= 1 for one in card.attacks)
        or not all(type(count) is int and count >= 0 for count in counts)
        or not (type(card.told) in (int, float) and 0 <= card.told < math.inf)
        or not (isinstance(card.weights, str) and _WEIGHTS.fullmatch(card.weights))
    ):
        raise ModelError("a privacy card has a part of the wrong kind")
    return card


def pair_attack(tries: Sequence[Attacked]) -> AttackSuccess:
    """The best of adversaries that went on learning; the cases are sentences, however many pairs are of each."""
    best = max(tries, key=lambda one: one.right.high)
    return _of_two(PAIRS, best.right, best.sentences)


def _of_two(name: str, right: Rate, cases: int) -> AttackSuccess:
    """An attack that must choose between two."""
    if not right.n:
        return AttackSuccess(name, 0.5, 0.5, 0, 0.5)
    return AttackSuccess(name, right.value, 0.5, cases, right.high - 0.5)


@dataclass(frozen=True, repr=False)
class Scene:
    """The attackers' material: a representer (insiders), public sentences and others to stop by, and sentences as shared.

    `noisy` and `turned` say how these were shared; turned, an insider is one who lacks the rotation and finds it himself.
    """

    representer: PrivateRepresenter
    public: Sequence[Numbered]
    held_out: Sequence[Numbered]
    asked: Sequence[Numbered]
    noisy: bool = True
    turned: bool = False
    seed: int = 0

    def represent(self, sentences: Sequence[Numbered], secret: int) -> list[Float32]:
        """Represent sentences as an insider does."""
        return self.representer.represent(sentences, secret=secret, noisy=self.noisy)

    def shared(self) -> list[Float32]:
        """The vectors that were shared."""
        recipient = "somebody" if self.turned else None
        secret = number(self.seed, 77)
        return self.representer.represent(self.asked, secret=secret, recipient=recipient, noisy=self.noisy)


def decoding_attacks(scene: Scene, *, progress: Progress = silent) -> tuple[list[AttackSuccess], float]:
    """All attacks but that of the pair adversary, and which share of identifiers' words the representer knows.

    UnsafeReleaseError where there are too few words to ask about.
    """
    if not scene.public or not scene.held_out or not scene.asked:
        raise UnsafeReleaseError(TOO_LITTLE)
    attackers = _Attackers(scene)
    attacks: list[AttackSuccess] = []
    for step in (attackers.blind, attackers.table, attackers.decoder, attackers.known, attackers.unpaired):
        progress(f"attack: {step.__name__}", 1)(1)
        attacks += step()
    progress("attack: recognition", 1)(1)
    return attacks + attackers.recognised(), attackers.coverage


def askable(
    words: IntArray, casings: IntArray, held: npt.NDArray[np.bool_], letters: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Masks of the tokens of identifiers with letters, and of those a representer knows; `letters` are by word."""
    lettered = held & letters[words] & (casings != 0)
    return lettered, lettered & (words > UNKNOWN)


def lettered_words(words: Sequence[str]) -> npt.NDArray[np.bool_]:
    """A mask of the words that have letters, by number of the word; unknown ones may have some."""
    return np.array([False, True, *(any(c.isalpha() for c in word) for word in words)])


def askable_words(sentences: Sequence[Numbered], words: Sequence[str]) -> tuple[int, int]:
    """The number of identifiers' words with letters that a representer of these words knows, and of all of them."""
    letters, known, every = lettered_words(words), 0, 0
    for sentence in sentences:
        held = np.isin(np.arange(len(sentence.words)), sentence.held)
        lettered, asked = askable(sentence.words, sentence.casings, held, letters)
        known, every = known + int(asked.sum()), every + int(lettered.sum())
    return known, every


class Hits(NamedTuple):
    """By sentence: words that were found, and words that were asked about."""

    right: Float64
    cases: Float64


class _Attackers:
    """The common part of all attackers: words, the prior of each class, the language, and what was shared."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        words = scene.representer.words
        self._many = WORDS_FROM + len(words)
        self._vectors = np.zeros((self._many, scene.representer.network.vectors.shape[1]))
        self._vectors[WORDS_FROM:] = scene.representer.space.vectors
        self._public = tokens(scene.public, scene.represent(scene.public, number(scene.seed, 1)))
        classes = len(scene.representer.labels) * len(CASINGS)
        self._prior: Prior = learn_prior(self._public.words, self._public.classes, self._many, classes)
        self._language: Bigrams = learn_bigrams([s.words for s in scene.public], self._many)
        self._states = scene.shared()
        self._cloud = tokens(scene.asked, self._states)
        casings = self._cloud.classes % len(CASINGS)
        lettered, self._counts = askable(self._cloud.words, casings, self._cloud.held, lettered_words(words))
        self.coverage = float(self._counts.sum() / max(1, lettered.sum()))
        self._known, self._places = self._drawn()
        self._people = np.array([sentence.person for sentence in scene.asked])
        self._gaussians = self._insiders()
        self._own = self._unturned()

    def _drawn(self) -> tuple[IntArray, IntArray]:
        """Places of tokens that are known, of sentences with identifiers, and the other sentences, which are asked about."""
        holding = np.unique(self._cloud.sentences[self._counts])
        order = np.random.default_rng(number(self._scene.seed, 4)).permutation(holding)
        can = self._cloud.words >= WORDS_FROM
        known = list[int]()
        for used, sentence in enumerate(order.tolist()):
            if len(known) >= KNOWN[-1] or 2 * used >= len(order):
                return np.array(known[: KNOWN[-1]], np.int64), np.sort(order[used:][:_MOST_ASKED])
            known += np.flatnonzero(can & (self._cloud.sentences == sentence)).tolist()
        raise UnsafeReleaseError(TOO_LITTLE)

    def _insiders(self) -> Gaussians:
        """The places of each word's vectors for an insider, from public text or from the word alone."""
        alone = [Numbered(np.array([w]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int64))
                 for w in range(self._many)]  # fmt: skip
        fallback = np.concatenate(self._scene.representer.represent(alone, secret=0, noisy=False)).astype(np.float64)
        return mean_gaussians(self._public, self._many, fallback)

    def _unturned(self) -> list[Float32]:
        """The shared vectors as an insider would have represented them."""
        if not self._scene.turned:
            return self._states
        rotation = recover_rotation(self._cloud, self._public, self._gaussians, self._prior)
        return [(row @ rotation.T).astype(np.float32) for row in self._states]

    def blind(self) -> list[AttackSuccess]:
        """By the prior of classes alone, and by language alone."""
        self._blind, language = self._hits(lambda some, _: np.zeros((len(some.words), self._many), np.float32))
        return [self._attack(f"{LANGUAGE} alone", language)]

    def table(self) -> list[AttackSuccess]:
        """An insider takes the word whose vectors lie nearest, as he represents words in public text."""
        plain, _ = self._hits(partial(_likely, self._gaussians), self._own)
        return [self._attack(TABLE, plain)]

    def decoder(self) -> list[AttackSuccess]:
        """An insider teaches a network to decode, and has a language model choose."""
        scene = self._scene
        classes = len(scene.representer.labels) * len(CASINGS)
        decoder = teach_decoder(
            scene.public, scene.held_out[:400], scene.represent, self._vectors.astype(np.float32),
            classes=classes, epochs=_DECODER_EPOCHS, seed=scene.seed,
        )  # fmt: skip

        def likely(some: Tokens, read: Sequence[Lesson]) -> Float32:
            return decoded(decoder, read) - self._prior.of(some.classes)

        plain, language = self._hits(likely, self._own)
        return [self._attack(DECODER, plain), self._attack(f"{DECODER}, {LANGUAGE}", language)]

    def known(self) -> list[AttackSuccess]:
        """Others align what they see with word vectors, by tokens that they know; the best of several trusts counts."""
        attacks = []
        for many in sorted({min(many, len(self._known)) for many in KNOWN} - {0}):
            found_map = align_known(self._cloud.at(self._known[:many]), self._cloud, self._vectors)
            tries = [self._hits(partial(_likely, found_map.trusted(share))) for share in _TRUST]
            plain, language = (max(hits, key=lambda one: float(one.right.sum())) for hits in zip(*tries, strict=True))
            attacks += [self._attack(f"{ALIGNED}, {many} known", plain)]
            attacks += [self._attack(f"{ALIGNED}, {many} known, {LANGUAGE}", language)]
        return attacks

    def unpaired(self) -> list[AttackSuccess]:
        """Others align what they see with word vectors, by what is in clear alone."""
        gaussians = align_unpaired(self._cloud, self._public, self._vectors, self._prior, seed=self._scene.seed)
        plain, language = self._hits(partial(_likely, gaussians))
        return [self._attack(UNPAIRED, plain), self._attack(f"{UNPAIRED}, {LANGUAGE}", language)]

    def recognised(self) -> list[AttackSuccess]:
        """Attacks that tell shared sentences from others, and pairs of tokens of one word from others."""
        scene = self._scene
        some = scene.public[:2000]
        plain = scene.representer.represent(some, secret=0, noisy=False)
        rest = np.concatenate(scene.represent(some, number(scene.seed, 6))) - np.concatenate(plain)
        spread = np.cov(rest.T) + 1e-6 * np.eye(rest.shape[1])
        near = Neighbours(scene.representer.space, scene.representer.settings.neighbours)
        member = membership(
            [scene.asked[place] for place in self._places], lessons(scene.asked, self._own), near,
            lambda rows: scene.representer.represent(rows, secret=0, noisy=False), spread, seed=scene.seed,
        )  # fmt: skip
        equal = equality(self._cloud, np.flatnonzero(self._counts), self._people, most=_MOST_PAIRS, seed=scene.seed)
        return [_of_two(MEMBERSHIP, member, member.n), _of_two(EQUALITY, equal, equal.n)]

    def _attack(self, name: str, hits: Hits) -> AttackSuccess:
        """Hits beside those of a guess; the interval is that of a ratio, from sums over people (Cochran 1977, 6.4)."""
        cases = float(hits.cases.sum())
        more = float((hits.right - self._blind.right).sum()) / cases
        rest = np.bincount(self._people[self._places], hits.right - self._blind.right - more * hits.cases)
        people = len(np.unique(self._people[self._places]))
        most = 1.0
        if people > 1:
            spread = math.sqrt(float(rest @ rest) * people / (people - 1)) / cases
            most = min(1.0, more + float(stdtrit(people - 1, 0.975)) * spread)
        share, blind = (float(one.right.sum()) / cases for one in (hits, self._blind))
        return AttackSuccess(name, share, blind, int(cases), most)

    def _hits(
        self, likely: Callable[[Tokens, Sequence[Lesson]], Float32], states: Sequence[Float32] | None = None
    ) -> tuple[Hits, Hits]:
        """Words that are found by log p(vector | word) with the prior, and with the language as well."""
        rows: tuple[list[Float64], list[Float64]] = ([], [])
        cases: list[Float64] = []
        for some, read in self._chunks(self._states if states is None else states):
            scores = likely(some, read) + self._prior.of(some.classes)
            guesses = (scores.argmax(axis=1), with_language(scores, some, self._language))
            cases.append(_by_sentence(some, some.held))
            for row, guessed in zip(rows, guesses, strict=True):
                row.append(_by_sentence(some, (guessed == some.words) & some.held))
        every = np.concatenate(cases)
        plain, language = (Hits(np.concatenate(row), every) for row in rows)
        return plain, language

    def _chunks(self, states: Sequence[Float32]) -> Iterator[tuple[Tokens, list[Lesson]]]:
        """The sentences that are asked about, some at a time; `held` says which tokens count."""
        scene, starts = self._scene, np.searchsorted(self._cloud.sentences, np.arange(len(self._scene.asked) + 1))
        row: list[int] = []
        size = 0
        for place in [*self._places.tolist(), -1]:
            if row and (place < 0 or size > at_a_time(self._many)):
                sentences = [scene.asked[p] for p in row]
                vectors = [states[p] for p in row]
                counts = np.concatenate([self._counts[starts[p] : starts[p + 1]] for p in row])
                yield tokens(sentences, vectors)._replace(held=counts), lessons(sentences, vectors)
                row, size = [], 0
            row.append(place)
            size += len(scene.asked[place].words)


def _by_sentence(some: Tokens, which: npt.NDArray[np.bool_]) -> Float64:
    """The number of marked tokens of each sentence."""
    counts = np.zeros(int(some.sentences[-1]) + 1)
    np.add.at(counts, some.sentences, which)
    return counts


def _tenths(share: float) -> str:
    """A share in per cent with one decimal, never less than it is: what is past a limit must not look as if it were not."""
    return f"{math.ceil(1000 * share) / 10:.1f}"


def _likely(gaussians: Gaussians, some: Tokens, _: Sequence[Lesson]) -> Float32:
    return gaussians.likely(some.states)
