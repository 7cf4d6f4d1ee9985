"""The chain over labels against the obvious: all sequences of labels, one after the other."""

from itertools import product

import pytest

pytest.importorskip("torch")

import torch

from unname.neural.crf import LabelChain, allowed

LABELS = ("O", "B-A", "B-B", "I-A", "I-B")


@torch.no_grad()
def weighed(chain: LabelChain, scores: torch.Tensor) -> dict[tuple[int, ...], float]:
    """The weight of every sequence of labels that BIO allows, its logarithm: for scores (tokens, labels)."""
    found = {}
    for row in product(range(len(LABELS)), repeat=len(scores)):
        names = [LABELS[i] for i in row]
        if any(b[0] == "I" and (a == "O" or a[2:] != b[2:]) for a, b in zip(["O", *names], names, strict=False)):
            continue
        weight = float(chain.start[row[0]] + chain.end[row[-1]] + sum(scores[t, i] for t, i in enumerate(row)))
        found[row] = weight + sum(float(chain.between[a, b]) for a, b in zip(row, row[1:], strict=False))
    return found


@pytest.fixture
def chain() -> LabelChain:
    torch.manual_seed(1)
    made = LabelChain(LABELS)
    for value in made.parameters():
        torch.nn.init.normal_(value)
    return made


@pytest.fixture
def scores() -> torch.Tensor:
    return torch.randn(3, 5, len(LABELS), generator=torch.Generator().manual_seed(2)) * 3


LENGTHS = torch.tensor([5, 1, 3])


def test_the_likelihood_is_a_sequences_weight_among_the_weights_of_all(chain: LabelChain, scores: torch.Tensor) -> None:
    for rows in ([1, 3, 0, 2, 4], [0], [2, 4, 1]), ([0] * 5, [2], [1, 3, 3]):
        gold = torch.zeros(3, 5, dtype=torch.int64)
        for row, values in zip(gold, rows, strict=True):
            row[: len(values)] = torch.tensor(values)
        found = chain.log_likelihood(scores, gold, LENGTHS)
        for place, values in enumerate(rows):
            weights = weighed(chain, scores[place, : len(values)])
            total = torch.logsumexp(torch.tensor(list(weights.values()), dtype=torch.float64), 0)
            assert float(found[place].detach()) == pytest.approx(weights[tuple(values)] - float(total), abs=1e-4)


def test_the_best_labels_are_the_heaviest_sequence(chain: LabelChain, scores: torch.Tensor) -> None:
    found = chain.best(scores, LENGTHS)
    for place, length in enumerate(LENGTHS.tolist()):
        weights = weighed(chain, scores[place, :length])
        assert tuple(found[place, :length].tolist()) == max(weights, key=weights.__getitem__)


def test_marginals_are_shares_of_weight_by_token_and_label(chain: LabelChain, scores: torch.Tensor) -> None:
    found = chain.marginals(scores, LENGTHS)
    for place, length in enumerate(LENGTHS.tolist()):
        weights = weighed(chain, scores[place, :length])
        rows = torch.tensor(list(weights))
        shares = torch.softmax(torch.tensor(list(weights.values()), dtype=torch.float64), 0)
        for at in range(length):
            wanted = [float(shares[rows[:, at] == label].sum()) for label in range(len(LABELS))]
            assert found[place, at].tolist() == pytest.approx(wanted, abs=1e-5)


def test_padding_and_company_change_nothing(chain: LabelChain, scores: torch.Tensor) -> None:
    for place, length in enumerate(LENGTHS.tolist()):
        alone, only = scores[place : place + 1, :length], torch.tensor([length])
        assert torch.equal(chain.best(alone, only)[0], chain.best(scores, LENGTHS)[place, :length])
        assert torch.allclose(chain.marginals(alone, only)[0], chain.marginals(scores, LENGTHS)[place, :length])


def test_an_i_never_begins_anything_however_high_its_score(chain: LabelChain) -> None:
    scores = torch.zeros(1, 4, len(LABELS))
    scores[:, :, 4] = 50.0
    names = [LABELS[i] for i in chain.best(scores, torch.tensor([4]))[0].tolist()]
    assert names == ["B-B", "I-B", "I-B", "I-B"]
    start, between = allowed(LABELS)
    assert start == [True, True, True, False, False]
    assert between[1] == [True, True, True, True, False] and between[0] == [True, True, True, False, False]


def test_scores_far_apart_leave_all_numbers_finite(chain: LabelChain) -> None:
    scores = torch.zeros(1, 6, len(LABELS))
    scores[0, :, 0] = 500.0
    scores.requires_grad_()
    loss = -chain.log_likelihood(scores, torch.tensor([[1, 3, 3, 0, 0, 2]]), torch.tensor([6])).sum()
    loss.backward()
    assert bool(torch.isfinite(loss)) and bool(torch.isfinite(scores.grad).all())
    assert bool(torch.isfinite(chain.marginals(scores.detach(), torch.tensor([6]))).all())
