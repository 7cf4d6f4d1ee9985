"""The originals of a release, from its vault, and the log of who asked for them."""

import fcntl
import getpass
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from unname.errors import InputError, SettingsError, StateError, printable
from unname.inputs.released import read_release
from unname.storage.files import require_new
from unname.storage.tables import json_line, write_table
from unname.storage.vault import Row, identities_in, read_rows
from unname.writing.layout import TABLES

COLUMNS = ("id", "release_id", "person", "text")


@dataclass(frozen=True, slots=True, repr=False)
class Asked:
    """The documents that somebody asks for: about these people, or with these released ids; all where neither is named."""

    persons: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    reason: str = ""

    def __repr__(self) -> str:
        return f"Asked({len(self.persons)} people, {len(self.documents)} documents)"

    def wants(self, row: Row) -> bool:
        """True if a row of a vault is among them."""
        everything = not (self.persons or self.documents)
        return everything or row["person"] in self.persons or row["release_id"] in self.documents


def reveal_files(released: Path, out: Path, *, vault: Path, identity: Path, asked: Asked | None = None) -> int:
    """`unname reveal`: write the originals of released documents as a table; returns how many.

    VaultError: the key does not open the vault, or a byte of it was changed; nothing is written then. StateError: the
    release has documents that the vault does not know, or the output exists. InputError: nobody is found of whom was asked.
    """
    asked = asked or Asked()
    if out.suffix not in TABLES:
        raise SettingsError(f"out must be a table: {', '.join(TABLES)}")
    require_new(out)
    identities, here = identities_in(identity), read_release(released).texts.keys()

    def rows() -> Iterator[Row]:
        return (row for row in read_rows(vault, identities) if row["release_id"] in here)

    known, wanted = set[str](), list[str]()
    for row in rows():
        known.add(row["release_id"])
        if asked.wants(row):
            wanted.append(row["release_id"])
    if strange := len(here - known):
        raise StateError(f"{strange} documents of the release are not in this vault: it was written with another one")
    if not wanted:
        raise InputError("no document of this release is asked for by these ids")
    _log(vault.with_name(f"{vault.name}.log"), asked, wanted, everything=len(wanted) == len(known))
    originals = ({name: row[name] for name in COLUMNS} for row in rows() if asked.wants(row))
    write_table(out, originals, columns=COLUMNS, private=True, fresh=True)
    return len(wanted)


def _log(path: Path, asked: Asked, wanted: list[str], *, everything: bool) -> None:
    """Add a line that says who reveals what; each has the hash of the one before, so that none goes or changes unnoticed.

    Two who reveal at once wait for each other. StateError: the log cannot be written, or its lines do not follow each other
    any more.
    """
    entry = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "user": _user(),
        "reason": printable(asked.reason.strip()),
        "documents": len(wanted),
        "release_ids": "all" if everything else wanted,
    }
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "rb+", buffering=0) as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            stream.write(json_line(entry | {"before": _last_hash(stream.readlines())}))
            os.fsync(stream.fileno())
    except OSError as error:
        raise StateError(
            f"the log beside the vault cannot be written: {error.strerror}; nothing was revealed"
        ) from None


def _user() -> str:
    """The name of whoever runs this, or their number where the system knows no name."""
    try:
        return printable(getpass.getuser())
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _last_hash(lines: Sequence[bytes]) -> str:
    """The hash of a log's last line, once each line was seen to follow the one before."""
    before = ""
    for number, line in enumerate(lines, start=1):
        try:
            follows = json.loads(line)["before"] == before
        except (ValueError, KeyError, TypeError, RecursionError):
            follows = False
        if not follows:
            raise StateError(
                f"line {number} of the log beside the vault was changed, or the one before it is gone; find out why, then "
                "move the log away for a new one to begin"
            )
        before = hashlib.sha256(line).hexdigest()
    return before
