"""The benchmark's figures: by hand, and a second time with sets of offsets."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_spans import place, spans

from unname.scoring.tab import (
    IGNORED,
    annotator_of,
    covered_spans,
    entities,
    entity_recall,
    masked_tokens,
    mention_recall,
    tab_scores,
    token_precision,
    uniform,
    unigram,
)
from unname.types import Document, Span

TEXT = "Mr Karl Roe of Lund applied (no. 123/45) and Karl won against the State of Sweden."


def document(*spans: Span, text: str = TEXT) -> Document:
    return Document("d", text, spans=tuple(sorted(spans)))


KARL = place(TEXT, "Mr Karl Roe of Lund", "PERSON", "direct", "x_a1_e1")
AGAIN = Span(45, 49, "PERSON", "direct", "x_a1_e1")
CODE = place(TEXT, "no. 123/45", "CODE", "direct", "x_a1_e2")
STATE = place(TEXT, "the State of Sweden", "ORG", "quasi", "x_a1_e3")
FREE = place(TEXT, "applied", "MISC", "no_mask", "x_a1_e4")
GOLD = document(KARL, AGAIN, CODE, STATE, FREE)


def masked(*parts: str) -> list[Span]:
    return [place(TEXT, part, "") for part in parts]


# --- by hand


def test_titles_function_words_and_punctuation_may_stay() -> None:
    guess = [*masked("Karl Roe", "Lund", "123", "45"), AGAIN, *masked("State", "Sweden")]
    scores = tab_scores([GOLD], [guess])
    assert [scores.leak(kind) for kind in ("direct", "quasi", "other")] == [0, 0, None]


def test_an_entity_is_masked_only_if_all_its_mentions_are() -> None:
    scores = tab_scores([GOLD], [masked("Mr Karl Roe of Lund", "123/45", "State of Sweden")])
    assert [(r.label, r.found, r.gold) for r in scores.recall.types] == [
        ("direct", 1, 2), ("direct CODE", 1, 1), ("direct PERSON", 0, 1), ("quasi", 1, 1), ("quasi ORG", 1, 1)
    ]  # fmt: skip
    assert scores.leak("direct") == 0.5
    assert scores.as_dict()["leak"] == {"direct": 0.5, "quasi": 0.0}


def test_a_part_of_a_word_or_a_sign_that_is_no_punctuation_must_be_covered() -> None:
    text = "paid £ 50"
    gold = document(Span(5, 9, "QUANTITY", "quasi"), text=text)
    assert entity_recall([gold], [[Span(7, 9)]]).total.found == 0
    assert entity_recall([gold], [[Span(5, 6), Span(7, 9)]]).total.found == 1
    assert entity_recall([gold], [[Span(5, 8)]]).total.found == 0


def test_two_spans_that_touch_cover_a_word_together() -> None:
    gold = document(Span(0, 5, "PERSON", "direct"), text="Smith")
    assert entity_recall([gold], [[Span(0, 3), Span(3, 5)]]).total.found == 1
    assert entity_recall([gold], [[Span(0, 3), Span(4, 5)]]).total.found == 0


def test_a_wider_prediction_covers() -> None:
    assert entity_recall([GOLD], [[Span(0, len(TEXT))]]).total.found == 3


def test_a_single_s_may_stay_only_after_an_apostrophe() -> None:
    for text, found in (("Roe's", 1), ("Roe’s", 1), ("Roe s", 0)):
        gold = document(Span(0, 5, "PERSON", "direct"), text=text)
        assert entity_recall([gold], [[Span(0, 3)]]).total.found == found


def test_precision_asks_every_annotator_of_the_document() -> None:
    other = place(TEXT, "Karl Roe", "PERSON", "direct", "x_a2_e1")
    gold = document(*GOLD.spans, other)
    assert {annotator_of(s) for s in gold.spans} == {"a1", "a2"} and annotator_of(Span(0, 1)) == ""
    guess = masked("Karl Roe", "Lund", "applied")
    assert token_precision([gold], [guess]).value == (2 + 2 + 1 + 0) / 8
    assert token_precision([GOLD], [guess]).value == 3 / 4


def test_precision_weighs_tokens_by_what_they_tell() -> None:
    def lengths(text: str, tokens: Sequence[tuple[int, int]]) -> list[float]:
        return [float(b - a) for a, b in tokens]

    guess = masked("Karl", "applied")
    scores = tab_scores([GOLD], [guess], weights={"lengths": lengths})
    assert scores.precision["uniform"].value == 0.5 and scores.precision["lengths"].value == 4 / 11
    assert scores.as_dict()["precision"]["lengths"]["value"] == pytest.approx(4 / 11, abs=1e-6)
    assert uniform("a b", [(0, 1), (2, 3)]) == [1.0, 1.0]


def test_a_document_without_annotations_has_no_annotator_and_does_not_count() -> None:
    assert token_precision([document()], [masked("Karl")]).n == 0
    assert token_precision([document(), GOLD], [masked("applied"), masked("Karl")]).value == 1


def test_spans_without_an_entity_are_entities_of_their_own_and_spans_without_kind_need_masking() -> None:
    found = entities(document(Span(0, 2, "A"), Span(3, 7, "A"), Span(8, 11, "B", "no_mask")))
    assert [(e.label, e.kind) for e in found] == [("A", "other"), ("A", "other")]


def test_an_entity_is_direct_if_any_of_its_mentions_is_and_free_mentions_may_stay() -> None:
    mixed = document(Span(3, 7, "PERSON", "quasi", "e"), Span(8, 11, "PERSON", "direct", "e"),
                     Span(45, 49, "PERSON", "no_mask", "e"))  # fmt: skip
    (entity,) = entities(mixed)
    assert entity.kind == "direct" and len(entity.mentions) == 2


# --- a second time, slowly


@st.composite
def court_cases(draw: st.DrawFn) -> tuple[Document, list[Span]]:
    """A text of words and signs, entities with several mentions by two annotators, and masks."""
    parts = draw(st.lists(st.sampled_from(["Roe", "of", "the", "Mr", " ", ", ", "’s", "£", "12", "Zoë", "_", "no"]),
                          min_size=1, max_size=12))  # fmt: skip
    text = "".join(parts)
    marks = draw(st.lists(st.tuples(spans(len(text)), st.sampled_from(["direct", "quasi", "no_mask"]),
                                    st.sampled_from(["", "x_a1_e1", "x_a1_e2", "x_a2_e3"])), max_size=6))  # fmt: skip
    gold = tuple(sorted(Span(s.start, s.end, s.label, kind, entity) for s, kind, entity in marks))
    return Document("d", text, spans=gold), draw(st.lists(spans(len(text)), max_size=4))


def slow_masked(text: str, mention: Span, guess: list[Span]) -> bool:
    """Take from the mention's offsets what is covered, then what may stay."""
    left = set(range(mention.start, mention.end)) - {i for s in guess for i in range(s.start, s.end)}
    inside = text[mention.start : mention.end]
    for token in re.finditer(r"\w+|[^\w]", inside):
        word, at = token[0].casefold(), mention.start + token.start()
        possessive = word == "s" and at > 0 and text[at - 1] in "'’"
        sign = not re.match(r"\w", word) and unicodedata.category(word)[0] in ("P", "Z", "C")
        if word in IGNORED or possessive or sign:
            left -= set(range(at, at + len(word)))
    return not left


@given(court_cases())
def test_recall_is_that_of_sets_of_offsets(case: tuple[Document, list[Span]]) -> None:
    gold, guess = case
    groups = defaultdict(list)
    for i, span in enumerate(gold.spans):
        groups[span.entity or str(i)].append(span)
    found = total = 0
    for mentions in groups.values():
        needed = [m for m in mentions if m.kind in ("direct", "quasi")]
        if needed:
            total += 1
            found += all(slow_masked(gold.text, m, guess) for m in needed)
    score = entity_recall([gold], [guess]).total
    assert (score.gold, score.found) == (total, found)


@given(court_cases())
def test_precision_is_that_of_a_triple_loop(case: tuple[Document, list[Span]]) -> None:
    gold, guess = case
    tokens = {(s.start + m.start(), s.start + m.end()) for s in guess
              for m in re.finditer(r"\w+", gold.text[s.start : s.end])}  # fmt: skip

    def who(span: Span) -> str:
        return span.entity.split("_")[1] if span.entity else ""

    people = {who(s) for s in gold.spans}
    right = 0
    for start, end in tokens:
        for person in people:
            right += any(
                who(s) == person and s.kind != "no_mask" and s.start <= start and end <= s.end for s in gold.spans
            )
    found = token_precision([gold], [guess])
    if tokens and people:
        assert found.value == pytest.approx(right / (len(tokens) * len(people))) and found.n == len(tokens)
    else:
        assert found.n == 0


@given(court_cases())
def test_mentions_tokens_and_spans_are_those_of_sets_of_offsets(case: tuple[Document, list[Span]]) -> None:
    gold, guess = case
    needed = [s for s in gold.spans if s.kind in ("direct", "quasi")]
    mentions = mention_recall([gold], [guess]).total
    assert (mentions.gold, mentions.found) == (len(needed), sum(slow_masked(gold.text, m, guess) for m in needed))

    def tokens(spans: Iterable[Span]) -> set[tuple[int, int]]:
        return {
            (s.start + m.start(), s.start + m.end())
            for s in spans
            for m in re.finditer(r"\w+", gold.text[s.start : s.end])
        }

    hidden, wanted = tokens(guess), [s for s in gold.spans if s.kind != "no_mask"]
    people = {annotator_of(s) for s in gold.spans}
    asked = {(person, token) for person in people for token in tokens(s for s in wanted if annotator_of(s) == person)}
    total = masked_tokens([gold], [guess]).total
    assert (total.gold, total.found) == (len(asked), sum(token in hidden for _, token in asked))
    assert total.predicted == len(hidden) * len(people)
    if hidden and people:
        assert total.precision.value == pytest.approx(token_precision([gold], [guess]).value)
    covered = {i for s in guess for i in range(s.start, s.end)}
    whole = covered_spans([gold], [guess]).total
    assert whole.found == len({(s.start, s.end) for s in wanted if covered.issuperset(range(s.start, s.end))})
    mine = {(s.start, s.end): set(range(s.start, s.end)) for s in guess}
    theirs = [set(range(s.start, s.end)) for s in wanted]
    assert whole.right == sum(any(own <= other or other <= own for other in theirs) for own in mine.values())


# --- beside the benchmark's own


def test_tokens_mentions_and_spans_beside_entities() -> None:
    guess = [place(TEXT, "Karl Roe of Lund applied", ""), *masked("123/45")]
    scores = tab_scores([GOLD], [guess])
    assert [(r.label, r.found, r.gold) for r in scores.mentions.types] == [("direct", 2, 3), ("quasi", 0, 1)]
    tokens = scores.tokens.total
    assert (tokens.found, tokens.predicted, tokens.right) == (6, 7, 6)  # All but "applied".
    assert tokens.precision.value == pytest.approx(scores.precision["uniform"].value)
    wide = tab_scores([document(Span(3, 7, "PERSON"))], [[Span(0, 11, "")]]).spans.total
    assert (wide.found, wide.right) == (1, 1)


def test_rare_words_weigh_more_without_a_language_model() -> None:
    weigh = unigram([document(text="the the the Lund")])
    common, rare = weigh("the Lund", [(0, 3), (4, 8)])
    assert 0 < common < rare
