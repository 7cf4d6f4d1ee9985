"""Processes that share what is large and do the same work on many items; their number changes no result."""

import io
import mmap
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection, get_context, reduction
from queue import SimpleQueue
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, Self

import numpy as np
from threadpoolctl import threadpool_limits

from unname.errors import ModelError, StateError
from unname.spread import Item, Parts, Result, alone

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    Line = connection.Connection[Any, Any]

# Items on their way per worker: enough that none waits for this process, few enough that memory stays flat.
AHEAD = 3
# Documents from which starting processes pays.
MANY_DOCUMENTS = 400
# Arrays from this size on are mapped by all workers instead of copied to each.
LARGE_BYTES = 1 << 16


def suitable_workers(asked: int, documents: int) -> int:
    """How many processes to use: what was asked for; for 0 one a core, or one in all where documents are few."""
    if asked:
        return asked
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if documents >= MANY_DOCUMENTS else 1


class Crew:
    """So many workers, a `Spread`; with one, the work is done in this process. Use it as a context.

    Large arrays of parts go into a file without a name that all workers map. Workers end with this process, however it
    ends, and when work is given up. StateError: a worker died, for want of memory or by a signal, or the arrays do not
    fit where temporary files go. ModelError: something cannot be sent to another process.
    """

    def __init__(self, workers: int = 1) -> None:
        self.workers = max(1, workers)
        self._members: list[_Member] = []
        self._parts: dict[int, object] = {}
        self._last = 0

    def __repr__(self) -> str:
        return f"Crew({self.workers})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the processes and do not wait for them; the first work does it otherwise."""
        context = get_context("spawn")
        with _interrupts_held():
            while self.workers > 1 and len(self._members) < self.workers:
                self._members.append(_Member(context))

    def stop(self) -> None:
        """End all workers at once."""
        for member in self._members:
            member.end()
        self._members.clear()
        self._parts.clear()

    def __call__(self, work: Callable[[Parts, Item], Result], parts: Parts, items: Iterable[Item]) -> Iterator[Result]:
        """Results of `work(parts, item)` in the order of items."""
        if self.workers == 1:
            yield from alone(work, parts, items)
            return
        self.start()
        try:
            keys = self._hand_out(parts)
            for member in self._members:
                member.tell(_packed(("work", work, keys)))
            yield from self._in_order(items)
        except BaseException:
            self.stop()  # whoever is at work for what was given up ends at once
            raise

    def _hand_out(self, parts: Parts) -> list[int]:
        """Send each worker the parts it lacks, and have it forget those of the last call that are no longer used."""
        known = {id(part): key for key, part in self._parts.items()}
        keys, fresh = [], []
        for part in parts:
            if id(part) not in known:
                self._last += 1
                known[id(part)] = self._last
                fresh.append((self._last, part))
            keys.append(known[id(part)])
        self._parts = dict(zip(keys, parts, strict=True))
        forget = _packed(("keep", keys))
        for member in self._members:
            member.tell(forget)
        for key, part in fresh:
            try:
                with tempfile.TemporaryFile() as file:
                    message = _packed(("part", key, _packed(part, file)))
                    file.flush()
                    for member in self._members:
                        member.tell(message, file)
            except OSError as error:
                raise StateError(
                    "what the workers share could not be put where temporary files go:"
                    f" {error.strerror or 'no room is left'}; nothing was written;"
                    " make room, set TMPDIR, or use one worker"
                ) from None
        return keys

    def _in_order(self, items: Iterable[Item]) -> Iterator[Any]:
        found: dict[int, Any] = {}
        rest = enumerate(items)
        sent = done = 0
        while True:
            for number, item in islice(rest, self.workers * AHEAD - (sent - done)):
                member = min(self._members, key=lambda member: member.load)
                member.tell(_packed(("item", number, item)))
                member.load += 1
                sent += 1
            if sent == done:
                return
            while done not in found:
                self._receive(found)
            yield found.pop(done)
            done += 1

    def _receive(self, found: dict[int, Any]) -> None:
        for line in connection.wait([member.line for member in self._members]):
            member = next(m for m in self._members if m.line is line)
            try:
                number, result, error = member.line.recv()
            except (EOFError, OSError):
                raise _dead() from None
            if error is not None:
                raise error
            member.load -= 1
            found[number] = result


def _dead() -> StateError:
    return StateError("a worker process died (out of memory, or killed); nothing was written")


class _Member:
    """One worker, the line to it, and how many items it has to do."""

    def __init__(self, context: Any) -> None:
        self.line: Line
        self.line, theirs = context.Pipe()
        self.load = 0
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def tell(self, message: bytes, file: IO[bytes] | None = None) -> None:
        """Send a message and, after one that brings a part, the file that holds its large arrays."""
        try:
            self.line.send_bytes(message)
            if file is not None:
                reduction.send_handle(self.line, file.fileno(), self.process.pid)
        except OSError:
            raise _dead() from None

    def end(self) -> None:
        """Kill it: it holds nothing that would have to be tidied up."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.line.close()


class _Packer(reduction.ForkingPickler):
    """What goes from process to process; large arrays are written to a file and only pointed at."""

    def __init__(self, to: io.BytesIO, file: IO[bytes] | None) -> None:
        super().__init__(to, 5)
        self._file = file

    def reducer_override(self, value: Any) -> Any:
        """Where an array lies in the file; everything else as always."""
        if self._file is None or type(value) is not np.ndarray or value.nbytes < LARGE_BYTES or value.dtype.hasobject:
            return NotImplemented
        order = "C" if value.flags.c_contiguous else "F"
        flat = value if order == "C" else value.T
        if not flat.flags.c_contiguous:
            return NotImplemented
        offset = -(-self._file.tell() // mmap.PAGESIZE) * mmap.PAGESIZE
        self._file.seek(offset)
        self._file.write(flat.data)
        return _mapped, (offset, value.dtype.str, value.shape, order)


def _packed(value: object, file: IO[bytes] | None = None) -> bytes:
    to = io.BytesIO()
    try:
        _Packer(to, file).dump(value)
    except OSError:
        raise
    except Exception:  # whatever a foreign part raises that was not made for this
        raise ModelError("a part of this run cannot be sent to another process; use one worker") from None
    return to.getvalue()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end: a crew must not be left half started, and a worker never gets one."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    # A mask is inherited by processes that start now; the handler is for a signal that another thread takes.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        if callable(handler):
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if came and callable(handler):
        handler(*came[0])


# --- in a worker

_SHARED: list[mmap.mmap] = []
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def _mapped(offset: int, dtype: str, shape: tuple[int, ...], order: Any) -> np.ndarray[Any, Any]:
    """An array in the file that came with the part, read-only."""
    kind = np.dtype(dtype)
    count = int(np.prod(shape))
    return np.frombuffer(_SHARED[0], kind, count, offset).reshape(shape, order=order)


def _serve(line: "Line") -> None:
    """Do what comes along the line: one thread for arithmetic, no interrupt of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # for what is loaded later; the rest is told with each work
    inbox: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(line, inbox), daemon=True).start()
    parts: dict[int, Any] = {}
    work: Callable[[Parts, Any], Any] = _nothing
    given: Parts = ()
    while True:
        kind, *rest = inbox.get()
        number = rest[0] if kind == "item" else -1
        try:
            if kind == "keep":
                given = ()
                parts = {key: part for key, part in parts.items() if key in rest[0]}
            elif kind == "part":
                parts[rest[0]] = _unpacked(*rest[1:])
            elif kind == "work":
                threadpool_limits(1)
                work, given = rest[0], tuple(parts[key] for key in rest[1])
            elif kind == "item":
                line.send((number, work(given, rest[1]), None))
            else:
                raise _unusable()
        except Exception as error:
            line.send((number, None, _sendable(error)))


def _unusable() -> ModelError:
    return ModelError("a part of this run cannot be used in another process; use one worker")


def _sendable(error: Exception) -> Exception:
    """The error if it survives the way, else one that says what kind it was."""
    try:
        reduction.ForkingPickler.loads(reduction.ForkingPickler.dumps(error))
    except Exception:
        return ModelError(f"a worker failed with {type(error).__name__}")
    return error


def _nothing(parts: Parts, item: Any) -> None:
    """The work of a worker that was told none yet."""


def _unpacked(data: bytes, file: int) -> Any:
    size = os.fstat(file).st_size
    shared = [mmap.mmap(file, size, access=mmap.ACCESS_READ)] if size else []
    os.close(file)
    _SHARED[:] = shared
    try:
        return reduction.ForkingPickler.loads(data)
    except Exception:
        raise _unusable() from None
    finally:
        _SHARED.clear()


def _listen(line: "Line", inbox: "SimpleQueue[tuple[Any, ...]]") -> None:
    """Take in messages as they come, so that whoever sends never waits; the end of the line is the end of all work."""
    while True:
        try:
            data = line.recv_bytes()
            message = reduction.ForkingPickler.loads(data)
            if message[0] == "part":
                message = (*message, reduction.recv_handle(line))
        except (EOFError, OSError):
            os._exit(1)
        except Exception:
            message = ("unreadable",)
        inbox.put(message)
