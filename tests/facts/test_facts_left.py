"""The facts of a text that a release leaves, in order, and the questions that somebody would ask with them."""

import time

import pytest

from unname.facts.left import (
    HIDDEN,
    KEPT,
    NOT_RARE,
    ONLY_LISTED,
    UNSURE,
    Hidden,
    as_shown,
    asked,
    distinct,
    facts_left,
    facts_shown,
    how_sure,
    looked_up,
    risk_of,
    sentence_of,
    why_left,
)
from unname.facts.stated import KINDS, Fact, FactSettings
from unname.facts.wording import WORDING, counted, wording
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.types import Span

TEXT = "He came late. In 1981 he was Mayor of Quillbeck, on 3 May 1981 to be exact. The end."
EVERYDAY = [f"He was mayor of a town in 19{i:02d} and the work was there." for i in range(40)]
SETTINGS = FactSettings("mask-rare", 10, rarity_of([*EVERYDAY, TEXT]))
OFFICE, DAY = "Mayor of Quillbeck", "3 May 1981"


def span(said: str, label: str, score: float = 0.9, text: str = TEXT) -> Span:
    return Span(text.index(said), text.index(said) + len(said), label, score=score)


def hiding(*said: str) -> Hidden:
    return Hidden((TEXT.index(one), TEXT.index(one) + len(one)) for one in said)


FOUND = [span(OFFICE, "ROLE"), span(DAY, "DATE")]


def kinds(facts: tuple[Fact, ...]) -> list[str]:
    return [fact.kind for fact in facts]


def test_what_nothing_hides_is_left() -> None:
    made = facts_left(TEXT, FOUND, Hidden(()), SETTINGS)
    assert kinds(made.left) == ["office", "date"] and not made.hidden and all(map(looked_up, made.left))
    assert "1 hidden" not in repr(made) and OFFICE not in repr(made)


@pytest.mark.parametrize(
    ("hidden", "left"),
    [
        ((OFFICE,), ["date"]), (("Quillbeck",), ["date"]), (("Mayor",), ["office", "date"]), (("3",), ["office"]),
        ((DAY, OFFICE), []), (("May",), ["office", "date"]),
    ],
)  # fmt: skip
def test_a_fact_is_hidden_where_nothing_rare_is_left_of_it_and_a_date_where_its_day_is_gone(
    hidden: tuple[str, ...], left: list[str]
) -> None:
    assert kinds(facts_left(TEXT, FOUND, hiding(*hidden), SETTINGS).left) == left


def test_what_is_left_of_a_fact_is_worth_no_more_than_the_whole() -> None:
    whole = facts_left(TEXT, FOUND, Hidden(()), SETTINGS).left
    part = facts_left(TEXT, FOUND, hiding("Mayor"), SETTINGS).left
    assert 0 < risk_of(part) <= risk_of(whole) and risk_of(()) == 0


def test_several_taggers_that_find_one_stretch_have_found_one_fact() -> None:
    twice = [
        Fact(0, 9, "date", 9.0, True, 0.5),
        Fact(0, 9, "date", 9.0, True, 0.9),
        Fact(2, 9, "date", 4.0, False, 0.9),
    ]
    assert distinct(twice) == [twice[1]]
    within = [
        Fact(0, 20, "event", 9.0, True, 0.5),
        Fact(3, 9, "date", 9.0, True, 0.9),
        Fact(10, 14, "place", 3.0, False, 0.9),
    ]
    assert distinct(within) == within[:2], "a date in an event is one of its own, a common place is not"


def test_a_fact_of_function_words_alone_is_none() -> None:
    assert not facts_left("Then the other came.", [Span(5, 8, "EVENT")], Hidden(()), SETTINGS).left


def test_of_a_release_of_any_tool_a_fact_is_left_where_its_words_stand_in_their_order() -> None:
    stays = facts_shown(TEXT, FOUND, TEXT, SETTINGS)
    assert kinds(stays.left) == ["office", "date"]
    masked = facts_shown(TEXT, FOUND, TEXT.replace("3 May", "[DATE] May").replace("Quillbeck", "***"), SETTINGS)
    assert kinds(masked.hidden) == ["office", "date"] and not masked.left
    elsewhere = TEXT.replace(OFFICE, "[MASK]") + " Mayor. Quillbeck of."
    assert kinds(facts_shown(TEXT, FOUND, elsewhere, SETTINGS).left) == ["date"]


def test_a_reader_asks_with_the_words_of_a_fact_and_two_on_either_side_where_he_can_read_them() -> None:
    office = facts_left(TEXT, FOUND[:1], Hidden(()), SETTINGS).left
    assert asked(TEXT, office, Hidden(())) == "he was Mayor of Quillbeck on 3"
    assert asked(TEXT, office, hiding("Mayor", "3 May")) == "he was of Quillbeck on"
    assert asked(TEXT, (), Hidden(())) == ""


def test_a_sentence_is_shown_as_readers_of_the_release_see_it() -> None:
    fact = facts_left(TEXT, FOUND[:1], Hidden(()), SETTINGS).left[0]
    assert sentence_of(TEXT, fact, hiding("Quillbeck", "1981")) == (
        f"In {HIDDEN} he was Mayor of {HIDDEN}, on 3 May 1981 to be exact."
    )
    assert as_shown(TEXT, fact.start, fact.end, hiding(OFFICE)) == HIDDEN


@pytest.mark.parametrize(
    ("policy", "rare", "sure", "why"),
    [
        ("report", True, 0.9, ONLY_LISTED), ("mask-rare", False, 0.9, NOT_RARE), ("mask-rare", True, 0.3, UNSURE),
        ("mask-rare", False, 0.3, f"{NOT_RARE}, {UNSURE}"), ("mask-rare", True, 0.9, KEPT), ("mask", False, 0.3, NOT_RARE),
    ],
)  # fmt: skip
def test_why_a_fact_was_left(policy: str, rare: bool, sure: float, why: str) -> None:
    assert why_left(Fact(0, 4, "office", 9.0, rare, sure), TEXT, FactSettings(policy)) == why


def test_how_sure_a_tagger_is_in_words() -> None:
    said = [how_sure(Fact(0, 4, "office", 9.0, True, sure)) for sure in (0.95, 0.7, 0.2)]
    assert said == ["sure (0.95)", "fairly sure (0.70)", "unsure (0.20)"]


def test_every_kind_has_words_of_its_own() -> None:
    assert WORDING.keys() == KINDS.keys() and wording("whatever") == WORDING["other"]
    assert counted("office", 1) == "1 office or role" and counted("office", 1200) == "1,200 offices and roles"
    assert all(one.advice.endswith(".") for one in WORDING.values())


def test_many_facts_and_many_hidden_stretches_cost_linear_time() -> None:
    def seconds(many: int) -> float:
        text = "3 May 1981 Quill " * many
        spans = [Span(17 * i, 17 * i + 10, "DATE", score=0.9) for i in range(many)]
        hidden = Hidden((17 * i + 11, 17 * i + 16) for i in range(many))
        start = time.process_time()
        asked(text, facts_left(text, spans, hidden, SETTINGS).left, hidden)
        facts_shown(text, spans, text, SETTINGS)
        return time.process_time() - start

    seconds(50)
    few, many = (min(seconds(many) for _ in range(3)) for many in (400, 4000))
    assert many < 30 * max(few, 0.01)
