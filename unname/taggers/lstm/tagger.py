"""The BiLSTM-CRF: a neural tagger that is small enough to be trained on a laptop. Source: Friedrich 2019, §3.

Training is in `lstm_training`; here a tagger is made, saved, loaded and used.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from unname.errors import NEEDS_NEURAL, ModelError, SettingsError
from unname.log import Progress, silent
from unname.neural.folders import WEIGHTS, checked_lists, fill, read_model, require_shapes, write_model
from unname.neural.trainer_state import TrainingHistory, choose_device, one_thread, seeded
from unname.storage.modelfolder import parse_json
from unname.storage.wordvectors import WordVectors, read_word_vectors
from unname.taggers.lstm.labelling import label
from unname.taggers.lstm.network import LstmNetwork
from unname.taggers.lstm.reading import WORDS_FROM, Lookup, Vocabulary, key, learn_vocabulary
from unname.taggers.lstm.settings import LstmSettings
from unname.taggers.lstm.training import train
from unname.taggers.reading import are_bio_labels, read
from unname.taggers.rules.wrapping import across_lines
from unname.taggers.wordvectors import teach_word_vectors
from unname.types import Document, Span

try:
    import torch
    from torch import nn
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

FORMAT = "unname-lstm-crf.v1"
_WORDS = "words.json"
_SIZES = ("word_width", "characters", "character_width", "units", "layers", "members")
_MOST_SIZE = 1 << 13


class LstmCrf:
    """A BiLSTM-CRF on words, casing and, unless `characters=False`, letters; trained on annotated texts.

    Parameters are those of `LstmSettings`, given as such or by name. With a `checkpoint` folder a killed `fit` goes on
    where it was. Learned: `networks_` (one for each of `members`), `vocabulary_` and `training_`.
    """

    name = "lstm-crf.v1"
    settings_class = LstmSettings

    def __init__(
        self, settings: LstmSettings | None = None, *, checkpoint: Path | None = None, progress: Progress = silent,
        **changes: Any,
    ) -> None:  # fmt: skip
        try:
            self.settings = replace(settings or LstmSettings(), **changes)
        except TypeError:
            raise SettingsError("a BiLSTM-CRF has no parameter of that name") from None
        self.checkpoint, self.progress = checkpoint, progress
        self.networks_: nn.ModuleList | None = None
        self.vocabulary_: Vocabulary | None = None
        self.training_: tuple[TrainingHistory, ...] = ()

    @property
    def labels_(self) -> tuple[str, ...]:
        """The BIO labels that it learned."""
        return self.vocabulary_.labels if self.vocabulary_ else ()

    def __repr__(self) -> str:
        return f"LstmCrf({self.vocabulary_ or 'not trained'})"

    def __getstate__(self) -> dict[str, Any]:
        """Plain arrays in the place of networks, so that a copy in another process shares nothing with this one."""
        arrays = None
        if self.networks_ is not None:
            arrays = {name: value.detach().cpu().numpy() for name, value in self.networks_.state_dict().items()}
        return self.__dict__ | {"networks_": arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.networks_ is not None and self.vocabulary_ is not None:
            arrays = {name: torch.from_numpy(np.array(value)) for name, value in state["networks_"].items()}
            with seeded(0):
                self.networks_ = _networks(self.vocabulary_, self.settings)
            self.networks_.load_state_dict(arrays)
            self.networks_.eval().to(choose_device(self.settings.device))

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        """Learn from documents with spans; the best epoch on the `held_out` ones counts, without any the last.

        Nothing to learn from is a ModelError, a checkpoint of another run a StateError.
        """
        if not any(document.spans for document in documents):
            raise ModelError("a tagger needs texts with annotated identifiers to learn from")
        vocabulary = learn_vocabulary(documents, least_documents=self.settings.least_documents)
        from_file = self._vectors_of_file(vocabulary)
        if from_file is not None:
            vocabulary = replace(vocabulary, words=from_file.words)
        lookup = Lookup(vocabulary)
        networks, training = [], []
        for member in range(self.settings.members):
            settings = replace(self.settings, seed=self.settings.seed + member)
            with seeded(settings.seed):
                network = LstmNetwork(vocabulary, settings)
            vectors = self._taught(documents, lookup, settings) if from_file is None else from_file.vectors
            if vectors is not None:
                _set_words(network, vectors, fixed=from_file is not None)
            folder = self.checkpoint / f"member-{member}" if self.checkpoint else None
            history = train(
                network.to(choose_device(settings.device)), lookup, documents, held_out, settings,
                checkpoint=folder, progress=self.progress,
            )  # fmt: skip
            networks.append(network)
            training.append(history)
        self.networks_, self.vocabulary_, self.training_ = nn.ModuleList(networks), vocabulary, tuple(training)
        return self

    def _vectors_of_file(self, vocabulary: Vocabulary) -> WordVectors | None:
        """Vectors of the file, for the texts' words and the file's first."""
        s = self.settings
        if not s.word_vectors:
            return None
        read = read_word_vectors(Path(s.word_vectors), set(vocabulary.words), first=s.most_words, key=key)
        self.settings = replace(s, word_width=read.vectors.shape[1])
        return read

    def _taught(
        self, documents: Sequence[Document], lookup: Lookup, settings: LstmSettings
    ) -> np.ndarray[Any, np.dtype[np.float32]] | None:
        """Vectors taught by the texts themselves, of the known words."""
        if not settings.teach_epochs:
            return None
        rows = [lookup.numbers(read(document.text)).words for document in documents]
        vectors = teach_word_vectors(
            rows, WORDS_FROM + len(lookup.vocabulary.words),
            width=settings.word_width, epochs=settings.teach_epochs, seed=settings.seed,
        )[WORDS_FROM:]  # fmt: skip
        return vectors * np.float32(0.3 / max(1e-6, float(vectors.std())))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The identifiers of each text: sorted, disjoint, each with its worst token's marginal probability."""
        return across_lines(self._tag, texts)

    def _tag(self, texts: Sequence[str]) -> list[list[Span]]:
        if self.networks_ is None or self.vocabulary_ is None:
            raise ModelError("a tagger must be trained or loaded before it can be used")
        networks = [network for network in self.networks_ if isinstance(network, LstmNetwork)]
        with one_thread():
            return label(networks, Lookup(self.vocabulary_), [read(text) for text in texts])

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model. It holds the words that several of the texts had in common."""
        if self.networks_ is None or self.vocabulary_ is None:
            raise ModelError("a tagger must be trained before it can be saved")
        v = self.vocabulary_
        settings = asdict(self.settings)
        about = {
            "format": FORMAT, "name": self.name, "sizes": {name: settings[name] for name in _SIZES},
            # The source of word vectors stays here: a path may name somebody.
            "training": {k: v for k, v in settings.items() if k not in ("word_vectors", "device")},
            "held_out": [list(history.held_out) for history in self.training_],
        }  # fmt: skip
        words = {"words": v.words, "letters": v.letters, "labels": v.labels}
        parts = {_WORDS: json.dumps(words, ensure_ascii=True).encode()}
        write_model(folder, about, parts, self.networks_, replace=replace)

    @classmethod
    def load(cls, folder: Path, *, device: str = "auto") -> Self:
        """A model that `save` wrote; anything that is off in the folder is a ModelError."""
        about, contents = read_model(
            folder,
            format_=FORMAT,
            keys=frozenset(("name", "sizes", "training", "held_out")),
            parts=frozenset((_WORDS,)),
        )
        settings = _checked_sizes(about)
        vocabulary = _checked_vocabulary(parse_json(contents[_WORDS]))
        with torch.device("meta"):
            shapes = _networks(vocabulary, settings).state_dict()
        require_shapes(contents[WEIGHTS], {name: tuple(value.shape) for name, value in shapes.items()})
        made = cls(replace(settings, device=device))
        with seeded(0):
            networks = _networks(vocabulary, settings)
        fill(networks, contents[WEIGHTS])
        made.networks_, made.vocabulary_ = networks.to(choose_device(device)), vocabulary
        return made


def _networks(vocabulary: Vocabulary, settings: LstmSettings) -> nn.ModuleList:
    return nn.ModuleList(LstmNetwork(vocabulary, settings) for _ in range(settings.members))


@torch.no_grad()
def _set_words(network: LstmNetwork, vectors: np.ndarray[Any, np.dtype[np.float32]], *, fixed: bool) -> None:
    network.words.weight[WORDS_FROM:] = torch.from_numpy(vectors)
    network.words.weight.requires_grad_(not fixed)


def _checked_sizes(about: dict[str, Any]) -> LstmSettings:
    sizes = about["sizes"]
    if about["name"] != LstmCrf.name or not isinstance(sizes, dict) or set(sizes) != set(_SIZES):
        raise ModelError("a model's description has unknown or missing parts")
    if not isinstance(sizes["characters"], bool):
        raise ModelError("a model's description has a part of the wrong kind")
    numbers = [value for name, value in sizes.items() if name != "characters"]
    possible = all(type(v) is int and 1 <= v <= _MOST_SIZE for v in numbers)
    if not possible or sizes["layers"] * sizes["members"] > 64:
        raise ModelError("a model's description has an absurd size")
    return LstmSettings(**sizes)


def _checked_vocabulary(stored: dict[str, Any]) -> Vocabulary:
    """Distinct words, letters and BIO labels, each label's B and I at the places that training gives them."""
    lists = checked_lists(stored, ("words", "letters", "labels"))
    if not are_bio_labels(lists["labels"]):
        raise ModelError("a model's labels are not those of identifiers")
    return Vocabulary(lists["words"], lists["letters"], lists["labels"])
