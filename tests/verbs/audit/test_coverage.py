"""The gaps in a table of people: names, joins, and what tells people apart."""

from dataclasses import replace
from random import Random

import pytest

from unname.knowledge.population import Population
from unname.types import Document, Profile
from unname.verbs.audit.coverage import coverage_of_any

GIVEN = ("Ada", "Bruno", "Carla", "Dorian", "Edda", "Falk")
PEOPLE = [
    Profile(f"p{i}", {"given name": GIVEN[i % 6], "family name": f"Holl{'abcdef'[i // 6]}and", "trade": f"trade {i // 2}x"})
    for i in range(36)
]  # fmt: skip


def name(person: int) -> str:
    return f"{PEOPLE[person].fields['given name']} {PEOPLE[person].fields['family name']}"


def misjoined(text: str, person: int = 0) -> int:
    documents = [Document("d", text, f"p{person}")]
    return coverage_of_any(documents, [text], Population(tuple(PEOPLE))).misjoined


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{name(0)} came.", 0), (f"{name(7)} came.", 1), ("Nobody came.", 0), (f"{name(0)} came with {name(7)}.", 0),
        (f"Ada came with {name(7)}.", 0), (f"Mrs Hollaand came early that day, then {name(7)}.", 0),
        # What they share with their namesake is no name of theirs.
        (f"{name(6)} came.", 1),
    ],
)  # fmt: skip
def test_a_text_that_names_somebody_else_in_full_and_not_its_own_person(text: str, wrong: int) -> None:
    assert misjoined(text) == wrong


def test_real_biographies_name_their_own_person_and_shuffled_ones_somebody_else(
    congress: tuple[list[Profile], list[Document]],
) -> None:
    people, documents = Population(tuple(congress[0])), congress[1][:100]
    texts = [document.text for document in documents]
    found = coverage_of_any(documents, texts, people)
    assert found.misjoined <= 1 and found.unmatched <= 2 and found.blank <= 2 and found.readable >= 90
    wrong = Random(0).sample(range(100), 40)
    turned = {a: documents[b].person for a, b in zip(wrong, wrong[1:] + wrong[:1], strict=True)}
    shuffled = [replace(document, person=turned.get(i, document.person)) for i, document in enumerate(documents)]
    assert coverage_of_any(shuffled, texts, people).misjoined >= 36


def test_a_document_of_somebody_unknown_says_nothing_of_joins() -> None:
    found = coverage_of_any([Document("d", name(3), "stranger")], ["x"], Population(tuple(PEOPLE)))
    assert (found.people, found.misjoined, found.telling) == (0, 0, None)


def test_people_without_a_name_are_counted_if_they_are_released() -> None:
    bare = Population(tuple(
        Profile(p.id, p.fields | dict.fromkeys(("given name", "family name"), "unknown")) if i < 4 else p
        for i, p in enumerate(PEOPLE)
    ))  # fmt: skip
    documents = [Document(f"d{i}", "A text.", f"p{i}") for i in range(10)]
    texts = [None if i == 0 else "A text." for i in range(10)]
    found = coverage_of_any(documents, texts, bare)
    assert (found.people, found.nameless) == (9, 3)


def test_what_tells_people_apart_is_one_of_those_who_have_the_same() -> None:
    documents = [Document(f"d{i}", f"Of trade {i // 2}x.", f"p{i}") for i in range(10)]
    assert coverage_of_any(documents, ["x"] * 10, Population(tuple(PEOPLE))).telling == 0.5
    alone = Population(tuple(Profile(p.id, {n: v for n, v in p.fields.items() if n != "trade"}) for p in PEOPLE))
    assert coverage_of_any(documents, ["x"] * 10, alone).telling == pytest.approx(1 / 36, abs=1e-6)


def test_what_no_text_states_tells_nobody_apart_however_many_values_it_has() -> None:
    rows = [Profile(p.id, p.fields | {"entered": f"2023-05-{i % 28 + 1:02d} 10:{i:02d}"}) for i, p in enumerate(PEOPLE)]
    documents = [Document(f"d{i}", "In 2023 somebody came.", f"p{i}") for i in range(36)]
    assert coverage_of_any(documents, ["x"] * 36, Population(tuple(rows))).telling == pytest.approx(1 / 36, abs=1e-6)
    story = [Profile(p.id, {"story": f"word{i} " * 60}) for i, p in enumerate(PEOPLE)]
    assert coverage_of_any(documents, ["x"] * 36, Population(tuple(story))).telling == pytest.approx(1 / 36, abs=1e-6)
    stated = [replace(document, text=f"Of word{i}.") for i, document in enumerate(documents)]
    assert coverage_of_any(stated, ["x"] * 36, Population(tuple(story))).telling == 1
