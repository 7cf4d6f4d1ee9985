"""Facts that a text states: which kind a label is, days of dates in many forms, what is rare, what each policy hides."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.facts.stated import (
    ALWAYS,
    KINDS,
    SURE,
    Fact,
    FactSettings,
    days_of,
    facts_in,
    is_full_date,
    kind_of,
    passage_of,
    to_mask,
)
from unname.job import POLICIES
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.taggers.entities.tagger import LABELS
from unname.types import Span

TEXT = "She was Mayor of Quillbeck on 3 May 1985 and works as a nurse at Vexley Foundry, aged 91."


def span(text: str, said: str, label: str, score: float = 1.0) -> Span:
    start = text.index(said)
    return Span(start, start + len(said), label, score=score)


def settings(policy: str = "mask-rare", few: int = 2, texts: tuple[str, ...] = ()) -> FactSettings:
    return FactSettings(policy, few, rarity_of(texts))


def found(text: str, spans: list[Span], **more: Any) -> dict[str, Fact]:
    return {text[fact.start : fact.end]: fact for fact in facts_in(text, spans, settings(**more))}


def hidden(text: str, spans: list[Span], **more: Any) -> list[str]:
    rules = settings(**more)
    return [text[start:end] for start, end, _ in to_mask(facts_in(text, spans, rules), text, rules)]


# --- kinds


def test_every_label_of_the_shipped_tagger_is_a_kind_or_hidden_in_any_case() -> None:
    nobody = {label for label in LABELS if not kind_of(label)}
    assert nobody == {"NAME", "ID", "CONTACT", "ADDRESS"}
    assert {kind_of(label) for label in LABELS} - {""} <= set(KINDS)


@pytest.mark.parametrize(
    "label, kind",
    [
        ("EVENT", "event"), ("event", "event"), ("WORK_OF_ART", "work"), ("ROLE", "office"), ("JOB", "occupation"),
        ("DATE_TIME", "date"), ("ORG", "organisation"), ("GPE", "place"), ("NORP", "group"), ("MISC", "other"),
        ("MONEY", "amount"), ("AGE", "age"), ("NAME", ""), ("EMAIL", ""), ("ADDRESS", ""), ("zip_code", ""),
        ("DISEASE", "disease"), ("PRIZE", "prize"),
    ],
)  # fmt: skip
def test_labels_of_any_tagger_are_kinds(label: str, kind: str) -> None:
    assert kind_of(label) == kind
    assert kind in KINDS or not kind


def test_where_somebody_lives_is_no_fact() -> None:
    assert not any(kind_of(label) for label in ALWAYS)


# --- dates

FULL = {
    "3 May 1985": ["3"], "May 3, 1985": ["3"], "May 3rd": ["3"], "the 3rd of May, 1985": ["3"], "3. Mai 1985": ["3"],
    "3 de mayo de 1985": ["3"], "1º de enero del 2001": ["1"], "1er août 1944": ["1"], "le 14 juillet 1789": ["14"],
    "2 giugno 1946": ["2"], "25 de abril de 1974": ["25"], "5 mei 1945": ["5"], "3-MAY-1985": ["3"], "3 May 05": ["3"],
    "5 мая 1985": ["5"], "3.V.1985": ["3"], "3 XII 1985": ["3"],
    "03/05/1985": ["03"], "3.5.85": ["3"], "3-5-1985": ["3"], "13/4/1985": ["13"], "4/13/1985": ["13"], "3/4/05": ["3"],
    "14/4/05": ["14"], "4/14/05": ["14"], "13/4": ["13"], "1985-05-03": ["03"], "1985/5/3": ["3"], "85-05-13": ["13"],
    "1985年5月3日": ["3"], "1985-05-03T10:20:30Z": ["03"], "3/4/1985 10:20": ["3"], "10:20 on 3 May 1985": ["3"],
    "20240503": ["20240503"], "030585": ["030585"],
    "3-5 May 1985": ["3", "5"], "3. bis 5. Mai 1985": ["3", "5"], "3 May to 5 June 1985": ["3", "5"],
    "May 3 to June 12": ["3", "12"], "3.-5.4.1985": ["3", "5"], "3/4/1985-5/6/1986": ["3", "5"],
    "1985-05-03/1985-06-04": ["03", "04"],
}  # fmt: skip


@pytest.mark.parametrize("said", FULL)
def test_the_days_of_a_full_date_are_found(said: str) -> None:
    assert [said[a:b] for a, b in days_of(said)] == FULL[said]
    assert is_full_date(said)


@pytest.mark.parametrize(
    "said",
    ["", "May 1985", "mayo de 1985", "im Mai 1985", "1985", "05/1985", "12/2005", "1843–1852", "2010/11", "1985 and 1986",
     "May", "spring", "00/00/2000", "10:20", "the 1980s", "1985年5月", "V.1985"],
)  # fmt: skip
def test_a_month_or_a_year_says_no_day(said: str) -> None:
    assert days_of(said) == [] and not is_full_date(said)


@given(st.text(alphabet="0123456789/.-: MayIVX年\n٣²½e\u0301", max_size=40) | st.text(max_size=40))
def test_days_stand_in_order_within_what_was_said(said: str) -> None:
    days, end = days_of(said), 0
    for start, after in days:
        assert end <= start < after <= len(said) and said[start:after].isdigit()
        end = after


def test_of_a_full_date_the_day_goes_and_month_and_year_stay() -> None:
    spans = [span(TEXT, "3 May 1985", "DATE")]
    assert hidden(TEXT, spans) == ["3"]
    assert hidden("in May 1985", [span("in May 1985", "May 1985", "DATE")]) == []
    unsure = [span(TEXT, "3 May 1985", "DATE", score=0.1)]
    assert hidden(TEXT, unsure) == ["3"], "a day goes however sure the tagger is"


# --- rarity


def test_rare_is_what_the_texts_of_few_people_hold() -> None:
    spans = [span(TEXT, "Mayor of Quillbeck", "ROLE")]
    others = "Nothing of Quillbeck."
    assert found(TEXT, spans, few=2, texts=(TEXT, others))["Mayor of Quillbeck"].rare
    assert not found(TEXT, spans, few=2, texts=(TEXT, others, others))["Mayor of Quillbeck"].rare
    assert found(TEXT, spans, few=3, texts=(TEXT, others, others))["Mayor of Quillbeck"].rare


def test_everyday_words_are_never_rare_however_few_texts_hold_them() -> None:
    for said, label in (("nurse", "PROFESSION"), ("a nurse at", "PROFESSION")):
        assert not found(TEXT, [span(TEXT, said, label)], texts=(TEXT,))[said].rare


def test_rarer_words_score_more() -> None:
    spans = [span(TEXT, "Quillbeck", "PLACE"), span(TEXT, "Vexley Foundry", "PLACE")]
    scores = found(TEXT, spans, texts=(TEXT, "Quillbeck", "Quillbeck", "Quillbeck"))
    assert scores["Vexley Foundry"].score > scores["Quillbeck"].score
    assert KINDS["place"] <= scores["Quillbeck"].score <= KINDS["place"] + 12


def test_function_words_alone_are_not_rare() -> None:
    assert not found("It was of the and.", [Span(7, 17, "EVENT")])["of the and"].rare


@pytest.mark.parametrize(
    "said, rare", [("91", True), ("aged 105", True), ("89", False), ("46 years", False), ("old", False)]
)
def test_ages_up_to_89_are_not_rare(said: str, rare: bool) -> None:
    assert found(said, [Span(0, len(said), "AGE")])[said].rare is rare


# --- policies


def test_what_is_rare_and_sure_goes_and_what_names_somebody_is_left_to_others() -> None:
    spans = [
        span(TEXT, "She", "NAME"), span(TEXT, "Mayor of Quillbeck", "ROLE"), span(TEXT, "nurse", "PROFESSION"),
        span(TEXT, "Vexley Foundry", "ORGANISATION", score=SURE - 0.01), span(TEXT, "91", "AGE"),
    ]  # fmt: skip
    assert hidden(TEXT, spans, texts=(TEXT,)) == ["Mayor of Quillbeck", "91"]
    assert hidden(TEXT, spans, policy="mask", texts=(TEXT,)) == ["Mayor of Quillbeck", "nurse", "Vexley Foundry", "91"]
    assert hidden(TEXT, spans, policy="report", texts=(TEXT,)) == []
    assert set(POLICIES) == {"report", "mask", "mask-rare"}


def test_quoted_speech_is_a_fact_where_no_other_stands_in_it() -> None:
    text = 'He wrote: "The old Quillbeck mill burned twice," and “no more of Vexley than that”, and "so".'
    every = found(text, [span(text, "Quillbeck", "PLACE")])
    assert {fact.kind for fact in every.values()} == {"place", "quotation"}
    assert "no more of Vexley than that" in every and len(every) == 2
    assert every["no more of Vexley than that"].sure < SURE, "only listed, unless everything is to be masked"


def test_repr_shows_no_word_of_the_text() -> None:
    (fact,) = facts_in(TEXT, [span(TEXT, "Mayor of Quillbeck", "ROLE")], settings())
    assert repr(fact) == f"Fact({fact.start}, {fact.end}, office)" and "Quillbeck" not in repr(settings(texts=(TEXT,)))


# --- passages


def test_a_passage_is_the_sentence_that_states_the_fact() -> None:
    text = "Nothing here. He was Mayor of Quillbeck in 1981. Nothing there."
    (fact,) = facts_in(text, [span(text, "Mayor of Quillbeck", "ROLE")], settings())
    start, end = passage_of(text, fact)
    assert text[start:end] == "He was Mayor of Quillbeck in 1981."


def test_a_passage_does_not_end_with_an_abbreviation() -> None:
    text = "Nothing here. Dr. Ada J. Byron was Mayor of Quillbeck with Mr. Vexley. Nothing there."
    (fact,) = facts_in(text, [span(text, "Mayor of Quillbeck", "ROLE")], settings())
    start, end = passage_of(text, fact)
    assert text[start:end] == "Dr. Ada J. Byron was Mayor of Quillbeck with Mr. Vexley."


def test_a_passage_of_endless_text_is_bounded_and_holds_the_fact() -> None:
    text = "word " * 500 + "Quillbeck" + " word" * 500
    (fact,) = facts_in(text, [span(text, "Quillbeck", "PLACE")], settings())
    start, end = passage_of(text, fact, most=100)
    assert fact.start - 100 <= start <= fact.start and fact.end <= end <= fact.end + 100


# --- any text


@st.composite
def tagged(draw: st.DrawFn) -> tuple[str, list[Span]]:
    pieces = st.sampled_from(
        ["Quillbeck", "3 May 1985", "1985-05-03", '"', "“", "”", ". ", "\r\n", "é\u0301", "😀", "nurse", "91"]
    )
    text = " ".join(draw(st.lists(pieces | st.text(max_size=8), max_size=20)))
    spans = []
    for _ in range(draw(st.integers(0, 8)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        spans.append(Span(start, end, draw(st.sampled_from(LABELS)), score=draw(st.floats(0, 1))))
    return text, spans


@given(tagged(), st.sampled_from(POLICIES))
def test_facts_and_what_is_hidden_of_them_lie_in_the_text_in_order(made: tuple[str, list[Span]], policy: str) -> None:
    text, spans = made
    rules = settings(policy, texts=(text,))
    facts = facts_in(text, spans, rules)
    assert [(f.start, f.end) for f in facts] == sorted((f.start, f.end) for f in facts)
    for fact in facts:
        assert 0 <= fact.start < fact.end <= len(text) and fact.kind in KINDS and 0 <= fact.sure <= 1
        assert 0 <= fact.score <= max(KINDS.values()) + 12
        start, end = passage_of(text, fact)
        assert 0 <= start <= fact.start < fact.end <= end <= len(text)
    for start, end, fact in to_mask(facts, text, rules):
        assert fact.start <= start < end <= fact.end


@pytest.mark.slow
@pytest.mark.parametrize(
    "part, label",
    [('"aaaa bbbb cccc dddd" ', "PLACE"), ("“", "PLACE"), ("3 May 1985 ", "DATE"), ("10:20 ", "DATE"), ("1/", "DATE")],
)
def test_facts_take_time_in_proportion(part: str, label: str) -> None:
    def hide(size: int) -> None:
        text = (part * (1 + size // len(part)))[:size]
        spans = [Span(at, at + len(part), label) for at in range(0, len(text) - len(part), 2 * len(part))]
        rules = settings(texts=(text,))
        hiding = list(to_mask(facts_in(text, [*spans, Span(0, len(text), label)], rules), text, rules))
        assert all(0 <= start < end <= len(text) for start, end, _ in hiding)

    assert in_proportion(lambda: hide(50_000), lambda: hide(200_000))
