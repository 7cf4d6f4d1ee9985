"""A BiLSTM-CRF's view of a text: tokens as numbers, by word, letters, casing and the gap before them.

Source: Friedrich 2019, §3 and §5.1; the casing feature is that of Reimers and Gurevych 2017. Words are looked up with
case folded and every digit as 0; the casing feature and, if wanted, the letters bring back the loss.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from unname.taggers.reading import TokenizedText, bio_labels, read
from unname.text import fold
from unname.types import Document

# Numbers 0 and 1 stand for padding and what is unknown; a word's letters are framed by 2 and 3.
UNKNOWN = 1
_BEGIN, _END, LETTERS_FROM = 2, 3, 4
WORDS_FROM = 2
CASINGS = ("numeric", "mainly numeric", "all lower", "all upper", "initial upper", "contains digit", "other")
GAPS = ("none", "space", "wide", "line", "start")
MOST_LETTERS = 20
_DIGIT = re.compile(r"\d")


def key(word: str) -> str:
    """The form under which a word is looked up: folded, each digit as 0."""
    return _DIGIT.sub("0", fold(word))


def casing(word: str) -> int:
    """The casing of a word: an index into `CASINGS`."""
    digits = sum(c.isdigit() for c in word)
    if digits == len(word):
        return 0
    if digits > len(word) / 2:
        return 1
    if word.islower():
        return 2
    if word.isupper():
        return 3
    if word[:1].isupper():
        return 4
    return 5 if digits else 6


def gap(between: str | None) -> int:
    """The gap before a token: an index into `GAPS`; None is the start of the text."""
    if between is None:
        return 4
    if "\n" in between or "\r" in between:
        return 3
    return min(len(between), 2)


@dataclass(frozen=True, slots=True, repr=False)
class Vocabulary:
    """Known words (as `key` gives them), letters and labels, each in the order of their numbers."""

    words: tuple[str, ...]
    letters: tuple[str, ...]
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Vocabulary({len(self.words)} words, {len(self.letters)} letters, {len(self.labels)} labels)"


def learn_vocabulary(documents: Sequence[Document], *, least_documents: int) -> Vocabulary:
    """Words and letters that occur in so many documents, and the labels of the spans.

    A word of one document alone is an example of an unknown word; most names are such, and none is kept.
    """
    words: Counter[str] = Counter()
    letters: Counter[str] = Counter()
    for document in documents:
        reading = read(document.text)
        tokens = {reading.normalised.text[t.start : t.end] for t in reading.tokens}
        words.update({key(token) for token in tokens})
        letters.update(set("".join(tokens)))
    return Vocabulary(
        tuple(sorted(w for w, count in words.items() if count >= least_documents)),
        tuple(sorted(c for c, count in letters.items() if count >= least_documents)),
        bio_labels(documents),
    )


@dataclass(frozen=True, slots=True, repr=False)
class Numbers:
    """Tokens as numbers: word, casing, gap, and the token itself for its letters; all of one length."""

    words: list[int]
    casings: list[int]
    gaps: list[int]
    shown: list[str]

    def __repr__(self) -> str:
        return f"Numbers({len(self.words)} tokens)"

    def part(self, start: int, end: int) -> "Numbers":
        """The tokens `[start, end)`."""
        return Numbers(self.words[start:end], self.casings[start:end], self.gaps[start:end], self.shown[start:end])


class Lookup:
    """A vocabulary ready to be looked up in."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._words = {word: number for number, word in enumerate(vocabulary.words, WORDS_FROM)}
        self._letters = {c: number for number, c in enumerate(vocabulary.letters, LETTERS_FROM)}

    def numbers(self, reading: TokenizedText) -> Numbers:
        """A reading as numbers."""
        text = reading.normalised.text
        shown = [text[t.start : t.end] for t in reading.tokens]
        ends = [t.end for t in reading.tokens]
        between = [text[end : t.start] for end, t in zip(ends, reading.tokens[1:], strict=False)]
        return Numbers(
            [self._words.get(key(token), UNKNOWN) for token in shown],
            [casing(token) for token in shown],
            [gap(part) for part in (None, *between)][: len(shown)],
            shown,
        )

    def letters(self, token: str) -> list[int]:
        """A token's letters in their frame; of a long one its beginning and its end."""
        if len(token) > MOST_LETTERS:
            token = token[: MOST_LETTERS // 2] + token[-MOST_LETTERS // 2 :]
        return [_BEGIN, *(self._letters.get(c, UNKNOWN) for c in token), _END]
