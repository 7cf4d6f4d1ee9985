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
        ctx: Any, queries: torch.Tensor, keys: torch.Tensor, targets: torch.Tensor, smoothing: float, block: int
    ) -> torch.Tensor:
        people = len(keys)
        most = torch.full((len(queries),), -torch.inf, device=queries.device)
        total = torch.zeros_like(most)
        mean = torch.zeros_like(most)
        for at in range(0, people, block):
            logits = queries @ keys[at : at + block].T
            higher = torch.maximum(most, logits.amax(dim=1))
            total = total * (most - higher).exp() + (logits - higher[:, None]).exp().sum(dim=1)
            mean += logits.sum(dim=1) / people
            most = higher
        normaliser = most + total.log()
        right = (queries * keys[targets]).sum(dim=1)
        losses = normaliser - (1 - smoothing) * right - smoothing * mean
        wanted = ctx.needs_input_grad
        slope_q = torch.zeros_like(queries) if wanted[0] else None
        slope_k = torch.zeros_like(keys) if wanted[1] else None
        for at in range(0, people, block) if wanted[0] or wanted[1] else ():
            some = keys[at : at + block]
            slope = (queries @ some.T - normaliser[:, None]).exp() - smoothing / people
            here = ((targets >= at) & (targets < at + block)).nonzero()[:, 0]
            slope[here, targets[here] - at] -= 1 - smoothing
            slope /= len(queries)
            if slope_q is not None:
                slope_q += slope @ some
            if slope_k is not None:
                slope_k[at : at + block] = slope.T @ queries
        ctx.slopes = slope_q, slope_k
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, *given: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        slope_q, slope_k = (None if slope is None else given[0] * slope for slope in ctx.slopes)
        return slope_q, slope_k, None, None, None


def blocked_loss(
    queries: torch.Tensor, keys: torch.Tensor, targets: torch.Tensor, *, smoothing: float, block: int
) -> torch.Tensor:
    """Mean cross entropy of softmax(queries · keysᵀ) with label smoothing, over `block` keys at a time.

    Queries (texts, width), keys (people, width), targets (texts,) rows of keys; memory is texts × block.
    """
    loss: torch.Tensor = _BlockedLoss.apply(queries, keys, targets, smoothing, block)  # type: ignore[no-untyped-call]
    return loss
