"""`gliner:DIR`: a tiny GLiNER model with random weights; skipped where gliner is not installed."""

import json
import pickle
import shutil
from pathlib import Path

import pytest

from unname.errors import ModelError, TaggingError
from unname.taggers.foreign import gliner as ours
from unname.taggers.foreign.gliner import GlinerTagger
from unname.taggers.foreign.labels import LabelMap
from unname.testing import check_tagger
from unname.types import Span

gliner = pytest.importorskip("gliner")
WORDS = "anna weiss lives in ludlow with a cat person location"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from tiny_encoders import make_encoder
    from transformers import AutoConfig

    encoder = tmp_path_factory.mktemp("gliner") / "encoder"
    make_encoder(encoder, "bert", [WORDS], positions=512)
    config = gliner.GLiNERConfig(
        model_name=str(encoder), max_width=4, hidden_size=32, max_len=60,
        encoder_config=AutoConfig.from_pretrained(encoder).to_dict(),
    )  # fmt: skip
    torch.manual_seed(0)
    folder = encoder.parent / "model"
    gliner.GLiNER.from_config(config, backbone_from_pretrained=False).save_pretrained(folder, safe_serialization=True)
    shutil.rmtree(encoder)
    return folder


def test_it_finds_the_librarys_spans_in_our_words(made: Path) -> None:
    tagger, text = GlinerTagger(str(made), threshold=0.4), "Anna Weiss lives in Ludlow"
    library = ours.model(str(made)).predict_entities(text, list(LabelMap().asked()), flat_ner=False, threshold=0.4)
    assert library, "a random model finds something"
    wanted = {Span(one["start"], one["end"], LabelMap().of(one["label"])) for one in library}
    assert set(tagger.proposals(text)) == wanted
    assert "DISEASE" in tagger.labels and tagger.folders == (made,)
    assert tagger.about()["model"] == "bert" and str(made) not in str(tagger.about())


def test_it_is_asked_for_the_users_labels_too(made: Path) -> None:
    tagger = GlinerTagger(str(made), LabelMap((("SHIP", "VESSEL"),)))
    assert "VESSEL" in tagger.labels and "ship" in tagger.their_labels()


def test_it_reads_texts_of_any_length_to_the_end(made: Path) -> None:
    """The library cuts at 60 words and at 512 pieces, so every window must have fewer, and windows must cover all."""
    model, asked = ours.model(str(made)), list(LabelMap().asked())
    text = "Anna Weiss lives in Ludlow. " * 60 + "x" * 3000 + " q" * 100 + " Anna Weiss"
    places = list(ours._windows(model, text, asked))
    covered = {at for start, end in places for at in range(start, end)}
    assert {at for at, sign in enumerate(text) if not sign.isspace()} <= covered
    for start, end in places:
        words = [word for word, _, _ in model.data_processor.words_splitter(text[start:end])]
        read = model.data_processor.tokenize_inputs([words], [asked])
        assert len(words) <= 60 and read["words_mask"].max() == len(words) and read["input_ids"].shape[1] < 512
    assert GlinerTagger(str(made), threshold=0.4).tag([text])[0][-1].end > len(text) - 20


def test_a_window_that_the_library_cuts_withholds_the_text(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "_windows", lambda model, text, asked: [(0, len(text))])
    with pytest.raises(TaggingError, match="left out"):
        GlinerTagger(str(made)).tag(["Anna " * 100])


def test_it_passes_the_suite_of_taggers_and_survives_a_process_border(made: Path) -> None:
    check_tagger(lambda: GlinerTagger(str(made)))
    assert pickle.loads(pickle.dumps(GlinerTagger("x"))) == GlinerTagger("x")  # noqa: S301 (our own bytes)


def test_a_folder_with_pickles_or_that_would_fetch_its_encoder_is_refused(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "model")
    (folder / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(ModelError, match="pickle"):
        GlinerTagger(str(folder)).load()
    (folder / "pytorch_model.bin").unlink()
    config = json.loads((folder / "gliner_config.json").read_text())
    (folder / "gliner_config.json").write_text(json.dumps(config | {"encoder_config": None}))
    with pytest.raises(ModelError, match="fetched"):
        GlinerTagger(str(folder)).load()
    (folder / "gliner_config.json").write_text(json.dumps(config | {"hidden_size": 48}))
    with pytest.raises(ModelError, match="cannot be loaded"):
        GlinerTagger(str(folder)).load()
