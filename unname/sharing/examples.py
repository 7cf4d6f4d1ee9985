"""Training examples without words: vectors, casings and labels. Source: Friedrich 2019, figure 1."""

import copy
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from scipy.special import digamma
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from unname.errors import ModelError, UnsafeReleaseError
from unname.log import Progress, silent
from unname.neural.trainer_state import number, seeded
from unname.sharing.pairs import Numbered, together
from unname.sharing.representation import Body, Representer, Sentences
from unname.sharing.secretnoise import SecretNoise
from unname.sharing.settings import TeachingSettings
from unname.sharing.space import Float32, IntArray
from unname.taggers.lstm.network import padded
from unname.taggers.reading import batches_of_like_length, read
from unname.taggers.tokens import decode
from unname.types import Document, Span

# Sentences that are represented side by side: always so many, whatever their company.
_TOGETHER = 128


class SharedExample(NamedTuple):
    """A sentence without words: vectors (tokens, d) float32, casings and numbers of BIO labels (tokens,) int64."""

    states: Float32
    casings: IntArray
    gold: IntArray

    def __repr__(self) -> str:
        return f"SharedExample({len(self.states)} tokens)"


def represented(
    representer: Representer, sentences: Sequence[Numbered], *, secret: int, noisy: bool = True
) -> list[Float32]:
    """The vectors of each sentence, (tokens, d) float32, with noise that only the `secret` decides, or without noise.

    The secret has 256 bits; what leaves the house needs a fresh one each time.
    """
    vectors: list[Float32] = [np.zeros((0, 0), np.float32)] * len(sentences)
    order = sorted(range(len(sentences)), key=lambda place: len(sentences[place].words))
    noise = SecretNoise(secret.to_bytes(32, "big"))

    def draw(states: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(noise.normal(states.numel())).reshape(states.shape)

    before = representer.noisy
    representer.eval().noisy = noisy
    try:
        for at in range(0, len(order), _TOGETHER):
            some = order[at : at + _TOGETHER]
            batch, _ = together([sentences[place] for place in some])
            with torch.no_grad():
                states = representer(batch.words, batch.lengths, draw).numpy()
            for place, row in zip(some, states, strict=True):
                vectors[place] = row[: len(sentences[place].words)].copy()
    finally:
        representer.noisy = before
    return vectors


def most_nats(network: Representer, sentences: Sequence[Numbered]) -> float:
    """An upper limit of the nats that the vector of an identifier's token says of its text, on average, whoever reads it.

    No vectors of the same covariance tell more than Gaussian ones, and given its mean a vector is that under known noise:
    half the log of the determinant of the covariance of all vectors, less that of the noise (Cover and Thomas 2006, 8.6.5);
    and what a covariance of so few tokens leaves out on average. A sentence's vectors together may tell as many times as
    much, also of one word. UnsafeReleaseError where there are no more tokens than numbers in a vector.
    """
    means, noise = _apart(network, [s for s in sentences if len(s.held)])
    tokens, width = len(means), network.noise_out.scale.numel()
    if tokens <= width:
        raise UnsafeReleaseError("there is too little public text to say how much vectors tell")
    spread = torch.cov(means.T) + torch.diag(noise.mean(0))
    # Wishart: by so much the log of the determinant falls short (Goodman 1963).
    short = width * math.log((tokens - 1) / 2) - float(digamma((tokens - 1 - np.arange(width)) / 2).sum())
    return 0.5 * float(torch.logdet(spread) + short - noise.log().mean(0).sum())


def rough_nats(network: Representer, sentences: Sequence[Numbered]) -> float:
    """The same where there are few tokens: each number of a vector on its own, which is never less.

    All tokens count where no identifier stands. (Hadamard: a determinant is at most the product of the diagonal.)
    """
    some = [s for s in sentences if len(s.held)] or [s._replace(held=np.arange(len(s.words))) for s in sentences]
    means, noise = _apart(network, some)
    return 0.5 * float(((means**2).mean(0) + noise.mean(0)).log().sum() - noise.log().mean(0).sum())


def _apart(network: Representer, sentences: Sequence[Numbered]) -> tuple[torch.Tensor, torch.Tensor]:
    """The vectors of identifiers' tokens without noise, and the noise's variance: (tokens, d) float64 each."""
    means, noises = list[torch.Tensor](), list[torch.Tensor]()
    before = network.training
    network.eval()
    order = sorted(sentences, key=lambda s: len(s.words))
    with seeded(0), torch.no_grad():
        for at in range(0, len(order), _TOGETHER):
            some = order[at : at + _TOGETHER]
            batch, _ = together(some)
            mean = network.lstm(network.noise_in(network.embedded(batch.words)), batch.lengths)
            noise = network.noise_out.deviation(mean).expand_as(mean)
            for which, s in enumerate(some):
                means.append(mean[which, s.held].double())
                noises.append(noise[which, s.held].double() ** 2)
    network.train(before)
    none = torch.zeros((0, network.noise_out.scale.numel()), dtype=torch.float64)
    return torch.cat([none, *means]), torch.cat([none, *noises])


def examples_of(sentences: Sequence[Numbered], states: Sequence[Float32]) -> list[SharedExample]:
    """The examples that represented sentences give."""
    return [SharedExample(row, s.casings, s.gold) for s, row in zip(sentences, states, strict=True)]


def gathered(some: Sequence[SharedExample]) -> tuple[torch.Tensor, Sentences, torch.Tensor]:
    """Examples as a batch: vectors, casings (there are no words), and gold labels."""
    lengths = torch.tensor([len(example.states) for example in some])
    casings = padded([example.casings for example in some])
    states = pad_sequence([torch.from_numpy(example.states) for example in some], batch_first=True)
    return states, Sentences(casings, casings, lengths), padded([example.gold for example in some])


def teach(
    taught: Sequence[SharedExample], held_out: Sequence[SharedExample], labels: tuple[str, ...],
    settings: TeachingSettings, *,
    start: Body | None = None, progress: Progress = silent,
) -> Body:  # fmt: skip
    """A tagger that learned from shared examples; the epoch that finds most of the held-out identifiers' tokens (F1) counts.

    Where no held-out example has any it is the last one. It begins anew, or from a copy of what another learned (`start`).
    """
    if not any((example.gold > 0).any() for example in taught):
        raise ModelError("a tagger needs examples with identifiers to learn from")
    with seeded(settings.seed):
        body = Body(taught[0].states.shape[1], labels, units=settings.units)
    if start is not None:
        body.load_state_dict(start.state_dict())
    optimiser = torch.optim.NAdam(body.parameters(), lr=settings.rate)
    tells = any((example.gold > 0).any() for example in held_out)
    best, kept, worse = -1.0, copy.deepcopy(body.state_dict()), 0
    for epoch in range(settings.epochs):
        random = np.random.default_rng(number(settings.seed, epoch))
        batches = batches_of_like_length(taught, settings.batch, random, lambda example: len(example.states))
        advance = progress(f"epoch {epoch + 1}", len(batches))
        body.train()
        for at, some in enumerate(batches):
            done = (epoch + at / len(batches)) / settings.epochs
            rate = settings.rate * (1 - (1 - settings.last_rate) * done)
            for group in optimiser.param_groups:
                group["lr"] = rate
            states, sentences, gold = gathered(some)
            with seeded(settings.seed, epoch, at):
                loss = body.loss(states, sentences, gold)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(body.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            advance(1)
        f1 = token_f1(body, held_out) if tells else float(epoch)
        if f1 > best:
            best, kept, worse = f1, copy.deepcopy(body.state_dict()), 0
        elif best > 0:  # a tagger of few examples finds nothing at all for many epochs, and then learns
            worse += 1
            if worse >= settings.patience:
                break
    body.load_state_dict(kept)
    return body.eval()


def token_f1(body: Body, held_out: Sequence[SharedExample]) -> float:
    """F1 of tokens within identifiers, whatever their labels."""
    hits = said = meant = 0
    for labels, example in zip(likeliest(body, held_out), held_out, strict=True):
        mine, gold = labels > 0, example.gold > 0
        hits, said, meant = hits + int((mine & gold).sum()), said + int(mine.sum()), meant + int(gold.sum())
    return 2 * hits / max(1, said + meant)


def likeliest(body: Body, some: Sequence[SharedExample]) -> list[IntArray]:
    """Numbers of the likeliest labels of each example."""
    return [labels for labels, _ in labelled(body, some)]


def labelled(body: Body, some: Sequence[SharedExample]) -> Iterator[tuple[IntArray, Float32]]:
    """The likeliest labels of each example in order (Viterbi), and each one's marginal probability."""
    body.eval()
    order = sorted((place for place, one in enumerate(some) if len(one.states)), key=lambda p: len(some[p].states))
    by_sentence: list[tuple[IntArray, Float32]] = [(np.zeros(0, np.int64), np.zeros(0, np.float32))] * len(some)
    for at in range(0, len(order), _TOGETHER):
        places = order[at : at + _TOGETHER]
        states, sentences, _ = gathered([some[place] for place in places])
        with torch.no_grad():
            scores = body(states, sentences)
            best = body.chain.best(scores, sentences.lengths)
            sure = body.chain.marginals(scores, sentences.lengths).gather(2, best[:, :, None])[:, :, 0]
        for place, row, likely in zip(places, best.numpy(), sure.numpy(), strict=True):
            end = len(some[place].states)
            by_sentence[place] = (row[:end].copy(), likely[:end].copy())
    return iter(by_sentence)


def tagged(
    documents: Sequence[Document], body: Body, some: Sequence[SharedExample], labels: Sequence[str]
) -> list[list[Span]]:
    """The spans of each document's text, by the examples that `numbered` sentences of all of them became, in order."""
    spans, rows = list[list[Span]](), labelled(body, some)
    for document in documents:
        reading = read(document.text)
        said, sure = list[str](), list[float]()
        while len(said) < len(reading.tokens):
            numbers, likely = next(rows)
            said += [labels[number] for number in numbers.tolist()]
            sure += likely.tolist()
        spans.append(reading.original(decode([reading.tokens], [said], [sure])))
    return spans
