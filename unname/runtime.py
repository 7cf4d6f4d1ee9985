"""Resources of a run: processes, a report of progress, and room for files; and times as people write them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from unname.log import Progress, silent
from unname.option import RUN, option, plain_number, require
from unname.parallel.pool import ONE_PROCESS, Pool, Watched

# Below so many minutes seconds are said too.
_FEW_MINUTES = 10
_TIME = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s)?", re.ASCII)


@dataclass(frozen=True, slots=True, repr=False)
class Runtime:
    """Resources of a run, which change no result: `workers` processes (0: as many as pay), or a `pool` that is there already.

    `prepare`, `audit` and `reidentify` use a pool that is open: `with Runtime(4).started(len(documents)) as runtime: …`.
    A script that asks for more than one worker must guard its entry (`if __name__ == "__main__"`). With `temporary`,
    documents and outcomes are kept in files without a name in that folder, so that memory does not grow with them.
    """

    GROUP: ClassVar[str] = RUN
    workers: int = option(1, "Number of processes.", least=1, shown="one for each core, one in all for few documents")
    progress: Progress = silent
    pool: Pool | None = None
    temporary: Path | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", plain_number(self.workers))
        whole = isinstance(self.workers, int) and not isinstance(self.workers, bool)
        require(whole and self.workers >= 0, "workers must be a whole number")

    def __repr__(self) -> str:
        return f"Runtime({self.workers} workers)"

    @contextmanager
    def started(self, documents: int, letters: int = 0) -> "Iterator[Runtime]":
        """With a pool: the one that is there, or one of as many workers as were asked for or pay, until the end."""
        if self.pool is not None:
            yield self
            return
        from unname.parallel.workers import WorkerPool, suitable_workers

        with WorkerPool(suitable_workers(self.workers, documents, letters)) as pool:
            pool.start()
            yield replace(self, pool=pool)

    def working(self, stage: str = "") -> Pool:
        """The pool that works now, the given one or this process; with a `stage` it says how far it is."""
        pool = ONE_PROCESS if self.pool is None else self.pool
        return Watched(pool, self.progress, stage) if stage else pool


def seconds_of(text: str) -> int:
    """The seconds of a time such as `90s`, `10m` or `1h30m`; 0 for any other text.

    >>> seconds_of("1h30m")
    5400
    """
    match = _TIME.fullmatch(text.strip().lower())
    hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
    return hours * 3600 + minutes * 60 + seconds


def said_time(seconds: float) -> str:
    """A time in the two largest units that there are, in one from ten minutes to an hour."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes < _FEW_MINUTES:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
