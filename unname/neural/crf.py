"""A linear-chain conditional random field over BIO labels: likelihood, best labels, marginals. Source: Lafferty 2001.

Sequences of a batch may differ in length; padding beyond a sequence's end changes nothing of its own. Labels that
BIO does not allow after each other (an I that continues nothing) have no weight at all.
"""

from collections.abc import Sequence

import torch
from torch import nn

_NEVER = -1e4
# Below this share of the likeliest label a label counts as this: logarithms stay finite, nothing else changes.
_LEAST = 1e-37


def allowed(labels: Sequence[str]) -> tuple[list[bool], list[list[bool]]]:
    """Flags of the BIO labels that may begin a sequence, and of those (columns) that may follow others (rows)."""
    start = [label[0] != "I" for label in labels]
    between = [
        [after[0] != "I" or (before != "O" and before[2:] == after[2:]) for after in labels] for before in labels
    ]
    return start, between


class LabelChain(nn.Module):
    """Learned weights of beginning with, ending with and passing between labels.

    Everywhere `scores` are (sequences, tokens, labels) float32 and `lengths` (sequences,) int64, at least 1.
    """

    start_mask: torch.Tensor
    between_mask: torch.Tensor

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__()
        start, between = allowed(labels)
        self.start = nn.Parameter(torch.zeros(len(labels)))
        self.end = nn.Parameter(torch.zeros(len(labels)))
        self.between = nn.Parameter(torch.zeros(len(labels), len(labels)))
        self.register_buffer("start_mask", torch.tensor(start).logical_not() * _NEVER, persistent=False)
        self.register_buffer("between_mask", torch.tensor(between).logical_not() * _NEVER, persistent=False)

    def log_likelihood(self, scores: torch.Tensor, gold: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Log-probability of each gold sequence (sequences, tokens): (sequences,)."""
        start, between = self.start + self.start_mask, self.between + self.between_mask
        real = torch.arange(scores.shape[1], device=scores.device) < lengths[:, None]
        paid = (scores.gather(2, gold[:, :, None])[:, :, 0] * real).sum(1)
        passed = (between[gold[:, :-1], gold[:, 1:]] * real[:, 1:]).sum(1)
        last = gold.gather(1, lengths[:, None] - 1)[:, 0]
        total = torch.logsumexp(self._forward(scores, lengths)[-1] + self.end, 1)
        return start[gold[:, 0]] + paid + passed + self.end[last] - total

    def _forward(self, scores: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        """Log-weight of all beginnings that end in each label, by token; a sequence's last stands on after its end."""
        weights = (self.between + self.between_mask).exp()
        forward = [self.start + self.start_mask + scores[:, 0]]
        for at in range(1, scores.shape[1]):
            after = _passed(forward[-1], weights) + scores[:, at]
            forward.append(torch.where((at < lengths)[:, None], after, forward[-1]))
        return forward

    @torch.no_grad()
    def marginals(self, scores: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Probability of each label at each token, given the whole sequence: (sequences, tokens, labels)."""
        forward = torch.stack(self._forward(scores, lengths), 1)
        weights = (self.between + self.between_mask).exp().T.contiguous()
        end = self.end.expand_as(scores[:, 0])
        backward = [end]
        for at in range(scores.shape[1] - 1, 0, -1):
            before = _passed(backward[-1] + scores[:, at], weights)
            backward.append(torch.where((at < lengths)[:, None], before, end))
        return torch.softmax(forward + torch.stack(backward[::-1], 1), 2)

    @torch.no_grad()
    def best(self, scores: torch.Tensor, lengths: torch.Tensor, *, learned: bool = True) -> torch.Tensor:
        """The likeliest labels of each sequence (Viterbi): (sequences, tokens) int64; anything beyond an end.

        Not `learned`: only what BIO allows counts beside the scores.
        """
        weight = float(learned)
        between, end = weight * self.between + self.between_mask, weight * self.end
        best = weight * self.start + self.start_mask + scores[:, 0]
        came: list[torch.Tensor] = []
        for at in range(1, scores.shape[1]):
            value, before = (best[:, :, None] + between).max(1)
            real = (at < lengths)[:, None]
            came.append(torch.where(real, before, torch.arange(best.shape[1], device=best.device)))
            best = torch.where(real, value + scores[:, at], best)
        label = (best + end).argmax(1)
        labels = [label]
        for before in reversed(came):
            label = before.gather(1, label[:, None])[:, 0]
            labels.append(label)
        return torch.stack(labels[::-1], 1)


def _passed(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """log(exp(values) @ weights) without overflow: a product of matrices instead of a sum over a cube."""
    most = values.max(1, keepdim=True).values.detach()
    return ((values - most).exp() @ weights).clamp_min(_LEAST).log() + most
