"""The network of the shipped tagger, in numpy: embeddings summed, four residual convolutions, a label for each token.

A layer sees a token and one on each side, one, two and four tokens away, so a label is decided by eight tokens on either
side. Source: Collobert 2011 (convolutions over a window), Goodfellow 2013 (maxout), Yu and Koltun 2016 (dilation).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from unname.taggers.entities.words import Rows, Signs

STEPS = (1, 1, 2, 4)
REACH = sum(STEPS)
# Tokens that are read together: always padded to one of these, so that the arithmetic of a text depends on its length alone.
_SIZES = (32, 128, 512)
FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, repr=False)
class ConvolutionNetwork:
    """Weights: `table` (rows, width), `signs` (signs, width), and by layer; `out` (width, labels)."""

    table: FloatArray
    signs: FloatArray
    layers: tuple[Mapping[str, FloatArray], ...]
    out: FloatArray
    bias: FloatArray

    def scores(self, rows: Rows, signs: Signs) -> FloatArray:
        """The score of each label at each token of a text, before they are made probabilities: (tokens, labels)."""
        parts = [self._read(rows[a:b], signs[a:b])[first - a : last - a] for a, b, first, last in _windows(len(rows))]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.bias)), np.float32)

    def _read(self, rows: Rows, signs: Signs) -> FloatArray:
        many = len(rows)
        size = next(size for size in _SIZES if size >= many)
        there = np.zeros((size, 1), np.float32)
        there[:many] = 1
        state = np.zeros((size, self.table.shape[1]), np.float32)
        state[:many] = self.table[rows].sum(axis=1)
        state[:many] += signs @ self.signs
        for layer, step in zip(self.layers, STEPS, strict=True):
            state = (state + _convolved(_normed(state, layer) * there, layer, step)) * there
        return np.asarray((state @ self.out + self.bias)[:many], np.float32)


def _windows(many: int) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of tokens to read, and the part of each that counts, as far from its ends as a layer sees."""
    largest = _SIZES[-1]
    core = largest if many <= largest else largest - 2 * REACH
    for first in range(0, many, core):
        last = min(many, first + core)
        yield max(0, first - REACH), min(many, last + REACH), first, last


def _normed(state: FloatArray, layer: Mapping[str, FloatArray]) -> FloatArray:
    centred = state - state.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(1e-5))
    scaled: FloatArray = centred / spread * layer["scale"] + layer["shift"]
    return scaled


def _convolved(state: FloatArray, layer: Mapping[str, FloatArray], step: int) -> FloatArray:
    """The larger of two pieces for each place, from a token and those `step` before and after it."""
    around = np.zeros((len(state), 3 * state.shape[1]), np.float32)
    width = state.shape[1]
    around[step:, :width] = state[:-step]
    around[:, width : 2 * width] = state
    around[:-step, 2 * width :] = state[step:]
    pieces = around @ layer["weights"] + layer["bias"]
    larger: FloatArray = np.maximum(pieces[:, :width], pieces[:, width:])
    return larger


def network_of(arrays: Mapping[str, Any]) -> ConvolutionNetwork:
    """The network of arrays by name, the table in steps of 1/127 of each row's largest weight."""
    layers = tuple(
        {name: arrays[f"layer {number} {name}"].astype(np.float32) for name in ("scale", "shift", "weights", "bias")}
        for number in range(len(STEPS))
    )
    table = arrays["table"].astype(np.float32) * arrays["table scale"].astype(np.float32)[:, None]
    return ConvolutionNetwork(
        table, arrays["signs"].astype(np.float32), layers, arrays["out"].astype(np.float32),
        arrays["out bias"].astype(np.float32),
    )  # fmt: skip
