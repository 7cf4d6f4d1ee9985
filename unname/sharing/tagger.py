"""A tagger that reads representations: raw text goes through the representer of its training examples."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import nn

from unname.errors import ModelError, SettingsError
from unname.neural.folders import WEIGHTS, fill, read_model, require_shapes, write_model
from unname.neural.trainer_state import one_thread, seeded
from unname.sharing.examples import examples_of, tagged
from unname.sharing.pairs import numbered
from unname.sharing.representation import Body, Representer
from unname.sharing.representer import PrivateRepresenter, checked_settings, checked_words, empty_network
from unname.sharing.settings import RepresentationSettings
from unname.sharing.space import Float32, Space
from unname.sharing.training import make_representer
from unname.storage.modelfolder import parse_json
from unname.taggers.lstm.reading import WORDS_FROM
from unname.taggers.rules.wrapping import across_lines
from unname.types import Document, Span

FORMAT = "unname-represented.v1"
_WORDS = "words.json"
_MOST_SIZE, _LONGEST_NAME = 1 << 13, 200


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of shared examples: the mark of the representer, the recipient, and the width of its vectors."""

    mark: str
    recipient: str
    width: int

    def require(self, other: "Origin") -> None:
        """SettingsError where examples, representer and tagger do not belong together."""
        if self != other:
            raise SettingsError("they are of different representers, or for different recipients")

    def require_of(self, holder: PrivateRepresenter) -> None:
        """SettingsError where a representer is another one."""
        Origin(holder.mark, self.recipient, holder.settings.width).require(self)


@dataclass(repr=False)
class Represented:
    """A network on representations, and the representer before it; without one it cannot read text."""

    body: Body
    labels: tuple[str, ...]
    origin: Origin
    units: int
    words: tuple[str, ...] = ()
    network: Representer | None = None
    rotation: Float32 | None = None
    settings: RepresentationSettings | None = None
    name: str = field(default="represented.v1", init=False)

    def __repr__(self) -> str:
        return f"Represented({len(self.labels) // 2} labels{'' if self.network else ', without representer'})"

    @property
    def labels_(self) -> tuple[str, ...]:
        """BIO labels."""
        return self.labels

    def __getstate__(self) -> dict[str, Any]:
        """Plain arrays in the place of networks, so that a copy in another process shares nothing with this one."""
        weights = {name: value.detach().cpu().numpy() for name, value in _weights(self).state_dict().items()}
        return self.__dict__ | {"body": None, "network": None, "weights": weights, "complete": self.network is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        weights, complete = state.pop("weights"), state.pop("complete")
        self.__dict__.update(state)
        with seeded(0):
            self.body = Body(self.origin.width, self.labels, units=self.units)
            if complete and self.settings is not None:
                blank = np.zeros((len(self.words), weights["representer.vectors"].shape[1]), np.float32)
                self.network = make_representer(blank, self.settings)
        _weights(self).load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
        _weights(self).eval()

    def completed(self, representer: PrivateRepresenter) -> "Represented":
        """The same with the representer of its examples, so that it can read text."""
        self.origin.require_of(representer)
        return replace(
            self, words=representer.words, network=representer.network, settings=representer.settings,
            rotation=representer.rotation(self.origin.recipient),
        )  # fmt: skip

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The identifiers of each text: sorted, disjoint, each with its worst token's marginal probability.

        Texts stay in the house here, so they are represented without noise.
        """
        return across_lines(self._tag, texts)

    def _tag(self, texts: Sequence[str]) -> list[list[Span]]:
        if self.network is None or self.rotation is None or self.settings is None:
            raise ModelError(
                "the tagger lacks the representer of its examples, which never leaves the houses that share it; "
                "add it with `unname share complete`"
            )
        space = Space(self.words, self.network.vectors[WORDS_FROM:].numpy())
        documents = [Document(str(number), text) for number, text in enumerate(texts)]
        holder = PrivateRepresenter(self.words, self.network, self.labels, self.settings, b"")
        sentences = numbered(documents, space, self.labels)
        states = [row @ self.rotation for row in holder.represent(sentences, secret=0, noisy=False)]
        with one_thread():
            return tagged(documents, self.body, examples_of(sentences, states), self.labels)

    def save(self, folder: Path, *, replace: bool = False) -> None:
        """Write a folder that holds the model, with the representer if it has one. It is as private as that then."""
        about = {
            "format": FORMAT, "name": self.name, "origin": asdict(self.origin), "units": self.units,
            "settings": None if self.settings is None else asdict(self.settings),
            "vectors": None if self.network is None else list(self.network.vectors.shape),
        }  # fmt: skip
        words = {"words": self.words, "labels": self.labels}
        weights = _weights(self)
        if self.rotation is not None:
            weights.register_buffer("rotation", torch.from_numpy(self.rotation))
        write_model(folder, about, {_WORDS: json.dumps(words).encode()}, weights, replace=replace)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A tagger that `save` wrote; anything that is off in the folder is a ModelError."""
        about, contents = read_model(
            folder,
            format_=FORMAT,
            keys=frozenset(("name", "origin", "units", "settings", "vectors")),
            parts=frozenset((_WORDS,)),
        )
        words, labels = checked_words(parse_json(contents[_WORDS]))
        origin, units = checked_origin(about["origin"]), about["units"]
        if type(units) is not int or not 1 <= units <= _MOST_SIZE or about["name"] != "represented.v1":
            raise ModelError("a model's description has an absurd size")
        content = contents[WEIGHTS]
        with torch.device("meta"):
            blank = Body(origin.width, labels, units=units).state_dict()
        require_shapes(content, {f"body.{name}": tuple(value.shape) for name, value in blank.items()})
        with seeded(0):
            made = cls(Body(origin.width, labels, units=units), labels, origin, units, words)
        if about["settings"] is not None:
            made.settings = checked_settings(about["settings"])
            if made.settings.width != origin.width:
                raise ModelError("a model's description has an absurd size")
            made.network = empty_network(words, about["vectors"], made.settings, content, begin="representer.")
            made.rotation = np.zeros((origin.width, origin.width), np.float32)
        weights = _weights(made)
        if made.rotation is not None:
            weights.register_buffer("rotation", torch.from_numpy(made.rotation))
        fill(weights, content)
        return made


def is_recipient(name: str) -> bool:
    """True if this may be the name of a recipient: something to be printed, and not too long."""
    return 0 < len(name.strip()) <= _LONGEST_NAME and name.isprintable()


def checked_origin(values: Any) -> Origin:
    """An origin as a description has it."""
    try:
        origin = Origin(**values)
    except TypeError:
        raise ModelError("a model's description has unknown or missing parts") from None
    texts = (origin.mark, origin.recipient)
    if not all(isinstance(text, str) for text in texts) or type(origin.width) is not int:
        raise ModelError("a model's description has a part of the wrong kind")
    if not re.fullmatch("[0-9a-f]{16}", origin.mark) or not is_recipient(origin.recipient):
        raise ModelError("a model's description names no recipient")
    if not 2 <= origin.width <= _MOST_SIZE or origin.width % 2:
        raise ModelError("a model's description has an absurd size")
    return origin


def _weights(tagger: Represented) -> nn.Module:
    """All networks as one."""
    module = nn.Module()
    module.body = tagger.body
    if tagger.network is not None:
        module.representer = tagger.network
    return module
