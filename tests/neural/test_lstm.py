"""LSTMs that read both ways, against PyTorch's own on one sequence at a time."""

import pytest

pytest.importorskip("torch")

import torch

from unname.neural.lstm import BothWays

LENGTHS = torch.tensor([7, 1, 4])


def made(dropout: float = 0.0) -> tuple[BothWays, torch.Tensor]:
    torch.manual_seed(3)
    return BothWays(6, units=5, layers=2, dropout=dropout), torch.randn(3, 7, 6)


def test_each_sequence_is_read_as_by_pytorchs_own_bidirectional_lstm() -> None:
    ours, states = made()
    theirs = torch.nn.LSTM(6, 5, 2, bidirectional=True, batch_first=True)
    with torch.no_grad():
        for value in theirs.parameters():
            value.zero_()
        for layer, (forth, back) in enumerate(zip(ours.forth, ours.back, strict=True)):
            for part, suffix in ((forth, ""), (back, "_reverse")):
                getattr(theirs, f"weight_ih_l{layer}{suffix}").copy_(part.inputs)
                getattr(theirs, f"weight_hh_l{layer}{suffix}").copy_(part.recurrent)
                getattr(theirs, f"bias_ih_l{layer}{suffix}").copy_(part.bias)
    found = ours.eval()(states, LENGTHS)
    for place, length in enumerate(LENGTHS.tolist()):
        wanted = theirs(states[place : place + 1, :length])[0][0]
        assert torch.allclose(found[place, :length], wanted, atol=1e-6)


def test_padding_beyond_an_end_changes_nothing() -> None:
    ours, states = made()
    found = ours.eval()(states, LENGTHS)
    changed = states.clone()
    changed[2, 4:] = 9.0
    assert torch.equal(ours(changed, LENGTHS)[2, :4], found[2, :4])


def test_dropout_is_only_in_training_and_follows_the_seed() -> None:
    ours, states = made(dropout=0.5)
    ours.train()
    torch.manual_seed(0)
    one, two = ours(states, LENGTHS), ours(states, LENGTHS)
    torch.manual_seed(0)
    assert torch.equal(one, ours(states, LENGTHS)) and not torch.equal(one, two)
    ours.eval()
    assert torch.equal(ours(states, LENGTHS), ours(states, LENGTHS))
