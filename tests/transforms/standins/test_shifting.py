"""Shifted dates look as they did, and are so many weeks later."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.transforms.standins.shifting import reads_month_first, shifted

THREE = [
    ("12 March 2019", "2 April 2019"),
    ("12. März 2019", "2. April 2019"),
    ("12 de marzo de 2019", "2 de abril de 2019"),
    ("March 12th, 2019", "April 2nd, 2019"),
    ("Tuesday, 12 March 2019", "Tuesday, 2 April 2019"),
    ("12 MAR 2019", "2 APR 2019"),
    ("12.03.2019", "02.04.2019"),
    ("12/3/19", "2/4/19"),
    ("2019-03-12", "2019-04-02"),
    ("2019-03-12T08:30:00Z", "2019-04-02T08:30:00Z"),
    ("12.03.2019 um 14:30", "02.04.2019 um 14:30"),
    ("12.3.", "2.4."),
    ("25 mars", "15 avril"),
    ("March 2019", "April 2019"),
    ("03/2019", "04/2019"),
    ("2019", "2019"),
    ("Dec 2019", "Jan 2020"),
    ("12 Dec '19", "2 Jan '20"),
    ("3 marca 2019", "24 marca 2019"),
    ("12 марта 2019 г.", "2 апреля 2019 г."),
    ("31.12.1999", "21.01.2000"),
]


@pytest.mark.parametrize(("before", "after"), THREE)
def test_three_weeks_later(before: str, after: str) -> None:
    assert shifted(before, 3) == after


@pytest.mark.parametrize(
    "text", ["", "yesterday", "two weeks later", "31.02.2019", "12345", "1 2 3 4", "May", "9999-12-31"]
)
def test_what_is_no_date_is_left_to_others(text: str) -> None:
    assert shifted(text, 3) is None


def test_figures_of_two_orders() -> None:
    assert shifted("03/04/2019", 1) == "10/04/2019"
    assert shifted("03/04/2019", 1, month_first=True) == "03/11/2019"
    assert reads_month_first("03/04/2019 and 03/14/2019") is True
    assert reads_month_first("14.03.2019") is False
    assert reads_month_first("03/04/2019, 2019-03-14, 5 patients") is None


def test_the_order_of_dates_with_names_says_how_figures_are_read() -> None:
    assert reads_month_first("Born 02/12/1996. Seen on Tuesday, 30 July") is False
    assert reads_month_first("Born 02/12/1996. Seen on July 30th, 2024") is True
    assert reads_month_first("nacido el 02/12/1996, el 3 de mayo") is False


def test_a_day_without_a_year_is_moved_within_the_year_that_is_said() -> None:
    # Of another year the weekday would be another.
    assert shifted("Dienstag, dem 27. August", 10, language="de", year=2024) == "Dienstag, dem 5. November"
    assert shifted("lunes 2 de octubre", 20, language="es", year=2023) == "lunes 19 de febrero"


FORMATS = ("%d.%m.%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y")


@given(
    st.dates(datetime.date(1902, 1, 1), datetime.date(2090, 1, 1)), st.integers(-500, 500), st.sampled_from(FORMATS),
    st.integers(0, 4000),
)  # fmt: skip
def test_intervals_and_weekdays_stay(day: datetime.date, weeks: int, form: str, later: int) -> None:
    moved = shifted(day.strftime(form), weeks)
    assert moved is not None
    again = datetime.datetime.strptime(moved, form).date()
    assert again - day == datetime.timedelta(weeks=weeks) and again.weekday() == day.weekday()
    other = shifted((day + datetime.timedelta(days=later)).strftime(form), weeks)
    assert other is not None
    assert datetime.datetime.strptime(other, form).date() - again == datetime.timedelta(days=later)
