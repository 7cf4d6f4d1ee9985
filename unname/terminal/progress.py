"""Progress on standard error: bars on a terminal, a line now and then in a pipe; and how a command runs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from unname.log import Progress as Report
from unname.log import logger
from unname.runtime import Runtime, said_time
from unname.terminal.printing import ERR

# Seconds from one line to the next.
_EVERY = 10.0


@contextmanager
def bars() -> Iterator[Report]:
    """Stages and counts on standard error, with rate and time left; nothing of any document."""
    with _bars() if ERR.is_terminal else _lines() as report:
        yield report


@contextmanager
def _bars() -> Iterator[Report]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    class Pace(TextColumn):
        """Documents, or whatever else a stage counts, a second."""

        def render(self, task: Task) -> Any:
            self.text_format = _rate(task.finished_speed or task.speed or 0.0)
            return super().render(task)

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Pace(""),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=ERR) as shown:
        last: list[Any] = []

        def stage(name: str, total: int) -> Callable[[int], None]:
            logger.debug("stage %s: %d", name, total)
            if last:
                shown.update(last[-1], completed=shown.tasks[last[-1]].total)
            last.append(shown.add_task(name, total=total))
            task = last[-1]
            return lambda done: shown.advance(task, done)

        yield stage
        if last:
            shown.update(last[-1], completed=shown.tasks[last[-1]].total)


@contextmanager
def _lines() -> Iterator[Report]:
    """A line every ten seconds, of the stage that is under way: whoever reads it later wants no bars."""
    said, over = _Stages(), threading.Event()

    def go_on() -> None:
        while not over.wait(_EVERY):
            if line := said.line():
                ERR.print(line, markup=False, soft_wrap=True)

    speaker = threading.Thread(target=go_on, daemon=True)
    speaker.start()
    try:
        yield said.begin
    finally:
        over.set()
        speaker.join()


class _Stages:
    """The stage that is under way, how far it is, and since when."""

    def __init__(self) -> None:
        self._first = time.monotonic()
        self._now: tuple[str, int, float, list[int]] | None = None

    def begin(self, name: str, total: int) -> Callable[[int], None]:
        """A `Progress`."""
        logger.debug("stage %s: %d", name, total)
        done = [0]
        self._now = name, total, time.monotonic(), done

        def advance(more: int) -> None:
            done[0] += more

        return advance

    def line(self) -> str:
        """One line on it; empty before there is one."""
        if self._now is None:
            return ""
        (name, total, since, (done,)), now = self._now, time.monotonic()
        parts = [f"{name}: {done:,} of {total:,}" if total > 1 else name]
        if 0 < done < total:
            rate = done / max(now - since, 1e-9)
            parts += [_rate(rate), f"about {said_time((total - done) / rate)} left"]
        return ", ".join(parts) + f" ({said_time(now - self._first)} so far)"


def _rate(rate: float) -> str:
    """So many a second, or a minute."""
    if rate <= 0:
        return ""
    return (
        f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.0f} a minute"
    )


def runtime_from(given: dict[str, Any], progress: Report) -> Runtime:
    """A runtime with as many workers as pay, or as many as were asked for."""
    return Runtime(given.pop("workers") or 0, progress)
