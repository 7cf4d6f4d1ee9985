"""Rows of a Parquet file, by small batches: what the footer says of the file is not believed."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, Faults, shown_name
from unname.storage.parquet_probe import batches, survives


def parquet_records(path: Path, faults: Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Rows as (number from 1, mapping of plain values): texts, numbers, lists, objects; null and NaN are None.

    Dates and times become ISO 8601 text, decimals text, and what is stored as bytes stays bytes, which is no text. A
    cell that is not UTF-8 is a fault of its record; a file that is not or no longer Parquet is an InputError.
    """
    from pyarrow import ArrowException, types

    if not survives(path):
        raise InputError(
            f"{shown_name(path)}: not a Parquet file, or a damaged one, or one that takes too much memory or time to read"
        )
    number = 0
    try:
        for batch in batches(path):
            names = batch.schema.names
            if len(set(names)) != len(names):
                raise InputError(f"{shown_name(path)}: two columns have the same name")
            columns = [
                (name, cells, dict if types.is_map(cells.type) else _plain)
                for name, cells in zip(names, batch.columns, strict=True)
            ]
            for row in range(batch.num_rows):
                number += 1
                values = _values(columns, row, number, faults)
                if values is not None:
                    yield number, values
    except InputError:
        raise
    except (ArrowException, OSError, ValueError, TypeError, MemoryError, OverflowError, RecursionError):
        place = f" after record {number}" if number else ""
        raise InputError(f"{shown_name(path)}: not a Parquet file, or a damaged one{place}") from None


def _values(
    columns: Sequence[tuple[str, Any, Callable[[Any], Any]]], row: int, number: int, faults: Faults
) -> Mapping[str, Any] | None:
    """A row of columns, each a name, its cells and what makes a cell's value plain; None where it has a fault."""
    values: dict[str, Any] = {}
    size = 0
    for name, cells, kind in columns:
        problem = None
        try:
            value = cells[row].as_py()
            value = values[name] = None if value is None else kind(value)
            size += len(value) if isinstance(value, str) else 0
        except UnicodeDecodeError:
            problem = NOT_UTF8
        except (ValueError, OverflowError):
            problem = "cannot be read"
        if size > LONGEST_RECORD:
            problem = TOO_LONG
        if problem:
            faults.add(number, name, problem)
            return None
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value
