"""Shared parts of the neural models; all of them need PyTorch."""

from unname.errors import NEEDS_NEURAL, ModelError

try:
    import torch  # noqa: F401
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None
