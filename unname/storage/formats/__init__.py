"""Annotated corpora in the formats of their communities, read and written; what each keeps is said in its own file.

i2b2 and MEDDOCAN XML, brat standoff, CoNLL columns, TAB JSON; WikiBio, FHIR and HL7 version 2 are read only.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from unname.errors import InputError, SettingsError, StateError
from unname.storage.faults import Faults, shown_name
from unname.storage.files import CORPUS, MARKER, staged_folders, write_atomically
from unname.storage.formats import brat, conll, fhir, hl7, i2b2, tab, wikibio
from unname.storage.formats.archives import is_archive
from unname.storage.formats.conll import in_columns
from unname.storage.formats.i2b2 import group_of
from unname.storage.formats.names import DistinctNames
from unname.storage.formats.sources import Rows, ending_of, opened
from unname.storage.spans import require_readable
from unname.types import Document

__all__ = [
    "FORMATS",
    "WRITTEN",
    "detect_format",
    "format_records",
    "group_of",
    "in_columns",
    "place_in",
    "write_corpus",
]


_READERS: dict[str, Callable[[Path, Faults], Rows]] = {
    "i2b2": i2b2.xml_records,
    "meddocan": i2b2.xml_records,
    "brat": brat.brat_records,
    "conll": conll.conll_records,
    "tab": tab.tab_records,
    "tab-all": partial(tab.tab_records, every_annotator=True),
    "wikibio": wikibio.wikibio_records,
    "fhir": fhir.fhir_records,
    "hl7": hl7.hl7_records,
}
_ENDINGS = {
    "i2b2": i2b2.ENDINGS, "brat": (".ann",), "conll": conll.ENDINGS, "tab": tab.ENDINGS, "wikibio": wikibio.ENDINGS,
    "fhir": (".ndjson", ".ndjson.gz"), "hl7": hl7.ENDINGS,
}  # fmt: skip
FORMATS = tuple(_READERS)
WRITTEN = ("i2b2", "meddocan", "brat", "conll", "tab")


def format_records(path: Path, format: str, faults: Faults) -> Rows:
    """(number from 1, row) of every document of a corpus in a folder, an archive or a file; faults go to `faults`.

    SettingsError: no such format. InputError: nothing of that format is there, or it cannot be read on.
    """
    _require(format, FORMATS)
    return _READERS[format](path, faults)


def place_in(path: Path, format: str) -> str:
    """The unit that a record's number counts in messages about a corpus of that format."""
    if not (path.is_dir() or is_archive(path)):
        return ""
    alone = format in ("i2b2", "meddocan", "brat")
    return "file {} (of this format, in name order)" if alone else "document {} (files in name order)"


def detect_format(path: Path, columns: Sequence[str] = ("id", "text")) -> str | None:
    """The format that the names of a corpus's files tell, None for our own.

    A file of tab-separated values may be either: where its first line names `columns`, it is a table. So may one of JSON,
    which its first lines tell.
    """
    if not (path.is_dir() or is_archive(path)):
        if path.suffix.lower() == ".tsv" and path.is_file() and conll.is_table(path, columns):
            return None
        if path.suffix.lower() in (".json", ".jsonl", ".gz") and path.is_file():
            told = "fhir" if fhir.is_fhir(path) else "tab" if path.suffix == ".json" and tab.is_tab(path) else None
            if told is not None or path.suffix == ".json":
                return told
        return next((name for name, endings in _ENDINGS.items() if ending_of(path.name, endings)), None)
    every = tuple(ending for endings in _ENDINGS.values() for ending in endings)
    try:
        with opened(path, every) as source:
            names = source.names
    except InputError:
        if is_archive(path):
            raise
        return None
    fitting = [name for name, endings in _ENDINGS.items() if any(ending_of(file, endings) for file in names)]
    if len(fitting) > 1:
        raise InputError(
            f"{shown_name(path)}: holds files of several formats ({', '.join(fitting)}): say which to read"
        )
    return fitting[0]


def write_corpus(path: Path, documents: Iterable[Document], *, format: str, replace: bool = False) -> None:
    """Write documents with their spans, whole or not at all, for their owner alone to read.

    A folder of files for XML and brat, which are called like the documents' ids where that is harmless and else by number;
    one file for columns and JSON. InputError: something that the format cannot hold, or a span that could not be read again
    (`require_readable`). StateError: `path` exists, and `replace` is not said or the folder holds anything else.
    """
    _require(format, WRITTEN)
    if format in ("conll", "tab"):
        if path.exists() and not (replace and path.is_file()):
            raise StateError("the output file already exists; choose another")
        checked = _checked(documents)
        columns = (conll.conll_lines(document, number=number) for number, document in enumerate(checked, start=1))
        pieces = tab.tab_pieces(checked) if format == "tab" else columns
        write_atomically(path, pieces, private=True, fresh=not replace)
        return
    if replace and path.is_dir() and not _is_corpus(path, (".ann", ".txt") if format == "brat" else (".xml",)):
        raise StateError("the folder that would be replaced holds more than such a corpus; choose another")
    names = DistinctNames()
    with staged_folders((path, True), replace=replace, kinds=(CORPUS,)) as (folder,):
        for number, document in enumerate(documents, start=1):
            name = names.of(document.id)
            for ending, content in _files(document, format, name, number).items():
                (folder / f"{name}{ending}").write_bytes(content)
            require_readable(document, number)


def _is_corpus(folder: Path, endings: tuple[str, ...]) -> bool:
    """True if all in a folder are files that belong to a corpus of ours: each name with every one of these endings."""
    held = {path.name for path in folder.iterdir() if path.is_file()} - {MARKER}
    stems = {name.removesuffix(ending) for ending in endings for name in held if name.endswith(ending)}
    whole = {stem + ending for stem in stems for ending in endings}
    return whole == {path.name for path in folder.iterdir()} - {MARKER}


def _files(document: Document, format: str, name: str, number: int) -> dict[str, bytes]:
    if format == "brat":
        return brat.brat_files(document, name=name, number=number)
    return {".xml": i2b2.xml_file(document, format=format, name=name, number=number)}


def _checked(documents: Iterable[Document]) -> Iterable[Document]:
    """The documents as they come, each with an id that none before it had, and with spans that can be read again."""
    names = DistinctNames()
    for number, document in enumerate(documents, start=1):
        names.of(document.id)
        require_readable(document, number)
        yield document


def _require(format: str, known: tuple[str, ...]) -> None:
    if format not in known:
        raise SettingsError(f"no such format of a corpus; known: {', '.join(known)}")
