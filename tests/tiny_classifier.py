"""A token classifier of a few thousand weights that knows what six words are."""

from pathlib import Path

import torch
from tiny_encoders import make_encoder
from transformers import AutoTokenizer, BertConfig, BertForTokenClassification

WORDS = "seen by ada byron of ludlow and karl in boston today with her cat".split()  # noqa: SIM905
TAGS = {"ada": "B-PER", "byron": "I-PER", "karl": "B-PER", "ludlow": "B-LOC", "boston": "B-LOC"}
LABELS = ["O", "B-PER", "I-PER", "B-LOC"]


def make_classifier(folder: Path) -> None:
    """Its folder, as transformers write one."""
    make_encoder(folder, "bert", [" ".join(WORDS)], positions=64)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 48}
    torch.manual_seed(0)
    model = BertForTokenClassification(
        BertConfig(
            vocab_size=len(tokenizer), max_position_embeddings=64, pad_token_id=0, **sizes,
            id2label=dict(enumerate(LABELS)), label2id={label: i for i, label in enumerate(LABELS)},
        )
    )  # fmt: skip
    optimiser, random = torch.optim.Adam(model.parameters(), lr=5e-3), torch.Generator().manual_seed(0)
    for _ in range(120):
        rows = torch.randint(0, len(WORDS), (16, 12), generator=random).tolist()
        ids = tokenizer([" ".join(WORDS[i] for i in row) for row in rows], return_tensors="pt")["input_ids"]
        gold = torch.tensor([[-100, *(LABELS.index(TAGS.get(WORDS[i], "O")) for i in row), -100] for row in rows])
        optimiser.zero_grad()
        model(input_ids=ids, labels=gold).loss.backward()
        optimiser.step()
    model.save_pretrained(folder)
