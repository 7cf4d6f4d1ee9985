"""Parts with a planted fault, in a module of their own so that a worker process can import them."""

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unname.masking.base import Case
from unname.masking.baselines import Nothing
from unname.protecting.until_safe import mask_people
from unname.types import Mask


@dataclass(frozen=True)
class Fatal:
    """A method that kills the process it runs in, as the kernel does where memory is short, on reaching one document."""

    document: str
    name: str = "fatal.v1"
    seeks_crowd: bool = False
    keyed_targets: bool = True

    def mask(self, case: Case) -> Sequence[Mask]:
        if any(d.id == self.document for d in case.documents):
            os.kill(os.getpid(), signal.SIGKILL)
        return Nothing().mask(case)


@dataclass(frozen=True)
class Slow:
    """A method that takes its time over everything but one document."""

    quick: str
    seconds: float
    name: str = "slow.v1"
    seeks_crowd: bool = False
    keyed_targets: bool = True

    def mask(self, case: Case) -> Sequence[Mask]:
        if not any(d.id == self.quick for d in case.documents):
            time.sleep(self.seconds)
        return Nothing().mask(case)


@dataclass(frozen=True)
class Threads:
    """A method that gives away how many threads its process may use for arithmetic."""

    name: str = "threads.v1"
    seeks_crowd: bool = False
    keyed_targets: bool = True

    def mask(self, case: Case) -> Sequence[Mask]:
        from threadpoolctl import threadpool_info

        if any(pool["num_threads"] != 1 for pool in threadpool_info()):
            raise RuntimeError("more than one thread")
        return Nothing().mask(case)


class Unsendable:
    """A method that cannot be sent to another process."""

    name = "unsendable.v1"
    seeks_crowd = False
    keyed_targets = True

    def __init__(self) -> None:
        self.ask = lambda case: Nothing().mask(case)

    def mask(self, case: Case) -> Sequence[Mask]:
        return self.ask(case)


def described(parts: tuple[Any, ...], item: int) -> tuple[int, list[tuple[str, bool, bool, float]], int]:
    """Work that says what it was given: of each array its order and whether it may be written to; and by whom."""
    arrays = [(a.dtype.str, a.flags.c_contiguous, a.flags.writeable, float(a.sum())) for a in parts]
    return item, arrays, os.getpid()


def picky(parts: tuple[Any, ...], item: int) -> int:
    """Work that fails on one item, in the way asked for."""
    if item == 5:
        raise parts[0]
    return item


def lengthy(parts: tuple[Any, ...], item: int) -> bytes:
    """Work with a result of so many bytes: more than a line holds until somebody reads it."""
    return bytes(item)


def unsendable_result(parts: tuple[Any, ...], item: int) -> Any:
    """Work whose result cannot leave the process."""
    return lambda: item


def hide_nothing(parts: tuple[Any, ...], item: Any) -> Any:
    """Work that breaks inside of our own code, which is handed a number for a person."""
    return list(mask_people(parts[0], [item]))


class UntoldError(Exception):
    """An error that cannot be made again from what it says."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = second


class Unreadable:
    """A part that leaves this process and cannot arrive in another."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)
