"""Figures in normal form: dates in many formats agree, ordinals and numbers in words are numbers."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.reidentifiers.terms.facts import facts

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"  # noqa: E501
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"
IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
MONTHS = "January February March April May June July August September October November December"
DATE = {"day:4-9", "month:1897-4", "date:1897-4-9", "year:1897"}


def spelled(number: int, ordinal: bool) -> str:
    """A number from 1 to 199 in English words."""
    if number == 100:
        return "one hundredth" if ordinal else "one hundred"
    if number > 100:
        return "one hundred and " + spelled(number - 100, ordinal)
    tens, ones = divmod(number, 10)
    if number < 20:
        last, before = ONES.split()[number], ""
    elif ones:
        last, before = ONES.split()[ones], TENS.split()[tens] + "-"
    else:
        last, before = TENS.split()[tens], ""
    if ordinal:
        regular = (
            last[:-1] + "ieth" if last.endswith("y") else last[:-2] + "fth" if last.endswith("ve") else last + "th"
        )
        last = IRREGULAR.get(last, regular)
    return before + last


@pytest.mark.parametrize(
    "text",
    [
        "1897-04-09", "April 9, 1897", "9 April 1897", "9th of April, 1897", "Apr. 9, 1897", "9 Apr 1897", "09.04.1897",
        "9/4/1897", "APRIL 9TH, 1897", "born 9 April 1897;", "(April 9 1897)",
    ],
)  # fmt: skip
def test_a_date_is_the_same_however_it_is_written(text: str) -> None:
    assert set(facts(text)) >= DATE


@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)))
def test_every_date_agrees_with_itself_in_three_formats(day: date) -> None:
    month = MONTHS.split()[day.month - 1]
    wanted = f"date:{day.year}-{day.month}-{day.day}"
    for text in (day.isoformat(), f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}"):
        assert {fact for fact in facts(text) if fact.startswith("date:")} == {wanted}


def test_a_date_states_nothing_that_it_leaves_open() -> None:
    assert "day:4-9" in facts("on April 9") and not any(f.startswith(("date:", "month:")) for f in facts("on April 9"))
    assert "month:1897-4" in facts("in April 1897") and "day:4-18" not in facts("in April 1897")
    assert facts("may be") == []


@pytest.mark.parametrize(
    "text, number",
    [
        ("Eighty-second", 82), ("eighty second", 82), ("one hundred and fourth", 104), ("One Hundred Fourth", 104),
        ("one-hundred-and-twenty-first", 121), ("twentieth", 20), ("seven", 7), ("ninety", 90), ("nineteenth", 19),
    ],
)  # fmt: skip
def test_a_number_in_words_is_that_number_and_no_other(text: str, number: int) -> None:
    assert facts(text) == [f"number:{number}"]


@pytest.mark.parametrize("ordinal", [False, True])
def test_every_number_in_words_up_to_199_is_read(ordinal: bool) -> None:
    for number in range(1, 200):
        assert facts(spelled(number, ordinal)) == [f"number:{number}"], number


@pytest.mark.parametrize("text, number", [("1,234", "1234"), ("3.5 acres", "3.5"), ("82d", "82"), ("the 82nd", "82")])
def test_a_number_in_figures_is_read_without_its_commas(text: str, number: str) -> None:
    assert facts(text) == [f"number:{number}"]


def test_years_near_each_other_share_a_neighbourhood_and_a_decade() -> None:
    def near(year: int) -> set[str]:
        return {fact for fact in facts(str(year)) if fact.startswith(("about:", "decade:"))}

    assert near(1897) & near(1898) and near(1896) & near(1897)
    assert "decade:189" in near(1890) & near(1899)
    assert not near(1897) & near(1907)


@given(st.integers(1500, 2098))
def test_two_years_in_a_row_always_share_a_neighbourhood(year: int) -> None:
    one, other = ({f for f in facts(str(y)) if f.startswith("about:")} for y in (year, year + 1))
    assert one & other


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(fact.partition(":")[1] for fact in facts(text))


def test_a_text_without_figures_states_none() -> None:
    assert facts("Ada Lovelace wrote to Babbage") == []
    assert facts("") == []
