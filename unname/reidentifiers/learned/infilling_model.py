"""A small masked language model of the words at the gaps of a text.

The words up to four places before and after a gap, each place with weights of its own, and the set of all visible words
of the text make up a hidden layer; a softmax over the vocabulary predicts the word there. Weights are whole multiples
of powers of two, so that sums of products are exact and no blocking or threading changes a prediction.

Source: Bengio et al. 2003 (feed-forward language model), read from both sides as in Mikolov et al. 2013 (CBOW).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unname.reidentifiers.base import IntArray
from unname.reidentifiers.learned.descent import Float32Array, softmax
from unname.text import GAP, WORD, fold, in_words

REACH = 4
OFFSETS = tuple(offset for offset in range(-REACH, REACH + 1) if offset)
# Rows of the inputs: this one for words that are in no vocabulary, one a word, a gap, what lies beyond the text. Outputs
# have the first two kinds.
UNKNOWN = 0
_TOKEN = re.compile(f"{WORD.pattern}|{GAP}")
_TABLE_BITS, _HIDDEN_BITS, _OUT_BITS = 12, 8, 9
# Sums of products of what has 17 bits after the point are exact in single precision up to here.
_EXACT = 2.0 ** (24 - _HIDDEN_BITS - _OUT_BITS) - 1


def tokens(text: str) -> list[str]:
    """Folded words and gaps of a text whose placeholders were made gaps (`visible`), in order."""
    return [token if token == GAP else fold(token) for token in in_words(_TOKEN.findall(text))]


def input_rows(row: Sequence[str], vocabulary: Mapping[str, int]) -> IntArray:
    """Input rows of tokens, given those of words: (tokens,) int64."""
    gap = len(vocabulary) + 1
    return np.array([gap if token == GAP else vocabulary.get(token, UNKNOWN) for token in row], np.int64)


def contexts(row: IntArray, places: IntArray, edge: int) -> IntArray:
    """The surroundings of places of a row of input rows, `edge` beyond the ends of the text: (places, offsets) int64."""
    padded = np.full(len(row) + 2 * REACH, edge, np.int64)
    padded[REACH : REACH + len(row)] = row
    return np.asarray(padded[places[:, None] + REACH + np.array(OFFSETS)])


@dataclass(frozen=True, slots=True, repr=False)
class GapModel:
    """A learned model, ready to predict.

    `vocabulary` gives rows of words (1 …). `tables` (offsets + 1, input rows, width) int16 in multiples of 2⁻¹² are the
    contribution of each input to the hidden layer at each offset, and as one of the visible words; `hidden` (width,) int32
    in the same unit is there always. `out` (output rows, width) and `bias` (output rows,) are float32.
    """

    vocabulary: Mapping[str, int]
    tables: npt.NDArray[np.int16]
    hidden: npt.NDArray[np.int32]
    out: Float32Array
    bias: Float32Array

    def __repr__(self) -> str:
        return f"GapModel({len(self.vocabulary)} words)"

    def probabilities(self, row: IntArray, places: IntArray) -> Float32Array:
        """The prediction at these places of a text given as input rows: (places, output rows) float32, each sums to one."""
        size = len(self.vocabulary)
        seen = np.unique(row[(row > UNKNOWN) & (row <= size)])
        around = contexts(row, places, size + 2)
        whole = np.broadcast_to(self.hidden, (len(places), len(self.hidden))).astype(np.int64)
        for table, column in zip(self.tables, around.T, strict=False):
            whole += table[column]
        bag = self.tables[-1][seen].sum(axis=0, dtype=np.int64) / np.sqrt(max(len(seen), 1))
        layer = np.maximum((whole + bag) / 2.0**_TABLE_BITS, 0)
        scores = self._bounded(layer) @ self.out.T
        scores += self.bias
        softmax(scores)
        return scores

    def _bounded(self, layer: npt.NDArray[np.float64]) -> Float32Array:
        """The hidden layer in multiples of 2⁻⁸, no row so long that a product with an output could be inexact."""
        longest = float(np.sqrt((self.out.astype(np.float64) ** 2).sum(axis=1).max(initial=0)))
        length = np.sqrt((layer**2).sum(axis=1, keepdims=True))
        layer = layer * np.minimum(1, _EXACT / np.maximum(length * longest, 1e-9))
        return np.asarray(np.trunc(layer * 2.0**_HIDDEN_BITS) / 2.0**_HIDDEN_BITS, np.float32)


def frozen(vocabulary: Mapping[str, int], weights: Sequence[Float32Array]) -> GapModel:
    """A model from learned weights (`infilling_training`): inputs times the weights of each offset, in whole numbers."""
    inputs, mixed, hidden, out, bias = weights
    unit, most = 2.0**_TABLE_BITS, 2**15 - 1
    tables = np.empty((len(mixed), len(inputs), len(hidden)), np.int16)
    for table, weight in zip(tables, mixed, strict=True):
        table[:] = np.clip(np.rint((inputs @ weight) * unit), -most, most)
    kept = np.rint(out * 2.0**_OUT_BITS) / 2.0**_OUT_BITS
    return GapModel(dict(vocabulary), tables, np.rint(hidden * unit).astype(np.int32), kept.astype(np.float32), bias)
