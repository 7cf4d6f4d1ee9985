"""Taggers as files: train one, load some, write what they find."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from itertools import islice
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import InputError, SettingsError
from unname.log import Progress, silent
from unname.storage.documents import Columns, document_faults, iter_documents, read_documents
from unname.storage.faults import shown_name
from unname.storage.files import MODEL, parents_made, require_absent, require_apart
from unname.storage.formats import format_told
from unname.storage.tables import read_lines, write_jsonl
from unname.taggers.base import Tagger, TrainableTagger, tag_all
from unname.taggers.labels import NO_MASK, relabelled, wanted
from unname.taggers.models import learns, load_tagger, trainable
from unname.taggers.vote import Vote
from unname.types import Document

BATCH = 64
RULES = "rules.v1"
_LEARN_TO_THE_END = frozenset(("crf.v1", "svm.v1", "ensemble.v1"))


def split_taggers(given: Sequence[str]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Of what was named as taggers, those that are registered and need no training, and folders of trained ones."""
    names, folders = [], []
    for number, name in enumerate(given, start=1):
        if name in ("", "none"):
            continue
        known = name in {form for full in registry.names(registry.TAGGERS) for form in (full, full.rpartition(".v")[0])}
        if known and not learns(name):
            names.append(name)
        elif Path(name).is_dir() and (not known or (Path(name) / "model.json").is_file()):
            folders.append(Path(name))
        elif known:
            raise SettingsError(
                f"{name} has to learn first: name the folder that `unname train tagger` wrote; no folder {name} holds one"
            )
        else:
            raise SettingsError(
                f"tagger: name {number} is neither a folder that is there nor a tagger that needs no training, such as rules"
            )
    return tuple(names), tuple(folders)


def _phrases(path: Path) -> Sequence[str]:
    """The lines of a list of phrases; one without any is an InputError, for it would find nothing."""
    lines = read_lines(path)
    if not lines:
        raise InputError(f"{shown_name(path)}: holds no phrases")
    return lines


def make_taggers(
    names: Sequence[str],
    folders: Sequence[Path] = (),
    *,
    gazetteers: Sequence[tuple[str, Path]] = (),
    allow: Path | None = None,
) -> list[Tagger]:
    """Taggers by name and from folders, ready to tag.

    `gazetteers` are lists of phrases to find, with their labels, `allow` one of phrases never to tag; one a line, for the
    rules.
    """
    full = [registry.resolve(registry.TAGGERS, name) for name in names]
    if len({*full, *(folder.resolve() for folder in folders)}) < len(full) + len(folders):
        raise SettingsError("a tagger is named twice")
    given: dict[str, Any] = {}
    if gazetteers:
        given["phrases"] = tuple((phrase, label) for label, path in gazetteers for phrase in _phrases(path))
    if allow is not None:
        given["allow"] = tuple(read_lines(allow))
    if given and RULES not in full:
        raise SettingsError("lists of phrases are for the rules: name `rules` among the taggers")
    made = [registry.create(registry.TAGGERS, name, **(given if name == RULES else {})) for name in full]
    return [*made, *(load_tagger(folder) for folder in folders)]


def train_tagger_files(
    corpus: Path,
    out: Path,
    *,
    kind: str = "crf",
    held_out: Path | None = None,
    split: str | None = None,
    labels: Sequence[str] = (),
    label_by: str = "label",
    gazetteers: Sequence[tuple[str, Path]] = (),
    columns: Columns | None = None,
    seed: int = 0,
    replace: bool = False,
    progress: Progress = silent,
    **options: Any,
) -> TrainableTagger:
    """`unname train tagger`: learn which words are identifiers from annotated documents, and write a model folder.

    `split` chooses the documents to learn from; those of `held_out`, or of the split `dev` where `split` is another, say
    when to stop. `labels` keeps only spans of these; `label_by` is `label`, `kind` for direct and quasi, or `any`. Lists
    of phrases (`gazetteers`, with names) are features of a `crf` or `svm`. `options` are parameters of the kind.
    """
    trainable(kind)
    if held_out is not None and registry.resolve(registry.TAGGERS, kind) in _LEARN_TO_THE_END:
        raise SettingsError(f"a {kind} tagger has no use for held-out documents: nothing tells it when to stop")
    encoder = options.get("encoder")
    folder = Path(encoder) if encoder and not str(encoder).startswith("hub:") else None
    read = [
        corpus,
        held_out,
        folder,
        options.get("word_vectors"),
        options.get("checkpoint"),
        *(p for _, p in gazetteers),
    ]
    require_apart(out, inputs=[path for path in read if path is not None])
    require_absent(out, replace=replace, kind=MODEL)
    documents = read_documents(corpus, told(corpus, columns))
    taught = [d for d in documents if split is None or d.split == split]
    stopping = [d for d in documents if split not in (None, "dev") and d.split == "dev"]
    if held_out:
        stopping = read_documents(held_out, told(held_out, columns))
    if not taught:
        raise InputError("no document is in the split that was asked for")
    chosen = [[relabelled(d, labels, by=label_by) for d in part] for part in (taught, stopping)]
    _require_spans(taught, labels, by=label_by)
    given = {name: value for name, value in options.items() if value is not None}
    if gazetteers:
        lists: dict[str, list[str]] = {}
        for label, path in gazetteers:
            lists.setdefault(label, []).extend(_phrases(path))
        given["gazetteers"] = {label: tuple(phrases) for label, phrases in lists.items()}
    tagger = _made(kind, seed, given)
    progress("train", 1)
    tagger.fit(*chosen)
    tagger.save(out, replace=replace)
    return tagger


def _require_spans(taught: Sequence[Document], labels: Sequence[str], *, by: str) -> None:
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
    # What CRFsuite learns depends on the documents alone.
    seeded = {} if registry.resolve(registry.TAGGERS, kind) == "crf.v1" else {"seed": seed}
    try:
        made: TrainableTagger = registry.create(registry.TAGGERS, kind, **seeded, **options)
    except TypeError:
        raise SettingsError(f"a {kind} tagger has no use for one of these: {', '.join(sorted(options))}") from None
    return made


def told(corpus: Path, columns: Columns | None) -> Columns:
    """How a corpus is read: in the format that was said, else in the one that the names of its files tell."""
    columns = columns or Columns()
    return columns if columns.format else changed(columns, format=format_told(corpus))


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
        raise SettingsError("name at least one tagger")
    together = taggers if votes is None else (Vote(tuple(taggers), votes),)
    columns = told(corpus, columns)
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
        write_jsonl(out, rows(), private=True)
    return count
