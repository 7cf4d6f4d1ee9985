"""The i2b2 scorer's figures, against positions one by one and against its own way of comparing."""

from itertools import permutations

import pytest
from hypothesis import given
from made_spans import LABELS, cases, disjoint, place

from unname.scoring.i2b2 import HIPAA, PUBLISHED_HIPAA, span_scores, token_items, token_scores, wanted
from unname.scoring.scores import Score
from unname.types import Document, Span

Case = tuple[list[Document], list[list[Span]]]
TEXT = "Ms. Ann Lee, 25yo, seen 12/03/2019 by Dr. Roe; record AB-77."


def counts(score: Score) -> tuple[int, int, int]:
    return score.tp, score.fp, score.fn


def document(*spans: Span, text: str = TEXT) -> Document:
    return Document("d", text, spans=tuple(sorted(spans)))


# --- by hand


def test_tokens_are_letters_and_digits_inside_of_spans() -> None:
    assert token_items(TEXT, [place(TEXT, "12/03/2019", "DATE")]) == {
        ((24, 26), "DATE"), ((27, 29), "DATE"), ((30, 34), "DATE")
    }  # fmt: skip
    cut = token_items(TEXT, [place(TEXT, "nn Le", "PATIENT")])
    assert [TEXT[a:b] for (a, b), _ in sorted(cut)] == ["nn", "Le"], "a border cuts a token"
    assert token_items("Zoë", [Span(0, 3, "PATIENT")]) == {((0, 2), "PATIENT")}, "as the scorer has it: ASCII only"


def test_the_binary_score_asks_for_no_label_and_counts_no_other_type() -> None:
    gold = document(place(TEXT, "Ann Lee", "PATIENT"), place(TEXT, "12/03/2019", "DATE"), place(TEXT, "Roe", "DOCTOR"))
    guess = [place(TEXT, "Ann", "PATIENT"), place(TEXT, "12/03", "PHONE"), place(TEXT, "Roe", "DOCTOR"),
             place(TEXT, "25", "AGE")]  # fmt: skip
    assert counts(token_scores([gold], [guess]).total) == (3, 1, 2)
    assert counts(token_scores([gold], [guess], typed=True).total) == (1, 3, 4)
    assert counts(token_scores([gold], [guess], labels=None).total) == (4, 1, 2)
    phone = next(row for row in token_scores([gold], [guess]).types if row.label == "PHONE")
    assert (phone.predicted, phone.right, phone.gold) == (2, 2, 0)


def test_the_published_scorer_never_matches_a_record_number() -> None:
    gold = document(place(TEXT, "AB-77", "IDNUM"), place(TEXT, "25", "AGE"))
    guess = [place(TEXT, "25", "AGE")]
    assert counts(token_scores([gold], [guess]).total) == (1, 0, 2)
    assert counts(token_scores([gold], [guess], as_published=True).total) == (1, 0, 0)
    assert {"IDNUM"} == HIPAA - PUBLISHED_HIPAA and len(HIPAA) == 19


def test_the_published_scorer_counts_an_empty_token_for_a_span_of_signs() -> None:
    gold, guess = document(place(TEXT, ", ", "AGE")), [place(TEXT, ", ", "AGE")]
    assert counts(token_scores([gold], [guess]).total) == (0, 0, 0)
    assert counts(token_scores([gold], [guess], as_published=True).total) == (1, 0, 0)


def test_a_relaxed_end_may_be_off_by_two_but_the_start_not_at_all() -> None:
    gold = document(place(TEXT, "Ann Lee", "PATIENT"), place(TEXT, "12/03/2019", "DATE"), place(TEXT, "AB-77", "IDNUM"))
    guess = [place(TEXT, "Ann Lee, ", "PATIENT"), place(TEXT, "12/03/2", "DATE"), place(TEXT, "B-77", "IDNUM")]
    assert counts(span_scores([gold], [guess]).total) == (0, 3, 3)
    assert counts(span_scores([gold], [guess], slack=2).total) == (1, 2, 2)
    assert counts(span_scores([gold], [guess], slack=3).total) == (2, 1, 1)


def test_what_needs_no_masking_is_no_gold() -> None:
    gold = document(Span(4, 7, "PATIENT", "no_mask"), Span(8, 11, "PATIENT", "direct"))
    assert counts(span_scores([gold], [[Span(8, 11, "PATIENT")]]).total) == (1, 0, 0)
    assert wanted(gold.spans, {"DATE"}) == []


def test_every_document_needs_its_prediction() -> None:
    with pytest.raises(ValueError):
        span_scores([document()], [])


# --- a second time, slowly


def slow_tokens(text: str, spans: list[Span] | tuple[Span, ...], labels: set[str]) -> list[tuple[tuple[int, ...], str]]:
    """Every token of every span as the tuple of its positions."""
    found = []
    for span in spans:
        if span.label not in labels:
            continue
        run: list[int] = []
        for i in range(span.start, span.end + 1):
            if i < span.end and text[i].isascii() and text[i].isalnum():
                run.append(i)
            elif run:
                found.append((tuple(run), span.label))
                run = []
    return found


def slow_counts(gold: list[list[object]], guess: list[list[object]]) -> tuple[int, int, int]:
    """True, false and missed of lists in which a thing may stand twice but counts once."""
    tp = fp = fn = 0
    for ours, theirs in zip(gold, guess, strict=True):
        for at, one in enumerate(ours):
            if one not in ours[:at]:
                tp, fn = (tp + 1, fn) if one in theirs else (tp, fn + 1)
        fp += sum(one not in ours and one not in theirs[:at] for at, one in enumerate(theirs))
    return tp, fp, fn


@given(cases())
def test_token_scores_are_those_of_positions_one_by_one(case: Case) -> None:
    documents, predicted = case
    for labels in (set(LABELS), set(HIPAA)):
        gold = [slow_tokens(d.text, d.spans, labels) for d in documents]
        guess = [slow_tokens(d.text, s, labels) for d, s in zip(documents, predicted, strict=True)]
        chosen = None if labels == set(LABELS) else HIPAA
        typed = token_scores(documents, predicted, labels=chosen, typed=True)
        assert counts(typed.total) == slow_counts([list(g) for g in gold], [list(g) for g in guess])
        binary = token_scores(documents, predicted, labels=chosen)
        bare = [[[p for p, _ in row] for row in side] for side in (gold, guess)]
        assert counts(binary.total) == slow_counts([list(g) for g in bare[0]], [list(g) for g in bare[1]])
        for row in typed.types:
            mine = [[[i for i in items if i[1] == row.label] for items in side] for side in (gold, guess)]
            assert counts(row) == slow_counts([list(g) for g in mine[0]], [list(g) for g in mine[1]])


@given(cases())
def test_strict_span_scores_are_those_of_a_double_loop(case: Case) -> None:
    documents, predicted = case
    gold = [[(s.start, s.end, s.label) for s in d.spans] for d in documents]
    guess = [[(s.start, s.end, s.label) for s in spans] for spans in predicted]
    assert counts(span_scores(documents, predicted).total) == slow_counts(
        [list(g) for g in gold], [list(g) for g in guess]
    )
    bare = [[[(a, b) for a, b, _ in row] for row in side] for side in (gold, guess)]
    assert counts(span_scores(documents, predicted, typed=False).total) == slow_counts(
        [list(g) for g in bare[0]], [list(g) for g in bare[1]]
    )


class Tag:
    """A tag that equals another as in the scorer: the end is left out of the hash and may differ by two."""

    def __init__(self, span: Span) -> None:
        self.key, self.end = (span.start, span.label), span.end

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.key == other.key and abs(self.end - other.end) <= 2


@given(cases())
def test_relaxed_scores_of_disjoint_spans_are_those_of_sets_of_tags(case: Case) -> None:
    documents = [Document(d.id, d.text, spans=tuple(disjoint(list(d.spans)))) for d in case[0]]
    predicted = [disjoint(spans) for spans in case[1]]
    tp = fp = fn = 0
    for d, spans in zip(documents, predicted, strict=True):
        gold, guess = set(map(Tag, d.spans)), set(map(Tag, spans))
        tp, fp, fn = tp + len(gold & guess), fp + len(guess - gold), fn + len(gold - guess)
    assert counts(span_scores(documents, predicted, slack=2).total) == (tp, fp, fn)


def most_matches(gold: list[tuple[int, int, str]], guess: list[tuple[int, int, str]]) -> int:
    """The largest number of pairs, by trying every order."""
    small, large = sorted((gold, guess), key=len)
    return max(
        sum(a[0] == b[0] and a[2] == b[2] and abs(a[1] - b[1]) <= 2 for a, b in zip(small, order, strict=False))
        for order in permutations(large, len(small))
    )


@given(cases(most=1))
def test_relaxed_scores_match_as_many_as_can_be(case: Case) -> None:
    documents, predicted = case
    gold = sorted({(s.start, s.end, s.label) for s in documents[0].spans})
    guess = sorted({(s.start, s.end, s.label) for s in predicted[0]})
    tp = most_matches(gold, guess)
    assert counts(span_scores(documents, predicted, slack=2).total) == (tp, len(guess) - tp, len(gold) - tp)
