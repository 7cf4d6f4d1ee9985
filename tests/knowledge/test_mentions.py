"""People whom a text names: two words of one name near each other, and the passage around them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NAME_REACH, PASSAGE_REACH, NamedPerson, name_index, passage
from unname.text import words
from unname.types import Profile

PEOPLE = [
    Profile("p0", {"given name": "Ada", "family name": "Hale"}),
    Profile("p1", {"given name": "Ada", "family name": "Hale", "trade": "smith"}),
    Profile("p2", {"name": "John Quincy Public Jr"}),
    Profile("p3", {"name": "Maria de la Cruz"}),
    Profile("p4", {"name": "Plato"}),
    Profile("p5", {"given name": "Zoë", "family name": "Vale", "formerly": "Zoë Marsh"}),
    Profile("p6", {}),
]
FIELDS = ("given name", "family name", "name", "formerly")
INDEX = name_index(direct_identifiers(p, FIELDS).single for p in PEOPLE)


def named(text: str) -> list[tuple[str, str]]:
    """(person, the stretch that names them) of everybody named."""
    row = words(text)
    return [(PEOPLE[n.column].id, text[row[n.first].start : row[n.last].end]) for n in INDEX.find(row)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Seen with John Public today", [("p2", "John Public")]),
        ("PUBLIC, John", [("p2", "PUBLIC, John")]),
        ("John Q. Public came", [("p2", "John Q. Public")]),
        ("John Q. X. Public came", [("p2", "John Q. X. Public")]),
        ("John Quincy Public", [("p2", "John Quincy Public")]),
        ("John and the old man Public", []),
        ("Maria de la Cruz", [("p3", "Maria de la Cruz")]),
        ("Ｊｏｈｎ ＰＵＢＬＩＣ", [("p2", "Ｊｏｈｎ ＰＵＢＬＩＣ")]),
        ("Zoë Vale", [("p5", "Zoë Vale")]),
        ("Zoë, née Marsh", [("p5", "Zoë, née Marsh")]),
        ("John John", []),
        ("Mr Public", []),
        ("J. Public", []),
        ("Plato and Plato", []),
        ("", []),
    ],
)
def test_a_person_is_named_by_two_different_words_of_their_name_near_each_other(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert named(text) == expected


def test_namesakes_are_all_named() -> None:
    assert named("met Ada Hale there") == [("p0", "Ada Hale"), ("p1", "Ada Hale")]


def test_words_of_two_people_make_no_third_one() -> None:
    assert named("Ada Vale met Zoë Hale") == [("p5", "Vale met Zoë")], "nobody is called Ada Vale or Zoë Hale"
    assert ("p0", "Ada Vale and Hale") in named("Ada Vale and Hale"), "but what stands between may belong to a name"


def test_mentions_that_share_a_word_are_one_and_others_stay_apart() -> None:
    assert named("John Public John Public") == [("p2", "John Public John Public")]
    far = f"John Public {'x ' * (NAME_REACH + 1)}John Public"
    assert named(far) == [("p2", "John Public")] * 2


def slowly(names: Sequence[frozenset[str]], row: Sequence[str]) -> set[tuple[int, int, int]]:
    """(person, first, last) by trying every two words, and joining what shares a word until nothing does."""
    found: set[tuple[int, int, int]] = set()
    for person, name in enumerate(names):
        pairs = [
            (i, j) for i in range(len(row)) for j in range(i + 1, len(row))
            if j - i <= NAME_REACH and row[i] != row[j] and {row[i], row[j]} <= name
        ]  # fmt: skip
        joined = True
        while joined:
            joined = False
            for one in pairs:
                for other in pairs:
                    if one != other and one[0] <= other[1] and other[0] <= one[1]:
                        pairs = [p for p in pairs if p not in (one, other)]
                        pairs.append((min(one[0], other[0]), max(one[1], other[1])))
                        joined = True
                        break
                if joined:
                    break
        found |= {(person, *pair) for pair in pairs}
    return found


_name_words = st.sampled_from("abcdef")


@given(
    st.lists(st.frozensets(_name_words, max_size=4), max_size=6),
    st.lists(st.sampled_from("abcdefxyz"), max_size=24),
)
def test_the_finder_finds_what_trying_every_two_words_finds(names: list[frozenset[str]], row: list[str]) -> None:
    found = name_index(names).find(words(" ".join(row)))
    assert {(n.column, n.first, n.last) for n in found} == slowly(names, row)
    assert found == sorted(found) and len(found) == len(set(found))


def test_a_passage_reaches_so_many_words_on_either_side_within_its_paragraph() -> None:
    before, after = "b " * (PASSAGE_REACH + 3), " a" * (PASSAGE_REACH + 3)
    text = f"other\n{before}John Public{after}\nother"
    row = words(text)
    (person,) = INDEX.find(row)
    shown = text[slice(*passage(text, row, person))]
    assert shown == f"{'b ' * PASSAGE_REACH}John Public{' a' * PASSAGE_REACH}"
    short = "other\nsaid John Public once\n\nother"
    row = words(short)
    assert short[slice(*passage(short, row, INDEX.find(row)[0]))] == "said John Public once"
    assert passage("John Public", words("John Public"), NamedPerson(2, 0, 1)) == (0, 11)


@given(st.text("ab \n.", max_size=80), st.data())
def test_a_passage_holds_its_mention_and_whole_words(text: str, data: st.DataObject) -> None:
    row = words(text)
    if len(row) < 2:
        return
    first = data.draw(st.integers(0, len(row) - 2))
    last = data.draw(st.integers(first + 1, min(len(row) - 1, first + NAME_REACH)))
    start, end = passage(text, row, NamedPerson(0, first, last))
    assert 0 <= start <= row[first].start < row[last].end <= end <= len(text)
    assert all((start <= w.start and w.end <= end) or w.end <= start or end <= w.start for w in row)
