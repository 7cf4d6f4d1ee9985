"""Work in one process: one thread for arithmetic, whenever the library is loaded that does it, and none the fewer after."""

import os
import subprocess
import sys
from collections.abc import Callable

from unname.parallel.pool import ONE_PROCESS, Watched, environment

LOADED_LATER = """
import os
import numpy
from threadpoolctl import threadpool_info
from unname.parallel.pool import ONE_PROCESS

def threads():
    return {os.path.basename(found["filepath"]): found["num_threads"] for found in threadpool_info()}

def work(shared, item):
    import sklearn.ensemble
    return threads()

before = threads()
within, = ONE_PROCESS.map(work, (), [0])
assert set(within) > set(before), "nothing was loaded by the work, so this shows nothing"
print(max(within.values()), *sorted(set(before.values())), *sorted(set(threads().values())), sep=",")
print(os.environ["OMP_NUM_THREADS"])
"""


def scaled(shared: tuple[int], item: int) -> int:
    return shared[0] * item


def test_a_library_that_the_work_loads_has_one_thread_meanwhile_and_as_many_as_others_after() -> None:
    told = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", LOADED_LATER], env=os.environ | told, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["1,2,2", "2"], done.stderr


def test_the_environment_is_as_before_after_a_block_that_fails() -> None:
    before = dict(os.environ)
    try:
        with environment({"UNNAME_TEST": "1", "PATH": ""}):
            assert (os.environ["UNNAME_TEST"], os.environ["PATH"]) == ("1", "")
            raise KeyError
    except KeyError:
        assert dict(os.environ) == before


def test_a_pool_that_is_watched_tells_of_every_result() -> None:
    told: list[tuple[str, int]] = []

    def progress(stage: str, total: int) -> Callable[[int], None]:
        told.append((stage, total))
        return lambda done: told.append(("done", done))

    results = Watched(ONE_PROCESS, progress, "index").map(scaled, (3,), iter(range(3)))
    assert told == [("index", 3)], "the stage begins before the first result is asked for"
    assert [*results] == [0, 3, 6] and told[1:] == [("done", 1)] * 3
