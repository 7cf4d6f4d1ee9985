"""The making of a release: hashes of the input, versioned settings, versions, seed. No text, no names of files."""

import hashlib
import hmac
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from unname.storage.opening import folder_names

FORMAT = "unname-release.v1"
_LIBRARIES = ("unname", "numpy", "scipy")


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal; of a folder, that of names and hashes of what is in it, in name order."""
    digest = hashlib.sha256()
    if path.is_dir():
        for name in folder_names(path):
            if (path / name).is_file() or ((path / name).is_dir() and not (path / name).is_symlink()):
                digest.update(f"{hashlib.sha256(os.fsencode(name)).hexdigest()} {file_hash(path / name)}\n".encode())
        return digest.hexdigest()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def keyed_hash(path: Path, key: bytes) -> str:
    """HMAC-SHA256 of the same under a key: whoever lacks it cannot try whether a guess is what was read."""
    return hmac.new(key, f"input\0{file_hash(path)}".encode(), hashlib.sha256).hexdigest()


def versions() -> dict[str, str]:
    """Versions of what decides the result."""
    return {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def manifest(
    *,
    inputs: dict[str, Path],
    settings: dict[str, Any],
    attackers: list[str],
    files: dict[str, Path],
    key: bytes,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The manifest of a release: everything but the key needed to make it again, and to see that it was not changed.

    Of inputs it holds no hash that could be compared with that of a guess: theirs are keyed. `options` say what of the
    inputs was used.
    """
    return {
        "format": FORMAT,
        "versions": versions(),
        "settings": settings,
        "options": options or {},
        "attackers": attackers,
        "inputs": {name: keyed_hash(path, key) for name, path in inputs.items()},
        "files": {name: file_hash(path) for name, path in files.items()},
    }
