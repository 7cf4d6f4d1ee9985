"""The main directions of a large sparse matrix, which are its latent topics. Source: Halko et al. 2011, alg. 4.4."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from threadpoolctl import threadpool_limits

from unname.reidentifiers.base import FloatArray

_OVERSAMPLED = 10
_STRIP = 128
# Directions whose variance is below this share of the first one's are noise in float32.
_NOISE = 1e-6
_Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, repr=False)
class Subspace:
    """Orthonormal directions as columns of `basis`: (features, dimensions) float32."""

    basis: _Float32

    def __repr__(self) -> str:
        return f"Subspace({self.basis.shape[1]} dimensions)"

    def transform(self, rows: sparse.csr_array) -> FloatArray:
        """Coordinates of rows (rows × features): (rows, dimensions) float64, each row's the same in any company."""
        return np.asarray(rows.astype(np.float32) @ self.basis, np.float64)


def main_directions(rows: sparse.csr_array, dimensions: int, *, steps: int = 2, seed: int = 0) -> Subspace:
    """The `dimensions` right singular vectors with the largest singular values, by `steps` of subspace iteration.

    In float32, with directions made orthonormal at every step, so that small singular values do not drown. A matrix of
    fewer than two columns is a ValueError.
    """
    if min(rows.shape) < 1 or rows.shape[1] < 2:
        raise ValueError("a subspace needs rows of at least two features")
    rows = sparse.csr_array(rows).astype(np.float32)
    columns = sparse.csr_array(rows.T)
    width = min(dimensions + _OVERSAMPLED, *rows.shape)
    drawn = np.random.default_rng(seed).standard_normal((rows.shape[1], width), np.float32)
    with threadpool_limits(1, user_api="blas"):  # sums in float32 would show how many threads shared them
        spanned = _orthonormal(_product(rows, drawn), width)
        for _ in range(steps):
            spanned = _orthonormal(_product(rows, _product(columns, spanned)), width)
        return Subspace(_orthonormal(_product(columns, spanned), min(dimensions, width)))


def to_integers(vectors: FloatArray, bits: int) -> FloatArray:
    """Vectors as whole multiples of 2⁻ᵇⁱᵗˢ, times 2ᵇⁱᵗˢ: inner products below 2⁵³ of such are exact in any order.

    Equal rows then get equal products, whatever stands beside them and however many threads multiply.
    """
    scaled = vectors * float(1 << bits)
    return np.rint(scaled, out=scaled)


def _product(rows: sparse.csr_array, dense: _Float32) -> _Float32:
    """Their product, in strips of columns few enough to stay in the processor's cache."""
    strips = range(0, dense.shape[1], _STRIP)
    return np.hstack([rows @ np.ascontiguousarray(dense[:, start : start + _STRIP]) for start in strips])


def _orthonormal(spanning: _Float32, most: int) -> _Float32:
    """The `most` main directions of what these columns span, orthonormal; those that are noise are all zeros."""
    variance, rotation = np.linalg.eigh((spanning.T @ spanning).astype(np.float64))
    variance, rotation = variance[::-1][:most], rotation[:, ::-1][:, :most]
    real = variance > _NOISE * variance[0]
    scale = np.where(real, 1 / np.sqrt(np.where(real, variance, 1.0)), 0.0)
    return np.asarray(spanning @ (rotation * scale).astype(np.float32))
