"""The SVM: what it learns, how it reads from left to right, and its folder."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from unname.errors import ModelError, SettingsError
from unname.hashing import hashed, mix
from unname.taggers.linear.features import read
from unname.taggers.linear.scores import Linear
from unname.taggers.linear.svm import Svm, history, left_to_right, squashed, support_vectors
from unname.taggers.linear.training_data import training_data
from unname.testing import check_tagger, sample_notes
from unname.types import Document

NOTES = sample_notes()
NAMES = ("B-X", "I-X", "O")


@pytest.fixture(scope="module")
def svm() -> Svm:
    return Svm().fit(NOTES[:24])


def test_it_passes_the_suite() -> None:
    check_tagger(Svm)


def test_it_finds_in_new_notes_what_was_annotated_in_others(svm: Svm) -> None:
    assert svm.tag([note.text for note in NOTES[24:]]) == [list(note.spans) for note in NOTES[24:]]


def key(name: str, *labels: str) -> int:
    """The key of classes, written out."""
    mixed = np.uint64(hashed(f"label={labels[0]}"))
    for label in labels[1:]:
        mixed = np.uint64(mix(mixed, np.uint64(hashed(f"label={label}"))))
    return int(mix(mixed, np.uint64(hashed(name))))


def test_history_is_the_two_classes_before_in_the_line_and_the_last_of_the_same_word_in_the_text() -> None:
    reading = read(["Ada saw Ada\n\nAda", "Ada"])
    labels = np.array([0, 2, 1, 2, 0])
    start = "<start>"
    assert history(reading, labels, NAMES).tolist() == [
        [key("class before", start), key("classes before", start, start), 0],
        [key("class before", "B-X"), key("classes before", start, "B-X"), 0],
        [key("class before", "O"), key("classes before", "B-X", "O"), key("class of the same word", "B-X")],
        [key("class before", start), key("classes before", start, start), key("class of the same word", "I-X")],
        [key("class before", start), key("classes before", start, start), 0],
    ]


@given(st.lists(st.text(alphabet="aB1 .\n", max_size=30), min_size=1, max_size=3), st.integers(0, 50))
def test_each_class_is_the_best_given_the_classes_before_it(texts: list[str], seed: int) -> None:
    reading = read(texts)
    draw = np.random.default_rng(seed)
    past = [
        key(name, *row)
        for name, many in (("class before", 1), ("classes before", 2), ("class of the same word", 1))
        for row in [(a, b)[:many] for a in (*NAMES, "<start>") for b in (*NAMES, "<start>")]
    ]
    keys = np.unique(np.concatenate([np.array(past, np.uint64), reading.every().ravel()]))[1:]
    linear = Linear(keys, draw.normal(size=(len(keys), 3)))
    labels, margins = left_to_right(linear, reading, NAMES)
    # The other way round: features of the classes it gave must make each of them the best.
    whole = linear.of_keys(reading.every()) + linear.of_keys(history(reading, labels, NAMES))
    assert np.array_equal(whole.argmax(axis=1), labels)
    assert np.allclose(whole[np.arange(len(labels)), labels], margins)


def test_classes_that_can_be_told_apart_are() -> None:
    features = sparse.csr_array(np.eye(3))
    for classes, many in (([0, 1, 2], 3), ([0, 1, 1], 2), ([2, 2, 2], 3), ([0, 2, 2], 4)):
        weights = support_vectors(features, np.array(classes), many, cost=1.0, seed=0)
        assert (features @ weights).argmax(axis=1).tolist() == classes
    assert not support_vectors(sparse.csr_array((0, 2)), np.zeros(0, np.int64), 2, cost=1.0, seed=0).any()


def test_binary_use_needs_but_one_label() -> None:
    notes = [Document(n.id, n.text, spans=tuple(type(s)(s.start, s.end, "PHI") for s in n.spans)) for n in NOTES[:24]]
    (found,) = Svm().fit(notes).tag([NOTES[30].text])
    assert [(s.start, s.end) for s in found] == [(s.start, s.end) for s in NOTES[30].spans]


def test_lines_with_an_identifier_are_always_learned_from() -> None:
    data = training_data([*NOTES, Document("quiet", "all was well\n\nnothing to tell")])
    rows = Svm(quiet=0.0)._drawn(data)
    outside = data.names.index("O")
    assert set(np.flatnonzero(data.labels != outside)) <= set(rows.tolist())
    assert len(rows) == len(data.labels) - 6, "the words of quiet lines are left out"
    assert len(Svm(quiet=1.0)._drawn(data)) == len(data.labels)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2))
def test_scores_keep_the_order_of_margins_and_lie_between_0_and_1(margins: list[float]) -> None:
    scores = squashed(np.sort(np.array(margins)))
    assert (np.diff(scores) >= 0).all() and scores.min() >= 0 and scores.max() <= 1


def test_nothing_to_learn_from_and_nothing_learned_are_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="learns from annotated documents"):
        Svm().fit([Document("a", "words")])
    for use in (lambda: Svm().tag(["x"]), lambda: Svm().save(tmp_path / "model")):
        with pytest.raises(ModelError, match="fitted"):
            use()


def test_another_kind_of_model_is_refused(svm: Svm, tmp_path: Path) -> None:
    svm.save(tmp_path / "model")
    path = tmp_path / "model" / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"name": "crf.v1"}))
    with pytest.raises(ModelError, match="unknown kind"):
        Svm.load(tmp_path / "model")


def test_without_the_extra_training_says_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn.svm", None)
    with pytest.raises(ModelError, match=r"unname\[taggers\]"):
        Svm().fit(NOTES[:4])


def test_a_weight_and_a_lean_find_more_and_the_lean_is_kept(tmp_path: Path) -> None:
    few = [Document(d.id, d.text, spans=d.spans if n % 3 == 0 else ()) for n, d in enumerate(NOTES[:24])]
    texts = [note.text for note in NOTES[24:]]

    def found(tagger: Svm) -> int:
        return sum(span.end - span.start for spans in tagger.tag(texts) for span in spans)

    plain, heavy, leaning = Svm().fit(few), Svm(identifier_weight=30.0).fit(few), Svm(lean=1e4).fit(few)
    assert found(heavy) > found(plain)
    assert found(leaning) > found(plain)
    leaning.save(tmp_path / "model")
    again = Svm.load(tmp_path / "model")
    assert again.lean == pytest.approx(1e4)
    assert again.tag(texts) == leaning.tag(texts)
    with pytest.raises(SettingsError):
        Svm(identifier_weight=0.0)
