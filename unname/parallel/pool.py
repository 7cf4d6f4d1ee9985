"""One verb for the same work on many items: `pool.map(work, shared, items)`, in this process or in several."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from threadpoolctl import ThreadpoolController

from unname.log import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")
# What work needs whatever the item: indexes and other large values, each shared with the workers by itself.
Shared = TypeVar("Shared", bound=tuple[Any, ...])


class Pool(Protocol):
    """A pool that does the work. Where each item is worked on changes no result."""

    def map(
        self,
        work: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Iterable[Item],
        again: tuple[object, ...] = (),
    ) -> Iterator[Result]:
        """Results of `work(shared, item)` in the order of items, one at a time.

        `work` is a function of a module; nobody changes `shared` meanwhile. A shared value that the call before had
        too, or named as needed `again`, is not sent a second time. Workers may begin before the caller asks for the
        first result; take all results before the next call.
        """
        ...


class OneProcess:
    """Does everything in this process, with one thread for arithmetic as in a worker, so that sums come out the same."""

    def map(
        self,
        work: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Iterable[Item],
        again: tuple[object, ...] = (),
    ) -> Iterator[Result]:
        """`Pool.map`; each item is worked on when its result is asked for."""
        with one_thread():
            for item in items:
                yield work(shared, item)


ONE_PROCESS = OneProcess()


@dataclass(frozen=True, slots=True, repr=False)
class Watched:
    """A `pool` that says how far it is: each call is a stage of as many steps as there are items."""

    pool: Pool
    progress: Progress
    stage: str

    def map(
        self,
        work: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Iterable[Item],
        again: tuple[object, ...] = (),
    ) -> Iterator[Result]:
        """`Pool.map`; workers begin at once where those of the pool do."""
        every = list(items)
        return self._counted(self.progress(self.stage, len(every)), self.pool.map(work, shared, every, again))

    def _counted(self, advance: Callable[[int], None], results: Iterator[Result]) -> Iterator[Result]:
        for result in results:
            advance(1)
            yield result


# Where libraries look up how many threads they may use. Only when they are loaded, and some of them for good: those of
# the second row, which follow OMP_NUM_THREADS as well, must not be told in a process that goes on with other work.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
ALL_THREADS = (*_THREADS, "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold all arithmetic to one thread, also in libraries that are loaded only within the block.

    At its end these get as many threads as the others had before it.
    """
    loaded = ThreadpoolController()
    known = {library.filepath for library in loaded.lib_controllers}
    usual = max((library.num_threads for library in loaded.lib_controllers), default=os.cpu_count() or 1)
    try:
        with environment(dict.fromkeys(_THREADS, "1")), loaded.limit(limits=1):
            yield
    finally:
        for library in ThreadpoolController().lib_controllers:
            if library.filepath not in known:
                library.set_num_threads(usual)


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Environment variables that hold within the block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
