"""Adversaries of representations, which tell pairs of one sentence from others. Source: Friedrich 2019, §5.3."""

import torch
from torch import nn

from unname.neural.lstm import BothWays


class Reader(nn.Module):
    """Reads a sequence both ways and says how likely it is a pair: a logit for each sequence.

    It answers by the strongest of each unit over all tokens: one token that differs is enough. (From last states alone it
    learns many times more slowly.)
    """

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.lstm = BothWays(width, units=units, layers=1, dropout=0.0)
        self.answer = nn.Linear(2 * units, 1)

    def forward(self, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(sequences, tokens, width) to (sequences,)."""
        beyond = torch.arange(states.shape[1], device=states.device) >= lengths[:, None]
        read = self.lstm(states, lengths).masked_fill(beyond[:, :, None], -torch.inf)
        found: torch.Tensor = self.answer(read.max(1).values)[:, 0]
        return found


class PairAdversary(nn.Module):
    """Tells pairs of one sentence from others, by two tasks whose answers are averaged.

    T1: a representation, and vectors of words. T2: two representations, and their cosine at every token.
    """

    def __init__(self, d: int, width: int, *, units: int = 64) -> None:
        super().__init__()
        self.embedded = Reader(d + width, units)
        self.represented = Reader(2 * d + 1, units)

    def forward(
        self, states: torch.Tensor, vectors: torch.Tensor, others: torch.Tensor, lengths: torch.Tensor
    ) -> torch.Tensor:
        """The logit of each pair that it is of one sentence, by either task: (2, sentences).

        `states` (sentences, tokens, d) stand beside `vectors` of words, and beside `others`, which represent the same words.
        """
        cosine = nn.functional.cosine_similarity(states, others, dim=2)[:, :, None]
        first = self.embedded(torch.cat((states, vectors), 2), lengths)
        second = self.represented(torch.cat((states, others, cosine), 2), lengths)
        return torch.stack((first, second))

    def losses(self, said: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        """Cross entropy of logits (2, sentences) against which pairs are `real` (bool), each; ln 2 where nobody knows."""
        truth = real.to(said.dtype).expand_as(said)
        return nn.functional.binary_cross_entropy_with_logits(said, truth, reduction="none")

    def guesses(self, said: torch.Tensor) -> torch.Tensor:
        """Pairs taken for one sentence, by the mean of both answers: (sentences,) bool."""
        return torch.sigmoid(said).mean(0) > 0.5


class _Reverse(torch.autograd.Function):
    @staticmethod
    def forward(context: object, states: torch.Tensor, weight: float) -> torch.Tensor:
        context.weight = weight  # type: ignore[attr-defined]
        return states.view_as(states)

    @staticmethod
    def backward(context: object, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return -context.weight * gradient, None  # type: ignore[attr-defined]


def reversed_gradient(states: torch.Tensor, weight: float) -> torch.Tensor:
    """The same states; their gradient comes back with its sign turned, times a weight. Source: Ganin 2016 (DANN)."""
    reversed_: torch.Tensor = _Reverse.apply(states, weight)  # type: ignore[no-untyped-call]
    return reversed_
