"""`hf:DIR`: token classifiers of transformers, from a folder that holds nothing but data."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tiny_classifier import make_classifier

from unname.errors import ModelError
from unname.taggers.foreign.huggingface import HuggingFaceTagger, _Word, joined
from unname.taggers.foreign.labels import LabelMap
from unname.testing import check_tagger
from unname.types import Span


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hf") / "model"
    make_classifier(folder)
    return folder


def tagger(folder: Path, **more: str) -> HuggingFaceTagger:
    return HuggingFaceTagger(str(folder), LabelMap(tuple(more.items())))


def test_it_finds_what_the_model_learned_in_our_words(made: Path) -> None:
    text = "Seen by Ada  Byron\nof Ludlow."
    (found,) = tagger(made).tag([text])
    assert [(text[s.start : s.end], s.label) for s in found] == [("Ada  Byron", "NAME"), ("Ludlow", "PLACE")]
    assert all(0.5 < s.score <= 1 for s in found)
    one = tagger(made)
    assert one.labels == {"NAME", "PLACE"} and one.folders == (made,)
    assert set(one.about()) == {"name", "transformers", "torch", "model"} and str(made) not in str(one.about())


def test_it_reads_texts_of_any_length_to_the_end(made: Path) -> None:
    text = "today with her cat and " * 400 + "Karl " + "in " * 700 + "Boston"
    (found,) = tagger(made).tag([text])
    assert [text[s.start : s.end] for s in found] == ["Karl", "Boston"]


def test_it_passes_the_suite_of_taggers_and_survives_a_process_border(made: Path) -> None:
    check_tagger(lambda: tagger(made))
    assert pickle.loads(pickle.dumps(tagger(made))) == tagger(made)  # noqa: S301 (our own bytes)


def test_labels_are_the_users_where_he_says_so(made: Path) -> None:
    (found,) = tagger(made, LOC="O", PER="STAFF").tag(["Karl in Boston"])
    assert [s.label for s in found] == ["STAFF"]


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "copy")


def changed(folder: Path, **settings: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | settings))


def test_a_model_without_a_label_for_nothing_needs_to_be_told(copy: Path) -> None:
    changed(copy, id2label={str(i): f"LABEL_{i}" for i in range(4)})
    with pytest.raises(ModelError, match="LABEL_0=O"):
        tagger(copy).load()
    (found,) = tagger(copy, LABEL_0="O", LABEL_1="NAME").tag(["Karl in Boston"])
    assert [s.label for s in found] == ["NAME", "LABEL_3"]


def test_a_folder_with_a_pickle_code_or_no_classifier_is_refused(copy: Path) -> None:
    (copy / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ModelError, match="pickle"):
        tagger(copy).load()
    (copy / "pytorch_model.bin").unlink()
    changed(copy, auto_map={"AutoModel": "x.Y"})
    with pytest.raises(ModelError, match="code of its own"):
        tagger(copy).load()


def test_an_encoder_without_a_classifying_layer_is_refused(copy: Path) -> None:
    weights = load_file(copy / "model.safetensors")
    save_file({k: v for k, v in weights.items() if "classifier" not in k}, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="no token classifier"):
        tagger(copy).load()


def test_weights_that_lack_or_are_no_numbers_are_refused(copy: Path) -> None:
    weights = load_file(copy / "model.safetensors")
    left = {k: v for k, v in weights.items() if "layer.0.output" not in k}
    save_file(left, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="lacks weights"):
        tagger(copy).load()


def test_scores_that_are_no_numbers_withhold(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "nan")
    weights = load_file(folder / "model.safetensors")
    save_file({k: v * float("nan") for k, v in weights.items()}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="no numbers"):
        tagger(folder).tag(["Karl"])


@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "L-Y", "U-Y", "X", "Y"]), max_size=12))
def test_labels_of_words_are_joined_as_one_reads_them(row: list[str]) -> None:
    """Second implementation: whether a word goes on with the one before it is asked for each pair apart."""

    def kind(label: str) -> str:
        return label[-1]

    def goes_on(before: str, label: str) -> bool:
        ended = before[:2] in ("E-", "S-", "L-", "U-")
        return (
            before != "O" != label and kind(before) == kind(label) and not ended and label[:2] not in ("B-", "S-", "U-")
        )

    words = [_Word(2 * i, 2 * i + 1, label, 1.0) for i, label in enumerate(row)]
    slow: list[Span] = []
    for i, label in enumerate(row):
        if label != "O" and not (i and goes_on(row[i - 1], label)):
            end = i
            while end + 1 < len(row) and goes_on(row[end], row[end + 1]):
                end += 1
            slow.append(Span(2 * i, 2 * end + 1, kind(label)))
    assert joined(words) == slow
