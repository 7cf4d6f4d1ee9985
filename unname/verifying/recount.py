"""Crowds counted a second time, by the slow and obvious way, from the released string.

This module shares no code with `reidentifiers` on purpose: it restates the definitions of `bm25.v1`, `ngrams.v1` and,
given what they learned, `additive.v1` and `static.v1` in plain Python, and is what a stated crowd is checked against, in
tests always and in production on a sample.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from operator import mul
from types import MappingProxyType

from unname.types import Profile

# Letters, and the vowel signs behind them that are none.
_MARKS = "".join(c for c in map(chr, range(0x591, 0x17DE)) if unicodedata.category(c) in {"Mc", "Mn"})
_WORD = re.compile(rf"\w[\w{_MARKS}]*")
# Scripts without blanks between words.
_CLAUSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_PLACEHOLDER = re.compile(r"\[[A-Z]+(?:_[A-Z0-9]+)*(?: [1-9][0-9]{0,2})?\]")
_UNIT = 2**20


def _words(text: str) -> list[str]:
    runs = _WORD.findall(text)
    if _CLAUSE.search(text):
        from icu4py.breakers import WordBreaker  # for such texts alone

        runs = [word for run in runs for word in (WordBreaker(run, "und") if _CLAUSE.search(run) else (run,))]
    return [_normal(word) for word in runs]


@lru_cache(1 << 18)
def _normal(word: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


_log = lru_cache(1 << 10)(math.log)


@lru_cache(1 << 18)
def _ngrams(word: str, shortest: int = 3, longest: int = 5) -> tuple[str, ...]:
    padded = f"\x02{word}\x03"
    grams: list[str] = []
    for size in range(shortest, longest + 1):
        grams += [padded[i : i + size] for i in range(max(len(padded) - size, 0) + 1)]
        if len(padded) <= size:
            break
    return tuple(grams)


class _Bm25:
    """Weights of one profile's words under `bm25.v1`; learns what it needs in a first pass."""

    def __init__(self, profiles: Iterable[Profile], k1: float = 1.5, b: float = 0.75) -> None:
        self._k1, self._b = k1, b
        self._frequency: Counter[str] = Counter()
        self._profiles = words = 0
        for profile in profiles:
            text = _words(_text_of(profile))
            self._frequency.update(set(text))
            self._profiles += 1
            words += len(text)
        self._mean = max(words / max(self._profiles, 1), 1e-9)

    @staticmethod
    def terms(word: str) -> Sequence[str]:
        return (word,)

    def weights(self, profile: Profile, known: Container[str]) -> dict[str, int]:
        text = _words(_text_of(profile))
        saturation = self._k1 * (1 - self._b + self._b * len(text) / self._mean)
        return {
            word: round(
                math.log1p((self._profiles - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5))
                * count / (count + saturation) * _UNIT
            )
            for word, count in Counter(filter(known.__contains__, text)).items()
        }  # fmt: skip


class _Cosine:
    """Weights of one profile's n-grams under `ngrams.v1`."""

    def __init__(self, profiles: Iterable[Profile], shortest: int = 3, longest: int = 5) -> None:
        self.terms = partial(_ngrams, shortest=shortest, longest=longest)
        frequency: Counter[str] = Counter()
        count = 0
        for profile in profiles:
            frequency.update(set().union(*map(self.terms, set(_words(_text_of(profile))))))
            count += 1
        self._inverse = {ngram: math.log((1 + count) / (1 + df)) + 1 for ngram, df in frequency.items()}

    def weights(self, profile: Profile, known: Container[str]) -> dict[str, int]:
        bag = Counter(chain.from_iterable(map(self.terms, _words(_text_of(profile)))))
        inverse = map(self._inverse.__getitem__, bag)
        own = [(1 + _log(count)) * rarity for count, rarity in zip(bag.values(), inverse, strict=True)]
        length = max(math.sqrt(sum(map(mul, own, own))), 1e-12)
        return {
            ngram: round(value * self._inverse[ngram] / length * _UNIT)
            for ngram, value in zip(bag, own, strict=True)
            if ngram in known
        }


@dataclass(frozen=True, slots=True, repr=False)
class Weights:
    """The weights of an additive reidentifier, as plain numbers.

    `words` are vectors of whole numbers by word, `people` those of the profiles in their order; products count
    `1 << shift`. A field's match of a word weighs `fields[field]` · ln(1 + `profiles` / `frequency`[word]).
    """

    words: Mapping[str, Sequence[int]]
    people: Sequence[Sequence[int]]
    shift: int
    fields: Mapping[str, float]
    frequency: Mapping[str, int]
    profiles: int


@dataclass(frozen=True, slots=True, repr=False)
class StaticWeights:
    """The weights of a static reidentifier, as plain numbers.

    `tokens` are vectors of whole numbers of words, of spans of years (`#25:73` is 1825 to 1849) and of pairs, `one other`;
    `people` those of the profiles in their order; products count `1 << shift`.
    """

    tokens: Mapping[str, Sequence[int]]
    people: Sequence[Sequence[int]]
    shift: int


class _Static:
    """Sums of vectors of words and pairs of neighbours under `static.v1`."""

    def __init__(self, learned: StaticWeights) -> None:
        self._learned = learned

    def terms_of(self, text: str) -> set[str]:
        """The distinct words of a text with the pairs of neighbours; a placeholder parts words."""
        terms: set[str] = set()
        for part in re.split(f"{_PLACEHOLDER.pattern}|\u2588", text):
            row = _words(part)
            terms.update(row)
            terms.update(f"{one} {other}" for one, other in zip(row, row[1:], strict=False))
        return terms

    def vector(self, terms: Mapping[str, int]) -> list[int]:
        """The summed vector of terms that are there so many times each, years with the spans they lie in."""
        total = [0] * (len(self._learned.people[0]) if self._learned.people else 0)
        for term, times in terms.items():
            spans = []
            if re.fullmatch("1[5-9][0-9]{2}|20[0-9]{2}", term):
                spans = [f"#{years}:{int(term) // years}" for years in (3, 10, 25)]
            for token in (term, *spans):
                for place, value in enumerate(self._learned.tokens.get(token, ())):
                    total[place] += value * times
        return total

    def scores(self, terms: Mapping[str, int]) -> list[int]:
        """The score of every profile."""
        vector = self.vector(terms)
        return [sum(map(mul, vector, row)) << self._learned.shift for row in self._learned.people]


class _Matches:
    """Weights of one profile's words under `additive.v1`, vectors aside."""

    def __init__(self, learned: Weights) -> None:
        self._learned = learned
        weights = learned.fields.values()
        self._usual = sum(weights) / len(weights) if weights else 0.0

    @staticmethod
    def terms(word: str) -> Sequence[str]:
        return (word,)

    def weights(self, profile: Profile, known: Container[str]) -> dict[str, int]:
        total: dict[str, float] = {}
        for name, value in profile.fields.items():
            weight = self._learned.fields.get(name, self._usual)
            for word in filter(known.__contains__, set(_words(value))):
                total[word] = total.get(word, 0.0) + weight
        of = self._learned.profiles
        return {
            word: round(weight * math.log1p(of / self._learned.frequency.get(word, 1)) * _UNIT)
            for word, weight in total.items()
        }

    def sums(self, terms: Mapping[str, int]) -> list[int]:
        """The summed vector of words that are asked for so many times each."""
        rows = [(self._learned.words[word], times) for word, times in terms.items() if word in self._learned.words]
        return [sum(column) for column in zip(*([x * times for x in row] for row, times in rows), strict=True)]

    def product(self, place: int, vector: Sequence[int]) -> int:
        return sum(map(mul, vector, self._learned.people[place])) << self._learned.shift if vector else 0


def _text_of(profile: Profile) -> str:
    return "\n".join(profile.fields.values())


_Kind = _Bm25 | _Cosine | _Matches
_KINDS: Mapping[str, Callable[..., _Kind]] = {"bm25.v1": _Bm25, "ngrams.v1": _Cosine}


class Recount:
    """Brute-force crowds over a population under one of the reidentifiers that `RECOUNTED` names.

    Every profile is weighed anew at each call, and nothing but its scores is kept, so any population can be recounted.
    `learned` is needed for `additive.v1` and `static.v1`; `parameters` are the others', where they are not the usual ones.
    """

    def __init__(
        self,
        name: str,
        profiles: Sequence[Profile],
        learned: Weights | StaticWeights | None = None,
        parameters: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self._profiles = profiles
        self._static = _Static(learned) if isinstance(learned, StaticWeights) else None
        if isinstance(learned, StaticWeights):
            return
        made = _KINDS[name](profiles, **parameters) if learned is None else _Matches(learned)
        self._kind: _Kind = made

    def scores_of(self, groups: Sequence[Sequence[str]]) -> list[list[int]]:
        """Summed evidence for every profile from the texts of each group: one list of scores a group."""
        if self._static is not None:
            of = self._static.terms_of
            return [self._static.scores(Counter(t for text in texts for t in of(text))) for texts in groups]
        asked: dict[str, list[tuple[int, int]]] = {}
        counted = [self._terms_of(texts) for texts in groups]
        for group, terms in enumerate(counted):
            for term, times in terms.items():
                asked.setdefault(term, []).append((group, times))
        kind = self._kind
        vectors = [kind.sums(terms) for terms in counted] if isinstance(kind, _Matches) else []
        rows: list[list[int]] = [[] for _ in groups]
        for place, profile in enumerate(self._profiles):
            sums = [0] * len(groups)
            if isinstance(kind, _Matches):
                sums = [kind.product(place, vector) for vector in vectors]
            for term, weight in self._kind.weights(profile, asked).items():
                for group, times in asked[term]:
                    sums[group] += weight * times
            for scores, score in zip(rows, sums, strict=True):
                scores.append(score)
        return rows

    def _terms_of(self, texts: Sequence[str]) -> Counter[str]:
        """The number of times each term is asked for: once for each distinct word of each text that it is part of."""
        distinct = (set(_words(_PLACEHOLDER.sub(" . ", text))) for text in texts)
        return Counter(term for words in distinct for word in words for term in self._kind.terms(word))

    def crowds(self, groups: Sequence[tuple[Sequence[str], int, Sequence[int] | None]]) -> list[int]:
        """For each (texts, place of a person) how many other profiles score at least as high on all texts together.

        Third the places of those who are counted, the person's among them; None: everybody.
        """
        distinct = list(dict.fromkeys(tuple(texts) for texts, _, _ in groups))
        rows = dict(zip(distinct, self.scores_of(distinct), strict=True))
        counts = []
        for texts, person, among in groups:
            row = rows[tuple(texts)]
            counted = row if among is None else [row[place] for place in among]
            counts.append(sum(score >= row[person] for score in counted) - 1)
        return counts

    def crowd(self, texts: Sequence[str], person: int) -> int:
        """The number of other profiles that score at least as high as the person at this place, on all texts together."""
        return self.crowds([(texts, person, None)])[0]


RECOUNTED = frozenset({*_KINDS, "additive.v1", "static.v1", "static-two.v1"})
