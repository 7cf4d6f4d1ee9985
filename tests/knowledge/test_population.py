"""The adversary's knowledge: the fields that count, the additions of a graph, and fields that name a person by themselves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError, SettingsError
from unname.knowledge.population import (
    Population,
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
    assert strangers == [("x", "town", "Nowhere")]
    assert merged[0].fields == {"name": "Ada", "town": "London | Ockham", "trade": "poet", "child": "Byron | Anne"}
    assert merged[1:] == PEOPLE[1:] and PEOPLE[0].fields["town"] == "London"


@given(
    st.lists(st.tuples(st.sampled_from("abxy"), st.sampled_from(["town", "new"]), st.sampled_from("12")), max_size=8)
)
def test_every_triple_of_a_known_person_lands_in_a_field_and_the_rest_are_counted(
    triples: list[tuple[str, str, str]],
) -> None:
    merged, strangers = merge_graph(PEOPLE, triples)
    assert sorted(strangers) == sorted(triple for triple in triples if triple[0] in "xy")
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


def test_fields_left_out_are_known_all_the_same() -> None:
    population = make_population(PEOPLE, fields=["town"])
    assert population.field_names() == ["town"] and set(population.named_fields()) >= {"name", "town"}
    assert population.full == tuple(PEOPLE)
    with pytest.raises(InputError, match="same people"):
        Population(population.profiles, tuple(PEOPLE[:1]))
