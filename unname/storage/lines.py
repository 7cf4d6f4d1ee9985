"""Lines of a file, plain or gzipped, one at a time and never longer in memory than a record may be."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from unname.errors import InputError
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, shown_name

# A line that is too long is passed over so that the next can be read; beyond this it is no line but a bomb.
LONGEST_PASSED_OVER = 16 * LONGEST_RECORD
# Blank lines in a row, in bytes: beyond this a file is no table but a bomb as well.
MOST_BLANK = LONGEST_RECORD
_BLOCK = 1 << 20


def numbered_lines(path: Path, encoding: str = "utf-8", *, returns: bool = False) -> Iterator[tuple[int, bytes | None]]:
    """(record number, line with its end, in UTF-8); None stands for a line longer than `LONGEST_RECORD` bytes.

    What is in another encoding is an InputError where it cannot be read as such; in UTF-8 it is left as it is. The number
    counts lines that are not blank, from 1; a blank line carries that of the record before it. A byte order mark at the
    start is dropped. With `returns`, lines end in a carriage return alone. A file that cannot be read on is an InputError.
    """
    number = blank = 0
    try:
        with _open(path, encoding, returns=returns) as stream:
            first = True
            while line := stream.readline(LONGEST_RECORD + 1):
                if first:
                    line, first = line.removeprefix(codecs.BOM_UTF8), False
                if len(line) > LONGEST_RECORD:
                    number += 1
                    ended = line.endswith(b"\n")
                    del line  # not to be held while a consumer looks at what comes next
                    if not ended:
                        _pass_over(stream, path, number)
                    yield number, None
                    continue
                blank = blank + len(line) if line.isspace() else 0
                if blank > MOST_BLANK:
                    raise InputError(f"{shown_name(path)}: nothing but blank lines after record {number}")
                number += not blank
                yield number, line.translate(_SWAPPED) if returns else line
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{shown_name(path)}: damaged or incomplete gzip data after record {number}") from None
    except UnicodeError:
        raise InputError(f"{shown_name(path)}: not {encoding} after record {number}") from None
    except OSError as error:
        raise InputError(f"{shown_name(path)}: cannot be read: {error.strerror}") from None


def _open(path: Path, encoding: str = "utf-8", *, returns: bool = False) -> BinaryIO:
    if path.suffix != ".gz":
        stream = path.open("rb", buffering=_BLOCK)
    else:
        unpacked = cast(io.RawIOBase, gzip.open(path, "rb"))  # noqa: SIM115 (whoever asked for the stream closes it)
        stream = cast(Any, io.BufferedReader(unpacked, _BLOCK))
    if codecs.lookup(encoding).name == "utf-8" and not returns:
        return stream
    return cast(BinaryIO, io.BufferedReader(_Recoded(stream, encoding, returns=returns), _BLOCK))


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """A file as a stream of bytes, unpacked where it is gzipped; InputError where it cannot be read on."""
    try:
        with _open(path) as stream:
            yield stream
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{shown_name(path)}: damaged or incomplete gzip data") from None
    except OSError as error:
        raise InputError(f"{shown_name(path)}: cannot be read: {error.strerror}") from None


def beginning(path: Path, most: int) -> bytes:
    """The first bytes of a file, unpacked where it is gzipped; InputError where it cannot be read."""
    with unpacked(path) as stream:
        return stream.read(most)


# Carriage returns and line feeds in each other's place: a line that ends in the one is then found by the other.
_SWAPPED = bytes.maketrans(b"\r\n", b"\n\r")


class _Recoded(io.RawIOBase):
    """Bytes of a text in another encoding, read as UTF-8; with `returns`, its two line ends are swapped."""

    def __init__(self, stream: BinaryIO, encoding: str, *, returns: bool = False) -> None:
        self._stream, self._returns = stream, returns
        plain = codecs.lookup(encoding).name == "utf-8"  # whose faults are left for whoever reads the lines
        self._decoder = None if plain else codecs.getincrementaldecoder(encoding)()
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            block = self._stream.read(_BLOCK)
            self._left = block
            if self._decoder is not None:
                self._left = self._decoder.decode(block, not block).encode("utf-8", "surrogatepass")
            if self._returns:
                self._left = self._left.translate(_SWAPPED)
            if not block:
                break
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()


def _pass_over(stream: BinaryIO, path: Path, number: int) -> None:
    passed = LONGEST_RECORD
    while block := stream.readline(_BLOCK):
        passed += len(block)
        if block.endswith(b"\n"):
            return
        if passed > LONGEST_PASSED_OVER:
            raise InputError(f"{shown_name(path)}: record {number}: {TOO_LONG}, without an end in sight")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, line with its end); what is not UTF-8 or too long is an InputError."""
    if not path.is_file():
        raise InputError(f"{shown_name(path)}: no such file")
    for number, (_, line) in enumerate(numbered_lines(path), start=1):
        problem = TOO_LONG
        if line is not None:
            try:
                yield number, line.decode()
                continue
            except UnicodeDecodeError:
                problem = NOT_UTF8
        raise InputError(f"{shown_name(path)}: record {number}: {problem}")
