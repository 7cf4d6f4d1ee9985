"""Learning of the infilling attacker: texts of other people, each time with other words hidden."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from unname.reidentifiers.base import FloatArray, IntArray
from unname.reidentifiers.learned.descent import Adam, Float32Array, RunningMean, ones, softmax
from unname.reidentifiers.learned.infilling_model import OFFSETS, UNKNOWN, contexts
from unname.reidentifiers.learned.training_examples import MaskPrior

# Of a longer text, a stretch of so many words that begins anywhere is read each time.
_STRETCH = 1000
_FEWEST_STEPS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class InfillingTraining:
    """Length and care of learning: in each of `steps`, `texts` texts and at most `gaps` gaps of each.

    There are fewer steps (not below 150) where texts are so few that each would be read more than `visits` times.

    Texts lose words by `prior`; which of their gaps are asked for is drawn by rarity, for it is telling words that get
    hidden. The rate falls to nothing on a straight line.
    """

    dimensions: int = 64
    width: int = 96
    steps: int = 400
    visits: int = 10
    texts: int = 64
    gaps: int = 8
    rate: float = 0.01
    decay: float = 0.1
    averaging: float = 0.97
    prior: MaskPrior = field(default_factory=lambda: MaskPrior("uniform", lexical=0.5))


class Questions(NamedTuple):
    """Gaps of a few texts: `around` (gaps, offsets) input rows, `text` (gaps,) which bag, `answers` (gaps,) output rows.

    `bags` are the distinct visible words of each text as input rows.
    """

    around: IntArray
    text: IntArray
    answers: IntArray
    bags: list[IntArray]

    def __repr__(self) -> str:
        return f"Questions({len(self.answers)} gaps)"


def practise(
    read: Sequence[Sequence[str]],
    rows: Sequence[IntArray],
    known: Sequence[Collection[str]],
    words: int,
    rarity: FloatArray,
    training: InfillingTraining,
    *,
    seed: int = 0,
) -> list[Float32Array]:
    """Learn from texts `read` as words and gaps, and as input `rows` of a vocabulary of so many `words`.

    `known` are the words of the profile of the person whom each text is about; `rarity` (words + 3,) is that of each input
    row, 0 for a row that is never asked for. Returns weights as `frozen` takes them. The same for a seed on the same
    machine; one thread, so that other work there does not matter.
    """
    with threadpool_limits(1):
        draw = np.random.default_rng([seed, 0])
        weights = beginning(np.bincount(np.concatenate(rows), minlength=words + 3) * rarity, training, draw)
        rates = [training.rate] * len(weights)
        optimiser = Adam(weights, rates, [training.decay, training.decay, 0, training.decay, 0])
        mean = RunningMean(weights, training.averaging)
        order = np.zeros(0, np.int64)
        steps = min(training.steps, max(_FEWEST_STEPS, training.visits * len(read) // training.texts))
        for step in range(steps):
            while len(order) < min(training.texts, len(read)):
                order = np.concatenate([order, draw.permutation(len(read))])
            chosen, order = order[: training.texts], order[training.texts :]
            asked = _ask([(read[i], rows[i], known[i]) for i in chosen], words, rarity, training, draw)
            if len(asked.answers):
                rates[:] = [training.rate * (1 - step / steps)] * len(weights)
                optimiser.step(gradients(weights, asked)[1])
                mean.take()
        return mean.values()


def beginning(asked: FloatArray, training: InfillingTraining, draw: np.random.Generator) -> list[Float32Array]:
    """Random weights: of inputs, of offsets and the bag, of the hidden layer, of outputs, and outputs' bias.

    The bias is the logarithm of the frequency with which each input row will be `asked` for (words + 3,), relative to others.
    """
    rows, inputs, width = len(asked), training.dimensions, training.width
    often = asked[:-2] + 1
    return [
        draw.normal(0, 0.3, (rows, inputs)).astype(np.float32),
        draw.normal(0, 1 / np.sqrt(inputs), (len(OFFSETS) + 1, inputs, width)).astype(np.float32),
        np.zeros(width, np.float32),
        draw.normal(0, 0.05, (rows - 2, width)).astype(np.float32),
        np.log(often / often.sum()).astype(np.float32),
    ]


def gradients(weights: Sequence[Float32Array], asked: Questions) -> tuple[float, list[Float32Array]]:
    """Mean cross entropy of the answers, and its gradient by each of the weights."""
    inputs, mixed, hidden, out, bias = weights
    bags = ones(asked.bags, len(inputs))
    bags.data /= np.sqrt(np.maximum(np.diff(bags.indptr), 1)).repeat(np.diff(bags.indptr)).astype(np.float32)
    gathered = bags[asked.text]
    parts = [inputs[column] for column in asked.around.T] + [gathered @ inputs]
    stacked = np.concatenate(parts, axis=1)
    flat = mixed.reshape(-1, mixed.shape[2])
    layer = np.maximum(stacked @ flat + hidden, 0)
    error = layer @ out.T
    error += bias
    softmax(error)
    every = np.arange(len(asked.answers))
    loss = float(-np.log(np.maximum(error[every, asked.answers], 1e-30)).mean())
    error[every, asked.answers] -= 1
    error /= len(every)
    back = (error @ out) * (layer > 0)
    to_parts = back @ flat.T
    size = inputs.shape[1]
    by_input = gathered.T @ to_parts[:, -size:]
    rows = asked.around.T.ravel().astype(np.int32)
    places = sparse.csr_array(
        (np.ones(len(rows), np.float32), rows, np.arange(len(rows) + 1)), shape=(len(rows), len(inputs))
    )
    by_input += places.T @ np.concatenate([to_parts[:, i * size : (i + 1) * size] for i in range(len(OFFSETS))])
    return loss, [
        by_input,
        (stacked.T @ back).reshape(mixed.shape),
        back.sum(axis=0),
        error.T @ layer,
        error.sum(axis=0),
    ]


def _ask(
    texts: Sequence[tuple[Sequence[str], IntArray, Collection[str]]],
    words: int,
    rarity: FloatArray,
    training: InfillingTraining,
    draw: np.random.Generator,
) -> Questions:
    """Hide words of texts by the prior, and ask for some of them."""
    around: list[IntArray] = [np.zeros((0, len(OFFSETS)), np.int64)]
    many_of: list[int] = []
    answers: list[IntArray] = [np.zeros(0, np.int64)]
    bags: list[IntArray] = []
    for read, row, known in texts:
        start = int(draw.integers(0, max(len(row) - _STRETCH, 0) + 1))
        read, row = read[start : start + _STRETCH], row[start : start + _STRETCH]
        gone = training.prior.hidden(list(dict.fromkeys(read)), known, draw)
        hidden = np.fromiter(map(gone.__contains__, read), np.bool_, len(read))
        telling = np.where(hidden, rarity[row], 0.0)
        many = min(training.gaps, int(np.count_nonzero(telling)))
        shown = np.where(hidden, words + 1, row)
        bags.append(np.unique(shown[(shown > UNKNOWN) & (shown <= words)]))
        many_of.append(many)
        if many:
            asked = draw.choice(len(row), many, replace=False, p=telling / telling.sum())
            around.append(contexts(shown, asked, words + 2))
            answers.append(row[asked])
    owners = np.repeat(np.arange(len(texts)), many_of)
    return Questions(np.concatenate(around), owners, np.concatenate(answers), bags)
