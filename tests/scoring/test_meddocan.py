"""MEDDOCAN's figures: by hand, and the merged spans a second time with every pair of spans looked at."""

from hypothesis import given
from made_spans import cases, place

from unname.scoring.i2b2 import span_scores
from unname.scoring.meddocan import TOKEN, count_sentences, leak, meddocan_scores, merged, merged_scores
from unname.scoring.scores import Score
from unname.types import Document, Span

Case = tuple[list[Document], list[list[Span]]]
TEXT = "Nombre: Íñigo. Apellidos: Peña Ruiz, 28080 Madrid. Edad: 45 años."


def counts(score: Score) -> tuple[int, int, int]:
    return score.tp, score.fp, score.fn


def test_tokens_hold_accented_letters() -> None:
    assert TOKEN.findall(TEXT)[:2] == ["Nombre", "Íñigo"]


def test_the_five_scores_of_a_made_up_case() -> None:
    gold = Document("d", TEXT, spans=(
        place(TEXT, "Íñigo", "NOMBRE"), place(TEXT, "Peña Ruiz", "NOMBRE"), place(TEXT, "28080", "TERRITORIO"),
        place(TEXT, "Madrid", "TERRITORIO"), place(TEXT, "45 años", "EDAD"),
    ))  # fmt: skip
    guess = [place(TEXT, "Íñigo", "NOMBRE"), place(TEXT, "Peña", "NOMBRE"), place(TEXT, "Ruiz", "NOMBRE"),
             place(TEXT, "28080 Madrid", "CALLE"), place(TEXT, "45 años", "OTROS")]  # fmt: skip
    ner, strict, joined, binary, typed = meddocan_scores([gold], [guess])
    assert counts(ner.total) == (1, 4, 4)
    assert counts(strict.total) == (2, 3, 3)
    assert counts(joined.total) == (3, 0, 0), "Íñigo; Peña to Madrid; the age"
    assert counts(binary.total) == (7, 0, 0)
    assert counts(typed.total) == (3, 4, 4)
    assert leak(ner, [gold]) == 4 / count_sentences(TEXT) == 4 / 3
    published = merged_scores([gold], [guess], as_published=True)
    assert counts(published.total) == (3, 0, 0)


def test_as_published_a_merged_hit_counts_beside_its_parts() -> None:
    gold = Document("d", TEXT, spans=(place(TEXT, "28080", "TERRITORIO"), place(TEXT, "Madrid", "TERRITORIO")))
    guess = list(gold.spans)
    assert counts(merged_scores([gold], [guess]).total) == (1, 0, 0)
    assert counts(merged_scores([gold], [guess], as_published=True).total) == (3, 0, 0)
    half = merged_scores([gold], [guess[:1]], as_published=True)
    assert counts(half.total) == (1, 0, 1) and counts(merged_scores([gold], [guess[:1]]).total) == (0, 1, 1)


def test_labels_choose_what_is_scored() -> None:
    gold = Document("d", TEXT, spans=(place(TEXT, "Íñigo", "NOMBRE"), place(TEXT, "45 años", "EDAD")))
    assert [s.total.gold for s in meddocan_scores([gold], [[]], labels=["EDAD"])] == [1, 1, 1, 2, 2]


def test_without_sentences_there_is_no_leak() -> None:
    assert leak(span_scores([], []), []) == 0.0


def slow_merged(text: str, spans: list[Span]) -> set[tuple[int, int]]:
    """Join any two that overlap or have no letter or digit between them, until no two are left to join."""
    places = {(s.start, s.end) for s in spans}
    while True:
        for one in sorted(places):
            near = [
                two for two in places
                if two != one and one <= two and not any(c.isalnum() for c in text[one[1] : two[0]])
            ]  # fmt: skip
            if near:
                places -= {one, near[0]}
                places.add((one[0], max(one[1], near[0][1])))
                break
        else:
            return places


@given(cases())
def test_merging_joins_what_only_signs_part(case: Case) -> None:
    documents, predicted = case
    tp = fp = fn = 0
    for document, spans in zip(documents, predicted, strict=True):
        gold, guess = slow_merged(document.text, list(document.spans)), slow_merged(document.text, spans)
        assert merged(document.text, document.spans) == gold
        tp, fp, fn = tp + len(gold & guess), fp + len(guess - gold), fn + len(gold - guess)
    assert counts(merged_scores(documents, predicted).total) == (tp, fp, fn)


def published(text: str, gold: list[Span], guess: list[Span]) -> tuple[int, int, int]:
    """The script's counting, restated with lists."""
    sides = []
    for spans in (gold, guess):
        joined: list[tuple[int, int]] = []
        for span in sorted(spans, key=lambda s: (s.start, s.end)):
            if joined and all(not c.isalnum() for c in text[joined[-1][1] : span.start]):
                joined.append((joined.pop()[0], span.end))
            else:
                joined.append((span.start, span.end))
        sides.append(([(s.start, s.end) for s in spans], joined))
    hits = {p for p in sides[0][0] if p in sides[1][0]} | {p for p in sides[0][1] if p in sides[1][1]}

    def outside(own: list[tuple[int, int]], other: list[tuple[int, int]]) -> int:
        return len({p for p in own if p not in other and not any(a <= p[0] and p[1] <= b for a, b in hits)})

    return len(hits), outside(sides[1][0], sides[0][0]), outside(sides[0][0], sides[1][0])


@given(cases(most=1))
def test_merged_scores_as_published_are_those_of_the_script(case: Case) -> None:
    (document,), (spans,) = case
    found = merged_scores([document], [spans], as_published=True)
    assert counts(found.total) == published(document.text, list(document.spans), spans)
