"""Values that say nothing, in 36 languages, and the names that look like one."""

import pytest

from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.novalues import names_nobody, says_nothing
from unname.types import Profile
from unname.verifying.written import identifies


@pytest.mark.parametrize(
    "value",
    ["", " ", "-", "--", "?", "n/a", "N/A", "NaN", "nan", "null", "None", "XXX", "xx", "unknown", "Unknown, Unknown",
     "unknown male", "[redacted]", "Herr Unbekannt", "k.A.", "N.N.", "Desconocida", "Non renseigné", "sconosciuto",
     "não informado", "onbekend", "n.v.t.", "####", "Nomen Nescio", "Не указано", "неизвестно", "不明", "未知",
     "불명", "nieznany", "neuvedeno", "ismeretlen", "Άγνωστος", "bilinmiyor", "Okänd", "Ukendt", "tuntematon", "غير معروف",
     "לא ידוע", "không rõ"],
)  # fmt: skip
def test_a_value_that_says_nothing(value: str) -> None:
    assert says_nothing(value)
    profile = Profile("p", {"name": value})
    assert not direct_identifiers(profile, {"name": "name"}).find(
        f"A note: {value}. The unknown male rests, null and nan."
    )
    assert not identifies(profile, {"name": "name"}, f"A note: {value}. UNKNOWN None")


@pytest.mark.parametrize(
    "value", ["Nan", "Null", "Blank", "Ada", "Ada Unknown", "Unknownson", "male", "X", "4444", "Herr"]
)
def test_a_value_that_may_be_a_name_or_a_number(value: str) -> None:
    assert not says_nothing(value)


def test_numbers_contacts_and_dates_that_nobody_knows_are_none_either() -> None:
    fields = {"phone": "unknown", "record": "n/a", "birth date": "missing", "address": "unbekannt"}
    kinds = {"phone": "contact", "record": "number", "birth date": "date", "address": "address"}
    assert not direct_identifiers(Profile("p", fields), kinds).find("Phone unknown, record n/a, missing and unbekannt.")


@pytest.mark.parametrize(
    "value",
    ["Patient", "Unknown Patient", "Baby", "Baby Boy", "Newborn", "Test", "Tester", "Neugeborenes", "noworodek", "Пациент",
     "新生儿", "患者", "환자", "újszülött", "RN", "Testpatient", "hasta", "unknown", "Baby Girl B", "Test 2"],
)  # fmt: skip
def test_placeholders_for_somebody_without_a_name_name_nobody(value: str) -> None:
    assert names_nobody(value)
    profile, text = Profile("p", {"name": value}), f"A note. The {value.lower()} rests; {value}"
    for kind in ("name", ""):
        assert not direct_identifiers(profile, {"name": kind}).find(text)
        assert not identifies(profile, {"name": kind}, text)


@pytest.mark.parametrize(
    "value", ["John Doe", "Babyak", "Testa", "Baby Kumari", "Kind", "Boy", "Test Quill", "Patience"]
)
def test_values_that_may_be_names_are_names(value: str) -> None:
    assert not names_nobody(value)


def test_a_placeholder_for_a_name_says_something_of_any_other_field() -> None:
    assert not says_nothing("Newborn") and not says_nothing("Test")
