"""Batches of a Parquet file, and a trial of them in a process of its own: run as a script, it imports nothing of ours.

A footer that lies can end a process that believes it (the C++ library underneath aborts on some), or fill the memory.
So a file is first unpacked once by a process that nobody will miss, with little memory and no core dump.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_ROWS_AT_ONCE = 64
MOST_BYTES_AT_ONCE = 64 << 20
MOST_MEMORY = 2 << 30
# A small file may claim rows without end: seconds for each file, and more for each MiB of it.
MOST_SECONDS, SECONDS_A_MIB = 120, 2
_BUFFER = 1 << 20
_LONGEST_FOOTER_PART = 64 << 20


def batches(path: Path) -> Iterator[Any]:
    """Record batches of a file, each of few rows; errors as pyarrow raises them, or none at all: see `survives`."""
    from pyarrow import parquet

    options: dict[str, Any] = {
        # Without these two a row group would be held whole.
        "buffer_size": _BUFFER,
        "pre_buffer": False,
        "page_checksum_verification": True,
        "arrow_extensions_enabled": False,
        "thrift_string_size_limit": _LONGEST_FOOTER_PART,
        "thrift_container_size_limit": 1 << 20,
    }
    with parquet.ParquetFile(path, **options) as file:
        for group in range(file.metadata.num_row_groups):
            rows = _rows_at_once(file.metadata.row_group(group))
            yield from file.iter_batches(batch_size=rows, row_groups=[group], use_threads=False)


def _rows_at_once(group: Any) -> int:
    """As many rows as take no more than `MOST_BYTES_AT_ONCE` even if each holds a dictionary's longest value."""
    rows = MOST_ROWS_AT_ONCE
    for place in range(group.num_columns):
        column = group.column(place)
        if column.has_dictionary_page:
            unpacked, packed = column.total_uncompressed_size, max(1, column.total_compressed_size)
            dictionary = max(0, column.data_page_offset - (column.dictionary_page_offset or 0))
            longest = min(unpacked, 4 * dictionary * (1 + unpacked // packed))
            rows = min(rows, MOST_BYTES_AT_ONCE // max(1, longest))
    return max(1, rows)


def survives(path: Path) -> bool:
    """True if another process reads the file to its end, within `MOST_MEMORY` bytes and a time that goes by its size.

    It is that process's own time on a processor: what else runs on the machine changes nothing.
    """
    # What an abort says may quote content, so that nobody listens.
    limit = MOST_SECONDS + SECONDS_A_MIB * (path.stat().st_size >> 20)
    command = [sys.executable, "-I", __file__, str(path.absolute()), str(MOST_MEMORY), str(limit)]
    quiet, most = subprocess.DEVNULL, None if hasattr(signal, "setitimer") else limit
    try:
        done = subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, check=False, timeout=most)  # noqa: S603
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main(path: Path, most_memory: int, most_seconds: float) -> None:
    """Read a file to its end; what is wrong with it ends the process one way or another."""
    if hasattr(signal, "setitimer"):  # the signal that comes when the time is over ends a process
        signal.setitimer(signal.ITIMER_PROF, most_seconds)
    with suppress(ImportError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (most_memory, most_memory))
    for batch in batches(path):
        batch.validate()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
