"""A sequence that lives on the disk: what a run must look at several times, but need not hold."""

import json
import os
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Generic, TypeVar, overload
from weakref import finalize

from unname.errors import StateError
from unname.types import Document, Span

T = TypeVar("T")
_BLOCK = 1 << 20


class Spool(Sequence[T], Generic[T]):
    """Items appended to a temporary file that has no name and is its owner's alone; 8 bytes an item stay in memory.

    `encode` and `decode` turn an item into bytes and back. Reading goes by position and shares no cursor: several
    iterations, threads and forked children may read at once. `dir` is where the file lies (default: the system's place
    for temporary files). StateError: the disk is full or fails. It ends with the object.
    """

    def __init__(self, encode: Callable[[T], bytes], decode: Callable[[bytes], T], *, dir: Path | None = None) -> None:
        self._encode, self._decode = encode, decode
        self._file = temporary_file(dir)
        finalize(self, self._file.close)
        self._ends = array("Q")
        self._written = 0
        self._pending = bytearray()

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, item: T) -> None:
        """Add an item at the end. After a StateError the spool is as it was before."""
        content = self._encode(item)
        handle = self._file.fileno()
        if len(self._pending) + len(content) > _BLOCK and self._pending:
            write_at(handle, self._pending, self._written)
            self._written += len(self._pending)
            self._pending.clear()
        if len(content) > _BLOCK:
            write_at(handle, content, self._written)
            self._written += len(content)
        else:
            self._pending += content
        self._ends.append(self._written + len(self._pending))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        """An item by place, or a list of those of a slice, which is held in memory."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        start = self._ends[place - 1] if place else 0
        return self._decode(self._bytes(start, self._ends[place]))

    def __iter__(self) -> Iterator[T]:
        """Items in order, read ahead by blocks; items appended meanwhile come too."""
        first = start = 0
        while first < len(self):
            stop = first + 1
            while stop < len(self) and self._ends[stop] - start <= _BLOCK:
                stop += 1
            block, base = self._bytes(start, self._ends[stop - 1]), start
            for place in range(first, stop):
                end = self._ends[place]
                yield self._decode(block[start - base : end - base])
                start = end
            first = stop

    def _bytes(self, start: int, end: int) -> bytes:
        handle = self._file.fileno()
        parts = []
        try:
            while start < min(end, self._written):
                part = os.pread(handle, min(end, self._written) - start, start)
                if not part:
                    raise StateError("a temporary file was cut short while it was in use")
                parts.append(part)
                start += len(part)
        except OSError as error:
            raise _failed("read", error) from None
        if start < end:
            parts.append(bytes(self._pending[start - self._written : end - self._written]))
        return b"".join(parts)


def temporary_file(dir: Path | None = None) -> IO[bytes]:
    """A file without a name, unbuffered, for its owner alone; StateError where none can be made."""
    try:
        return tempfile.TemporaryFile(buffering=0, dir=dir)
    except OSError as error:
        raise _failed("made", error) from None


def write_at(handle: int, content: bytes | bytearray, place: int) -> None:
    """Write all of some bytes at a place of a temporary file; StateError where the disk does not take them."""
    done = 0
    try:
        with memoryview(content) as view:
            while done < len(view):
                done += os.pwrite(handle, view[done:], place + done)
    except OSError as error:
        raise _failed("written", error) from None


def _failed(what: str, error: OSError) -> StateError:
    return StateError(f"a temporary file could not be {what}: {error.strerror}")


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _document_bytes(document: Document) -> bytes:
    spans = [(s.start, s.end, s.label, s.kind, s.entity, s.score) for s in document.spans]
    parts: list[Any] = [document.id, document.text, document.person, document.split, spans, dict(document.metadata)]
    return _COMPACT.encode(parts).encode("utf-8", "surrogatepass")


def _document_of(content: bytes) -> Document:
    name, text, person, split, spans, metadata = json.loads(content.decode("utf-8", "surrogatepass"))
    return Document(name, text, person, split, tuple(Span(*span) for span in spans), metadata)


def document_spool(dir: Path | None = None) -> Spool[Document]:
    """An empty spool of documents, each kept exactly."""
    return Spool(_document_bytes, _document_of, dir=dir)
