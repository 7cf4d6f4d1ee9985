"""Crowds counted a second time, by the slow and obvious way, from the released string.

This module shares no code with `reidentifiers` on purpose: it restates the definitions of `bm25.v1` and `ngrams.v1`
in plain Python and is what a stated crowd is checked against, in tests always and in production on a sample.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from unname.types import Profile

_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"\[[A-Z]+(?:_[A-Z0-9]+)*\]")
_UNIT = 2**20


def _words(text: str) -> list[str]:
    normal = unicodedata.normalize
    return [normal("NFKC", normal("NFKC", word).casefold()) for word in _WORD.findall(text)]


def _ngrams(word: str) -> list[str]:
    padded = f"\x02{word}\x03"
    found = []
    for size in (3, 4, 5):
        found += [padded[i : i + size] for i in range(max(len(padded) - size, 0) + 1)]
        if len(padded) <= size:
            break
    return found


def _bm25(texts: Sequence[list[str]]) -> list[dict[str, int]]:
    frequency = Counter(word for text in texts for word in set(text))
    mean = sum(len(text) for text in texts) / len(texts)
    weights = []
    for text in texts:
        saturation = 1.5 * (1 - 0.75 + 0.75 * len(text) / mean)
        weights.append(
            {
                word: round(
                    math.log1p((len(texts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
                    * count / (count + saturation) * _UNIT
                )
                for word, count in Counter(text).items()
            }
        )  # fmt: skip
    return weights


def _cosine(texts: Sequence[list[str]]) -> list[dict[str, int]]:
    bags = [Counter(ngram for word in text for ngram in _ngrams(word)) for text in texts]
    frequency = Counter(ngram for bag in bags for ngram in bag)
    inverse = {ngram: math.log((1 + len(bags)) / (1 + df)) + 1 for ngram, df in frequency.items()}
    weights = []
    for bag in bags:
        own = {ngram: (1 + math.log(count)) * inverse[ngram] for ngram, count in bag.items()}
        length = max(math.sqrt(sum(value * value for value in own.values())), 1e-12)
        weights.append({ngram: round(value * inverse[ngram] / length * _UNIT) for ngram, value in own.items()})
    return weights


_KINDS: dict[str, tuple[Callable[[Sequence[list[str]]], list[dict[str, int]]], Callable[[str], list[str]]]] = {
    "bm25.v1": (_bm25, lambda word: [word]),
    "ngrams.v1": (_cosine, _ngrams),
}


class Recount:
    """Brute-force crowds over a population under one of the reidentifiers that `RECOUNTED` names."""

    def __init__(self, name: str, profiles: Sequence[Profile]) -> None:
        weigh, self._terms = _KINDS[name]
        self._weights = weigh([_words("\n".join(p.fields.values())) for p in profiles])

    def scores(self, texts: Sequence[str]) -> list[int]:
        """Summed evidence for every profile from the texts of one person."""
        terms = [
            term for text in texts for word in set(_words(_PLACEHOLDER.sub(" . ", text))) for term in self._terms(word)
        ]
        return [sum(weights.get(term, 0) for term in terms) for weights in self._weights]

    def crowd(self, texts: Sequence[str], person: int) -> int:
        """How many other profiles score at least as high as the person at this place, on all texts together."""
        scores = self.scores(texts)
        return sum(score >= scores[person] for score in scores) - 1


RECOUNTED = frozenset(_KINDS)
