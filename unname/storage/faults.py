"""Faults of a file: gathered by record and field, reported many at once, and never quoting content."""

from pathlib import Path

from unname.errors import InputError, printable

# Faults that differ in more than the record.
MOST_FAULTS = 20
_RECORDS_NAMED = 3
MOST_BAD_RECORDS = 1_000_000
LONGEST_RECORD = 64 << 20  # bytes
LONGEST_FIELD_NAME = 80
TOO_LONG = f"longer than {LONGEST_RECORD >> 20} MiB"
NOT_UTF8 = "not UTF-8"
_HALF = "holds half a surrogate pair, which is no character"
_NUL = "holds a NUL character"


class Faults:
    """Collects what is wrong with a file, so that a user sees many faults at once or goes on without the bad records.

    Either end with `raise_any`, or go on and read `bad_records`. Faults that differ in their records alone are reported
    together, by the first of these and how many there are. Only the first `MOST_FAULTS` messages are kept, and
    about 100 bytes for each bad record; more than `MOST_BAD_RECORDS` of them are an InputError at once. With `listed`
    false there is no such list and no such limit. `place` says what a number counts, where it is no record of a table. With
    `at_once` the first fault is raised.
    """

    def __init__(self, file: Path, *, listed: bool = True, place: str = "", at_once: bool = False) -> None:
        self._file = shown_name(file)
        self._place = place or ("file {} (in name order)" if file.is_dir() else "record {}")
        self._messages: dict[tuple[str, str], list[int]] = {}
        self._names: dict[str, str] = {}
        self._listed, self._at_once = listed, at_once
        self.count = 0
        self.bad_records: list[tuple[int, str, str]] = []

    def add(self, record: int, field: str, problem: str) -> None:
        """Note one fault by record number (from 1) and field name, which is empty where the whole record is bad.

        `bad_records` takes the first fault of each run of the same record: (number, field, problem).
        """
        self.count += 1
        if len(field) > LONGEST_FIELD_NAME:
            field = field[:LONGEST_FIELD_NAME] + "…"
        kind = field, problem
        if kind in self._messages or len(self._messages) < MOST_FAULTS:
            times, *records = self._messages.get(kind, [0])
            self._messages[kind] = [times + 1, *records, record][: 1 + _RECORDS_NAMED]
        if self._at_once:
            self.raise_any()
        if self._listed and (not self.bad_records or self.bad_records[-1][0] != record):
            if len(self.bad_records) == MOST_BAD_RECORDS:
                raise InputError(
                    f"{self._file}: more than {MOST_BAD_RECORDS} bad records; is it the right kind of file?"
                )
            field = printable(field)
            self.bad_records.append((record, self._names.setdefault(field, field), problem))

    def raise_any(self) -> None:
        """Raise one InputError with everything that was noted, if anything was."""
        if self.count:
            more = self.count - sum(times for times, *_ in self._messages.values())
            lines = [self._line(*kind, *counted) for kind, counted in self._messages.items()]
            raise InputError("\n".join(lines + ([f"… and {more} more"] if more else [])))

    def _line(self, field: str, problem: str, times: int, first: int, *also: int) -> str:
        """A line on a fault of a record, with the other records that have the same one."""
        place = self._place.format(first) + (f": field {field!r}" if field else "")
        more = f" and {times - 1 - len(also)} more" if times > 1 + len(also) else ""
        others = f" (also {', '.join(map(str, also))}{more})" if also else ""
        return f"{self._file}: {place}: {problem}{others}"


def shown_name(path: Path) -> str:
    """A file's own name as a message may show it."""
    return printable(path.name)


def flaw(value: str) -> str | None:
    """The defect that makes a text unusable anywhere: half a surrogate pair or NUL; None where there is none."""
    if "\0" in value:
        return _NUL
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return _HALF
    return None
