"""Archives (.zip, .tar, .tar.gz) read without trust: nothing is unpacked under a name of theirs, and sizes are bounded.

What is wanted is copied, in one pass, into a temporary file that has no name. An archive with anything odd in it (a link,
a name that leads out, a size that lies, an end that is missing) is refused as a whole.
"""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, cast

from unname.errors import InputError
from unname.storage.faults import shown_name
from unname.storage.spool import temporary_file, write_at

MOST_ENTRIES = 500_000
MOST_BYTES = 2 << 30  # of all that an archive holds, unpacked
ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
_LONGEST_READ = 16 << 20  # of tarfile's own reads: a header beyond that is none
_BLOCK = 1 << 20
_DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError, OverflowError,
    RecursionError, NotImplementedError, RuntimeError,
)  # fmt: skip
Extents = dict[str, tuple[int, int]]


class _ArchiveError(Exception):
    """A fault of an archive, in words of ours."""


def is_archive(path: Path) -> bool:
    """True if a file is an archive by its name."""
    return path.name.lower().endswith(ENDINGS)


@contextmanager
def archived(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[tuple[str, ...], Callable[[str], BinaryIO]]]:
    """Names of the plain files in an archive that are wanted, sorted, and a way to open each; InputError if it is odd."""
    if not path.is_file():
        raise InputError(f"{shown_name(path)}: no such file")
    with temporary_file() as copy:
        extents = _copied(path, wanted, copy)
        yield (
            tuple(sorted(extents)),
            lambda name: cast(BinaryIO, io.BufferedReader(_Extent(copy.fileno(), *extents[name]), _BLOCK)),
        )


def _copied(path: Path, wanted: Callable[[str], bool], copy: IO[bytes]) -> Extents:
    """Copy the wanted files one after the other: (start, end) in the copy by name."""
    extents: Extents = {}
    entries = _zip_entries if path.name.lower().endswith(".zip") else _tar_entries
    total = at = 0
    try:
        for number, (name, size, stream) in enumerate(entries(path), start=1):
            total += size
            if size < 0:
                raise _ArchiveError(f"entry {number} claims an absurd size")
            if total > MOST_BYTES or number > MOST_ENTRIES:
                raise _ArchiveError(f"holds more than {MOST_BYTES >> 30} GiB or {MOST_ENTRIES} entries")
            if _leads_out(name):
                raise _ArchiveError(f"the name of entry {number} leads out of the archive")
            if stream is None or not wanted(name):
                continue
            if name in extents:
                raise _ArchiveError(f"entry {number} has the name of an earlier one")
            end = _copy(stream(), copy, at, size)
            extents[name], at = (at, end), end
    except _ArchiveError as error:
        raise InputError(f"{shown_name(path)}: {error}") from None
    except _DAMAGED:
        raise InputError(f"{shown_name(path)}: a damaged or incomplete archive, or none of its kind") from None
    return extents


def _copy(source: IO[bytes], copy: IO[bytes], at: int, size: int) -> int:
    end = at + size
    with source:
        while block := source.read(_BLOCK):
            if at + len(block) > end:
                raise _ArchiveError("an entry is not as long as it says")
            write_at(copy.fileno(), block, at)
            at += len(block)
    if at != end:
        raise _ArchiveError("an entry is not as long as it says")
    return end


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return "" in parts[:1] or ".." in parts or parts[0].endswith(":")


Entry = tuple[str, int, Callable[[], IO[bytes]] | None]


def _zip_entries(path: Path) -> Iterator[Entry]:
    with zipfile.ZipFile(path) as archive:
        for number, entry in enumerate(archive.infolist(), start=1):
            if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _ArchiveError(f"entry {number} is no plain file")
            if entry.flag_bits & 1:
                raise _ArchiveError(f"entry {number} is encrypted")
            yield entry.filename, entry.file_size, None if entry.is_dir() else partial(archive.open, entry)


class _Onwards(io.RawIOBase):
    """A stream that is read forwards alone, a little at a time, and knows whether it ended in a block of zeros."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.ended = False

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _LONGEST_READ:
            raise _ArchiveError("a header in it claims an absurd size")
        block = self._stream.read(size)
        self.ended = len(block) == tarfile.BLOCKSIZE and not any(block)
        return block

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or place < self._stream.tell():
            raise _ArchiveError("a header in it claims an absurd size")
        return self._stream.seek(place)


def _tar_entries(path: Path) -> Iterator[Entry]:
    with path.open("rb") as file:
        packed = not path.name.lower().endswith(".tar")
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
        onwards = _Onwards(stream)
        with tarfile.open(fileobj=cast(IO[bytes], onwards), mode="r:") as archive:
            for number, entry in enumerate(archive, start=1):
                if not (entry.isdir() or entry.isreg()) or entry.issparse():
                    raise _ArchiveError(f"entry {number} is no plain file")
                # Of a plain file there is always a stream.
                opener = cast(Callable[[], IO[bytes]], partial(archive.extractfile, entry))
                yield entry.name, entry.size, None if entry.isdir() else opener
            if not onwards.ended:
                raise EOFError
        _require_end(stream)


def _require_end(stream: BinaryIO) -> None:
    """Read the rest behind the end of a tar as well: the checksum of gzip stands there."""
    left = MOST_BYTES
    while block := stream.read(_BLOCK):
        left -= len(block)
        if left < 0 or any(block):
            raise _ArchiveError("goes on after its end")


class _Extent(io.RawIOBase):
    """A part of a file as a file of its own; reading shares no cursor."""

    def __init__(self, handle: int, start: int, end: int) -> None:
        self._handle, self._at, self._end = handle, start, end

    def readable(self) -> bool:
        return True

    def readinto(self, target: "io.WriteableBuffer") -> int:  # type: ignore[name-defined]
        into = memoryview(target).cast("B")
        block = os.pread(self._handle, min(len(into), self._end - self._at), self._at)
        into[: len(block)] = block
        self._at += len(block)
        return len(block)
