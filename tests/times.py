"""Whether work grows in proportion to its size: speed itself is no test, for machines differ and others work on them."""

import time
import timeit
from collections.abc import Callable


def quickest(run: Callable[[], object], tries: int = 3) -> float:
    """CPU seconds of the quickest of some tries, without the collection of garbage, which grows with all tests before."""
    return min(timeit.repeat(run, timer=time.process_time, repeat=tries, number=1))


def in_proportion(few: Callable[[], object], four_times: Callable[[], object]) -> bool:
    """False where four times the work takes more than eight times as long; what is quadratic takes sixteen times."""
    return quickest(four_times) < 8 * quickest(few) + 0.2
