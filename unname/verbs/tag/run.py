"""Taggers as files: train one, load some, write what they find."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from itertools import islice
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import InputError, SettingsError
from unname.log import Progress, silent
from unname.other_jobs import TaggerTraining
from unname.storage.documents import Columns, document_faults, iter_documents, read_documents
from unname.storage.files import MODEL, parents_made, require_absent, require_apart
from unname.storage.formats import detect_format
from unname.storage.tables import write_jsonl
from unname.taggers.base import Tagger, TrainableTagger, tag_all
from unname.taggers.labels import NO_MASK, relabelled, wanted
from unname.taggers.models import read_phrases, trainable
from unname.taggers.vote import Vote
from unname.types import Document
from unname.verbs.evaluate.run import read_predicted

BATCH = 64


def train_tagger_files(
    corpus: Path,
    out: Path,
    training: TaggerTraining | None = None,
    *,
    columns: Columns | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> TrainableTagger:
    """`unname train tagger`: learn which words are identifiers from annotated documents, and write a model folder."""
    training = training or TaggerTraining()
    kind, split, held_out, labels = training.kind, training.split, training.held_out, training.labels
    if held_out is not None and getattr(trainable(kind), "learns_to_the_end", False):
        raise SettingsError(f"a {kind} tagger has no use for held-out documents: nothing tells it when to stop")
    encoder = training.encoder
    folder = Path(encoder) if encoder and not encoder.startswith("hub:") else None
    read = [
        corpus,
        held_out,
        folder,
        training.word_vectors,
        training.spans,
        training.checkpoint,
        *(path for _, path in training.gazetteers),
    ]
    require_apart(out, inputs=[path for path in read if path is not None])
    require_absent(out, replace=replace, kind=MODEL)
    documents = read_documents(corpus, columns_for(corpus, columns))
    if training.spans is not None:
        found = read_predicted(training.spans, documents)
        documents = [changed(d, spans=spans) for d, spans in zip(documents, found, strict=True)]
    taught = [d for d in documents if split is None or d.split == split]
    stopping = [d for d in documents if split not in (None, "dev") and d.split == "dev"]
    if held_out:
        stopping = read_documents(held_out, columns_for(held_out, columns))
    if not taught:
        raise InputError("no document is in the split that was asked for")
    chosen = [[relabelled(d, labels, by=training.label_by) for d in part] for part in (taught, stopping)]
    require_spans(taught, labels, by=training.label_by)
    tagger = _made(kind, training.seed, _parameters(training))
    progress("train", 1)
    tagger.fit(*chosen)
    tagger.save(out, replace=replace)
    return tagger


def read_annotated(
    corpus: Path, columns: Columns | None, *, labels: Sequence[str] = (), split: str | None = None
) -> list[Document]:
    """The documents of a corpus, or of one of its splits, with the spans of some labels; InputError where there are none."""
    documents = [d for d in read_documents(corpus, columns_for(corpus, columns)) if split is None or d.split == split]
    if not documents:
        raise InputError("no document is in the split that was asked for")
    require_spans(documents, labels)
    return [relabelled(document, labels) for document in documents]


def _parameters(training: TaggerTraining) -> dict[str, Any]:
    """What the kind itself takes."""
    names = ("encoder", "word_vectors", "epochs", "device", "checkpoint", "identifier_weight", "lean")
    given = {name: value for name in names if (value := getattr(training, name)) is not None}
    if training.judge_only:
        given["judge_only"] = True
    if training.gazetteers:
        lists: dict[str, list[str]] = {}
        for label, path in training.gazetteers:
            lists.setdefault(label, []).extend(read_phrases(path))
        given["gazetteers"] = {label: tuple(phrases) for label, phrases in lists.items()}
    return given


def require_spans(taught: Sequence[Document], labels: Sequence[str] = (), *, by: str = "label") -> None:
    """There are spans to learn, of every label that was asked for, with kinds where these are to be learned."""
    spans = [s for d in taught for s in d.spans if s.kind != NO_MASK]
    if not spans:
        raise InputError("the documents to learn from have no annotated spans")
    held = {s.label for s in spans}
    for number, name in enumerate(labels, start=1):
        if not any(wanted(label, [name]) for label in held):
            raise InputError(f"labels: no annotated span to learn has label {number} of those asked for")
    if by == "kind" and not any(s.kind for s in spans if not labels or wanted(s.label, labels)):
        raise InputError("the annotated spans to learn have no kind, direct or quasi; learn them by label")


def _made(kind: str, seed: int, options: Mapping[str, Any]) -> TrainableTagger:
    """A tagger of a kind, not taught yet; what it has no use for is a SettingsError."""
    taken = registry.parameters_of(registry.TAGGERS, kind)
    if useless := sorted(set(options) - taken):
        raise SettingsError(f"a {kind} tagger has no use for {', '.join(useless)}")
    # What some kinds learn depends on the documents alone.
    seeded = {"seed": seed} if "seed" in taken else {}
    made: TrainableTagger = registry.create(registry.TAGGERS, kind, **seeded, **options)
    return made


def columns_for(corpus: Path, columns: Columns | None) -> Columns:
    """How a corpus is read: in the format that was said, else in the one that the names of its files tell."""
    columns = columns or Columns()
    return columns if columns.format else changed(columns, format=detect_format(corpus, (columns.id, *columns.text)))


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
