"""A report read again from its file, or from the plain values that such a file holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from unname.auditing.report import Report
from unname.errors import InputError


def read_report(path: Path) -> Report:
    """A report that was written to a file; InputError where it is none."""
    try:
        return report_from(msgspec.json.decode(Path(path).read_bytes()))
    except OSError as error:
        raise InputError(f"{Path(path).name} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError(f"{path.name} is not a report") from None


def report_from(values: Mapping[str, Any]) -> Report:
    """A report from plain values, as `as_dict` gives them; InputError where they are none."""
    try:
        return msgspec.convert({**values, "crowds": values.get("crowds") or None}, Report)
    except (msgspec.ValidationError, RecursionError, TypeError, AttributeError):
        raise InputError("these values are not a report") from None
