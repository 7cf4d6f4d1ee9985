"""Layers of LSTMs that read both ways, with variational dropout. Source: Gal and Ghahramani 2016; Friedrich 2019, table 1.

Sequences are padded at their ends. The backward reader sees each sequence reversed within its own length, so that no
reader passes padding before it passes a token: the company in a batch changes nothing, and no packing is needed.
"""

import torch
from torch import nn


class Lstm(nn.Module):
    """One layer in one direction, in PyTorch's fused form."""

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.units = units
        self.inputs = nn.Parameter(torch.empty(4 * units, width))
        self.recurrent = nn.Parameter(torch.empty(4 * units, units))
        self.bias = nn.Parameter(torch.zeros(4 * units))
        nn.init.xavier_uniform_(self.inputs)
        nn.init.orthogonal_(self.recurrent)
        with torch.no_grad():
            self.bias[units : 2 * units] = 1.0  # to remember is the default (Jozefowicz 2015)

    def forward(self, states: torch.Tensor, dropout: float) -> torch.Tensor:
        """(sequences, tokens, width) to (sequences, tokens, units), from first to last.

        Recurrent dropout hides a unit from the next step all along; the fused form has one mask for a whole batch.
        """
        recurrent: torch.Tensor = self.recurrent
        if self.training and dropout:
            kept = torch.rand(self.units, device=states.device) >= dropout
            recurrent = recurrent * (kept / (1 - dropout))
        zeros = states.new_zeros(1, states.shape[0], self.units)
        weights = [self.inputs, recurrent, self.bias, torch.zeros_like(self.bias)]
        outputs: torch.Tensor = torch.lstm(states, (zeros, zeros), weights, True, 1, 0.0, self.training, False, True)[0]
        return outputs


class BothWays(nn.Module):
    """Layers of two LSTMs each, one of either direction, side by side."""

    def __init__(self, width: int, *, units: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        widths = [width] + [2 * units] * (layers - 1)
        self.forth = nn.ModuleList(Lstm(w, units) for w in widths)
        self.back = nn.ModuleList(Lstm(w, units) for w in widths)

    def forward(self, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """(sequences, tokens, width) to (sequences, tokens, 2 × units)."""
        places = torch.arange(states.shape[1], device=states.device)
        turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)[:, :, None]
        for forth, back in zip(self.forth, self.back, strict=True):
            states = locked_dropout(states, self.dropout, training=self.training)
            reverse = back(_taken(states, turned), self.dropout)
            states = torch.cat((forth(states, self.dropout), _taken(reverse, turned)), 2)
        return states


def _taken(states: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    return states.gather(1, places.expand(-1, -1, states.shape[2]))


def locked_dropout(states: torch.Tensor, dropout: float, *, training: bool) -> torch.Tensor:
    """Dropout that hides the same features of a sequence at all its tokens."""
    if not training or not dropout:
        return states
    kept = torch.rand(states.shape[0], 1, states.shape[2], device=states.device) >= dropout
    return states * (kept / (1 - dropout))
