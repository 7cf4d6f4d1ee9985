"""The BiLSTM-CRF: made-up notes, tiny networks."""

import json
from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load, save

from unname.errors import ModelError, SettingsError, StateError
from unname.taggers.base import TrainableTagger
from unname.taggers.lstm.reading import CASINGS, casing, key, learn_vocabulary
from unname.taggers.lstm.tagger import LstmCrf
from unname.taggers.lstm.training import Lookup, labelled_text, sequences
from unname.taggers.reading import read
from unname.testing import HARD_TEXTS, check_tagger
from unname.types import Document, Span

FIRST = ["Ada", "Karl", "Mary", "Ines", "Otto", "Lena", "Paul", "Rosa"]
LAST = ["Byron", "Smith", "Torres", "Weber", "Novak", "Silva", "Moreau", "Berg"]
TOWNS = ["Leeds", "Cadiz", "Turin", "Graz", "Lyon", "Porto"]
TINY = {"word_width": 16, "character_width": 12, "units": 12, "epochs": 12, "rate": 0.02, "batch": 8,
        "teach_epochs": 0, "device": "cpu"}  # fmt: skip


def notes(count: int, seed: int = 0) -> list[Document]:
    """Notes that name a person and a town each."""
    random = np.random.default_rng(seed)
    made = []
    for i in range(count):
        name = f"{random.choice(FIRST)} {random.choice(LAST)}"
        town, age = str(random.choice(TOWNS)), int(random.integers(20, 90))
        text = f"Patient: {name}.\nTown: {town}\nSeen at {age} years of age for pain. Pain went away.\n"
        at, there = text.index(name), text.index(town)
        made.append(
            Document(f"n{i}", text, spans=(Span(at, at + len(name), "NAME"), Span(there, there + len(town), "TOWN")))
        )
    return made


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)  # several wait for each other where cores are shared


@pytest.fixture(scope="module")
def tagger() -> LstmCrf:
    return LstmCrf(**TINY).fit(notes(60), notes(20, seed=1))


def weights(tagger: LstmCrf) -> dict[str, torch.Tensor]:
    assert tagger.networks_ is not None
    return tagger.networks_.state_dict()


def alike(one: LstmCrf, two: LstmCrf) -> bool:
    mine, theirs = weights(one), weights(two)
    return mine.keys() == theirs.keys() and all(torch.equal(value, theirs[name]) for name, value in mine.items())


def test_it_is_a_tagger_that_learns(tagger: LstmCrf) -> None:
    assert isinstance(tagger, TrainableTagger)
    assert tagger.training_[0].held_out[-1] > 0.9


@pytest.mark.slow
def test_it_satisfies_the_suite_for_taggers() -> None:
    check_tagger(lambda: LstmCrf(**TINY | {"epochs": 6}))


def test_it_finds_names_it_never_saw_by_where_they_stand(tagger: LstmCrf) -> None:
    text = "Patient: Zora Quill.\nTown: Lyon\nSeen at 44 years of age for pain.\n"
    found = tagger.tag([text])[0]
    assert [(text[s.start : s.end], s.label) for s in found] == [("Zora Quill", "NAME"), ("Lyon", "TOWN")]
    assert all(0.5 < s.score <= 1 for s in found)


def test_company_changes_no_span_and_scores_by_no_more_than_rounding(tagger: LstmCrf) -> None:
    texts = [document.text for document in notes(30, seed=5)] + [" ".join(d.text for d in notes(20, seed=6)), "Ada"]
    for text, together in zip(texts, tagger.tag(texts), strict=True):
        alone = tagger.tag([text])[0]
        assert alone == together
        assert [s.score for s in alone] == pytest.approx([s.score for s in together], abs=2e-4)


def test_a_copy_in_another_process_finds_the_same(tagger: LstmCrf) -> None:
    copy = ForkingPickler.loads(ForkingPickler.dumps(tagger))
    texts = [document.text for document in notes(5)]
    assert copy.tag(texts) == tagger.tag(texts)
    assert ForkingPickler.loads(ForkingPickler.dumps(LstmCrf())).settings == LstmCrf().settings


def test_the_chain_over_windows_of_a_very_long_text_says_what_it_says_over_the_whole(
    tagger: LstmCrf, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(document.text for document in notes(40, seed=3))
    whole = tagger.tag([text])[0]
    monkeypatch.setattr("unname.taggers.lstm.labelling.CHAINED", 50)
    parts = tagger.tag([text])[0]
    assert parts == whole
    assert [s.score for s in parts] == pytest.approx([s.score for s in whole], abs=2e-4)


def test_hard_texts_break_nothing(tagger: LstmCrf) -> None:
    for text, spans in zip(HARD_TEXTS, tagger.tag(HARD_TEXTS), strict=True):
        ends = [0, *(s.end for s in spans)]
        assert all(end <= s.start < s.end <= len(text) for end, s in zip(ends, spans, strict=False))
    assert tagger.tag([]) == []


def test_the_same_seed_gives_the_same_weights_and_the_process_keeps_its_own_draws() -> None:
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    one = LstmCrf(**TINY | {"epochs": 2}).fit(notes(20))
    assert torch.equal(torch.rand(3), wanted)
    assert alike(one, LstmCrf(**TINY | {"epochs": 2}).fit(notes(20)))
    assert not alike(one, LstmCrf(**TINY | {"epochs": 2, "seed": 1}).fit(notes(20)))


def stop_in(epoch: int) -> Callable[[str, int], Callable[[int], None]]:
    def progress(stage: str, total: int) -> Callable[[int], None]:
        def advance(done: int) -> None:
            if stage == f"epoch {epoch}":
                raise KeyboardInterrupt

        return advance

    return progress


def test_a_run_taken_up_again_ends_as_one_that_was_never_stopped(tmp_path: Path) -> None:
    asked = TINY | {"epochs": 4, "members": 2, "least_documents": 1}
    whole = LstmCrf(**asked).fit(notes(20), notes(5, seed=1))
    for epoch in (3, 1, 4):
        with pytest.raises(KeyboardInterrupt):
            LstmCrf(**asked, checkpoint=tmp_path / "c", progress=stop_in(epoch)).fit(notes(20), notes(5, seed=1))
    again = LstmCrf(**asked, checkpoint=tmp_path / "c").fit(notes(20), notes(5, seed=1))
    assert alike(whole, again) and whole.training_ == again.training_
    with pytest.raises(StateError):
        LstmCrf(**asked, checkpoint=tmp_path / "c").fit(notes(21), notes(5, seed=1))


def test_a_saved_tagger_comes_back_to_the_bit_and_only_its_owner_may_read_it(tagger: LstmCrf, tmp_path: Path) -> None:
    tagger.save(tmp_path / "m")
    back = LstmCrf.load(tmp_path / "m")
    texts = [document.text for document in notes(5, seed=9)]
    assert alike(tagger, back) and back.tag(texts) == tagger.tag(texts)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == [
        ".unname",
        "model.json",
        "weights.safetensors",
        "words.json",
    ]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "m").iterdir())
    back.save(tmp_path / "again")
    assert (tmp_path / "again/weights.safetensors").read_bytes() == (tmp_path / "m/weights.safetensors").read_bytes()


def test_a_folder_keeps_no_word_of_one_text_alone_and_no_path(tagger: LstmCrf, tmp_path: Path) -> None:
    odd = Document("odd", "Patient: Xanthippe Quirke.\n", spans=(Span(9, 25, "NAME"),))
    made = LstmCrf(**TINY | {"epochs": 1}).fit([*notes(20), odd])
    made.save(tmp_path / "m")
    words = json.loads((tmp_path / "m/words.json").read_text())["words"]
    assert "patient" in words and "xanthippe" not in words
    assert "word_vectors" not in (tmp_path / "m/model.json").read_text()


def _description(change: Callable[[dict[str, object]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        about = json.loads((folder / "model.json").read_text())
        change(about)
        (folder / "model.json").write_text(json.dumps(about))

    return spoil


def _rewritten(name: str, content: bytes) -> Callable[[Path], None]:
    """A file changed, and its hash with it."""
    from hashlib import sha256

    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(content)
        about = json.loads((folder / "model.json").read_text())
        about["files"][name] = sha256(content).hexdigest()
        (folder / "model.json").write_text(json.dumps(about))

    return spoil


def _weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        found = load((folder / "weights.safetensors").read_bytes())
        change(found)
        _rewritten("weights.safetensors", save(found))(folder)

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "weights.safetensors").unlink(),
        lambda folder: (folder / "weights.pkl").write_bytes(b"x"),
        lambda folder: (folder / "notes.txt").write_bytes(b"x"),
        lambda folder: (folder / "words.json").write_bytes(b"{}"),
        lambda folder: (folder / "model.json").write_bytes(b"[" * 100_000),
        lambda folder: (
            (folder / "model.json").symlink_to("/etc/hostname") if not (folder / "model.json").unlink() else 0
        ),
        _description(lambda about: about.update(format="other.v1")),
        _description(lambda about: about.update(more=1)),
        _description(lambda about: about["sizes"].update(units=10**9)),
        _description(lambda about: about["sizes"].update(units=13)),
        _description(lambda about: about["sizes"].update(members=True)),
        _description(lambda about: about["sizes"].update(characters=1)),
        _description(lambda about: about["files"].pop("words.json")),
        _rewritten("words.json", b'{"words": [], "letters": [], "labels": ["O", "B-A", "I-B"]}'),
        _rewritten("words.json", b'{"words": ["a", "a"], "letters": [], "labels": ["O"]}'),
        _rewritten("words.json", b'{"words": [1], "letters": [], "labels": ["O"]}'),
        _rewritten("words.json", b'{"words": [], "letters": [], "labels": []}'),
        _rewritten("weights.safetensors", b"\xff" * 64),
        _weights(lambda found: found.popitem()),
        _weights(lambda found: found.update(more=torch.zeros(1))),
        _weights(lambda found: found["0.labels.bias"].fill_(torch.nan)),
        _weights(lambda found: found.update({"0.labels.bias": found["0.labels.bias"].double()})),
    ],
)
def test_a_folder_with_anything_off_is_refused(
    tagger: LstmCrf, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    tagger.save(tmp_path / "m")
    spoil(tmp_path / "m")
    with pytest.raises(ModelError):
        LstmCrf.load(tmp_path / "m")


def test_word_vectors_of_a_file_are_kept_as_they_are_for_words_the_texts_lack_too(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("3 4\nthe 0 0 0 1\nunseen 0 0 1 0\npatient 0 1 0 0\n")
    made = LstmCrf(**TINY | {"epochs": 2, "word_vectors": str(path)}).fit(notes(20))
    assert made.vocabulary_ is not None and made.vocabulary_.words == ("the", "unseen", "patient")
    assert weights(made)["0.words.weight"][2:].tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
    made.save(tmp_path / "m")
    assert alike(made, LstmCrf.load(tmp_path / "m"))


def test_without_characters_a_words_letters_change_nothing_but_its_casing() -> None:
    plain = LstmCrf(**TINY | {"characters": False}).fit(notes(20))
    assert not any(".letters." in name for name in weights(plain))
    texts = ["Patient: Xyzzy Plugh.\n", "Patient: Qwert Asdfg.\n"]
    one, two = plain.tag(texts)
    assert one and [(s.label, s.score) for s in one] == [(s.label, s.score) for s in two]


def test_vectors_taught_by_the_texts_are_where_learning_starts() -> None:
    taught = LstmCrf(**TINY | {"epochs": 0, "teach_epochs": 2}).fit(notes(20))
    plain = LstmCrf(**TINY | {"epochs": 0}).fit(notes(20))
    assert not torch.equal(weights(taught)["0.words.weight"], weights(plain)["0.words.weight"])
    assert torch.equal(weights(taught)["0.labels.weight"], weights(plain)["0.labels.weight"])


def test_nothing_to_learn_from_or_to_tag_with_is_a_model_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        LstmCrf().fit([Document("a", "Nothing here.")])
    with pytest.raises(ModelError):
        LstmCrf().tag(["x"])
    with pytest.raises(ModelError):
        LstmCrf().save(tmp_path / "m")


@pytest.mark.parametrize(
    "wrong", [{"epochs": -1}, {"lstm_dropout": 1.0}, {"rate": 0.0}, {"units": 0}, {"no_such": 1}, {"members": 0}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError):
        LstmCrf(**wrong)


@pytest.mark.parametrize(
    ("word", "named"),
    [("2019", "numeric"), ("20a", "mainly numeric"), ("ada", "all lower"), ("ADA", "all upper"), ("Ada", "initial upper"),
     ("a2b3cD", "contains digit"), ("aDa", "other"), ("-", "other")],
)  # fmt: skip
def test_casing_is_that_of_reimers_and_gurevych(word: str, named: str) -> None:
    assert CASINGS[casing(word)] == named


def test_words_are_looked_up_folded_with_digits_as_zero() -> None:
    assert key("ÁVILA") == "ávila" and key("28016") == "00000"


def test_training_sequences_are_whole_sentences_and_together_the_text() -> None:
    text = "One two three. Four five.\nSix\n" + "Seven eight nine ten. " * 20
    document = Document("a", text, spans=(Span(0, 3, "X"),))
    taught = labelled_text(document, Lookup(learn_vocabulary([document], least_documents=1)))
    for seed in range(5):
        parts = list(sequences(taught, 12, np.random.default_rng(seed)))
        assert [t for part in parts for t in range(*part)] == list(range(len(taught.gold)))
        assert all(start in taught.starts and end - start <= 12 for start, end in parts)


def test_a_reading_shows_no_text() -> None:
    assert "Ada" not in repr(read("Ada Byron")) + repr(learn_vocabulary(notes(5), least_documents=1))
