"""Names of files for documents: an id is one only where it is harmless everywhere, else a number stands for it."""

import re

from unname.errors import InputError
from unname.storage.ids import Ids

_HARMLESS = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


class DistinctNames:
    """Gives each document a name of its own, also where a file system does not tell capitals from small letters."""

    def __init__(self) -> None:
        self._seen, self._taken = Ids(), Ids()
        self._number = 0

    def of(self, identifier: str) -> str:
        """A name without ending: the id itself, or `_` and the document's number; an id twice is an InputError."""
        self._number += 1
        if not self._seen.add(identifier):
            raise InputError(f"document {self._number}: the same id occurs in an earlier document")
        harmless = _HARMLESS.fullmatch(identifier) and not _DEVICES.fullmatch(identifier)
        if harmless and self._taken.add(identifier.casefold()):
            return identifier
        return f"_{self._number:06}"
