"""From Python: tables of pandas in and out, and an error that names record and field for whatever cannot be used."""

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from made_settings import by_rules

import unname
from unname.errors import InputError, SettingsError
from unname.inputs.arguments import documents_of, population_of, texts_of
from unname.job import AuditPlan
from unname.knowledge.fictional import Town, fictional_town
from unname.verbs.audit.in_memory import Knowledge

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
datasets = pytest.importorskip("datasets")
KEY = b"k" * 32
SETTINGS = by_rules(k=3, reidentifiers=("bm25",))


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=30, seed=4)


@pytest.fixture(scope="module")
def frames(town: Town) -> tuple[Any, Any]:
    notes = pandas.DataFrame([{"id": d.id, "text": d.text, "person": d.person, "ward": 3} for d in town.documents])
    return notes, pandas.DataFrame([{"id": p.id, **p.fields} for p in town.profiles])


def test_tables_go_in_and_come_out_as_our_own_values_do(town: Town, frames: tuple[Any, Any]) -> None:
    made = unname.deidentify(*frames, settings=SETTINGS, key=KEY)
    plain = unname.deidentify(town.documents, list(town.profiles), settings=SETTINGS, key=KEY)
    assert made.texts() == plain.texts()
    released = made.frame()
    assert list(released.columns) == ["id", "text"] and list(released["text"]) == [
        t for t in made.texts() if t is not None
    ]
    prepared = unname.prepare(*frames, plan=AuditPlan(attackers=("bm25", "facts")), knowledge=Knowledge(used=("bm25",)))
    found = unname.audit(prepared, released)
    assert found.report.as_dict()["any_unused"] == unname.audit(prepared, made.texts()).report.as_dict()["any_unused"]
    assert list(found.frame()["attacker"]) == [a["name"] for a in found.report.as_dict()["attackers"]]


def as_dicts(frame: Any) -> Any:
    return frame.to_dict("records")


def streamed(frame: Any) -> Any:
    return datasets.Dataset.from_pandas(frame).to_iterable_dataset()


TABLES: dict[str, Callable[[Any], Any]] = {
    "dicts": as_dicts,
    "an iterator of dicts": lambda frame: iter(as_dicts(frame)),
    "polars": polars.from_pandas,
    "polars, lazy": lambda frame: polars.from_pandas(frame).lazy(),
    "Arrow": pyarrow.Table.from_pandas,
    "Hugging Face": datasets.Dataset.from_pandas,
    "Hugging Face, streamed": streamed,
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_other_libraries_and_dicts_say_what_those_of_pandas_do(frames: tuple[Any, Any], kind: str) -> None:
    notes, people = frames
    documents = documents_of(TABLES[kind](notes))
    assert documents == documents_of(notes) and documents[0].metadata["ward"] == "3"
    assert population_of(TABLES[kind](people)).profiles == population_of(people).profiles
    texts = texts_of(TABLES[kind](notes[["id", "text"]][1:]), documents)
    assert texts == [None, *notes["text"][1:]]


def test_other_tables_go_the_whole_way(frames: tuple[Any, Any]) -> None:
    settings = by_rules(k=3, reidentifiers=("bm25",), keep=("ward",))
    notes, people = polars.from_pandas(frames[0]), datasets.Dataset.from_pandas(frames[1])
    made = unname.deidentify(notes, people, settings=settings, key=KEY)
    assert made.rows() == made.frame().to_dict("records")
    assert set(made.rows()[0]) == {"id", "text", "ward"} and made.rows()[0]["ward"] == "3"
    prepared = unname.prepare(notes, people, plan=AuditPlan(attackers=("bm25",)), knowledge=Knowledge(used=("bm25",)))
    found = unname.audit(prepared, pyarrow.Table.from_pylist(made.rows()))
    assert found.report.as_dict()["any_unused"] == unname.audit(prepared, made.texts()).report.as_dict()["any_unused"]


def test_a_column_of_arrays_is_no_metadata_and_no_text() -> None:
    notes = pandas.DataFrame({"id": ["a"], "text": ["x"], "tags": [numpy.array([1, 2])]})
    assert documents_of(notes) == [unname.Document("a", "x")]
    with pytest.raises(InputError, match="record 1: field 'text': must be text, not ndarray"):
        documents_of(notes.assign(text=notes["tags"]))


def test_a_dataset_of_several_splits_is_an_error_that_names_them(frames: tuple[Any, Any]) -> None:
    splits = datasets.DatasetDict({"train": datasets.Dataset.from_pandas(frames[0])})
    with pytest.raises(InputError, match="several splits; hand over one of: train"):
        unname.deidentify(splits, frames[1], settings=SETTINGS, key=KEY)


def test_whole_numbers_are_ids_and_nothing_is_no_person() -> None:
    people = pandas.DataFrame({"id": [1, 2, 3, 4, 5], "name": [f"Quill{c} Vane" for c in "abcde"]})
    notes = pandas.DataFrame({"id": [10, 11], "text": ["Quilla Vane came", "nobody came"], "person": [1.0, math.nan]})
    with pytest.raises(InputError, match=r"record 2: field 'person': missing\n.*--unknown-person"):
        unname.deidentify(notes, people, settings=by_rules(k=2), key=KEY)
    settings = by_rules(k=2, unknown_person="floor-only")
    made = unname.deidentify(notes, people, settings=settings, key=KEY)
    assert [d.id for d in made.documents] == ["10", "11"] and made.documents[0].person == "1"
    assert made.texts()[0] == "[MASK] [MASK] came"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a key that is text": ({"key": "secret"}, "key must be"),
    "a key too short": ({"key": b"abc"}, "key must be"),
    "settings as a dict": ({"settings": {"k": 3}}, "settings must be"),
    "documents that are text": ({"documents": "notes.jsonl"}, "documents must be a sequence"),
    "dicts without a text": ({"documents": [{"id": "1"}]}, "no column 'text'; columns: id"),
    "a dict without a text": (
        {"documents": [{"id": "1", "text": "x"}, {"id": "2"}]},
        "record 2: field 'text': missing",
    ),
    "dicts and something else": ({"documents": [{"id": "1", "text": "x"}, "x"]}, "record 2: must be a dict"),
    "what is no document": ({"documents": [("1", "x")]}, "record 1: must be a Document, not tuple"),
    "a list in a field": (
        {"population": [{"id": "1", "name": ["x"]}]},
        "record 1: field 'name': must be text, not list",
    ),
    "an id that is a number": (
        {"documents": [unname.Document(5, "x", "p")]},
        "record 1: field 'id': must be text, not int",
    ),  # type: ignore[arg-type]
    "a person that is NaN": ({"documents": [unname.Document("a", "x", math.nan)]}, "field 'person': missing"),  # type: ignore[arg-type]
    "a text that is None": ({"documents": [unname.Document("a", None, "p")]}, "field 'text': missing"),  # type: ignore[arg-type]
    "an id twice": ({"documents": [unname.Document("a", "x", "p")] * 2}, "record 2: field 'id': the same id"),
    "a field that is a number": ({"population": [unname.Profile("a", {"age": 5})]}, "people: record 1: field 'age'"),  # type: ignore[dict-item]
    "people as text": ({"population": "people.csv"}, "people must be"),
}


def test_a_word_list_that_is_one_text_is_an_error() -> None:
    for name in ("always", "never"):
        with pytest.raises(SettingsError, match=f"{name} must be several"):
            by_rules(**{name: "Station"})


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_used_is_an_error_that_says_so(town: Town, name: str) -> None:
    wrong, said = WRONG[name]
    given = {"documents": town.documents, "population": list(town.profiles), "settings": SETTINGS, "key": KEY} | wrong
    with pytest.raises((InputError, SettingsError), match=said):
        unname.deidentify(given.pop("documents"), given.pop("population"), **given)


@pytest.mark.parametrize(
    "wrong",
    [{"k": "10"}, {"k": 1.5}, {"k": True}, {"keep": "ward"}, {"seed": None}, {"budget": "0.5"}, {"give_back": 1}],
)
def test_settings_of_another_kind_are_an_error_that_names_them(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=f"{next(iter(wrong)).replace('_', '-')} must be"):
        by_rules(**wrong)


def test_a_table_without_the_columns_is_an_error_that_names_those_there_are(frames: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match=r"no column 'text'; columns: id, note"):
        unname.deidentify(frames[0][["id"]].assign(note="x"), frames[1], settings=SETTINGS, key=KEY)


def test_completion_shows_the_verbs() -> None:
    assert {"deidentify", "audit", "prepare", "reidentify", "fictional_town"} <= set(dir(unname))
