"""Folders that hold a model: what may lie in one, and what is refused before any library reads a byte of it.

A model comes from elsewhere as often as not. Nothing here can run what it reads: JSON is data, and of a weight file
only its header is read, which must describe the file exactly. Source of the format: safetensors, "Format" section.
"""

import hashlib
import io
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from unname.errors import ModelError
from unname.storage.faults import shown_name
from unname.storage.files import MARKER
from unname.types import Profile

MOST_JSON = 64 << 20
_MOST_HEADER = 32 << 20
_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
# Files that can hold code, or objects that run code when they are read.
_CODE = frozenset(
    (".py", ".pyc", ".pyd", ".so", ".dll", ".sh", ".pkl", ".pickle", ".joblib", ".dill", ".bin", ".pt", ".pth",
     ".ckpt", ".h5", ".npy", ".npz", ".msgpack", ".ot")
)  # fmt: skip
# What makes a library fetch or run something that is not in the folder.
_FORBIDDEN_KEYS = frozenset(("auto_map", "quantization_config", "custom_pipelines"))
_FORBIDDEN_FILES = frozenset(("adapter_config.json", "adapter_model.safetensors"))
_MOST_LAYERS = 512
_MOST_OF_ANYTHING = 1 << 24


class Tensor(NamedTuple):
    """The description of one tensor in a weight file."""

    kind: str
    shape: tuple[int, ...]


@contextmanager
def faults_of(folder: Path) -> Iterator[None]:
    """A ModelError of the block says of which folder it is."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{shown_name(folder)}: {error}") from None


def require_plain(folder: Path, allowed: frozenset[str] | None = None, *, code: frozenset[str] = _CODE) -> None:
    """Nothing below a folder is code, a pickle, a pipe or a link that leads out; with `allowed`, no other files.

    `allowed` are paths relative to the folder, `code` the endings of what is code. ModelError otherwise.
    """
    if not folder.is_dir():
        raise ModelError("a model is a folder; there is none at the place given")
    home = folder.resolve()
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if name == MARKER:
                continue
            path = Path(parent, name)
            _require_inside(path, home)
            relative = path.relative_to(folder).as_posix()
            if allowed is not None and not any(a == relative or a.startswith(f"{relative}/") for a in allowed):
                raise ModelError("a model folder holds a file that does not belong to it")
        for name in files:
            if Path(name).suffix.lower() in code or name in _FORBIDDEN_FILES:
                raise ModelError(
                    "a model folder holds a pickle, code or an adapter; only safetensors weights and JSON are read"
                )


def _require_inside(path: Path, home: Path) -> None:
    try:
        real = path.resolve(strict=True)
        mode = real.stat().st_mode
    except (OSError, RuntimeError):
        raise ModelError("a model folder holds a link that leads nowhere") from None
    if not real.is_relative_to(home):
        raise ModelError("a model folder holds a link that leads out of it")
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ModelError("a model folder holds something that is neither a file nor a folder")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The content of a plain file of a model; one that is missing or larger than `most` bytes is a ModelError."""
    try:
        handle = os.open(path.resolve(strict=True), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise ModelError("a file of a model is no plain file")
            if most is not None and about.st_size > most:
                raise ModelError("a file of a model is too large for what it should hold")
            with open(handle, "rb", closefd=False) as stream:
                return stream.read(about.st_size)
        finally:
            os.close(handle)
    except (OSError, RuntimeError):
        raise ModelError(f"{shown_name(path)}: a file of a model is missing or cannot be read") from None


def parse_json(content: bytes) -> dict[str, Any]:
    """A JSON object; anything else is a ModelError."""
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError):
        raise ModelError("a file of a model is not valid JSON") from None
    if not isinstance(parsed, dict):
        raise ModelError("a file of a model should hold a JSON object")
    return parsed


def require_harmless(settings: Mapping[str, Any]) -> None:
    """No setting of a model, at any depth, names code to run, and no size in it is absurd; ModelError otherwise."""
    waiting: list[Any] = [settings]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if not _FORBIDDEN_KEYS.isdisjoint(one):
                raise ModelError("a model's configuration names code of its own; only what is built in is run")
            for key, value in one.items():
                if "implementation" in str(key) and value not in (None, "eager", "sdpa"):
                    raise ModelError("a model's configuration names code of its own; only what is built in is run")
                if "layers" in str(key) and isinstance(value, int) and value > _MOST_LAYERS:
                    raise ModelError("a model's configuration has an absurd number of layers")
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, int | float) and abs(one) > _MOST_OF_ANYTHING and one < 1e29:
            raise ModelError("a model's configuration has an absurd size in it")


def tensors(content: bytes | Path) -> dict[str, Tensor]:
    """Kind and shape of every tensor of a safetensors file, after its header was checked against the file's length."""
    with content.open("rb") if isinstance(content, Path) else io.BytesIO(content) as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        start = stream.read(8)
        length = int.from_bytes(start, "little")
        if len(start) < 8 or length > min(_MOST_HEADER, size - 8):
            raise ModelError("the header of a weight file does not fit the file")
        entries = parse_json(stream.read(length))
    entries.pop("__metadata__", None)
    by_name, ends = {}, []
    for name, entry in entries.items():
        tensor, begin, end = _entry(entry)
        by_name[name] = tensor
        ends.append((begin, end))
    at = 0
    for begin, end in sorted(ends):
        if begin != at:
            raise ModelError("the header of a weight file does not fit the file")
        at = end
    if at != size - 8 - length:
        raise ModelError("the header of a weight file does not fit the file")
    return by_name


def _entry(entry: Any) -> tuple[Tensor, int, int]:
    try:
        kind, shape, (begin, end) = str(entry["dtype"]), tuple(entry["shape"]), entry["data_offsets"]
        numbers = (*shape, begin, end)
        if any(not isinstance(v, int) or isinstance(v, bool) or v < 0 for v in numbers) or kind not in _BYTES:
            raise ValueError
        if end - begin != math.prod(shape) * _BYTES[kind]:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise ModelError("the header of a weight file is malformed") from None
    return Tensor(kind, shape), begin, end


def check_encoder(folder: Path) -> dict[str, Any]:
    """The configuration of an encoder's folder after all of the folder was checked; ModelError where anything is off."""
    require_plain(folder)
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise ModelError("an encoder's folder needs its weights as safetensors")
    for path in weights:
        tensors(path)
    for path in sorted(folder.glob("*.json")):
        content = read_bytes(path, MOST_JSON)
        if path.name in ("config.json", "tokenizer_config.json"):
            require_harmless({k: v for k, v in parse_json(content).items() if k != "model_max_length"})
    return parse_json(read_bytes(folder / "config.json", MOST_JSON))


def digest(parts: Iterable[bytes]) -> str:
    """SHA-256 of byte strings one after the other, each with its length before it, in hexadecimal."""
    made = hashlib.sha256()
    for part in parts:
        made.update(len(part).to_bytes(8, "little"))
        made.update(part)
    return made.hexdigest()


def profile_bytes(profiles: Sequence[Profile]) -> Iterator[bytes]:
    """Ids, field names and values of profiles in order, so that `digest` tells populations apart."""
    for profile in profiles:
        for text in ("", profile.id, *(t for field in profile.fields.items() for t in field)):
            yield text.encode("utf-8", "surrogatepass")
        yield len(profile.fields).to_bytes(8, "big")
