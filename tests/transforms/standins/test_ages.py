"""Other ages: figures move by some years, and the rest stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.standins.shapes import ODD_SIGNS
from unname.transforms.standins.ages import other_age


@pytest.mark.parametrize(
    ("text", "years", "wanted"),
    [
        ("61 years old", 2, "63 years old"),
        ("61-year-old", -2, "59-year-old"),
        ("de 61 años", 3, "de 64 años"),
        ("61J", 1, "62J"),
        ("aged 7", 2, "aged 9"),
        ("07", 2, "09"),
        ("2 ans", -3, "5 ans"),
        ("1 Jahr", -1, "2 Jahr"),
        ("88 years", 3, "85 years"),
        ("61-65", 2, "63-67"),
        ("3 years 8 months", 1, "4 years 8 months"),
        ("６１歳", 2, "６３歳"),
        ("61M", 2, "63M"),
    ],
)
def test_an_age_moves_and_the_rest_stays(text: str, years: int, wanted: str) -> None:
    assert other_age(text, years) == wanted


@pytest.mark.parametrize(
    "text",
    ["8 months", "8-month-old", "8 Monate", "3 Wochen", "10 days", "12 meses",
     "8 mois", "5 месяцев", "8个月", "24M", "90", "95 years",
     "103", "sixty-one", "60s", "60er", "12.03.1950", "born 1950, 61", "", "²", "🙂", "1" * 5000],
)  # fmt: skip
def test_where_there_is_no_age_to_move(text: str) -> None:
    assert other_age(text, 2) is None


def test_no_move_gives_no_age() -> None:
    assert other_age("61 years", 0) is None


@given(st.integers(1, 89), st.integers(-9, 9).filter(bool))
def test_every_moved_age_is_another_one_from_1_to_89(age: int, years: int) -> None:
    made = other_age(f"{age} years", years)
    assert made is not None and 1 <= int(made.split()[0]) <= 89
    assert abs(int(made.split()[0]) - age) == abs(years)


@given(ODD_SIGNS)
def test_any_text_gives_another_age_or_none(text: str) -> None:
    assert other_age(text, 3) != text
