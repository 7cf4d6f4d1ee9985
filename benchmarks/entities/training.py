"""The training of the tagger that ships, in torch: the same network as `unname.taggers.entities.network`.

Where a corpus leaves open what a word is, every label that it may have counts (Bellare and McCallum 2007; marginal
likelihood). Words and their classes are left out by chance, so that the network learns from what stands around them.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from benchmarks.entities.corpora import NOTHING, Taught
from benchmarks.results import say
from unname.taggers.base import in_normalised
from unname.taggers.entities.network import STEPS
from unname.taggers.entities.tagger import LABELS
from unname.taggers.entities.words import CLASSED, KINDS, ROWS, SIGNS, Lexicon, seen
from unname.taggers.reading import read
from unname.taggers.tokens import OUTSIDE, encode
from unname.types import Document

NAMES = (OUTSIDE, *(f"B-{label}" for label in LABELS), *(f"I-{label}" for label in LABELS))
WIDTH = 96
LENGTH = 160
# How often a sign of a kind is left out: of the word itself often, so that what is around it says as much.
_LEFT_OUT = {"word": 0.3, "begin": 0.05, "end 3": 0.05, "end 4": 0.15} | {f"class {name}": 0.15 for name in CLASSED}
_LISTS_LEFT_OUT = 0.3


@dataclass(frozen=True, slots=True, repr=False)
class Example:
    """A text: rows and signs of its tokens, and which labels each may have: (tokens, labels) of truth."""

    rows: npt.NDArray[np.int32]
    signs: npt.NDArray[np.float32]
    allowed: npt.NDArray[np.bool_]


def example(document: Document, corpus: Taught | None, lexicon: Lexicon) -> Example:
    """A document as the network reads it, with the labels that each token may have."""
    reading = read(document.text)
    rows, signs = seen(reading.normalised.text, reading.tokens, lexicon)
    said = encode([reading.tokens], in_normalised(reading.normalised, document.spans))[0]
    return Example(rows, signs, np.array([_allowed(label, corpus) for label in said], np.bool_).reshape(-1, len(NAMES)))


_CACHE: dict[tuple[str, str], npt.NDArray[np.bool_]] = {}


def _allowed(label: str, corpus: Taught | None) -> npt.NDArray[np.bool_]:
    name = corpus.name if corpus else ""
    if (found := _CACHE.get((name, label))) is None:
        found = np.array([one in _may_be(label, corpus) for one in NAMES], np.bool_)
        _CACHE[name, label] = found
    return found


def _may_be(label: str, corpus: Taught | None) -> set[str]:
    if corpus is None:
        return {label}
    if label == OUTSIDE:
        return {OUTSIDE} | {f"{sign}-{name}" for name in corpus.open for sign in "BI"}
    meant = corpus.means[label[2:].upper()]
    if meant == {NOTHING}:
        return _may_be(OUTSIDE, corpus)
    # Of what may be several, or part of it nothing, only that it is one of these is known.
    loose = len(meant) > 1
    found = {f"{sign}-{name}" for name in meant - {NOTHING} for sign in ("BI" if loose else label[0])}
    return found | ({OUTSIDE} if NOTHING in meant else set())


class Net(nn.Module):
    """The network that learns."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(ROWS, WIDTH, padding_idx=0)
        nn.init.normal_(self.table.weight, std=0.1)
        self.signs = nn.Linear(SIGNS, WIDTH, bias=False)
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH) for _ in STEPS])
        self.convolutions = nn.ModuleList(nn.Linear(3 * WIDTH, 2 * WIDTH) for _ in STEPS)
        self.dropout = nn.Dropout(0.2)
        self.out = nn.Linear(WIDTH, len(NAMES))

    def forward(self, rows: torch.Tensor, signs: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Scores of labels: (texts, tokens, labels); `there` (texts, tokens, 1) is 1 where there is a token."""
        state = (self.dropout(self.table(rows).sum(2) + self.signs(signs))) * there
        for norm, layer, step in zip(self.norms, self.convolutions, STEPS, strict=True):
            own = norm(state) * there
            around = torch.cat(
                [functional.pad(own, (0, 0, step, 0))[:, :-step], own, functional.pad(own, (0, 0, 0, step))[:, step:]],
                2,
            )
            first, second = layer(around).chunk(2, 2)
            state = (state + self.dropout(torch.maximum(first, second))) * there
        return torch.as_tensor(self.out(state))


def windows(examples: Sequence[Example], chance: random.Random) -> Iterator[Example]:
    """Stretches of texts of at most `LENGTH` tokens, cut elsewhere each time."""
    for one in examples:
        at = -chance.randint(0, LENGTH - 1) if len(one.rows) > LENGTH else 0
        for start in range(at, len(one.rows), LENGTH):
            a, b = max(0, start), start + LENGTH
            yield Example(one.rows[a:b], one.signs[a:b], one.allowed[a:b])


def _left_out(rows: torch.Tensor, signs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    gone = torch.zeros(len(KINDS))
    for kind, share in _LEFT_OUT.items():
        gone[KINDS.index(kind)] = share
    drop = torch.rand(rows.shape) < gone
    word, again = KINDS.index("word"), KINDS.index("again")
    drop[..., again] = drop[..., word]
    lists = torch.rand((*signs.shape[:2], 1)) < _LISTS_LEFT_OUT
    kept = torch.cat([signs[..., :-4] * ~lists, signs[..., -4:]], 2)
    return rows * ~drop, kept


def learn(
    examples: Callable[[int], Sequence[Example]], *, epochs: int, seed: int, rate: float = 2e-3, batch: int = 24
) -> Net:
    """The network after so many epochs; `examples` says what is read in each."""
    torch.manual_seed(seed)
    net, steps = Net(), 0
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    for epoch in range(epochs):
        begun, chance = time.monotonic(), random.Random(f"{seed} {epoch}")
        parts = list(windows(examples(epoch), chance))
        groups = _batches(parts, batch, chance)
        total = 0.0
        net.train()
        for number, group in enumerate(groups):
            done = (epoch + number / len(groups)) / epochs
            for row in optimiser.param_groups:
                row["lr"] = rate * min(1.0, (steps + 1) / 200) * max(0.02, 1 - done)
            optimiser.zero_grad(set_to_none=True)
            loss = _loss(net, group)
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            total, steps = total + float(loss), steps + 1
        say(
            f"epoch {epoch + 1}: loss {total / len(groups):.4f}, {time.monotonic() - begun:.0f} s, {len(parts)} windows"
        )
    return net.eval()


def _batches(parts: list[Example], size: int, chance: random.Random) -> list[list[Example]]:
    """Windows of like length together, in an order by chance."""
    chance.shuffle(parts)
    groups = []
    for at in range(0, len(parts), size * 50):
        near = sorted(parts[at : at + size * 50], key=lambda part: len(part.rows))
        groups += [near[i : i + size] for i in range(0, len(near), size)]
    chance.shuffle(groups)
    return groups


def _loss(net: Net, group: Sequence[Example]) -> torch.Tensor:
    long = max(1, max(len(one.rows) for one in group))
    rows = torch.zeros((len(group), long, len(KINDS)), dtype=torch.long)
    signs, there = torch.zeros((len(group), long, SIGNS)), torch.zeros((len(group), long, 1))
    allowed = torch.ones((len(group), long, len(NAMES)), dtype=torch.bool)
    for place, one in enumerate(group):
        many = len(one.rows)
        rows[place, :many] = torch.from_numpy(one.rows.astype(np.int64))
        signs[place, :many] = torch.from_numpy(one.signs)
        allowed[place, :many] = torch.from_numpy(one.allowed)
        there[place, :many] = 1
    rows, signs = _left_out(rows, signs)
    likely = functional.log_softmax(net(rows, signs, there), 2)
    # A little of the mass elsewhere: what was learned by heart is not certain.
    right = likely.masked_fill(~allowed, -1e4).logsumexp(2)
    smooth = 0.97 * right + 0.03 * likely.mean(2)
    return -(smooth * there[..., 0]).sum() / there.sum()


def arrays_of(net: Net) -> dict[str, npt.NDArray[np.generic]]:
    """The weights as the package keeps them: of the table 127 steps to each row's largest weight, the rest in 16 bits."""
    table = net.table.weight.detach().numpy()
    scale = np.maximum(np.abs(table).max(axis=1), 1e-6) / 127
    half: dict[str, Any] = {
        "signs": net.signs.weight.T, "out": net.out.weight.T, "out bias": net.out.bias,
        **{
            f"layer {number} {name}": value
            for number, (norm, layer) in enumerate(zip(net.norms, net.convolutions, strict=True))
            for name, value in (
                ("scale", norm.weight), ("shift", norm.bias), ("weights", layer.weight.T), ("bias", layer.bias)
            )
        },
    }  # fmt: skip
    return {
        "table": np.rint(table / scale[:, None]).astype(np.int8), "table scale": scale.astype(np.float16),
        **{name: np.ascontiguousarray(value.detach().numpy()).astype(np.float16) for name, value in half.items()},
    }  # fmt: skip
