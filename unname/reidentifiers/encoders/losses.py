"""The full softmax over a population of any size, a block of people at a time. Source: Morris 2022 §4, no sampling."""

from typing import Any

from unname.errors import NEEDS_NEURAL, ModelError

try:
    import torch
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None


class _BlockedLoss(torch.autograd.Function):
    """Softmax cross entropy of queries against many keys, a block of keys at a time; gradients are exact."""

    @staticmethod
    def forward(
        ctx: Any, queries: torch.Tensor, keys: torch.Tensor, targets: torch.Tensor, owners: torch.Tensor | None,
        smoothing: float, block: int,
    ) -> torch.Tensor:  # fmt: skip
        starts = range(0, len(keys), block)
        most = torch.full((len(queries),), -torch.inf, device=queries.device)
        total, summed, count = torch.zeros_like(most), torch.zeros_like(most), torch.full_like(most, len(keys))
        for at in starts:
            logits = queries @ keys[at : at + block].T
            out = _left_out(targets, owners, at, block)
            if out is not None:
                summed += logits.masked_fill(out, 0.0).sum(dim=1)
                count -= out.sum(dim=1)
                logits = logits.masked_fill(out, -torch.inf)
            else:
                summed += logits.sum(dim=1)
            higher = torch.maximum(most, logits.amax(dim=1))
            # If a block holds nothing that counts, nothing was seen yet and −∞ − −∞ would be no number.
            shift = torch.where(higher.isinf(), torch.zeros_like(higher), higher)
            total = total * (most - shift).exp() + (logits - shift[:, None]).exp().sum(dim=1)
            most = higher
        normaliser = most + total.log()
        right = (queries * keys[targets]).sum(dim=1)
        losses = normaliser - (1 - smoothing) * right - smoothing * summed / count
        wanted = ctx.needs_input_grad
        slope_q = torch.zeros_like(queries) if wanted[0] else None
        slope_k = torch.zeros_like(keys) if wanted[1] else None
        for at in starts if wanted[0] or wanted[1] else ():
            some = keys[at : at + block]
            slope = (queries @ some.T - normaliser[:, None]).exp() - smoothing / count[:, None]
            here = ((targets >= at) & (targets < at + block)).nonzero()[:, 0]
            slope[here, targets[here] - at] -= 1 - smoothing
            out = _left_out(targets, owners, at, block)
            if out is not None:
                slope = slope.masked_fill(out, 0.0)
            slope /= len(queries)
            if slope_q is not None:
                slope_q += slope @ some
            if slope_k is not None:
                slope_k[at : at + block] = slope.T @ queries
        ctx.slopes = slope_q, slope_k
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        slope_q, slope_k = (None if slope is None else upstream[0] * slope for slope in ctx.slopes)
        return slope_q, slope_k, None, None, None, None


def _left_out(targets: torch.Tensor, owners: torch.Tensor | None, at: int, block: int) -> torch.Tensor | None:
    """Masks of the keys of a block that do not count for each query: those of the target's owner, but for the target."""
    if owners is None:
        return None
    some = owners[at : at + block]
    places = torch.arange(at, at + len(some), device=targets.device)
    return (some[None] == owners[targets][:, None]) & (places[None] != targets[:, None])


def blocked_loss(
    queries: torch.Tensor,
    keys: torch.Tensor,
    targets: torch.Tensor,
    *,
    smoothing: float,
    block: int,
    owners: torch.Tensor | None = None,
) -> torch.Tensor:
    """Mean cross entropy of softmax(queries · keysᵀ) with label smoothing, over `block` keys at a time.

    Queries (texts, width), keys (people, width), targets (texts,) rows of keys; memory is texts × block. With `owners`
    (people,), the owner of each key, other keys of the target's owner are left out: they are no wrong answers.
    """
    loss: torch.Tensor = _BlockedLoss.apply(queries, keys, targets, owners, smoothing, block)  # type: ignore[no-untyped-call]
    return loss
