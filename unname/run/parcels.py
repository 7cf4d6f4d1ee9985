"""What goes from process to process: values whose large arrays lie in a file without a name that the receiver maps."""

import io
import mmap
import os
import tempfile
from contextlib import suppress
from multiprocessing import connection, reduction
from typing import IO, TYPE_CHECKING, Any, Self

import numpy as np

from unname.errors import ModelError

if TYPE_CHECKING:
    Line = connection.Connection[Any, Any]

# Arrays from this size on are mapped instead of copied.
LARGE_BYTES = 1 << 16


class Parcel:
    """A value ready to be sent, to several receivers if need be; a context, since its file must be closed.

    ModelError: it cannot be sent. OSError: its arrays do not fit where temporary files go.
    """

    def __init__(self, value: object) -> None:
        to = io.BytesIO()
        packer = _Packer(to)
        try:
            packer.dump(value)
            if packer.file is not None:
                packer.file.flush()
        except OSError:
            packer.close()
            raise
        except Exception:  # whatever a foreign part raises that was not made for this
            packer.close()
            raise ModelError("a part of this run cannot be sent to another process; use one worker") from None
        self._data, self._packer = to.getvalue(), packer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._packer.close()

    def send(self, line: "Line", receiver: int | None) -> None:
        """Send it along a line to the process with this id."""
        file = self._packer.file
        line.send_bytes(self._data)
        line.send_bytes(b"file" if file is not None else b"")
        if file is not None:
            reduction.send_handle(line, file.fileno(), receiver)


def send(line: "Line", value: object, receiver: int | None = None) -> None:
    """Pack a value and send it."""
    with Parcel(value) as parcel:
        parcel.send(line, receiver)


def receive(line: "Line") -> Any:
    """The next value; its large arrays are read-only. EOFError or OSError: the line has ended. ModelError: unreadable."""
    data = line.recv_bytes()
    handle = reduction.recv_handle(line) if line.recv_bytes() else None
    try:
        _MAPPED[:] = [mmap.mmap(handle, 0, access=mmap.ACCESS_READ)] if handle is not None else []
        return reduction.ForkingPickler.loads(data)
    except Exception:
        raise ModelError("a part of this run cannot be used in another process; use one worker") from None
    finally:
        _MAPPED.clear()
        if handle is not None:
            os.close(handle)


class _Packer(reduction.ForkingPickler):
    def __init__(self, to: io.BytesIO) -> None:
        super().__init__(to, 5)
        self.file: IO[bytes] | None = None

    def close(self) -> None:
        if self.file is not None:
            with suppress(OSError):  # a full disk again
                self.file.close()

    def reducer_override(self, value: Any) -> Any:
        """Where an array lies in the file; everything else as always."""
        if type(value) is not np.ndarray or value.nbytes < LARGE_BYTES or value.dtype.hasobject:
            return NotImplemented
        order = "C" if value.flags.c_contiguous else "F"
        flat = value if order == "C" else value.T
        if not flat.flags.c_contiguous:
            return NotImplemented
        if self.file is None:
            self.file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by whoever packs)
        offset = -(-self.file.tell() // mmap.PAGESIZE) * mmap.PAGESIZE
        self.file.seek(offset)
        self.file.write(flat.data)
        return _mapped, (offset, value.dtype.str, value.shape, order)


# What is being received; every process receives in one thread.
_MAPPED: list[mmap.mmap] = []


def _mapped(offset: int, dtype: str, shape: tuple[int, ...], order: Any) -> np.ndarray[Any, Any]:
    flat = np.frombuffer(_MAPPED[0], np.dtype(dtype), int(np.prod(shape)), offset)
    return flat.reshape(shape, order=order)
