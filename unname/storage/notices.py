"""Notices about a file that could be read: how a run took it, and its empty values. Counts and names of columns alone."""

from pathlib import Path

from unname.errors import printable
from unname.log import logger
from unname.storage.faults import shown_name

# Whoever runs a command hears this logger; a program may listen to it, too.
reading = logger.getChild("reading")


def notice(path: Path, what: str) -> None:
    """Say something of a file as it is read; nothing of its content."""
    reading.warning("%s: %s", shown_name(path), printable(what))


def counted(many: int, one: str, more: str = "") -> str:
    """A count with its noun."""
    return f"{many} {one if many == 1 else more or one + 's'}"
