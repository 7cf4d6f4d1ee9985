"""A linear tagger's view of each token: keys of 64 bits, one for every feature that holds, made for many tokens at once.

Of the token and its neighbours: word, shape, casing, beginnings and endings. Of its place: the words before the colon
of the line, the beginnings of the line and of those around it, the run of signs it is part of, the place in the text. Of
the text: the other spellings of the same word in it, and the words before them. A key is a hash, so a vocabulary is a
sorted array of numbers; the keys of a word type are made once, whatever the number of its occurrences.

Source: features after Liu 2015 and Li 2014 (word, shape, affix, context, history); casing of Friedrich 2019, §5.1.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from unname import languages
from unname.hashing import Keys, hashed, mix
from unname.normalised import NormalisedText, normalised
from unname.taggers.linear.sequences import IntArray
from unname.taggers.tokens import Token, lines
from unname.text import fold

# Of what the keys say; a model that learned of others cannot be used.
VERSION = 1
REACH = 3
_CHUNK = re.compile(r"[^\s,;:()]+")
_LONGEST = 24
_REPEATED = re.compile(r"(.)\1+")
_PADS = ("<text>", "<line>")


def shape(word: str) -> str:
    """X for a capital, x for any other letter, d for a digit, a sign as itself; of a run at most four are form."""
    if word.islower():
        return "xxxx"[: len(word)] if word.isalpha() else "".join(map(_kind, word))
    kinds = "".join(map(_kind, word))
    return _REPEATED.sub(lambda run: run[0][:4], kinds)


def _kind(sign: str) -> str:
    if sign.isalpha():
        return "X" if sign.isupper() else "x"
    return "d" if sign.isdigit() else sign


def casing(word: str) -> str:
    """One of numeric, mainly numeric, lower, upper, initial, digit, other. Source: Friedrich 2019, §5.1."""
    digits = sum(sign.isdigit() for sign in word)
    if digits:
        return "numeric" if digits == len(word) else "mainly numeric" if 2 * digits > len(word) else "digit"
    if word.islower():
        return "lower"
    return "upper" if word.isupper() else "initial" if word[:1].isupper() else "other"


_SMALL_WORD = 3


@cache
def _sorts() -> Mapping[str, str]:
    """Words that are a sort of their own: months and weekdays (`languages/calendar.toml`)."""
    kinds = (("months", "month"), ("weekdays", "weekday"))
    return {
        word: sort for kind, sort in kinds for row in languages.read("calendar")[kind].values() for word in row.split()
    }


def sort(word: str) -> str:
    """A word's sort in a pattern: a month, a weekday, a year, a number by its size, a small word itself, else its shape."""
    folded = fold(word)
    if known := _sorts().get(folded):
        return known
    if word.isdecimal():
        if len(word) == 4 and word.isascii():
            return "year" if word[:2] in ("19", "20") else "dddd"
        return next(
            (f"to {most}" for most in (12, 31, 99) if len(word) <= 2 and int(word) <= most), "d" * min(len(word), 9)
        )
    if word.islower() and len(word) <= _SMALL_WORD:
        return folded
    return _REPEATED.sub(r"\1", shape(word))


# The properties of a word by itself, and the farthest distance, in tokens, at which each counts; farthest first.
_HEARD = {
    "word": 3, "shape": 2, "sort": 2, "casing": 1, "end 3": 1, "begin 3": 1, "length": 1,
    "begin 1": 0, "begin 2": 0, "begin 4": 0, "end 1": 0, "end 2": 0, "end 4": 0, "plain": 0,
}  # fmt: skip
_WORD, _SHAPE, _SORT, _CASING = range(4)
_OFFSETS = tuple((d, sum(reach >= abs(d) for reach in _HEARD.values())) for d in range(-REACH, REACH + 1))


@lru_cache(maxsize=1 << 17)
def _lexical(word: str) -> tuple[int, ...]:
    """The keys of a word by itself, in the order of `_HEARD`."""
    folded, form = fold(word), shape(word)
    long = len(folded)
    properties = {
        "word": folded, "shape": form, "sort": sort(word), "casing": casing(word),
        "length": str(min(long, 12)), "plain": word,
        **{f"begin {n}": folded[:n] for n in range(1, 5) if long > n},
        **{f"end {n}": folded[-n:] for n in range(1, 5) if long > n},
    }  # fmt: skip
    return tuple(hashed(f"{name}={properties[name]}") if name in properties else 0 for name in _HEARD)


@lru_cache(maxsize=1 << 17)
def _chunk(chunk: str) -> tuple[int, int, int]:
    """Keys of a run of signs without a space: itself if it is short, its shape, its casing."""
    core = chunk.rstrip(".")
    form = shape(core[:_LONGEST])
    whole = hashed(f"chunk={fold(core)}") if len(core) <= _LONGEST else 0
    short = _REPEATED.sub(r"\1", form)
    return whole, hashed(f"chunk shape={form}"), hashed(f"chunk short={short} {casing(core)}")


@dataclass(frozen=True, slots=True, repr=False)
class EncodedTexts:
    """Texts as numbers: all their tokens in one row, with three pads around each text and one between lines.

    `stream` is the word type of each place; the first two types are the pads. `at` are the places of the tokens
    proper. `words` (types × features of a word) and `columns` (tokens × features of a place) are keys, 0 for nothing.
    """

    normalised_texts: list[NormalisedText]
    rows: list[list[list[Token]]]
    stream: IntArray
    at: IntArray
    words: Keys
    columns: Keys

    @property
    def lengths(self) -> IntArray:
        """The number of tokens of each line, all texts after each other."""
        return np.array([len(row) for rows in self.rows for row in rows], np.int64)

    @property
    def texts(self) -> IntArray:
        """The number of each token's text."""
        return np.repeat(np.arange(len(self.rows)), [sum(map(len, rows)) for rows in self.rows])

    @property
    def begins(self) -> npt.NDArray[np.bool_]:
        """The tokens that begin a line, as flags."""
        flags = np.zeros(len(self.at), np.bool_)
        flags[np.cumsum(self.lengths) - self.lengths] = True
        return flags

    def nearby(self) -> list[tuple[Keys, IntArray]]:
        """The words' features at each distance: keys by type, and the type at that distance from each token."""
        by_distance = []
        for offset, heard in _OFFSETS:
            keys = mix(self.words[:, :heard], np.uint64(hashed(f"at {offset}")))
            by_distance.append((keys, self.stream[self.at + offset]))
        return by_distance

    def every(self) -> Keys:
        """All keys of each token: (tokens, features), 0 if a feature does not hold."""
        return np.hstack([keys[types] for keys, types in self.nearby()] + [self.columns])


def read(texts: Sequence[str]) -> EncodedTexts:
    """Cut texts into tokens and make the keys of each; a token's keys do not depend on other texts."""
    normalised_texts = [normalised(text) for text in texts]
    rows = [lines(seen.text) for seen in normalised_texts]
    known: dict[str, int] = {pad: place for place, pad in enumerate(_PADS)}
    stream = _Stream()
    for number, (seen, rows_of_text) in enumerate(zip(normalised_texts, rows, strict=True)):
        stream.add(number, seen.text, rows_of_text, known)
    words = np.array([_lexical(word) for word in known], np.uint64)
    at = np.flatnonzero(np.array(stream.types, np.int64) > 1)
    return EncodedTexts(
        normalised_texts, rows, np.array(stream.types, np.int64), at, words, _columns(stream, words, at)
    )


class _Stream:
    """The row of tokens as it grows: types, texts, offsets, and the runs of signs that tokens are part of."""

    __slots__ = ("chunks", "ends", "of_chunk", "starts", "texts", "types")

    def __init__(self) -> None:
        self.types: list[int] = []
        self.texts: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.chunks: dict[str, int] = {"": 0}
        self.of_chunk: list[tuple[int, int]] = []

    def add(self, number: int, text: str, rows: list[list[Token]], known: dict[str, int]) -> None:
        """A text's tokens, with their pads."""
        self._pad(0, number, REACH)
        end = 0
        for row in rows:
            if end and ("\n" in (gap := text[end : row[0].start]) or "\r" in gap):
                self._pad(1, number, 1)
            end = row[-1].end
            for token in row:
                word = text[token[0] : token[1]]
                self.types.append(known.setdefault(word, len(known)))
                self.starts.append(token[0])
                self.ends.append(token[1])
            self.texts += [number] * len(row)
            self.of_chunk += self._chunks_of(text, row)
        self._pad(0, number, REACH)

    def _chunks_of(self, text: str, row: list[Token]) -> list[tuple[int, int]]:
        """For each token the run of signs it is part of and how many tokens of it came before."""
        chunks: list[tuple[int, int]] = []
        at, many = 0, len(row)
        for match in _CHUNK.finditer(text, row[0].start, row[-1].end):
            start, end = match.span()
            while row[at].start < start:
                chunks.append((0, 0))
                at += 1
            chunk = self.chunks.setdefault(match[0], len(self.chunks))
            place = 0
            while at < many and row[at].start < end:
                chunks.append((chunk, place))
                at += 1
                place += 1
        return chunks + [(0, 0)] * (many - at)

    def _pad(self, kind: int, number: int, times: int) -> None:
        self.types += [kind] * times
        self.texts += [number] * times
        self.starts += [0] * times
        self.ends += [0] * times
        self.of_chunk += [(0, 0)] * times


def _columns(stream: _Stream, words: Keys, at: IntArray) -> Keys:
    """Keys of a token's place: (tokens, columns)."""
    types = np.array(stream.types, np.int64)
    by_place = words[types]
    columns = {
        **_neighbours(by_place, at),
        **_line(types, by_place, np.array(stream.texts, np.int64), at),
        **_signs(stream, types, at),
        **_elsewhere(types, by_place, np.array(stream.texts, np.int64), at),
    }
    return np.stack([mix(keys, np.uint64(hashed(name))) for name, keys in columns.items()], axis=1)


def _neighbours(by_place: Keys, at: IntArray) -> dict[str, Keys]:
    word, kind, form = by_place[:, _WORD], by_place[:, _SORT], by_place[:, _SHAPE]
    before, after = mix(word[at - 1], word[at]), mix(word[at], word[at + 1])
    sorts = mix(mix(kind[at - 1], kind[at]), kind[at + 1])
    return {
        "word pair before": before,
        "word pair after": after,
        "words around": mix(word[at - 1], word[at + 1]),
        "two before": mix(word[at - 2], word[at - 1]),
        "two after": mix(word[at + 1], word[at + 2]),
        "sorts": sorts,
        "sorts, shape": mix(mix(kind[at - 1], form[at]), kind[at + 1]),
        "sorts before, shape": mix(mix(kind[at - 2], kind[at - 1]), form[at]),
        "sorts after, shape": mix(mix(kind[at + 2], kind[at + 1]), form[at]),
        "sorts before": mix(mix(kind[at - 2], kind[at - 1]), kind[at]),
        "sorts after": mix(mix(kind[at], kind[at + 1]), kind[at + 2]),
        "sorts wide": mix(mix(kind[at - 2], sorts), kind[at + 2]),
        "sorts far before": mix(mix(mix(kind[at - 3], kind[at - 2]), kind[at - 1]), kind[at]),
        "sorts far after": mix(mix(mix(kind[at], kind[at + 1]), kind[at + 2]), kind[at + 3]),
        "word before, shape": mix(word[at - 1], form[at]),
        "word after, shape": mix(word[at + 1], form[at]),
        "always": np.ones(len(at), np.uint64),
    }


def _line(types: IntArray, by_place: Keys, texts: IntArray, at: IntArray) -> dict[str, Keys]:
    """Keys of the line: the words before its last colon, its beginning and its neighbours', its place in the text."""
    word, form, kind = by_place[:, _WORD], by_place[:, _SHAPE], by_place[:, _CASING]
    place = np.arange(len(types))
    start = np.maximum.accumulate(np.where(types < 2, place + 1, 0))
    following = np.minimum.accumulate(np.where(types < 2, place, len(types))[::-1])[::-1]
    colon = np.maximum.accumulate(np.where(word == np.uint64(hashed("word=:")), place, -1))
    colon = np.concatenate([[-1], colon[:-1]])
    cued = (colon >= start)[at]
    cue = np.where(cued, word[colon[at] - 1], np.uint64(0))
    two = np.where(cued, mix(word[colon[at] - 2], cue), np.uint64(0))
    first = word[start[at]]
    into = np.minimum(at - start[at], 8).astype(np.uint64) + np.uint64(1)
    since = np.minimum(np.where(cued, at - colon[at], 9), 9).astype(np.uint64)
    number: IntArray = np.cumsum(types < 2)
    of_text = texts[at]
    firsts = np.searchsorted(texts, of_text, "left")
    lasts = np.searchsorted(texts, of_text, "right") - 1
    line = (number[at] - number[firsts] - REACH + 2).astype(np.uint64)
    left = (number[lasts] - REACH + 1 - number[at]).astype(np.uint64)
    return {
        "cue": cue,
        "two cues": two,
        "cue, since": mix(cue, since),
        "cue, shape": mix(cue, form[at]),
        "cue, casing": mix(two, kind[at]),
        "cue, word": mix(cue, word[at]),
        "first": first,
        "first, into": mix(first, into),
        "first two": mix(first, word[np.minimum(start[at] + 1, following[at])]),
        "line before": word[start[np.maximum(start[at] - 2, 0)]],
        "line after": word[np.minimum(following[at] + 1, len(types) - 1)],
        "into": into,
        "into, casing": mix(into, kind[at]),
        "line": np.minimum(line, np.uint64(25)),
        "lines left": np.minimum(left, np.uint64(6)),
    }


def _signs(stream: _Stream, types: IntArray, at: IntArray) -> dict[str, Keys]:
    """Keys of the run of signs that a token is part of, and of the space around it."""
    starts, ends = np.array(stream.starts, np.int64), np.array(stream.ends, np.int64)
    chunks = np.array([_chunk(chunk) for chunk in stream.chunks], np.uint64)
    chunks[0] = 0
    chunk, place = np.array(stream.of_chunk, np.int64).reshape(-1, 2)[at].T
    place = np.minimum(place, 12).astype(np.uint64) + np.uint64(1)
    whole, form, short = chunks[chunk].T
    gap_before = np.where(types[at - 1] < 2, 3, np.minimum(starts[at] - ends[at - 1], 2)).astype(np.uint64)
    gap_after = np.where(types[at + 1] < 2, 3, np.minimum(starts[at + 1] - ends[at], 2)).astype(np.uint64)
    return {
        "chunk": whole,
        "chunk shape": form,
        "chunk short": short,
        "chunk shape, place": mix(form, place),
        "chunk short, place": mix(short, place),
        "gaps": gap_before * np.uint64(4) + gap_after + np.uint64(1),
    }


def _elsewhere(types: IntArray, by_place: Keys, texts: IntArray, at: IntArray) -> dict[str, Keys]:
    """Keys of the same word's spellings elsewhere in the text, and of the words around its first or last other occurrence."""
    word = by_place[:, _WORD]
    lower = by_place[at, _CASING] == np.uint64(hashed("casing=lower"))
    _, first, group, count = np.unique(
        mix(word[at], texts[at] + 1), return_index=True, return_inverse=True, return_counts=True
    )
    last = np.zeros(len(first), np.int64)
    last[group] = np.arange(len(at))
    own = np.arange(len(at))
    other = np.where(first[group] != own, first[group], last[group])
    alone = (count[group] < 2) | lower | (by_place[at, _HEARD_LENGTH] == _SHORTEST)
    small = (np.bincount(group, lower, len(first))[group] - lower).astype(np.int64)
    there = at[other]
    seen = np.where(alone, np.uint64(0), np.uint64(1))
    many = np.minimum(count[group], 4).astype(np.uint64)
    return {
        "occurs": mix(many, by_place[at, _CASING]),
        "occurs small": np.minimum(small, 2).astype(np.uint64) * (~lower),
        "elsewhere after": word[there - 1] * seen,
        "elsewhere before": word[there + 1] * seen,
        "elsewhere after two": mix(word[there - 2], word[there - 1]) * seen,
    }


_HEARD_LENGTH = list(_HEARD).index("length")
_SHORTEST = np.uint64(hashed("length=1"))
