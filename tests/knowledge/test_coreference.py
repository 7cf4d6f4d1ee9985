"""Mentions that mean one person get one number; those that may mean several stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.coreference import parts_of, same_people

TOGETHER = [
    ("Anna Holm", "Dr Holm", "A. Holm", "Anna", "Holm", "anna.holm@example.org", "Holm, Anna", "Mrs Anna Holm"),
    ("Robert James Miller", "Bob Miller", "Robert J. Miller", "R. J. Miller", "Mr Miller", "rmiller@clinic.example"),
    ("Ludwig van der Berg", "van der Berg", "L. van der Berg", "Berg", "Herr van der Berg"),
    ("María García López", "Sra. García López", "María", "Dª María García López"),
    ("Katherine O'Neill", "Kate O'Neill", "Ms O'Neill"),
    ("Smith, John", "John Smith Jr", "Mr. Smith"),
]
APART = [
    ("Anna Holm", "Adam Holm"),
    ("Mr John Smith", "Mrs Smith"),
    ("Anna Holm", "Anna Berg"),
    ("Anna Holm", "Bert Holm", "Holm"),
    ("Anna Holm", "Adam Holm", "A. Holm"),
    ("Mary Smith", "John Smith", "Mr Smith"),
    ("Mr Smith", "Mrs Smith", "Pat Smith"),
    ("J. Holm", "Jansen"),
]


@pytest.mark.parametrize("mentions", TOGETHER)
def test_one_person_by_many_names(mentions: tuple[str, ...]) -> None:
    assert len(set(same_people(mentions))) == 1
    assert len(set(same_people(mentions[::-1]))) == 1


@pytest.mark.parametrize("mentions", APART)
def test_people_who_may_differ_stay_apart(mentions: tuple[str, ...]) -> None:
    numbers = same_people(mentions)
    assert len(set(numbers)) == len(mentions)


def test_a_title_tells_relatives_apart() -> None:
    john, mary, mr, mrs = same_people(["Mr John Smith", "Mrs Mary Smith", "Mr Smith", "Mrs Smith"])
    assert john == mr != mary == mrs


@given(st.lists(st.text(max_size=30), max_size=12))
def test_any_text_has_one_person_for_each_distinct_mention(mentions: list[str]) -> None:
    numbers = same_people(mentions)
    assert len(numbers) == len(mentions)
    assert len({(mention, number) for mention, number in zip(mentions, numbers, strict=True)}) == len(set(mentions))


@given(st.permutations([mention for row in TOGETHER + APART for mention in row]))
def test_the_order_of_a_text_links_nobody_otherwise(mentions: list[str]) -> None:
    numbers = dict(zip(mentions, same_people(mentions), strict=True))
    first = dict(zip(sorted(mentions), same_people(sorted(mentions)), strict=True))
    assert {(a, b) for a in numbers for b in numbers if numbers[a] == numbers[b]} == {
        (a, b) for a in first for b in first if first[a] == first[b]
    }


def test_parts_are_never_shown() -> None:
    assert "Holm" not in repr(parts_of("Anna Holm"))
