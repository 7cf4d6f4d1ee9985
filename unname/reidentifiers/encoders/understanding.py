"""The common part of attackers that understand: a frozen sentence encoder's vectors of texts, each computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from unname.errors import NEEDS_NEURAL, ModelError, SettingsError
from unname.reidentifiers.encoders.statements import sentences

if TYPE_CHECKING:
    from unname.reidentifiers.encoders.wordparts import WordParts

Vectors = npt.NDArray[np.float32]


@dataclass(slots=True)
class Understanding:
    """Reads texts with a sentence encoder: `encoder` is its folder, `store` keeps vectors for other readers."""

    encoder: Path | None = None
    seed: int = 0
    store: Any = field(default=None, repr=False, compare=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (texts, width); a missing encoder is a SettingsError, one that is no good a ModelError."""
        try:
            from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore, sentence_encoder
        except ImportError:  # pragma: no cover
            raise ModelError(NEEDS_NEURAL) from None
        if self.encoder is None:
            raise SettingsError("an attacker that understands needs a sentence encoder: name its folder (--encoder)")
        if self.store is None:
            self.store = EmbeddingStore()
        return sentence_encoder(self.encoder).embed(texts, self.store)

    def taken_apart(self, sentences: Sequence[str]) -> "list[WordParts]":
        """The contributions of each word of some sentences to their vectors."""
        self.embed(())
        from unname.reidentifiers.encoders.sentence_encoder import sentence_encoder

        return sentence_encoder(self.encoder).taken_apart(sentences, self.store) if self.encoder is not None else []

    def embed_texts(self, texts: Sequence[str]) -> list[Vectors]:
        """Vectors of each text's sentences: (sentences, width)."""
        rows = [sentences(text) for text in texts]
        vectors = self.embed([sentence for row in rows for sentence in row])
        ends = np.cumsum([len(row) for row in rows])
        return np.split(vectors, ends[:-1]) if len(rows) else []


def understanding(encoder: Path | None) -> dict[str, Any]:
    """The parameters of reidentifiers that understand: the encoder, and one file of vectors for all of them."""
    from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore  # loads torch

    return {"encoder": encoder, "store": EmbeddingStore()}
