"""Word vectors of one's own corpus: company decides."""

from typing import Any

import numpy as np

from unname.taggers.wordvectors import teach_word_vectors

HOW: dict[str, Any] = {"width": 12, "epochs": 8, "batch": 64, "most_frequent": 1.0}


def test_words_of_like_company_come_to_lie_near_each_other() -> None:
    random = np.random.default_rng(0)
    # Words 0–3 stand among 8–11, words 4–7 among 12–15.
    rows = []
    for _ in range(400):
        side = int(random.integers(2))
        rows.append(
            [int(w) for _ in range(6) for w in (random.integers(4) + 4 * side, random.integers(4) + 8 + 4 * side)]
        )
    found = teach_word_vectors(rows, 16, seed=1, **HOW)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    near = unit @ unit.T
    assert near[0, 1:4].min() > near[0, 4:8].max()
    assert near[5, [4, 6, 7]].min() > near[5, :4].max()
    assert np.array_equal(found, teach_word_vectors(rows, 16, seed=1, **HOW))


def test_texts_without_words_teach_nothing_and_break_nothing() -> None:
    assert teach_word_vectors([[], [0]], 2, width=4, epochs=5, seed=0).shape == (2, 4)
