"""The neural reidentifier: two encoders trained so that a masked document lies near its person's profile.

p(profile | document) = softmax over all profiles of f(document) · g(profile): raw dot products, no norm, temperature 1.
Source: Morris 2022 §4. Training is in `biencoder_training`; here a trained model is saved, loaded and used.
"""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from unname.errors import NEEDS_NEURAL, ModelError, SettingsError, StateError
from unname.log import Progress, silent
from unname.neural.encoders import has_sixteen_bits, plain_config, require_finite, shapes
from unname.neural.folders import WEIGHTS, read_model
from unname.neural.readers import make_reader
from unname.neural.trainer_state import TrainingHistory
from unname.reidentifiers.base import SCALE, About, FloatArray, IntArray
from unname.reidentifiers.encoders.biencoder_training import load_pair, make_training_set, train
from unname.reidentifiers.encoders.settings import BiencoderSettings
from unname.reidentifiers.encoders.towers import Float32, Pair, Value, bare_tower
from unname.reidentifiers.encoders.wordparts import WordParts, document_parts, word_falls
from unname.reidentifiers.learned.training_examples import trained_on, training_examples
from unname.storage.arrays import map_checked
from unname.storage.files import MODEL, staged_folders, write_atomically
from unname.storage.manifest import file_hash
from unname.storage.modelfolder import (
    MOST_JSON,
    digest,
    parse_json,
    profile_bytes,
    read_bytes,
    require_harmless,
    tensors,
)
from unname.text import visible
from unname.types import Document, Profile

try:
    import torch
    from safetensors.torch import load as load_tensors
    from safetensors.torch import save as save_tensors
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

FORMAT = "unname-biencoder.v1"
EMBEDDINGS = "unname-embeddings.v1"
_SIDES = ("document", "profile")
_TAUGHT = "taught.json"
_PARTS = tuple(f"{side}/{name}.json" for side in _SIDES for name in ("config", "tokenizer"))
_KEYS = frozenset(("name", "width", "window", "readers", "training", "held_out"))
_UNFIT = "a model's weights are not those its configuration calls for"
_SCORED_TOGETHER = 8192
_EMBEDDED_TOGETHER = 4096


@dataclass(slots=True, repr=False)
class BiencoderIndex:
    """Embeddings of a population: (people, width) float32, in memory or mapped from a file."""

    people: tuple[str, ...]
    _model: "Biencoder"
    _vectors: Float32
    _file: Path | None = None
    _read: dict[str, Float32] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"BiencoderIndex({len(self.people)} people)"

    def scores(self, text: str) -> IntArray:
        """Dot product with every profile: (people,) int64 multiples of 2⁻²⁰; the text taken apart last is not read again."""
        known = self._read.get(text)
        return np.asarray(self._products(self._model.embed_documents([text]) if known is None else known)[0])

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """Dot products of many texts: (texts, people) int64; for each text the same as for it alone."""
        return self._products(self._model.embed_documents(texts))

    def _products(self, embedded: Float32) -> IntArray:
        """Dot products of embeddings with every profile's: (texts, people) int64 multiples of 2⁻²⁰."""
        products = np.zeros((len(embedded), len(self.people)), np.int64)
        documents = embedded.astype(np.float64)
        for at in range(0, len(self.people), _SCORED_TOGETHER):
            some = np.asarray(self._vectors[at : at + _SCORED_TOGETHER], np.float64)
            products[:, at : at + len(some)] = np.rint(documents @ some.T * SCALE)
        return products

    def worth(self, text: str, words: Sequence[str], columns: IntArray) -> FloatArray:
        """The estimated fall of people when a word goes: its tokens leave the text's mean, (words, columns)."""
        part, vector = self._model.taken_apart(text)
        self._read = {text: vector}
        place = {word: row for row, word in enumerate(part.words)}
        rows = [place.get(word, -1) for word in words]
        change = np.asarray(part.total / max(part.tokens, 1) - part.without(), np.float64)
        change = np.vstack([change, np.zeros((1, change.shape[1]))])[rows]
        return np.asarray(change @ np.asarray(self._vectors[columns], np.float64).T * SCALE)

    def falls(
        self, text: str, words: Sequence[str], columns: IntArray, own: int, beside: IntArray, way: float
    ) -> FloatArray:
        """The estimated fall of ln p of the person at `own` among `columns` when a word goes, by one gradient: (words,)."""
        profiles = torch.from_numpy(np.asarray(self._vectors[columns], np.float32))
        others = torch.from_numpy(np.asarray(beside, np.float32) / SCALE)

        def light(vector: torch.Tensor) -> torch.Tensor:
            return torch.log_softmax(vector[0].cpu() @ profiles.T + others, dim=0)[own]

        falls = self._model.falls(text, light, way)
        return np.array([falls.get(word, 0.0) for word in words])

    def __getstate__(self) -> tuple[Any, ...]:
        return self.people, self._model, None if self._file is not None else self._vectors, self._file

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._read = {}
        self.people, self._model, vectors, self._file = state
        self._vectors = np.load(self._file, mmap_mode="r", allow_pickle=False) if vectors is None else vectors


class Opened(NamedTuple):
    """Embeddings written to a file: (people, width) float32, mapped."""

    vectors: Float32
    file: Path


@dataclass(slots=True)
class Biencoder:
    """Two encoders, one of documents and one of profiles, trained on texts of known people.

    `settings` say which encoders and how they are trained; with a `checkpoint` folder a killed `fit` goes on where it
    was. One that was loaded is used as it was trained: `fit` leaves it alone. `bf16` scores in 16-bit arithmetic, faster
    where the processor has it. Learned: `pair_`, `training_`, and digests of the documents and of the ids of those people
    that it was `trained_on_` by.
    """

    about: ClassVar[About] = About(
        "Neural encoder",
        "Compares the meaning of text and profile as a trained language model reads them.",
        "neural",
    )
    trained: ClassVar[bool] = True
    settings_class: ClassVar[type[BiencoderSettings]] = BiencoderSettings
    settings: BiencoderSettings
    checkpoint: Path | None = None
    name: str = "biencoder.v1"
    progress: Progress = field(default=silent, repr=False, compare=False)
    loaded: bool = False
    bf16: bool = False
    pair_: Pair | None = field(default=None, repr=False, compare=False)
    training_: TrainingHistory | None = field(default=None, repr=False, compare=False)
    trained_on_: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    _hash: str = field(default="", repr=False, compare=False)

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        """Train on documents whose person has a profile; if they are few, on passages of profiles as well.

        Nothing to learn from, or an encoder that cannot be used, is a ModelError; a checkpoint of another run a
        StateError.
        """
        if self.loaded:
            return self
        if not self.settings.document_encoder:
            raise SettingsError("a biencoder needs --document-encoder: a folder, or hub:owner/name")
        data = make_training_set(
            profiles, training_examples(profiles, documents, seed=self.settings.seed), self.settings
        )
        pair = load_pair(self.settings)
        self.training_ = train(pair, data, self.settings, checkpoint=self.checkpoint, progress=self.progress)
        self.pair_, self._hash = pair, ""
        self.trained_on_ = trained_on(profiles, documents)
        return self

    def _pair(self) -> Pair:
        if self.pair_ is None:
            raise ModelError("a bi-encoder must be trained or loaded before it can be used")
        return self.pair_

    def hash(self) -> str:
        """SHA-256 over all inputs of an embedding."""
        if not self._hash:
            about = _about_readers(self._pair()), b"bf16" if self.bf16 else b""
            self._hash = digest((*about, save_tensors(_state(self._pair()))))
        return self._hash

    def embed_documents(self, texts: Sequence[str]) -> Float32:
        """f(text): (texts, width) float32, multiples of 2⁻¹², each the same in any company."""
        return self._pair().document.embed_documents([visible(text) for text in texts], bf16=self.bf16)

    def taken_apart(self, text: str) -> tuple[WordParts, Float32]:
        """The contribution of each word of a text to its embedding, and f(text) itself: (1, width)."""
        return document_parts(self._pair().document, visible(text), bf16=self.bf16)

    def falls(self, text: str, value: Value, way: float) -> dict[str, float]:
        """The estimated fall of `value` of f(text) when a word of the text becomes a gap, by one gradient."""
        return word_falls(self._pair().document, visible(text), value, way, bf16=self.bf16)

    def embed_profiles(self, profiles: Sequence[Profile]) -> Float32:
        """g(profile): (people, width) float32, multiples of 2⁻¹²."""
        return self._pair().profile.embed_profiles(profiles, bf16=self.bf16)

    def embed_to(
        self, profiles: Sequence[Profile], path: Path, *, progress: Progress = silent, fresh: bool = False
    ) -> Opened:
        """Embed a population into a `.npy` file, with a `.json` beside it that names the model and people.

        A `fresh` one takes the place of no other; StateError.
        """
        beside = path.with_suffix(".json")
        if fresh and path.exists():
            raise StateError("the output file already exists; choose another")
        beside.unlink(missing_ok=True)  # no description may outlive what it describes
        write_atomically(path, self._rows(profiles, progress), private=True, fresh=fresh)
        about = self._about_embeddings(profiles) | {"content": file_hash(path)}
        write_atomically(beside, json.dumps(about, indent=1).encode(), private=True)
        return self.reopen(profiles, path)

    def _rows(self, profiles: Sequence[Profile], progress: Progress) -> Iterator[bytes]:
        header = io.BytesIO()
        shape = (len(profiles), self._pair().profile.width)
        np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
        yield header.getvalue()
        advance = progress("profiles", len(profiles))
        for at in range(0, len(profiles), _EMBEDDED_TOGETHER):
            some = profiles[at : at + _EMBEDDED_TOGETHER]
            yield np.ascontiguousarray(self.embed_profiles(some), "<f4").tobytes()
            advance(len(some))

    def _about_embeddings(self, profiles: Sequence[Profile]) -> dict[str, Any]:
        people = digest(profile_bytes(profiles))
        return {"format": EMBEDDINGS, "model": self.hash(), "population": people, "people": len(profiles)}

    def reopen(self, profiles: Sequence[Profile], path: Path) -> Opened:
        """Embeddings that `embed_to` wrote; those of another model or population, or damaged ones, are a StateError."""
        try:
            stated = parse_json(read_bytes(path.with_suffix(".json"), MOST_JSON))
            vectors = map_checked(path, stated.pop("content", None))
        except ModelError:
            raise StateError("there are no embeddings here that can be read; embed the population anew") from None
        if stated != self._about_embeddings(profiles):
            raise StateError("the embeddings are of another model or population; embed the population anew")
        if vectors.shape != (len(profiles), self._pair().profile.width) or vectors.dtype != np.float32:
            raise StateError("the embeddings do not fit the population; embed it anew")
        return Opened(vectors, path.resolve())

    def index(self, profiles: Sequence[Profile], embeddings: Opened | None = None) -> BiencoderIndex:
        """Make a population searchable; embeddings made beforehand save the time."""
        people = tuple(profile.id for profile in profiles)
        if embeddings is not None:
            opened = self.reopen(profiles, embeddings.file)
            return BiencoderIndex(people, self, opened.vectors, opened.file)
        return BiencoderIndex(people, self, self.embed_profiles(profiles))

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds all a model needs: `model.json`, weights as safetensors, two encoders' settings."""
        pair = self._pair()
        contents = {
            WEIGHTS: save_tensors(_state(pair)),
            _TAUGHT: json.dumps({"digests": sorted(self.trained_on_)}).encode(),
        }
        for side, tower in (("document", pair.document), ("profile", pair.profile)):
            contents[f"{side}/config.json"] = json.dumps(plain_config(tower.config), indent=1).encode()
            contents[f"{side}/tokenizer.json"] = tower.reader.spec.encode()
        # The source of the encoders stays here: a path may name somebody.
        asked = {k: v for k, v in asdict(self.settings).items() if not k.endswith("_encoder")}
        about = {
            "format": FORMAT, "name": self.name, "width": pair.document.width, "window": pair.document.window,
            "readers": {"document": pair.document.reader.about(), "profile": pair.profile.reader.about()},
            "training": asked, "held_out": list(self.training_.held_out) if self.training_ else [],
            "files": {name: sha256(content).hexdigest() for name, content in contents.items()},
        }  # fmt: skip
        contents["model.json"] = (json.dumps(about, indent=1) + "\n").encode()
        with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
            for name, content in contents.items():
                (aside / name).parent.mkdir(exist_ok=True)
                write_atomically(aside / name, content, private=True)

    @classmethod
    def load(cls, folder: Path, *, bf16: bool | None = None) -> Self:
        """A model that `save` wrote, on the CPU. Anything that is off in the folder is a ModelError.

        It scores in 16 bits where the processor has them, unless `bf16` says otherwise; its scores are not those of 32.
        """
        about, contents = read_model(folder, format_=FORMAT, keys=_KEYS, parts=frozenset((*_PARTS, _TAUGHT)))
        _require_sound(about)
        towers = []
        stated = tensors(contents[WEIGHTS])
        for side in _SIDES:
            config = parse_json(contents[f"{side}/config.json"])
            require_harmless(config)
            # Before anything is built: how large it may be is up to the weights that were sent.
            if any(stated.get(f"{side}.encoder.{n}", ("", ()))[1] != shape for n, shape in shapes(config).items()):
                raise ModelError(_UNFIT)
            reader = make_reader(about["readers"][side], _text(contents[f"{side}/tokenizer.json"]))
            towers.append(bare_tower(config, reader, width=about["width"], window=about["window"], dropout=0.0))
        pair = Pair(*towers)
        _fill(pair, contents[WEIGHTS])
        settings = BiencoderSettings(width=about["width"], window=about["window"])
        made = cls(settings=settings, loaded=True, bf16=has_sixteen_bits() if bf16 is None else bf16)
        made.pair_ = pair.eval()
        made.training_ = TrainingHistory(tuple(map(float, about["held_out"])), -1)
        made.trained_on_ = _digests(contents[_TAUGHT])
        return made


def _about_readers(pair: Pair) -> bytes:
    towers = (pair.document, pair.profile)
    return json.dumps([[t.reader.spec, t.reader.about(), plain_config(t.config), t.window] for t in towers]).encode()


def _state(pair: Pair) -> dict[str, torch.Tensor]:
    return {name: value.detach().cpu().contiguous().clone() for name, value in sorted(pair.state_dict().items())}


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ModelError("a file of a model is not UTF-8") from None


def _digests(content: bytes) -> frozenset[str]:
    digests = parse_json(content).get("digests")
    if not isinstance(digests, list) or not all(isinstance(digest, str) for digest in digests):
        raise ModelError("a model's list of what taught it is of the wrong kind")
    return frozenset(digests)


def _require_sound(about: dict[str, Any]) -> None:
    """All parts of a model's description are of the right kind; ModelError otherwise."""
    sizes = (about["width"], about["window"])
    if any(not isinstance(size, int) or isinstance(size, bool) or not 16 <= size <= 1 << 16 for size in sizes):
        raise ModelError("a model's description has an absurd size")
    if about["name"] != "biencoder.v1":
        raise ModelError("a model's description names other files than a model has")
    if not isinstance(about["readers"], dict) or set(about["readers"]) != set(_SIDES):
        raise ModelError("a model's description has unknown or missing parts")
    held_out = about["held_out"]
    if not isinstance(held_out, list) or any(not isinstance(value, int | float) for value in held_out):
        raise ModelError("a model's description has a part of the wrong kind")


def _fill(pair: Pair, content: bytes) -> None:
    """Weights into a model; ones of another shape or kind, or that are no numbers, are a ModelError."""
    wanted = {name: ("F32", tuple(value.shape)) for name, value in pair.state_dict().items()}
    stated = {name: (tensor.kind, tensor.shape) for name, tensor in tensors(content).items()}
    kinds = {name: "I64" for name, value in pair.state_dict().items() if not value.is_floating_point()}
    if stated != {name: (kinds.get(name, kind), shape) for name, (kind, shape) in wanted.items()}:
        raise ModelError(_UNFIT)
    try:
        pair.load_state_dict(load_tensors(content))
    except Exception:  # whatever the library refuses beyond what was checked
        raise ModelError(_UNFIT) from None
    require_finite(pair)
