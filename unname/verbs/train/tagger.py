"""Trained taggers as files."""

from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import SettingsError
from unname.inputs.annotated import columns_for, in_split, read_predicted, require_spans
from unname.log import Progress, silent
from unname.storage.documents import Columns, read_documents
from unname.storage.files import MODEL, require_absent, require_apart
from unname.taggers.base import TrainableTagger
from unname.taggers.labels import relabelled
from unname.taggers.models import read_phrases, trainable
from unname.verbs.train.learner import inputs_in, make_learner
from unname.verbs.train.options import TaggerTraining


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
        raise SettingsError(
            f"a {registry.plain(kind)} tagger has no use for held-out documents: nothing tells it when to stop"
        )
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
        *inputs_in(kind, "encoder", "word_vectors"),
    ]
    require_apart(out, inputs=[path for path in read if path is not None])
    require_absent(out, replace=replace, kind=MODEL)
    documents = read_documents(corpus, columns_for(corpus, columns))
    if training.spans is not None:
        predicted = read_predicted(training.spans, documents)
        documents = [changed(d, spans=spans) for d, spans in zip(documents, predicted, strict=True)]
    taught = in_split(documents, split, corpus)
    stopping = [d for d in documents if split not in (None, "dev") and d.split == "dev"]
    if held_out:
        stopping = read_documents(held_out, columns_for(held_out, columns))
    chosen = [[relabelled(d, labels, by=training.label_by) for d in part] for part in (taught, stopping)]
    require_spans(taught, labels, by=training.label_by)
    made = make_learner(registry.TRAINABLE_TAGGERS, kind, _parameters(training), seed=training.seed, progress=progress)
    tagger: TrainableTagger = made
    tagger.fit(*chosen)
    tagger.save(out, replace=replace)
    return tagger


def _parameters(training: TaggerTraining) -> dict[str, Any]:
    """The parameters of the kind itself."""
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
