"""The scores of taggers by letters, against a plain second count."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.entity_scores import ALL, Asked, false_finds, figures, ours, tallied, without_title
from unname.types import Span

TEXT = "Dr. Anna-Lee Weiss, 46, of Ulm. No Foley catheter on 2 May."
LABELS = ("NAME", "PLACE", "DATE")


def test_a_stretch_is_found_by_its_letters_and_a_find_is_right_where_it_touches() -> None:
    asked = [
        Asked(4, 18, "NAME", frozenset(("NAME",))),
        Asked(27, 30, "PLACE", frozenset(("PLACE", "ADDRESS"))),
        Asked(53, 58, "", frozenset(("DATE",))),
    ]
    found = [
        Span(4, 8, "NAME"),
        Span(9, 18, "PLACE"),
        Span(27, 30, "ADDRESS"),
        Span(35, 40, "NAME"),
        Span(53, 54, "DATE"),
    ]
    tally = tallied(("d", TEXT), asked, found, {"NAME", "PLACE", "DATE"})
    # The hyphen that nothing covers is no letter; the name is found by two spans of which one says otherwise.
    assert tally.any["NAME"] == [1, 1, 2, 1] and tally.same["NAME"] == [1, 0, 2, 1]
    assert tally.any["PLACE"] == [1, 1, 1, 1] and tally.same["PLACE"] == [1, 1, 1, 0]
    # What need not be found makes a find right; what is not judged is no find.
    assert tally.any["DATE"] == [0, 0, 1, 1] and "ADDRESS" not in tally.any
    assert tally.any[ALL] == [2, 2, 4, 3]
    made = figures([tally])
    assert made["false"]["finds"] == 1 and made["words"] == 13
    assert made["false"]["per 1,000"] == pytest.approx(76.92)
    assert next(iter(made["labels"])) == ALL and made["labels"]["PLACE"]["precision same label"]["value"] == 0.0


def test_labels_of_others_become_ours_and_titles_are_left_out() -> None:
    assert [s.label for s in ours([Span(0, 1, "GPE"), Span(1, 2, "PHONE"), Span(2, 3, "EVENT")])] == [
        "PLACE", "CONTACT", "EVENT",
    ]  # fmt: skip
    for said, name in (
        ("Mr J. Smith", "J. Smith"),
        ("Prof. Dr. Weiss", "Weiss"),
        ("Mr ", "Mr "),
        ("Messrs Mr Lee", "Lee"),
    ):
        start, end = without_title(f"x {said}", 2, 2 + len(said))
        assert f"x {said}"[start:end] == name


def test_false_finds_have_an_interval_by_document() -> None:
    rows = [tallied((str(i), TEXT), [], [Span(0, 2, "NAME")] * (i % 2), {"NAME"}) for i in range(20)]
    found = false_finds(rows)
    assert found["finds"] == 10 and found["ci"][0] < found["per 1,000"] < found["ci"][1]
    assert false_finds([]) == {"finds": 0, "per 1,000": None, "ci": None}


_spans = st.lists(st.tuples(st.integers(0, 58), st.integers(1, 12), st.sampled_from(LABELS)), max_size=6)


@given(_spans, _spans)
def test_the_counts_are_those_of_a_plain_count(
    gold: list[tuple[int, int, str]], found: list[tuple[int, int, str]]
) -> None:
    asked = [Asked(a, min(a + n, len(TEXT)), label, frozenset((label,))) for a, n, label in gold]
    spans = [Span(a, min(a + n, len(TEXT)), label) for a, n, label in found]
    tally = tallied(("d", TEXT), asked, spans, set(LABELS))
    counts: Counter[tuple[str, int]] = Counter()
    for one in asked:
        letters = [at for at in range(one.start, one.end) if TEXT[at].isalnum()]
        counts[one.row, 0] += bool(letters)
        counts[one.row, 1] += bool(letters) and all(any(s.start <= at < s.end for s in spans) for at in letters)
    for span in spans:
        letters = [at for at in range(span.start, span.end) if TEXT[at].isalnum()]
        counts[span.label, 2] += bool(letters)
        counts[span.label, 3] += any(any(a.start <= at < a.end for a in asked) for at in letters)
    for label in LABELS:
        assert tally.any.get(label, [0, 0, 0, 0]) == [counts[label, column] for column in range(4)]
