"""A causal language model, frozen: how likely a text is after another. Loaded from a folder or a GGUF file, never the net."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from unname.errors import NEEDS_NEURAL, ModelError
from unname.neural.encoders import quiet
from unname.storage.modelfolder import check_encoder

try:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

# Sequences that go through the model together.
_TOGETHER = 5
_FOR_GGUF = ("gguf", "accelerate")


class LanguageModel:
    """Weights and a tokenizer. ModelError where they are not safe or sound; a folder holds safetensors."""

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            check_encoder(path)
        elif not all(map(find_spec, _FOR_GGUF)):
            raise ModelError(f"a GGUF file needs two more packages: pip install {' '.join(_FOR_GGUF)}")
        folder, weights = (path, None) if path.is_dir() else (path.parent, path.name)
        try:
            with quiet(), torch.random.fork_rng(devices=[]):
                self._tokenizer: Any = AutoTokenizer.from_pretrained(
                    folder, gguf_file=weights, local_files_only=True, trust_remote_code=False
                )
                self._model: Any = AutoModelForCausalLM.from_pretrained(
                    folder, gguf_file=weights, local_files_only=True, trust_remote_code=False, dtype=torch.float32,
                    use_safetensors=True if weights is None else None,
                ).eval()  # fmt: skip
        except Exception as error:  # whatever a library raises for files that make no sense
            raise ModelError(f"the language model cannot be loaded: {type(error).__name__}") from None

    def __repr__(self) -> str:
        return "LanguageModel()"

    def ids(self, text: str, most: int) -> list[int]:
        """The first tokens of a text, at most so many; what looks like a special token is read as it is written."""
        plain = self._tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        return [int(one) for one in plain[:most]]

    @torch.no_grad()
    def log_likelihoods(self, before: Sequence[Sequence[int]], text: Sequence[int]) -> list[float]:
        """ln p(text | what stands before it), for each of several beginnings of at least one token, in nats."""
        found: list[float] = []
        for at in range(0, len(before), _TOGETHER):
            some = before[at : at + _TOGETHER]
            longest = max(map(len, some)) + len(text)
            ids = torch.zeros((len(some), longest), dtype=torch.long)
            real = torch.zeros_like(ids)
            for row, begun in enumerate(some):
                whole = torch.tensor([*begun, *text])
                ids[row, : len(whole)], real[row, : len(whole)] = whole, 1
            logits = self._model(input_ids=ids, attention_mask=real).logits
            for row, begun in enumerate(some):
                said = logits[row, len(begun) - 1 : len(begun) + len(text) - 1].float().log_softmax(dim=-1)
                right = said.gather(1, torch.tensor(text)[:, None])
                found.append(float(right.double().sum()))
        return found
