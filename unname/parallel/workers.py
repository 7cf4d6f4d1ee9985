"""A pool of worker processes that share what is large; their number changes no result.

Each worker has a line of its own, on which it is written to only while it waits for that: so nobody ever waits for
somebody who waits for him, a worker that dies in the middle of an answer is noticed, and no thread is needed.
(Those of `concurrent.futures` answer on one line together: one that is killed there stops all for ever.)
"""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process, reduction, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, Self

from threadpoolctl import threadpool_limits

from unname.errors import ModelError, StateError, where
from unname.parallel.pool import ALL_THREADS, ONE_PROCESS, Item, Result, Shared, environment
from unname.parallel.shared import Packed, unpacked

# Results per worker that may wait for the caller: enough that no worker waits, few enough that memory stays flat.
AHEAD = 3
# Documents, or letters of profiles to learn from, from which on starting processes pays.
MANY_DOCUMENTS, MANY_LETTERS = 200, 1_000_000


def suitable_workers(asked: int, documents: int, letters: int = 0) -> int:
    """The number of processes to use: the number asked for; for 0 one a core, or one in all where there is little to do."""
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
        self._members: list[_Member] = []
        # Shared values that the workers hold, by number.
        self._held: dict[int, object] = {}
        self._last_number = 0
        self._call: _Call | None = None
        self._ended = False

    def __repr__(self) -> str:
        return f"WorkerPool({self.workers})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self.stop()

    def start(self) -> None:
        """Start the processes and do not wait for them; the first work does it otherwise."""
        if self.workers == 1 or self._members:
            return
        try:
            with _own_code_only(), _interrupts_held():
                for _ in range(self.workers):
                    self._members.append(_Member())
        except OSError as error:
            self.stop()
            raise StateError(f"worker processes could not start: {error.strerror}; use one worker") from None
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End all workers at once: they hold nothing that would have to be tidied up."""
        members, self._members, self._call = self._members, [], None
        self._held.clear()
        for member in members:
            member.process.kill()
        for member in members:
            member.end()

    def map(
        self,
        work: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Iterable[Item],
        again: tuple[object, ...] = (),
    ) -> Iterator[Result]:
        """`Pool.map`; with several workers the first begin at once."""
        if self.workers == 1:
            return ONE_PROCESS.map(work, shared, items)
        if self._ended:
            raise StateError("the processes that should do this have ended")
        if self._call is not None or any(member.number is not None for member in self._members):
            self.stop()  # somebody did not want the rest of what was asked for before
        self.start()
        try:
            self._call = _Call(work, self._share(shared, again), iter(items))
            self._give(self._call)
            return self._in_order(self._call)
        except BaseException:
            self.stop()
            raise

    def _share(self, shared: tuple[object, ...], again: tuple[object, ...]) -> tuple[int, ...]:
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
        with Packed(value) as packed:
            for member in self._members:
                member.hold(number, packed, kept)
            for member in self._members:
                _opened(member.answer())

    def _give(self, call: "_Call") -> None:
        """An item for each worker that waits for one, as long as not too many results wait for the caller."""
        for member in self._members:
            if member.number is None and call.sent - call.done < self.workers * AHEAD:
                for item in call.rest:
                    self._require_current(call)
                    member.do(call.sent, Packed((call.work, call.numbers, item), arrays=False).data)
                    call.sent += 1
                    break

    def _in_order(self, call: "_Call") -> Iterator[Any]:
        try:
            while call.done < call.sent:
                self._require_current(call)
                self._take(call)
                self._give(call)
                if call.done in call.answers:
                    answer = call.answers.pop(call.done)
                    call.done += 1
                    yield _opened(answer)
            self._call = None
        except BaseException:
            if call is self._call:
                self.stop()  # whoever is at work for what was given up ends at once
            raise

    def _require_current(self, call: "_Call") -> None:
        if call is not self._call:
            raise StateError("results were asked for after the work on them had been given up")

    def _take(self, call: "_Call") -> None:
        """All answers that are there; where the next one is not, wait for some."""
        busy: dict[Any, _Member] = {member.line: member for member in self._members if member.number is not None}
        for line in connection.wait(list(busy), None if call.done not in call.answers else 0):
            member = busy[line]
            number, member.number = member.number, None
            assert number is not None  # noqa: S101 (for the type checker: it is busy)
            call.answers[number] = member.answer()


class _Call:
    """Work on some items: how many were sent, how many results the caller has, and which answers came before theirs."""

    def __init__(self, work: Callable[..., Any], numbers: tuple[int, ...], rest: Iterator[Any]) -> None:
        self.work, self.numbers, self.rest = work, numbers, rest
        self.sent = self.done = 0
        self.answers: dict[int, bytes] = {}


class _Member:
    """One worker, the line to it, and the number of the item that it works on."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.number: int | None = None
        self.line, theirs = context.Pipe()
        try:
            self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
            self.process.start()
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()

    def hold(self, number: int, packed: Packed, kept: tuple[int, ...]) -> None:
        """Send it a shared value, and the numbers of those that it needs from now on; it answers."""
        with _death_noticed():
            self.line.send((number, kept, packed.file is not None))
            if packed.file is not None:
                reduction.send_handle(self.line, packed.file, self.process.pid)
            self.line.send_bytes(packed.data)

    def do(self, number: int, data: bytes) -> None:
        """Send it an item; it answers."""
        self.number = number
        with _death_noticed():
            self.line.send(None)
            self.line.send_bytes(data)

    def answer(self) -> bytes:
        """The process's answer, when it comes."""
        with _death_noticed():
            return self.line.recv_bytes()

    def end(self) -> None:
        """Let go of it once it is killed."""
        self.line.close()
        self.process.join()
        with suppress(ValueError):  # where ends of processes are not told (SIGCHLD is ignored) none counts as ended
            self.process.close()


@contextmanager
def _death_noticed() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise StateError("a worker process died (out of memory, or killed); nothing was written") from None


def _opened(answer: bytes) -> Any:
    """The result in an answer. Whatever error is in it instead is raised."""
    result, error = unpacked(answer)
    if error is not None:
        raise error
    return result


@contextmanager
def _own_code_only() -> Iterator[None]:
    """Processes that start within the block import nothing from the folder that the user stands in.

    Else a file there that is called like a module of Python's would run where key and texts are.
    """
    with environment({"PYTHONSAFEPATH": "1"}):
        yield


# Ctrl-C, and signals that tell a process to end, also because its terminal was closed.
_ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C and the wish to end back until the end: a pool must not be left half started."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    resource_tracker.ensure_running()  # Python's own helper, whose start would undo the mask
    # A mask is inherited by processes that start now; the handlers are for signals that another thread takes.
    handlers = {one: signal.getsignal(one) for one in _ENDINGS}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, handlers)
    for one, handler in handlers.items():
        if callable(handler):
            signal.signal(one, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        for one, handler in handlers.items():
            if callable(handler):
                signal.signal(one, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    for number, frame in came[:1]:
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)


# --- in a worker


def _serve(line: "Connection[Any, Any]") -> None:
    """Do what comes along the line: one thread for arithmetic, no interrupt of its own, an end with its parent."""
    for one in _ENDINGS:  # what a terminal sends to all; they end with their parent
        if one != signal.SIGTERM:
            signal.signal(one, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.environ.update(dict.fromkeys(ALL_THREADS, "1"))  # for what is loaded later; the rest is told with each work
    _end_with_parent()
    worker = _Worker()
    while True:
        try:
            head = line.recv()
            file = reduction.recv_handle(line) if head is not None and head[2] else None
            data = line.recv_bytes()
            line.send_bytes(worker.do(data) if head is None else worker.hold(data, file, *head[:2]))
        except Exception:
            os._exit(1)


class _Worker:
    """The state of a worker: shared values by number, and the work that it did last."""

    def __init__(self) -> None:
        self._held: dict[int, Any] = {}
        self._work: Callable[..., Any] | None = None

    def hold(self, data: bytes, file: int | None, number: int, kept: tuple[int, ...]) -> bytes:
        """Take in a shared value, and forget those that are not needed; the answer."""
        self._held = {known: value for known, value in self._held.items() if known in kept}
        try:
            self._held[number] = unpacked(data, file)
        except ModelError as error:
            return _answer(None, error)
        finally:
            if file is not None:
                os.close(file)
        return _answer(None, None)

    def do(self, data: bytes) -> bytes:
        """Work on an item; the answer. An error tells the place where it was raised."""
        try:
            work, numbers, item = unpacked(data)
            if work is not self._work:
                threadpool_limits(1)
                self._work = work
            return _answer(work(tuple(self._held[number] for number in numbers), item), None)
        except BaseException as error:  # also what foreign parts raise past `Exception`: its text must not be printed
            return _answer(None, _sendable(error))


def _answer(result: Any, error: Exception | None) -> bytes:
    return Packed((result, error), arrays=False).data


def _end_with_parent() -> None:
    """Have the system end this process, even in the middle of its work, when its parent has ended."""
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
    if connection.wait([pipe], 0):  # it ended before anybody was told
        os._exit(1)


def _sendable(error: BaseException) -> Exception:
    """The error with the place where it was raised, if it survives the way, else one that says what kind it was."""
    place = where(error)
    error.add_note(place)
    with suppress(Exception):
        if isinstance(error, Exception) and isinstance(
            reduction.ForkingPickler.loads(reduction.ForkingPickler.dumps(error)), Exception
        ):
            return error
    return ModelError(f"a worker failed with {type(error).__name__} {place}; use one worker")
