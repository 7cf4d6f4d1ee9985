"""Tiny bi-encoders; what is neural is imported only where a test asks for it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unname.reidentifiers.encoders.biencoder import Biencoder


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    from made_biencoders import CORPUS
    from tiny_encoders import KINDS, make_encoder

    folder = tmp_path_factory.mktemp("encoders")
    return {kind: make_encoder(folder / kind, kind, CORPUS) for kind in KINDS}


@pytest.fixture(scope="module")
def model(encoders: dict[str, str]) -> "Biencoder":
    from made_biencoders import DOCUMENTS, PEOPLE, quick

    from unname.reidentifiers.encoders.biencoder import Biencoder

    return Biencoder(quick(encoders)).fit(PEOPLE, DOCUMENTS[:48])


@pytest.fixture(scope="module")
def saved(model: "Biencoder", tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "model"
    model.save(folder)
    return folder
