"""Columns that are kept beside the texts: which are nearly unique."""

from datetime import date, timedelta

import pytest

from unname.verbs.deidentify.own_coverage import nearly_unique


@pytest.mark.parametrize(
    ("values", "unique"),
    [
        ([f"k{i}" for i in range(60)], True),
        ([f"k{i // 2}" for i in range(60)], False),
        ([("m", "f")[i % 2] for i in range(60)], False),
        ([str(date(2023, 1, 5) + timedelta(days=6 * i)) for i in range(60)], False),
        ([str(date(1940, 1, 5) + timedelta(days=300 * i)) for i in range(60)], True),
        ([f"k{i}" for i in range(20)], False),
    ],
    ids=["keys", "in pairs", "sex", "days of a year", "days of a life", "few"],
)
def test_a_column_is_nearly_unique_where_most_values_are_one_persons(values: list[str], unique: bool) -> None:
    assert nearly_unique([(value, f"p{i}") for i, value in enumerate(values)]) is unique


def test_a_value_that_all_documents_of_one_person_share_is_that_persons_alone() -> None:
    assert nearly_unique([(f"k{i // 3}", f"p{i // 3}") for i in range(90)])
    assert not nearly_unique([("north", f"p{i // 3}") for i in range(90)])
