"""Values that a Python user hands over: our own types, or tables of any kind; anything else is an error that says why."""

from collections.abc import Iterator, Sequence
from typing import Any

from unname.errors import InputError, SettingsError
from unname.job import Deidentification
from unname.knowledge.population import Population
from unname.storage.frames import Row, is_table, rows_of
from unname.storage.spool import Spool
from unname.types import Document, Profile

SHORTEST_KEY = 16


def documents_of(given: object) -> Sequence[Document]:
    """Documents from a table with the columns `id`, `text` and, where known, `person`, or documents as they are.

    Other columns of a table are metadata. InputError names the record and field that cannot be used.
    """
    given = list(given) if isinstance(given, Iterator) else given
    if is_table(given):
        rows = _rows(given, ("id", "text"), "documents")
        documents: Sequence[Document] = [_document(row) for row in rows]
    elif isinstance(given, Spool):
        return given
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        documents = given
    else:
        raise InputError(f"documents must be a sequence of Document or a table, not {type(given).__name__}")
    seen: set[str] = set()
    for number, document in enumerate(documents, start=1):
        _require_document(document, number)
        if document.id in seen:
            raise InputError(f"documents: record {number}: field 'id': the same id occurs in an earlier record")
        seen.add(document.id)
    return documents


def population_of(given: object) -> Population:
    """A population from a table with the column `id`, every other column a field; from profiles; or as it is."""
    given = list(given) if isinstance(given, Iterator) else given
    if isinstance(given, Population):
        profiles: Sequence[Any] = given.profiles
        population = given
    elif is_table(given):
        rows = _rows(given, ("id",), "people")
        profiles = [_profile(row) for row in rows]
        population = Population(tuple(profiles))
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        profiles = given
        population = Population(tuple(given)) if all(isinstance(p, Profile) for p in given) else Population(())
    else:
        raise InputError(f"people must be a Population, profiles or a table, not {type(given).__name__}")
    for number, profile in enumerate(profiles, start=1):
        _require_profile(profile, number)
    return population


def require_settings(settings: object) -> Deidentification:
    """Settings, by default those of a release that nobody has set anything of; lists must be lists."""
    if settings is None:
        return Deidentification()
    if not isinstance(settings, Deidentification):
        raise SettingsError(f"settings must be a Deidentification, not {type(settings).__name__}")
    return settings


def require_key(key: object) -> None:
    """A secret key is bytes, and enough of them that nobody guesses it."""
    if not isinstance(key, bytes) or len(key) < SHORTEST_KEY:
        raise SettingsError(f"key must be {SHORTEST_KEY} bytes or more, such as secrets.token_bytes(32)")


def texts_of(given: object, documents: Sequence[Document]) -> Sequence[str | None]:
    """Released texts in the order of the documents: as they are, or from a table with the columns `id` and `text`.

    A document that the table lacks was withheld. InputError: a released id that no document has.
    """
    given = list(given) if isinstance(given, Iterator) else given
    if not is_table(given):
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise InputError(f"texts must be a sequence of text or None, or a table, not {type(given).__name__}")
        return given
    released = {d.id: d.text for d in documents_of(given)}
    if strangers := released.keys() - {d.id for d in documents}:
        raise InputError(f"texts: {len(strangers)} released ids are those of no document")
    return [released.get(d.id) for d in documents]


def _rows(table: object, needed: Sequence[str], what: str) -> list[dict[str, Any]]:
    names, rows = rows_of(table, what)
    missing = [name for name in needed if name not in names]
    if missing:
        raise InputError(f"{what}: no column {missing[0]!r}; columns: {', '.join(names) or 'none'}; rename one")
    return [_with_every(needed, row) for row in rows]


def _with_every(needed: Sequence[str], row: Row) -> dict[str, Any]:
    """A row's cells as plain text; a dict may lack a column that others have."""
    return {**dict.fromkeys(needed), **{str(name): _plain(value) for name, value in row.items()}}


def _plain(value: Any) -> Any:
    """A cell as plain text where it is text, a number or a date; None where it is empty (None, NaN, NaT)."""
    if hasattr(value, "__len__"):  # text; of a list whoever needs text says that it is none
        return value
    if value is None or value != value:
        return None
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of whole numbers with a gap in it is one of fractions to pandas
    return str(value) if isinstance(value, int | float | bool) else value


def _document(row: dict[str, Any]) -> Document:
    own = ("id", "text", "person", "split", "spans")
    values = {name: value for name, value in row.items() if name not in own and isinstance(value, str)}
    return Document(row["id"], row["text"], row.get("person"), row.get("split"), (), values)


def _profile(row: dict[str, Any]) -> Profile:
    return Profile(row["id"], {name: value for name, value in row.items() if name != "id" and value not in (None, "")})


def _require_document(document: object, number: int) -> None:
    if not isinstance(document, Document):
        raise InputError(f"documents: record {number}: must be a Document, not {type(document).__name__}")
    for field, value, optional in (
        ("id", document.id, False), ("text", document.text, False), ("person", document.person, True),
    ):  # fmt: skip
        _require_text("documents", number, field, value, optional=optional)
    if not document.id:
        raise InputError(f"documents: record {number}: field 'id': missing")


def _require_profile(profile: object, number: int) -> None:
    if not isinstance(profile, Profile):
        raise InputError(f"people: record {number}: must be a Profile, not {type(profile).__name__}")
    _require_text("people", number, "id", profile.id, optional=False)
    for name, value in profile.fields.items():
        _require_text("people", number, str(name), value, optional=False)


def _require_text(what: str, number: int, field: str, value: object, *, optional: bool) -> None:
    if value is None and optional:
        return
    if not isinstance(value, str):
        missing = value is None or (isinstance(value, float) and value != value)
        said = "missing" if missing else f"must be text, not {type(value).__name__}"
        raise InputError(f"{what}: record {number}: field {field!r}: {said}")
