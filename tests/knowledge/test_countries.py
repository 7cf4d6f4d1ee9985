"""Countries: the names of CLDR in seven languages, what their people are called, and short names of states."""

import pytest

from unname.knowledge.countries import COUNTRIES, REGIONS


@pytest.mark.parametrize(
    ("form", "others"),
    [
        ("german", "germany deutschland allemagne"), ("espana", "spain spanish espagne"), ("holland", "dutch netherlands"),
        ("ussr", "russia soviet"), ("scottish", "scotland"), ("burma", "burmese"), ("czech republic", "czech czechia"),
    ],
)  # fmt: skip
def test_every_form_of_a_country_leads_to_the_others(form: str, others: str) -> None:
    assert set(others.split()) <= set(COUNTRIES[form])


def test_words_that_say_nothing_of_a_country_are_no_forms_of_one() -> None:
    assert not {"island", "oma", "man", "a", ""} & COUNTRIES.keys()
    assert all(form == form.casefold() and form.isascii() for form in COUNTRIES)
    assert REGIONS["ky"] == ("kentucky",) and "xx" not in REGIONS and "Lazily" in repr(REGIONS)
