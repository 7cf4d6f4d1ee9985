"""A vault opens for its recipients alone, whole or not at all, and says nothing to anybody else."""

import io
import json
import stat
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import SettingsError, StateError, VaultError
from unname.storage.vault import (
    Keys,
    identities_in,
    read_rows,
    recipients_of,
    require_vault,
    require_whole,
    write_identity,
    write_rows,
)

ROWS = [{"release_id": "a1", "text": "Anna Holm, ärztlich 🩺\r\n"}, {"release_id": "b2", "text": ""}]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Two files of private keys, and the public key of each by the file's path."""
    folder = tmp_path_factory.mktemp("keys")
    return {str(folder / name): write_identity(folder / name) for name in ("one", "two")}


@pytest.fixture
def own(keys: Mapping[str, str]) -> Path:
    """The file of a recipient's private key."""
    return Path(next(iter(keys)))


@pytest.fixture
def vault(keys: Mapping[str, str], own: Path, tmp_path: Path) -> Path:
    """A vault for its owner alone."""
    return write(tmp_path / "v.age", ROWS, keys[str(own)])


def write(path: Path, rows: list[dict[str, Any]], *recipients: str) -> Path:
    with path.open("wb") as stream:
        write_rows(stream, rows, recipients_of(recipients))
    return path


def read(path: Path, *identities: Path) -> list[dict[str, Any]]:
    return [
        dict(row) for row in read_rows(path, Keys(tuple(k for file in identities for k in identities_in(file).held)))
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=9))
def test_rows_come_back_as_they_were(
    keys: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path, (file, public) = tmp_path_factory.mktemp("v") / "v", next(iter(keys.items()))
    rows = [{"text": text} for text in texts]
    assert read(write(path, rows, public), Path(file)) == rows


def test_many_rows_are_read_one_at_a_time(keys: Mapping[str, str], own: Path, tmp_path: Path) -> None:
    rows = [{"text": "x" * 999, "number": number} for number in range(3000)]
    path = write(tmp_path / "v", rows, keys[str(own)])
    assert [row["number"] for row in read_rows(path, identities_in(own))] == list(range(3000))


def test_a_letter_of_a_long_text_costs_no_more_than_one_of_a_short(
    keys: Mapping[str, str], own: Path, tmp_path: Path
) -> None:
    """A text goes through in blocks: who copied all that is left for each would need minutes."""

    def cost(length: int) -> float:
        rows, start = [{"text": "Anna Holm " * length}, {"text": "short"}], time.process_time()
        assert read(write(tmp_path / "v", rows, keys[str(own)]), own) == rows
        return (time.process_time() - start) / length

    assert min(cost(4_000_000) for _ in range(2)) < 2 * min(cost(400_000) for _ in range(3))


def test_each_of_several_recipients_opens_it(keys: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "public").write_text("# both\n" + "\n".join(keys.values()) + "\n", encoding="utf-8")
    for named in (tuple(keys.values()), (str(tmp_path / "public"),)):
        path = write(tmp_path / "v", ROWS, *named)
        assert all(read(path, Path(file)) == ROWS for file in keys)


def test_a_key_of_ssh_opens_it(tmp_path: Path) -> None:
    asked = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "ssh")]
    try:
        subprocess.run(asked, check=True)
    except FileNotFoundError:
        pytest.skip("ssh-keygen is not here")
    path = write(tmp_path / "v", ROWS, str(tmp_path / "ssh.pub"))
    assert read(path, tmp_path / "ssh") == ROWS
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", str(tmp_path / "ssh")], check=True)
    with pytest.raises(VaultError, match="without a passphrase"):
        identities_in(tmp_path / "ssh")


def test_a_byte_that_changed_anywhere_is_refused(vault: Path, own: Path, tmp_path: Path) -> None:
    whole, identities, changed = vault.read_bytes(), identities_in(own), tmp_path / "changed"
    for place in range(len(whole)):
        changed.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        with pytest.raises(VaultError) as refused:
            require_whole(changed, identities)
        assert str(refused.value) == "the vault cannot be opened with this key", place


def test_a_vault_that_was_cut_or_lengthened_is_refused(vault: Path, own: Path, tmp_path: Path) -> None:
    whole, identities, changed = vault.read_bytes(), identities_in(own), tmp_path / "changed"
    for content in (*(whole[:end] for end in range(len(whole))), whole + b"\0", whole + whole):
        changed.write_bytes(content)
        with pytest.raises(VaultError):
            require_whole(changed, identities)


def test_nothing_comes_out_of_a_vault_whose_end_is_missing(keys: Mapping[str, str], own: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "v", [{"text": "x" * 999}] * 500, keys[str(own)])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(VaultError):
        next(read_rows(path, identities_in(own)))


def test_another_key_says_nothing_but_that(vault: Path, own: Path, keys: Mapping[str, str]) -> None:
    other = next(Path(file) for file in keys if Path(file) != own)
    with pytest.raises(VaultError, match=r"^the vault cannot be opened with this key$"):
        read(vault, other)


def test_a_vault_that_is_not_there_is_no_question_of_keys(own: Path, tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="cannot be read"):
        require_whole(tmp_path / "gone", identities_in(own))


def test_the_same_rows_never_make_the_same_vault(vault: Path, own: Path, keys: Mapping[str, str]) -> None:
    """Otherwise who guesses the originals could see that the guess is right."""
    again = write(vault.with_name("again"), ROWS, keys[str(own)])
    assert again.read_bytes()[-40:] != vault.read_bytes()[-40:]


def test_an_error_of_whoever_makes_the_rows_is_theirs(keys: Mapping[str, str], own: Path) -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        raise StateError("the disk is full")

    with pytest.raises(StateError, match="the disk is full"):
        write_rows(io.BytesIO(), rows(), recipients_of([keys[str(own)]]))


def test_a_reader_who_stops_early_leaves_no_thread(keys: Mapping[str, str], own: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "v", [{"text": "x" * 999}] * 3000, keys[str(own)])
    before = threading.active_count()
    rows = read_rows(path, identities_in(own))
    assert json.dumps(next(rows))
    rows.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_an_identity_is_its_owners_alone_and_is_never_replaced(tmp_path: Path) -> None:
    public = write_identity(tmp_path / "key")
    assert public.startswith("age1") and recipients_of([public]).held
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert recipients_of([str(tmp_path / "key.pub")]).held
    with pytest.raises(StateError):
        write_identity(tmp_path / "key")
    (tmp_path / "other.pub").write_text("somebody else's", encoding="utf-8")
    with pytest.raises(StateError):
        write_identity(tmp_path / "other")
    assert not (tmp_path / "other").exists(), "a private key without its public one would be of no use"
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(VaultError, match="chmod 600"):
        identities_in(tmp_path / "key")


@pytest.mark.parametrize(
    "content", [b"", b"# a comment\n", b"AGE-SECRET-KEY-1ZQX\n", b"zqx\n", b"\xff\xfe", b"x" * 70_000]
)
def test_a_file_without_a_private_key_is_refused_and_not_quoted(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(VaultError) as refused:
        identities_in(path)
    assert "zqx" not in str(refused.value).lower()


@pytest.mark.parametrize("named", ["AGE-SECRET-KEY-1ZQX", "zqx", "", "ssh-ed25519 zqx", "z" * 9000])
def test_what_is_no_public_key_is_refused_and_not_quoted(named: str, keys: Mapping[str, str], own: Path) -> None:
    with pytest.raises(SettingsError, match="recipient 2 is no public key") as refused:
        recipients_of([keys[str(own)], named])
    assert "zq" not in str(refused.value).lower()


def test_a_private_key_is_no_recipient(own: Path) -> None:
    with pytest.raises(SettingsError, match="recipient 1 is no public key"):
        recipients_of([str(own)])


def test_something_else_than_a_vault_does_not_give_way(vault: Path, tmp_path: Path) -> None:
    require_vault(vault)
    (tmp_path / "notes").write_text("age", encoding="utf-8")
    for path in (tmp_path / "notes", tmp_path, tmp_path / "gone"):
        with pytest.raises(StateError, match="something else than a vault"):
            require_vault(path)


def test_keys_are_never_shown(own: Path) -> None:
    assert repr(identities_in(own)) == "Keys(1)"
