"""The manifest: hashes of what went in and out, versions and settings; no text, no names of files."""

import hashlib
import json
from pathlib import Path

import pytest

from unname.storage.manifest import FORMAT, file_hash, keyed_hash, manifest, versions


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_file_is_hashed_whole_whatever_its_size(tmp_path: Path, size: int) -> None:
    content = bytes(i % 251 for i in range(1000)) * (size // 1000) + b"x" * (size % 1000)
    (tmp_path / "a").write_bytes(content)
    assert file_hash(tmp_path / "a") == hashlib.sha256(content).hexdigest()


def test_versions_name_what_decides_the_result() -> None:
    assert set(versions()) == {"python", "unname", "numpy", "scipy"}


def test_a_manifest_holds_hashes_and_settings_and_no_file_names(tmp_path: Path) -> None:
    source, written = tmp_path / "canary-patients.csv", tmp_path / "documents.jsonl"
    source.write_text("canary")
    written.write_text("released")
    made = manifest(
        inputs={"documents": source}, settings={"k": 10}, attackers=["bm25.v1"], files={"documents.jsonl": written},
        key=b"k" * 32,
    )  # fmt: skip
    assert made["format"] == FORMAT and made["settings"] == {"k": 10} and made["attackers"] == ["bm25.v1"]
    assert made["inputs"] == {"documents": keyed_hash(source, b"k" * 32)}
    assert file_hash(source) not in json.dumps(made), "whoever guesses an input could check the guess"
    assert keyed_hash(source, b"l" * 32) != keyed_hash(source, b"k" * 32)
    assert made["files"] == {"documents.jsonl": file_hash(written)}
    text = json.dumps(made)
    assert "canary" not in text and str(tmp_path) not in text


def test_a_changed_byte_changes_the_hash(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"onf")
    assert file_hash(tmp_path / "a") != file_hash(tmp_path / "b")
