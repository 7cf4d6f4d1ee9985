"""What goes from process to process: values whose large arrays lie in a file without a name that the receiver maps.

Only arrays of numbers go into files: what an index weighs, and nothing that could be read. Everything else goes along
the line.
"""

import io
import mmap
import os
import tempfile
import threading
from multiprocessing import connection, reduction
from typing import IO, TYPE_CHECKING, Any, Self
from weakref import finalize

import numpy as np

from unname.errors import ModelError, StateError

if TYPE_CHECKING:
    Connection = connection.Connection[Any, Any]

# Arrays from this size on are mapped instead of copied.
LARGE_BYTES = 1 << 16


class Line:
    """One end of a line between two processes; each end is written by one thread and read by one.

    Files have lines of their own in both directions, because where the system wants their arrival confirmed that would
    get between the messages.
    """

    def __init__(self, messages: "Connection", files_out: "Connection", files_in: "Connection") -> None:
        self.messages, self._out, self._in = messages, files_out, files_in

    def send(self, value: object, receiver: int | None = None) -> None:
        """Pack a value and send it to the process with this id."""
        with Parcel(value) as parcel:
            self.send_parcel(parcel, receiver)

    def send_parcel(self, parcel: "Parcel", receiver: int | None = None) -> None:
        """Send what is packed already."""
        self.messages.send(len(parcel.handles))
        self.messages.send_bytes(parcel.data)
        for handle in parcel.handles:
            reduction.send_handle(self._out, handle, receiver)

    def receive(self) -> Any:
        """The next value; its large arrays are read-only.

        EOFError or OSError: the line has ended. ModelError: the value cannot be used here.
        """
        try:
            files, data = self.messages.recv(), self.messages.recv_bytes()
            mapped = [_Mapped(reduction.recv_handle(self._in)) for _ in range(files)]
        except RuntimeError as error:  # no descriptors are left to receive a file with
            raise OSError(str(error)) from None
        _RECEIVED.files = mapped
        try:
            return reduction.ForkingPickler.loads(data)
        except Exception:
            raise ModelError("a part of this run cannot be used in another process; use one worker") from None
        finally:
            _RECEIVED.files = []

    def close(self) -> None:
        """Close this end."""
        for one in (self.messages, self._out, self._in):
            one.close()


class Parcel:
    """A value ready to be sent, to several receivers if need be; a context, since its file must be closed.

    ModelError: it cannot be sent. StateError: its arrays do not fit where temporary files go.
    """

    def __init__(self, value: object) -> None:
        self._files = _Files()
        to = io.BytesIO()
        try:
            _Packer(to, self._files).dump(value)
        except OSError as error:
            self._files.close()
            raise StateError(
                "what processes share could not be put where temporary files go:"
                f" {error.strerror or 'no room is left'}; nothing was written; make room, set TMPDIR, or use one worker"
            ) from None
        except Exception:  # whatever a foreign part raises that was not made for this
            self._files.close()
            raise ModelError("a part of this run cannot be sent to another process; use one worker") from None
        self.data = to.getbuffer()

    @property
    def handles(self) -> list[int]:
        """Descriptors of its files."""
        return self._files.handles

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()


class _Mapped(mmap.mmap):
    """A file that came from another process, mapped as long as an array needs it; it can be sent on."""

    handle: int

    def __new__(cls, handle: int) -> Self:
        """Map it whole, and take over its descriptor."""
        try:
            made = super().__new__(cls, handle, 0, access=mmap.ACCESS_READ)
        except BaseException:
            os.close(handle)
            raise
        made.handle = handle
        finalize(made, os.close, handle)
        return made


class _Files:
    """The files of a parcel: one of its own, made when something is written to it, and those that others wrote."""

    def __init__(self) -> None:
        self._own: IO[bytes] | None = None
        self._others: list[_Mapped] = []

    @property
    def handles(self) -> list[int]:
        """Descriptors in the order in which they are counted, the own one last."""
        return [m.handle for m in self._others] + ([] if self._own is None else [self._own.fileno()])

    def add(self, content: memoryview) -> tuple[int, int]:
        """Write something at the end of the own file, on a page of its own: that file's number (−1) and the place."""
        if self._own is None:
            self._own = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by whoever packs)
        start = -(-self._own.tell() // mmap.PAGESIZE) * mmap.PAGESIZE
        self._own.seek(start)
        left = content.cast("B")
        while len(left):
            left = left[self._own.write(left) :]
        return -1, start

    def find(self, flat: np.ndarray[Any, Any]) -> tuple[int, int] | None:
        """Number and place of a contiguous array in a file that came from another process."""
        source: Any = flat
        while source is not None and not isinstance(source, _Mapped):
            source = source.obj if isinstance(source, memoryview) else getattr(source, "base", None)
        if source is None:
            return None
        if not any(source is other for other in self._others):
            self._others.append(source)
        number = next(i for i, other in enumerate(self._others) if other is source)
        begin = np.frombuffer(source, np.uint8).__array_interface__["data"][0]
        return number, flat.__array_interface__["data"][0] - begin

    def close(self) -> None:
        """Give the own file back to the system; receivers keep what they map."""
        if self._own is not None:
            self._own.close()


class _Packer(reduction.ForkingPickler):
    def __init__(self, to: io.BytesIO, files: _Files) -> None:
        super().__init__(to, 5)
        self._files = files

    def reducer_override(self, value: Any) -> Any:
        """Where an array lies in a file; everything else as always."""
        if type(value) is not np.ndarray or value.nbytes < LARGE_BYTES or value.dtype.kind not in "biufc":
            return NotImplemented
        order = "C" if value.flags.c_contiguous else "F"
        flat = value if order == "C" else value.T
        if not flat.flags.c_contiguous:
            return NotImplemented
        file, start = self._files.find(flat) or self._files.add(flat.data)
        return _array, (file, start, value.dtype.str, value.shape, order)


# The files of what is being received, in each thread that receives.
_RECEIVED = threading.local()


def _array(file: int, start: int, dtype: str, shape: tuple[int, ...], order: Any) -> np.ndarray[Any, Any]:
    flat = np.frombuffer(_RECEIVED.files[file], np.dtype(dtype), int(np.prod(shape)), start)
    return flat.reshape(shape, order=order)
