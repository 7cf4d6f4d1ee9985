"""The cost of a release: words hidden, information lost, and the kinds of words that went."""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from unname.auditing.report import HiddenKind, Masked
from unname.stopwords import function_words, stop_words_of
from unname.text import MASK_TOKEN, PLACEHOLDER, Word, folded_words, places, visible, words
from unname.types import Document, Mask


def hidden_words(document: Document, mask: Mask, row: Sequence[Word] | None = None) -> tuple[int, int]:
    """(hidden, all) words of a document: a word is hidden when a span touches it. `row` may give its words."""
    row_of_words = words(document.text) if row is None else row
    at = hidden = 0
    for word in row_of_words:
        while at < len(mask.spans) and mask.spans[at].end <= word.start:
            at += 1
        hidden += at < len(mask.spans) and mask.spans[at].start < word.end
    return hidden, len(row_of_words)


def hidden_by_alignment(original: str, released: str) -> tuple[int, int]:
    """(hidden, all) words of a foreign release: hidden is what the longest alignment of both texts' words does not keep."""
    before, after = folded_words(original), folded_words(visible(released))
    return len(before) - _longest_alignment(before, after), len(before)


def _longest_alignment(before: Sequence[str], after: Sequence[str]) -> int:
    """Length of a longest common subsequence. Source: Hyyrö 2004, one bit for each word of `before`."""
    places: dict[str, int] = {}
    for i, word in enumerate(before):
        places[word] = places.get(word, 0) | 1 << i
    whole = (1 << len(before)) - 1
    open_ = whole
    for word in after:
        met = open_ & places.get(word, 0)
        open_ = ((open_ + met) | (open_ - met)) & whole
    return len(before) - open_.bit_count()


def _compressed(texts: Iterable[str]) -> int:
    """Bytes of all texts, joined by a space, compressed; none is held."""
    packer, size, first = zlib.compressobj(9), 0, True
    for text in texts:
        size += len(packer.compress((text if first else f" {text}").encode()))
        first = False
    return size + len(packer.flush())


def information_loss(originals: Iterable[str], released: Iterable[str]) -> float:
    """1 − compressed bytes of all released texts over those of all originals; every placeholder counts as one token."""
    before = _compressed(originals)
    after = _compressed(PLACEHOLDER.sub(MASK_TOKEN, text) for text in released)
    return 1 - after / before if before else 0.0


def word_class(text: str, start: int, end: int, stop_words: frozenset[str] | None = None) -> str:
    """The kind of a word: number, function word, name (a capital that no sentence start explains) or other."""
    word = text[start:end]
    if any(character.isdigit() for character in word):
        return "numbers"
    if word.casefold() in (function_words()["en"] if stop_words is None else stop_words):
        return "function words"
    if word[:1].isupper() and not _starts_sentence(text, start):
        return "names"
    return "other words"


def _starts_sentence(text: str, start: int) -> bool:
    while start and text[start - 1] in " \t\"'“‘(":
        start -= 1
    return not start or text[start - 1] in "\n.!?"


def hidden_classes(documents: Sequence[Document], masks: Sequence[Mask]) -> dict[str, HiddenKind]:
    """The number of words of each kind and the share hidden (Morris 2022, Figure 4, with our classes)."""
    total: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    for document, mask in zip(documents, masks, strict=True):
        at, stop_words = 0, stop_words_of(folded_words(document.text))
        for start, end in places(document.text):
            kind = word_class(document.text, start, end, stop_words)
            while at < len(mask.spans) and mask.spans[at].end <= start:
                at += 1
            total[kind] += 1
            hidden[kind] += at < len(mask.spans) and mask.spans[at].start < end
    return {kind: HiddenKind(total[kind], hidden[kind] / total[kind]) for kind in sorted(total)}


def cost(originals: Sequence[Document], texts: Sequence[str | None], masks: Sequence[Mask] | None) -> dict[str, Any]:
    """Masked %, pooled and per document (withheld documents count whole), information loss, kinds of words hidden."""
    shares, hidden, total = [], 0, 0
    for i, (document, text) in enumerate(zip(originals, texts, strict=True)):
        if text is None:
            gone, count = hidden_words(document, Mask(document.id))
            gone = count
        elif masks is not None:
            gone, count = hidden_words(document, masks[i])
        else:
            gone, count = hidden_by_alignment(document.text, text)
        hidden, total = hidden + gone, total + count
        if count:
            shares.append(gone / count)
    known = "exact" if masks is not None else "heuristic"
    mean = sum(shares) / len(shares) if shares else 0.0
    return {
        "masked": Masked(hidden / total if total else 0.0, mean, total, known),
        "information_loss": information_loss([d.text for d in originals], [t or "" for t in texts]),
        "kinds": hidden_classes(originals, masks) if masks is not None else None,
    }
