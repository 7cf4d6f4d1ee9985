"""Identifiers in disguise: of those that a tagger covers in clean text, how many it still covers, trick by trick.

    python -m benchmarks.evasion [--kind rules] [--tagger FOLDER] [--documents N]

Every annotated identifier of MEDDOCAN's dev part, and of made-up records, is disguised in its place; the words around
it stay. An identifier is covered when spans cover each of its letters and digits. `--kind` is any registered tagger; a
trained one is loaded from `--tagger`. Written to results/evasion.json, a row a tagger.
"""

import argparse
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clinical import made_up, meddocan
from benchmarks.results import save, say
from unname import registry
from unname.lookalikes import ALIKE
from unname.taggers.base import Tagger
from unname.types import Document, Span

SEED = 0
# What becomes of each character of an identifier: (what is shown for it, what is hidden behind it).
Shown = list[tuple[str, str]]
Trick = Callable[[str, Random], Shown]

_LOOKS = {latin: other for other, latin in reversed(ALIKE.items()) if "\u0370" <= other < "\u0530"}
_MARKS = "\u0334\u0335\u0336\u0337\u0338\u0332\u0305\u033f\u0353\u0359\u0307\u0300\u0301\u0315\u0321\u0322\u0489"


def _behind(signs: str, often: float = 1.0) -> Trick:
    """Signs hidden behind characters."""
    return lambda text, draw: [(c, draw.choice(signs) if draw.random() < often else "") for c in text]


def _by_code(first: dict[str, int]) -> Trick:
    """Letters and digits by other blocks of Unicode: where A, a and 0 are."""

    def other(c: str) -> str:
        if not c.isascii() or not c.isalnum():
            return c
        start = "0" if c.isdigit() else "A" if c.isupper() else "a"
        return chr(first[start] + ord(c) - ord(start)) if start in first else c

    return lambda text, draw: [(other(c), "") for c in text]


def full_width(text: str, draw: Random) -> Shown:
    """Every sign of ASCII twice as wide."""
    return [(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c, "") for c in text]


def circled(text: str, draw: Random) -> Shown:
    """Letters and digits in circles."""
    shown = _by_code({"A": 0x24B6, "a": 0x24D0})(text, draw)
    return [("\u24ea" if c == "0" else chr(0x245F + int(c)) if c in "123456789" else c, hid) for c, hid in shown]


def look_alikes(text: str, draw: Random) -> Shown:
    """Every second letter, about, from the Cyrillic or Greek alphabet."""
    return [(_LOOKS.get(c, c) if draw.random() < 0.5 else c, "") for c in text]


def all_look_alikes(text: str, draw: Random) -> Shown:
    """Every letter that has a look-alike."""
    return [(_LOOKS.get(c, c), "") for c in text]


def marks(text: str, draw: Random) -> Shown:
    """One to three marks on each letter and digit."""
    return [(c, "".join(draw.choices(_MARKS, k=draw.randint(1, 3))) if c.isalnum() else "") for c in text]


def decomposed(text: str, draw: Random) -> Shown:
    """Accents apart from their letters."""
    return [(unicodedata.normalize("NFD", c), "") for c in text]


def _spaced(sign: str) -> Trick:
    """A sign behind each letter and digit of words of four or more, all but the last."""

    def rewrite(text: str, draw: Random) -> Shown:
        shown = []
        for word, c, last in _words(text):
            behind = sign if len(word) >= 4 and c.isalnum() and not last else ""
            shown.append((c if c != " " or sign != " " else "  ", behind))
        return shown

    return rewrite


def spelled(text: str, draw: Random) -> Shown:
    """A blank between any two signs, two between words; what is too short to be spelled out stays."""
    if sum(c.isalnum() for c in text) < 5 or any(len(word) < 3 for word in text.split()):
        return [(c, "") for c in text]
    return [
        (c if c != " " else "  ", " " if c != " " and i + 1 < len(text) and text[i + 1] != " " else "")
        for i, c in enumerate(text)
    ]


def broken(text: str, draw: Random) -> Shown:
    """A hyphen and a line end within each word of four letters or more."""
    shown: Shown = []
    place = 0
    for word, c, _ in _words(text):
        place = 0 if c == " " else place + 1
        split = word.isalpha() and len(word) >= 4 and place == len(word) // 2
        shown.append((c, "-\n" if split and text[len(shown) + 1 : len(shown) + 2].islower() else ""))
    return shown


def wrapped(text: str, draw: Random) -> Shown:
    """Line ends for blanks."""
    return [("\n" if c == " " else c, "") for c in text]


def _words(text: str) -> list[tuple[str, str, bool]]:
    """Each character with its run of letters and digits, and whether it is the last of it."""
    found: list[tuple[str, str, bool]] = []
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end].isalnum():
            end += 1
        end = max(end, at + 1)
        found += [(text[at:end], c, i + 1 == end) for i, c in enumerate(text[at:end], at)]
        at = end
    return found


TRICKS: dict[str, Trick] = {
    "zero-width": _behind("\u200b\u200c\u200d\u2060\ufeff"),
    "soft hyphen": _behind("\xad", 0.5),
    "bidi": _behind("\u200e\u200f\u202a\u202c\u202d\u2066\u2069", 0.5),
    "variation": _behind("\ufe00\ufe0f\U000e0100", 0.5),
    "full width": full_width,
    "mathematical": _by_code({"A": 0x1D400, "a": 0x1D41A, "0": 0x1D7CE}),
    "monospace": _by_code({"A": 0x1D670, "a": 0x1D68A, "0": 0x1D7F6}),
    "circled": circled,
    "look-alikes": look_alikes,
    "all look-alikes": all_look_alikes,
    "marks": marks,
    "decomposed": decomposed,
    "spaced": _spaced(" "),
    "spelled": spelled,
    "hyphened": _spaced("-"),
    "entities": lambda text, draw: [(f"&#{ord(c)};", "") for c in text],
    "hexadecimal entities": lambda text, draw: [(f"&#x{ord(c):X};", "") for c in text],
    "entities of entities": lambda text, draw: [(f"&amp;#{ord(c)};", "") for c in text],
    "broken": broken,
    "wrapped": wrapped,
}


def evade(document: Document, trick: Trick, seed: int = SEED) -> tuple[Document, list[list[tuple[int, int]]]]:
    """The document with its (disjoint) spans disguised and moved, and where each span's letters and digits are shown."""
    draw = Random(f"{seed} {document.id}")  # noqa: S311 (where to cut a word is no secret)
    parts: list[str] = []
    length = at = 0
    spans, letters = [], []
    for span in sorted(document.spans):
        if span.start < at:
            continue
        parts.append(document.text[at : span.start])
        length += span.start - at
        start, places = length, []
        original = document.text[span.start : span.end]
        for c, (shown, hidden) in zip(original, trick(original, draw), strict=True):
            if c.isalnum():
                places.append((length, length + len(shown)))
            parts += (shown, hidden)
            length += len(shown) + len(hidden)
        spans.append(replace(span, start=start, end=length))
        letters.append(places)
        at = span.end
    return replace(document, text="".join([*parts, document.text[at:]]), spans=tuple(spans)), letters


def covered(letters: Sequence[tuple[int, int]], spans: Sequence[Span]) -> bool:
    """True if spans cover every letter and digit."""
    return all(any(s.start <= a and b <= s.end for s in spans) for a, b in letters)


def recall(tagger: Tagger, documents: Sequence[Document], tricks: dict[str, Trick] = TRICKS) -> dict[str, Any]:
    """For each trick, of the identifiers that are covered in clean text and that it changes, the share still covered."""
    before = _read(tagger, documents, lambda text, draw: [(c, "") for c in text])
    rows: dict[str, Any] = {"clean": {"identifiers": len(before), "covered": sum(was for was, _ in before.values())}}
    for name, trick in tricks.items():
        after = _read(tagger, documents, trick)
        changed = [key for key, (was, written) in before.items() if was and after[key][1] != written]
        lost = Counter(key[2] for key in changed if not after[key][0])
        share = round(1 - lost.total() / len(changed), 4) if changed else None
        rows[name] = {"disguised": len(changed), "recall": share, "lost": dict(lost.most_common(4))}
    return rows


def _read(tagger: Tagger, documents: Sequence[Document], trick: Trick) -> dict[tuple[str, int, str], tuple[bool, str]]:
    """Of each identifier, by document, place and label: whether it is covered, and how it is written."""
    evaded = [evade(document, trick) for document in documents]
    tagged = tagger.tag([document.text for document, _ in evaded])
    return {
        (document.id, place, span.label): (
            covered(where, [s for s in spans if s.start < span.end and span.start < s.end]),
            document.text[span.start : span.end],
        )
        for (document, letters), spans in zip(evaded, tagged, strict=True)
        for place, (span, where) in enumerate(zip(document.spans, letters, strict=True))
    }


def main() -> None:
    """Measure one tagger on both corpora."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="rules")
    parser.add_argument("--tagger", type=Path, help="the folder of a trained tagger")
    parser.add_argument("--documents", type=int, default=250)
    options = parser.parse_args()
    tagger = registry.create(registry.TAGGERS, options.kind)
    tagger = type(tagger).load(options.tagger) if options.tagger else tagger
    rows = {}
    for corpus, documents in (("meddocan dev", meddocan("dev")), ("made up", made_up(250, SEED))):
        rows[f"{tagger.name}, {corpus}"] = found = recall(tagger, documents[: options.documents])
        for name, row in found.items():
            say(f"{corpus:14}{name:24}", row)
    save("evasion", rows, seed=SEED, goal=0.95)


if __name__ == "__main__":
    main()
