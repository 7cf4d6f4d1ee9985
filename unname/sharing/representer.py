"""A private representer as people hold it: its words, its network, the secret its rotations follow from, and its card.

Whoever holds one can tell what was represented by it, as far as its card says an insider can. Keep it as you keep a key.
"""

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch

from unname.errors import ModelError, SettingsError
from unname.neural.folders import WEIGHTS, checked_lists, fill, read_model, require_shapes, write_model
from unname.neural.lstm import BothWays
from unname.neural.trainer_state import one_thread, seeded
from unname.sharing.lessons import represented
from unname.sharing.pairs import Numbered
from unname.sharing.representation import Representer
from unname.sharing.settings import RepresentationSettings
from unname.sharing.space import Float32, Space
from unname.sharing.training import make_representer
from unname.storage.modelfolder import digest, parse_json
from unname.taggers.lstm.reading import WORDS_FROM
from unname.taggers.reading import are_bio_labels

FORMAT = "unname-representer.v2"
_WORDS, _SECRET = "words.json", "secret.json"
_MOST_WIDTH = 4096


@dataclass(frozen=True, repr=False)
class PrivateRepresenter:
    """A trained network with the words it knows, BIO labels, and a secret of 32 bytes; `card` says what attacks find."""

    words: tuple[str, ...]
    network: Representer
    labels: tuple[str, ...]
    settings: RepresentationSettings
    secret: bytes
    card: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"PrivateRepresenter({len(self.words)} words, d={self.settings.width})"

    @property
    def space(self) -> Space:
        """The words with their vectors."""
        return Space(self.words, self.network.vectors[WORDS_FROM:].numpy())

    @property
    def mark(self) -> str:
        """A mark that tells representers apart, and says nothing of one."""
        return blake2b(b"mark", key=self.secret, digest_size=8).hexdigest()

    @property
    def weights(self) -> str:
        """A mark of networks, words, labels and settings, under the secret: nobody else can try guesses on it."""
        about = repr((sorted(asdict(self.settings).items()), self.words, self.labels)).encode()
        state = sorted(self.network.state_dict().items())
        parts = (part for name, value in state for part in (name.encode(), value.detach().cpu().numpy().tobytes()))
        return hmac.new(self.secret, digest(chain((b"weights", about), parts)).encode(), "sha256").hexdigest()

    def rotation(self, recipient: str) -> Float32:
        """A rotation (d, d) that only holders of this representer can make, another one for each recipient."""
        seed = hmac.digest(self.secret, b"rotation " + recipient.encode(), "sha256")
        drawn = np.random.default_rng(int.from_bytes(seed, "big")).normal(size=(self.settings.width,) * 2)
        orthogonal, upper = np.linalg.qr(drawn)
        return (orthogonal * np.sign(np.diag(upper))).astype(np.float32)

    def represent(
        self, sentences: Sequence[Numbered], *, secret: int, recipient: str | None = None, noisy: bool = True
    ) -> list[Float32]:
        """The vectors of sentences, (tokens, d) float32 each, turned for a recipient. Noise follows from the `secret`."""
        turned = None if recipient is None else self.rotation(recipient)
        with one_thread():
            vectors = represented(self.network, sentences, secret=secret, noisy=noisy)
            return vectors if turned is None else [row @ turned for row in vectors]

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds all of it, readable by its owner alone."""
        about = {
            "format": FORMAT, "name": "representer.v1", "settings": asdict(self.settings),
            "vectors": list(self.network.vectors.shape), "card": self.card,
        }  # fmt: skip
        words = {"words": self.words, "labels": self.labels}
        parts = {
            _WORDS: json.dumps(words, ensure_ascii=True).encode(),
            _SECRET: json.dumps({"secret": self.secret.hex()}).encode(),
        }
        write_model(folder, about, parts, self.network, replace=replace)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A representer that `save` wrote; anything that is off in the folder, or a card of another one, is a ModelError."""
        about, contents = read_model(
            folder,
            format_=FORMAT,
            keys=frozenset(("name", "settings", "vectors", "card")),
            parts=frozenset((_WORDS, _SECRET)),
        )
        settings = checked_settings(about["settings"])
        words, labels = checked_words(parse_json(contents[_WORDS]))
        network = empty_network(words, about["vectors"], settings, contents[WEIGHTS])
        card = about["card"]
        try:
            secret = bytes.fromhex(parse_json(contents[_SECRET])["secret"])
        except (KeyError, TypeError, ValueError):
            raise ModelError("a representer's secret is malformed") from None
        if len(secret) != 32 or not isinstance(card, dict):
            raise ModelError("a representer's description has a part of the wrong kind")
        representer = cls(words, network, labels, settings, secret, card)
        if card and card.get("weights") != representer.weights:
            raise ModelError("the privacy card is not of these weights: they were changed after they had been attacked")
        return representer


def checked_settings(values: Any) -> RepresentationSettings:
    """Settings as a description has them; ModelError where they are none."""
    if not isinstance(values, dict) or set(values) != {one.name for one in fields(RepresentationSettings)}:
        raise ModelError("a model's description has unknown or missing parts")
    plain, made = RepresentationSettings(), dict[str, Any]()
    for name, value in values.items():
        wanted = type(getattr(plain, name))
        if type(value) is not wanted and not (wanted is float and type(value) is int):
            raise ModelError("a model's description has a part of the wrong kind")
        if type(value) in (int, float) and not abs(value) < 1 << 63:
            raise ModelError("a model's description has an absurd size")
        made[name] = wanted(value)
    if not max(values["width"], values["units"], values["adversary_units"]) <= _MOST_WIDTH:
        raise ModelError("a model's description has an absurd size")
    try:
        return RepresentationSettings(**made)
    except SettingsError:
        raise ModelError("a model's description has settings that make no sense") from None


def checked_words(values: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct words, and BIO labels."""
    lists = checked_lists(values, ("words", "labels"))
    if not are_bio_labels(lists["labels"]):
        raise ModelError("a model's labels are not those of identifiers")
    return lists["words"], lists["labels"]


def empty_network(
    words: Sequence[str], shape: Any, settings: RepresentationSettings, content: bytes, *, begin: str = ""
) -> Representer:
    """A network of the sizes that a description states, filled from weights that hold these shapes."""
    if not isinstance(shape, list) or len(shape) != 2 or shape[0] != WORDS_FROM + len(words) or not all(
        type(size) is int and 1 <= size <= 1 << 24 for size in shape
    ) or shape[1] > _MOST_WIDTH:  # fmt: skip
        raise ModelError("a model's description has an absurd size")
    with torch.device("meta"):
        blank_lstm = BothWays(shape[1], units=settings.width // 2, layers=1, dropout=0.0).state_dict()
    shapes = {f"{begin}lstm.{name}": tuple(value.shape) for name, value in blank_lstm.items()}
    if settings.follows:
        shapes |= {
            f"{begin}noise_{side}.follows.weight": (w, w) for side, w in (("in", shape[1]), ("out", settings.width))
        }
    require_shapes(content, shapes | {f"{begin}vectors": tuple(shape)})
    with seeded(0):
        blank = np.zeros((len(words), shape[1]), np.float32)
        network = make_representer(blank, settings)
    if not begin:
        fill(network, content)
        network.eval()
    return network
