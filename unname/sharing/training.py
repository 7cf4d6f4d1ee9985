"""Training a private representation, a tagger on it and an adversary against it. Source: Friedrich 2019, §5.4.

Three parts, after Feutry 2018: (1) representer and tagger learn together; (2) the adversary learns on the frozen
representation; (3) in turn, an epoch each, (a) tagger and adversary learn on the frozen representation, and (b) the
representer learns to serve the tagger and to leave the adversary at chance: l_tagger + λ |l_adversary - ln 2|. It ends when
the loss of (b) on held-out texts no longer falls. For comparison: all at once with a reversed gradient (DANN).
"""

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from unname.errors import SettingsError
from unname.log import Progress, silent
from unname.neural.trainer_state import number, seeded
from unname.sharing.network import Adversary, Body, Representer, reversed_gradient
from unname.sharing.pairs import Neighbours, Numbered, batches, paired, together
from unname.sharing.space import Space

CHANCE = math.log(2)


@dataclass(frozen=True, slots=True)
class RepresentationSettings:
    """What a representation is and how it is trained.

    `width` is d, `neighbours` N, `weight` λ, `noise` the standard deviation that learning starts from; with `follows` it
    also depends on each vector. `procedure` is three-part or dann. Parts 1, 2 and 3 take up to so many epochs, and end
    after `patience` ones without a better loss on held-out texts.
    """

    width: int = 50
    neighbours: int = 100
    weight: float = 1.0
    noise: float = 0.1
    follows: bool = False
    procedure: str = "three-part"
    units: int = 128
    adversary_units: int = 64
    batch: int = 32
    rate: float = 0.002
    tagger_epochs: int = 12
    adversary_epochs: int = 10
    turns: int = 30
    patience: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        if self.procedure not in ("three-part", "dann"):
            raise SettingsError("procedure must be three-part or dann")
        if self.width < 2 or self.width % 2 or self.neighbours < 1 or min(self.weight, self.noise, self.rate) <= 0:
            raise SettingsError("width must be even; neighbours, weight, noise and rate above 0")


@dataclass(frozen=True, slots=True, repr=False)
class Trained:
    """The three networks and what they were trained with; for each epoch its part, and loss and rate on held-out texts."""

    representer: Representer
    body: Body
    adversary: Adversary
    near: Neighbours
    settings: RepresentationSettings
    history: tuple[tuple[str, float, float], ...]


def train_representation(
    taught: Sequence[Numbered], held_out: Sequence[Numbered], space: Space, labels: tuple[str, ...],
    settings: RepresentationSettings, *, progress: Progress = silent,
) -> Trained:  # fmt: skip
    """Learn from sentences with labels; the epoch with the best loss on the held-out ones counts, in every part."""
    with seeded(settings.seed):
        representer = Representer(space.vectors, settings.width, noise=settings.noise, follows=settings.follows)
        body = Body(settings.width, labels, units=settings.units)
        adversary = Adversary(settings.width, space.vectors.shape[1], units=settings.adversary_units)
    near = Neighbours(space, settings.neighbours)
    run = _Run(representer, body, adversary, near, settings, progress)
    if settings.procedure == "dann":
        run.part("dann", taught, held_out, [run.all_at_once], run.both, settings.turns)
    else:
        run.part("tagger", taught, held_out, [run.tagger_and_representer], run.tagging, settings.tagger_epochs)
        run.part("adversary", taught, held_out, [run.adversary_alone], run.attacking, settings.adversary_epochs)
        run.part("turns", taught, held_out, [run.tagger_and_adversary, run.representer_alone], run.both, settings.turns)
    return Trained(representer, body, adversary, near, settings, tuple(run.history))


def attacked(
    trained: Trained, taught: Sequence[Numbered], held_out: Sequence[Numbered], *, epochs: int, fresh: bool = True
) -> list[float]:
    """How often an adversary is right on held-out pairs after each further epoch on the frozen representation.

    A `fresh` one begins anew, else that of training goes on. Source: Elazar and Goldberg 2018; Friedrich 2019, §5.5.
    """
    settings, adversary = trained.settings, copy.deepcopy(trained.adversary)
    if fresh:
        with seeded(settings.seed, 1):
            width = trained.representer.vectors.shape[1]
            adversary = Adversary(settings.width, width, units=settings.adversary_units)
    run = _Run(trained.representer, trained.body, adversary, trained.near, settings, silent)
    found = []
    for epoch in range(epochs):
        run.epoch(epoch, taught, [run.adversary_alone])
        found.append(run.right(held_out))
    return found


Step = Callable[[Sequence[Numbered], np.random.Generator], torch.Tensor]


class _Run:
    """Three networks that learn, some at a time."""

    def __init__(
        self, representer: Representer, body: Body, adversary: Adversary, near: Neighbours,
        settings: RepresentationSettings, progress: Progress,
    ) -> None:  # fmt: skip
        self.representer, self.body, self.adversary = representer, body, adversary
        self._near, self._settings, self._progress = near, settings, progress
        self._optimisers: dict[str, torch.optim.Optimizer] = {}
        self.history: list[tuple[str, float, float]] = []

    def part(
        self, name: str, taught: Sequence[Numbered], held_out: Sequence[Numbered], steps: Sequence[Step],
        judged: Callable[[Sequence[Numbered]], float], epochs: int,
    ) -> None:  # fmt: skip
        """Up to so many epochs of these steps in turn; all networks end as they were at the best."""
        networks = nn.ModuleList((self.representer, self.body, self.adversary))
        best, kept, worse = math.inf, copy.deepcopy(networks.state_dict()), 0
        self._optimisers.clear()
        for epoch in range(epochs):
            advance = self._progress(f"{name}, epoch {epoch + 1}", 1)
            for step in steps:
                self.epoch(epoch, taught, [step])
            loss = judged(held_out)
            self.history.append((name, loss, self.right(held_out)))
            advance(1)
            if loss < best - 1e-4:
                best, kept, worse = loss, copy.deepcopy(networks.state_dict()), 0
            else:
                worse += 1
                if worse >= self._settings.patience:
                    break
        networks.load_state_dict(kept)

    def epoch(self, number_: int, sentences: Sequence[Numbered], steps: Sequence[Step]) -> None:
        """All sentences once."""
        self._mode(training=True)
        for step in steps:
            name = getattr(step, "__name__", "step")
            part = sum(name.encode())
            random = np.random.default_rng(number(self._settings.seed, number_, part))
            optimiser, learned = self._optimiser(name)
            for at, batch in enumerate(batches(sentences, self._settings.batch, random)):
                with seeded(self._settings.seed, number_, at, part):
                    loss = step(batch, random)
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(learned, 1.0)
                optimiser.step()
                self._forget()

    def tagger_and_representer(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 1."""
        sentences, gold = together(batch)
        return self.body.loss(self.representer(sentences.words, sentences.lengths), sentences, gold)

    def adversary_alone(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 2."""
        return self._attack(batch, random, frozen=True)[0]

    def tagger_and_adversary(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 3 (a): the representation is frozen."""
        sentences, gold = together(batch)
        with torch.no_grad():
            states = self.representer(sentences.words, sentences.lengths)
        return self.body.loss(states, sentences, gold) + self._attack(batch, random, frozen=True)[0]

    def representer_alone(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 3 (b): tagger and adversary stay as they are."""
        sentences, gold = together(batch)
        states = self.representer(sentences.words, sentences.lengths)
        attack, _ = self._attack(batch, random, frozen=False)
        return self.body.loss(states, sentences, gold) + self._settings.weight * (attack - CHANCE).abs()

    def all_at_once(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """DANN: the adversary's gradient comes back to the representer with its sign turned."""
        sentences, gold = together(batch)
        states = self.representer(sentences.words, sentences.lengths)
        attack, _ = self._attack(batch, random, frozen=False, turned=True)
        return self.body.loss(states, sentences, gold) + attack

    def _attack(
        self, batch: Sequence[Numbered], random: np.random.Generator, *, frozen: bool, turned: bool = False
    ) -> tuple[torch.Tensor, float]:
        """The adversary's loss on pairs of these sentences, and how often it is right."""
        sentences, _ = together(batch)
        words, real = paired(batch, self._near, random)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not frozen):
            states = self.representer(sentences.words, sentences.lengths)
            others = self.representer(words, sentences.lengths)
            vectors = self.representer.embedded(words).detach()
            if turned:
                weight = self._settings.weight
                states, others = reversed_gradient(states, weight), reversed_gradient(others, weight)
        said, truth = self.adversary(states, vectors, others, sentences.lengths), torch.from_numpy(real)
        right = float((self.adversary.guesses(said) == truth).float().mean())
        return self.adversary.loss(said, truth), right

    def tagging(self, sentences: Sequence[Numbered]) -> float:
        """The tagger's loss on held-out sentences, with noise that is the same every time."""
        return self._mean(sentences, lambda batch, random: self.tagger_and_representer(batch, random).item())

    def attacking(self, sentences: Sequence[Numbered]) -> float:
        """The adversary's loss."""
        return self._mean(sentences, lambda batch, random: self._attack(batch, random, frozen=True)[0].item())

    def both(self, sentences: Sequence[Numbered]) -> float:
        """The representer's loss in part 3 (b)."""
        attack = self.attacking(sentences)
        return self.tagging(sentences) + self._settings.weight * abs(attack - CHANCE)

    def right(self, sentences: Sequence[Numbered]) -> float:
        """How often the adversary is right."""
        return self._mean(sentences, lambda batch, random: self._attack(batch, random, frozen=True)[1])

    def _mean(
        self, sentences: Sequence[Numbered], worth: Callable[[Sequence[Numbered], np.random.Generator], float]
    ) -> float:
        self._mode(training=False)
        random = np.random.default_rng(number(self._settings.seed, -1))
        total = weight = 0.0
        with torch.no_grad(), seeded(self._settings.seed, -1):
            for batch in batches(sentences, self._settings.batch, random):
                total, weight = total + worth(batch, random) * len(batch), weight + len(batch)
        return total / max(weight, 1.0)

    def _mode(self, *, training: bool) -> None:
        for network in (self.representer, self.body, self.adversary):
            network.train(training)

    def _forget(self) -> None:
        for network in (self.representer, self.body, self.adversary):
            network.zero_grad(set_to_none=True)

    def _optimiser(self, step: str) -> tuple[torch.optim.Optimizer, list[nn.Parameter]]:
        """Who learns in a step, and its optimiser, which stays for the whole part."""
        learning: dict[str, Iterable[nn.Module]] = {
            "tagger_and_representer": (self.representer, self.body),
            "adversary_alone": (self.adversary,),
            "tagger_and_adversary": (self.body, self.adversary),
            "representer_alone": (self.representer,),
            "all_at_once": (self.representer, self.body, self.adversary),
        }
        learned = [value for network in learning[step] for value in network.parameters() if value.requires_grad]
        if step not in self._optimisers:
            self._optimisers[step] = torch.optim.NAdam(learned, lr=self._settings.rate)
        return self._optimisers[step], learned
