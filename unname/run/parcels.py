"""What goes from process to process: values whose large arrays lie in a file without a name that the receiver maps."""

import io
import mmap
import os
import tempfile
from multiprocessing import connection, reduction
from typing import IO, TYPE_CHECKING, Any, Self

import numpy as np

from unname.errors import ModelError, StateError

if TYPE_CHECKING:
    Line = connection.Connection[Any, Any]

# Arrays from this size on are mapped instead of copied; so is what else there is of a value.
LARGE_BYTES = 1 << 16


class Parcel:
    """A value ready to be sent, to several receivers if need be; a context, since its file must be closed.

    ModelError: it cannot be sent. StateError: it does not fit where temporary files go.
    """

    def __init__(self, value: object) -> None:
        self._file = _File()
        to = io.BytesIO()
        try:
            _Packer(to, self._file).dump(value)
            self._data = to.getbuffer()
            self._place = self._file.add(self._data) if len(self._data) >= LARGE_BYTES else 0
        except OSError as error:
            self._file.close()
            raise StateError(
                "what processes share could not be put where temporary files go:"
                f" {error.strerror or 'no room is left'}; nothing was written; make room, set TMPDIR, or use one worker"
            ) from None
        except Exception:  # whatever a foreign part raises that was not made for this
            self._file.close()
            raise ModelError("a part of this run cannot be sent to another process; use one worker") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def send(self, line: "Line", receiver: int | None) -> None:
        """Send it along a line to the process with this id."""
        within = len(self._data) >= LARGE_BYTES
        line.send((self._file.handle is not None, self._place, len(self._data) if within else 0))
        if not within:
            line.send_bytes(self._data)
        if self._file.handle is not None:
            reduction.send_handle(line, self._file.handle, receiver)


def send(line: "Line", value: object, receiver: int | None = None) -> None:
    """Pack a value and send it."""
    with Parcel(value) as parcel:
        parcel.send(line, receiver)


def receive(line: "Line") -> Any:
    """The next value; its large arrays are read-only. EOFError or OSError: the line has ended. ModelError: unreadable."""
    comes, place, length = line.recv()
    data = b"" if length else line.recv_bytes()
    handle = reduction.recv_handle(line) if comes else None
    try:
        _MAPPED[:] = [mmap.mmap(handle, 0, access=mmap.ACCESS_READ)] if handle is not None else []
        return reduction.ForkingPickler.loads(memoryview(_MAPPED[0])[place : place + length] if length else data)
    except Exception:
        raise ModelError("a part of this run cannot be used in another process; use one worker") from None
    finally:
        _MAPPED.clear()
        if handle is not None:
            os.close(handle)


class _File:
    """A file without a name, made when the first thing is written; each begins on a page of its own."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    @property
    def handle(self) -> int | None:
        """Its descriptor; None where nothing was written."""
        return None if self._file is None else self._file.fileno()

    def add(self, content: memoryview) -> int:
        """Write something at the end and say where it begins."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by whoever packs)
        start = -(-self._file.tell() // mmap.PAGESIZE) * mmap.PAGESIZE
        self._file.seek(start)
        left = content.cast("B")
        while len(left):
            left = left[self._file.write(left) :]
        return start

    def close(self) -> None:
        """Give it back to the system; receivers keep what they map."""
        if self._file is not None:
            self._file.close()


class _Packer(reduction.ForkingPickler):
    def __init__(self, to: io.BytesIO, file: _File) -> None:
        super().__init__(to, 5)
        self._file = file

    def reducer_override(self, value: Any) -> Any:
        """Where an array lies in the file; everything else as always."""
        if type(value) is not np.ndarray or value.nbytes < LARGE_BYTES or value.dtype.hasobject:
            return NotImplemented
        order = "C" if value.flags.c_contiguous else "F"
        flat = value if order == "C" else value.T
        if not flat.flags.c_contiguous:
            return NotImplemented
        return _mapped, (self._file.add(flat.data), value.dtype.str, value.shape, order)


# What is being received; every process receives in one thread.
_MAPPED: list[mmap.mmap] = []


def _mapped(offset: int, dtype: str, shape: tuple[int, ...], order: Any) -> np.ndarray[Any, Any]:
    flat = np.frombuffer(_MAPPED[0], np.dtype(dtype), int(np.prod(shape)), offset)
    return flat.reshape(shape, order=order)
