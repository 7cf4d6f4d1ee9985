"""The network that represents a text privately, and the tagger that reads it. Source: Friedrich 2019, §5.2.

A representation is R = N_out + BiLSTM(E + N_in): vectors of words and noise in, vectors and noise out. Every dimension has
a standard deviation of its own that is learned; with `follows` it also depends on the vector itself (the paper's future
work). Noise is drawn whenever a text is represented, also after training: without it the same text would always look alike.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from unname.neural.crf import LabelChain
from unname.neural.lstm import BothWays, locked_dropout
from unname.sharing.space import Float32
from unname.taggers.lstm.reading import CASINGS, UNKNOWN, WORDS_FROM

# Draws standard normal numbers in the shape of a tensor.
Draw = Callable[[torch.Tensor], torch.Tensor]


class Sentences(NamedTuple):
    """Sentences side by side: `words` and `casings` (sentences, tokens) int64, padded with 0, and their `lengths`."""

    words: torch.Tensor
    casings: torch.Tensor
    lengths: torch.Tensor

    def __repr__(self) -> str:
        return f"Sentences({len(self.lengths)})"


class Noise(nn.Module):
    """Gaussian noise with a learned standard deviation for each dimension, or one that follows the vector as well.

    No deviation falls below `least`.
    """

    def __init__(self, width: int, *, start: float, least: float = 0.0, follows: bool = False) -> None:
        super().__init__()
        self.least = least
        self.scale = nn.Parameter(torch.full((width,), float(np.log(start))))
        self.follows = nn.Linear(width, width) if follows else None
        if self.follows is not None:
            nn.init.zeros_(self.follows.weight)
            nn.init.zeros_(self.follows.bias)

    def deviation(self, states: torch.Tensor) -> torch.Tensor:
        """The standard deviation of the noise at each vector: that of the last dimension, or of all."""
        scale = self.scale if self.follows is None else self.scale + self.follows(states)
        return self.least + torch.exp(scale.clamp(-8.0, 4.0))

    def forward(self, states: torch.Tensor, draw: Draw = torch.randn_like) -> torch.Tensor:
        """Vectors with noise, drawn anew each time."""
        return states + draw(states) * self.deviation(states)


class Representer(nn.Module):
    """Words in, noisy vectors of width `d` out: (sentences, tokens) to (sentences, tokens, d). `d` is even."""

    vectors: torch.Tensor

    def __init__(self, vectors: Float32, d: int, *, noise: float, least: float = 0.0, follows: bool = False) -> None:
        super().__init__()
        table = np.zeros((WORDS_FROM + len(vectors), vectors.shape[1]), np.float32)
        table[WORDS_FROM:] = vectors
        self.register_buffer("vectors", torch.from_numpy(table))
        self.unknown = nn.Parameter(torch.zeros(vectors.shape[1]))
        self.noise_in = Noise(vectors.shape[1], start=noise, follows=follows)
        self.lstm = BothWays(vectors.shape[1], units=d // 2, layers=1, dropout=0.0)
        self.noise_out = Noise(d, start=noise, least=least, follows=follows)
        self.noisy = True

    def embedded(self, words: torch.Tensor) -> torch.Tensor:
        """The vectors of words: (sentences, tokens, width)."""
        vectors = self.vectors[words]
        return torch.where((words == UNKNOWN)[:, :, None], self.unknown, vectors)

    def forward(self, words: torch.Tensor, lengths: torch.Tensor, draw: Draw = torch.randn_like) -> torch.Tensor:
        """Representations, drawn anew each time; where `noisy` is off, without noise (for comparison alone)."""
        states = self.embedded(words)
        states = self.lstm(self.noise_in(states, draw) if self.noisy else states, lengths)
        noisy: torch.Tensor = self.noise_out(states, draw) if self.noisy else states
        return noisy

    def telling(self, words: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Representations, and what those of each sentence are worth, in nats: (sentences,).

        A number of mean m under noise s counts ½ ln(1 + m²/s²): what a Gaussian channel tells if its numbers are as large as
        this one. It is a price and no bound: numbers that are seldom large may tell more than they count on average.
        Source: Shannon 1948, theorem 17; Dai 2018.
        """
        states = self.lstm(self.noise_in(self.embedded(words)), lengths)
        told = 0.5 * torch.log1p((states / self.noise_out.deviation(states)) ** 2).sum(2)
        real = torch.arange(words.shape[1], device=words.device) < lengths[:, None]
        return self.noise_out(states), (told * real).sum(1)


class Body(nn.Module):
    """The tagger above a representation, with the casing of words beside it: scores of labels. Source: table 1."""

    def __init__(self, d: int, labels: tuple[str, ...], *, units: int = 128) -> None:
        super().__init__()
        self.casings = nn.Embedding(len(CASINGS), 8)
        self.lstm = BothWays(d + 8, units=units, layers=2, dropout=0.25)
        self.labels = nn.Linear(2 * units, len(labels))
        self.chain = LabelChain(labels)

    def forward(self, states: torch.Tensor, sentences: Sentences) -> torch.Tensor:
        """(sentences, tokens, d) to scores of labels (sentences, tokens, labels)."""
        beside = torch.cat((states, self.casings(sentences.casings)), 2)
        beside = nn.functional.dropout(beside, 0.1, self.training)
        read: torch.Tensor = self.lstm(beside, sentences.lengths)
        scores: torch.Tensor = self.labels(locked_dropout(read, 0.5, training=self.training))
        return scores

    def loss(self, states: torch.Tensor, sentences: Sentences, gold: torch.Tensor) -> torch.Tensor:
        """Minus the log-likelihood of the gold labels, a sentence."""
        return -self.chain.log_likelihood(self(states, sentences), gold, sentences.lengths).mean()
