"""What an adversary may know: which fields count, what a graph adds, and which fields name a person by themselves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError, SettingsError
from unname.knowledge.fictional import Town
from unname.knowledge.population import (
    Population,
    direct_fields,
    make_population,
    merge_graph,
    require_crowd_possible,
)
from unname.types import Profile

PEOPLE = [
    Profile("a", {"name": "Ada", "town": "London", "trade": "poet"}),
    Profile("b", {"name": "Karl", "town": "Jena"}),
    Profile("c", {"name": "Zoë"}),
]


def test_a_population_keeps_its_order_and_knows_everybodys_place() -> None:
    population = Population(tuple(PEOPLE))
    assert len(population) == 3 and population.rows == {"a": 0, "b": 1, "c": 2}
    assert repr(population) == "Population(3 profiles)"


def test_two_people_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="profiles 1 and 3 have the same id"):
        Population((Profile("canary", {}), Profile("b", {}), Profile("canary", {"x": "y"})))


def test_field_names_come_most_frequent_first_then_by_name() -> None:
    assert Population(tuple(PEOPLE)).field_names() == ["name", "town", "trade"]
    assert Population((Profile("a", {"b": "", "a": ""}),)).field_names() == ["a", "b"]
    assert Population(()).field_names() == []


fields = st.lists(st.sampled_from(["name", "town", "trade"]), unique=True)


@given(fields, fields)
def test_only_some_fields_or_all_but_some(kept: list[str], left_out: list[str]) -> None:
    made = make_population(PEOPLE, fields=kept, without_fields=left_out)
    for before, after in zip(PEOPLE, made.profiles, strict=True):
        wanted = {k: v for k, v in before.fields.items() if (not kept or k in kept) and k not in left_out}
        assert after.id == before.id and after.fields == wanted


@pytest.mark.parametrize("option", ["fields", "without_fields"])
def test_a_field_that_nobody_has_is_an_error_that_lists_the_known_ones(option: str) -> None:
    with pytest.raises(SettingsError, match="no profile has a field 'nome'; known: name, town, trade"):
        make_population(PEOPLE, **{option: ["name", "nome"]})


def test_a_graph_adds_its_relations_to_the_fields() -> None:
    triples = [("a", "town", "Ockham"), ("a", "child", "Byron"), ("x", "town", "Nowhere"), ("a", "child", "Anne")]
    merged, strangers = merge_graph(PEOPLE, triples)
    assert strangers == 1
    assert merged[0].fields == {"name": "Ada", "town": "London | Ockham", "trade": "poet", "child": "Byron | Anne"}
    assert merged[1:] == PEOPLE[1:] and PEOPLE[0].fields["town"] == "London"


@given(
    st.lists(st.tuples(st.sampled_from("abxy"), st.sampled_from(["town", "new"]), st.sampled_from("12")), max_size=8)
)
def test_every_triple_of_a_known_person_lands_in_a_field_and_the_rest_are_counted(
    triples: list[tuple[str, str, str]],
) -> None:
    merged, strangers = merge_graph(PEOPLE, triples)
    assert strangers == len({person for person, _, _ in triples if person in "xy"})
    for before, after in zip(PEOPLE, merged, strict=True):
        wanted = Counter((r, v) for p, r, v in triples if p == before.id) + Counter(before.fields.items())
        assert Counter((n, v) for n, text in after.fields.items() for v in text.split(" | ")) == wanted


@pytest.mark.parametrize("k, possible", [(1, True), (2, True), (3, False), (4, False)])
def test_nobody_hides_among_k_others_where_there_are_k_or_fewer_people(k: int, possible: bool) -> None:
    population = Population(tuple(PEOPLE))
    if possible:
        require_crowd_possible(population, k)
    else:
        with pytest.raises(InputError, match=f"a crowd of {k} needs more than {k} people; the population has 3"):
            require_crowd_possible(population, k)


DIRECT = [
    "name", "Name", "surname", "first name", "first_name", "Last-Name", "lastname", "full name", "given name", "names",
    "family name", "maiden name", "middle.name", "birth name", "nickname", "nick name", "id", "ID", "email", "e-mail",
    "E_Mail address", "phone", "telephone", "mobile", "phone number", "fax", "passport", "social security", "SSN", "ssn",
    "record number", "patient id", "insurance_no", "national id", "account number", "licence number", "license no",
    "patient name", "person_name",
]  # fmt: skip
NOT_DIRECT = [
    "town", "trade", "birth date", "birthplace", "place name", "school name", "company name", "employer name", "street name",
    "next of kin name", "spouse name", "mother's name", "physician name", "ship name", "team name", "user agent", "sex",
    "position", "congresses", "first year", "party", "history", "number of children", "video", "paid", "renamed",
    "birth place", "employer phone",
]  # fmt: skip


@pytest.mark.parametrize("name", DIRECT)
def test_field_names_that_name_or_reach_a_person_are_direct(name: str) -> None:
    assert direct_fields(Population((Profile("a", {name: "x"}),)), ["auto"]) == (name,)


@pytest.mark.parametrize("name", NOT_DIRECT)
def test_field_names_of_other_things_and_other_people_are_not(name: str) -> None:
    assert direct_fields(Population((Profile("a", {name: "x"}),)), ["auto"]) == ()


def test_in_the_town_names_and_numbers_are_direct(small_town: Town, townspeople: Population) -> None:
    assert set(direct_fields(townspeople, ["auto"])) == {"given name", "family name", "phone", "record number"}


def test_direct_fields_may_be_named_or_none() -> None:
    population = Population(tuple(PEOPLE))
    assert direct_fields(population, ["town", "name"]) == ("town", "name")
    assert direct_fields(population, ["none"]) == ()
    assert direct_fields(population, ["auto"]) == ("name",)
    with pytest.raises(SettingsError, match="'nome' to call direct; known: name, town, trade"):
        direct_fields(population, ["nome"])
