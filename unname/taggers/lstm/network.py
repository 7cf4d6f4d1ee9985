"""The network of the BiLSTM-CRF: token features in, scores of labels out. Source: Friedrich 2019, §3 and table 1."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from unname.neural.crf import LabelChain
from unname.neural.lstm import BothWays, locked_dropout
from unname.taggers.lstm.reading import CASINGS, GAPS, LETTERS_FROM, UNKNOWN, WORDS_FROM, Lookup, Numbers, Vocabulary
from unname.taggers.lstm.settings import LstmSettings


class Batch(NamedTuple):
    """Token sequences side by side: (sequences, tokens) int64 each, padded with 0, and their `lengths`.

    `letters` are the distinct tokens' (tokens, letters); `letters_of` is the row of each token in it.
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


def padded(rows: Sequence[Sequence[int] | npt.NDArray[np.int64]]) -> torch.Tensor:
    """Rows of numbers as one (rows, longest) int64 tensor, padded with 0."""
    table = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(table)


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
        largest: torch.Tensor = self.convolution(states).masked_fill(~there, -torch.inf).max(2).values
        return torch.relu(largest)


class LstmNetwork(nn.Module):
    """Embeddings of words, letters, casing and gaps; a BiLSTM; a linear map to labels; and the chain over them."""

    def __init__(self, vocabulary: Vocabulary, settings: LstmSettings) -> None:
        super().__init__()
        self.settings = s = settings
        letters = s.character_width if s.characters else 0
        self.words = nn.Embedding(WORDS_FROM + len(vocabulary.words), s.word_width, padding_idx=0)
        self.unknown = nn.Parameter(torch.zeros(s.word_width))
        self.casings = nn.Embedding(len(CASINGS), 8)
        self.gaps = nn.Embedding(len(GAPS), 8)
        self.letters = Letters(LETTERS_FROM + len(vocabulary.letters), letters) if letters else None
        self.lstm = BothWays(s.word_width + letters + 16, units=s.units, layers=s.layers, dropout=s.lstm_dropout)
        self.labels = nn.Linear(2 * s.units, len(vocabulary.labels))
        self.chain = LabelChain(vocabulary.labels)
        nn.init.normal_(self.words.weight, std=0.3)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Scores of labels: (sequences, tokens, labels)."""
        unknown = batch.words == UNKNOWN
        if self.training and self.settings.word_dropout:
            unknown = unknown | (torch.rand(batch.words.shape, device=batch.words.device) < self.settings.word_dropout)
        words = torch.where(unknown[:, :, None], self.unknown, self.words(batch.words))
        parts = [words, self.casings(batch.casings), self.gaps(batch.gaps)]
        if self.letters is not None:
            parts.append(self.letters(batch.letters)[batch.letters_of])
        states = nn.functional.dropout(torch.cat(parts, 2), self.settings.input_dropout, self.training)
        states = locked_dropout(self.lstm(states, batch.lengths), self.settings.after_dropout, training=self.training)
        scores: torch.Tensor = self.labels(states)
        return scores
