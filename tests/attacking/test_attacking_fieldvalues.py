"""Values of fields: guesses and what one known fact adds, against lists of people and nothing cleverer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking.fieldvalues import MOST_FIELDS, FieldValues, field_values, folded_value
from unname.statistics import credit
from unname.types import Profile


def people_with(field: str, values: list[str]) -> list[Profile]:
    """Somebody for each value; "" states none."""
    return [Profile(str(i), {field: value} if value else {}) for i, value in enumerate(values)]


VALUES = st.lists(st.sampled_from(["", "nurse", "Nurse", "smith", " ship  wright", "poet"]), min_size=2, max_size=9)


@given(VALUES)
def test_people_share_a_number_exactly_when_they_share_a_value(values: list[str]) -> None:
    said = [" ".join(value.lower().split()) for value in values]
    stated = [value for value in said if value]
    read = field_values(people_with("job", values), ["job"])
    if 2 * len(stated) < len(said) or len(set(stated)) < 2:
        assert read.fields == () and read.codes.shape == (0, len(values))
        return
    assert read.fields == ("job",)
    (codes,) = read.codes.tolist()
    for one, mine in zip(said, codes, strict=True):
        assert (mine == -1) == (one == "")
        assert [code == mine for code in codes] == [other == one for other in said]


def test_spellings_are_compared_without_case_and_spaces() -> None:
    assert folded_value(Profile("a", {"job": "  Ship\tWRIGHT "}), "job") == "ship wright"
    assert folded_value(Profile("a", {}), "job") == ""


def test_texts_and_fields_that_few_state_or_all_share_are_no_values() -> None:
    profiles = [
        Profile(str(i), {
            "town": f"Town{i % 3}", "life": f"{i} " + "long story " * 20, "planet": "Earth",
            **({"title": f"Dr{i}"} if i < 4 else {}), "note": "x" * 1300 if i == 0 else f"brief{i}",
        }) for i in range(10)
    ]  # fmt: skip
    assert field_values(profiles, ["life", "planet", "title", "note", "town"]).fields == ("town",)
    half = [Profile(p.id, {**p.fields, "title": f"Dr{p.id}"} if int(p.id) < 5 else p.fields) for p in profiles]
    assert field_values(half, ["title", "town"]).fields == ("title", "town")


def test_of_many_fields_the_most_frequent_are_read() -> None:
    names = [f"f{i}" for i in range(MOST_FIELDS + 5)]
    read = field_values([Profile(str(i), dict.fromkeys(names, str(i))) for i in range(3)], names)
    assert read.fields == tuple(names[:MOST_FIELDS]) and read.codes.shape == (MOST_FIELDS, 3)
    assert repr(read) == f"FieldValues({MOST_FIELDS} fields)"


def test_no_fields_are_read_where_none_are_named() -> None:
    read = field_values(people_with("job", ["a", "b"]), [])
    assert (
        read.fields == () and read.likeliest(np.array([0]), np.array([1.0])) == () and read.knowing(np.ones(2), 0) == ()
    )


CODES = st.lists(st.lists(st.integers(-1, 3), min_size=8, max_size=8), min_size=1, max_size=3)


@given(CODES, st.data())
def test_the_likeliest_value_is_the_one_with_most_chance_on_its_people(
    codes: list[list[int]], data: st.DataObject
) -> None:
    columns = sorted(data.draw(st.sets(st.integers(0, 7), min_size=1)))
    weights = data.draw(st.lists(st.integers(1, 64), min_size=len(columns), max_size=len(columns)))
    read = FieldValues(tuple("abc"[: len(codes)]), np.array(codes, np.int32))
    found = read.likeliest(np.array(columns), np.array(weights) / 128)
    for row, guess in zip(codes, found, strict=True):
        sums = dict.fromkeys(row, 0)
        for column, weight in zip(columns, weights, strict=True):
            sums[row[column]] += weight
        stated = {row[column] for column in columns} - {-1}
        if not stated:
            assert guess == -1
        else:
            assert guess in stated and sums[guess] == max(sums[code] for code in stated)


def test_many_unlikely_people_of_one_value_outweigh_the_likeliest_person() -> None:
    read = field_values(people_with("job", ["smith", "nurse", "nurse", "nurse"]), ["job"])
    assert read.likeliest(np.arange(4), np.array([0.4, 0.2, 0.2, 0.2])) == (1,)


@given(CODES, st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(0, 7))
def test_who_knows_a_value_guesses_among_those_who_share_it(
    codes: list[list[int]], order: list[int], person: int
) -> None:
    read = FieldValues(tuple("abc"[: len(codes)]), np.array(codes, np.int32))
    found = read.knowing(np.array(order, np.float64), person)
    for row, told in zip(codes, found, strict=True):
        if row[person] < 0:
            assert told == -1
            continue
        left = [column for column in range(8) if row[column] == row[person]]
        assert told == pytest.approx(credit(np.array([order[c] for c in left]), left.index(person)))


@given(CODES, st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(0, 7))
def test_knowing_a_value_never_makes_the_right_guess_less_likely(
    codes: list[list[int]], order: list[int], person: int
) -> None:
    blind = credit(np.array(order), person)
    read = FieldValues(tuple("abc"[: len(codes)]), np.array(codes, np.int32))
    assert all(told == -1 or told >= blind for told in read.knowing(np.array(order, np.float64), person))
