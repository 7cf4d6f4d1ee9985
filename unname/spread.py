"""How the same work on many items is spread: here, or over processes by whoever runs several."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
Result = TypeVar("Result")
Parts = tuple[Any, ...]


class Spread(Protocol):
    """Results of `work(parts, item)` in the order of items, one at a time; where each was done changes none of them.

    `work` is a function of a module, `parts` what it needs whatever the item; none is to be changed meanwhile. A part
    that the call before had too, or was told of as needed `again`, is not sent a second time. Others may begin before
    the first result is asked for, so the caller can do something else meanwhile; all results must be taken before the
    next call.
    """

    def __call__(
        self, work: Callable[[Parts, Item], Result], parts: Parts, items: Iterable[Item], again: Parts = ()
    ) -> Iterator[Result]: ...


def alone(
    work: Callable[[Parts, Item], Result], parts: Parts, items: Iterable[Item], again: Parts = ()
) -> Iterator[Result]:
    """Everything in this process, one thread for arithmetic, as in a worker: sums come out the same."""
    with threadpool_limits(1):
        for item in items:
            yield work(parts, item)
