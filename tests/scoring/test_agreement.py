"""Cohen's kappa of two maskings, by hand and at its ends."""

import math

import pytest
from sklearn.metrics import cohen_kappa_score

from unname.scoring.agreement import agreement
from unname.types import Document, Span

TEXT = "Ada Vance lives in Porto"
DOCUMENT = Document("1", TEXT)
NAME, CITY, FIRST = Span(0, 9, "X"), Span(19, 24, "X"), Span(0, 3, "X")


def test_the_same_masks_agree_wholly_and_others_by_what_they_share() -> None:
    assert agreement([DOCUMENT], [[NAME, CITY]], [[NAME, CITY]]) == {"characters": 1.0, "words": 1.0}
    found = agreement([DOCUMENT], [[NAME, CITY]], [[FIRST]])
    one, other = (
        [any(s.start <= i < s.end for s in spans) for i in range(len(TEXT))] for spans in ([NAME, CITY], [FIRST])
    )
    assert found["characters"] == pytest.approx(cohen_kappa_score(one, other))
    assert found["words"] == pytest.approx(cohen_kappa_score([1, 1, 0, 0, 1], [1, 0, 0, 0, 0]))


def test_nothing_hidden_by_either_says_nothing() -> None:
    assert all(map(math.isnan, agreement([DOCUMENT], [[]], [[]]).values()))
