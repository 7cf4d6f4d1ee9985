"""C5: released ids are keyed (HMAC-SHA256), never a bare hash, and the key can be read by its owner alone."""

import hashlib
import hmac
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest
from promise_support import PRIVATE_FILES, Files, files_under, json_rows

from unname.errors import InputError
from unname.protecting.keys import new_key, read_key, release_id
from unname.verbs.deidentify.files import Released


def require_keyed(pairs: Iterable[tuple[str, str]], key: bytes) -> None:
    """Every (id, released id) is HMAC-SHA256 under the key, cut to 128 bits."""
    for original, public in pairs:
        expected = hmac.new(key, b"release-id\0" + original.encode(), hashlib.sha256).hexdigest()
        assert public == expected[:32], "a released id is not the keyed one"


def dictionary(originals: Iterable[str]) -> set[str]:
    """What an attacker without the key would try: every plain hash of every id, with usual prefixes and salts."""
    tried = set()
    for original in originals:
        for salt in ("", "release-id", "release-id\0", "release-id:", "unname", "unname\0", "id", "salt", "0", "0\0"):
            for guess in (salt + original, original + salt):
                for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s", "sha3_256"):
                    tried.add(hashlib.new(name, guess.encode()).hexdigest())
                for key in (b"", b"\0" * 32, salt.encode()):
                    tried.add(hmac.new(key, guess.encode(), hashlib.sha256).hexdigest())
    return tried


def require_not_in_dictionary(originals: Iterable[str], public: Iterable[str]) -> None:
    """No released id, nor a common beginning or end of it, is in the attacker's dictionary."""
    tried = dictionary(originals)
    known = {part for digest in tried for part in (digest[:32], digest[-32:], digest)}
    assert not known & set(public), "a released id is a hash that anybody can compute"


def _pairs(released: Released) -> list[tuple[str, str]]:
    return [(row["id"], row["release_id"]) for row in json_rows(released.private / "masks.jsonl")]


def test_released_ids_are_hmac_sha256_under_the_key(released: Released, key_file: Path) -> None:
    key = bytes.fromhex(key_file.read_text(encoding="ascii").strip())
    pairs = _pairs(released)
    require_keyed(pairs, key)
    public = {row["id"] for row in json_rows(released.folder / "documents.jsonl")}
    assert public and public <= {name for _, name in pairs} and len(pairs) == len({name for _, name in pairs})


def test_a_dictionary_of_plain_hashes_finds_no_released_id(released: Released) -> None:
    public = [row["id"] for row in json_rows(released.folder / "documents.jsonl")]
    population = released.result.population
    require_not_in_dictionary([d.id for d in released.result.documents] + list(population.rows), public)


def test_rows_stand_in_the_order_of_their_keyed_ids(released: Released) -> None:
    public = [row["id"] for row in json_rows(released.folder / "documents.jsonl")]
    order = {name: place for place, (_, name) in enumerate(_pairs(released))}
    assert public == sorted(public)
    assert [order[name] for name in public] != sorted(order[name] for name in public), "input order must not show"


def test_the_private_folder_and_its_files_are_their_owners_alone(released: Released) -> None:
    require_private(released.private)
    assert {path.name for path in files_under(released.private)} == PRIVATE_FILES
    assert not any("key" in path.name for path in files_under(released.folder))


def require_private(folder: Path) -> None:
    """Mode 0700 for the folder and 0600 for every file in it."""
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700, "the private folder is open to others"
    for path in files_under(folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, f"{path.name} is open to others"


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("ab" * 32, encoding="ascii")
    for mode in (0o644, 0o640, 0o604, 0o620):
        path.chmod(mode)
        with pytest.raises(InputError, match="chmod"):
            read_key(path)
    path.chmod(0o600)
    assert read_key(path) == bytes.fromhex("ab" * 32)


def test_every_run_without_a_key_draws_its_own() -> None:
    assert len({new_key() for _ in range(50)}) == 50 and len(new_key()) == 32


def test_the_check_notices_bare_hashes(town_files: Files) -> None:
    ids = [row["id"] for row in json_rows(town_files.documents)]
    for bare in (lambda i: hashlib.sha256(i.encode()).hexdigest()[:32], lambda i: hashlib.md5(i.encode()).hexdigest()):  # noqa: S324
        public = [bare(i) for i in ids]
        with pytest.raises(AssertionError, match="anybody can compute"):
            require_not_in_dictionary(ids, public)
        with pytest.raises(AssertionError, match="not the keyed one"):
            require_keyed(zip(ids, public, strict=True), b"k" * 32)
    with pytest.raises(AssertionError, match="not the keyed one"):
        require_keyed([(i, release_id(b"x" * 32, i)) for i in ids], b"k" * 32)


def test_the_check_notices_open_files(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    (folder / "key").write_text("x", encoding="ascii")
    (folder / "key").chmod(0o644)
    with pytest.raises(AssertionError, match="key is open"):
        require_private(folder)
    folder.chmod(0o755)
    with pytest.raises(AssertionError, match="folder is open"):
        require_private(folder)
