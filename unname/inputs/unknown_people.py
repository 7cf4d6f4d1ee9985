"""Documents whose person is missing or has no profile: the error about them, and what to do."""

from unname.errors import InputError
from unname.storage.faults import Faults

_ADVICE = (
    "Add profiles of these people, or leave the documents out; or let `unname deidentify` withhold them (--unknown-person "
    "withhold) or hide what rules and taggers find in them (--unknown-person floor-only)"
)


def add_unknown(faults: Faults, record: int, column: str, person: str | None) -> None:
    """Note a document whose person is not in the population."""
    faults.add(record, column, "missing" if person is None else "no profile has this id")


def raise_unknown(faults: Faults) -> None:
    """Raise one InputError with all that were noted and advice, if any were."""
    try:
        faults.raise_any()
    except InputError as error:
        raise InputError(f"{error}\n{_ADVICE}") from None
