"""A causal language model, frozen: the likelihood of a text, and the words it would write into blanks.

It is loaded from a folder or a GGUF file, never from the net.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from unname.errors import NEEDS_NEURAL, ModelError
from unname.neural.encoders import quiet
from unname.neural.trainer_state import one_thread
from unname.storage.modelfolder import check_encoder

try:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

# Sequences that go through the model together.
_TOGETHER = 5
_FOR_GGUF = ("gguf", "accelerate")
# Tokens that a model may write into one blank, and what they look like: no punctuation, no line break, no underscore.
_BLANK_TOKENS = 4
_WRITABLE = re.compile(r" ?[^\W_]+")


class LanguageModel:
    """Weights and a tokenizer. ModelError if they are not safe or sound; a folder holds safetensors."""

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
        """The first tokens of a text, at most so many; an apparent special token is read as it is written."""
        plain = self._tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        return [int(one) for one in plain[:most]]

    @torch.no_grad()
    def log_likelihoods(self, before: Sequence[Sequence[int]], text: Sequence[int]) -> list[float]:
        """ln p(text | a beginning), for each of several beginnings of at least one token, in nats."""
        likelihoods: list[float] = []
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
                predicted = logits[row, len(begun) - 1 : len(begun) + len(text) - 1].float().log_softmax(dim=-1)
                right = predicted.gather(1, torch.tensor(text)[:, None])
                likelihoods.append(float(right.double().sum()))
        return likelihoods

    @one_thread()
    @torch.no_grad()
    def fillings(self, stretches: Sequence[str], most: int) -> list[str]:
        """The words that the model writes between stretches of a text, at every step the likeliest token.

        The text is read once, from left to right, with the fillings. A blank gets one to four tokens; it ends where
        the model would write anything but a word, or the first token of the next stretch. Blanks that begin after `most`
        tokens stay empty. The first stretch has a token or more.
        """
        tokens = (self.ids(stretch.rstrip(" "), most + 1) for stretch in stretches)
        filled, waiting, memory, read = [""] * (len(stretches) - 1), list[int](), None, 0
        scores = torch.zeros(len(self._unwritable))
        for blank, (before, after) in enumerate(pairwise(tokens)):
            waiting, written = waiting + before, list[int]()
            if read + len(waiting) > most:
                break
            while len(written) < _BLANK_TOKENS:
                if waiting:  # not where nothing is left of a stretch, such as a line break that a tokenizer drops
                    made = self._model(input_ids=torch.tensor([waiting]), past_key_values=memory, use_cache=True)
                    scores, memory, read, waiting = made.logits[0, -1], made.past_key_values, read + len(waiting), []
                best = int((scores if written else scores.masked_fill(self._unwritable, -torch.inf)).argmax())
                if written and (self._unwritable[best] or [best] == after[:1]):
                    break
                written.append(best)
                waiting = [best]
            filled[blank] = str(self._tokenizer.decode(written)).strip()
        return filled

    @cached_property
    def _unwritable(self) -> torch.Tensor:
        """Tokens that are not a word or a part of one, special tokens among them: bool (vocabulary,)."""
        size = self._model.get_input_embeddings().num_embeddings
        shown = self._tokenizer.batch_decode([[token] for token in range(size)], skip_special_tokens=True)
        return torch.tensor([not _WRITABLE.fullmatch(text) for text in shown])
