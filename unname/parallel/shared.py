"""Values for several processes: their large arrays go into one file that the receivers map, the rest into bytes.

Only arrays of numbers go into the file: what an index weighs, and nothing that anybody could read.
"""

import io
import mmap
import os
import tempfile
from contextvars import ContextVar
from multiprocessing import reduction
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from unname.errors import ModelError, StateError

# Where the system lets a process open another one's files, ours needs no name that a killed run would leave behind.
_NAMELESS = Path("/proc/self/fd").is_dir()
# Arrays from this size on are mapped instead of copied.
LARGE_BYTES = 1 << 16


class Packed:
    """A value ready for other processes; a context, at whose end the file goes.

    ModelError: the value cannot be sent. StateError: its arrays do not fit where temporary files go.
    """

    def __init__(self, value: object) -> None:
        self._file: IO[bytes] | None = None
        to = io.BytesIO()
        try:
            _Packer(to, self).dump(value)
        except OSError as error:
            self.close()
            raise StateError(
                "what the worker processes share could not be written where temporary files go:"
                f" {error.strerror or 'no room is left'}; nothing was written; make room, set TMPDIR, or use one worker"
            ) from None
        except Exception:  # whatever a foreign part raises that was not made for this
            self.close()
            raise ModelError("a part of this run cannot be sent to another process; use one worker") from None
        self.data = to.getvalue()

    @property
    def path(self) -> str:
        """Where other processes find the arrays as long as this is open; empty where there are none."""
        if self._file is None:
            return ""
        return f"/proc/{os.getpid()}/fd/{self._file.fileno()}" if _NAMELESS else str(self._file.name)

    def add(self, content: memoryview) -> int:
        """Write at the end of the file, on a page of its own; the place."""
        if self._file is None:
            make = tempfile.TemporaryFile if _NAMELESS else tempfile.NamedTemporaryFile
            self._file = make(prefix="unname-", buffering=0)
        start = -(-self._file.tell() // mmap.PAGESIZE) * mmap.PAGESIZE
        self._file.seek(start)
        left = content.cast("B")
        while len(left):
            left = left[self._file.write(left) :]
        return start

    def close(self) -> None:
        """Give the file back; receivers keep what they map."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def unpacked(data: bytes, path: str) -> Any:
    """The value; its large arrays are read-only. ModelError: it cannot be used in this process."""
    try:
        token = _MAPPED.set(_mapped(path))
        try:
            return reduction.ForkingPickler.loads(data)
        finally:
            _MAPPED.reset(token)
    except Exception:
        raise ModelError("a part of this run cannot be used in another process; use one worker") from None


def _mapped(path: str) -> mmap.mmap | None:
    if not path:
        return None
    with Path(path).open("rb") as stream:
        return mmap.mmap(stream.fileno(), os.fstat(stream.fileno()).st_size, access=mmap.ACCESS_READ)


class _Packer(reduction.ForkingPickler):
    def __init__(self, to: io.BytesIO, packed: Packed) -> None:
        super().__init__(to, 5)
        self._packed = packed

    def reducer_override(self, value: Any) -> Any:
        """Where an array lies in the file; everything else as always."""
        if type(value) is not np.ndarray or value.nbytes < LARGE_BYTES or value.dtype.kind not in "biufc":
            return NotImplemented
        order = "C" if value.flags.c_contiguous else "F"
        flat = value if order == "C" else value.T
        if not flat.flags.c_contiguous:
            return NotImplemented
        return _array, (self._packed.add(flat.data), value.dtype.str, value.shape, order)


# The file of what is being unpacked.
_MAPPED: ContextVar[mmap.mmap | None] = ContextVar("mapped", default=None)


def _array(start: int, dtype: str, shape: tuple[int, ...], order: Any) -> np.ndarray[Any, Any]:
    mapped = _MAPPED.get()
    if mapped is None:
        raise ValueError("no file is mapped")
    return np.frombuffer(mapped, np.dtype(dtype), int(np.prod(shape)), start).reshape(shape, order=order)
