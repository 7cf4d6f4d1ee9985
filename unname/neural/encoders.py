"""Encoders from folders and from the hub: loaded, checked and built, with no code run that came with them."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from unname.errors import NEEDS_NEURAL, ModelError, SettingsError
from unname.neural.readers import EncoderReader
from unname.storage.modelfolder import check_encoder, require_harmless, tensors

try:
    import torch
    from torch import nn
    from transformers import AutoConfig, AutoModel, AutoTokenizer, BertTokenizer
    from transformers.utils import logging as transformers_logging
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

HUB = "hub:"


@contextmanager
def quiet() -> Iterator[None]:
    """Silence libraries while they load."""
    before = transformers_logging.get_verbosity()
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(before)
        if bars:
            transformers_logging.enable_progress_bar()


def has_sixteen_bits() -> bool:
    """Check whether this processor multiplies in bfloat16 by itself; if it only imitates that, it is slower than float32."""
    asked = (getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return any(ask is not None and ask() for ask in asked)


def bare_encoder(config: dict[str, Any]) -> Any:
    """An encoder of a configuration with weights that still have to be filled in; ModelError if it cannot be built."""
    with torch.random.fork_rng(devices=[]):
        return _headless(_built(config).float())


def shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Shapes of the weights that a configuration calls for, found without making any; ModelError if it makes no sense."""
    with torch.device("meta"):
        encoder = _headless(_built(config))
    return {name: tuple(value.shape) for name, value in encoder.state_dict().items()}


def _built(config: dict[str, Any]) -> Any:
    made = make_config(config)
    try:
        with quiet():
            return AutoModel.from_config(made, trust_remote_code=False)
    except Exception:  # whatever a library raises for a configuration that makes no sense
        raise ModelError("an encoder cannot be built from its configuration") from None


def make_config(settings: dict[str, Any], *, dropout: float | None = None) -> Any:
    """The configuration of an encoder, without anything that could lead out of it; `dropout` stands for its own."""
    require_harmless(settings)
    kept = {k: v for k, v in settings.items() if not k.startswith("_") and "implementation" not in k}
    for name in ("model_type", "dtype", "torch_dtype", "transformers_version", "name_or_path"):
        kept.pop(name, None)
    if dropout is not None:
        kept |= {k: dropout for k, v in kept.items() if "dropout" in k and isinstance(v, int | float)}
    try:
        with quiet():
            return AutoConfig.for_model(str(settings.get("model_type")), **kept)
    except Exception:  # unknown kinds and settings of the wrong type, each with an error of its own
        raise ModelError("the configuration of an encoder is of no known kind") from None


def _headless(encoder: Any) -> Any:
    if hasattr(encoder, "pooler"):  # weights that pooling over tokens never uses
        encoder.pooler = None
    return encoder


def plain_config(config: Any) -> dict[str, Any]:
    """A configuration without entries on its origin or its loading."""
    dropped = ("dtype", "torch_dtype", "transformers_version", "architectures", "name_or_path")
    kept = {k: v for k, v in config.to_dict().items() if k not in dropped and not k.startswith("_")}
    return {k: v for k, v in kept.items() if "implementation" not in k} | {"model_type": config.model_type}


def load_encoder(source: str, *, dropout: float = 0.0) -> tuple[Any, EncoderReader]:
    """An encoder and its tokenizer from a folder, or from the hub under `hub:owner/name`; a folder never asks the network.

    `dropout` stands for the encoder's own. ModelError if the folder is not safe or sound.
    """
    if not source.startswith(HUB):
        return _load_folder(Path(source), dropout)
    with TemporaryDirectory() as folder:
        _download(source.removeprefix(HUB), Path(folder))
        return _load_folder(Path(folder), dropout)


def _download(name: str, folder: Path) -> None:
    from huggingface_hub import snapshot_download

    try:
        snapshot_download(name, local_dir=folder, allow_patterns=["*.json", "*.safetensors", "vocab.txt", "merges.txt"])
    except Exception as error:
        raise ModelError(f"the encoder could not be fetched from the hub: {type(error).__name__}") from None


def _load_folder(folder: Path, dropout: float) -> tuple[Any, EncoderReader]:
    settings = check_encoder(folder)
    config = make_config(settings, dropout=dropout)
    stated = sum(math.prod(t.shape) for path in folder.glob("*.safetensors") for t in tensors(path).values())
    if sum(map(math.prod, shapes(settings).values())) > stated:
        raise ModelError("an encoder's folder lacks weights that its configuration calls for")
    try:
        with quiet(), torch.random.fork_rng(devices=[]):
            encoder, loading_info = AutoModel.from_pretrained(
                folder, config=config, local_files_only=True, trust_remote_code=False, use_safetensors=True,
                dtype=torch.float32, output_loading_info=True,
            )  # fmt: skip
    except Exception as error:
        raise ModelError(f"the encoder's weights cannot be loaded: {type(error).__name__}") from None
    if any("pooler" not in name for name in loading_info["missing_keys"]):
        raise ModelError("an encoder's folder lacks weights that its configuration calls for")
    return _headless(encoder), read_reader(folder, str(settings.get("model_type")))


def require_window(config: Any, reader: EncoderReader, window: int) -> None:
    """Raise SettingsError or ModelError unless an encoder takes such windows and knows all ids of its tokenizer."""
    most = int(getattr(config, "max_position_embeddings", window) or window)
    most -= int(config.pad_token_id or 0) + 1 if "roberta" in config.model_type else 0
    if not len(reader.framed([])) < window <= most:
        raise SettingsError(f"this encoder's windows can have at most {most} tokens")
    if reader.vocabulary > config.vocab_size:
        raise ModelError("a tokenizer knows more tokens than its encoder")


def require_finite(tower: nn.Module) -> None:
    """Raise ModelError if weights are not finite."""
    if not all(bool(torch.isfinite(value).all()) for value in tower.state_dict().values()):
        raise ModelError("a model's weights are not all finite")


def read_reader(folder: Path, kind: str) -> EncoderReader:
    """The tokenizer of an encoder's folder."""
    load = BertTokenizer if kind == "tapas" else AutoTokenizer  # TAPAS's own needs pandas, and reads words as BERT does
    try:
        with quiet():
            made = load.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            spec = made.backend_tokenizer.to_str()
    except Exception as error:
        raise ModelError(f"the encoder's tokenizer cannot be loaded: {type(error).__name__}") from None
    plain = made("a", add_special_tokens=False)["input_ids"]
    whole = made("a")["input_ids"]
    at = next((i for i in range(len(whole)) if whole[i : i + len(plain)] == plain), 0)
    before, after = whole[:at], whole[at + len(plain) :]
    if kind == "tapas":  # the table follows the question's [SEP] and has none itself
        before, after = [made.cls_token_id], [made.sep_token_id]
    return EncoderReader(
        spec=spec, mask=made.mask_token, pad=made.pad_token_id or 0, before=list(before), after=list(after),
        specials=[token for token in made.all_special_tokens if token],
    )  # fmt: skip
