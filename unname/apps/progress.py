"""Bars of stages on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from unname.apps.printing import ERR
from unname.log import Progress as Report
from unname.log import logger


@contextmanager
def bars() -> Iterator[Report]:
    """Bars of stages and counts on standard error; nothing of any document."""
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
