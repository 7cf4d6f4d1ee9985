"""The transformer tagger: any encoder of a folder or the hub, taught to name each token's label.

Sources: Devlin 2019, §4; Papadopoulou 2022, §4 (the same on labels that rules and a knowledge graph made).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self

from unname.errors import ModelError, SettingsError
from unname.log import Progress, silent
from unname.neural.encoders import bare_encoder, load_encoder, plain_config, shapes
from unname.neural.folders import WEIGHTS, fill, read_model, require_shapes, write_model
from unname.neural.readers import make_reader
from unname.neural.trainer_state import TrainingHistory, choose_device, one_thread, seeded
from unname.storage.modelfolder import parse_json, require_harmless
from unname.taggers.leaning import MOST_LEAN
from unname.taggers.reading import are_bio_labels, bio_labels, read
from unname.taggers.transformer.network import Classifier, label
from unname.taggers.transformer.settings import TransformerSettings
from unname.taggers.transformer.training import train
from unname.types import Document, Span

FORMAT = "unname-transformer-tagger.v1"
_CONFIG, _TOKENIZER = "config.json", "tokenizer.json"
_KEYS = frozenset(("name", "labels", "window", "reader", "training", "held_out"))


class Transformer:
    """A transformer encoder with a linear head over its tokens, trained on annotated texts.

    Parameters are those of `TransformerSettings`, given as such or by name; `encoder` is a folder or `hub:owner/name`.
    With a `checkpoint` folder a killed `fit` goes on where it was. Learned: `classifier_` and `training_`.
    """

    name = "transformer.v1"
    settings_class = TransformerSettings

    def __init__(
        self, settings: TransformerSettings | None = None, *, checkpoint: Path | None = None,
        progress: Progress = silent, **changes: Any,
    ) -> None:  # fmt: skip
        try:
            self.settings = replace(settings or TransformerSettings(), **changes)
        except TypeError:
            raise SettingsError("a transformer tagger has no parameter of that name") from None
        self.checkpoint, self.progress = checkpoint, progress
        self.classifier_: Classifier | None = None
        self.training_: TrainingHistory | None = None

    @property
    def labels_(self) -> tuple[str, ...]:
        """The BIO labels that it learned."""
        return tuple(self.classifier_.labels) if self.classifier_ else ()

    def __repr__(self) -> str:
        return f"Transformer({len(self.classifier_.labels) if self.classifier_ else 0} labels)"

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; the best epoch on the `held_out` ones counts, without any the last.

        Nothing to learn from, or an encoder that cannot be used, is a ModelError; a checkpoint of another run a
        StateError.
        """
        s = self.settings
        if not any(document.spans for document in documents):
            raise ModelError("a tagger needs texts with annotated identifiers to learn from")
        if not s.encoder:
            raise SettingsError("a transformer tagger needs an encoder: a folder, or hub:owner/name")
        encoder, reader = load_encoder(s.encoder, dropout=s.dropout)
        with seeded(s.seed):
            made = Classifier(encoder, reader, bio_labels(documents), window=s.window, dropout=s.dropout, lean=s.lean)
        self.training_ = train(
            made.to(choose_device(s.device)), documents, held_out, s, checkpoint=self.checkpoint, progress=self.progress
        )
        self.classifier_ = made
        return self

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The identifiers of each text: sorted, disjoint, each with its worst token's probability."""
        if self.classifier_ is None:
            raise ModelError("a tagger must be trained or loaded before it can be used")
        with one_thread():
            return label(self.classifier_, [read(text) for text in texts])

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model: weights, the encoder's configuration and its tokenizer."""
        made = self.classifier_
        if made is None:
            raise ModelError("a tagger must be trained before it can be saved")
        about = {
            "format": FORMAT, "name": self.name, "labels": made.labels, "window": made.window,
            "reader": made.reader.about(),
            # The source of the encoder stays here: a path may name somebody.
            "training": {k: v for k, v in asdict(self.settings).items() if k not in ("encoder", "device")},
            "held_out": list(self.training_.held_out) if self.training_ else [],
        }  # fmt: skip
        config = json.dumps(plain_config(made.config), indent=1).encode()
        parts = {_CONFIG: config, _TOKENIZER: made.reader.spec.encode()}
        write_model(folder, about, parts, made, replace=replace)

    @classmethod
    def load(cls, folder: Path, *, device: str = "auto") -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        about, contents = read_model(folder, format_=FORMAT, keys=_KEYS, parts=frozenset((_CONFIG, _TOKENIZER)))
        labels, window = about["labels"], about["window"]
        if not isinstance(labels, list) or not all(isinstance(n, str) for n in labels) or not are_bio_labels(labels):
            raise ModelError("a model's labels are not those of identifiers")
        if about["name"] != cls.name or not isinstance(window, int) or isinstance(window, bool) or window < 16:
            raise ModelError("a model's description has a part of the wrong kind")
        lean = about["training"].get("lean", 1.0) if isinstance(about["training"], dict) else None
        if isinstance(lean, bool) or not isinstance(lean, int | float) or not 0 < lean <= MOST_LEAN:
            raise ModelError("a model's description has a part of the wrong kind")
        config = parse_json(contents[_CONFIG])
        require_harmless(config)
        # Before anything is built: how large it may be is up to the weights that were sent.
        require_shapes(contents[WEIGHTS], {f"encoder.{name}": shape for name, shape in shapes(config).items()})
        try:
            spec = contents[_TOKENIZER].decode()
            made = Classifier(
                bare_encoder(config), make_reader(about["reader"], spec), labels, window=window, dropout=0.0,
                lean=float(lean),
            )  # fmt: skip
        except (SettingsError, UnicodeDecodeError):
            raise ModelError("a model's parts do not fit each other") from None
        fill(made, contents[WEIGHTS])
        tagger = cls(device=device)
        tagger.settings = TransformerSettings(window=window, device=device, lean=float(lean))
        tagger.classifier_ = made.to(choose_device(device))
        return tagger
