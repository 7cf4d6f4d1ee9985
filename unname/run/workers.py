"""Processes that share what is large and do the same work on many items; their number changes no result."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection, get_context, reduction, resource_tracker
from queue import SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

from threadpoolctl import threadpool_limits

from unname.errors import ModelError, StateError, where
from unname.run.parcels import Line, Parcel
from unname.spread import Item, Parts, Result, alone

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

# Items on their way per worker: enough that none waits for this process, few enough that memory stays flat.
AHEAD = 3
# Documents from which starting processes pays.
MANY_DOCUMENTS, MANY_LETTERS = 400, 1_000_000


def suitable_workers(asked: int, documents: int, letters: int = 0) -> int:
    """How many processes to use: what was asked for; for 0 one a core, or one in all where there is little to do.

    There is much to do where documents are many, or profiles hold many letters to learn from.
    """
    if asked:
        return asked
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if documents >= MANY_DOCUMENTS or letters >= MANY_LETTERS else 1


class Crew:
    """So many workers, a `Spread`; with one, the work is done in this process. Use it as a context.

    Large arrays of parts go into a file without a name that all workers map. Workers end with this process, however it
    ends, and when work is given up. StateError: a worker died, for want of memory or by a signal, or the arrays do not
    fit where temporary files go. ModelError: something cannot be sent to another process.
    """

    def __init__(self, workers: int = 1) -> None:
        self.workers = max(1, workers)
        self._members: list[_Member] = []
        # Parts that the workers hold, by number.
        self._parts: dict[int, object] = {}
        self._last_part = self._call = 0
        self._open = self._ended = False

    def __repr__(self) -> str:
        return f"Crew({self.workers})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self.stop()

    def start(self) -> None:
        """Start the processes and do not wait for them; the first work does it otherwise."""
        if self.workers == 1:
            return
        context = get_context("spawn")
        with _own_code_only(), _interrupts_held():
            while self.workers > 1 and len(self._members) < self.workers:
                self._members.append(_Member(context))

    def stop(self) -> None:
        """End all workers at once."""
        self._call += 1
        self._open = False
        self._parts.clear()
        while self._members:
            self._members.pop().end()

    def __call__(
        self, work: Callable[[Parts, Item], Result], parts: Parts, items: Iterable[Item], again: Parts = ()
    ) -> Iterator[Result]:
        """Results of `work(parts, item)` in the order of items; with several workers the first begin at once."""
        if self.workers == 1:
            return alone(work, parts, items)
        if self._ended:
            raise StateError("the processes that should do this have ended")
        if self._open:
            self.stop()  # somebody did not want the rest of what was asked for before
        self.start()
        self._call += 1
        self._open = True
        try:
            self._tell_all(("work", work, self._hand_out(parts, again)))
            rest = enumerate(items)
            return self._in_order(self._call, rest, self._send(rest, self.workers * AHEAD))
        except BaseException:
            self.stop()
            raise

    def _hand_out(self, parts: Parts, again: Parts) -> list[int]:
        """Send each worker the parts it lacks; it forgets those that are needed neither now nor again."""
        known = {id(part): key for key, part in self._parts.items()}
        self._parts = {known[id(part)]: part for part in (*parts, *again) if id(part) in known}
        self._tell_all(("keep", list(self._parts)))
        keys = []
        for part in parts:
            if id(part) not in known:
                self._last_part += 1
                known[id(part)] = self._last_part
                self._parts[self._last_part] = part
                self._tell_all(("part", self._last_part, part))
            keys.append(known[id(part)])
        return keys

    def _tell_all(self, message: tuple[Any, ...]) -> None:
        with Parcel(message) as parcel:
            for member in self._members:
                member.tell(parcel)

    def _send(self, rest: Iterator[tuple[int, Any]], most: int) -> int:
        """Send at most so many of the items that are left to whoever has least to do; how many it were."""
        sent = 0
        for number, item in islice(rest, most):
            member = min(self._members, key=lambda member: member.load)
            with Parcel(("item", number, item)) as parcel:
                member.tell(parcel)
            member.load += 1
            sent += 1
        return sent

    def _in_order(self, call: int, rest: Iterator[tuple[int, Any]], sent: int) -> Iterator[Any]:
        found: dict[int, Any] = {}
        done = 0
        try:
            while done < sent:
                while done not in found:
                    self._receive(call, found)
                result = found.pop(done)
                done += 1
                sent += self._send(rest, self.workers * AHEAD - (sent - done))
                yield result
            self._open = False
        except BaseException:
            if call == self._call:
                self.stop()  # whoever is at work for what was given up ends at once
            raise

    def _receive(self, call: int, found: dict[int, Any]) -> None:
        if call != self._call:
            raise StateError("results were asked for after the work on them had been given up")
        members: dict[Any, _Member] = {member.line.messages: member for member in self._members}
        for one in connection.wait(list(members)):
            member = members[one]
            try:
                number, result, error = member.line.receive()
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
        (ours, theirs), (out, their_in), (our_in, their_out) = (context.Pipe() for _ in range(3))
        self.line, other_end = Line(ours, out, our_in), Line(theirs, their_out, their_in)
        self.load = 0
        self.process: SpawnProcess = context.Process(target=_serve, args=(other_end,), daemon=True)
        self.process.start()
        other_end.close()

    def tell(self, parcel: Parcel) -> None:
        """Send it a message."""
        try:
            self.line.send_parcel(parcel, self.process.pid)
        except OSError:
            raise _dead() from None

    def end(self) -> None:
        """Kill it: it holds nothing that would have to be tidied up."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.line.close()


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
    """Hold Ctrl-C back until the end: a crew must not be left half started, and a worker never gets one."""
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


def _serve(line: Line) -> None:
    """Do what comes along the line: one thread for arithmetic, no interrupt of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # for what is loaded later; the rest is told with each work
    inbox: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(line, inbox), daemon=True).start()
    parts: dict[int, Any] = {}
    work: Callable[[Parts, Any], Any] | None = None
    given: Parts = ()
    while True:
        kind, *rest = inbox.get()
        number = rest[0] if kind == "item" else -1
        try:
            if kind == "keep":
                given = ()
                parts = {key: part for key, part in parts.items() if key in rest[0]}
            elif kind == "part":
                parts[rest[0]] = rest[1]
            elif kind == "work":
                threadpool_limits(1)
                work, given = rest[0], tuple(parts[key] for key in rest[1])
            elif kind == "item" and work is not None:
                line.send((number, work(given, rest[1]), None))
            else:
                raise rest[0]
        except Exception as error:
            line.send((number, None, _sendable(error)))


def _sendable(error: Exception) -> Exception:
    """The error with the place where it was raised, if it survives the way, else one that says what kind it was."""
    place = where(error)
    error.add_note(place)
    try:
        reduction.ForkingPickler.loads(reduction.ForkingPickler.dumps(error))
    except Exception:
        return ModelError(f"a worker failed with {type(error).__name__} {place}")
    return error


def _listen(line: Line, inbox: "SimpleQueue[tuple[Any, ...]]") -> None:
    """Take in messages as they come, so that whoever sends never waits; the end of the line is the end of all work."""
    while True:
        try:
            inbox.put(line.receive())
        except ModelError as error:
            inbox.put(("unusable", error))
        except BaseException:
            os._exit(1)
