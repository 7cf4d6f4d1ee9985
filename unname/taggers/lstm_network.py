"""The network of the BiLSTM-CRF: token features in, scores of labels out. Source: Friedrich 2019, §3 and table 1."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from unname.neural.crf import Chain
from unname.neural.lstm import BothWays, locked_dropout
from unname.taggers.lstm_reading import CASINGS, GAPS, UNKNOWN, WORDS_FROM, Lookup, Numbers, Vocabulary

_LETTERS_FROM = 4


class Batch(NamedTuple):
    """Token sequences side by side: (sequences, tokens) int64 each, padded with 0, and their `lengths`.

    `letters` are the distinct tokens' (tokens, letters); `letters_of` says which row is whose.
    """

    words: torch.Tensor
    casings: torch.Tensor
    gaps: torch.Tensor
    letters_of: torch.Tensor
    letters: torch.Tensor
    lengths: torch.Tensor

    def __repr__(self) -> str:
        return f"Batch({len(self.lengths)} sequences)"

    def to(self, device: torch.device) -> "Batch":
        """The same on a device."""
        return Batch(*(value.to(device) for value in self))


def padded(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Rows of numbers as one (rows, longest) int64 tensor, padded with 0."""
    found = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(found)


def make_batch(sequences: Sequence[Numbers], lookup: Lookup) -> Batch:
    """Sequences, none empty, as one batch."""
    distinct = {token: row for row, token in enumerate(dict.fromkeys(t for s in sequences for t in s.shown))}
    return Batch(
        padded([s.words for s in sequences]),
        padded([s.casings for s in sequences]),
        padded([s.gaps for s in sequences]),
        padded([[distinct[t] for t in s.shown] for s in sequences]),
        padded([lookup.letters(token) for token in distinct]),
        torch.tensor([len(s.words) for s in sequences]),
    )


class Sizes(NamedTuple):
    """How large the parts of a network are; `letters` of 0 is the paper's, which reads none."""

    words: int = 100
    letters: int = 64
    units: int = 128
    layers: int = 2


class Dropout(NamedTuple):
    """Shares that are hidden in training: whole words, input features, within the LSTM, after it."""

    word: float = 0.05
    input: float = 0.1
    lstm: float = 0.25
    after: float = 0.5


class Letters(nn.Module):
    """A word's letters in one vector: a convolution over three letters at a time, and each feature's maximum."""

    def __init__(self, known: int, width: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(known, 32)
        self.convolution = nn.Conv1d(32, width, 3, padding=1)

    def forward(self, letters: torch.Tensor) -> torch.Tensor:
        """(tokens, letters) to (tokens, width)."""
        there = (letters > 0)[:, None]
        states = self.embedding(letters).transpose(1, 2) * there
        found: torch.Tensor = self.convolution(states).masked_fill(~there, -torch.inf).max(2).values
        return torch.relu(found)


class Network(nn.Module):
    """Embeddings of words, letters, casing and gaps; a BiLSTM; a linear map to labels; and the chain over them."""

    def __init__(self, vocabulary: Vocabulary, sizes: Sizes, dropout: Dropout, *, fixed_words: bool = False) -> None:
        super().__init__()
        self.drop = dropout
        self.words = nn.Embedding(WORDS_FROM + len(vocabulary.words), sizes.words, padding_idx=0)
        self.words.weight.requires_grad_(not fixed_words)
        self.unknown = nn.Parameter(torch.zeros(sizes.words))
        self.casings = nn.Embedding(len(CASINGS), 8)
        self.gaps = nn.Embedding(len(GAPS), 8)
        self.letters = Letters(_LETTERS_FROM + len(vocabulary.letters), sizes.letters) if sizes.letters else None
        self.lstm = BothWays(
            sizes.words + sizes.letters + 16, units=sizes.units, layers=sizes.layers, dropout=dropout.lstm
        )
        self.labels = nn.Linear(2 * sizes.units, len(vocabulary.labels))
        self.chain = Chain(vocabulary.labels)
        nn.init.normal_(self.words.weight, std=0.3)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Scores of labels: (sequences, tokens, labels)."""
        unknown = batch.words == UNKNOWN
        if self.training and self.drop.word:
            unknown = unknown | (torch.rand(batch.words.shape, device=batch.words.device) < self.drop.word)
        words = torch.where(unknown[:, :, None], self.unknown, self.words(batch.words))
        parts = [words, self.casings(batch.casings), self.gaps(batch.gaps)]
        if self.letters is not None:
            parts.append(self.letters(batch.letters)[batch.letters_of])
        states = nn.functional.dropout(torch.cat(parts, 2), self.drop.input, self.training)
        states = locked_dropout(self.lstm(states, batch.lengths), self.drop.after, training=self.training)
        found: torch.Tensor = self.labels(states)
        return found
