"""Words and placeholders: the one place that says what a word is.

A word is a maximal run of `\\w` in the *original* text; in scripts that part no words (Chinese, Japanese, Thai, Lao, Khmer,
Burmese), a word of a dictionary within one, as ICU finds them. Case is folded afterwards, because folding first splits
letters such as "İ" (which folds to two code points). A placeholder is what a transform leaves where it hid a word, a label
with or without a number; it adds nothing to any score.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, wraps
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

_start, _end = attrgetter("start"), attrgetter("end")

# Vowel signs and points, which are no letters: from Hebrew and Arabic over the scripts of India and Thai to Khmer.
_SIGNS = "".join(c for c in map(chr, range(0x0591, 0x17DE)) if unicodedata.category(c) in ("Mn", "Mc"))
WORD = re.compile(rf"\w[\w{_SIGNS}]*")
_LABEL, _NUMBER = r"[A-Z]+(?:_[A-Z0-9]+)*", r"[1-9][0-9]{0,2}"
PLACEHOLDER = re.compile(rf"\[{_LABEL}(?: {_NUMBER})?\]")
NUMBERED = re.compile(rf"(?P<token>\[{_LABEL}) (?P<number>{_NUMBER})\]")
MASK_TOKEN = "[MASK]"  # noqa: S105 (a placeholder, not a password)
# Numbers of placeholders: more figures would be a year, which texts have in brackets as well.
MOST_NUMBERED = 999
GAP = "\u2588"

Reader = Callable[[str], list[str]]
# What of the texts read last is remembered: more texts than attackers score in one go, none of them long.
_REMEMBERED_TEXTS = 300
_REMEMBERED_CHARACTERS = 4096


class Word(NamedTuple):
    """An occurrence `[start, end)` of a word and its folded form."""

    start: int
    end: int
    folded: str

    def __repr__(self) -> str:
        return f"Word({self.start}, {self.end})"


# A tuple's own way of being made, a third faster than the constructor; texts have many words.
_word = tuple.__new__


@lru_cache(maxsize=1 << 18)
def fold(word: str) -> str:
    """The form under which two spellings of a word count as the same: NFKC and full case folding."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


def without_accents(text: str) -> str:
    """A text without the marks on its letters: notes often lack what registries have, or the other way round.

    Letters with a stroke or a dot too few count as marked ones ("ł", "ø", "ı"), and so do the Arabic letters that
    keyboards and habits mix up (alef, yeh, kaf, teh marbuta), the line that stretches a word, and Chinese characters in
    their traditional form.
    """
    if text.isascii():
        return text
    apart = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    plain = apart.translate(_PLAIN_LETTERS)
    if _HAN.search(plain):
        plain = "".join(map(_simplified, plain))
    return unicodedata.normalize("NFC", plain) if _JAMO.search(plain) else plain


@lru_cache(maxsize=1 << 15)
def _simplified(character: str) -> str:
    """A Chinese character, also in its Japanese form, as it is written in mainland China."""
    if not _HAN.match(character):
        return character
    japanese, traditional = _converters()
    return str(traditional.convert(japanese.convert(character)))


@cache
def _converters() -> tuple[Any, Any]:
    """From Japanese forms of characters to traditional ones, and from these to simplified ones."""
    from opencc import OpenCC  # for texts of its script alone

    return OpenCC("jp2t"), OpenCC("t2s")


# Letters that Unicode does not take apart.
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
     "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D",
     **{chr(kana): chr(kana - 0x60) for kana in range(0x30A1, 0x30F7)},
     "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ٱ": "ا", "\u0640": ""}
)  # fmt: skip
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
# Hangul that was taken apart.
_JAMO = re.compile("[\u1100-\u11ff]")


def remembering(read: Reader) -> Reader:
    """A reader that remembers what it read in the last few texts, for attackers read the same ones after each other."""

    @lru_cache(maxsize=_REMEMBERED_TEXTS)
    def kept(text: str) -> tuple[str, ...]:
        return tuple(read(text))

    @wraps(read)
    def remembered(text: str) -> list[str]:
        return list(kept(text)) if len(text) <= _REMEMBERED_CHARACTERS else read(text)

    return remembered


def words(text: str) -> list[Word]:
    """Every word of a text in order, with code point offsets."""
    if is_parted(text):
        return [_word(Word, (m.start(), m.end(), fold(m[0]))) for m in WORD.finditer(text)]
    return [_word(Word, (start, end, fold(text[start:end]))) for start, end in places(text)]


@remembering
def folded_words(text: str) -> list[str]:
    """The folded words of a text in order."""
    return [fold(w) for w in (WORD.findall(text) if is_parted(text) else in_words(WORD.findall(text)))]


def folded_runs(text: str) -> list[str]:
    """The folded runs of letters of a text: for names and labels, which no dictionary may cut."""
    return [fold(run) for run in WORD.findall(text)]


def places(text: str) -> Iterator[tuple[int, int]]:
    """The place of each word of a text, in order."""
    parted = is_parted(text)
    for match in WORD.finditer(text):
        if parted or is_parted(match[0]):
            yield match.span()
        else:
            start = match.start()
            for piece in _dictionary_words(match[0]):
                yield start, start + len(piece)
                start += len(piece)


def plain(text: str) -> str:
    """A text's words folded and without accents, with one blank between: what two ways of writing a value share."""
    return " ".join(without_accents(word) for word in folded_runs(text))


def is_latin(text: str) -> bool:
    """True if all letters of a text are Latin ones."""
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in text if c.isalpha())


def in_words(runs: Iterable[str]) -> Iterator[str]:
    """The words of maximal runs of `\\w`, and of what stands between words as it is."""
    for run in runs:
        if is_parted(run):
            yield run
        else:
            yield from _dictionary_words(run)


# Scripts that leave no blank between words: Thai, Lao, Burmese, Khmer, kana, Chinese characters; and Korean, which joins
# particles to names.
UNPARTED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\uac00-\ud7af"
_UNPARTED = re.compile(f"[{UNPARTED}]")


def is_parted(text: str) -> bool:
    """True if a text is of scripts that part words alone."""
    return text.isascii() or not _UNPARTED.search(text)


@lru_cache(maxsize=1 << 14)
def _dictionary_words(run: str) -> tuple[str, ...]:
    """The words of a run of letters, by dictionary; together they are the run."""
    from icu4py.breakers import WordBreaker  # for texts of these scripts alone

    return tuple(WordBreaker(run, "und"))


def visible(text: str) -> str:
    """The text that an attacker can read of a release: each placeholder becomes a gap, which is no word and joins none."""
    return PLACEHOLDER.sub(f" {GAP} ", text)


def token_label(label: str) -> str:
    """A label as it may stand in a placeholder, or none."""
    said = "_".join(part for part in label.upper().replace("-", "_").replace(" ", "_").split("_") if part)
    return said if PLACEHOLDER.fullmatch(f"[{said}]") else ""


def placeholder(label: str, number: int = 0) -> str:
    """The placeholder of a hidden stretch with this label, and a number from 1 on where it has one, up to the largest."""
    said = token_label(label) or MASK_TOKEN[1:-1]
    return f"[{said} {number}]" if 0 < number <= MOST_NUMBERED else f"[{said}]"


def placeholders(text: str) -> Iterator[tuple[int, int]]:
    """Offsets of everything in a text that looks like a placeholder."""
    return (match.span() for match in PLACEHOLDER.finditer(text))


class Stretch(Protocol):
    """A stretch of a text, `[start, end)` in code points, such as a span of a mask."""

    @property
    def start(self) -> int:
        """The place where it begins."""
        ...

    @property
    def end(self) -> int:
        """The place where it has ended."""
        ...


def uncovered(row: Sequence[Word], spans: Sequence[Stretch]) -> list[Word]:
    """The words that no span touches, in order; both are sorted."""
    readable: list[Word] = []
    at = 0
    for span in spans:
        readable += row[at : bisect_right(row, span.start, at, key=_end)]
        at = bisect_left(row, span.end, at, key=_start)
    readable += row[at:]
    return readable
