"""Tables of pandas, for whoever has it installed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unname.errors import SettingsError

if TYPE_CHECKING:
    from pandas import DataFrame


def is_frame(value: object) -> bool:
    """True if a value is a table of pandas, or one that behaves like it."""
    return hasattr(value, "columns") and hasattr(value, "to_dict") and hasattr(value, "iloc")


def frame_of(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> "DataFrame":
    """A table of pandas; SettingsError where that is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise SettingsError("pip install pandas to get tables of it") from None
    return DataFrame(rows, columns=list(columns))
