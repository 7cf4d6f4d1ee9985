"""The public corpora as the benchmarks use them, read from `UNNAME_DATA` or `../shared/data`; nothing is copied."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unname.knowledge.population import Population, make_population
from unname.storage.documents import read_documents
from unname.storage.people import read_profiles
from unname.text import MASK_TOKEN
from unname.types import Document, Mask, MaskSpan, merge_spans

# What most benchmarks measure is the search above the rules, not what the tagger that ships and facts hide before it.
SEARCH_ALONE: dict[str, Any] = {"taggers": ("rules",), "facts": "report"}


@dataclass(frozen=True, slots=True, repr=False)
class Corpus:
    """Documents to mask (every person has a profile), other documents for training attackers, and the population."""

    name: str
    documents: tuple[Document, ...]
    others: tuple[Document, ...]
    population: Population


def data_folder() -> Path:
    """The folder of the benchmark data."""
    folder = Path(os.environ.get("UNNAME_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        raise SystemExit("the benchmark data are not here; set UNNAME_DATA to their folder")
    return folder


def load(name: str, *, full: bool = False) -> Corpus:
    """`congress` (test part against all 12,975; thin profiles unless `full`), `tab`, `wikipedia553` or `authors`."""
    folder = data_folder() / name
    profiles = read_profiles(folder / ("profiles.jsonl.gz" if name == "congress" else "population.jsonl.gz"))
    thin = ("works", "archives") if name == "congress" and not full else ()
    population = make_population(profiles, without_fields=thin)
    documents = [d for d in read_documents(folder / "documents.jsonl.gz") if d.person in population.rows]
    chosen = [d for d in documents if name != "congress" or d.split == "test"]
    others = [d for d in documents if name == "congress" and d.split != "test"]
    return Corpus(name, tuple(chosen), tuple(others), population)


def closed_world(split: str) -> Corpus:
    """A part of `congress` (dev or test) whose people are the whole population, and all of whom are released."""
    folder = data_folder() / "congress"
    documents = [d for d in read_documents(folder / "documents.jsonl.gz") if d.split == split]
    people = {d.person for d in documents}
    profiles = [p for p in read_profiles(folder / "profiles.jsonl.gz") if p.id in people]
    population = make_population(profiles, without_fields=("works", "archives"))
    return Corpus(f"congress-{split}", tuple(documents), (), population)


def human_masks(document: Document) -> Mask:
    """The annotators' masks of a document: everything but what they marked as no_mask."""
    spans = [MaskSpan(s.start, s.end, "human") for s in document.spans if s.kind != "no_mask" and s.start < s.end]
    return Mask(document.id, merge_spans(spans))


def human_release(document: Document) -> str:
    """The text an annotator would release."""
    parts, at = [], 0
    for span in human_masks(document).spans:
        parts += [document.text[at : span.start], MASK_TOKEN]
        at = span.end
    return "".join([*parts, document.text[at:]])


def without_spans(document: Document) -> Document:
    """A document as an attacker may see it."""
    return replace(document, spans=())
