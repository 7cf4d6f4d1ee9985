"""Training of the bi-encoder: p(profile | masked document) over all training profiles, by coordinate ascent.

An epoch trains one side against the fixed embeddings of the other: the document encoder f against all profiles G, or
the profile encoder g against all documents F. Whatever is random follows from the seed, the epoch and a row's place, so
a run that is taken up again goes on as if it had never stopped. Source: Morris 2022 §4 and appendix A.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np

from unname.errors import NEEDS_NEURAL, ModelError
from unname.log import Progress, silent
from unname.neural.checkpoints import read_checkpoint, write_checkpoint
from unname.neural.readers import TokenWindow
from unname.neural.trainer_state import TrainingHistory, choose_device, number
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.encoders.losses import blocked_loss
from unname.reidentifiers.encoders.settings import BiencoderSettings
from unname.reidentifiers.encoders.towers import Pair, Tower, load_tower
from unname.reidentifiers.learned.training_examples import MaskPrior, TrainingExample, hide_words
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.storage.modelfolder import digest, profile_bytes
from unname.text import folded_words
from unname.types import Profile

try:
    import torch
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

_BUCKET = 16
_READ_TOGETHER = 8192
_STAGES = {"document": 1, "profile": 2, "held out": 3, "warm start": 4}


def load_pair(settings: BiencoderSettings) -> Pair:
    """The two encoders as they come, with projections that change no dot product between equal encoders."""
    pair = Pair(
        *(
            load_tower(
                source, width=settings.width, window=settings.window, dropout=settings.dropout,
                encoder_dropout=settings.encoder_dropout, seed=settings.seed,
            )
            for source in (settings.document_encoder, settings.profile_encoder)
        )
    )  # fmt: skip
    for tower in (pair.document, pair.profile):
        tower.freeze(layers=settings.frozen_layers, embeddings=settings.frozen_embeddings)
    return pair


@dataclass(slots=True, repr=False)
class TrainingSet:
    """Training data: examples, the profiles to choose from, and those of people held out.

    `taught` and `kept_back` are indices into `examples`; `candidates` are rows of `profiles`, those of people in the
    training examples first (or all).
    """

    profiles: Sequence[Profile]
    examples: Sequence[TrainingExample]
    taught: list[int]
    kept_back: list[int]
    candidates: list[int]
    known: dict[int, frozenset[str]] = field(default_factory=dict)
    rarity: dict[str, float] = field(default_factory=dict)

    @property
    def people(self) -> list[int]:
        """Rows of the people in the training examples, in order."""
        return sorted({self.examples[i].person for i in self.taught})

    def words_of(self, person: int) -> frozenset[str]:
        """Folded words of a profile."""
        if person not in self.known:
            self.known[person] = frozenset(folded_words(profile_text(self.profiles[person])))
        return self.known[person]

    def masked(self, example: int, settings: BiencoderSettings, *draws: int) -> str:
        """An example's text with the words hidden that fall to it in this draw, as an attacker would see them."""
        text, person = self.examples[example]
        words = list(dict.fromkeys(folded_words(text)))
        known = self.words_of(person) if settings.lexical else frozenset()
        prior = MaskPrior(settings.mask_prior, settings.lexical, self.rarity)
        return hide_words(text, prior.hidden(words, known, _random(settings.seed, *draws, example)))

    def fingerprint(self) -> str:
        """One hash of all training data."""
        texts = (f"{person}\0{text}".encode("utf-8", "surrogatepass") for text, person in self.examples)
        return digest(chain(profile_bytes(self.profiles), texts))


def make_training_set(
    profiles: Sequence[Profile], examples: Sequence[TrainingExample], settings: BiencoderSettings
) -> TrainingSet:
    """Keep a share of the persons back, chosen by hash of their ids; nobody to learn from is a ModelError."""
    taught: list[int] = []
    kept_back: list[int] = []
    for i, example in enumerate(examples):
        hashed = sha256(f"{settings.seed} {profiles[example.person].id}".encode("utf-8", "surrogatepass")).digest()
        share = int.from_bytes(hashed[:8], "big") / 2**64
        (kept_back if share < settings.held_out else taught).append(i)
    if not taught:
        taught, kept_back = kept_back, []
    if not taught:
        raise ModelError("a bi-encoder needs documents of known people, or profiles of more than 100 words")
    made = TrainingSet(profiles, examples, taught, kept_back[: settings.held_out_most], [])
    if settings.mask_prior == "idf":
        counted = rarity_of(examples[i].text for i in taught)
        # A little more than the IDF, so that a word of all texts can be hidden as well.
        made.rarity = {word: counted.idf(word) + 0.1 for word in counted.having}
    people = made.people
    made.candidates = [*people, *sorted(set(range(len(profiles))) - set(people))] if settings.all_profiles else people
    return made


def train(
    pair: Pair,
    data: TrainingSet,
    settings: BiencoderSettings,
    *,
    checkpoint: Path | None = None,
    progress: Progress = silent,
) -> TrainingHistory:
    """Train both encoders in place; they end as they were after the best epoch.

    With a `checkpoint` folder the run can be killed and taken up again; it loses at most one part of an epoch, and
    gives the same weights on the same machine. A folder of another run is a StateError.
    """
    run = _BiencoderRun(pair.to(choose_device(settings.device)), data, settings, checkpoint)
    before = torch.get_num_threads()
    torch.set_num_threads(settings.threads or before)
    try:
        run.resume()
        if run.epoch < 0:
            run.warm_start()
            run.end_epoch()
        while run.epoch < settings.epochs and run.worse < settings.patience:
            side = settings.side(run.epoch)
            fixed = run.begin_epoch(side)
            advance = progress(f"epoch {run.epoch + 1}, {side}", len(data.taught))
            for batch in run.batches()[run.step :]:
                torch.manual_seed(number(settings.seed, run.epoch, run.step))
                with run.autocast():
                    loss = run.loss(side, batch, fixed)
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(run.trained(side), settings.gradient_norm)
                run.set_rate(side)
                run.optimiser.step()
                run.optimiser.zero_grad(set_to_none=True)
                run.step += 1
                if run.step % settings.part == 0:
                    run.save()
                advance(len(batch))
            run.end_epoch()
        return run.finish()
    finally:
        torch.set_num_threads(before)


class _BiencoderRun:
    """The state of a training run, and its single steps."""

    def __init__(self, pair: Pair, data: TrainingSet, settings: BiencoderSettings, checkpoint: Path | None) -> None:
        self.pair, self.data, self.settings, self.checkpoint = pair, data, settings, checkpoint
        self.epoch, self.step = (-1 if settings.warm_start else 0), 0
        self.side, self.factor, self.worse = "", 1.0, 0
        self.found: list[float] = []
        self.best_epoch = -1
        self.best: dict[str, torch.Tensor] | None = None
        self.best_is_new = False
        self.keys: torch.Tensor | None = None  # both sides are compared with these in a joint epoch
        self.place = {row: at for at, row in enumerate(data.candidates)}
        self.learned = {name: value for name, value in pair.named_parameters() if value.requires_grad}
        self.optimiser: torch.optim.AdamW = self._optimiser("document")
        self.identity = self._identity() if checkpoint else ""

    def _identity(self) -> str:
        asked = asdict(self.settings) | {"document_encoder": "", "profile_encoder": "", "torch": torch.__version__}
        readers = [tower.reader.spec.encode() for tower in (self.pair.document, self.pair.profile)]
        started = (value.detach().cpu().numpy().tobytes() for _, value in sorted(self.pair.state_dict().items()))
        about = repr(sorted(asked.items())).encode(), self.data.fingerprint().encode(), *readers
        return digest(chain(about, started))

    def trained(self, side: str) -> list[torch.nn.Parameter]:
        """Parameters that a side's epochs change."""
        return [value for name, value in self.learned.items() if side == "joint" or name.startswith(side)]

    def autocast(self) -> torch.autocast:
        """16-bit arithmetic within the encoders, if the settings ask for it."""
        kind = next(iter(self.learned.values())).device.type
        return torch.autocast(kind, torch.bfloat16, enabled=self.settings.bf16)

    def _optimiser(self, side: str) -> torch.optim.AdamW:
        return torch.optim.AdamW(self.trained(side), lr=0.0, weight_decay=self.settings.weight_decay)

    def set_rate(self, side: str) -> None:
        """Learning rates of this step."""
        s = self.settings
        steps = -(-len(self.data.taught) // s.batch)
        first = next(e for e in range(s.epochs) if s.side(e) == side)
        rise = min(1.0, (self.step + 1) / max(1.0, s.warm_up * steps)) if self.epoch == first else 1.0
        done = (self.epoch * steps + self.step) / max(1, s.epochs * steps)
        share = self.factor * rise * (1 - (1 - s.final_rate) * done)
        rates = {"document": s.document_rate, "profile": s.profile_rate, "joint": s.document_rate}
        for group in self.optimiser.param_groups:
            group["lr"] = rates[side] * share

    def begin_epoch(self, side: str) -> torch.Tensor:
        """Embeddings of the side that stays as it is: profiles of the candidates, or documents taught."""
        if self.side != side:  # the optimiser's state restarts at each switch
            self.side, self.optimiser = side, self._optimiser(side)
        self.pair.train()
        if side == "profile":
            self.keys = None
            stage = _STAGES["profile"] if self.settings.profile_masks else None
            return self.embed_documents(self.data.taught, stage, self.epoch)
        return self.candidates()

    def candidates(self) -> torch.Tensor:
        """Embeddings of the candidates' profiles, made anew when the profile encoder has changed."""
        if self.keys is None:
            self.keys = self.embed_profiles(self.data.candidates)
        return self.keys

    def pieces(self, example: int, stage: int | None, *draws: int) -> list[TokenWindow]:
        """Windows of an example's text with the words of this draw hidden; no stage hides none."""
        text = self.data.examples[example].text
        if stage is not None:
            text = self.data.masked(example, self.settings, stage, *draws)
        windows = self.pair.document.reader.windows([text], self.pair.document.window)[0]
        if self.settings.window_choice == "all" or len(windows) == 1 or stage == _STAGES["held out"]:
            return windows
        lengths = np.array([len(piece.ids) for piece in windows], np.float64)
        draw = _random(self.settings.seed, *draws, example, 1)
        return [windows[int(draw.choice(len(windows), p=lengths / lengths.sum()))]]

    @torch.no_grad()
    def embed(
        self, tower: Tower, read: Callable[[int], Sequence[TokenWindow]], rows: Sequence[int], *, project: bool = True
    ) -> torch.Tensor:
        """Embeddings (rows, width) of the windows `read` gives for each row, or means before projection, by like length."""
        tower.eval()
        width = tower.width if project else tower.projection.in_features
        embedded = torch.zeros(len(rows), width, device=tower.projection.weight.device)
        for start in range(0, len(rows), _READ_TOGETHER):
            groups = [read(row) for row in rows[start : start + _READ_TOGETHER]]
            order = np.argsort([-sum(len(p.ids) for p in group) for group in groups], kind="stable")
            for at in range(0, len(order), self.settings.batch):
                some = order[at : at + self.settings.batch]
                with self.autocast():
                    embedded[torch.from_numpy(start + some)] = tower([groups[i] for i in some], project=project)
        self.pair.train()
        return embedded

    def embed_documents(
        self, indices: Sequence[int], stage: int | None, *draws: int, project: bool = True
    ) -> torch.Tensor:
        """Embeddings of examples, with masks of this draw."""
        return self.embed(self.pair.document, lambda i: self.pieces(i, stage, *draws), indices, project=project)

    def embed_profiles(self, rows: Sequence[int], *, project: bool = True) -> torch.Tensor:
        """Embeddings of these rows' profiles."""
        tower = self.pair.profile
        return self.embed(tower, lambda row: [tower.profile(self.data.profiles[row])], rows, project=project)

    def batches(self) -> list[list[int]]:
        """This epoch's batches of positions in `taught`: shuffled, sorted by length within a bucket, shuffled again."""
        size = self.settings.batch
        draw = _random(self.settings.seed, self.epoch)
        order = draw.permutation(len(self.data.taught))
        lengths = np.array([len(self.data.examples[i].text) for i in self.data.taught])
        batches = []
        for at in range(0, len(order), size * _BUCKET):
            bucket = order[at : at + size * _BUCKET]
            bucket = bucket[np.argsort(lengths[bucket], kind="stable")]
            batches += [bucket[i : i + size].tolist() for i in range(0, len(bucket), size)]
        return [batches[i] for i in draw.permutation(len(batches))]

    def loss(self, side: str, batch: Sequence[int], fixed: torch.Tensor) -> torch.Tensor:
        """Cross entropy of a batch against the side that stays as it is."""
        data, s = self.data, self.settings
        examples = [data.taught[i] for i in batch]
        if side == "profile":
            tower = self.pair.profile
            profiles = tower([[tower.profile(data.profiles[data.examples[i].person])] for i in examples])
            targets = torch.tensor(batch, device=fixed.device)
            owners = torch.tensor([data.examples[i].person for i in data.taught], device=fixed.device)
            return blocked_loss(profiles, fixed, targets, smoothing=s.smoothing, block=s.block, owners=owners)
        documents = self.pair.document([self.pieces(i, _STAGES["document"], self.epoch) for i in examples])
        targets = torch.tensor([self.place[data.examples[i].person] for i in examples], device=fixed.device)
        if side == "joint":
            fixed = self._renewed(targets, fixed)
        return blocked_loss(documents, fixed, targets, smoothing=s.smoothing, block=s.block)

    def _renewed(self, targets: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """All profile embeddings, those of this batch computed anew so that they can be trained."""
        rows = torch.unique(targets)
        tower = self.pair.profile
        fresh = tower([[tower.profile(self.data.profiles[self.data.candidates[i]])] for i in rows.tolist()])
        with torch.no_grad():
            keys[rows] = fresh.detach()
        return keys.clone().index_copy(0, rows, fresh)

    def warm_start(self) -> None:
        """Fit both projections, jointly, to what the encoders give as they came: each example masked once."""
        data, s = self.data, self.settings
        stage = _STAGES["warm start"]
        texts = self.embed_documents(data.taught, stage, 0, project=False)
        people = self.embed_profiles(data.candidates, project=False)
        rows = torch.tensor([self.place[data.examples[i].person] for i in data.taught], device=texts.device)
        maps = self.pair.document.projection, self.pair.profile.projection
        optimiser = torch.optim.AdamW([p for m in maps for p in m.parameters()], weight_decay=s.weight_decay)
        steps = -(-len(texts) // 256)
        self.keys = None
        for epoch in range(s.warm_start):
            order = torch.from_numpy(_random(s.seed, stage, epoch).permutation(len(texts))).to(texts.device)
            for step in range(steps):
                some = order[step * 256 : (step + 1) * 256]
                for group in optimiser.param_groups:
                    group["lr"] = s.warm_rate * (1 - (epoch * steps + step) / (s.warm_start * steps))
                queries, keys = maps[0](texts[some]), maps[1](people)
                loss = blocked_loss(queries, keys, rows[some], smoothing=s.smoothing, block=s.block)
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)

    def accuracy(self) -> float:
        """Share of held-out documents, under masks drawn once, whose person comes first among all candidates."""
        data = self.data
        if not data.kept_back:
            return 1.0
        stage = _STAGES["held out"]
        texts = self.embed_documents(data.kept_back, stage, 0)
        others = sorted({data.examples[i].person for i in data.kept_back} - set(data.candidates))
        rows = [*data.candidates, *others]
        people = torch.cat([self.candidates(), self.embed_profiles(others)])
        place = {row: at for at, row in enumerate(rows)}
        first = [int((text @ people.T).argmax()) for text in texts]
        return float(np.mean([f == place[data.examples[i].person] for f, i in zip(first, data.kept_back, strict=True)]))

    def end_epoch(self) -> None:
        """Measure, keep the best, halve the rates where the held-out accuracy fell, and go to the next epoch."""
        self.found.append(self.accuracy())
        if len(self.found) > 1 and self.found[-1] < self.found[-2]:
            self.factor /= 2
        if self.best is None or self.found[-1] >= max(self.found):
            self.best_epoch, self.worse, self.best_is_new = self.epoch, 0, True
            self.best = {name: value.detach().clone() for name, value in self.learned.items()}
        else:
            self.worse += 1
        if self.side == "joint":
            self.keys = None
        self.epoch, self.step = self.epoch + 1, 0
        self.save()

    def save(self) -> None:
        """Write a checkpoint, where one is wanted."""
        if self.checkpoint is None:
            return
        state: dict[str, torch.Tensor] = {f"weight.{name}": value for name, value in self.learned.items()}
        for at, values in self.optimiser.state_dict()["state"].items():
            state |= {f"moment.{at}.{name}": value for name, value in values.items()}
        if self.keys is not None and self.side == "joint":
            state["keys"] = self.keys
        position = {"epoch": self.epoch, "step": self.step, "side": self.side, "factor": self.factor,
                    "worse": self.worse, "found": self.found, "best_epoch": self.best_epoch}  # fmt: skip
        write_checkpoint(self.checkpoint, self.identity, position, state, self.best if self.best_is_new else None)
        self.best_is_new = False

    @torch.no_grad()
    def resume(self) -> None:
        """Take up where a checkpoint stands."""
        checkpoint = read_checkpoint(self.checkpoint, self.identity) if self.checkpoint else None
        if checkpoint is None:
            return
        position, state, best = checkpoint
        for name in ("epoch", "step", "side", "factor", "worse", "found", "best_epoch"):
            setattr(self, name, position[name])
        for name, value in self.learned.items():
            value.copy_(state[f"weight.{name}"])
        self.keys = state["keys"].to(value.device) if "keys" in state else None
        self.best = None if best is None else {name: tensor.to(value.device) for name, tensor in best.items()}
        self.optimiser = self._optimiser(self.side or "document")
        moments: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in state.items():
            if name.startswith("moment."):
                _, at, part = name.split(".")
                moments.setdefault(int(at), {})[part] = tensor
        self.optimiser.load_state_dict(self.optimiser.state_dict() | {"state": moments})

    @torch.no_grad()
    def finish(self) -> TrainingHistory:
        """Put the best weights back."""
        if self.best is not None:
            for name, value in self.learned.items():
                value.copy_(self.best[name])
        self.pair.eval()
        return TrainingHistory(tuple(self.found), self.best_epoch)


def _random(*parts: int) -> np.random.Generator:
    return np.random.default_rng(number(*parts))
