"""People and what is known of them, from tables and triples; every fault names record and field, not content.

Values of records within a record are fields by their path: of `"name": [{"given": ["Ada"], "family": "Quill"}]` those are
`name.given` and `name.family`, also where a cell of a table holds that as text.
"""

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.births import with_whole_days
from unname.storage.dialects import Dialect
from unname.storage.documents import identifier_of, with_columns
from unname.storage.faults import Faults, flaw, shown_name
from unname.storage.ids import Ids
from unname.storage.lines import beginning, text_lines
from unname.storage.mojibake import repaired
from unname.storage.notices import counted, notice
from unname.storage.rows import Record, records
from unname.types import Profile

# What stands between several values of a field, and how deep records may lie within records.
_SEVERAL, _DEEPEST = " | ", 16
# The share of profiles that a key within a record must be in, to be the name of a field.
_FEWEST = 0.01
_AGAIN = "the same id occurs in an earlier record (--duplicates merge makes one of them)"


def iter_profiles(
    path: Path,
    *,
    id_column: str = "id",
    dialect: Dialect | None = None,
    repeated: bool = False,
    faults: Faults,
    within: Counter[str] | None = None,
) -> Iterator[tuple[int, Profile]]:
    """(record number from 1, profile), lazily; faults as in `iter_documents`, but an id may be `repeated`.

    `within` counts profiles by the paths of values within records.
    """
    seen, any_read = Ids(), False
    rows: Iterator[Record]
    if path.suffix == ".box":
        from unname.storage.formats.wikibio import box_records

        rows = box_records(path, faults)
    elif _is_hl7(path):
        from unname.storage.formats.hl7 import hl7_people

        rows = hl7_people(path, faults)
    elif _is_fhir(path):
        from unname.storage.formats.fhir import fhir_people

        rows = fhir_people(path, faults)
    else:
        rows = records(path, faults=faults, dialect=dialect)
        rows = with_columns(path, rows, [id_column], {id_column: "--people-id-column"}, "column names")
    garbled = 0
    for number, row in rows:
        before = faults.count
        identifier = identifier_of(row, id_column, number, faults, Ids() if repeated else seen, _AGAIN)
        fields = _fields(row, id_column, number, faults, within)
        if identifier is not None and faults.count == before:
            any_read = True
            both = {name: _both(value) for name, value in fields.items()}
            garbled += both != fields
            yield number, Profile(identifier, both)
    if garbled:
        notice(
            path,
            f"{counted(garbled, 'profile')} with values that look like UTF-8 read in another encoding (Ã¼ for ü): "
            "they are taken as they stand and as they were",
        )
    if not any_read and not faults.count:
        raise InputError(f"{shown_name(path)}: holds no profiles")


def _is_hl7(path: Path) -> bool:
    """True if a file holds messages: by its ending, or, where that is none of a table, by its beginning."""
    name = path.name.removesuffix(".gz")
    if name.endswith(".hl7"):
        return True
    return (
        name.endswith((".txt", ".dat", ".msg"))
        and path.is_file()
        and beginning(path, 8).lstrip(b"\x0b").startswith(b"MSH")
    )


def _is_fhir(path: Path) -> bool:
    if not path.name.removesuffix(".gz").endswith((".json", ".jsonl", ".ndjson")):
        return False
    from unname.storage.formats.fhir import is_fhir

    return is_fhir(path)


def read_profiles(
    path: Path, *, id_column: str = "id", dialect: Dialect | None = None, repeated: bool = False
) -> list[Profile]:
    """All profiles of a table (`id` and `fields`, or flat) or a `.box`, validated whole; empty fields are left out."""
    faults, within = Faults(path), Counter[str]()
    rows = iter_profiles(path, id_column=id_column, dialect=dialect, repeated=repeated, faults=faults, within=within)
    profiles = [profile for _, profile in rows]
    faults.raise_any()
    return _without_keys_of_few(profiles, within)


def _without_keys_of_few(profiles: list[Profile], within: Mapping[str, int]) -> list[Profile]:
    """Profiles in which a key within a record is a value, and no field's name, if few have it.

    It may be one: a relative's name as the key of what is known of them. Names of fields are shown, values never.
    """
    fewest = max(2, len(profiles) * _FEWEST) if len(profiles) > 1 else 1
    few = {path for path, count in within.items() if count < fewest}
    if not few:
        return profiles
    return [
        Profile(profile.id, _with_keys(profile.fields, few)) if not few.isdisjoint(profile.fields) else profile
        for profile in profiles
    ]


def _with_keys(fields: Mapping[str, str], few: Container[str]) -> dict[str, str]:
    """Fields with some paths made values of the field that they begin with, keys and all."""
    made: dict[str, list[str]] = {}
    for name, value in fields.items():
        first, _, rest = name.partition(".")
        made.setdefault(first if name in few else name, []).append(f"{rest} {value}" if name in few else value)
    return {name: _SEVERAL.join(values) for name, values in made.items()}


def _fields(
    row: Mapping[str, Any], id_column: str, number: int, faults: Faults, within: Counter[str] | None
) -> dict[str, str]:
    raw = row["fields"] if "fields" in row else {k: v for k, v in row.items() if k != id_column}
    if not isinstance(raw, Mapping):
        faults.add(number, "fields", "must be an object of field names and values")
        return {}
    fields: dict[str, list[str]] = {}
    for name, value in raw.items():
        try:
            for path, text in _leaves(str(name), value):
                fields.setdefault(path, []).append(text)
        except ValueError as problem:
            faults.add(number, str(name), str(problem))
    if within is not None:
        within.update(fields.keys() - raw.keys())
    return with_whole_days({name: _SEVERAL.join(values) for name, values in fields.items()})


def _leaves(path: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every single value with its path, in order; ValueError says what is wrong with one, and not which."""
    if depth > _DEEPEST:
        raise ValueError("is nested too deeply")
    if isinstance(value, str) and value[:1] in ("{", "["):
        value = _written_record(value)
    if value is None or value in ("", [], {}):
        return
    if isinstance(value, Mapping):
        for key, held in value.items():
            yield from _leaves(f"{path}.{key}", held, depth + 1)
    elif isinstance(value, list) and all(isinstance(one, Mapping) for one in value):
        for one in value:
            yield from _leaves(path, one, depth + 1)
    elif (text := _field_text(value)) is None:
        raise ValueError("must be text, a number, a list of these or an object of them")
    elif problem := flaw(path) or flaw(text):
        raise ValueError(problem)
    else:
        yield path, text


def _written_record(text: str) -> Any:
    """The records that a cell holds as JSON (`[{"system": "phone", "value": "…"}]`), or else the text itself."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return text
    records = parsed if isinstance(parsed, list) else [parsed]
    return parsed if records and all(isinstance(one, dict) for one in records) else text


def _both(value: str) -> str:
    """A value, and with it what it was where it looks as if it had been read wrongly: texts may have either."""
    was = repaired(value)
    return value if was == value else f"{value} | {was}"


def _field_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return _SEVERAL.join(str(item) for item in value)
    return None


def read_triples(path: Path) -> list[tuple[str, str, str]]:
    """All triples of a file, as `iter_triples` reads them."""
    return list(iter_triples(path))


def iter_triples(path: Path) -> Iterator[tuple[str, str, str]]:
    """(person, relation, value) of a tab-separated file, plain or gzipped, one after the other; every line is a record."""
    for number, line in text_lines(path):
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != 3 or not all(cells):
            raise InputError(
                f"{shown_name(path)}: record {number}: expected person, relation and value, parted by tabs"
            )
        if problem := flaw(line):
            raise InputError(f"{shown_name(path)}: record {number}: {problem}")
        yield cells[0], cells[1], cells[2]


def read_lines(path: Path) -> list[str]:
    """Non-empty lines of a UTF-8 text file, without their ends; lines that start with # are comments."""
    lines = (line.strip() for _, line in text_lines(path))
    return [line for line in lines if line and not line.startswith("#")]
