"""A pool of worker processes that share what is large; their number changes no result."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import parent_process, reduction, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import Any, Self

from threadpoolctl import threadpool_limits

from unname.errors import ModelError, StateError, where
from unname.parallel.pool import ONE_PROCESS, Item, Result, Shared
from unname.parallel.shared import Packed, unpacked

# Items on their way per worker: enough that none waits for this process, few enough that memory stays flat.
AHEAD = 3
# How long to wait before looking whether a worker died.
_PATIENCE_S = 0.2
# Documents, or letters of profiles to learn from, from which on starting processes pays.
MANY_DOCUMENTS, MANY_LETTERS = 400, 1_000_000


def suitable_workers(asked: int, documents: int, letters: int = 0) -> int:
    """How many processes to use: what was asked for; for 0 one a core, or one in all where there is little to do."""
    if asked:
        return asked
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if documents >= MANY_DOCUMENTS or letters >= MANY_LETTERS else 1


class WorkerPool:
    """So many worker processes, a `Pool`; with one, this process does the work. Use it as a context.

    Workers end with this process, however it ends, and at once when work is given up. StateError: a worker died, for
    want of memory or by a signal, or what is shared does not fit where temporary files go. ModelError: something cannot
    be sent to another process.
    """

    def __init__(self, workers: int = 1) -> None:
        self.workers = max(1, workers)
        self._executor: ProcessPoolExecutor | None = None
        self._processes: list[SpawnProcess] = []
        self._gate: tuple[Any, Any] = (None, None)
        # Shared values that the workers hold, by number.
        self._held: dict[int, object] = {}
        self._last_number = self._call = 0
        self._at_work = self._ended = False

    def __repr__(self) -> str:
        return f"WorkerPool({self.workers})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self.stop()

    def start(self) -> None:
        """Start the processes and do not wait for them; the first work does it otherwise."""
        if self.workers == 1 or self._executor is not None:
            return
        context = _Context(self._processes)
        with _own_code_only(), _interrupts_held():
            self._gate = (context.Semaphore(0), context.Semaphore(0))
            self._executor = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=self._gate)
            for _ in range(self.workers):
                self._executor.submit(_nothing)

    def stop(self) -> None:
        """End all workers at once: they hold nothing that would have to be tidied up."""
        self._call += 1
        self._at_work = False
        self._held.clear()
        for process in self._processes:
            process.kill()
        if self._executor is not None:
            executor, self._executor = self._executor, None
            executor.shutdown(wait=True, cancel_futures=True)
        for process in self._processes:
            process.join()
            process.close()
        self._processes.clear()

    def map(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Iterable[Item], again: Shared = ()
    ) -> Iterator[Result]:
        """`Pool.map`; with several workers the first begin at once."""
        if self.workers == 1:
            return ONE_PROCESS.map(work, shared, items)
        if self._ended:
            raise StateError("the processes that should do this have ended")
        if self._at_work:
            self.stop()  # somebody did not want the rest of what was asked for before
        self.start()
        self._call += 1
        self._at_work = True
        try:
            numbers = self._share(shared, again)
            rest = iter(items)
            return self._in_order(self._call, (work, numbers), rest, self._submitted((work, numbers), rest))
        except BaseException as error:
            self.stop()
            raise _said(error) from None

    def _share(self, shared: Shared, again: Shared) -> tuple[int, ...]:
        """Send all workers the values that they lack; they forget those that are needed neither now nor again."""
        known = {id(value): number for number, value in self._held.items()}
        kept = {known[id(value)]: value for value in (*shared, *again) if id(value) in known}
        for value in shared:
            if id(value) not in known:
                self._last_number += 1
                known[id(value)] = self._last_number
                kept[self._last_number] = value
                self._send(self._last_number, value, tuple(kept))
        self._held = kept
        return tuple(known[id(value)] for value in shared)

    def _send(self, number: int, value: object, kept: tuple[int, ...]) -> None:
        """Every worker takes one of as many tasks, since none ends before all have arrived."""
        arrived, gate = self._gate
        assert self._executor is not None  # noqa: S101 (for the type checker: `map` has started it)
        with Packed(value) as packed:
            tasks = [
                self._executor.submit(_receive, number, packed.data, packed.path, kept) for _ in range(self.workers)
            ]
            left = self.workers
            while left and not any(task.done() for task in tasks):  # one that is done now has failed
                left -= arrived.acquire(timeout=_PATIENCE_S)
            for _ in tasks:
                gate.release()
            for task in tasks:
                task.result()

    def _submitted(self, what: tuple[Any, tuple[int, ...]], rest: Iterator[Any], most: int = 0) -> deque[Future[Any]]:
        assert self._executor is not None  # noqa: S101 (as above)
        chosen = islice(rest, most or self.workers * AHEAD)
        return deque([self._executor.submit(_work, *what, item) for item in chosen])

    def _in_order(
        self, call: int, what: tuple[Any, tuple[int, ...]], rest: Iterator[Any], waiting: deque[Future[Any]]
    ) -> Iterator[Any]:
        try:
            while waiting:
                if call != self._call:
                    raise StateError("results were asked for after the work on them had been given up")
                result = waiting.popleft().result()
                waiting += self._submitted(what, rest, 1)
                yield result
            self._at_work = False
        except BaseException as error:
            if call == self._call:
                self.stop()  # whoever is at work for what was given up ends at once
            if isinstance(error, GeneratorExit):
                raise
            raise _said(error) from None


def _said(error: BaseException) -> BaseException:
    if isinstance(error, BrokenProcessPool):
        return StateError("a worker process died (out of memory, or killed); nothing was written")
    return error


class _Context(SpawnContext):
    """Starts processes and remembers them: the executor offers no way to end one that is at work."""

    def __init__(self, started: list[SpawnProcess]) -> None:
        super().__init__()
        self._started = started

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        """A process of the executor's."""
        process = SpawnProcess(*args, **options)
        self._started.append(process)
        return process


@contextmanager
def _own_code_only() -> Iterator[None]:
    """Processes that start within the block import nothing from the folder that the user stands in.

    Else a file there that is called like a module of Python's would run where key and texts are.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end: a pool must not be left half started, and a worker never gets one."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    resource_tracker.ensure_running()  # Python's own helper, whose start would undo the mask
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

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_HELD: dict[int, Any] = {}
_STATE: dict[str, Any] = {}


def _begin(arrived: Any, gate: Any) -> None:
    """No interrupt of its own, one thread for arithmetic, and an end when the process that started this one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # for what is loaded later; the rest is told with each work
    _STATE["gate"] = (arrived, gate)
    _end_with_parent()


def _end_with_parent() -> None:
    """Have the system end this process when the other end of the pipe from its parent is closed.

    The executor's own workers would wait for ever: each of them holds the queue open for the others.
    """
    parent = parent_process()
    if parent is None or os.name != "posix":
        return
    import fcntl

    pipe = parent.sentinel
    signal.signal(signal.SIGIO, lambda number, frame: os._exit(1))
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    if hasattr(fcntl, "F_SETSIG"):  # Linux: even in the middle of a long sum
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _nothing() -> None:
    """A task that makes the executor start a process."""


def _receive(number: int, data: bytes, path: str, kept: tuple[int, ...]) -> None:
    """Take in a shared value, and forget those that are not kept."""
    for other in [known for known in _HELD if known not in kept]:
        del _HELD[other]
    try:
        _HELD[number] = unpacked(data, path)
    finally:
        arrived, gate = _STATE["gate"]
        arrived.release()
        gate.acquire()


def _work(work: Callable[[Shared, Any], Any], numbers: tuple[int, ...], item: Any) -> Any:
    """The result for one item; an error tells the place where it was raised."""
    if _STATE.get("work") is not work:
        threadpool_limits(1)
        _STATE["work"] = work
    try:
        return work(tuple(_HELD[number] for number in numbers), item)
    except Exception as error:
        raise _sendable(error) from None


def _sendable(error: Exception) -> Exception:
    """The error with the place where it was raised, if it survives the way, else one that says what kind it was."""
    place = where(error)
    error.add_note(place)
    try:
        reduction.ForkingPickler.loads(reduction.ForkingPickler.dumps(error))
    except Exception:
        return ModelError(f"a worker failed with {type(error).__name__} {place}")
    return error
