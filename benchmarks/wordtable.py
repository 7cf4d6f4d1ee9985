"""Make the table of word vectors that the package ships: what MiniLM says of each word of its vocabulary alone.

    python -m benchmarks.wordtable

The 128 main directions of the vectors, each in steps of 1/127 of its largest value. The words are those of the
encoder's own vocabulary that are whole words.
"""

import re

import numpy as np
from safetensors.numpy import save

from benchmarks.biencoder import bundled_encoder
from benchmarks.results import say
from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore, SentenceEncoder
from unname.reidentifiers.learned.wordtable import TABLE
from unname.text import WORD, fold

DIMENSIONS = 128


def main() -> None:
    """Read every word, find the main directions, write the table."""
    lines = (bundled_encoder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    words = [line for line in lines if WORD.fullmatch(line) and fold(line) == line and not re.match(r"\[.*\]", line)]
    vectors = SentenceEncoder(bundled_encoder()).embed(words, EmbeddingStore())
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred.astype(np.float64), full_matrices=False)
    found = (centred @ directions[:DIMENSIONS].T).astype(np.float32)
    scale = np.abs(found).max(axis=0) / 127
    content = save({
        "words": np.frombuffer("\n".join(words).encode(), np.uint8), "scale": scale.astype(np.float32),
        "vectors": np.rint(found / scale).astype(np.int8),
    })  # fmt: skip
    TABLE.write_bytes(content)
    say(f"{len(words)} words, {len(content) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
