"""One verb for the same work on many items: `pool.map(work, shared, items)`, in this process or in several."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
Result = TypeVar("Result")
# What work needs whatever the item: indexes and other large values, each shared with the workers by itself.
Shared = tuple[Any, ...]


class Pool(Protocol):
    """Whoever does the work. Where each item is worked on changes no result."""

    def map(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Iterable[Item], again: Shared = ()
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
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Iterable[Item], again: Shared = ()
    ) -> Iterator[Result]:
        """`Pool.map`; each item is worked on when its result is asked for."""
        with threadpool_limits(1):
            for item in items:
                yield work(shared, item)


ONE_PROCESS = OneProcess()
