"""Stand-ins for organisations and professions: the kind stays, the name does not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transforms.standins.shapes import words
from unname.text import fold
from unname.transforms.standins import trades
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import other_place
from unname.transforms.standins.trades import other_organisation, other_profession
from unname.transforms.standins.words import words_of

DRAWS = Draws(b"k" * 32)
MANY = [Draws(bytes([key])) for key in range(12)]


@pytest.mark.parametrize(
    ("text", "language", "form"),
    [
        ("St Mary's Hospital", "en", "NAME Hospital"),
        ("ST MARY'S HOSPITAL", "en", "NAME HOSPITAL"),
        ("st mary's hospital", "en", "NAME hospital"),
        ("University of Leeds", "en", "University of PLACE"),
        ("Leeds Teaching Hospitals NHS Trust", "en", "PLACE Teaching Hospitals NHS Trust"),
        ("Smith, Jones & Partners", "en", "NAME, NAME & Partners"),
        ("Boston Children's Hospital", "en", "PLACE Children's Hospital"),
        ("Siemens AG", "de", "NAME AG"),
        ("Klinikum Nürnberg", "de", "Klinikum PLACE"),
        ("Charité Berlin", "de", "NAME PLACE"),
        ("Marienhospital", "de", "NAMEhospital"),
        ("Stadtsparkasse Köln", "de", "Stadtsparkasse PLACE"),
        ("Müller & Söhne GmbH & Co. KG", "de", r"NAME GmbH & Co\. KG"),
        ("Universidad de Salamanca", "es", "Universidad de PLACE"),
        ("Hospital de la Princesa", "es", "Hospital de NAME"),
        ("Telefónica S.A.", "es", r"NAME S\.A\."),
        ("BMW", "de", "[A-Z]{3}"),
        ("BMW Group", "de", "[A-Z]{3} Group"),
        ("Ward 12", "en", r"Ward [1-9]\d"),
    ],
)
def test_an_organisation_keeps_its_kind_and_loses_its_name(text: str, language: str, form: str) -> None:
    name = "[^\\W\\d_]+"
    pattern = form.replace("NAME", name).replace("PLACE", f"{name}(?:[ '’-]{name})*")
    kinds = words(re.sub("NAME|PLACE", " ", form))
    for draws in MANY:
        new = other_organisation(text, draws, language=language)
        assert new and re.fullmatch(pattern, new), new
        assert words(new) & words(text) <= kinds | {"s", "for"}


def test_one_organisation_is_one_however_it_is_written() -> None:
    new = other_organisation("Siemens AG", DRAWS, language="de")
    assert new and other_organisation("SIEMENS  AG", DRAWS, language="de") == new.upper().replace(" ", "  ")
    assert other_organisation("Siemens", DRAWS, language="de") == new.split()[0]
    assert len({other_organisation("Siemens AG", draws, language="de") for draws in MANY}) > 6


def test_a_city_in_a_name_is_the_one_it_becomes_elsewhere() -> None:
    assert other_organisation("University of Leeds", DRAWS) == f"University of {other_place('Leeds', DRAWS)}"


@pytest.mark.parametrize("text", ["", " ", "🎉", "the hospital", "Hospital", "Stadtsparkasse", "東京大学", "x" * 300])
def test_what_names_no_organisation_has_no_other(text: str) -> None:
    assert other_organisation(text, DRAWS, language="de") is None


def test_every_kind_of_every_language_stays_alone() -> None:
    for table in ("kinds", "forms", "links"):
        for word in words_of(table):
            assert other_organisation(word, DRAWS) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [("engineer", "[a-z -]+"), ("Engineer", "[A-Z][a-zA-Z -]+"), ("ENGINEER", "[A-Z -]+"),
     ("software engineer", "[a-z ]+ engineer"), ("Software Engineer", "[A-Z][A-Za-z ]+ Engineer"),
     ("Software engineer", "[A-Z][a-z ]+ engineer")],
)  # fmt: skip
def test_a_profession_keeps_its_case_and_the_word_for_its_kind(text: str, form: str) -> None:
    for draws in MANY:
        new = other_profession(text, draws)
        assert new and re.fullmatch(form, new), new
        assert words(new) & words(text) <= {"engineer"} and new.lower() != text.lower()


def test_one_profession_is_one_in_any_case() -> None:
    new = other_profession("Software engineer", DRAWS)
    assert new and other_profession("software  ENGINEER", DRAWS) in (new.lower(), new[0].lower() + new[1:])
    assert len({other_profession("nurse", draws) for draws in MANY}) > 6
    assert not any("nurse" in (other_profession("nurse", draws) or "nurse") for draws in MANY)


@pytest.mark.parametrize(
    ("text", "language", "ends"),
    [("Lehrerin", "de", ("in",)), ("enfermera", "es", ("a",)), ("infirmière", "fr", ("ière", "euse", "ienne"))],
)
def test_professions_of_women_become_such(text: str, language: str, ends: tuple[str, ...]) -> None:
    for draws in MANY:
        new = other_profession(text, draws, language=language)
        assert new and new.endswith(ends) and new != text


def test_the_first_word_says_the_kind_in_spanish() -> None:
    assert {(other_profession("Ingeniero de minas", draws, language="es") or "").split()[0] for draws in MANY} == {
        "Ingeniero"
    }


@pytest.mark.parametrize(
    ("text", "language"), [("", "en"), ("🎉", "en"), ("avvocato", "it"), ("инженер", "en"), ("x", "xx")]
)
def test_no_profession_or_no_list_has_no_other(text: str, language: str) -> None:
    assert other_profession(text, DRAWS, language=language) is None


def test_lists_of_professions_are_short_and_clean() -> None:
    for language in ("en", "de", "es", "fr", "pt", "ru"):
        jobs = trades._jobs(language)
        assert len(jobs) > 100 and not [job for job in jobs if re.search(r"[*,/()]", job) or len(job.split()) > 3]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40) | st.text("Stadbnk AG.&'ß🎉7", max_size=20), st.sampled_from(["en", "de", "es", "xx", ""]))
def test_whatever_stands_there_is_never_written_as_it_was(text: str, language: str) -> None:
    for other in (other_organisation, other_profession):
        new = other(text, DRAWS, language=language)
        assert new is None or (new.strip() and fold(new) != fold(text))
