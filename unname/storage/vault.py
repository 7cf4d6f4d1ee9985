"""A vault: rows that only the holders of a private key can read, in one file of the age format.

The format authenticates header and content and hides the number of rows, but not the length of the whole
(https://age-encryption.org/v1). Keys are those of age (`age1…`) or of SSH (ed25519, RSA).
"""

import json
import queue
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from unname.errors import SettingsError, StateError, VaultError
from unname.storage.files import require_new, write_atomically
from unname.storage.tables import json_line

# How every file of the age format begins.
AGE = b"age-encryption.org/v1\n"
# A row of a vault.
Row = Mapping[str, str]
_LONGEST_KEY = 1 << 16
_WAITING = 64
_POLL_S = 0.1


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """Public keys of age, for which a vault is written, or private ones, which open it; what they are is never shown."""

    held: tuple[object, ...] = ()

    def __repr__(self) -> str:
        return f"Keys({len(self.held)})"


def recipients_of(named: Sequence[str]) -> Keys:
    """Public keys, each as it is written or in a file with one a line; SettingsError says which is none."""
    from pyrage import RecipientError, ssh, x25519

    made = list[object]()
    for number, text in enumerate(named, start=1):
        lines = _lines_of(Path(text)) if _is_file(text) else [text.strip()]
        for line in lines:
            kind = ssh if line.startswith("ssh-") else x25519
            try:
                made.append(kind.Recipient.from_str(line))
            except RecipientError:
                raise SettingsError(
                    f"recipient {number} is no public key (age1…, ssh-ed25519 … or ssh-rsa …) nor a file of them"
                ) from None
    if not made:
        raise SettingsError("a vault needs a recipient: the public key of somebody who may open it")
    return Keys(tuple(made))


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name
        return False


def _lines_of(path: Path) -> list[str]:
    """The keys that stand in a file; nothing of it is quoted, for it may be a secret one."""
    try:
        if path.stat().st_size > _LONGEST_KEY:
            raise VaultError("a file of keys is too long to be one")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise VaultError(f"a file of keys cannot be read: {error.strerror}") from None
    except ValueError:
        raise VaultError("a file of keys is no text") from None
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def identities_in(path: Path) -> Keys:
    """The private keys in a file that nobody else can read: lines `AGE-SECRET-KEY-1…`, or an SSH key without passphrase."""
    from pyrage import IdentityError, ssh, x25519

    lines = _lines_of(path)
    if path.stat().st_mode & 0o077:
        raise VaultError("the identity file can be read by others; chmod 600 it first")
    try:
        if lines and lines[0].startswith("-----BEGIN"):
            return Keys((ssh.Identity.from_buffer(path.read_bytes()),))
        keys = Keys(tuple(x25519.Identity.from_str(line) for line in lines))
    except IdentityError:
        keys = Keys()
    if not keys.held:
        raise VaultError("the identity file holds no private key of age, nor one of SSH without a passphrase")
    return keys


def write_identity(path: Path) -> str:
    """Write a new private key, which its owner alone can read, and `PATH.pub` with the public one, which is returned."""
    from pyrage import x25519

    made, beside = x25519.Identity.generate(), path.with_name(f"{path.name}.pub")
    public = str(made.to_public())
    require_new(beside)
    write_atomically(path, f"# public key: {public}\n{made}\n".encode(), private=True, fresh=True)
    write_atomically(beside, f"{public}\n".encode(), fresh=True)
    return public


def require_vault(path: Path) -> None:
    """StateError where something stands that is no vault: it does not give way to one."""
    try:
        with path.open("rb") as stream:
            if stream.read(len(AGE)) == AGE:
                return
    except OSError:
        pass
    raise StateError("something else than a vault stands where the vault should go; choose another file")


class _Lines:
    """Rows as a stream of bytes that is read; an error of their maker is kept, for age would quote it."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._lines, self._rest = map(json_line, rows), memoryview(b"")
        self.error: BaseException | None = None

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many and none of another row; nothing at the end."""
        try:
            self._rest = self._rest or memoryview(next(self._lines, b""))
        except BaseException as error:
            self.error = error
            raise OSError from None
        taken, self._rest = self._rest[:size], self._rest[size:]
        return bytes(taken)


def write_rows(stream: BinaryIO, rows: Iterable[Row], recipients: Keys) -> None:
    """Encrypt rows for all recipients; they may come from a generator and are never held."""
    import pyrage

    lines = _Lines(rows)
    try:
        pyrage.encrypt_io(lines, stream, recipients.held)
    except Exception:
        if lines.error is not None:
            raise lines.error from None
        raise StateError("the vault could not be written") from None


class _Sink:
    """A stream that cuts what is written to it into lines and hands each on; with no `queue` it drops them."""

    def __init__(self, lines: "queue.Queue[bytes | None] | None" = None) -> None:
        self._lines, self._begun = lines, list[bytes]()
        self.closed = False

    def write(self, block: bytes) -> int:
        """Take a block of any length."""
        if self._lines is not None:
            *ends, rest = block.split(b"\n")
            for end in ends:
                self.put(b"".join([*self._begun, end]))
                self._begun.clear()
            self._begun.append(rest)
        return len(block)

    def put(self, line: bytes | None) -> None:
        """Hand a line on, or None at the end; OSError once nobody reads any more."""
        while self._lines is not None:
            if self.closed:
                raise OSError
            with suppress(queue.Full):
                self._lines.put(line, timeout=_POLL_S)
                return

    def flush(self) -> None:
        """Nothing is kept back."""


def require_whole(path: Path, identities: Keys) -> None:
    """VaultError, and no reason, unless one of the keys opens the vault and every byte of it is as it was written."""
    _decrypt(path, _Sink(), identities)


def _decrypt(path: Path, sink: _Sink, identities: Keys) -> None:
    import pyrage

    try:
        stream = path.open("rb")
    except OSError as error:
        raise VaultError(f"the vault cannot be read: {error.strerror}") from None
    with stream:
        try:
            pyrage.decrypt_io(stream, sink, identities.held)
        except Exception:
            raise VaultError("the vault cannot be opened with this key") from None


def read_rows(path: Path, identities: Keys) -> Iterator[Row]:
    """The rows of a vault, in order and never all at once; all of it is authenticated before the first (`require_whole`)."""
    require_whole(path, identities)
    lines: queue.Queue[bytes | None] = queue.Queue(_WAITING)
    sink, failed = _Sink(lines), list[BaseException]()

    def work() -> None:
        try:
            _decrypt(path, sink, identities)
        except BaseException as error:
            failed.append(error)
        try:
            sink.put(None)
        except OSError:
            return

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while (line := lines.get()) is not None:
            yield json.loads(line)
        if failed:
            raise failed[0]
    finally:
        sink.closed = True
        worker.join()
