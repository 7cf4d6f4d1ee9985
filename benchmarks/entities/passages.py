"""Passages with marks and slots, by language, and documents made of them: `sentences/LL.txt`.

A mark is `[[LABEL|text]]`; a slot such as `{first}` stands for what a `Filler` draws. Texts without slots are read alike.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from unname.taggers.entities.tagger import LABELS
from unname.types import Document, Span

SENTENCES = Path(__file__).parent / "sentences"
LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt")
_MARK = re.compile(r"\[\[([A-Z]+)\|(.*?)\]\]", re.DOTALL)
_SLOT = re.compile(r"\{(\w+)\}")
_HEAD = re.compile(r"^== (\w+) ==$", re.MULTILINE)


@dataclass(frozen=True, slots=True, repr=False)
class Bank:
    """The passages of a language, and its lists by name."""

    passages: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def bank(language: str) -> Bank:
    """Everything written by hand for a language."""
    parts = _HEAD.split((SENTENCES / f"{language}.txt").read_text(encoding="utf-8"))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    passages = [part.strip("\n") for part in re.split(r"\n[ \t]*\n", sections.pop("passages")) if part.strip()]
    lists = {name: tuple(line.strip() for line in body.splitlines() if line.strip()) for name, body in sections.items()}
    return Bank(tuple(dict.fromkeys(passages)), lists)


def marked(text: str, identifier: str) -> Document:
    """A document of a text with marks; a label that is not among `LABELS` is a ValueError."""
    parts: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for match in _MARK.finditer(text):
        before, inner = text[at : match.start()], match[2]
        if match[1] not in LABELS:
            raise ValueError(f"{identifier}: no such label: {match[1]}")
        parts += [before, inner]
        start = length + len(before)
        length = start + len(inner)
        if inner:
            spans.append(Span(start, length, match[1]))
        at = match.end()
    return Document(identifier, "".join([*parts, text[at:]]), spans=tuple(spans))


def filled(passage: str, fill: Callable[[str], str]) -> str:
    """A passage with something in each slot; what fills one may have slots of its own."""
    for _ in range(3):
        passage = _SLOT.sub(lambda slot: fill(slot[1]), passage)
        if "{" not in passage:
            break
    return passage


def made_documents(
    banks: Sequence[Bank], fillers: Sequence[Callable[[str], str]], times: int, chance: random.Random
) -> list[Document]:
    """Each passage so many times with other contents, some in capitals or in small letters, joined by one to four."""
    found: list[Document] = []
    for number, (one, fill) in enumerate(zip(banks, fillers, strict=True)):
        rows = [passage for passage in one.passages for _ in range(times)]
        chance.shuffle(rows)
        while rows:
            together = [filled(rows.pop(), fill) for _ in range(min(len(rows), chance.choice((1, 1, 2, 3, 4, 8))))]
            spoken = len(together) > 2 and chance.random() < 0.25
            if spoken:
                together = _as_speech(together, fill, chance)
            text = chance.choice(("\n", "\n\n") if spoken else ("\n", "\n\n", " ", "\n")).join(together)
            found.append(_cased(marked(text, f"{number} {len(rows)}"), chance.random()))
    return found


def _as_speech(passages: Sequence[str], fill: Callable[[str], str], chance: random.Random) -> list[str]:
    """Passages as turns of a conversation: speakers by name, by initials, or by what they are there."""
    named = (
        "{first}",
        "{first}",
        "{last}",
        "{first} {last}",
        "{initial}. {initial}.",
        "{initial}{initial}",
        "{nickname}",
    )
    roles = ("I", "B", "I1", "B2", "P3", "Interviewer", "A", "B", "Q", "E")
    marks = [f"[[NAME|{filled(chance.choice(named), fill)}]]" for _ in range(2)]
    if chance.random() < 0.5:
        marks[0] = chance.choice(roles)
    if chance.random() < 0.2:
        marks = [mark.upper() if mark.startswith("[[") and "|" in mark else mark for mark in marks]
    end = chance.choice((": ", ": ", ":\t", " : "))
    return [f"{marks[number % 2]}{end}{passage}" for number, passage in enumerate(passages)]


def _cased(document: Document, chance: float) -> Document:
    """A few documents in small letters or in capitals, where that keeps their length."""
    if chance > 0.14:
        return document
    text = document.text.lower() if chance < 0.11 else document.text.upper()
    return document if len(text) != len(document.text) else Document(document.id, text, spans=document.spans)
