"""The baselines of Morris 2022: profile words, rarest first, both, at random, and nothing."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from made_cases import case_of, cases, hard_cases, reached, recounted, rendered

from unname.masking.base import Case, Method
from unname.masking.baselines import Idf, Lexical, Nothing, Random
from unname.masking.presets import IDF_TABLE_AWARE
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.text import folded_words
from unname.types import Mask

SEEKING = (Idf, IDF_TABLE_AWARE, Random)
PEOPLE = ["Ada Byron mill", "the mill", "the smith of York", "the smith of Leeds", "smith of Leeds", "of Leeds"]


def hidden(case: Case, masks: Sequence[Mask]) -> list[set[str]]:
    """The folded words hidden in each document."""
    return [{w.folded for w in row if mask.covers(w.start, w.end)} for mask, row in zip(masks, case.words, strict=True)]


def order(masks: Sequence[Mask], case: Case) -> list[str]:
    """Folded hidden words in order of steps."""
    steps = {
        (s.step, d): w.folded
        for d, (mask, row) in enumerate(zip(masks, case.words, strict=True))
        for s in mask.spans
        for w in row
        if w.start == s.start
    }
    return [steps[key] for key in sorted(steps)]


@given(cases)
def test_nothing_hides_nothing(case: Case) -> None:
    assert all(mask.spans == () for mask in Nothing().mask(case))


def test_nothing_keeps_the_floor() -> None:
    case = case_of(PEOPLE, ["Ada Byron"], mandatory=[[(0, 3)]])
    assert [(s.start, s.end, s.method) for s in Nothing().mask(case)[0].spans] == [(0, 3, "rule")]


@given(cases)
def test_lexical_hides_exactly_the_words_of_the_profile_whatever_the_crowd(case: Case) -> None:
    known = set(folded_words(profile_text(case.profile)))
    assert hidden(case, Lexical().mask(case)) == [known & {w.folded for w in row} for row in case.words]


def test_lexical_reads_every_field_and_no_field_name() -> None:
    case = case_of(["x"], ["note of Ada"])
    profile = replace(case.profile, fields={"note": "Ada", "trade": "writer of"})
    assert hidden(case, Lexical().mask(replace(case, profile=profile))) == [{"ada", "of"}]


@pytest.mark.parametrize("make", SEEKING)
@given(case=cases)
def test_baselines_that_seek_a_crowd_reach_it(make: Callable[[], Method], case: Case) -> None:
    assert reached(case, make().mask(case))


@pytest.mark.parametrize("make", [Idf, Random])
@given(case=cases)
def test_they_stop_as_soon_as_every_crowd_is_large_enough(make: Callable[[], Method], case: Case) -> None:
    masks = make().mask(case)
    last = max((s.step for m in masks for s in m.spans), default=0)
    for step in range(last):
        shown = [Mask(m.document, tuple(s for s in m.spans if s.step <= step)) for m in masks]
        assert not reached(case, shown)


def test_idf_hides_the_rarest_words_first_and_unknown_ones_before_all() -> None:
    case = case_of(PEOPLE, ["of the mill, the smith, Ada and Zoë"], k=5, members=("bm25",))
    found = order(Idf(counted=rarity_of(PEOPLE)).mask(case), case)
    frequency = {w: sum(w in folded_words(p) for p in PEOPLE) for w in found}
    assert [frequency[w] for w in found] == sorted(frequency.values())
    assert found[:3] == ["and", "zoë", "ada"]


def test_words_that_documents_use_are_not_rare_though_no_profile_says_them() -> None:
    texts = ["Ada and Zoë", "and so on", "and then"]
    case = case_of(PEOPLE, texts[:1], k=5, members=("bm25",))
    found = order(Idf(counted=rarity_of([*texts, *PEOPLE])).mask(case), case)
    assert found[:2] == ["zoë", "ada"] and "and" not in found[:2]


def test_a_threshold_cuts_by_rarity_whatever_the_crowd() -> None:
    text = "of the mill, the smith, Ada and Zoë"
    case = case_of(PEOPLE, [text], k=1, members=("bm25",))
    counted = rarity_of(PEOPLE)
    for threshold in (0.0, 0.3, 0.9, 1.5, 9.0):
        wanted = {
            w for w in folded_words(text) if math.log(7 / (1 + sum(w in folded_words(p) for p in PEOPLE))) >= threshold
        }
        plain, aware = (make(counted=counted, idf_threshold=threshold) for make in (Idf, IDF_TABLE_AWARE))
        assert hidden(case, plain.mask(case)) == [wanted] and not plain.seeks_crowd
        assert hidden(case, aware.mask(case)) == [wanted | (set(folded_words(PEOPLE[0])) & set(folded_words(text)))]
    assert Idf().seeks_crowd and IDF_TABLE_AWARE().seeks_crowd


def test_idf_table_aware_hides_the_profile_first_then_the_rarest() -> None:
    case = case_of(PEOPLE, ["Zoë of the mill saw Ada, a smith"], k=5, members=("bm25",))
    found = order(IDF_TABLE_AWARE(counted=rarity_of(PEOPLE)).mask(case), case)
    assert found[:2] == ["ada", "mill"]
    assert set(found[:2]) <= set(folded_words(PEOPLE[0]))


@given(cases)
def test_idf_table_aware_hides_every_word_of_the_profile_and_goes_on_where_that_is_not_enough(case: Case) -> None:
    known = hidden(case, Lexical().mask(case))
    found = hidden(case, IDF_TABLE_AWARE().mask(case))
    assert all(some <= more for some, more in zip(known, found, strict=True))
    if reached(case, Lexical().mask(case)):
        assert known == found


def test_random_order_follows_from_seed_and_document_alone() -> None:
    text = "the old mill near York where Ada met the smith of Leeds in 1897"
    case = case_of(PEOPLE, [text], k=5, members=("bm25",))
    assert order(Random(seed=1).mask(case), case) == order(Random(seed=1).mask(case), case)
    found = {tuple(order(Random(seed=seed).mask(case), case)) for seed in range(20)}
    assert len(found) > 10
    other = replace(case, documents=(replace(case.documents[0], id="other"),))
    assert order(Random().mask(case), case) != order(Random().mask(other), other)


def test_random_order_within_a_document_is_the_same_beside_other_documents() -> None:
    text = "the old mill near York where Ada met the smith of Leeds in 1897"
    alone = case_of(PEOPLE, [text], k=5, members=("bm25",))
    beside = case_of(PEOPLE, ["Ada Byron, of the mill", text], k=5, members=("bm25",))
    documents = (replace(beside.documents[0], id="first"), alone.documents[0])
    beside = replace(beside, documents=documents)
    one = order(Random().mask(alone), alone)
    mask = Random().mask(beside)[1]
    steps = {s.step: w.folded for s in mask.spans for w in beside.words[1] if w.start == s.start}
    both = [steps[step] for step in sorted(steps)]
    shorter = min(len(one), len(both))
    assert shorter > 3 and one[:shorter] == both[:shorter]


def test_every_word_has_the_same_chance_to_be_hidden_first() -> None:
    text = "mill York Ada Leeds"
    case = case_of(["mill York Ada Leeds", "x"], [text], k=1, members=("bm25",))
    first = [order(Random(seed=seed).mask(case), case)[0] for seed in range(400)]
    assert all(60 < first.count(word) < 140 for word in ("mill", "york", "ada", "leeds"))


@pytest.mark.parametrize("make", [Lexical, *SEEKING])
@given(case=hard_cases)
def test_words_that_must_stay_stay_and_the_budget_holds(make: Callable[[], Method], case: Case) -> None:
    for mask, row in zip(make().mask(case), case.words, strict=True):
        gone = [w for w in row if mask.covers(w.start, w.end)]
        assert not {w.folded for w in gone} & case.never and len(gone) <= case.budget * len(row) + 1e-9


@pytest.mark.parametrize("make", [Lexical, *SEEKING])
@given(case=cases)
def test_a_span_says_what_its_step_did_to_the_crowd_of_its_document(make: Callable[[], Method], case: Case) -> None:
    masks = make().mask(case)
    for place, mask in enumerate(masks):
        for span in mask.spans:
            shown = [Mask(m.document, tuple(s for s in m.spans if s.step <= span.step)) for m in masks]
            crowds = recounted(case, rendered(case, shown))
            assert span.crowd_after == {m: n for (m, d), n in crowds.items() if d == place}
