"""Days: what a text may call one in seven languages, and which values are nothing but a day."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.dates import Day, days_in, days_of
from unname.months import month_names, months_of

BIRTH = Day(1984, 8, 2)


@pytest.mark.parametrize(
    "value",
    [
        "1984-08-02", "1984-08-02T00:00:00", "1984-08-02 00:00", "2.8.1984", "02/08/1984", "2 August 1984", "2. August 1984",
        "August 2, 1984", "2 de agosto de 1984", "2 août 1984", "2 agosto 1984", "2 augustus 1984", "2-Aug-84", "19840802",
        "02081984", "2_8_1984", "2|8|1984", "02.VIII.1984", "1984年8月2日",
    ],
)  # fmt: skip
def test_a_day_in_any_spelling_is_that_day(value: str) -> None:
    assert any(day.may_be(BIRTH) for day in days_of(value))
    assert (
        any(text == value and day.may_be(BIRTH) for text, day in found(f"x {value} y")) or "T" in value or ":" in value
    )


def found(text: str) -> list[tuple[str, Day]]:
    return [(text[a:b], day) for a, b, day in days_in(text)]


@pytest.mark.parametrize(
    "value", ["1984", "August 1984", "2 August", "12345", "0555 570 3312", "32.8.1984", "x", "", "2 mg"]
)
def test_what_is_no_day_of_a_year_is_none(value: str) -> None:
    assert days_of(value) == frozenset()


def test_days_without_a_year_are_those_of_any() -> None:
    assert Day(None, 8, 2).may_be(BIRTH) and Day(84, 8, 2).may_be(BIRTH)
    assert not Day(1985, 8, 2).may_be(BIRTH) and not Day(85, 8, 2).may_be(BIRTH) and not Day(None, 2, 8).may_be(BIRTH)


@given(
    st.dates(datetime.date(1900, 1, 1), datetime.date(2030, 12, 31)),
    st.sampled_from([name for month in range(1, 13) for name in month_names(month)]),
)
def test_every_day_is_found_by_figures_and_by_name(date: datetime.date, name: str) -> None:
    day = Day(date.year, date.month, date.day)
    for spelled in (date.isoformat(), f"{date.day}.{date.month}.{date.year}", f"{date.month}/{date.day}/{date.year}"):
        assert any(other.may_be(day) for _, other in found(f"on {spelled}."))
    if len(name) > 4:
        (month,) = months_of(name)
        assert Day(date.year, month, date.day) in [other for _, other in found(f"{date.day} {name} {date.year}")]


def test_long_texts_take_time_in_proportion() -> None:
    def read(size: int) -> None:
        for part in ("1 ", "12.12.", "2 August ", "1"):
            list(days_in(part * (size // len(part))))

    assert in_proportion(lambda: read(25_000), lambda: read(100_000))


@pytest.mark.parametrize("text", ["2 Aug", "2. August", "Aug. 2", "2.8", "2 Aug. 1984", "2.8.1984"])
@pytest.mark.parametrize("behind", [".", ". Then", ".\nThen"])
def test_a_day_leaves_the_full_stop_to_its_sentence(text: str, behind: str) -> None:
    assert {value for value, day in found(f"on {text}{behind}") if day.may_be(BIRTH)} == {text}


def test_the_point_of_a_german_date_or_an_abbreviation_belongs_to_it_where_the_sentence_goes_on() -> None:
    assert {value for value, _ in found("am 2.8. geboren")} == {"2.8."}
    assert {value for value, _ in found("on 2 Aug. he came")} == {"2 Aug."}
