"""The CRF: our decoder against CRFsuite's own, what it learns, and folders that are not what they say."""

import json
import struct
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from unname.errors import ModelError, StateError
from unname.taggers.linear import crfsuite
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.scores import matrix, vocabulary
from unname.taggers.linear.training_data import training_data
from unname.testing import check_tagger, sample_notes
from unname.types import Document, Span

NOTES = sample_notes()


@pytest.fixture(scope="module")
def crf() -> Crf:
    return Crf(training=CrfSettings(passes=30)).fit(NOTES[:24])


def test_it_passes_the_suite() -> None:
    check_tagger(lambda: Crf(training=CrfSettings(passes=20)))


def test_it_finds_in_new_notes_what_was_annotated_in_others(crf: Crf) -> None:
    found = crf.tag([note.text for note in NOTES[24:]])
    assert found == [list(note.spans) for note in NOTES[24:]]


def test_labels_and_probabilities_are_those_of_crfsuite_itself(crf: Crf, tmp_path: Path) -> None:
    data = training_data(NOTES[:24])
    keys = vocabulary([data.seen])
    features = matrix(data.seen, keys)
    rows = [[str(c) for c in features.indices[a:b]] for a, b in zip(features.indptr, features.indptr[1:], strict=False)]
    ends = np.cumsum(data.reading.lengths).tolist()
    lines = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    pycrfsuite = pytest.importorskip("pycrfsuite")
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    settings = CrfSettings(passes=30)
    trainer.set_params({"c1": settings.c1, "c2": settings.c2, "max_iterations": settings.passes})
    for line in lines:
        trainer.append(rows[line], [data.names[label] for label in data.labels[line]])
    trainer.train(str(tmp_path / "model"))
    theirs = pycrfsuite.Tagger()
    theirs.open(str(tmp_path / "model"))
    # Notes it was not taught, and which it is unsure of.
    texts = [
        "Name: Ruiz\nAge: about 40, from Elmira or Dr. Port",
        "Referred by Omar 12/03\nTown: Shaw. Admitted",
        *(n.text for n in NOTES[24:]),
    ]
    reading, labels, probable = crf.read(texts)
    place = {key: str(number) for number, key in enumerate(keys.tolist())}
    seen = [[place[key] for key in row if key in place] for row in reading.every().tolist()]
    at = 0
    for length in reading.lengths.tolist():
        theirs.set(seen[at : at + length])
        assert theirs.tag() == [crf.labels_[label] for label in labels[at : at + length]]
        for step in range(length):
            wanted = [theirs.marginal(name, step) for name in crf.labels_]
            assert np.allclose(probable[at + step], wanted, atol=1e-6)
        at += length


def test_a_caller_s_list_teaches_names_that_no_document_has() -> None:
    known, things = (
        ["pavo", "teru", "lisk", "onga", "mird", "quas"],
        ["desk", "lamp", "rope", "inkwell", "sofa", "brush"],
    )
    notes = [
        Document(str(n), f"we met {word} there", spans=(Span(7, 7 + len(word), "NAME"),) if word in known else ())
        for n, word in enumerate(known + things)
    ]
    texts = ["we met zenn there", "we met comb there"]
    assert [len(spans) for spans in Crf(gazetteers={"names": [*known, "zenn"]}).fit(notes).tag(texts)] == [1, 0]


@pytest.mark.parametrize("documents", [[], [Document("a", "")], [Document("a", "some words")]])
def test_nothing_to_learn_from_is_said(documents: list[Document]) -> None:
    with pytest.raises(ModelError, match="learns from annotated documents"):
        Crf().fit(documents)


def test_a_model_that_was_not_fitted_neither_tags_nor_is_saved(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="fitted"):
        Crf().tag(["x"])
    with pytest.raises(ModelError, match="fitted"):
        Crf().save(tmp_path / "model")


def test_without_the_extra_training_says_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pycrfsuite", None)
    with pytest.raises(ModelError, match=r"unname\[taggers\]"):
        crfsuite.crfsuite()


def test_a_saved_model_is_used_without_crfsuite(crf: Crf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crf.save(tmp_path / "model")
    monkeypatch.setitem(__import__("sys").modules, "pycrfsuite", None)
    assert Crf.load(tmp_path / "model").tag([NOTES[30].text]) == crf.tag([NOTES[30].text])


def test_an_output_folder_that_exists_is_not_written_over(crf: Crf, tmp_path: Path) -> None:
    crf.save(tmp_path / "model")
    with pytest.raises(StateError):
        crf.save(tmp_path / "model")
    crf.save(tmp_path / "model", replace=True)


def test_a_folder_says_no_word_in_clear(crf: Crf, tmp_path: Path) -> None:
    crf.save(tmp_path / "model")
    written = b"".join(path.read_bytes() for path in (tmp_path / "model").iterdir())
    assert b"NAME" in written and b"Shaw" not in written and b"shaw" not in written


def tampered(folder: Path, **changed: np.ndarray | None) -> None:
    """Change arrays of a saved model, and its description with them."""
    arrays = load_tensors((folder / "weights.safetensors").read_bytes())
    for name, row in changed.items():
        arrays.pop(name.replace("__", "."))
        if row is not None:
            arrays[name.replace("__", ".")] = row
    weights = save_tensors(arrays)
    (folder / "weights.safetensors").write_bytes(weights)
    about = json.loads((folder / "model.json").read_text())
    about["files"] = {"weights.safetensors": sha256(weights).hexdigest()}
    (folder / "model.json").write_text(json.dumps(about))


@pytest.mark.parametrize(
    "name", ["linear__keys", "linear__ends", "linear__labels", "linear__weights", "steps", "lists__keys", "lists__of"]
)
@pytest.mark.parametrize("how", ["gone", "short", "absurd", "backwards", "floats"])
def test_arrays_that_learning_never_gives_are_refused(crf: Crf, tmp_path: Path, name: str, how: str) -> None:
    folder = tmp_path / "model"
    crf.save(folder)
    row = load_tensors((folder / "weights.safetensors").read_bytes())[name.replace("__", ".")]
    absurd = np.full_like(row, np.nan if row.dtype.kind == "f" else -(1 << 30))
    wrong = {
        "gone": None, "short": row[:-1], "absurd": absurd, "backwards": row[::-1].copy(), "floats": row.astype(np.float32)
    }[how]  # fmt: skip
    harmless = {
        ("lists__of", "backwards"),
        ("lists__of", "absurd"),
        ("linear__labels", "backwards"),
        ("linear__weights", "backwards"),
        ("steps", "backwards"),
    }
    tampered(folder, **{name: wrong})
    if (name, how) in harmless:
        Crf.load(folder).tag(["Name: Ada"])
        return
    with pytest.raises(ModelError):
        Crf.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"name": "svm.v1"}, {"features": 0}, {"labels": ["O"]}, {"labels": []}, {"labels": "O"},
        {"labels": [1]}, {"labels": ["O"] * 9}, {"files": {}}, {"labels": None}, {"labels": {"O": 1}},
    ],
)  # fmt: skip
def test_a_description_that_is_off_is_refused(crf: Crf, tmp_path: Path, change: dict[str, object]) -> None:
    folder = tmp_path / "model"
    crf.save(folder)
    about = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(about | change))
    with pytest.raises(ModelError):
        Crf.load(folder)


@pytest.mark.parametrize("name", ["model.crfsuite", "evil.py", "weights.pkl"])
def test_a_folder_with_a_foreign_file_is_refused(crf: Crf, tmp_path: Path, name: str) -> None:
    crf.save(tmp_path / "model")
    (tmp_path / "model" / name).write_bytes(struct.pack("<Q", 0))
    with pytest.raises(ModelError):
        Crf.load(tmp_path / "model")
