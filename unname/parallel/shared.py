"""Values for several processes: their large arrays go into one file that the receivers map, the rest into bytes.

Only arrays of numbers go into the file: what an index weighs, and nothing that anybody could read.
"""

import io
import mmap
import os
import tempfile
from contextvars import ContextVar
from multiprocessing import reduction
from typing import IO, Any, Self

import numpy as np

from unname.errors import ModelError, StateError

# Arrays from this size on are mapped instead of copied.
LARGE_BYTES = 1 << 16


class Packed:
    """A value ready for another process, a context at whose end the file of its large arrays goes; None without any.

    The file has no name: a descriptor of it is all there is. Without `arrays` they are copied into the bytes as all else.
    ModelError: the value cannot be sent. StateError: its arrays do not fit where temporary files go.
    """

    def __init__(self, value: object, *, arrays: bool = True) -> None:
        self._file: IO[bytes] | None = None
        to = io.BytesIO()
        try:
            (_Packer(to, self) if arrays else reduction.ForkingPickler(to, 5)).dump(value)
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
    def file(self) -> int | None:
        """The descriptor of the file."""
        return None if self._file is None else self._file.fileno()

    def add(self, content: memoryview) -> int:
        """Write at the end of the file, on a page of its own; the place."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="unname-", buffering=0)  # noqa: SIM115 (`close` does)
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


def unpacked(data: bytes, file: int | None = None) -> Any:
    """The value; its large arrays are read-only, and the descriptor is not needed after this. ModelError: not usable."""
    try:
        token = _MAPPED.set(None if file is None else mmap.mmap(file, os.fstat(file).st_size, access=mmap.ACCESS_READ))
        try:
            return reduction.ForkingPickler.loads(data)
        finally:
            _MAPPED.reset(token)
    except Exception:
        raise ModelError("a part of this run cannot be used in another process; use one worker") from None


class _Packer(reduction.ForkingPickler):
    def __init__(self, to: io.BytesIO, packed: Packed) -> None:
        super().__init__(to, 5)
        self._packed = packed

    def reducer_override(self, value: Any) -> Any:
        """Write the place of an array in the file; everything else as always."""
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
