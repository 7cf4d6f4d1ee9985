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
from unname.storage.files import MODEL, require_absent, require_apart
from unname.storage.formats import format_told
from unname.storage.tables import read_lines, write_jsonl
from unname.taggers.base import Tagger, TrainableTagger, tag_all
from unname.taggers.labels import relabelled
from unname.taggers.models import load_tagger, trainable
from unname.taggers.vote import Vote

BATCH = 64
RULES = "rules.v1"


def split_taggers(given: Sequence[str]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Of what was named as taggers, those that are registered and need no training, and folders of trained ones."""
    names, folders = [], []
    for name in given:
        if name in ("", "none"):
            continue
        # A folder that is called like a tagger needs a path before its name.
        if Path(name).is_dir() and name not in {
            known.rpartition(".v")[0] for known in registry.names(registry.TAGGERS)
        }:
            folders.append(Path(name))
            continue
        full = registry.resolve(registry.TAGGERS, name)
        if hasattr(registry.part(registry.TAGGERS, full), "load"):
            raise SettingsError(f"{name} has to learn first: name the folder that `unname train tagger` wrote")
        names.append(name)
    return tuple(names), tuple(folders)


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
    given: dict[str, Any] = {}
    if gazetteers:
        given["phrases"] = tuple((phrase, label) for label, path in gazetteers for phrase in read_lines(path))
    if allow is not None:
        given["allow"] = tuple(read_lines(allow))
    full = [registry.resolve(registry.TAGGERS, name) for name in names]
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
    if not any(d.spans for d in chosen[0]):
        raise InputError("the documents to learn from have no annotated spans of the labels that were asked for")
    given = {name: value for name, value in options.items() if value is not None}
    if gazetteers:
        lists: dict[str, list[str]] = {}
        for label, path in gazetteers:
            lists.setdefault(label, []).extend(read_lines(path))
        given["gazetteers"] = {label: tuple(phrases) for label, phrases in lists.items()}
    tagger = _made(kind, seed, given)
    progress("train", 1)
    tagger.fit(*chosen)
    tagger.save(out, replace=replace)
    return tagger


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

    write_jsonl(out, rows(), private=True)
    return count
