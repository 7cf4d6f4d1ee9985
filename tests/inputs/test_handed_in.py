"""`--spans`: what any tool, or a person, found in the documents of a run, in every shape, and what is refused of it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import InputError, SettingsError, TaggingError
from unname.inputs.handed_in import read_spans, spans_tagger
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.storage.formats import WRITTEN, write_corpus
from unname.taggers.foreign.labels import LabelMap
from unname.taggers.given import given_spans
from unname.testing import HARD_TEXTS, check_tagger, sample_notes
from unname.types import Document, Span
from unname.verbs.deidentify.files import deidentify_files, estimate_files
from unname.verbs.deidentify.in_memory import deidentify

KEY = bytes(range(32))
TEXT = "Seen by Ada Byron in Ludlow ."
DOCUMENTS = [Document("a", TEXT), Document("b", "Nobody was there.")]
FOUND = [Span(8, 17, "PERSON"), Span(21, 27, "GPE")]
OURS = [("Ada Byron", "NAME"), ("Ludlow", "PLACE")]
Row = Mapping[str, Any]


def written(folder: Path, *rows: Any, name: str = "spans.jsonl") -> Path:
    path = folder / name
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def said(path: Path, documents: list[Document] = DOCUMENTS) -> list[list[tuple[str, str]]]:
    """What is found in each document, in our words."""
    tagger = spans_tagger(path, documents)
    return [[(d.text[s.start : s.end], s.label) for s in tagger.tag([d.text])[0]] for d in documents]


PAIRS = [[8, 17, "PERSON"], [21, 27, "GPE"]]
NOTHING: Row = {"id": "b", "spans": []}
SHAPES: dict[str, tuple[Any, Any]] = {
    "ours": ({"id": "a", "spans": [{"start": s, "end": e, "label": n} for s, e, n in PAIRS]}, NOTHING),
    "doccano": ({"id": 7, "text": TEXT, "label": PAIRS}, {"id": 8, "text": DOCUMENTS[1].text, "label": []}),
    "spacy": ({"id": "a", "text": TEXT, "entities": PAIRS}, NOTHING),
    "prodigy": (
        {"_input_hash": 3, "text": TEXT, "spans": [{"start": s, "end": e, "label": n} for s, e, n in PAIRS]},
        {"_input_hash": 4, "text": DOCUMENTS[1].text, "spans": []},
    ),
    "presidio": (
        {"id": "a", "results": [{"start": s, "end": e, "entity_type": n, "score": 0.8} for s, e, n in PAIRS]}, NOTHING,
    ),
    "hugging face": (
        {"id": "a", "tokens": TEXT.split(), "ner_tags": ["O", "O", "B-PER", "I-PER", "O", "B-LOC", "O"]}, NOTHING,
    ),
    "gliner": (
        {"id": "a", "tokenized_text": TEXT.split(), "ner": [[2, 3, "person"], [5, 5, "location"]]}, NOTHING,
    ),
    "label studio": (
        {"id": 7, "data": {"text": TEXT}, "annotations": [{"result": [
            {"value": {"start": s, "end": e, "text": TEXT[s:e], "labels": [n]}} for s, e, n in PAIRS]}]},
        {"id": 8, "data": {"text": DOCUMENTS[1].text}, "annotations": [{"result": []}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_spans_are_read_in_the_shape_of_any_tool(shape: str, ending: str, tmp_path: Path) -> None:
    path = written(tmp_path, *SHAPES[shape], name=f"spans.{ending}")
    assert said(path) == [OURS, []]


@pytest.mark.parametrize("format", WRITTEN)
def test_spans_are_read_from_an_annotated_corpus(format: str, tmp_path: Path) -> None:
    documents = [replace(DOCUMENTS[0], spans=tuple(FOUND)), DOCUMENTS[1]]
    if format == "tab":
        documents = [replace(d, spans=tuple(replace(s, kind="quasi", entity="e") for s in d.spans)) for d in documents]
    path = tmp_path / ("corpus.conll" if format == "conll" else "corpus.json" if format == "tab" else "corpus")
    if format == "tab":
        documents[1] = replace(documents[1], spans=(Span(0, 6, "MISC", "no_mask", "f"),))
    write_corpus(path, documents, format=format)
    assert said(path) == [OURS, []]


def test_tokens_mark_what_they_do_in_the_text_however_that_is_spaced(tmp_path: Path) -> None:
    document = Document("a", "Seen\n by Ada  Byron in Ludlow.")
    path = written(tmp_path, SHAPES["hugging face"][0])
    assert said(path, [document]) == [[("Ada  Byron", "NAME"), ("Ludlow", "PLACE")]]


def test_documents_of_the_same_text_share_what_was_found(tmp_path: Path) -> None:
    documents = [DOCUMENTS[0], Document("c", TEXT)]
    path = written(tmp_path, {"text": TEXT, "_input_hash": 1, "spans": [{"start": 8, "end": 17, "label": "PER"}]})
    assert said(path, documents) == [OURS[:1]] * 2
    rows = [{"id": "a", "spans": [PAIRS[0]]}, {"id": "c", "spans": [PAIRS[1]]}]
    assert said(written(tmp_path, *rows), documents) == [OURS] * 2


def test_a_document_of_which_nothing_is_said_is_an_error_that_says_how_many(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"1 of 2 documents have no record .* document 2: a missing record does not mean"
    ):
        read_spans(written(tmp_path, SHAPES["ours"][0]), DOCUMENTS)


def test_a_record_of_no_document_is_an_error_unless_not_all_are_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, *SHAPES["ours"], {"id": "zqx", "spans": []})
    with pytest.raises(InputError, match="record 3: field 'id'") as raised:
        read_spans(path, DOCUMENTS)
    assert "zqx" not in str(raised.value)
    assert len(read_spans(path, DOCUMENTS, every=False)) == 2


@pytest.mark.parametrize(
    "row, field",
    [
        ({"id": "a", "spans": [[8, 99, "PER"]]}, "spans"), ({"id": "a"}, "spans"), ({"spans": []}, "id"),
        ({"id": "a", "text": "other", "spans": []}, "text"), ({"id": "a", "spans": "x"}, "spans"),
        ({"id": "a", "spans": [{"start": 8, "end": 17, "label": "PER", "text": "Bob Byron"}]}, "spans"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_by_record_and_field(row: Row, field: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"record 1: field '{field}'") as raised:
        read_spans(written(tmp_path, row, NOTHING), DOCUMENTS)
    assert "Byron" not in str(raised.value)


def test_the_same_id_twice_and_a_folder_without_annotations_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="record 3: field 'id'"):
        read_spans(written(tmp_path, *SHAPES["ours"], NOTHING), DOCUMENTS)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(TEXT)
    with pytest.raises(InputError, match="no annotated documents"):
        read_spans(tmp_path / "texts", DOCUMENTS)


@pytest.mark.parametrize(
    "row",
    [
        {"id": 7, "data": {"text": TEXT}, "annotations": []},
        {"id": 7, "data": {"text": TEXT}, "annotations": [{"was_cancelled": True, "result": []}]},
        {"_input_hash": 3, "text": TEXT, "spans": [], "answer": "ignore"},
    ],
)
def test_a_text_that_nobody_annotated_is_no_text_without_identifiers(row: Row, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="record 1: field 'annotations'"):
        read_spans(written(tmp_path, row, NOTHING), DOCUMENTS)


def test_offsets_that_count_something_else_are_told_by_what_is_quoted(tmp_path: Path) -> None:
    document = Document("a", "😀 Ada Byron")
    row = {"id": "a", "spans": [{"start": 3, "end": 12, "label": "PER", "text": "Ada Byron"}]}
    assert said(written(tmp_path, row), [document]) == [[("Ada Byron", "NAME")]]


def test_kinds_say_what_is_direct_and_what_is_to_stay() -> None:
    spans = [
        Span(0, 4, "LOC", "direct"),
        Span(5, 7, "LOC", "quasi"),
        Span(8, 11, "PER", "no_mask"),
        Span(12, 17, "PER", "direct"),
    ]
    (found,) = given_spans([Document("a", TEXT)], [spans], LabelMap()).tag([TEXT])
    assert [(s.start, s.label) for s in found] == [(0, "DIRECT"), (5, "PLACE"), (12, "NAME")]


def test_a_text_that_nobody_read_is_no_text_without_identifiers() -> None:
    tagger = given_spans(DOCUMENTS, [FOUND, []], LabelMap())
    assert tagger.tag([DOCUMENTS[1].text]) == [[]] and repr(tagger) == "GivenSpans(2 texts)"
    with pytest.raises(TaggingError):
        tagger.tag([TEXT + " "])


def test_the_tagger_of_handed_in_spans_passes_the_suite() -> None:
    texts = [*HARD_TEXTS, *(note.text for note in sample_notes())]
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    spans = [[Span(0, 1, "PER")] if text else [] for text in texts]
    check_tagger(lambda: given_spans(documents, spans, LabelMap()))


# Through the whole job


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Documents that each name a pet, their people, and a file that says where."""
    town = fictional_town(people=20, seed=3)
    rows = [{"id": d.id, "text": f"{d.text} Zorbax came along.", "person": d.person} for d in town.documents]
    people = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    spans = [
        {"id": row["id"], "spans": [{"start": (at := row["text"].index("Zorbax")), "end": at + 6, "label": "Haustier"}]}
        for row in rows
    ]
    return (
        written(tmp_path, *rows, name="d.jsonl"), written(tmp_path, *people, name="p.jsonl"), written(tmp_path, *spans),
    )  # fmt: skip


def run(files: tuple[Path, Path, Path], out: Path, **more: Any) -> dict[str, Any]:
    documents, people, spans = files
    settings = by_rules(k=2, reidentifiers=("bm25",))
    given: dict[str, Any] = {
        "accept_risk": "a test",
        "masking": settings,
        "attackers": ("bm25",),
        "spans": spans,
        **more,
    }
    job = make_job(documents, people, out, **given)
    released = deidentify_files(job)
    texts = [json.loads(line)["text"] for line in (out / "documents.jsonl").read_text("utf-8").splitlines()]
    manifest: dict[str, Any] = json.loads((out / "manifest.json").read_text("utf-8"))
    assert texts and not released.result.withheld
    return {"texts": texts, "manifest": manifest}


def test_what_was_handed_in_is_hidden_and_in_the_manifest(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    made = run(files, tmp_path / "out")
    assert not any("Zorbax" in text for text in made["texts"]) and any("[HAUSTIER]" in text for text in made["texts"])
    assert made["manifest"]["settings"]["taggers"] == ["rules.v1", "spans.v1"]
    assert len(made["manifest"]["inputs"]["spans"]) == 64 and "spans.jsonl" not in json.dumps(made["manifest"])


def test_a_label_that_is_mapped_is_left_to_the_search_and_part_of_the_documents_may_do(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    file = tmp_path / "map.txt"
    file.write_text("Haustier=PLACE\n")
    made = run(files, tmp_path / "out", label_map=file, limit=10)
    assert any("Zorbax" in text for text in made["texts"]) and len(made["manifest"]["inputs"]["label map"]) == 64
    shown = run(files, tmp_path / "more", label_map=file, hide=("direct", "PLACE"), limit=10)
    assert not any("Zorbax" in text for text in shown["texts"])


def test_a_file_that_lacks_a_document_ends_the_run_before_anything_is_written(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    files[2].write_text("".join(files[2].read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(InputError, match="a missing record does not mean that nothing was found"):
        run(files, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    documents, people, spans = files
    with pytest.raises(InputError, match="a missing record does not mean that nothing was found"):
        estimate_files(make_job(documents, people, tmp_path / "out", spans=spans))


def test_a_label_to_hide_that_nobody_gives_and_a_method_without_taggers_are_refused(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="hide: name 1"):
        run(files, tmp_path / "out", hide=("NOSUCHLABEL",))
    with pytest.raises(SettingsError, match="no use for taggers"):
        run(files, tmp_path / "out", method="greedy")
    with pytest.raises(SettingsError, match="label-map is for"):
        run(files, tmp_path / "out", spans=None, label_map=files[2])


def test_in_memory_too(files: tuple[Path, Path, Path]) -> None:
    town = fictional_town(people=20, seed=3)
    rows = [json.loads(line) for line in files[0].read_text("utf-8").splitlines()]
    documents = [Document(row["id"], row["text"], row["person"]) for row in rows]
    settings = Deidentification(k=2, reidentifiers=("bm25",), spans=files[2])
    made = deidentify(documents, Population(town.profiles), settings=settings, key=KEY)
    assert not any("Zorbax" in str(text) for text in made.texts())
