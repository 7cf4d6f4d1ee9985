"""Options of `unname train`: the kinds of models that learn, and their settings."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname import registry
from unname.option import left_open, option
from unname.reidentifiers.encoders.settings import BiencoderSettings
from unname.shared_options import (
    epochs_option,
    gazetteers_option,
    identifier_weight_option,
    judge_only_option,
    labels_option,
    lean_option,
    split_option,
)
from unname.taggers.transformer.settings import TransformerSettings


@dataclass(frozen=True, slots=True, repr=False)
class TaggerTraining:
    """Settings of a tagger's training, and the documents it learns from.

    Lists of phrases (`gazetteers`) are features of a `crf` or `svm`.
    """

    kind: str = option(
        "crf",
        "Kind of tagger, with parameters in parentheses where it has any, such as 'crf(lean=3)'; `unname methods` says "
        "more of each.",
        parts=registry.TRAINABLE_TAGGERS,
    )
    split: str | None = split_option()
    spans: Path | None = option(
        None, "What to learn, as `label` or `tag` wrote it, in place of the spans of the corpus.", kind="file"
    )
    held_out: Path | None = option(
        None, "Documents that say when to stop.", kind="path", shown="the split dev, with --split"
    )
    labels: tuple[str, ...] = labels_option()
    gazetteers: tuple[tuple[str, Path], ...] = gazetteers_option()
    label_by: str = option(
        "label", "What is told apart: labels, kinds (direct, quasi), or identifiers from all else.",
        choices=("label", "kind", "any"), group="Learning"
    )  # fmt: skip
    encoder: str | None = left_open(None, TransformerSettings, "encoder", of="transformer", group="Learning")
    word_vectors: Path | None = option(
        None, "lstm-crf: fastText or GloVe vectors as a text file.", kind="file", group="Learning"
    )
    epochs: int | None = epochs_option(None, of="lstm-crf, transformer", least=1, group="Learning")
    device: str | None = left_open(None, TransformerSettings, "device", of="lstm-crf, transformer", group="Learning")
    identifier_weight: float | None = identifier_weight_option(None, of="svm, transformer", group="Learning")
    lean: float | None = lean_option(None, of="crf, svm, transformer", group="Learning")
    judge_only: bool = judge_only_option(False, of="ensemble", group="Learning")
    checkpoint: Path | None = option(
        None, "lstm-crf, transformer: folder from which a killed training goes on.", kind="folder", group="Learning"
    )
    seed: int = option(0, "Public seed.")


@dataclass(frozen=True, slots=True, repr=False)
class ReidentifierTraining:
    """Settings of a reidentifier's training: its kind, encoders and steps.

    A `biencoder` needs an encoder for documents (a folder, or `hub:owner/name`) and may have another for profiles. With
    a `checkpoint` folder a killed training goes on where it was.
    """

    kind: str = option(
        "additive",
        "Kind of reidentifier: word vectors that a search can use, or two neural encoders; with parameters in parentheses "
        "where it has any, such as 'biencoder(warm_start=5)'.",
        parts=registry.TRAINABLE_REIDENTIFIERS,
    )
    document_encoder: str | None = left_open(None, BiencoderSettings, "document_encoder", group="Biencoder")
    profile_encoder: str | None = left_open(None, BiencoderSettings, "profile_encoder", group="Biencoder")
    width: int | None = left_open(None, BiencoderSettings, "width", group="Biencoder")
    window: int | None = left_open(None, BiencoderSettings, "window", group="Biencoder")
    batch: int | None = left_open(None, BiencoderSettings, "batch", group="Biencoder")
    epochs: int | None = left_open(None, BiencoderSettings, "epochs", least=1, group="Biencoder")
    schedule: str | None = left_open(None, BiencoderSettings, "schedule", group="Biencoder")
    frozen_layers: int | None = left_open(None, BiencoderSettings, "frozen_layers", group="Biencoder")
    device: str | None = left_open(None, BiencoderSettings, "device", group="Biencoder")
    checkpoint: Path | None = option(
        None, "Folder from which a killed training goes on.", kind="folder", group="Biencoder"
    )
    seed: int = option(0, "Public seed.")

    def given(self) -> dict[str, Any]:
        """The parameters that the kind itself takes, so far as they were given."""
        names = ("document_encoder", "profile_encoder", "width", "window", "batch", "epochs", "schedule", "frozen_layers",
                 "device", "checkpoint")  # fmt: skip
        return {name: value for name in names if (value := getattr(self, name)) not in (None, "")}
