"""Rows in and out of tables of other libraries, and of plain dicts; none of these libraries is needed here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from unname.errors import InputError, SettingsError

if TYPE_CHECKING:
    from pandas import DataFrame

Row = Mapping[str, object]


class _WithColumns(Protocol):
    """A table of pandas or polars."""

    @property
    def columns(self) -> Any: ...


class _WithColumnNames(Protocol):
    """A table of Arrow, or a dataset of Hugging Face."""

    @property
    def column_names(self) -> Any: ...


Table = _WithColumns | _WithColumnNames | Iterable[Row]


def is_table(value: object) -> bool:
    """True if a value is a table of pandas, polars, Arrow or Hugging Face datasets, or dicts in a row."""
    if isinstance(value, Sequence):
        return not isinstance(value, str | bytes) and bool(value) and isinstance(value[0], Mapping)
    return any(hasattr(type(value), name) for name in ("columns", "column_names"))


def rows_of(table: object, what: str) -> tuple[list[str], Sequence[Row]]:
    """The names of a table's columns and its rows; InputError where two columns have one name, or it has no rows to give."""
    if isinstance(table, Sequence):
        for number, row in enumerate(table, start=1):
            if not isinstance(row, Mapping):
                raise InputError(
                    f"{what}: record {number}: must be a dict as those before it, not {type(row).__name__}"
                )
        return [str(name) for name in dict.fromkeys(name for row in table for name in row)], table
    if lazy := _part(table, "collect"):  # of polars, not yet computed
        return rows_of(lazy(), what)
    known = _part(table, "column_names")
    known = _part(table, "columns") if known is None else known
    if isinstance(known, Mapping):
        raise InputError(f"{what}: several splits; hand over one of: {', '.join(map(str, known))}")
    names = [str(name) for name in ([] if known is None else known)]
    if len(set(names)) < len(names):
        raise InputError(f"{what}: two columns have the same name")
    for method in ("to_dicts", "to_pylist", "to_list"):  # polars, Arrow, Hugging Face
        if given := _part(table, method):
            return names, given()
    if records := _part(table, "to_dict"):  # pandas
        return names, [{str(name): value for name, value in row.items()} for row in records("records")]
    if isinstance(table, Iterable):  # a dataset that is streamed
        return rows_of(list(table), what)
    raise InputError(f"{what}: a {type(table).__name__} gives no rows")


def _part(table: object, name: str) -> Any:
    """A property or method that every table of a kind has; a column of that name is none."""
    return getattr(table, name) if hasattr(type(table), name) else None


def frame_of(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> "DataFrame":
    """A table of pandas; SettingsError where that is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise SettingsError("pip install pandas to get tables of it") from None
    return DataFrame(rows, columns=list(columns))
