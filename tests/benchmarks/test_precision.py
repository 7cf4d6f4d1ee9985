"""The arithmetic of the rules' precision and speed."""

import pytest

from benchmarks.precision import Corpus, figures, speeds
from unname.types import Document, Span

TEXT = "Seen on 2 May by Dr Anna Lee in Ward 7."


def test_spans_that_touch_no_annotation_are_false_and_direct_ones_must_be_covered_whole() -> None:
    asked = [Document("d", TEXT, spans=(Span(20, 28, "PER", kind="direct"), Span(32, 38, "LOC")))]
    corpus = Corpus(lambda: asked, lambda span: span.label == "PER", frozenset(("DATE",)))
    found = figures(corpus, asked, [[Span(8, 13, "DATE"), Span(0, 4, "NAME"), Span(20, 24, "NAME"), Span(32, 33, "X")]])
    assert found["false words"] == {"DATE": 2, "NAME": 1} and found["false spans"] == {"DATE": 1, "NAME": 1}
    assert found["false words counted"] == 1 and found["words"] == 11 and found["right spans"] == 2
    assert found["false per 1,000"] == pytest.approx(90.909)
    assert found["direct"] == 1 and found["recall of direct"]["value"] == 0.0
    whole = figures(corpus, asked, [[Span(17, 24, "NAME"), Span(25, 28, "NAME")]])
    assert whole["recall of direct"]["value"] == 1.0


def test_the_ratio_is_the_median_of_rounds() -> None:
    times = {"before": [{"a": 1.0}, {"a": 2.0}, {"a": 1.0}], "after": [{"a": 1.5}, {"a": 2.0}, {"a": 1.2}]}
    found = speeds({"a": 300}, times)
    assert found["a"] == {"before": 300, "after": 200, "time after / before": 1.2, "of rounds": [1.5, 1.0, 1.2]}
    assert found["all"] == found["a"]
