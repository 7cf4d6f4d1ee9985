"""A masked language model's probabilities of words: the same as asking it directly, for every token of a text at once."""

from pathlib import Path

import pytest
import torch
from tiny_encoders import make_encoder
from transformers import AutoModelForMaskedLM, AutoTokenizer, BertConfig, BertForMaskedLM

from unname.errors import ModelError
from unname.neural.masked_model import MaskedModel

TEXT = "ada lives in porto"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = Path(make_encoder(tmp_path / "model", "bert", [TEXT, "bo is far"]))
    BertForMaskedLM(BertConfig.from_pretrained(made)).save_pretrained(made)
    return made


def test_all_masked_tokens_are_hidden_together_and_the_least_probable_piece_counts(folder: Path) -> None:
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForMaskedLM.from_pretrained(folder).eval()
    ids = tokenizer(TEXT, return_tensors="pt").input_ids
    hidden = ids.clone()
    hidden[0, 1], hidden[0, 4] = tokenizer.mask_token_id, tokenizer.mask_token_id
    with torch.no_grad():
        said = model(input_ids=hidden).logits[0].log_softmax(-1)
    wanted = [-float(said[place, ids[0, place]]) for place in (1, 4)]
    assert MaskedModel(folder).weights(TEXT, [(0, 3), (13, 18)]) == pytest.approx(wanted, abs=1e-4)
    assert MaskedModel(folder).weights(TEXT, []) == []
    pieces = MaskedModel(folder).weights("xyz", [(0, 3)])
    assert len(pieces) == 1 and pieces[0] > 0


def test_an_encoder_without_a_head_is_refused(tmp_path: Path) -> None:
    bare = Path(make_encoder(tmp_path / "bare", "bert", [TEXT]))
    with pytest.raises(ModelError, match="head"):
        MaskedModel(bare)
