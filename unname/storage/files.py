"""Writing so that a reader never sees half a file: aside, flushed to the disk, then renamed."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unname.errors import StateError, UnnameError


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all; `private` files can be read by their owner alone."""
    aside = path.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(aside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StateError(f"a file could not be written: {error.strerror}; nothing was changed") from None
    finally:
        aside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def require_absent(folder: Path, *, replace: bool) -> None:
    """An output that exists is never written over unless asked."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())) and not replace:
        raise StateError("an output folder already exists; choose another, or say --replace")


@contextmanager
def staged_folders(*folders: tuple[Path, bool], replace: bool = False) -> Iterator[tuple[Path, ...]]:
    """Fill folders aside and put all in place only when the block ends well; (folder, private) each.

    Until then the old state is untouched; a process killed between two renames leaves whole folders only.
    Folders are put in place in the order given: name the private one first, so that a release never stands alone.
    """
    for folder, _ in folders:
        require_absent(folder, replace=replace)
    asides: list[Path] = []
    try:
        for folder, private in folders:
            folder.parent.mkdir(parents=True, exist_ok=True)
            aside = folder.with_name(f".{secrets.token_hex(8)}.partial")
            aside.mkdir(mode=0o700 if private else 0o755)
            asides.append(aside)
        yield tuple(asides)
        for (folder, _), aside in zip(folders, asides, strict=True):
            _put_in_place(aside, folder)
    except UnnameError:
        raise
    except OSError as error:
        raise StateError(f"an output folder could not be written: {error.strerror}") from None
    finally:
        for aside in asides:
            shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(aside: Path, folder: Path) -> None:
    old = None
    if folder.exists():
        old = folder.with_name(f".{secrets.token_hex(8)}.partial")
        os.replace(folder, old)
    os.replace(aside, folder)
    _sync_folder(folder.parent)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)
