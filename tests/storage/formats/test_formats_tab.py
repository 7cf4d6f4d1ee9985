"""TAB's JSON: labels, kinds and entities of each annotator; and the way back."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage.documents import Columns, iter_documents, read_corpus, read_documents
from unname.storage.faults import Faults
from unname.storage.formats import write_corpus
from unname.types import Document, Span

CANARY = "Canarybird"


def mention(start: int, end: int, said: str, **more: Any) -> dict[str, Any]:
    return {
        "entity_type": "PERSON", "entity_mention_id": "c1_a1_em1", "start_offset": start, "end_offset": end,
        "span_text": said, "edit_type": "check", "identifier_type": "DIRECT", "entity_id": "c1_a1_e1",
        "confidential_status": "NOT_CONFIDENTIAL",
    } | more  # fmt: skip


def case(**more: Any) -> dict[str, Any]:
    one = {
        "entity_mentions": [mention(0, 3, "Ada"), mention(8, 12, "York", entity_type="LOC", identifier_type="QUASI")]
    }
    return {
        "annotations": {"annotator2": {"entity_mentions": []}, "annotator1": one}, "doc_id": "001-1",
        "text": "Ada \U0001f600, \nYork", "dataset_type": "dev", "task": "Task: whom to hide", "quality_checked": True,
        "meta": {"year": 1999, "applicant": "Ada", "legal_branches": ["CHAMBER"], "text": CANARY},
    } | more  # fmt: skip


def write(path: Path, *cases: Any) -> Path:
    path.write_bytes(json.dumps(list(cases)).encode())
    return path


def test_the_first_annotator_speaks_unless_all_are_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", case())
    spans = (Span(0, 3, "PERSON", "direct", "c1_a1_e1"), Span(8, 12, "LOC", "quasi", "c1_a1_e1"))
    told = {
        "annotator": "annotator1",
        "annotators": "2",
        "task": "Task: whom to hide",
        "year": "1999",
        "applicant": "Ada",
    }
    first = Document("001-1", "Ada \U0001f600, \nYork", "001-1", "dev", spans, told)
    wrong = write(tmp_path / "d.json", case(text="Ada \U0001f600 and York"))
    with pytest.raises(
        InputError, match=r"record 1: field 'annotations, annotator 1 by name': mention 2: the text does"
    ):
        read_corpus(wrong)
    assert [read_corpus(path)[0].spans, read_corpus(path)] == [spans, [first]]
    one, two = read_corpus(path, "tab-all")
    assert (one.id, two.id) == ("001-1/annotator1", "001-1/annotator2")
    assert (one.spans, two.spans, two.metadata["case"], two.person) == (spans, (), "001-1", "001-1")


BAD: dict[str, tuple[Any, str]] = {
    "no object": (CANARY, "not a JSON object"),
    "no annotations": (case(annotations={}), "annotations"),
    "annotations of another kind": (case(annotations=[CANARY]), "annotations"),
    "no mentions": (case(annotations={CANARY: {}}), "annotator 1 by name"),
    "mentions of another kind": (case(annotations={CANARY: {"entity_mentions": [CANARY]}}), "mention 1 is no"),
    "no text": (case(text=None), "'text': must be text"),
    "half a surrogate": (case(text=CANARY + "\ud800", annotations={"a": {"entity_mentions": []}}), "surrogate"),
    "no id": (case(doc_id=None), "'id': missing"),
    "offsets that are words": (case(annotations={"a": {"entity_mentions": [mention(0, 3, "Ada") | {"end_offset": "3"}]}}),
                               "mention 1: start_offset"),
    "offsets beyond": (case(annotations={"a": {"entity_mentions": [mention(0, 99, "Ada")]}}), "mention 1: the text"),
    "another quote": (case(annotations={"a": {"entity_mentions": [mention(0, 3, CANARY)]}}), "mention 1: the text"),
    "a kind of another kind": (case(annotations={"a": {"entity_mentions": [mention(0, 3, "Ada", identifier_type=[1])]}}),
                               "identifier_type"),
    "a label of another kind": (case(annotations={"a": {"entity_mentions": [mention(0, 3, "Ada", entity_type=[1])]}}),
                                "mention 1: entity_type must be text"),
    **{
        name: (case(annotations={"a": {"entity_mentions": [mention(0, 3, "Ada"), mention(0, 3, "Ada") | more]}}), said)
        for name, more, said in (
            ("no label", {"entity_type": None}, "mention 2: entity_type is missing"),
            ("an empty label", {"entity_type": ""}, "mention 2: entity_type is missing"),
            ("a kind that nobody knows", {"identifier_type": CANARY}, "mention 2: identifier_type must be direct, quasi,"),
            ("a mention of nothing", {"end_offset": 0, "span_text": ""}, "mention 2: start and end must be offsets"),
            ("an entity that is a list", {"entity_id": [CANARY]}, "mention 2: entity_id must be text"),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_case_is_told_by_its_place_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    bad, problem = BAD[name]
    if isinstance(bad, dict) and bad["doc_id"]:
        bad |= {"doc_id": "001-2"}
    path = write(tmp_path / "c.json", case(), bad, case(doc_id=2))
    with pytest.raises(InputError) as caught:
        read_corpus(path)
    assert "record 2" in str(caught.value) and problem in str(caught.value), str(caught.value)
    assert CANARY not in str(caught.value)
    assert [n for n, _ in iter_documents(path, Columns(format="tab"), faults=Faults(path))] == [1, 3]


@pytest.mark.parametrize(
    "content", [b"[" * 10**6, b'{"Canarybird": 1}', b"[Canarybird]", b"\xff", b'[{"a": 1, "a": 2}]', b"[NaN]", b""]
)
def test_what_is_no_list_in_json_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(InputError, match=r"c\.json: record 1: not ") as caught:
        read_corpus(tmp_path / "c.json")
    assert CANARY not in str(caught.value)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXT)
    borders = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    kind = st.sampled_from(["direct", "quasi", "no_mask"])
    label, borders = TEXT.filter(str.strip), borders.filter(lambda b: b[0] < b[1])
    made = st.builds(lambda b, label, kind, entity: Span(*b, label, kind, entity), borders, label, kind, TEXT)
    name = draw(TEXT.filter(bool))
    return Document(
        name,
        text,
        name,
        draw(st.none() | TEXT.filter(bool)),
        tuple(sorted(draw(st.lists(made, max_size=4 if text else 0)))),
    )


@given(st.lists(documents(), min_size=1, max_size=3, unique_by=lambda d: d.id))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, made: list[Document]) -> None:
    path = tmp_path_factory.mktemp("tab") / "corpus.json"
    write_corpus(path, made, format="tab")
    read = read_corpus(path)
    assert [(d.id, d.text, d.person, d.split, d.spans) for d in read] == [
        (d.id, d.text, d.person, d.split, d.spans) for d in made
    ]
    write_corpus(path, read, format="tab", replace=True)
    assert read_corpus(path) == read


def test_a_span_without_a_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"document 1: field 'spans': TAB needs a kind"):
        write_corpus(tmp_path / "c.json", [Document("a", CANARY, spans=(Span(0, 1, "X"),))], format="tab")
    assert not list(tmp_path.iterdir())


def test_the_real_benchmark_is_written_and_read_back(data: Path, tmp_path: Path) -> None:
    made = read_documents(data / "tab" / "documents.jsonl.gz")
    write_corpus(tmp_path / "tab.json", made, format="tab")
    read = read_corpus(tmp_path / "tab.json")
    assert len(read) == 113 and all(
        one.metadata.items() <= two.metadata.items() for one, two in zip(made, read, strict=True)
    )
    assert [(d.id, d.text, d.person, d.split, d.spans) for d in read] == [
        (d.id, d.text, d.person, d.split, d.spans) for d in made
    ]
