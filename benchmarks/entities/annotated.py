"""Texts of seven languages with every identifier marked by hand, for trying taggers: written apart from the passages.

Forty each: interviews, posts, clinical and other letters, decisions, short lives. The first half is for choosing settings
(dev), the second is looked at once (test).
"""

from functools import cache
from pathlib import Path

from benchmarks.entities.passages import marked
from unname.types import Document

FOLDER = Path(__file__).parent / "annotated"
HALF = 20


@cache
def annotated(language: str, half: str = "") -> tuple[Document, ...]:
    """The documents of a language, all or those of its `dev` or `test` half."""
    parts = (FOLDER / f"{language}.txt").read_text(encoding="utf-8").split("\n=====\n")
    documents = tuple(marked(part.strip("\n"), f"{language}-{number}") for number, part in enumerate(parts, start=1))
    return {"": documents, "dev": documents[:HALF], "test": documents[HALF:]}[half]
