"""Predicted spans against a gold corpus: figures in one object, inputs checked whole, faults without content."""

import json
import stat
from pathlib import Path

import pytest

import unname
from unname.errors import InputError, ModelError, SettingsError, StateError
from unname.inputs.annotated import read_gold, read_predicted
from unname.scoring.i2b2 import HIPAA
from unname.types import Document, Span
from unname.verbs.evaluate.options import ErrorPage, Scoring
from unname.verbs.evaluate.run import METRICS, chosen_labels, evaluate, evaluate_files

WITNESS = "Quenberta"
TEXTS = {f"{WITNESS}-1": f"{WITNESS} Roe, aged 44, of Lund.", f"{WITNESS}-2": f"Seen: {WITNESS} on 2 May."}


@pytest.fixture
def documents() -> list[Document]:
    one, two = TEXTS.items()
    return [
        Document(*one, spans=(Span(0, 13, "PATIENT", "direct", "x_a1_e1"), Span(20, 22, "AGE", "quasi", "x_a1_e2"))),
        Document(*two, spans=(Span(6, 15, "PATIENT", "direct", "x_a1_e1"), Span(19, 24, "DATE", "no_mask", "x_a1_e2"))),
    ]  # fmt: skip


GUESS = [[Span(0, 13, "PATIENT"), Span(20, 22, "DATE")], [Span(6, 15, "PATIENT")]]


@pytest.fixture
def files(tmp_path: Path, documents: list[Document]) -> tuple[Path, Path]:
    """(predicted, gold), the lines of the first in another order."""
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    keys = ("start", "end", "label", "kind", "entity")
    write(gold, [
        {"id": d.id, "text": d.text, "split": f"part{i}", "spans": [{k: getattr(s, k) for k in keys} for s in d.spans]}
        for i, d in enumerate(documents)
    ])  # fmt: skip
    write(predicted, [
        {"id": d.id, "spans": [{"start": s.start, "end": s.end, "label": s.label, "score": 0.5} for s in spans]}
        for d, spans in reversed(list(zip(documents, GUESS, strict=True)))
    ])  # fmt: skip
    return predicted, gold


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_a_table_a_headline_by_type_and_json(metric: str, documents: list[Document]) -> None:
    found = evaluate(documents, GUESS, metric=metric)
    assert all(len(row) == 7 for row in (*found.table(), *found.types())) and found.types()
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["metric"] == metric
    assert WITNESS not in repr(found) + json.dumps(found.as_dict())


def test_headlines_are_spans_tokens_and_entities(documents: list[Document]) -> None:
    spans, i2b2, meddocan, tab = (evaluate(documents, GUESS, metric=metric) for metric in METRICS)
    assert (spans.scores[0].total.tp, spans.scores[0].total.fn) == (2, 1)
    assert i2b2.scores[0].metric == "tokens, any label" and i2b2.scores[0].total.f1.value == 1
    assert meddocan.leak == 1 / 2 and meddocan.scores[1].total.fn == 0
    assert tab.leaks() == {"direct": 0, "quasi": 0} and spans.leaks() == {}


def test_labels_are_labels_or_groups_that_gold_spans_belong_to() -> None:
    rows = [(Span(0, 1, "CALLE"), Span(2, 3, "PAIS")), (Span(4, 5, "EDAD_SUJETO_ASISTENCIA"), Span(6, 7, "CITY"))]
    assert chosen_labels(rows, [], "spans") is None and chosen_labels(rows, [], "i2b2") == HIPAA
    assert chosen_labels(rows, ["LOCATION"], "i2b2") == {"LOCATION", "CALLE", "PAIS", "CITY"}
    assert chosen_labels(rows, ["AGE", "PAIS"], "spans") == {"AGE", "PAIS", "EDAD_SUJETO_ASISTENCIA"}


def test_what_makes_no_sense_is_refused(documents: list[Document]) -> None:
    with pytest.raises(SettingsError, match="spans, i2b2, meddocan, tab"):
        evaluate(documents, GUESS, metric="bleu")
    with pytest.raises(SettingsError, match="as-published"):
        evaluate(documents, GUESS, as_published=True)
    with pytest.raises(SettingsError, match="labels"):
        evaluate(documents, GUESS, metric="tab", labels=["AGE"])
    for names in (["NOSUCH"], ["AGE", "NOSUCH"], ["NOSUCH", "LOCATION"]):
        with pytest.raises(InputError, match=f"labels: no span.* label {names.index('NOSUCH') + 1} of those"):
            evaluate(documents, GUESS, labels=names)
    with pytest.raises(InputError, match="given for 1 documents, but there are 2"):
        evaluate(documents, GUESS[:1])


def test_the_quirk_of_record_numbers_reaches_every_score_of_i2b2() -> None:
    corpus = [Document("d", "AB 7 44", spans=(Span(0, 4, "IDNUM"), Span(5, 7, "AGE")))]
    ours, theirs = (evaluate(corpus, [[]], metric="i2b2", as_published=quirk) for quirk in (False, True))
    assert [s.total.gold for s in ours.scores] == [3, 3, 2, 2, 2]
    assert [s.total.gold for s in theirs.scores] == [1, 1, 1, 1, 1]


# --- files


def test_files_give_what_objects_give_whatever_their_order(files: tuple[Path, Path], documents: list[Document]) -> None:
    assert unname.evaluate_files(*files) == unname.evaluate(documents, GUESS)
    assert read_predicted(files[0], documents)[0][0].score == 0.5


def test_a_split_alone_may_be_scored(files: tuple[Path, Path], tmp_path: Path) -> None:
    (document,) = read_gold(files[1], "part1")
    alone = tmp_path / "alone.jsonl"
    write(alone, [{"id": document.id, "spans": []}])
    assert evaluate_files(alone, files[1], scoring=Scoring(split="part1")).scores[0].total.gold == 1
    with pytest.raises(InputError, match="no document is in the split that was asked for"):
        evaluate_files(alone, files[1], scoring=Scoring(split="nosuch"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": f"{WITNESS}-1", "spans": []}], "field 'id': 1 documents of the corpus have no record here, the first"),
        ([{"id": f"{WITNESS}-9", "spans": []}], "record 1: field 'id': no document of the corpus"),
        ([{"id": f"{WITNESS}-1", "spans": []}, {"id": f"{WITNESS}-1", "spans": []}], "record 2: field 'id': the same id"),
        ([{"id": f"{WITNESS}-1"}], "record 1: field 'spans': missing"),
        ([{"id": f"{WITNESS}-1", "spans": [{"start": 3, "end": 99}]}], "record 1: field 'spans': span 1: start and end"),
        ([{"id": f"{WITNESS}-1", "spans": [{"start": 3, "end": 5, "score": 1}]}], "record 1: field 'spans': span 1: label"),
        ([{"id": f"{WITNESS}-1", "spans": None}], "record 1: field 'spans': must be a list"),
        ([{"id": f"{WITNESS}-1", "spans": WITNESS}], "record 1: field 'spans': must be a list"),
        ([{"spans": []}], "record 1: field 'id': missing"),
    ],
)  # fmt: skip
def test_faults_name_record_and_field_and_never_content(
    files: tuple[Path, Path], rows: list[dict[str, object]], said: str
) -> None:
    write(files[0], rows)
    with pytest.raises(InputError) as error:
        evaluate_files(*files)
    assert said in str(error.value) and WITNESS not in str(error.value)


def test_gold_without_spans_is_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    write(bare, [{"id": "a", "text": "b"}])
    with pytest.raises(InputError, match=r"bare\.jsonl: no document has spans"):
        evaluate_files(files[0], bare)


def test_the_page_of_errors_is_private_whole_and_never_written_over(files: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    evaluate_files(*files, page=ErrorPage(errors=page, training=files[1], most_errors=1))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "found as" in page.read_text(encoding="utf-8")
    with pytest.raises(StateError, match="already exists"):
        evaluate_files(*files, page=ErrorPage(errors=page))


def test_what_only_the_page_of_errors_would_use_is_refused_without_it(files: tuple[Path, Path]) -> None:
    with pytest.raises(SettingsError, match="page of errors"):
        evaluate_files(*files, page=ErrorPage(training=files[1]))


def test_nothing_is_written_where_the_input_is_faulty(files: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    write(files[0], [])
    with pytest.raises(InputError):
        evaluate_files(*files, page=ErrorPage(errors=page))
    assert not page.exists()


def test_real_spans_score_full_marks_against_themselves(data: Path) -> None:
    corpus = [d for d in read_gold(data / "tab" / "documents.jsonl.gz") if d.split == "dev"]
    found = evaluate(corpus, [d.spans for d in corpus], metric="tab")
    assert found.leaks() == {"direct": 0, "quasi": 0}
    assert found.tab is not None and found.tab.precision["uniform"].value < 1, "some spans need no masking"
    needed = [[s for s in d.spans if s.kind != "no_mask"] for d in corpus]
    again = evaluate(corpus, needed, metric="tab")
    assert again.tab is not None and again.tab.precision["uniform"].value == 1
    assert evaluate(corpus, needed).scores[0].total.f1.value == 1


def test_masked_words_are_weighed_by_rarity_or_by_a_model(files: tuple[Path, Path], tmp_path: Path) -> None:
    predicted, gold = files
    found = evaluate_files(predicted, gold, Scoring(metric="tab", weighting="unigram"))
    assert found.tab is not None
    assert set(found.tab.precision) == {"uniform", "by rarity here (heuristic)"}
    assert any("heuristic" in row[0] for row in found.table())
    with pytest.raises(SettingsError, match="tab"):
        evaluate_files(predicted, gold, Scoring(metric="spans", weighting="unigram"))
    pytest.importorskip("torch")
    with pytest.raises(ModelError):
        evaluate_files(predicted, gold, Scoring(metric="tab", weighting=str(tmp_path)))
