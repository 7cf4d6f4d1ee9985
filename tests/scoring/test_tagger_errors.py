"""A tagger's errors: every span is judged once, as a slow reading of the same definitions judges it."""

import re
from collections import Counter

from hypothesis import given
from made_spans import cases, place

from unname.scoring.tagger_errors import (
    BORDERS,
    EXACT,
    FALSE,
    KINDS,
    MISSED,
    PARTLY,
    WRONG_LABEL,
    find_errors,
    render_errors,
)
from unname.types import Document, Span

Case = tuple[list[Document], list[list[Span]]]
TEXT = "Ann Lee of Lund, aged 44, saw Dr. Roe on 2 May; Ann Lee was well."
GOLD = (
    place(TEXT, "Ann Lee", "NAME"), place(TEXT, "Lund", "CITY"), place(TEXT, "44", "AGE"), place(TEXT, "Roe", "NAME"),
    place(TEXT, "2 May", "DATE"), Span(48, 55, "NAME"),
)  # fmt: skip
GUESS = [place(TEXT, "Ann", "NAME"), place(TEXT, "Lund", "NAME"), place(TEXT, "aged 44,", "AGE"),
         place(TEXT, "Roe", "NAME"), place(TEXT, "well", "CITY")]  # fmt: skip


def document(text: str = TEXT, spans: tuple[Span, ...] = GOLD) -> Document:
    return Document("d", text, spans=spans)


def test_every_kind_of_error_has_its_place() -> None:
    errors = find_errors([document()], [GUESS])
    assert errors.counts == {
        ("NAME", PARTLY): 1, ("CITY", WRONG_LABEL): 1, ("AGE", BORDERS): 1, ("NAME", EXACT): 1, ("DATE", MISSED): 1,
        ("NAME", MISSED): 1, ("CITY", FALSE): 1,
    }  # fmt: skip
    assert errors.groups[WRONG_LABEL][0].other == "NAME" and errors.count(MISSED) == 2
    assert errors.groups[BORDERS][0].other == "", "found under its own type"
    assert errors.labels == ["AGE", "CITY", "DATE", "NAME"]


def test_what_only_signs_and_spaces_are_left_of_is_covered() -> None:
    text = "(Ann Lee)"
    errors = find_errors([document(text, (Span(0, 9, "NAME"),))], [[Span(1, 4, "NAME"), Span(5, 8, "NAME")]])
    assert errors.counts == {("NAME", BORDERS): 1}


def test_the_same_words_are_one_row_whatever_their_case_and_the_commonest_come_first() -> None:
    text = "Ann LEE, ann\nlee, Bo"
    spans = (Span(0, 7, "NAME"), Span(9, 16, "NAME"), Span(18, 20, "NAME"))
    errors = find_errors([document(text, spans), document(text, spans)], [[], []])
    first, second = errors.groups[MISSED]
    assert (first.count, len(first.documents), len(first.examples)) == (4, 2, 3)
    assert second.count == 2 and first.text == "Ann LEE"


def test_false_alarms_of_a_kind_are_ordered_by_score() -> None:
    errors = find_errors([document(spans=())], [[Span(0, 3, "A", score=0.2), Span(4, 7, "A", score=0.9)]])
    assert [group.score for group in errors.groups[FALSE]] == [0.9, 0.2]


def test_training_says_which_words_are_new_under_their_type() -> None:
    taught = document("in lund and Ann Lee", (Span(3, 7, "CITY"), Span(12, 19, "PLACE")))
    errors = find_errors([document()], [[]], training=[taught])
    assert {group.text: group.seen for group in errors.groups[MISSED]} == {
        "Ann Lee": False, "Lund": True, "44": False, "Roe": False, "2 May": False
    }  # fmt: skip
    assert errors.unseen(MISSED) == 5, "Ann Lee is missed twice"
    assert find_errors([document()], [[]]).groups[MISSED][0].seen is None


def test_labels_choose_what_is_looked_at() -> None:
    assert find_errors([document()], [GUESS], labels={"DATE"}).counts == {("DATE", MISSED): 1}


def test_no_view_of_errors_shows_text_but_the_page() -> None:
    errors = find_errors([document()], [GUESS])
    group = errors.groups[PARTLY][0]
    assert "Ann" not in repr(errors) + repr(group) + repr(group.examples)


def test_a_passage_is_cut_where_marks_begin_and_end() -> None:
    text = "x" * 70 + " Ann Lee " + "y" * 70
    (group,) = find_errors([document(text, (Span(71, 78, "NAME"),))], [[Span(71, 74, "NAME")]]).groups[PARTLY]
    (passage,) = group.examples
    assert [(p.text, p.gold, p.predicted, p.here) for p in passage] == [
        ("x" * 59 + " ", False, False, False), ("Ann", True, True, True), (" Lee", True, False, True),
        (" " + "y" * 59, False, False, False),
    ]  # fmt: skip


# --- a second time, slowly


def slow_kind(text: str, span: Span, guess: list[Span]) -> str:
    inside = set(range(span.start, span.end))
    touching = [s for s in guess if inside & set(range(s.start, s.end))]
    left = [i for i in inside if not any(s.start <= i < s.end for s in touching)]
    if span in guess:
        return EXACT
    if not touching:
        return MISSED
    if any(re.match(r"\w", text[i]) for i in left):
        return PARTLY
    return BORDERS if span.label in [s.label for s in touching] else WRONG_LABEL


@given(cases())
def test_kinds_are_those_of_positions_one_by_one(case: Case) -> None:
    documents, predicted = case
    expected: Counter[tuple[str, str]] = Counter()
    for d, guess in zip(documents, predicted, strict=True):
        expected.update((span.label, slow_kind(d.text, span, guess)) for span in set(d.spans))
        for span in set(guess):
            if not any(set(range(span.start, span.end)) & set(range(s.start, s.end)) for s in d.spans):
                expected[span.label, FALSE] += 1
    errors = find_errors(documents, predicted)
    assert errors.counts == expected
    for kind in KINDS:
        assert sum(group.count for group in errors.groups[kind]) == errors.count(kind)


# --- the page


def rows(page: str) -> int:
    return page.count('<tr class="e ')


def test_the_page_holds_every_kind_and_nothing_from_elsewhere() -> None:
    page = render_errors(find_errors([document()], [GUESS]))
    assert all(meaning in page for meaning in KINDS.values()) and rows(page) == 6
    assert "default-src 'none'" in page and "shows text of the documents" in page
    assert not re.search(r"<script|<link|<img|src=|href=|url\(|@import| on\w+=", page)


def test_hostile_text_and_labels_are_only_shown() -> None:
    text = "<script>alert(1)</script> </style><b>x \u202egnp.exe\u200b"
    bad = "</style><script>x</script>\"'"
    spans = (Span(0, len(text), bad), Span(0, 8, bad))
    page = render_errors(find_errors([document(text, spans)], [[Span(3, 9, "]]><svg onload=1>")]]))
    assert "<script" not in page and "<svg" not in page and page.count("</style>") == 1
    assert "\u202e" not in page and "\u200b" not in page and "\\u202e" in page


def test_the_page_shows_so_many_rows_of_each_kind_and_type_and_says_what_is_left_out() -> None:
    text = " ".join(f"w{i:02}" for i in range(20))
    spans = tuple(Span(4 * i, 4 * i + 3, "A" if i < 15 else "B") for i in range(20))
    page = render_errors(find_errors([document(text, spans)], [[]]), most=4)
    assert rows(page) == 8 and "12 more rows" in page
    assert render_errors(find_errors([], [])).count("<details") == len(KINDS)
