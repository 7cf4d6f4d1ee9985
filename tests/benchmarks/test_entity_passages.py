"""The passages that the shipped tagger learns from: each is filled, read and marked; and the reader of marks itself."""

import random
import re
from collections import Counter

import pytest

from benchmarks.entities.passages import LANGUAGES, SENTENCES, Bank, bank, filled, made_documents, marked
from unname.taggers.entities.tagger import LABELS

# What `benchmarks.entities.fillers.Filler` can put in a slot, beside the lists of the language.
FILLED = {
    "first": "Anna", "first_f": "Anna", "first_m": "Otto", "last": "Quill", "city": "Vexley", "month": "May", "mon": "Jan",
    "day": "3", "age": "46", "house": "12", "year": "1985", "n2": "12", "n3": "123", "n4": "1234", "n6": "123456",
    "n8": "12345678", "dd": "03", "mm": "05", "yy": "85", "L": "A", "initial": "B", "amount": "1,200", "region": "Westland",
    "country": "Freedonia", "postcode": "12345", "phone": "0555 123", "email": "a@b.example", "url": "https://b.example",
    "user": "anna1", "handle": "@anna1",
}  # fmt: skip
SLOT = re.compile(r"\{(\w+)\}")


def fill(own: Bank, slot: str) -> str:
    """Always the same for a slot; one that nothing fills is a KeyError."""
    return own.lists[slot][0] if slot in own.lists else FILLED[slot]


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_there_is_a_file_for_each_language_and_no_other() -> None:
    assert sorted(path.stem for path in SENTENCES.iterdir()) == sorted(LANGUAGES)


def test_every_passage_is_filled_and_marked(language: str) -> None:
    own = bank(language)
    assert len(own.passages) >= 300
    for passage in own.passages:
        document = marked(filled(passage, lambda slot: fill(own, slot)), language)
        assert not re.search(r"\[\[|\]\]|\{\w*\}|\{|\}", document.text), (
            f"{language}: a mark is left of: {passage[:60]}"
        )
        assert document.text.strip()
        end = 0
        for span in document.spans:
            assert end <= span.start < span.end <= len(document.text) and span.label in LABELS
            said = document.text[span.start : span.end]
            assert said == said.strip(), f"{language}: a mark holds blanks: {passage[:60]}"
            end = span.end


def test_every_slot_can_be_filled_and_every_list_is_used(language: str) -> None:
    own = bank(language)
    asked = Counter(slot for text in (*own.passages, *(line for lines in own.lists.values() for line in lines))
                    for slot in SLOT.findall(text))  # fmt: skip
    assert not set(asked) - set(FILLED) - set(own.lists)
    assert all(asked[name] and own.lists[name] for name in own.lists)


def test_every_label_is_learned_in_every_language(language: str) -> None:
    own = bank(language)
    marks = Counter(label for passage in own.passages for label in re.findall(r"\[\[([A-Z]+)\|", passage))
    assert set(marks) <= set(LABELS)
    assert all(marks[label] >= 5 for label in LABELS), f"{language}: {marks}"


def test_passages_are_told_apart(language: str) -> None:
    own = bank(language)
    assert len(set(own.passages)) == len(own.passages)
    assert all(len(set(lines)) == len(lines) for lines in own.lists.values())


# --- reading marks


def test_marks_become_spans_of_the_text_without_them() -> None:
    document = marked("Dear [[NAME|Anna Quill]], [[PLACE|Vexley]] calls.", "d")
    assert document.text == "Dear Anna Quill, Vexley calls." and document.id == "d"
    assert [(s.label, document.text[s.start : s.end]) for s in document.spans] == [
        ("NAME", "Anna Quill"), ("PLACE", "Vexley"),
    ]  # fmt: skip


def test_a_text_without_marks_is_itself_and_an_empty_mark_is_none() -> None:
    assert marked("A quiet day.", "d").text == "A quiet day." and marked("A quiet day.", "d").spans == ()
    assert marked("A [[NAME|]]day.", "d").text == "A day." and marked("A [[NAME|]]day.", "d").spans == ()


def test_a_label_that_nobody_learns_is_refused() -> None:
    with pytest.raises(ValueError, match="no such label: NOSUCH"):
        marked("[[NOSUCH|x]]", "d")


def test_slots_within_slots_are_filled() -> None:
    inner = {"street": "{last} Street", "last": "Quill"}
    assert filled("{street} {last}", inner.__getitem__) == "Quill Street Quill"
    with pytest.raises(KeyError):
        filled("{nosuch}", inner.__getitem__)


def test_made_documents_are_the_same_again_and_hold_every_passage_so_often() -> None:
    own = Bank(tuple(f"Passage {number} of [[NAME|{{first}}]]." for number in range(40)), {"nickname": ("Nick",)})
    banks, fillers = (own, own), (lambda slot: fill(own, slot),) * 2
    made, again = (made_documents(banks, fillers, 3, random.Random(5)) for _ in range(2))
    assert made == again and len({document.id for document in made}) == len(made)
    said = Counter(re.findall(r"passage (\d+) of", "\n".join(document.text for document in made).lower()))
    assert set(said.values()) == {6} and len(said) == 40
    for document in made:
        names = [document.text[s.start : s.end].lower() for s in document.spans]
        assert names.count("anna") >= document.text.lower().count("passage")
