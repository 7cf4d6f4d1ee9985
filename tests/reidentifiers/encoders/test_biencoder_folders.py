"""Folders of bi-encoders and encoders: a hostile one is refused, whatever is wrong with it."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from made_biencoders import CORPUS
from safetensors.torch import load_file, save_file
from tiny_encoders import make_encoder

from unname.errors import ModelError
from unname.reidentifiers.encoders.biencoder import Biencoder
from unname.reidentifiers.encoders.towers import load_tower
from unname.storage.modelfolder import check_encoder, require_plain, tensors

Harm = Callable[[Path], None]


def _json(name: str, **changes: Any) -> Harm:
    def harm(folder: Path) -> None:
        path = folder / name
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
        _sign(folder)

    return harm


def _sign(folder: Path) -> None:
    """Hashes as an attacker would make them fit."""
    from hashlib import sha256

    about = json.loads((folder / "model.json").read_text())
    about["files"] = {n: sha256((folder / n).read_bytes()).hexdigest() for n in about["files"] if (folder / n).exists()}
    (folder / "model.json").write_text(json.dumps(about))


def _weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Harm:
    def harm(folder: Path) -> None:
        state = load_file(folder / "weights.safetensors")
        change(state)
        save_file(state, folder / "weights.safetensors")
        _sign(folder)

    return harm


def _header(length: int | None = None, **entry: Any) -> Harm:
    def harm(folder: Path) -> None:
        header = json.dumps({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} | entry}).encode()
        content = struct.pack("<Q", len(header) if length is None else length) + header + bytes(8)
        (folder / "weights.safetensors").write_bytes(content)
        _sign(folder)

    return harm


def _link(folder: Path) -> None:
    (folder / "document/config.json").rename(folder.parent / "outside.json")
    (folder / "document/config.json").symlink_to(folder.parent / "outside.json")


HARMS: dict[str, Harm] = {
    "pickle": lambda f: (f / "pytorch_model.bin").write_bytes(b"\x80\x04."),
    "code": lambda f: (f / "document/modeling.py").write_text("print('run')"),
    "more": lambda f: (f / "notes.txt").write_text("x"),
    "more folders": lambda f: (f / "other").mkdir(),
    "link": _link,
    "link to nowhere": lambda f: (f / "profile/link.json").symlink_to("nowhere"),
    "auto_map": _json("document/config.json", auto_map={"AutoModel": "evil.Model"}),
    "nested auto_map": _json("profile/config.json", inner=[{"auto_map": {}}]),
    "kernels": _json("document/config.json", attn_implementation="somebody/kernels"),
    "quantised": _json("document/config.json", quantization_config={"quant_method": "x"}),
    "many layers": _json("document/config.json", num_hidden_layers=10**6),
    "frame": _json(
        "model.json",
        readers={
            side: {"mask": None, "pad": 0, "before": [10**6], "after": [], "specials": []}
            for side in ("document", "profile")
        },
    ),
    "wide": _json("document/config.json", vocab_size=10**12),
    "unknown kind": _json("document/config.json", model_type="evil"),
    "wrong type": _json("document/config.json", hidden_size="32"),
    "other size": _json("document/config.json", intermediate_size=64),
    "small vocabulary": _json("document/config.json", vocab_size=5),
    "version": _json("model.json", format="unname-biencoder.v9"),
    "unknown key": _json("model.json", extra=1),
    "absurd width": _json("model.json", width=10**9),
    "width is text": _json("model.json", width="32"),
    "readers": _json("model.json", readers={"document": {}, "profile": {}}),
    "other files": _json("model.json", files={"../../etc/passwd": "x"}),
    "no files": _json("model.json", files={}),
    "held_out": _json("model.json", held_out="x"),
    "taught": _json("taught.json", digests=[1]),
    "taught by nothing": _json("taught.json", digests=None),
    "no JSON": lambda f: (f / "model.json").write_text("{"),
    "deep JSON": lambda f: (f / "model.json").write_text("[" * 100_000),
    "no object": lambda f: (f / "model.json").write_text("[]"),
    "tokenizer": lambda f: ((f / "document/tokenizer.json").write_text('{"model": 1}'), _sign(f))[1],
    "missing": lambda f: (f / "profile/tokenizer.json").unlink(),
    "changed weights": lambda f: (f / "weights.safetensors").write_bytes(
        (f / "weights.safetensors").read_bytes()[:-1] + b"\x01"
    ),
    "not a number": _weights(lambda s: s["document.projection.bias"].fill_(float("nan"))),
    "infinite": _weights(lambda s: s["profile.projection.weight"].fill_(float("inf"))),
    "shape": _weights(lambda s: s.update({"document.projection.bias": torch.zeros(31)})),
    "dtype": _weights(lambda s: s.update({"document.projection.bias": torch.zeros(32, dtype=torch.float16)})),
    "tensor too many": _weights(lambda s: s.update({"extra": torch.zeros(2)})),
    "tensor too few": _weights(lambda s: s.pop("document.projection.bias")),
    "bytes at the end": lambda f: (
        (f / "weights.safetensors").write_bytes((f / "weights.safetensors").read_bytes() + b"x"),
        _sign(f),
    )[1],
    "huge header": _header(length=2**60),
    "overlapping": _header(data_offsets=[0, 4]),
    "beyond the end": _header(shape=[4], data_offsets=[0, 16]),
    "negative": _header(shape=[-2]),
    "unknown dtype": _header(dtype="EVIL"),
    "empty file": lambda f: ((f / "weights.safetensors").write_bytes(b""), _sign(f))[1],
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_hostile_folder_is_refused(harm: str, saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    copytree(saved, folder)
    Biencoder.load(folder)
    HARMS[harm](folder)
    with pytest.raises(ModelError):
        Biencoder.load(folder)


ENCODER_HARMS: dict[str, Harm] = {
    "pickle": lambda f: (f / "pytorch_model.bin").write_bytes(b"\x80\x04."),
    "code": lambda f: (f / "modeling_evil.py").write_text("raise SystemExit"),
    "adapter": lambda f: (f / "adapter_config.json").write_text('{"base_model_name_or_path": "somebody/model"}'),
    "auto_map": lambda f: _merge(f / "config.json", auto_map={"AutoModel": "evil.Model"}),
    "tokenizer code": lambda f: _merge(f / "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.T", None]}),
    "only pickle": lambda f: (f / "model.safetensors").rename(f / "model.pt"),
    "no weights": lambda f: (f / "model.safetensors").unlink(),
    "lying weights": lambda f: (f / "model.safetensors").write_bytes(struct.pack("<Q", 2**40) + b"{}"),
    "link": lambda f: (f / "vocab.txt").symlink_to("/etc/hostname"),
    "weights missing": lambda f: save_file(
        {k: v for k, v in load_file(f / "model.safetensors").items() if "layer.1" not in k}, f / "model.safetensors"
    ),
    "weights under other names": lambda f: save_file(
        {k.replace("layer.1", "layer.9"): v for k, v in load_file(f / "model.safetensors").items()},
        f / "model.safetensors",
    ),
    "more layers": lambda f: _merge(f / "config.json", num_hidden_layers=400),
    "huge": lambda f: _merge(f / "config.json", vocab_size=1 << 24, intermediate_size=1 << 24),
    "no config": lambda f: (f / "config.json").unlink(),
    "no tokenizer": lambda f: (f / "tokenizer.json").write_text("{}"),
}


def _merge(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("harm", ENCODER_HARMS)
def test_a_hostile_encoder_is_refused(harm: str, tmp_path: Path) -> None:
    source = make_encoder(tmp_path / "encoder", "bert", CORPUS)
    ENCODER_HARMS[harm](Path(source))
    with pytest.raises(ModelError):
        load_tower(source, width=32, window=32, dropout=0)


def test_links_inside_a_folder_are_fine(tmp_path: Path) -> None:
    source = Path(make_encoder(tmp_path / "encoder", "bert", CORPUS))
    (source / "again.json").symlink_to("config.json")
    assert check_encoder(source)["model_type"] == "bert"
    require_plain(source)


def test_the_header_of_a_weight_file_is_read_as_its_library_reads_it(encoders: dict[str, str]) -> None:
    path = Path(encoders["roberta"]) / "model.safetensors"
    stated = {name: (t.kind, t.shape) for name, t in tensors(path).items()}
    assert stated == {name: ("F32", tuple(value.shape)) for name, value in load_file(path).items()}
    assert tensors(path.read_bytes()) == tensors(path)
    for wrong in (path.read_bytes() + b"x", path.read_bytes()[:-1], b"", b"1234567"):
        with pytest.raises(ModelError, match="does not fit the file"):
            tensors(wrong)
