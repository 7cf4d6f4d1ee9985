"""Sources of the files of a corpus: a folder with folders in it, an archive, or one file by itself."""

import codecs
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from unname.errors import InputError
from unname.storage.faults import LONGEST_RECORD, TOO_LONG, shown_name
from unname.storage.formats.archives import archived, is_archive
from unname.storage.opening import open_within

Row = dict[str, Any]
Rows = Iterator[tuple[int, Row]]


@dataclass(frozen=True, slots=True, repr=False)
class NamedFiles:
    """Files by name, in name order, and a way to open each, which gives what is wrong with it where it cannot be read."""

    shown: str
    names: tuple[str, ...]
    opener: Callable[[str], BinaryIO | str]

    def read(self, name: str, most: int = LONGEST_RECORD) -> bytes | str:
        """All of a file, or what is wrong with it."""
        try:
            stream = self.opener(name)
            if isinstance(stream, str):
                return stream
            with stream:
                content = stream.read(most + 1)
        except OSError:
            return "cannot be read"
        return content if len(content) <= most else f"longer than {most >> 20} MiB"

    def lines(self, name: str) -> Iterator[str | None]:
        """Lines of a file without their ends, None for one that is not UTF-8; InputError where it cannot be read on."""
        try:
            stream = self.opener(name)
            if isinstance(stream, str):
                raise InputError(f"{self.shown}: a file in it is {stream}")
            with stream:
                first = True
                while line := stream.readline(LONGEST_RECORD + 1):
                    if len(line) > LONGEST_RECORD:
                        raise InputError(f"{self.shown}: a line is {TOO_LONG}")
                    line, first = line.removeprefix(codecs.BOM_UTF8) if first else line, False
                    yield _decoded(line)
        except OSError as error:
            raise InputError(f"{self.shown}: cannot be read: {error.strerror}") from None


def _decoded(line: bytes) -> str | None:
    try:
        return line.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        return None


@contextmanager
def opened(path: Path, endings: Sequence[str], *, beside: bool = False) -> Iterator[NamedFiles]:
    """The files with these endings in a folder (at any depth) or archive, or a single file whatever its ending.

    Names that begin with a dot are passed over, and so is what ends otherwise. With `beside`, a single file brings those
    along that are called the same but for the ending. InputError: there is none.
    """

    def wanted(name: str) -> bool:
        return not name.rpartition("/")[2].startswith(".") and ending_of(name, endings) != ""

    shown = shown_name(path)
    if path.is_dir():
        home = path.resolve()
        yield _some(NamedFiles(shown, _names_below(home, wanted), lambda name: open_within(home, name)), endings)
    elif is_archive(path):
        with archived(path, wanted) as (names, opener):
            yield _some(NamedFiles(shown, names, opener), endings)
    elif path.is_file():
        home, own = path.resolve().parent, path.resolve().name
        stem = own.removesuffix(ending_of(own, endings))
        others = {stem + ending for ending in endings if beside and (home / (stem + ending)).is_file()}
        yield NamedFiles(shown, tuple(sorted({own, *others})), lambda name: open_within(home, name))
    else:
        raise InputError(f"{shown}: no such file")


def _some(source: NamedFiles, endings: Sequence[str]) -> NamedFiles:
    if not source.names:
        raise InputError(f"{source.shown}: holds no {' or '.join(endings)} files")
    return source


def _names_below(home: Path, wanted: Callable[[str], bool]) -> tuple[str, ...]:
    """Names of what is wanted, relative and sorted by code points; a linked folder is not entered, but stands among them."""

    def failed(error: OSError) -> None:
        raise InputError(f"{shown_name(home)}: cannot be read: {error.strerror}") from None

    names = []
    for folder, inside, files in os.walk(home, onerror=failed):
        inside[:] = [name for name in inside if not name.startswith(".")]
        here = Path(folder)
        chosen = [name for name in files if wanted(name)] + [n for n in inside if wanted(n) or (here / n).is_symlink()]
        names += [(here / name).relative_to(home).as_posix() for name in chosen]
    return tuple(sorted(names))


def ending_of(name: str, endings: Sequence[str]) -> str:
    """The longest of these endings that a name has, as it stands there; empty where it has none."""
    low = name.lower()
    size = max((len(ending) for ending in endings if low.endswith(ending)), default=0)
    return name[len(name) - size :]


def stem_of(name: str, endings: Sequence[str]) -> str:
    """A file's own name without the ending."""
    return name.removesuffix(ending_of(name, endings)).rpartition("/")[2]
