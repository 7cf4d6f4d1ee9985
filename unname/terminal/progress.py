"""Bars of stages on a terminal, and how a command runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from unname.job import Runtime
from unname.log import Progress as Report
from unname.log import logger
from unname.terminal.printing import ERR


@contextmanager
def bars() -> Iterator[Report]:
    """Bars of stages and counts on standard error; nothing of any document."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=ERR, transient=not ERR.is_terminal) as shown:
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


def runtime_from(given: dict[str, Any], progress: Report) -> Runtime:
    """A runtime with as many workers as pay, or as many as were asked for."""
    return Runtime(given.pop("workers") or 0, progress)
