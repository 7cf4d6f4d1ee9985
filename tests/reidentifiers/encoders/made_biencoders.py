"""Planted people, and settings that teach a tiny bi-encoder about them within seconds."""

from typing import Any

from test_trained import planted

from unname.reidentifiers.encoders.settings import BiencoderSettings

PEOPLE, DOCUMENTS = planted()
CORPUS = [d.text for d in DOCUMENTS] + [f"{k} || {v}" for p in PEOPLE for k, v in p.fields.items()]


def quick(encoders: dict[str, str], document: str = "bert", profile: str = "bert", **other: Any) -> BiencoderSettings:
    """Settings that teach a tiny model within seconds."""
    asked = {"document_encoder": encoders[document], "profile_encoder": encoders[profile], "width": 32, "window": 32,
             "batch": 16, "epochs": 2, "profile_epochs": (1,), "held_out": 0.0, "warm_start": 2, "mask_prior": "none",
             "lexical": 0.0, "document_rate": 3e-3, "profile_rate": 3e-3, "patience": 1000, "bf16": False, "threads": 1,
             "smoothing": 0.0}  # fmt: skip
    return BiencoderSettings(**(asked | other))
