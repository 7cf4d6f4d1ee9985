"""How a release was made: hashes of the input, versioned settings, versions, seed. No text, no names of files."""

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

FORMAT = "unname-release.v1"
_LIBRARIES = ("unname", "numpy", "scipy", "scikit-learn")


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Versions of what decides the result."""
    return {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def manifest(
    *, inputs: dict[str, Path], settings: dict[str, Any], attackers: list[str], files: dict[str, Path]
) -> dict[str, Any]:
    """The manifest of a release: everything needed to make it again, and to see that it was not changed since."""
    return {
        "format": FORMAT,
        "versions": versions(),
        "settings": settings,
        "attackers": attackers,
        "inputs": {name: file_hash(path) for name, path in inputs.items()},
        "files": {name: file_hash(path) for name, path in files.items()},
    }
