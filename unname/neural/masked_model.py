"""A masked language model, frozen: the probability of words in their places once all that is masked is hidden.

Source: Pilán et al. 2022, §4.2: a token's weight is −ln of the smallest probability of its word pieces, all masked tokens
hidden together.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unname.errors import NEEDS_NEURAL, ModelError
from unname.neural.encoders import quiet, read_reader
from unname.neural.trainer_state import one_thread
from unname.storage.modelfolder import check_encoder

try:
    import torch
    from transformers import AutoModelForMaskedLM
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

_MOST_PIECES = 256


class MaskedModel:
    """Weights and tokenizer of a folder, safetensors. ModelError: not safe or sound, or a tokenizer without a mask."""

    def __init__(self, folder: Path) -> None:
        settings = check_encoder(folder)
        self._reader = read_reader(folder, str(settings.get("model_type")))
        try:
            with quiet(), torch.random.fork_rng(devices=[]):
                self._model: Any
                self._model, loading_info = AutoModelForMaskedLM.from_pretrained(
                    folder, local_files_only=True, trust_remote_code=False, use_safetensors=True, dtype=torch.float32,
                    output_loading_info=True,
                )  # fmt: skip
        except Exception as error:  # whatever a library raises for files that make no sense
            raise ModelError(f"the language model cannot be loaded: {type(error).__name__}") from None
        if loading_info["missing_keys"]:
            raise ModelError(
                "the folder holds no masked language model: it lacks weights of the head that guesses words"
            )
        self._model.eval()
        self._mask = self._reader.gap

    def __repr__(self) -> str:
        return "MaskedModel()"

    @torch.no_grad()
    def weights(self, text: str, tokens: Sequence[tuple[int, int]]) -> list[float]:
        """−ln of the least probable piece of each token `[start, end)` of a text, all of them hidden; in nats."""
        ids, offsets = self._reader.located(text)
        of = [-1] * len(ids)
        at = 0
        for place, (start, end) in enumerate(offsets):
            while at < len(tokens) and tokens[at][1] <= start:
                at += 1
            if at < len(tokens) and tokens[at][0] < end:
                of[place] = at
        heaviest = [0.0] * len(tokens)
        with one_thread():
            for first in range(0, len(ids), _MOST_PIECES):
                some, own = ids[first : first + _MOST_PIECES], of[first : first + _MOST_PIECES]
                shown = [self._mask if token >= 0 else piece for piece, token in zip(some, own, strict=True)]
                logits = self._model(input_ids=torch.tensor([self._reader.framed(shown)])).logits[0]
                logits = logits[len(self._reader.before) :][: len(some)].float().log_softmax(dim=-1)
                for row, (piece, token) in enumerate(zip(some, own, strict=True)):
                    if token >= 0:
                        heaviest[token] = max(heaviest[token], -float(logits[row, piece]))
        return [value if math.isfinite(value) else 0.0 for value in heaviest]
