"""Spans as other tools write them are read as ours, with offsets in characters, or refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest

from unname.errors import InputError
from unname.inputs.annotated import read_predicted
from unname.storage.documents import read_corpus, read_documents
from unname.types import Document, Span

TEXT = "😀 Seen by Mr Gerald at Köln."
NAME, TOWN = Span(13, 19, "PER"), Span(23, 27, "LOC")


def read(folder: Path, *rows: Any, name: str = "a.jsonl") -> list[Document]:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) if name == "a.jsonl" else json.dumps(list(rows)))
    return read_corpus(path)


LABELLED = [{"value": {"start": 13, "end": 19, "text": "Gerald", "labels": ["PER"]}, "type": "labels"},
            {"type": "relation", "from_id": "a"}, {"value": {"choices": ["x"]}, "type": "choices"}]  # fmt: skip
SHAPES: dict[str, Any] = {
    "doccano": {"text": TEXT, "label": [[13, 19, "PER"], [23, 27, "LOC"]]},
    "doccano, older": {"text": TEXT, "labels": [[23, 27, "LOC"], [13, 19, "PER"]]},
    "doccano with relations": {
        "text": TEXT, "relations": [],
        "entities": [{"id": 1, "label": "PER", "start_offset": 13, "end_offset": 19},
                     {"id": 2, "label": "LOC", "start_offset": 23, "end_offset": 27}],
    },
    "spaCy": {"text": TEXT, "entities": [[13, 19, "PER"], [23, 27, "LOC"]]},
    "spaCy, a pair": [TEXT, {"entities": [[13, 19, "PER"], [23, 27, "LOC"]]}],
    "spaCy, a Doc": {"text": TEXT, "ents": [{"start": 13, "end": 19, "label": "PER"},
                                            {"start": 23, "end": 27, "label": "LOC"}], "tokens": [{"id": 0}]},
    "Prodigy": {"text": TEXT, "spans": [{"start": 13, "end": 19, "label": "PER", "token_start": 3},
                                        {"start": 23, "end": 27, "label": "LOC"}]},
    "Presidio": {"text": TEXT, "results": [{"entity_type": "PER", "start": 13, "end": 19, "score": 0.85},
                                           {"entity_type": "LOC", "start": 23, "end": 27, "score": 1.0}]},
    "Label Studio, the small export": {
        "text": TEXT, "label": [{"start": 13, "end": 19, "text": "Gerald", "labels": ["PER"]},
                                {"start": 23, "end": 27, "text": "Köln", "labels": ["LOC"]}],
    },
    "a cloud": {"text": TEXT, "entities": [{"BeginOffset": 13, "EndOffset": 19, "Type": "PER", "Text": "Gerald"},
                                           {"BeginOffset": 23, "EndOffset": 27, "Type": "LOC", "Text": "Köln"}]},
    "another cloud": {"text": TEXT, "entities": [{"offset": 13, "length": 6, "category": "PER", "confidenceScore": 0.5},
                                                 {"offset": 23, "length": 4, "category": "LOC"}]},
}  # fmt: skip


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
@pytest.mark.parametrize("tool", SHAPES)
def test_spans_of_other_tools_are_read(tool: str, name: str, tmp_path: Path) -> None:
    row = SHAPES[tool]
    (document,) = read(tmp_path, row if isinstance(row, list) else {"id": "d1", **row}, name=name)
    assert (document.text, document.spans) == (TEXT, (NAME, TOWN))
    assert document.id == ("1" if isinstance(row, list) else "d1")


def test_tasks_of_label_studio_are_read_with_their_first_annotation(tmp_path: Path) -> None:
    task = {"id": 5, "data": {"text": TEXT, "person": "p1"}, "annotations": [
        {"was_cancelled": True, "result": []}, {"result": LABELLED}, {"result": []}]}  # fmt: skip
    (document,) = read(tmp_path, task, name="a.json")
    assert (document.id, document.person, document.spans) == ("5", "p1", (NAME,))
    assert document.metadata["annotators"] == "2"
    html = {"value": {"start": "/div[1]/text()[1]", "end": "/x", "startOffset": 1, "endOffset": 2, "labels": ["PER"]}}
    with pytest.raises(InputError, match=r"record 1: field 'spans': Label Studio: offsets into HTML"):
        read(tmp_path, task | {"annotations": [{"result": [html]}]})


def test_tokens_with_labels_are_read(tmp_path: Path) -> None:
    tokens = ["Mr", "Gerald", "Cole", "came"]
    tagged = {"id": "0", "tokens": tokens, "ner_tags": ["O", "B-PER", "I-PER", "O"]}
    marked = {"tokenized_text": tokens, "ner": [[1, 2, "PER"]]}
    one, other = read(tmp_path, tagged, marked)
    assert one == Document("0", "Mr Gerald Cole came", spans=(Span(3, 14, "PER"),)) and other.spans == one.spans
    for bad, said in (
        ({"ner_tags": [0, 1, 2, 0]}, "labels of tokens are numbers"), ({"ner_tags": ["O"]}, "not equally many"),
        ({"ner_tags": ["PER"] * 4}, "O, or such as B-NAME"),
        ({"ner": [[1, 9, "PER"]], "ner_tags": None}, "first and the last"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said):
            read(tmp_path, tagged | bad)


def in_units(unit: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets in UTF-16 units or bytes, the obvious way."""
    size = {"utf-16-le": 2, "utf-8": 1}[unit]
    return len(text[:start].encode(unit)) // size, len(text[:end].encode(unit)) // size


@pytest.mark.parametrize("unit, name", [("utf-16-le", "UTF-16 units"), ("utf-8", "bytes")])
@pytest.mark.parametrize("key", ["text", "quote", "surface"])
def test_offsets_in_other_units_are_told_by_what_is_quoted(unit: str, name: str, key: str, tmp_path: Path) -> None:
    spans = []
    for span in (NAME, TOWN):
        start, end = in_units(unit, TEXT, span.start, span.end)
        spans.append({"start": start, "end": end, "label": span.label, key: TEXT[span.start : span.end]})
    assert read(tmp_path, {"id": "1", "text": TEXT, "spans": spans})[0].spans == (NAME, TOWN)
    bare = [{k: v for k, v in span.items() if k != key} for span in spans]
    with pytest.raises(InputError, match=f"offsets cut words, and would cut none if they counted {name}"):
        read(tmp_path, {"id": "1", "text": TEXT, "spans": bare})
    with pytest.raises(InputError, match="span 1: the text does not have at its offsets what it quotes") as caught:
        read(tmp_path, {"id": "1", "text": TEXT, "spans": [spans[0], spans[1] | {key: "Canarybird"}]})
    assert "Canarybird" not in str(caught.value)


@pytest.mark.parametrize("key", ["word", "value", "entity_value", "entity_text", "mention", "token_text"])
def test_what_may_be_quoted_otherwise_is_compared_by_its_letters(key: str, tmp_path: Path) -> None:
    start, end = in_units("utf-16-le", TEXT, NAME.start, NAME.end)
    for said in ("Gerald", "ger ##ald", "GERALD"):
        for places in ((start, end), (NAME.start, NAME.end)):
            span = {"start": places[0], "end": places[1], "label": "PER", key: said}
            assert read(tmp_path, {"id": "1", "text": TEXT, "spans": [span]})[0].spans == (NAME,)
    off = {"start": NAME.start - 1, "end": NAME.end - 1, "label": "PER", key: "Gerald"}
    with pytest.raises(InputError, match="span 1: the text does not have at its offsets what it quotes"):
        read(tmp_path, {"id": "1", "text": TEXT, "spans": [off]})
    meant = {"start": NAME.start, "end": NAME.end, "label": "PER", key: "a patient"}
    assert read(tmp_path, {"id": "1", "text": TEXT, "spans": [meant]})[0].spans == (NAME,)


@pytest.mark.parametrize(
    "before, behind, said",
    [(1, 1, "both offsets were one less"), (0, -1, "the end were one more"), (-1, -1, "both offsets were one more"),
     (1, 0, "the start were one less")],
)  # fmt: skip
def test_a_file_of_spans_that_are_all_one_place_off_is_refused(
    before: int, behind: int, said: str, tmp_path: Path
) -> None:
    def rows(names: list[str]) -> list[dict[str, Any]]:
        spans = [[11 + before, 11 + len(name) + behind, "PER"] for name in names]
        return [
            {"id": str(i), "text": f"Seen by Mr {name} today.", "label": [span]}
            for i, (name, span) in enumerate(zip(names, spans, strict=True))
        ]

    with pytest.raises(InputError, match=f"a.jsonl: nearly all spans cut words, and would cut none if {said}"):
        read(tmp_path, *rows(["Gerald", "Birkin", "Alma", "Corvin", "Dario"]))
    right = {"id": "x", "text": "Alma came", "label": [[0, 4, "PER"]]}
    assert len(read(tmp_path, *rows(["Gerald", "Birkin", "Alma", "Corvin", "Dario"]), right)) == 6
    assert len(read(tmp_path, *rows(["Gerald", "Birkin"]))) == 2, "few may be as they were meant"


def test_where_no_border_of_a_word_tells_what_offsets_count_they_are_refused(tmp_path: Path) -> None:
    row = {"id": "1", "text": "😀患者王秀英今天来", "spans": [{"start": 4, "end": 7, "label": "PER"}]}
    with pytest.raises(InputError, match="may count characters or UTF-16 units, which no border of a word tells"):
        read(tmp_path, row)
    quoted = row | {"spans": [{"start": 4, "end": 7, "label": "PER", "text": "王秀英"}]}
    assert read(tmp_path, quoted)[0].spans == (Span(3, 6, "PER"),)
    assert read(tmp_path, row | {"text": "患者王秀英今天来"})[0].spans == (Span(4, 7, "PER"),)


def test_records_of_tools_that_give_no_ids_have_their_numbers(tmp_path: Path) -> None:
    prodigy = {"text": TEXT, "_input_hash": 1, "_task_hash": 2, "tokens": [], "answer": "accept",
               "spans": [{"start": 13, "end": 19, "label": "PER", "token_start": 3}]}  # fmt: skip
    presidio = {"full_text": TEXT, "spans": [
        {"entity_type": "PER", "entity_value": "Gerald", "start_position": 13, "end_position": 19}]}  # fmt: skip
    found = read(tmp_path, prodigy, presidio, {"id": "x", "text": TEXT, "_input_hash": 3, "spans": []})
    assert [(each.id, each.text, each.spans) for each in found] == [
        ("1", TEXT, (NAME,)), ("2", TEXT, (NAME,)), ("x", TEXT, ()),
    ]  # fmt: skip
    with pytest.raises(InputError, match="record 1: field 'id': missing"):
        read(tmp_path, {"text": TEXT, "spans": []})


def test_predicted_spans_are_checked_alike(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    document = Document("1", TEXT)
    path.write_text(json.dumps({"id": "1", "label": [[13, 19, "PER"]]}))
    assert read_predicted(path, [document]) == [(NAME,)]
    path.write_text(json.dumps({"id": "1", "spans": [{"start": 14, "end": 20, "label": "PER"}]}))
    with pytest.raises(InputError, match="UTF-16 units"):
        read_predicted(path, [document])


@pytest.mark.parametrize("text", ["ab😀cd ef", "Größe und mehr", "plain"])
def test_offsets_that_count_characters_stay_as_they_are(text: str, tmp_path: Path) -> None:
    words = [(text.index(word), text.index(word) + len(word)) for word in text.split()]
    parts = [(0, 2), (len(text) - 1, len(text))]
    for places in (words, parts):
        spans = [{"start": start, "end": end, "label": "X"} for start, end in places]
        found = read(tmp_path, {"id": "1", "text": text, "spans": spans})[0].spans
        assert [(s.start, s.end) for s in found] == sorted(places)


def test_what_only_has_the_name_of_spans_is_left_alone(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "x", "label": "good", "entities": [{"name": "A"}], "labels": ["a", "b"]}]
    assert read(tmp_path, *rows)[0] == Document("1", "x", metadata={"label": "good"})
    (tmp_path / "b.csv").write_text("id,text,label\n1,x,good\n")
    assert read_documents(tmp_path / "b.csv")[0].metadata == {"label": "good"}
