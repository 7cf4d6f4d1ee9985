"""The shipped tagger's view of a token: rows of one table of embeddings, and yes-or-no signs beside them.

Of the word: itself, its beginning and endings, shape, sort in a pattern, its classes of distribution (Brown clusters)
in German, English and Spanish, how often it is written so and how often small. Beside it: whether it is an everyday word of
other languages, a first name, a surname or a place somewhere, and the gap between it and the token before.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from unname.hashing import hashed
from unname.taggers.linear.features import casing, shape, sort
from unname.taggers.tokens import Token
from unname.text import fold

# Of what rows and signs mean; weights that learned of others cannot be used.
VERSION = 1
# Languages whose words come with a class and a frequency, and lists of words that are known, or not.
CLASSED = ("de", "en", "es")
LISTS = ("fr", "it", "nl", "pt", "first", "last", "place")
BANDS = 8
# The number of rows of each kind of sign. Row 0 stands for nothing.
_SIZES = {
    "word": 1 << 14, "again": 1 << 14, "begin": 1 << 12, "end 2": 1 << 11, "end 3": 1 << 13, "end 4": 1 << 13,
    "shape": 1 << 10, "sort": 1 << 10, "length": 16,
    **{f"class {name}": 1 << 10 for name in CLASSED}, **{f"often {name}": BANDS * BANDS for name in CLASSED},
    "gap": 8,
}  # fmt: skip
KINDS = tuple(_SIZES)
_STARTS = dict(zip(KINDS, (1 + np.cumsum([0, *list(_SIZES.values())[:-1]])).tolist(), strict=True))
ROWS = 1 + sum(_SIZES.values())
# Flags: each list has the word (folded), it has a capital or nothing else, the text has it in small letters as well,
# and the text has it with a capital three times or more.
SIGNS = len(LISTS) + 4
Rows = npt.NDArray[np.int32]
Signs = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, repr=False)
class Lexicon:
    """Words that are known by hashes alone.

    `words` (n,) ascending 32-bit hashes of written forms with their `classes` and `bands` of frequency, by language;
    `lists` are bits, of which each folded word of a list sets one.
    """

    words: Mapping[str, npt.NDArray[np.uint32]]
    classes: Mapping[str, npt.NDArray[np.uint16]]
    bands: Mapping[str, npt.NDArray[np.uint8]]
    lists: Mapping[str, npt.NDArray[np.uint8]]
    _known: dict[str, tuple[tuple[int, ...], tuple[float, ...]]] = field(default_factory=dict, compare=False)

    def of_word(self, word: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """The rows of a word, all but its gap, and its signs."""
        views = self._known.get(word)
        if views is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            views = self._known[word] = self._look(word)
        return views

    def band(self, word: str, language: str) -> int:
        """The band of frequency of a word in this spelling: from 0, never, to 7."""
        return self._find(word, language)[1]

    def _look(self, word: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        folded = fold(word)
        long = min(len(folded), 15)
        # Digits say how many they are and of what size, not which: a number that was seen says nothing of another.
        same = "0" * min(len(word), 12) if word.isdecimal() else folded
        key = hashed(same)
        kinds: dict[str, int] = {
            "word": key, "again": key >> 20, "begin": hashed(f"begin {same[:3]}"),
            "end 2": hashed(f"end {same[-2:]}"), "end 3": hashed(f"end {same[-3:]}"), "end 4": hashed(f"end {same[-4:]}"),
            "shape": hashed(shape(word[:24])), "sort": hashed(sort(word[:24])), "length": long,
        }  # fmt: skip
        for language in CLASSED:
            kinds[f"class {language}"], kinds[f"often {language}"] = self._class_of(word, language)
        rows = tuple(_STARTS[name] + value % _SIZES[name] for name, value in kinds.items())
        bits = (hashed(f"list {folded}") >> 8) if len(folded) > 1 else 0
        signs = [float(self._holds(name, bits)) if bits else 0.0 for name in LISTS]
        case = casing(word)
        return rows, (*signs, float(case == "initial"), float(case == "upper" and len(word) > 1))

    def _class_of(self, word: str, language: str) -> tuple[int, int]:
        """The class of a word, by the form that the lexicon knows; its bands of frequency as spelled and in small letters."""
        own, low = self._find(word, language), self._find(word.lower(), language)
        usual = own if own[1] else self._find(word.capitalize(), language) if word.isupper() else low
        return (usual[0] or low[0]), own[1] * BANDS + low[1]

    def _find(self, word: str, language: str) -> tuple[int, int]:
        words, key = self.words[language], np.uint32(short_hash(word))
        at = int(np.searchsorted(words, key))
        if at == len(words) or words[at] != key:
            return 0, 0
        return int(self.classes[language][at]), int(self.bands[language][at])

    def _holds(self, name: str, bits: int) -> bool:
        held = self.lists[name]
        place = bits % (8 * len(held))
        return bool(held[place >> 3] >> (place & 7) & 1)


_MOST_KNOWN = 1 << 18


def short_hash(word: str) -> int:
    """The 32 bits by which a word is known in a lexicon."""
    return hashed(word) & 0xFFFFFFFF


def bits_of(words: Sequence[str], size: int) -> npt.NDArray[np.uint8]:
    """A list as bits, of which each folded word sets one: (size,) bytes."""
    held = np.zeros(size, np.uint8)
    places = np.array([(hashed(f"list {fold(word)}") >> 8) % (8 * size) for word in words], np.int64)
    np.bitwise_or.at(held, places >> 3, (1 << (places & 7)).astype(np.uint8))
    return held


def seen(text: str, tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Rows, Signs]:
    """The view of each token of a text: rows (tokens, kinds), int32, and signs (tokens, signs), float32."""
    of_words = [lexicon.of_word(text[token[0] : token[1]]) for token in tokens]
    rows = np.zeros((len(tokens), len(KINDS)), np.int32)
    signs = np.zeros((len(tokens), SIGNS), np.float32)
    if of_words:
        rows[:, :-1] = [one for one, _ in of_words]
        signs[:, :-2] = [other for _, other in of_words]
        signs[:, -2:] = _elsewhere([text[token[0] : token[1]] for token in tokens])
        rows[:, -1] = _gaps(text, tokens)
    return rows, signs


def _elsewhere(words: Sequence[str]) -> list[tuple[bool, bool]]:
    """Two signs of each word with a capital: it stands in small letters elsewhere; it stands so three times or more."""
    often = Counter(words)
    return [(often[word.lower()] > 0, often[word] > 2) if word[:1].isupper() else (False, False) for word in words]


def _gaps(text: str, tokens: Sequence[Token]) -> list[int]:
    """The gap between each token and the one before: nothing, a blank, more, a line end, or several."""
    start, end = _STARTS["gap"], 0
    kinds = []
    for token in tokens:
        gap = text[end : token[0]]
        lines = gap.count("\n") or gap.count("\r")
        kinds.append(start + (6 if end == 0 else 4 if lines > 1 else 3 if lines else min(len(gap), 2)))
        end = token[1]
    return kinds
