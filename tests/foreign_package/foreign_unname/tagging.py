"""A tagger that is used as it is, and a kind that learns."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from unname.storage.files import MODEL, staged_folders
from unname.types import Document, Span


@dataclass(frozen=True)
class Mornings:
    """The word "morning", as if it were a name."""

    name: str = "foreign.v1"
    labels: frozenset[str] = frozenset(("CODE",))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[Span(*found.span(), "CODE") for found in re.finditer(r"\bmorning\b", text)] for text in texts]


@dataclass
class KnownWords:
    """Every word that was annotated somewhere."""

    shortest: int = 1
    name: str = "foreign-words.v1"
    words_: frozenset[str] = frozenset()
    labels_: tuple[str, ...] = ("B-NAME", "I-NAME", "O")

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        named = (document.text[span.start : span.end] for document in documents for span in document.spans)
        self.words_ = frozenset(word for said in named for word in said.split() if len(word) >= self.shortest)
        return self

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [Span(*found.span(), "NAME") for found in re.finditer(r"\w+", text) if found[0] in self.words_]
            for text in texts
        ]

    def save(self, folder: Path, *, replace: bool = False) -> None:
        kept = json.dumps({"name": self.name, "words": sorted(self.words_)})
        with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
            (aside / "model.json").write_text(kept, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        return cls(words_=frozenset(json.loads((folder / "model.json").read_text("utf-8"))["words"]))
