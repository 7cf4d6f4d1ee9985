"""A representer measured on the sentences that a house is about to share, whatever its card says.

Who makes a card can write anything into it. What can be computed from the weights and from the house's own sentences is
computed: how much vectors tell at most, and how often pair adversaries are right. One learns on sentences of other people of
the house, as that of the card does. The other represents the words of a pair himself, without noise, and measures how far the
vectors that were shared lie from these, in units of the noise: he needs to learn a threshold alone, so that he fails neither
where sentences are few nor where weights were made to be hard to learn from. Nothing that the folder says decides how strong
either is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unname.neural.trainer_state import number
from unname.sharing.adversary import PairAdversary
from unname.sharing.decoding import Float64
from unname.sharing.lessons import most_told, roughly_told
from unname.sharing.pairs import Neighbours, Numbered, paired
from unname.sharing.representation import Body
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import RepresentationSettings
from unname.sharing.training import Attacking, Trained, judged_pairs
from unname.statistics import Rate, rate

# Sentences that are attacked at most, those of a person together; pairs of each; and parts of which each is asked about once.
_MOST, _TIMES, _PARTS = 4000, 8, 3
# Sentences of an epoch at least: fewer are read several times, each time in pairs that are drawn anew.
_FEWEST = 320


class Measured(NamedTuple):
    """The nats that an identifier's vector says of its text on average, at most, and the pair adversary's rate.

    The adversary learned for so many `epochs`.
    """

    told: float
    pairs: Rate
    epochs: int

    def beyond(self, *, told: float, pairs: float) -> list[str]:
        """The limits that are passed, in words; the upper end of the interval counts."""
        passed = []
        if not self.told <= told:
            passed.append(f"on your own sentences a vector may tell {self.told:.1f} nats, more than {told:g}")
        if not (most := self.pairs.high if self.pairs.n else 1.0) <= pairs:
            passed.append(f"on your own sentences the pair adversary may be right in {100 * most:.1f} % of pairs, more than "
                         f"{100 * pairs:.1f} %; the fewer people, the less is known")  # fmt: skip
        return passed


def measured(holder: PrivateRepresenter, sentences: Sequence[Numbered], *, neighbours: int, epochs: int) -> Measured:
    """Measure a representer on sentences: each is asked about by an adversary that learned from other people's."""
    held = sum(len(sentence.held) for sentence in sentences)
    told = (most_told if held > holder.settings.width else roughly_told)(holder.network, sentences)
    settings = RepresentationSettings(width=holder.settings.width, neighbours=neighbours)
    parts = _parts(sentences)
    if not all(parts):  # fewer people than parts
        return Measured(told, rate((), ()), epochs)
    width = holder.network.vectors.shape[1]
    trained = Trained(holder.network, Body(settings.width, holder.labels), PairAdversary(settings.width, width),
                      Neighbours(holder.space, neighbours), settings, ())  # fmt: skip
    learned, plain = (list[float](), list[int]()), (list[float](), list[int]())
    for at in range(_PARTS):
        taught, stopping, asked = (parts[(at + more) % _PARTS] for more in range(_PARTS))
        taught = taught * -(-_FEWEST // len(taught))
        _, right, whose = judged_pairs(trained, taught, stopping, asked, Attacking(epochs, times=_TIMES))
        for row, attacked in (
            (learned, (right.tolist(), whose)),
            (plain, _by_distance(holder, trained.near, stopping, asked)),
        ):
            row[0].extend(attacked[0])
            row[1].extend(attacked[1])
    return Measured(told, max((rate(*learned), rate(*plain)), key=lambda one: one.high), epochs)


def _by_distance(
    holder: PrivateRepresenter, near: Neighbours, stopping: Sequence[Numbered], asked: Sequence[Numbered]
) -> tuple[list[float], list[int]]:
    """An insider's hits on each pair by distance, with a threshold from others; and the person of each pair."""
    plain = np.concatenate(holder.represent(stopping, secret=0, noisy=False))
    rest = np.concatenate(holder.represent(stopping, secret=1)) - plain
    spread = np.atleast_2d(np.cov(rest.T))
    whiten = np.linalg.inv(np.linalg.cholesky(spread + 1e-3 * np.diag(np.diag(spread)) + 1e-12 * np.eye(len(spread))))
    known, real = _distances(holder, near, stopping, whiten, 2)
    told, truth = _distances(holder, near, asked, whiten, 4)
    which, threshold = max(
        ((which, float(at)) for which in range(known.shape[1]) for at in known[:, which]),
        key=lambda one: float(((known[:, one[0]] <= one[1]) == real).mean()),
    )
    right = (told[:, which] <= threshold) == truth
    return right.astype(float).tolist(), [sentence.person for _ in range(_TIMES) for sentence in asked]


def _distances(
    holder: PrivateRepresenter, near: Neighbours, sentences: Sequence[Numbered], whiten: Float64, seed: int
) -> tuple[Float64, npt.NDArray[np.bool_]]:
    """For pairs of each sentence, how far vectors lie from what the words of the other side are without noise: at the
    furthest token and on average, (pairs, 2); and which pairs are of one sentence."""
    rows, real = list[tuple[float, float]](), list[npt.NDArray[np.bool_]]()
    for time in range(_TIMES):
        pairs = paired(sentences, near, np.random.default_rng(number(seed, time)))
        one, other = (
            [s._replace(words=words[: len(s.words)]) for s, words in zip(sentences, side.numpy(), strict=True)]
            for side in (pairs.one, pairs.other)
        )
        seen = holder.represent(one, secret=number(seed, time, 1))
        wanted = holder.represent(other, secret=0, noisy=False)
        for mine, theirs in zip(seen, wanted, strict=True):
            far = (((mine - theirs) @ whiten.T) ** 2).sum(axis=1)
            rows.append((float(far.max()), float(far.mean())))
        real.append(pairs.real.numpy())
    return np.array(rows), np.concatenate(real)


def _parts(sentences: Sequence[Numbered]) -> list[list[Numbered]]:
    """Sentences of so many people as are attacked, in parts of about as many people each."""
    order = np.random.default_rng(number(len(sentences))).permutation(sorted({s.person for s in sentences})).tolist()
    rows: dict[int, list[Numbered]] = {person: [] for person in order}
    for sentence in sentences:
        rows[sentence.person].append(sentence)
    parts: list[list[Numbered]] = [[] for _ in range(_PARTS)]
    for place, person in enumerate(order):
        if place < _PARTS or sum(map(len, parts)) + len(rows[person]) <= _MOST:
            parts[place % _PARTS] += rows[person]
    return parts
