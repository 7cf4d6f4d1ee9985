"""A folder of plain text files as rows: a file is a document, its stem the id. Faults say which file by its place."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from unname.errors import InputError
from unname.storage.dialects import LOOKED_AT, doubtful, unicode_instead, unicode_or_wide, without_mark
from unname.storage.faults import NOT_UTF8, Faults, shown_name
from unname.storage.notices import counted, notice
from unname.storage.opening import folder_names, read_within
from unname.storage.rows import advice_for

# Bytes of each file that serve to tell the encoding of all.
_OF_EACH = 1 << 14


def folder_records(
    folder: Path, faults: Faults, encoding: str | None, format_of: Callable[[Path], str | None]
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(place in name order from 1, {"id": stem, "text": content}) of a folder of `.txt` files.

    The encoding is detected file by file where none is said, and where a file alone does not tell it, by all files
    together; `format_of` names the format of a folder that holds a corpus.

    Everything else in the folder is a fault, so that no document is left out unseen: other kinds of file, folders,
    pipes and devices, links that lead out of the folder. A name may name a person, so that faults give places.
    """
    names = folder_names(folder)
    if not names:
        raise InputError(f"{shown_name(folder)}: holds no .txt files")
    home, other = folder.resolve(), "not a .txt file"
    if any(not name.lower().endswith(".txt") for name in names) and (format := format_of(folder)):
        other = f"not a .txt file; an annotated corpus of this kind is read with --format {format}"
    told = _Told(home, names, encoding)
    for number, name in enumerate(names, start=1):
        stem, ending = Path(name).stem, Path(name).suffix
        content = read_within(home, name) if ending.lower() == ".txt" else advice_for(ending) or other
        if isinstance(content, str):
            faults.add(number, "", content)
            continue
        written, problem = told.of(content)
        try:
            if problem:
                faults.add(number, "text", problem)
            else:
                yield number, {"id": stem, "text": without_mark(content).decode(written)}
        except UnicodeDecodeError:
            faults.add(number, "text", NOT_UTF8 if encoding is None else f"not {encoding}")
    for name, many in told.taken.most_common():
        notice(
            folder, f"{counted(many, 'file')} of {len(names)} not in UTF-8, read as {name} (--encoding names another)"
        )


class _Told:
    """The encoding of each file of a folder, and how many were taken to be in one that is none of Unicode."""

    def __init__(self, home: Path, names: Sequence[str], named: str | None) -> None:
        self._home, self._names, self._named = home, names, named
        self._together: str | None = None
        self._asked = False
        self.taken: Counter[str] = Counter()

    def of(self, content: bytes) -> tuple[str, str]:
        """(encoding, what is wrong with it, else empty)."""
        if self._named is not None:
            other = unicode_instead(content[:LOOKED_AT], self._named, whole=len(content) <= LOOKED_AT)
            return other or self._named, ""
        plain = unicode_or_wide(content[:LOOKED_AT], whole=len(content) <= LOOKED_AT)
        if plain is not None and plain.startswith("utf"):
            return plain, ""
        from unname.storage.encodings import guessed

        guess = guessed(content[:LOOKED_AT], whole=len(content) <= LOOKED_AT)
        encoding = guess.encoding
        if encoding is None and guess.candidates and self._all() in guess.candidates:
            encoding = self._all()
        if encoding is None:
            return "", doubtful(guess.candidates) if guess.candidates else NOT_UTF8
        self.taken[encoding] += 1
        return encoding, ""

    def _all(self) -> str | None:
        """The encoding that all files that are not in Unicode have together, if it can be told."""
        if not self._asked:
            from unname.storage.encodings import guessed

            self._asked, held = True, b""
            for name in self._names:
                content = read_within(self._home, name) if name.lower().endswith(".txt") else ""
                if not isinstance(content, bytes):
                    continue
                plain = unicode_or_wide(content[:_OF_EACH], whole=len(content) <= _OF_EACH)
                if plain is None or not plain.startswith("utf"):
                    held += (
                        content[:_OF_EACH].rpartition(b" ")[0] + b"\n" if len(content) > _OF_EACH else content + b"\n"
                    )
                if len(held) > LOOKED_AT:
                    break
            self._together = guessed(held).encoding
        return self._together
