"""Encoders of a few thousand weights, made on the spot: BERT-like, RoBERTa-like, one without a mask token, TAPAS."""

from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
    TapasConfig,
    TapasModel,
)

KINDS = ("bert", "roberta", "plain", "tapas")
_LETTERS = [chr(c) for c in range(ord("a"), ord("z") + 1)]
_SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}


def make_encoder(folder: Path, kind: str, corpus: list[str], *, seed: int = 0, positions: int = 80) -> str:
    """An encoder's folder with random weights and a tokenizer that knows the words of a corpus; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    if kind == "roberta":
        _roberta(folder, corpus)
    else:
        _bert(folder, kind, corpus, positions)
    return str(folder)


def _bert(folder: Path, kind: str, corpus: list[str], positions: int) -> None:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + ([] if kind == "plain" else ["[MASK]"])
    special += ["[EMPTY]"] if kind == "tapas" else []
    found = sorted({w.lower() for text in corpus for w in text.replace(".", " ").split()})
    vocabulary = dict.fromkeys(
        [*special, *_LETTERS, *(f"##{c}" for c in _LETTERS), ".", "|", ",", "?", "█", "who", "is", "this", *found]
    )
    ids = {token: i for i, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    tokenizer.decoder = decoders.WordPiece()
    sizes = {**_SIZES, "vocab_size": len(ids), "max_position_embeddings": positions, "pad_token_id": 0}
    if kind == "tapas":
        (folder / "vocab.txt").write_text("\n".join(ids) + "\n", encoding="utf-8")
        TapasModel(TapasConfig(**sizes)).save_pretrained(folder)
        return
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    names |= {} if kind == "plain" else {"mask_token": "[MASK]"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    BertModel(BertConfig(**sizes)).save_pretrained(folder)


def _roberta(folder: Path, corpus: list[str]) -> None:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([*corpus, *(f" {text}" for text in corpus)], trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    mask = AddedToken("<mask>", lstrip=True)
    tokenizer.add_special_tokens([mask])
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": mask,
             "cls_token": "<s>", "sep_token": "</s>"}  # fmt: skip
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    sizes = {**_SIZES, "vocab_size": tokenizer.get_vocab_size(), "max_position_embeddings": 82, "pad_token_id": 1}
    RobertaModel(RobertaConfig(**sizes, bos_token_id=0, eos_token_id=2, type_vocab_size=1)).save_pretrained(folder)


def make_language_model(folder: Path, corpus: list[str], *, seed: int = 0) -> str:
    """A causal language model of a few thousand random weights that reads words and letters."""
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted({w.lower() for text in corpus for w in text.replace(".", " ").split()})
    ids = {token: i for i, token in enumerate(dict.fromkeys(["[UNK]", "<s>", *found, *".:-█\n"]))}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", bos_token="<s>").save_pretrained(folder)
    torch.manual_seed(seed)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=len(ids), **sizes)).save_pretrained(folder)
    return str(folder)
