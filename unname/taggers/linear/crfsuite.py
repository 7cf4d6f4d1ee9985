"""Weights of a linear-chain CRF learned by CRFsuite, through python-crfsuite; nothing of CRFsuite is needed to use them.

CRFsuite is given numbers for features and labels, so that its scratch file, which is deleted, says nothing of the texts.
Source: Okazaki 2007 (CRFsuite); L-BFGS with L1 by OWL-QN, Andrew and Gao 2007.
"""

import struct
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from unname.errors import NEEDS_TAGGERS, ModelError
from unname.taggers.linear.sequences import FloatArray, IntArray

_FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])


class CrfSettings(NamedTuple):
    """Settings: penalties on the sum of the weights' sizes and of their squares, and passes over the texts at most."""

    c1: float = 0.05
    c2: float = 0.01
    passes: int = 80


def crfsuite() -> Any:
    """The library, which comes with the extra `taggers`; ModelError if it is absent."""
    try:
        import pycrfsuite  # type: ignore[import-untyped]
    except ImportError:
        raise ModelError(NEEDS_TAGGERS) from None
    return pycrfsuite


def learn(
    features: sparse.csr_array, labels: IntArray, lengths: IntArray, many: int, settings: CrfSettings
) -> tuple[FloatArray, FloatArray]:
    """Weights of features for labels (features, labels) and of labels in succession (labels, labels).

    `features` (tokens × features) holds for all lines after each other, `labels` (tokens,) are below `many`.
    """
    library = crfsuite()
    trainer = library.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": settings.c1, "c2": settings.c2, "max_iterations": settings.passes})
    names = [str(number) for number in range(max(features.shape[1], many))]
    ends = np.concatenate([[0], np.cumsum(lengths)]).tolist()
    for start, end in pairwise(ends):
        rows = [
            [names[column] for column in features.indices[features.indptr[at] : features.indptr[at + 1]]]
            for at in range(start, end)
        ]
        trainer.append(library.ItemSequence(rows), [names[label] for label in labels[start:end]])
    with TemporaryDirectory() as folder:
        path = Path(folder, "model")
        trainer.train(str(path))
        return _weights(library, path, features.shape[1], many)


def _weights(library: Any, path: Path, features: int, labels: int) -> tuple[FloatArray, FloatArray]:
    """The weights in CRFsuite's file: a header with the features' place, and 20 bytes each (format lCRF, version 100)."""
    tagger = library.Tagger()
    tagger.open(str(path))
    learned = tagger.info()
    states, steps = np.zeros((features, labels)), np.zeros((labels, labels))
    content = path.read_bytes()
    start = struct.unpack_from("<I", content, 28)[0]
    many = struct.unpack_from("<I", content, start + 8)[0]
    entries = np.frombuffer(content, _FEATURE, many, start + 12)
    label = _numbers(learned.labels)
    at = entries[entries["kind"] == 0]
    states[_numbers(learned.attributes)[at["source"]], label[at["target"]]] = at["weight"]
    between = entries[entries["kind"] == 1]
    steps[label[between["source"]], label[between["target"]]] = between["weight"]
    tagger.close()
    return states, steps


def _numbers(names: dict[str, Any]) -> IntArray:
    """Our number of each of CRFsuite's."""
    ours = np.zeros(len(names), np.int64)
    for name, number in names.items():
        ours[int(number)] = int(name)
    return ours
