"""Training a private representation, a tagger on it and an adversary against it. Source: Friedrich 2019, §5.4.

Three parts, after Feutry 2018: (1) representer and tagger learn together; (2) the adversary learns on the frozen
representation; (3) in turn, an epoch each, (a) tagger and adversary learn on the frozen representation, and (b) the
representer learns to serve the tagger and to leave the adversary at chance: l_tagger + λ |l_adversary - ln 2|. It ends when
the loss of (b) on held-out texts no longer falls. For comparison: all at once with a reversed gradient (DANN).

The distance from ln 2 is that of each pair, not of their mean: a mean of ln 2 is had at once by an adversary that is right
in eight of ten pairs and very sure of itself in the other two, and such a representation hides nothing.
"""

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from unname.errors import ModelError
from unname.log import Progress, silent
from unname.neural.checkpoints import read_checkpoint, write_checkpoint
from unname.neural.trainer_state import moments, number, seeded, set_moments
from unname.sharing.adversary import PairAdversary, reversed_gradient
from unname.sharing.decoding import Float64
from unname.sharing.pairs import Neighbours, Numbered, batches, paired, together
from unname.sharing.representation import Body, Representer, Sentences
from unname.sharing.settings import RepresentationSettings
from unname.sharing.space import Float32, Space
from unname.statistics import Rate, rate
from unname.storage.modelfolder import digest

CHANCE = math.log(2)
# So many times its epochs a patient adversary learns at most.
_LONGEST = 4


class Epoch(NamedTuple):
    """After an epoch of a part, on held-out texts: the losses of tagger and adversary, how far the latter's is from chance in
    each pair, how often it is right, and what the vectors of a sentence count (`Representer.telling`)."""

    part: str
    tagging: float
    attacking: float
    away: float
    right: float
    told: float


@dataclass(frozen=True, slots=True, repr=False)
class Trained:
    """The three networks, what they were trained with, and every epoch."""

    representer: Representer
    body: Body
    adversary: PairAdversary
    near: Neighbours
    settings: RepresentationSettings
    history: tuple[Epoch, ...]


def train_representation(
    taught: Sequence[Numbered], held_out: Sequence[Numbered], space: Space, labels: tuple[str, ...],
    settings: RepresentationSettings, *, checkpoint: Path | None = None, progress: Progress = silent,
) -> Trained:  # fmt: skip
    """Learn from sentences with labels; the epoch with the best loss on the held-out ones counts, in every part.

    With a `checkpoint` folder a killed training goes on where it was; a folder of another one is a StateError.
    """
    if not any(len(sentence.held) for sentence in taught) or not held_out:
        raise ModelError("a representer needs annotated texts to learn from, and others that say when to stop")
    with seeded(settings.seed):
        representer = make_representer(space.vectors, settings)
        body = Body(settings.width, labels, units=settings.units)
        adversary = PairAdversary(settings.width, space.vectors.shape[1], units=settings.adversary_units)
    near = Neighbours(space, settings.neighbours)
    run = _Run(_Networks(representer, body, adversary), near, settings, progress)
    if checkpoint is not None:
        run.keep_in(checkpoint, digest(_identity(taught, held_out, labels, settings, space)))
    for place, part in enumerate(run.parts()):
        run.learn(place, part, taught, held_out)
    return Trained(representer, body, adversary, near, settings, tuple(run.history))


def make_representer(vectors: Float32, settings: RepresentationSettings) -> Representer:
    """A network that has learned nothing yet."""
    s = settings
    return Representer(vectors, s.width, noise=s.noise, least=s.least_noise, follows=s.follows)


def _identity(
    taught: Sequence[Numbered], held_out: Sequence[Numbered], labels: Sequence[str], settings: RepresentationSettings,
    space: Space,
) -> Iterator[bytes]:  # fmt: skip
    """All that decides a training run."""
    yield repr((sorted(asdict(settings).items()), tuple(labels), len(taught), str(torch.__version__))).encode()
    yield space.vectors.tobytes()
    for sentence in (*taught, *held_out):
        yield b"".join(row.tobytes() for row in sentence[:4])


class Attacking(NamedTuple):
    """Settings of an adversary's further training on the frozen representation, and of the questions it is asked.

    A `fresh` one begins anew, else that of training goes on. It may end early where it is right `enough`; a `patient` one
    goes on for up to four times its `epochs` while its best one is of the last third. Of each sentence so many pairs
    (`times`) are drawn.
    """

    epochs: int
    fresh: bool = True
    enough: float = 1.0
    patient: bool = False
    times: int = 1


class Attacked(NamedTuple):
    """An adversary's success after each further epoch on held-out pairs, and on others after the best of these epochs.

    `right` is how often it is right on these others, with the one of its answers (either, or their mean) that was right most
    often on held-out pairs; its interval is over people. The pairs are of so many `sentences`.
    """

    curve: tuple[float, ...]
    right: Rate
    sentences: int


def attacked(
    trained: Trained, taught: Sequence[Numbered], held_out: Sequence[Numbered], asked: Sequence[Numbered],
    how: Attacking,
) -> Attacked:  # fmt: skip
    """The success of an adversary that goes on learning on the frozen representation, on pairs of `asked` sentences.

    Source: Elazar and Goldberg 2018; Friedrich 2019, §5.5.
    """
    curve, credits, people = judged_pairs(trained, taught, held_out, asked, how)
    return Attacked(curve, rate(credits, people), len(asked))


def judged_pairs(
    trained: Trained, taught: Sequence[Numbered], held_out: Sequence[Numbered], asked: Sequence[Numbered],
    how: Attacking,
) -> tuple[tuple[float, ...], Float64, list[int]]:  # fmt: skip
    """The same before it is summed up: the curve, whether the adversary is right on each pair, and whose sentence it is."""
    settings, adversary = trained.settings, copy.deepcopy(trained.adversary)
    if how.fresh:
        with seeded(settings.seed, 1):
            width = trained.representer.vectors.shape[1]
            adversary = PairAdversary(settings.width, width, units=settings.adversary_units)
    run = _Run(_Networks(trained.representer, trained.body, adversary), trained.near, settings, silent)
    curve: list[float] = []
    best, answer, kept = 0, 0, copy.deepcopy(adversary.state_dict())
    for epoch in range(how.epochs * (_LONGEST if how.patient else 1)):
        if epoch >= how.epochs and 2 * epoch >= 3 * (best + 1):
            break
        run.epoch(epoch, taught, run.adversary_alone)
        rights = np.mean([run.rights(held_out, time)[0].mean(axis=0) for time in range(how.times)], axis=0)
        curve.append(float(rights.max()))
        if curve[-1] > curve[best] or not epoch:
            best, answer, kept = epoch, int(rights.argmax()), copy.deepcopy(adversary.state_dict())
        if curve[-1] >= how.enough:
            break
    adversary.load_state_dict(kept)
    tries = [run.rights(asked, time) for time in range(how.times)]
    credits = np.concatenate([rights[:, answer] for rights, _ in tries])
    return tuple(curve), credits, [person for _, people in tries for person in people]


class _Networks(nn.Module):
    """The three, by name."""

    def __init__(self, representer: Representer, body: Body, adversary: PairAdversary) -> None:
        super().__init__()
        self.representer, self.body, self.adversary = representer, body, adversary


Step = Callable[[Sequence[Numbered], np.random.Generator], torch.Tensor]


class _TrainingPart(NamedTuple):
    """A part of training: its steps are gone through in turn, an epoch each; `worth` is what should fall."""

    name: str
    steps: tuple[Step, ...]
    worth: Callable[[Epoch], float]
    epochs: int


class _Run:
    """Three networks that learn, some at a time."""

    def __init__(
        self, networks: _Networks, near: Neighbours, settings: RepresentationSettings, progress: Progress
    ) -> None:
        self.networks = networks
        self.representer, self.body, self.adversary = networks.representer, networks.body, networks.adversary
        self._near, self._settings, self._progress = near, settings, progress
        self._price = settings.bottleneck
        self._optimisers: dict[str, torch.optim.Optimizer] = {}
        self.history: list[Epoch] = []
        self._folder: Path | None = None
        self._identity = ""
        # Where it stands: the part, its epochs done, those since the best, the best loss, and the networks then.
        self._place, self._done, self._worse, self._best = 0, 0, 0, math.inf
        self._kept: dict[str, torch.Tensor] = {}

    def parts(self) -> list[_TrainingPart]:
        """The parts of training, in order."""
        s = self._settings
        if s.procedure == "dann":
            return [_TrainingPart("dann", (self.all_at_once,), self._both, s.turns)]
        return [
            _TrainingPart("tagger", (self.tagger_and_representer,), self._serving, s.tagger_epochs),
            _TrainingPart("adversary", (self.adversary_alone,), lambda e: e.attacking, s.adversary_epochs),
            _TrainingPart("turns", (self.tagger_and_adversary, self.representer_alone), self._both, s.turns),
        ]

    def _serving(self, epoch: Epoch) -> float:
        return epoch.tagging + self._settings.bottleneck * epoch.told

    def _both(self, epoch: Epoch) -> float:
        return self._serving(epoch) + self._settings.weight * epoch.away

    def learn(self, place: int, part: _TrainingPart, taught: Sequence[Numbered], held_out: Sequence[Numbered]) -> None:
        """Up to so many epochs of a part, unless it is over already; all networks end as they were at the best."""
        if place < self._place:
            return
        if place > self._place or not self._kept:
            self._place, self._done, self._worse, self._best = place, 0, 0, math.inf
            self._kept = copy.deepcopy(self.networks.state_dict())
            self._optimisers.clear()
        while self._done < part.epochs and self._worse < self._settings.patience:
            advance = self._progress(f"{part.name}, epoch {self._done + 1}", 1)
            rises = self._settings.rising if part.name == "tagger" else 0
            risen = min(1.0, self._done / rises) if rises else 1.0
            self._price = self._settings.bottleneck * risen
            for step in part.steps:
                self.epoch(self._done, taught, step)
            epoch = self.judged(part.name, held_out)
            self.history.append(epoch)
            advance(1)
            if part.worth(epoch) < self._best - 1e-4:
                self._best, self._worse = part.worth(epoch), 0
                self._kept = copy.deepcopy(self.networks.state_dict())
            elif risen == 1:
                self._worse += 1
            self._done += 1
            self._save()
        self.networks.load_state_dict(self._kept)

    def epoch(self, number_: int, sentences: Sequence[Numbered], step: Step) -> None:
        """All sentences once, in an order that follows from the seed, the epoch and the step."""
        self.networks.train()
        name = step.__name__
        part = sum(name.encode())
        random = np.random.default_rng(number(self._settings.seed, number_, part))
        optimiser, learned = self._optimiser(name)
        for at, batch in enumerate(batches(sentences, self._settings.batch, random)):
            with seeded(self._settings.seed, number_, at, part):
                loss = step(batch, random)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            self.networks.zero_grad(set_to_none=True)

    def tagger_and_representer(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 1."""
        sentences, gold = together(batch)
        states, told = self._told(sentences)
        return self.body.loss(states, sentences, gold) + told

    def adversary_alone(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 2."""
        return self.adversary.losses(*self._attack(batch, random, frozen=True)).mean()

    def tagger_and_adversary(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 3 (a): the representation is frozen."""
        sentences, gold = together(batch)
        with torch.no_grad():
            states = self.representer(sentences.words, sentences.lengths)
        attack = self.adversary.losses(*self._attack(batch, random, frozen=True))
        return self.body.loss(states, sentences, gold) + attack.mean()

    def representer_alone(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """Part 3 (b): tagger and adversary stay as they are."""
        sentences, gold = together(batch)
        states, told = self._told(sentences)
        attack = self.adversary.losses(*self._attack(batch, random))
        away = (attack - CHANCE).abs().mean()
        return self.body.loss(states, sentences, gold) + told + self._settings.weight * away

    def all_at_once(self, batch: Sequence[Numbered], random: np.random.Generator) -> torch.Tensor:
        """DANN: the adversary's gradient comes back to the representer with its sign turned."""
        sentences, gold = together(batch)
        states, told = self._told(sentences)
        attack = self.adversary.losses(*self._attack(batch, random, turned=True))
        return self.body.loss(states, sentences, gold) + told + attack.mean()

    def _told(self, sentences: Sentences) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors, and what it costs that they tell so much."""
        states, told = self.representer.telling(sentences.words, sentences.lengths)
        return states, self._price * told.mean()

    def _attack(
        self, batch: Sequence[Numbered], random: np.random.Generator, *, frozen: bool = False, turned: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The adversary's answers to pairs made of these sentences, and which of the pairs are real."""
        pairs = paired(batch, self._near, random, balanced=self._settings.balanced)
        lengths = torch.tensor([len(sentence.words) for sentence in batch])
        with torch.set_grad_enabled(torch.is_grad_enabled() and not frozen):
            states, others = (self.representer(words, lengths) for words in (pairs.one, pairs.other))
            vectors = self.representer.embedded(pairs.other).detach()
            if turned:
                weight = self._settings.weight
                states, others = reversed_gradient(states, weight), reversed_gradient(others, weight)
        return self.adversary(states, vectors, others, lengths), pairs.real

    def judged(self, part: str, held_out: Sequence[Numbered]) -> Epoch:
        """Losses and the adversary's success, with pairs and noise that are the same every time."""
        total = np.zeros(5)
        for batch, (said, real) in self._each(held_out):
            sentences, gold = together(batch)
            states, told = self.representer.telling(sentences.words, sentences.lengths)
            losses, tagging = self.adversary.losses(said, real), self.body.loss(states, sentences, gold)
            right = (self.adversary.guesses(said) == real).float().mean()
            values = (tagging, losses.mean(), (losses - CHANCE).abs().mean(), right, told.mean())
            total += len(batch) * np.array([float(value) for value in values])
        return Epoch(part, *(float(value) for value in total / max(1, len(held_out))))

    def rights(self, asked: Sequence[Numbered], time: int = 0) -> tuple[Float64, list[int]]:
        """Hits of the mean of the adversary's answers, of the first and of the second (pairs, 3), and each pair's person.

        Each `time` has other pairs.
        """
        rows, people = [np.zeros((0, 3))], list[int]()
        for batch, (said, real) in self._each(asked, *([time] if time else [])):
            guesses = torch.stack((self.adversary.guesses(said), said[0] > 0, said[1] > 0), dim=1)
            rows.append((guesses == real[:, None]).double().numpy())
            people += [sentence.person for sentence in batch]
        return np.concatenate(rows), people

    def _each(
        self, asked: Sequence[Numbered], *drawn: int
    ) -> Iterator[tuple[Sequence[Numbered], tuple[torch.Tensor, torch.Tensor]]]:
        self.networks.eval()
        random = np.random.default_rng(number(self._settings.seed, -1, *drawn))
        for at, batch in enumerate(batches(asked, 4 * self._settings.batch, random)):
            with torch.no_grad(), seeded(self._settings.seed, -1, at, *drawn):
                yield batch, self._attack(batch, random, frozen=True)

    def _optimiser(self, step: str) -> tuple[torch.optim.Optimizer, list[nn.Parameter]]:
        """The parameters that learn in a step, and their optimiser, which stays for the whole part."""
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

    def keep_in(self, folder: Path, identity: str) -> None:
        """Keep the state in a folder after each epoch, and begin with what is kept there."""
        self._folder, self._identity = folder, identity
        checkpoint = read_checkpoint(folder, identity)
        if checkpoint is None:
            return
        position, state, best = checkpoint
        self._place, self._done, self._worse = (int(position[name]) for name in ("place", "done", "worse"))
        self._best = float(position["best"])
        self.history = [Epoch(str(row[0]), *map(float, row[1:])) for row in position["history"]]
        self._kept = dict(best or {})
        own = {name.removeprefix("weight."): value for name, value in state.items() if name.startswith("weight.")}
        self.networks.load_state_dict(own)
        for step in position["optimisers"]:
            optimiser, _ = self._optimiser(step)
            begin = f"{step}/"
            mine = {name.removeprefix(begin): value for name, value in state.items() if name.startswith(begin)}
            set_moments(optimiser, mine)

    def _save(self) -> None:
        if self._folder is None:
            return
        position: dict[str, Any] = {
            "place": self._place, "done": self._done, "worse": self._worse, "best": self._best,
            "history": [list(row) for row in self.history], "optimisers": list(self._optimisers),
        }  # fmt: skip
        state = {f"weight.{name}": value for name, value in self.networks.state_dict().items()}
        for step, optimiser in self._optimisers.items():
            state |= {f"{step}/{name}": value for name, value in moments(optimiser).items()}
        write_checkpoint(self._folder, self._identity, position, state, self._kept)
