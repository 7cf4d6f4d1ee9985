"""A folder of plain text files as rows: a file is a document, its stem the id. Faults say which file by its place."""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from unname.errors import InputError
from unname.storage.dialects import encoding_of, without_mark
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, Faults, shown_name
from unname.storage.rows import advice_for


def folder_names(folder: Path) -> list[str]:
    """Names of what a folder holds, sorted by code points, without those that begin with a dot."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208
    except OSError as error:
        raise InputError(f"{shown_name(folder)}: cannot be read: {error.strerror}") from None


def folder_records(
    folder: Path, faults: Faults, encoding: str | None = None
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(place in name order from 1, {"id": stem, "text": content}) of a folder of `.txt` files.

    The encoding is told file by file where none is said.

    Everything else in the folder is a fault, so that no document is left out unseen: other kinds of file, folders,
    pipes and devices, links that lead out of the folder. A name may name a person, so that faults give places.
    """
    names = folder_names(folder)
    if not names:
        raise InputError(f"{shown_name(folder)}: holds no .txt files")
    home, other = folder.resolve(), "not a .txt file"
    if any(not name.lower().endswith(".txt") for name in names) and (format := _format_of(folder)):
        other = f"not a .txt file; an annotated corpus of this kind is read with --format {format}"
    for number, name in enumerate(names, start=1):
        stem, ending = Path(name).stem, Path(name).suffix
        content = read_within(home, name) if ending.lower() == ".txt" else advice_for(ending) or other
        if isinstance(content, str):
            faults.add(number, "", content)
            continue
        written = encoding or encoding_of(content)
        try:
            yield number, {"id": stem, "text": without_mark(content).decode(written)}
        except UnicodeDecodeError:
            faults.add(number, "text", NOT_UTF8 if encoding is None else f"not {encoding}")


def _format_of(folder: Path) -> str | None:
    from unname.storage.formats import format_told  # no XML, no archives where nobody asks for them

    try:
        return format_told(folder)
    except InputError:
        return None


def read_within(home: Path, name: str) -> bytes | str:
    """What a plain file of a folder (given as a real path) holds, or what is wrong with it; never waits for a pipe."""
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
