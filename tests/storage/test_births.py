"""Days of birth in three fields are one, and nothing else is put together."""

from pathlib import Path
from typing import Any

import pytest

from unname.knowledge.fieldnames import field_kind
from unname.storage.births import is_of_births, with_whole_days
from unname.storage.people import read_profiles
from unname.storage.tables import write_jsonl


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [
        ("birth_year", "birth_month", "birth_day"),
        ("dob.year", "dob.month", "dob.day"),
        ("patient.dob.year", "patient.dob.month", "patient.dob.day"),
        ("yearOfBirth", "monthOfBirth", "dayOfBirth"),
        ("Geburtsjahr", "Geburtsmonat", "Geburtstag"),
        ("anio_nacimiento", "mes_nacimiento", "dia_nacimiento"),
        ("Année de naissance", "Mois de naissance", "Jour de naissance"),
        ("rok_urodzenia", "miesiac_urodzenia", "dzien_urodzenia"),
        ("год рождения", "месяц рождения", "день рождения"),
    ],
)
def test_a_year_a_month_and_a_day_of_birth_are_one_day(year: str, month: str, day: str) -> None:
    made = with_whole_days({"town": "York", year: "1940", month: "2", day: "9"})
    (together,) = made.keys() - {"town", year}
    assert field_kind(together) == "date" and made == {"town": "York", year: "1940", together: "1940-02-09"}
    assert with_whole_days({year: "1940", month: "2"}) == {year: "1940", month: "2"}


@pytest.mark.parametrize(
    "fields",
    [
        {"visit_year": "1940", "visit_month": "2", "visit_day": "9"},
        {"birth_year": "1940", "birth_month": "13", "birth_day": "31"},
        {"birth_year": "unknown", "birth_month": "2", "birth_day": "9"},
        {"birth_year": "1940", "birth_month": "2", "birth_day": "9", "birth date": "later"},
    ],
)
def test_what_is_no_day_of_birth_stays_in_parts(fields: dict[str, str]) -> None:
    assert with_whole_days(fields) == fields


def test_a_month_may_be_called_by_its_name() -> None:
    fields = {"birth_year": "1940", "birth_month": "March", "birth_day": "9"}
    assert with_whole_days(fields) == {"birth_year": "1940", "birth date": "9 March 1940"}


def test_records_within_records_are_put_together(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": "p1", "dob": {"year": 1940, "month": 1, "day": 13}}]
    write_jsonl(tmp_path / "a.jsonl", rows)
    assert read_profiles(tmp_path / "a.jsonl")[0].fields == {"dob.year": "1940", "dob.birth date": "1940-01-13"}


def test_columns_are_called_dates_of_birth() -> None:
    assert all(map(is_of_births, ("DOB", "birth_date", "Geburtsdatum", "geboren", "Fecha nac.")))
    assert not any(map(is_of_births, ("mrn", "admission date", "birthplace", "")))
