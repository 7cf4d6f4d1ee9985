"""A folder of plain text files as rows: a file is a document, its stem the id. Faults say which file by its place."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from unname.errors import InputError
from unname.storage.dialects import encoding_of, without_mark
from unname.storage.faults import NOT_UTF8, Faults, shown_name
from unname.storage.opening import folder_names, read_within
from unname.storage.rows import advice_for


def folder_records(
    folder: Path, faults: Faults, encoding: str | None, format_of: Callable[[Path], str | None]
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(place in name order from 1, {"id": stem, "text": content}) of a folder of `.txt` files.

    The encoding is detected file by file where none is said; `format_of` names the format of a folder that holds a corpus.

    Everything else in the folder is a fault, so that no document is left out unseen: other kinds of file, folders,
    pipes and devices, links that lead out of the folder. A name may name a person, so that faults give places.
    """
    names = folder_names(folder)
    if not names:
        raise InputError(f"{shown_name(folder)}: holds no .txt files")
    home, other = folder.resolve(), "not a .txt file"
    if any(not name.lower().endswith(".txt") for name in names) and (format := format_of(folder)):
        other = f"not a .txt file; an annotated corpus of this kind is read with --format {format}"
    for number, name in enumerate(names, start=1):
        stem, ending = Path(name).stem, Path(name).suffix
        content = read_within(home, name) if ending.lower() == ".txt" else advice_for(ending) or other
        if isinstance(content, str):
            faults.add(number, "", content)
            continue
        written = encoding or encoding_of(content)
        try:
            yield number, {"id": stem, "text": without_mark(content).decode(written)}
        except UnicodeDecodeError:
            faults.add(number, "text", NOT_UTF8 if encoding is None else f"not {encoding}")
