"""A file of the spans that taggers find in a corpus."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from unname.errors import InputError, SettingsError
from unname.inputs.annotated import columns_for, in_split
from unname.inputs.handed_in import spans_tagger
from unname.log import Progress, silent
from unname.storage.documents import Columns, document_faults, iter_documents, read_documents
from unname.storage.files import parents_made
from unname.storage.tables import write_jsonl
from unname.taggers.base import Tagger, tag_all
from unname.taggers.models import named_taggers
from unname.taggers.vote import Vote
from unname.verbs.tag.options import Tagging

BATCH = 64


def tag_files(
    corpus: Path,
    out: Path,
    *,
    taggers: Sequence[Tagger],
    votes: int | None = None,
    split: str | None = None,
    columns: Columns | None = None,
    progress: Progress = silent,
) -> int:
    """`unname tag`: what taggers find in each document, one JSON line each, and of how many documents.

    Of spans of several taggers that overlap, one stays: the longest (`without_overlaps`), or with `votes` that which most
    taggers find, and at least so many, with the same borders and label (`Vote`). The file names no text.
    """
    if not taggers:
        raise SettingsError("name at least one tagger, such as rules or entities, or hand in spans")
    together = taggers if votes is None else (Vote(tuple(taggers), votes),)
    columns = columns_for(corpus, columns)
    faults, count = document_faults(corpus, columns), 0
    documents = (d for _, d in iter_documents(corpus, columns, faults=faults) if split is None or d.split == split)
    advance = progress("tag", 0)

    def rows() -> Iterator[Mapping[str, Any]]:
        nonlocal count
        for batch in iter(lambda: list(islice(documents, BATCH)), []):
            for document, spans in zip(batch, tag_all(together, [d.text for d in batch]), strict=True):
                said = [{"start": s.start, "end": s.end, "label": s.label, "score": round(s.score, 6)} for s in spans]
                yield {"id": document.id, "spans": said}
            count += len(batch)
            advance(len(batch))
        # Raised in here, so that nothing is written.
        faults.raise_any()
        if not count:
            raise InputError("no document is in the split that was asked for")

    with parents_made(out):
        write_jsonl(out, rows(), private=True, fresh=True)
    return count


def taggers_for(corpus: Path, how: Tagging, columns: Columns | None = None) -> list[Tagger]:
    """The taggers that were named, and the spans that a file lists for a corpus, or for one of its splits, as one more."""
    made = named_taggers(
        how.taggers, gazetteers=how.gazetteers, allow=how.allow, label_map=how.label_map, spans=how.spans is not None
    )
    if how.spans is None:
        return made
    documents = in_split(read_documents(corpus, columns_for(corpus, columns)), how.split, corpus)
    return [*made, spans_tagger(how.spans, documents, how.label_map, every=how.split is None)]
