"""Opening what a folder holds, and nothing outside it."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from unname.errors import InputError
from unname.storage.faults import LONGEST_RECORD, TOO_LONG, shown_name


def folder_names(folder: Path) -> list[str]:
    """Names of what a folder holds, sorted by code points, without those that begin with a dot."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208
    except OSError as error:
        raise InputError(f"{shown_name(folder)}: cannot be read: {error.strerror}") from None


def read_within(home: Path, name: str) -> bytes | str:
    """The content of a plain file of a folder (given as a real path), or its fault; never waits for a pipe."""
    stream = open_within(home, name)
    if isinstance(stream, str):
        return stream
    try:
        with stream:
            size = os.fstat(stream.fileno()).st_size
            return TOO_LONG if size > LONGEST_RECORD else stream.read(size)
    except OSError:
        return "cannot be read"


def open_within(home: Path, name: str) -> BinaryIO | str:
    """A plain file of a folder (given as a real path), open to be read, or what is wrong with it."""
    try:
        path = (home / name).resolve(strict=True)
        if not path.is_relative_to(home):
            return "a link that leads out of the folder"
        if not path.is_file():  # before it is opened: to open a device may be to do something
            return "not a plain file"
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        stream = os.fdopen(handle, "rb")
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return stream
        stream.close()
        return "not a plain file"
    except (OSError, RuntimeError):  # RuntimeError: a link to itself
        return "cannot be read"
