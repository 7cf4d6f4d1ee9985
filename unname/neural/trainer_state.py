"""The state of a training run, by epochs: its best weights, when to stop, and the resumption of a killed run.

Everything random in a run follows from its seed, the epoch and the step (`seeded`), so the state after an epoch is
all that the next one needs: a run that was taken up ends with the weights of one that was never stopped.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from unname.neural.checkpoints import State, read_checkpoint, write_checkpoint
from unname.storage.modelfolder import digest


class TrainingHistory(NamedTuple):
    """The course of a run: its held-out score after every epoch, and the epoch that was kept (-1: the last)."""

    held_out: tuple[float, ...]
    best_epoch: int


class TrainerState:
    """The state of a run of a model and its optimiser; `identity` is a hash of the settings and of the data."""

    def __init__(
        self, model: nn.Module, optimiser: torch.optim.Optimizer, *, checkpoint: Path | None, about: Iterable[bytes]
    ) -> None:
        self.model, self.optimiser, self.checkpoint = model, optimiser, checkpoint
        self.learned = {name: value for name, value in model.named_parameters() if value.requires_grad}
        self.epoch = self.worse = 0
        self.scores: list[float] = []
        self.best_epoch = -1
        self.best: State | None = None
        self._best_is_new = False
        self.identity = ""
        if checkpoint is not None:
            started = (value.detach().cpu().numpy().tobytes() for _, value in sorted(model.state_dict().items()))
            self.identity = digest(chain(about, (str(torch.__version__).encode(),), started))
            self._resume(checkpoint)

    def end_epoch(self, score: float | None) -> None:
        """Note the score of the model now, if it is known, and keep the state."""
        self.epoch += 1
        if score is not None:
            better = score > max(self.scores, default=-1.0)
            self.scores.append(score)
            self.worse = 0 if better else self.worse + 1
            if better:
                self.best_epoch, self._best_is_new = self.epoch - 1, True
                self.best = {name: value.detach().clone() for name, value in self.learned.items()}
        if self.checkpoint is not None:
            self._save(self.checkpoint)

    @torch.no_grad()
    def finish(self) -> TrainingHistory:
        """Put the best weights back."""
        for name, value in (self.best or {}).items():
            self.learned[name].copy_(value)
        self.model.eval()
        return TrainingHistory(tuple(self.scores), self.best_epoch)

    def _save(self, folder: Path) -> None:
        state = {f"weight.{name}": value for name, value in self.learned.items()} | moments(self.optimiser)
        position = {"epoch": self.epoch, "worse": self.worse, "scores": self.scores, "best_epoch": self.best_epoch}
        write_checkpoint(folder, self.identity, position, state, self.best if self._best_is_new else None)
        self._best_is_new = False

    @torch.no_grad()
    def _resume(self, folder: Path) -> None:
        kept = read_checkpoint(folder, self.identity)
        if kept is None:
            return
        position, state, best = kept
        for name in ("epoch", "worse", "scores", "best_epoch"):
            setattr(self, name, position[name])
        for name, value in self.learned.items():
            value.copy_(state[f"weight.{name}"])
        self.best = best
        set_moments(self.optimiser, state)


def moments(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """An optimiser's moments of each weight, by name."""
    kept = optimiser.state_dict()["state"]
    return {f"moment.{at}.{name}": value for at, values in kept.items() for name, value in values.items()}


def set_moments(optimiser: torch.optim.Optimizer, state: State) -> None:
    """Set an optimiser's moments to those of `moments`; other names in `state` are passed over."""
    moments_of: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in state.items():
        if name.startswith("moment."):
            _, at, part = name.split(".")
            moments_of.setdefault(int(at), {})[part] = value
    optimiser.load_state_dict(optimiser.state_dict() | {"state": moments_of})


def choose_device(name: str) -> torch.device:
    """The device of a name; `auto` is a GPU where there is one."""
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)


@contextmanager
def seeded(*parts: int) -> Iterator[None]:
    """Draws of PyTorch that follow from numbers; the generators of the process are left as they were."""
    with torch.random.fork_rng():
        torch.manual_seed(number(*parts))
        yield


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums in one order whatever the machine, so that workers and this process give the same scores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def number(*parts: int) -> int:
    """A seed made of numbers."""
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:8], "big") >> 1
