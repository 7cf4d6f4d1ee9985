"""Logging and progress that carry counts, never content.

A library logs through `logging.getLogger("unname")`; nothing is configured on import.
"""

import logging
from collections.abc import Callable

Progress = Callable[[str, int], "Callable[[int], None]"]
logger = logging.getLogger("unname")
logger.addHandler(logging.NullHandler())


def silent(stage: str, total: int) -> Callable[[int], None]:
    """The progress of a program that nobody watches."""
    logger.debug("stage %s: %d", stage, total)
    return lambda done: None
