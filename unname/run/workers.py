"""People hidden by several processes that share one memory-mapped index; their number changes no result."""

import os
import shutil
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from types import FrameType
from typing import Any

from threadpoolctl import threadpool_limits

from unname.errors import ModelError, StateError
from unname.reidentifiers.termindex import TermIndex
from unname.run.hiding import Hider, Person
from unname.run.outcomes import Outcome

# People in one message to a worker; and messages on their way per worker, so that memory does not grow with the corpus.
BATCH = 16
AHEAD = 3
# Documents from which starting processes pays.
MANY_DOCUMENTS = 400


def suitable_workers(asked: int, documents: int) -> int:
    """How many processes to use: what was asked for; for 0 one a core, or one in all where documents are few."""
    if asked:
        return asked
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if documents >= MANY_DOCUMENTS else 1


def hide_people(hider: Hider, people: Iterable[Person], *, workers: int = 1) -> Iterator[list[Outcome]]:
    """The outcomes of each person, in the order given.

    With more than one worker the index is moved into files that all of them map; the files are gone when this ends.
    StateError: a worker died, for want of memory or by a signal, or the index does not fit where temporary files go.
    """
    if workers <= 1:
        with threadpool_limits(1):
            yield from map(hider.hide, people)
        return
    with _shared(hider) as folder:
        context = get_context("spawn")
        lifeline, held = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(workers, context, _start, (hider, lifeline, folder))
        try:
            yield from _in_order(pool, people, workers * AHEAD)
        except BrokenProcessPool:
            raise StateError("a worker process died (out of memory, or killed); nothing was written") from None
        except BaseException:
            held.close()  # whoever is at work for a run that was given up ends at once
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            lifeline.close()
            held.close()


@contextmanager
def _shared(hider: Hider) -> Iterator[str]:
    """A temporary folder with the index, which the index forgets when the folder goes."""
    indexes = [index for index in hider.ensemble.members.values() if isinstance(index, TermIndex)]
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="unname-"))
            for number, index in enumerate(indexes):
                own = Path(folder) / str(number)
                own.mkdir()
                stack.callback(index.unshare)
                index.share(own)
        except OSError as error:
            raise StateError(
                f"the index could not be put where temporary files go: {error.strerror or 'no room is left'};"
                " nothing was written; make room, set TMPDIR, or use one worker"
            ) from None
        yield folder


def _in_order(pool: ProcessPoolExecutor, people: Iterable[Person], most: int) -> Iterator[list[Outcome]]:
    waiting: deque[Future[list[list[Outcome]]]] = deque()
    rest = iter(people)
    while True:
        while len(waiting) < most and (batch := list(islice(rest, BATCH))):
            try:
                with _interrupts_held():
                    waiting.append(pool.submit(_hide_batch, batch))
            except (TypeError, AttributeError):
                raise ModelError("a part of this run cannot be sent to another process; use one worker") from None
        if not waiting:
            return
        yield from waiting.popleft().result()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end: a pool must not be left half started, and what is started never gets one."""
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


_HIDER: list[Hider] = []


def _start(hider: Hider, lifeline: "connection.Connection[Any, Any]", folder: str) -> None:
    """Set up a worker: one thread for arithmetic, no interrupt of its own, and an end when the run ends without it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpool_limits(1)
    _HIDER[:] = [hider]
    threading.Thread(target=_end_with_run, args=(lifeline, folder), daemon=True).start()


def _end_with_run(lifeline: "connection.Connection[Any, Any]", folder: str) -> None:
    """End when the other end of the lifeline is closed, by a parent that gives up or by its death."""
    parent = parent_process()
    if parent is not None:
        with suppress(OSError):
            if parent.sentinel in connection.wait([parent.sentinel, lifeline]):
                shutil.rmtree(folder, ignore_errors=True)  # else the parent does, when all workers have ended
        os._exit(1)


def _hide_batch(batch: Sequence[Person]) -> list[list[Outcome]]:
    return [_HIDER[0].hide(person) for person in batch]
