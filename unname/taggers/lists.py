"""Lists of names: the stretches of a text that are on one, given by the caller or made of annotations.

A stretch that only one document annotated says nothing about that document while it is learned from: else every name
would seem to be a known one. Source: gazetteer features of Liu 2015, with each document left out of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unname.errors import SettingsError
from unname.hashing import Keys, hashed, mix
from unname.taggers.linear.features import EncodedTexts
from unname.taggers.linear.sequences import IntArray
from unname.taggers.tokens import tokens
from unname.text import fold

LONGEST = 8
# Bits of the caller's lists are below those of the lists that were made.
MOST_LISTS = 31
_GIVEN = (1 << MOST_LISTS) - 1
_NOBODY = _CALLER = -2
_SEVERAL = -1
Stretches = Mapping[str, Sequence[tuple[Sequence[str], int]]]


@dataclass(frozen=True, slots=True, repr=False)
class NameLists:
    """Stretches of up to eight words, by key in ascending order, and the lists of each, as bits.

    `known` are the lists that hold it for any document, `once` those that only one document added it to: number `of`.
    """

    keys: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    known: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    once: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    of: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def marked(self, reading: EncodedTexts, *, learning: bool = False) -> EncodedTexts:
        """A reading that also marks each token of a listed stretch, the longest that there is.

        With `learning` the texts are the documents that the lists were made of, in order.
        """
        if not len(self.keys):
            return reading
        bits, places, long = self._listed(reading, learning=learning)
        place = places.astype(np.uint64) + np.uint64(1)
        callers = mix((bits & _GIVEN).astype(np.uint64), np.uint64(hashed("given")))
        made = mix((bits & ~_GIVEN).astype(np.uint64), np.uint64(hashed("made")))
        columns = [callers, mix(callers, place), mix(made, place), mix(mix(made, place), long.astype(np.uint64))]
        return replace(reading, columns=np.hstack([reading.columns, np.stack(columns, axis=1)]))

    def _listed(self, reading: EncodedTexts, *, learning: bool) -> tuple[IntArray, IntArray, IntArray]:
        """For each token the lists of its stretch, its place in it (0 first, 1 last, 2 within, 3 alone) and its length."""
        word = reading.words[reading.stream, 0]
        padded = np.concatenate([word, np.zeros(LONGEST, np.uint64)])
        text = np.zeros(len(word), np.int64)
        text[reading.at] = reading.texts
        bits, places, lengths = (np.zeros(len(word) + LONGEST, np.int64) for _ in range(3))
        key = word
        for long in range(1, LONGEST + 1):
            key = key if long == 1 else mix(key, padded[long - 1 : len(word) + long - 1])
            place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
            others = (self.of[place] != text) if learning else np.ones(len(word), np.bool_)
            held = np.where(self.keys[place] == key, self.known[place] | np.where(others, self.once[place], 0), 0)
            starts = np.flatnonzero(held)
            for step in range(long):
                there = starts + step
                bits[there], lengths[there] = held[starts], long
                places[there] = 3 if long == 1 else 0 if step == 0 else 1 if step == long - 1 else 2
        return bits[reading.at], places[reading.at], lengths[reading.at]


def make_lists(gazetteers: Mapping[str, Iterable[str]], made: Stretches) -> NameLists:
    """The caller's lists by name, and lists by name of (words, number of the document that says so).

    More than 31 of the caller's are a SettingsError; of those made the 31 longest are kept.
    """
    if len(gazetteers) > MOST_LISTS:
        raise SettingsError(f"at most {MOST_LISTS} lists of names can be told apart")
    owners_of: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for bit, name in enumerate(sorted(gazetteers)):
        for entry in gazetteers[name]:
            parts = words_of(entry)
            if 0 < len(parts) <= LONGEST:
                owners_of[_key(parts)][1 << bit].add(_CALLER)
    longest = sorted(made, key=lambda name: (-len(made[name]), name))[:MOST_LISTS]
    for bit, name in enumerate(sorted(longest), MOST_LISTS):
        for words, document in made[name]:
            if 0 < len(words) <= LONGEST:
                owners_of[_key(words)][1 << bit].add(document)
    keys, known, once, of = [], [], [], []
    for key in sorted(owners_of):
        by_list = owners_of[key]
        sure = sum(bit for bit, who in by_list.items() if len(who) > 1 or _CALLER in who)
        single = {bit: next(iter(who)) for bit, who in by_list.items() if not sure & bit}
        owners = set(single.values())
        keys.append(key)
        known.append(sure)
        once.append(sum(single))
        of.append(_NOBODY if not owners else owners.pop() if len(owners) == 1 else _SEVERAL)
    numbers = [np.array(row, np.int64) for row in (known, once, of)]
    return NameLists(np.array(keys, np.uint64), *numbers)


def words_of(entry: str) -> list[str]:
    """The tokens of an entry of a list."""
    return [entry[token.start : token.end] for token in tokens(entry)]


def _key(words: Sequence[str]) -> int:
    key = np.uint64(hashed(f"word={fold(words[0])}"))
    for word in words[1:]:
        key = np.uint64(mix(key, np.uint64(hashed(f"word={fold(word)}"))))
    return int(key)
